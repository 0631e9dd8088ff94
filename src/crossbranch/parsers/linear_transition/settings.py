"""The settings of transition parsers with a linear scorer."""

from __future__ import annotations

from typing import Annotated, Literal

from crossbranch.config import Amount, Byte, EpochSettings, Names, SearchOptions, Size
from crossbranch.transitions import SYSTEMS


class LinearTransitionSettings(EpochSettings, frozen=True, kw_only=True):
    """What a transition parser with a linear scorer is, and how it learns."""

    system: Annotated[str, "transition system"] = "gap"
    oracle: Annotated[str, "oracle to learn from; auto: the system's default"] = "auto"
    features: Annotated[Names, "sets of feature templates: names, or files"] = ("baseline",)
    heads: Annotated[str, "head table: auto, a name, a file, or none: as in the trees"] = "auto"
    beam: Annotated[Size, "size of the beam, in training and by default in parsing"] = 4
    update: Annotated[
        Literal["early", "restart", "max-violation"],
        "update the weights when gold leaves the beam (early); the same, then put gold back and"
        " continue (restart); or where gold is furthest behind (max-violation)",
    ] = "early"
    importance: Annotated[Size, "how often a gold GAP or SWAP counts in an update"] = 1
    min_update: Annotated[Byte, "number of updates after which a feature counts"] = 0
    batch: Annotated[Size, "sentences that are parsed with the same weights before an update"] = 1
    unknown_below: Annotated[Size, "rarer words are unknown words"] = 2
    prune: Annotated[Amount, "smaller weights are left out of the model"] = 0.0

    def in_words(self) -> dict[str, str]:
        """Name the transition system, the oracle and the feature sets."""
        system = SYSTEMS[self.system]
        oracle = system.oracle(None if self.oracle == "auto" else self.oracle)
        return {
            "system": f"{system.name} ({system.title}), oracle {oracle}",
            "features": ", ".join(self.features),
        }


class LinearTransitionOptions(SearchOptions, frozen=True, kw_only=True):
    """What users may say when they parse."""

    beam: Annotated[Size, "size of the beam"] = 4
