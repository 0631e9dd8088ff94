"""The kinds of parsers."""

from __future__ import annotations

from crossbranch.parsers.linear_transition import LinearTransitionParser
from crossbranch.parsers.neural_span import NeuralSpanParser
from crossbranch.parsers.neural_transition import NeuralTransitionParser
from crossbranch.parsers.parser import Parser
from crossbranch.parsers.plcfrs import PlcfrsParser

PARSERS: dict[str, type[Parser]] = {
    kind.kind: kind
    for kind in (LinearTransitionParser, NeuralTransitionParser, NeuralSpanParser, PlcfrsParser)
}
"""The kinds by name. To add one: a class in a new folder, one entry here, and its presets."""
