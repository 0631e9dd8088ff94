"""The settings of transition parsers with a neural scorer."""

from __future__ import annotations

from typing import Annotated

from crossbranch.config import SearchOptions
from crossbranch.neural.settings import ScorerSettings
from crossbranch.parsers.neural_shared.settings import NeuralSettings, Precision
from crossbranch.ranges import Beam, Share
from crossbranch.transitions import SYSTEMS


class NeuralTransitionSettings(NeuralSettings, frozen=True, kw_only=True):
    """The settings of transition parsers with a neural scorer."""

    parser: Annotated[str, "kind of parser"] = "neural-transition"
    system: Annotated[str, "transition system"] = "stack-free"
    oracle: Annotated[
        str,
        "oracle to learn from; static: from gold derivations only; dynamic: also from what the"
        " parser does itself",
    ] = "dynamic"
    explore: Annotated[
        Share, "dynamic: share of sentences in which the parser follows its own choices"
    ] = 0.15
    explore_steps: Annotated[
        Share, "dynamic: how often it follows its own choice there, and not that of the oracle"
    ] = 1.0
    beam: Annotated[Beam, "size of the beam in parsing; 1: greedy"] = 1
    scorer: Annotated[ScorerSettings, "how the network scores choices"] = ScorerSettings()

    def in_words(self) -> dict[str, str]:
        """Name the transition system, the oracle and the network."""
        system = SYSTEMS[self.system]
        title = f" ({system.title})" if system.title != system.name else ""
        found = {"system": f"{system.name}{title}, oracle {self.oracle}"}
        return found | super().in_words()


class NeuralTransitionOptions(SearchOptions, frozen=True, kw_only=True):
    """The options that users may give when they parse."""

    beam: Annotated[Beam, "size of the beam; 1: greedy"] = 1
    precision: Annotated[
        Precision,
        "numbers of the network; bfloat16: shorter ones, faster if the machine can multiply them",
    ] = "float32"
