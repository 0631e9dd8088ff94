"""Parsers with a probabilistic LCFRS: a grammar that is read off trees.

settings   what the grammar looks like, and options of the search
shaping    treebank tree → tree of the grammar, and derivation → treebank tree
lexicon    words → tags with probabilities, unknown words included
learner    counts rules and words
parser     the parser
items      the items of a search, to look at
"""

from __future__ import annotations

from crossbranch.parsers.plcfrs.parser import PlcfrsParser
from crossbranch.parsers.plcfrs.settings import PlcfrsOptions, PlcfrsSettings

__all__ = ["PlcfrsOptions", "PlcfrsParser", "PlcfrsSettings"]
