"""Grammars written by hand, and treebanks sampled from them.

sampling      `sample`: trees from a grammar, as many as wanted
grammar       a grammar: its rules and words; reading one from a file
syntax        what a grammar file may say, line by line
symbols       symbols with features
lexicon       words and their endings
check         what can be wrong with a grammar
expansion     one random tree
random_trees  random trees without a grammar
"""

from __future__ import annotations

from crossbranch.grammar.sampling import grammar_names, sample

__all__ = ["grammar_names", "sample"]
