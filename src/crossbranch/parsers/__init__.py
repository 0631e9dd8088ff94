"""Parsers: sentence -> tree; trained, saved and loaded.

parser              the contract, and what all parsers share
transition          parsers that build a tree by transitions
transition_learner  how they learn
training            `train`: from treebanks to a model
confidence          evidence for and against trees and constituents
calibration         what the evidence is worth; `calibrating` learns it from dev trees
logistic            the map from evidence to probability
reliability         how far stated probabilities can be relied on
folder, arrays      models on disk
sentences, data     what is parsed; what is learnt from
presets             named settings

`load("folder")` gives a parser back; `train("sr-gap", train=..., dev=...)` makes one.
"""

from __future__ import annotations

from pathlib import Path

from crossbranch.config import read_toml
from crossbranch.errors import InputError
from crossbranch.parsers.folder import open_folder
from crossbranch.parsers.parser import CONFIG, Parser, ScoredTree
from crossbranch.parsers.presets import PRESETS, Preset, find_preset
from crossbranch.parsers.registry import PARSERS
from crossbranch.parsers.training import train
from crossbranch.parsers.transition import TransitionParser

__all__ = [
    "PARSERS",
    "PRESETS",
    "Parser",
    "Preset",
    "ScoredTree",
    "TransitionParser",
    "find_preset",
    "load",
    "train",
]


def load(folder: str | Path) -> Parser:
    """Load a parser from its folder.

    Raises:
        UsageError: There is no such folder.
        InputError: It holds no model, a damaged one, or one of a newer crossbranch.
    """
    opened = open_folder(folder)
    path = str(opened.path / CONFIG)
    kind = read_toml(opened.text(CONFIG), path=path).get("parser")
    if kind not in PARSERS:
        raise InputError(f"parser = {kind!r}", f"one of {', '.join(PARSERS)}", path=path)
    return PARSERS[kind].load(opened)
