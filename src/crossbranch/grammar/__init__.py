"""Grammars written by hand, and treebanks sampled from them.

sampling      `sample`: any number of trees from a grammar
grammar       a grammar: its rules and words; reading one from a file
syntax        the lines of a grammar file
symbols       symbols with features
lexicon       words and their endings
check         errors in a grammar
expansion     one random tree
random_trees  random trees without a grammar
"""

from __future__ import annotations

from crossbranch.grammar.sampling import grammar_names, sample

__all__ = ["grammar_names", "sample"]
