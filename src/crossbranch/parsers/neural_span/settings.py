"""The settings of parsers with span charts."""

from __future__ import annotations

from typing import Annotated, Literal

from crossbranch.config import SearchOptions
from crossbranch.neural.settings import BiaffineSettings
from crossbranch.parsers.neural_shared.settings import NeuralSettings, Precision
from crossbranch.parsers.neural_span.spaces import Rules
from crossbranch.ranges import Amount, Share, Tokens

Loss = Literal["labels", "hinge", "likelihood"]
Decode = Literal["best", "minimum-risk"]


class NeuralSpanSettings(NeuralSettings, frozen=True, kw_only=True):
    """The settings of parsers with span charts."""

    parser: Annotated[str, "kind of parser"] = "neural-span"
    space: Annotated[
        Rules,
        "search space; the later ones have more discontinuous trees and are slower; long sentences"
        " are parsed in a smaller one",
    ] = "cubic"
    ill_nested: Annotated[bool, "search for ill-nested trees, too; quintic and sextic only"] = False
    decode: Annotated[
        Decode,
        "which tree is the result; best: the one with the highest score; minimum-risk: the one with"
        " the best expected F1",
    ] = "best"
    loss: Annotated[
        Loss,
        "what is learned; labels: the label of each span by itself; hinge: the right tree is better"
        " than all others by a margin; likelihood: the right tree is probable",
    ] = "labels"
    longest: Annotated[
        Tokens,
        "loss = hinge or likelihood: sentences with more tokens are learned in the space cubic, to"
        " save time",
    ] = 40
    negatives: Annotated[
        Share, "loss = labels: share of the spans without a constituent that count"
    ] = 1.0
    scorer: Annotated[BiaffineSettings, "how the network scores spans"] = BiaffineSettings()

    def in_words(self) -> dict[str, str]:
        """Name the search space, the loss and the network."""
        nested = ", ill-nested" if self.ill_nested else ""
        found = {"search": f"span charts, {self.space}{nested}", "loss": self.loss}
        return found | super().in_words()


class NeuralSpanOptions(SearchOptions, frozen=True, kw_only=True):
    """The options that users may give when they parse."""

    space: Annotated[Rules, "search space"] = "cubic"
    ill_nested: Annotated[bool, "search for ill-nested trees, too; quintic and sextic only"] = False
    decode: Annotated[
        Decode, "the tree with the best score (best) or the best expected F1 (minimum-risk)"
    ] = "best"
    grammar: Annotated[
        str, "file of a grammar that prunes charts: only what its good trees may have is searched"
    ] = ""
    margin: Annotated[
        Amount,
        "with grammar: how much worse than its best tree a tree may be, as the logarithm of a"
        " probability",
    ] = 8.0
    precision: Annotated[
        Precision,
        "numbers of the network; bfloat16: shorter ones, faster if the machine can multiply them",
    ] = "float32"
