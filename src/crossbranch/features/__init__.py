"""What linear parsers and taggers look at, as numbers.

atoms        the places of a configuration that a template may name, and how they are written
templates    feature sets: files of templates, read, checked and compiled for the core
columns      what a template may say of a token: its word, its tag, affixes, shape, cluster ...
encoder      sentences -> rows of numbers, one for each token
clusters     Brown clusters of words, from a file or an optional package
"""

from __future__ import annotations

from crossbranch.features.clusters import Clusters
from crossbranch.features.encoder import TokenEncoder
from crossbranch.features.templates import Template, Templates, feature_sets, load

__all__ = ["Clusters", "Template", "Templates", "TokenEncoder", "feature_sets", "load"]
