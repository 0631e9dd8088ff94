"""Three small parsers that are nothing like the linear one: they show that there is room for all.

greedy    no beam; tags by itself, and has metrics
chart     exact search in a chart; has marginals, and no k-best lists
grammar   rules that are counted once: log-probabilities, k-best lists, no epochs

Each is one file. To be registered, each needs its line in SMALL_PARSERS, and its preset.
"""

from __future__ import annotations

from crossbranch.parsers import Parser, Preset
from small_parsers.chart import ChartParser
from small_parsers.grammar import GrammarParser
from small_parsers.greedy import GreedyParser

SMALL_PARSERS: dict[str, type[Parser]] = {
    kind.kind: kind for kind in (ChartParser, GrammarParser, GreedyParser)
}
SMALL_PRESETS: dict[str, Preset] = {
    "small-chart": Preset(name="small-chart", settings={"parser": "small-chart", "epochs": 2}),
    "small-grammar": Preset(name="small-grammar", settings={"parser": "small-grammar"}),
    "small-greedy": Preset(
        name="small-greedy", settings={"parser": "small-greedy", "tags": "own", "epochs": 2}
    ),
}
