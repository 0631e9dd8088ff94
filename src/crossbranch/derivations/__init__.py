"""Derivations to look at: what a parser builds, step by step, and why.

frames      the configurations of a derivation, with partial trees, words and scores
forests     a configuration as partial trees over the whole sentence
words       transitions explained in words, and abbreviations
text        derivations for a terminal
records     derivations as plain data, for JSON
svg         one picture for each step
player      one HTML page: a player for one or more derivations

`frames(derivation)` shows a derivation of a gold tree. With a trace, it also shows what the parser
could have done instead, and the scores.
"""

from crossbranch.derivations.frames import Choice, Frame, Item, Part, Show, frames, show
from crossbranch.derivations.player import draw_player
from crossbranch.derivations.records import records
from crossbranch.derivations.svg import draw_steps
from crossbranch.derivations.text import draw_text_steps
from crossbranch.derivations.words import glossary

__all__ = [
    "Choice",
    "Frame",
    "Item",
    "Part",
    "Show",
    "draw_player",
    "draw_steps",
    "draw_text_steps",
    "frames",
    "glossary",
    "records",
    "show",
]
