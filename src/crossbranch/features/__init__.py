"""The features of linear parsers and taggers.

atoms        the parts of a template: places of a configuration, and attributes
templates    feature sets: files of templates, read, checked and compiled for the core
columns      the attributes of tokens: word, tag, affixes, shape, cluster ...
encoder      sentences -> rows of numbers, one for each token
clusters     Brown clusters of words, from a file or an optional package
"""

from __future__ import annotations

from crossbranch.features.clusters import Clusters
from crossbranch.features.encoder import TokenEncoder
from crossbranch.features.templates import Template, Templates, feature_sets, load

__all__ = ["Clusters", "Template", "Templates", "TokenEncoder", "feature_sets", "load"]
