"""The settings of parsers with a probabilistic LCFRS."""

from __future__ import annotations

from typing import Annotated, Literal

from crossbranch.config import SearchOptions, Settings
from crossbranch.ranges import Amount, Count, Depth, Few, Size, Tokens


class PlcfrsSettings(Settings, frozen=True, kw_only=True):
    """The settings of parsers with a probabilistic LCFRS. It is counted once, without epochs."""

    parser: Annotated[str, "kind of parser"] = "plcfrs"
    order: Annotated[
        Literal["head-outward", "left", "right", "optimal"],
        "order in which binarization joins the children of a node",
    ] = "head-outward"
    horizontal: Annotated[
        Depth, "number of children that the label of a temporary node names; -1: all"
    ] = 1
    vertical: Annotated[Few, "labels name vertical - 1 ancestors; 1: none"] = 1
    tag_parents: Annotated[bool, "tags name the node above them, and words help to choose it"] = (
        False
    )
    unknown_below: Annotated[
        Size, "words with fewer occurrences are known by their shape and ending only"
    ] = 5


class PlcfrsOptions(SearchOptions, frozen=True, kw_only=True):
    """The options that users may give when they parse."""

    estimates: Annotated[
        Literal["none", "lengths", "blocks"],
        "outside estimates of the search; blocks: by the places of blocks; lengths: by the number"
        " of tokens, slower; none: very slow; all find the same trees",
    ] = "blocks"
    tokens: Annotated[Tokens, "sentences with more tokens have no parse"] = 120
    items: Annotated[
        Count, "largest number of items in the chart, each takes about 400 bytes; 0: no limit"
    ] = 500_000
    seconds: Annotated[
        Amount, "longest time for one search; 0: no limit; with a limit, trees depend on the time"
    ] = 0.0
