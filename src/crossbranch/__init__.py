"""crossbranch: trees whose branches cross, read, written, transformed, described and drawn."""

from __future__ import annotations

from crossbranch.drawing import draw_text
from crossbranch.errors import (
    CrossbranchError,
    InputError,
    LossError,
    LossWarning,
    TransformError,
    TreeError,
    UsageError,
)
from crossbranch.nltk_trees import from_nltk, to_nltk
from crossbranch.statistics import Statistics
from crossbranch.transforms import TRANSFORMS, Pipeline, Transform, pipeline
from crossbranch.tree import ROOT, Bracket, Node, SecondaryEdge, Sentence, Token, Tree
from crossbranch.treebank import FORMATS, Format, Header, Reader, read, write
from crossbranch.treebank.sample import sample

__all__ = [
    "FORMATS",
    "ROOT",
    "TRANSFORMS",
    "Bracket",
    "CrossbranchError",
    "Format",
    "Header",
    "InputError",
    "LossError",
    "LossWarning",
    "Node",
    "Pipeline",
    "Reader",
    "SecondaryEdge",
    "Sentence",
    "Statistics",
    "Token",
    "Transform",
    "TransformError",
    "Tree",
    "TreeError",
    "UsageError",
    "draw_text",
    "from_nltk",
    "pipeline",
    "read",
    "sample",
    "to_nltk",
    "write",
]
