"""The settings of transition parsers with a linear scorer."""

from __future__ import annotations

from typing import Annotated, Literal

from crossbranch.config import EpochSettings, Names, SearchOptions
from crossbranch.ranges import Amount, Batch, Beam, Byte, Few, Size
from crossbranch.transitions import SYSTEMS


class LinearTransitionSettings(EpochSettings, frozen=True, kw_only=True):
    """The settings of transition parsers with a linear scorer."""

    system: Annotated[str, "transition system"] = "gap"
    oracle: Annotated[str, "oracle to learn from; auto: the system's default"] = "auto"
    features: Annotated[Names, "feature sets: names or files"] = ("baseline",)
    beam: Annotated[Beam, "size of the beam in training, and by default in parsing"] = 4
    stop: Annotated[
        Literal["all", "first"],
        "when a search ends; all: when all items on the beam are whole trees; first: when the best"
        " one is",
    ] = "all"
    discontinuous: Annotated[
        bool, "allow GAP or SWAP; false: make the training trees continuous, and learn without them"
    ] = True
    update: Annotated[
        Literal["early", "restart", "max-violation"],
        "when to update the weights; early: when the gold derivation leaves the beam; restart: the"
        " same, then continue from the gold derivation; max-violation: when its score is furthest"
        " below the best",
    ] = "early"
    importance: Annotated[Few, "how many times a GAP or SWAP counts in an update"] = 1
    min_update: Annotated[Byte, "number of updates that a feature needs before it is used"] = 0
    voters: Annotated[
        Few,
        "number of perceptrons, each with its own order of sentences; the model has the mean of"
        " their weights",
    ] = 1
    batch: Annotated[Batch, "number of sentences parsed with the same weights before an update"] = 1
    unknown_below: Annotated[Size, "words with fewer occurrences count as unknown words"] = 2
    prune: Annotated[Amount, "weights smaller than this are left out of the model"] = 0.0

    def in_words(self) -> dict[str, str]:
        """Name the transition system, the oracle and the feature sets."""
        system = SYSTEMS[self.system]
        oracle = system.oracle(None if self.oracle == "auto" else self.oracle)
        return {
            "system": f"{system.name} ({system.title}), oracle {oracle}",
            "features": ", ".join(self.features),
        }


class LinearTransitionOptions(SearchOptions, frozen=True, kw_only=True):
    """The options that users may give when they parse."""

    beam: Annotated[Beam, "size of the beam"] = 4
