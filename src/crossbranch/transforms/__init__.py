"""Tree <-> tree: what treebanks need before parsing, and what brings parses back to the treebank's form.

`TRANSFORMS` names them all; `pipeline("functions(strip) | attach")` puts them in a row.
"""

from __future__ import annotations

from crossbranch.transforms.pipeline import parse_pipeline
from crossbranch.transforms.transform import Pipeline, Transform

TRANSFORMS: dict[str, type[Transform]] = {}

__all__ = ["TRANSFORMS", "Pipeline", "Transform", "pipeline"]


def pipeline(text: str) -> Pipeline:
    """Make a pipeline from its description, such as `functions(strip) | attach | heads(negra)`."""
    return parse_pipeline(text, TRANSFORMS)
