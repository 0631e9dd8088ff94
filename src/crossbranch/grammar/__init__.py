"""Grammars (LCFRS): read off treebanks, or written by hand; parsing and sampling with them.

The toolkit:

lcfrs         `Rule`, `Grammar`, and `extract`: the grammar of a treebank
files         `read` and `write`: grammars in files
normal_forms  equivalent grammars: ordered, gap-explicit, tagged, binary
cleaning      useless rules, and grammars that are merged
agenda        the best derivations of a binary grammar, found by the core
deduction     `Deduction`: exact parsing with any grammar
measures      figures of a grammar
pictures      `draw_rules`: rules as pictures
sampling      `sample`: any number of trees from a grammar

The files:

text_format   the format of crossbranch
discodop      the format of disco-dop
rparse        the format of rparse
lines         lines of files, and names in other formats
statements    the statements of a grammar file
syntax        one line of a grammar file

The sampler:

grammar       a grammar with features, ready for sampling
symbols       symbols with features
lexicon       words and their endings
check         errors in a grammar
expansion     one random tree
random_trees  random trees without a grammar
"""

from __future__ import annotations

from crossbranch.grammar.cleaning import merge, trim, useless_rules
from crossbranch.grammar.deduction import Deduction, Parse
from crossbranch.grammar.files import GRAMMAR_FORMATS, read, write
from crossbranch.grammar.lcfrs import Grammar, Rule, extract, label_of, symbol_of
from crossbranch.grammar.measures import GrammarFigures, complexity, measure
from crossbranch.grammar.normal_forms import binary, gap_explicit, ordered, tagged
from crossbranch.grammar.pictures import draw_rules
from crossbranch.grammar.sampling import grammar_names, sample
from crossbranch.grammar.text_format import parse_text

__all__ = [
    "GRAMMAR_FORMATS",
    "Deduction",
    "Grammar",
    "GrammarFigures",
    "Parse",
    "Rule",
    "binary",
    "complexity",
    "draw_rules",
    "extract",
    "gap_explicit",
    "grammar_names",
    "label_of",
    "measure",
    "merge",
    "ordered",
    "parse_text",
    "read",
    "sample",
    "symbol_of",
    "tagged",
    "trim",
    "useless_rules",
    "write",
]
