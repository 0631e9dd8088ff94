"""Parsers: sentence -> tree; trained, saved and loaded.

contract            what a kind of parser declares and supplies
capabilities        what it can do, and how it likes its batches
parser              what users do with all parsers
storage             parsers in folders, in archives, and on their way to other processes
linear_transition   transitions, a linear scorer, beam search: one folder for each kind
registry            PARSERS: the kinds by name
presets             named settings
training            `train`: from treebanks to a model
front_end           tokenizer and tagger; `front_end_learning` makes them
sentences, data     what is parsed; what is learned from
batches, run        sentences in batches, live streams, threads
dev_scores          how good a parser is, from gold tags to raw text

`load("folder")` gives a parser back; `train("sr-gap", train=..., dev=...)` makes one.
"""

from __future__ import annotations

from pathlib import Path

from crossbranch.config import read_toml
from crossbranch.errors import InputError, UsageError
from crossbranch.models import shipped
from crossbranch.models.folder import ModelFolder, open_model
from crossbranch.parsers.capabilities import BatchSize, Capabilities
from crossbranch.parsers.linear_transition import LinearTransitionParser
from crossbranch.parsers.parser import Parser, ScoredTree
from crossbranch.parsers.presets import PRESETS, Preset, find_preset
from crossbranch.parsers.registry import PARSERS
from crossbranch.parsers.storage import CONFIG, split_description
from crossbranch.parsers.training import train

__all__ = [
    "PARSERS",
    "PRESETS",
    "BatchSize",
    "Capabilities",
    "LinearTransitionParser",
    "Parser",
    "Preset",
    "ScoredTree",
    "find_preset",
    "load",
    "train",
]


def load(model: str | Path | bytes, *, device: str = "cpu") -> Parser:
    """Load a parser.

    Args:
        model: The name of a model that ships with the package, such as "nl"; a folder; a .zip
            archive, or its bytes. A folder that has the name of a shipped model is written `./nl`.
        device: The device to run on, for kinds of parsers that can use several.

    Raises:
        UsageError: There is no such model, or it does not run on this device.
        InputError: It holds no model, a damaged one, or one of a newer crossbranch.
    """
    opened = _open(model)
    path = opened.where(CONFIG)
    try:
        kind = split_description(read_toml(opened.text(CONFIG), path=path))[0].get("parser")
    except UsageError as error:
        raise InputError(str(error), "the settings of a parser", path=path) from None
    if kind not in PARSERS:
        raise InputError(f"parser = {kind!r}", f"one of {', '.join(PARSERS)}", path=path)
    parser = PARSERS[kind].load(opened)
    parser.use_device(device)
    return parser


def _open(model: str | Path | bytes) -> ModelFolder:
    """Open a model; only a text can be the name of a shipped one."""
    models = shipped()
    found = models.get(model, model) if isinstance(model, str) else model
    try:
        return open_model(found)
    except UsageError as error:
        known = ", ".join(models)
        raise UsageError(f"{error}, and no model of that name ({known})") from None
