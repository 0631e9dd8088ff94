"""Transforms of trees: they prepare treebanks for parsing, and restore the form of parses.

`TRANSFORMS` has them by name. `pipeline("functions(strip) | attach")` makes a pipeline of several.
"""

from __future__ import annotations

from crossbranch.doors import door
from crossbranch.transforms.binarize import Binarize
from crossbranch.transforms.boyd import Boyd
from crossbranch.transforms.continuous import Split
from crossbranch.transforms.functions import AddFunctions, Functions, SplitFunctions
from crossbranch.transforms.heads import Heads
from crossbranch.transforms.labels import Labels
from crossbranch.transforms.notation import parse_pipeline
from crossbranch.transforms.punctuation import Attach, Punctuation
from crossbranch.transforms.raising import Raise
from crossbranch.transforms.reorder import Reorder
from crossbranch.transforms.tags import PrepositionTo, Tags
from crossbranch.transforms.traces import Traces
from crossbranch.transforms.transform import Pipeline, Transform, transform_each
from crossbranch.transforms.unaries import Unaries

TRANSFORMS: dict[str, type[Transform]] = {
    "add-functions": AddFunctions,
    "attach": Attach,
    "binarize": Binarize,
    "boyd": Boyd,
    "functions": Functions,
    "heads": Heads,
    "labels": Labels,
    "preposition-to": PrepositionTo,
    "punctuation": Punctuation,
    "raise": Raise,
    "reorder": Reorder,
    "split": Split,
    "split-functions": SplitFunctions,
    "tags": Tags,
    "traces": Traces,
    "unaries": Unaries,
}

__all__ = ["TRANSFORMS", "Pipeline", "Transform", "pipeline", "transform_each"]


@door
def pipeline(text: str) -> Pipeline:
    """Make a pipeline from its description, such as `functions(strip) | attach | heads(negra)`."""
    return parse_pipeline(text, TRANSFORMS)
