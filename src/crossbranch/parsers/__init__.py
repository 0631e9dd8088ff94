"""Parsers: sentence -> tree; trained, saved and loaded.

parser              the contract, and what all parsers share
transition          parsers that build a tree by transitions
transition_learner  how they learn
training            `train`: from treebanks to a model
confidence          evidence for and against trees and constituents
calibration         what the evidence is worth; `calibrating` learns it from dev trees
logistic            the map from evidence to probability
reliability         how far stated probabilities can be relied on
front_end           texts are cut into tokens, and words get tags; `front_end_learning`
run                 sentences in batches, in order
dev_scores          how good a parser is, from gold tags to raw text
folder              models on disk
sentences, data     what is parsed; what is learnt from
presets             named settings

`load("folder")` gives a parser back; `train("sr-gap", train=..., dev=...)` makes one.
"""

from __future__ import annotations

from pathlib import Path

from crossbranch.config import read_toml
from crossbranch.errors import InputError, UsageError
from crossbranch.models import shipped
from crossbranch.parsers.folder import ModelFolder, open_folder
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


def load(model: str | Path) -> Parser:
    """Load a parser: one that ships with the package by its name, such as "nl", or a folder.

    A folder that has the name of a shipped model is written `./nl`.

    Raises:
        UsageError: There is no such model.
        InputError: It holds no model, a damaged one, or one of a newer crossbranch.
    """
    opened = _open(model)
    path = str(opened.path / CONFIG)
    kind = read_toml(opened.text(CONFIG), path=path).get("parser")
    if kind not in PARSERS:
        raise InputError(f"parser = {kind!r}", f"one of {', '.join(PARSERS)}", path=path)
    return PARSERS[kind].load(opened)


def _open(model: str | Path) -> ModelFolder:
    """Open a model; only a text can be the name of a shipped one."""
    models = shipped()
    found = models.get(model, model) if isinstance(model, str) else model
    try:
        return open_folder(found)
    except UsageError as error:
        known = ", ".join(models)
        raise UsageError(f"{error}, and no model of that name ({known})") from None
