"""Derivations to look at: what a parser builds, step by step, and why.

shows       what is shown: frames with partial trees, words and scores
frames      the configurations of a derivation
gold_trees  the derivation of a gold tree
items       the items of a chart or an agenda
forests     a configuration as partial trees over the whole sentence
words       transitions explained in words, and abbreviations
text        derivations for a terminal
records     derivations as plain data, for JSON
svg         one picture for each step
player      one HTML page: a player for one or more derivations

`show(derivation)` shows a derivation of a gold tree. With a trace, it also shows what the parser
could have done instead, and the scores. `show_items` shows the search of a chart or a grammar.
"""

from crossbranch.derivations.frames import frames, show
from crossbranch.derivations.gold_trees import show_tree
from crossbranch.derivations.items import show_items
from crossbranch.derivations.player import PlayerParts, draw_player, player_parts
from crossbranch.derivations.records import records
from crossbranch.derivations.shows import Choice, Frame, Item, Part, Show, Wording
from crossbranch.derivations.svg import draw_steps
from crossbranch.derivations.text import draw_text_steps
from crossbranch.derivations.words import glossary

__all__ = [
    "Choice",
    "Frame",
    "Item",
    "Part",
    "PlayerParts",
    "Show",
    "Wording",
    "draw_player",
    "draw_steps",
    "draw_text_steps",
    "frames",
    "glossary",
    "player_parts",
    "records",
    "show",
    "show_items",
    "show_tree",
]
