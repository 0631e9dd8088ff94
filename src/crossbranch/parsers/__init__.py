"""Parsers: sentence -> tree; trained, saved and loaded.

contract            what a kind of parser declares and implements; `Capabilities`, `BatchSize`
parser              the base class: what users do with every parser
storage             parsers in folders and archives, and pickled
linear_transition   transitions, a linear scorer, beam search (each kind has its own folder)
registry            PARSERS: the kinds by name
presets             named settings
training            `train`: from treebanks to a model
labelling           functions and heads of parsed trees
front_end           tokenizer, tagger and casing; `front_end_learning` trains them
sentences, data     sentences to parse; trees to learn from
batches, run        sentences in batches, live streams, threads
tracing             how a transition parser came to its tree, step by step
dev_scores          scores on dev trees, with gold tags and from raw text

`load("folder")` loads a parser; `train("sr-gap", train=..., dev=...)` trains one.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from crossbranch.config import read_toml
from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError, shown
from crossbranch.models import shipped
from crossbranch.models.folder import ModelFolder, open_model
from crossbranch.parsers.contract import BatchSize, Capabilities
from crossbranch.parsers.parser import Parser, ScoredTree
from crossbranch.parsers.presets import PRESETS, Preset, find_preset
from crossbranch.parsers.registry import FOLDERS, PARSERS, load_class
from crossbranch.parsers.storage import CONFIG, split_description
from crossbranch.parsers.tracing import ItemParser, ItemsOfParse, TracedParse, TransitionParser
from crossbranch.parsers.training import train

if TYPE_CHECKING:
    from crossbranch.parsers.linear_transition import LinearTransitionParser
    from crossbranch.parsers.neural_shared.parser import NeuralParser
    from crossbranch.parsers.neural_span import NeuralSpanParser
    from crossbranch.parsers.neural_transition import NeuralTransitionParser
    from crossbranch.parsers.plcfrs import PlcfrsParser

__all__ = [
    "PARSERS",
    "PRESETS",
    "BatchSize",
    "Capabilities",
    "LinearTransitionParser",
    "NeuralParser",
    "NeuralSpanParser",
    "NeuralTransitionParser",
    "Parser",
    "PlcfrsParser",
    "Preset",
    "ScoredTree",
    "ItemParser",
    "ItemsOfParse",
    "TracedParse",
    "TransitionParser",
    "find_preset",
    "load",
    "train",
]


def __getattr__(name: str) -> object:
    """Load a kind of parsers when its class is first used."""
    if name in FOLDERS:
        return load_class(name)
    if name == "NeuralParser":
        from crossbranch.parsers.neural_shared.parser import NeuralParser

        return NeuralParser
    raise AttributeError(f"module 'crossbranch.parsers' has no attribute {name!r}")


@door
def load(model: str | Path | bytes, *, device: str = "cpu") -> Parser:
    """Load a parser.

    Args:
        model: The name of a shipped model, such as "nl"; a model folder; a .zip archive of a model,
            or the bytes of one. If a folder has the name of a shipped model, write `./nl`.
        device: The device to run on, for kinds of parsers that support several.

    Raises:
        UsageError: There is no such model, or it does not run on this device.
        InputError: It is not a model, it is damaged, or a newer crossbranch wrote it.
    """
    opened = _open(model)
    path = opened.where(CONFIG)
    try:
        kind = split_description(read_toml(opened.text(CONFIG), path=path))[0].get("parser")
    except UsageError as error:
        raise InputError(str(error), "the settings of a parser", path=path) from None
    if not isinstance(kind, str) or kind not in PARSERS:
        raise InputError(f"parser = {shown(kind)}", f"one of {', '.join(PARSERS)}", path=path)
    parser = PARSERS[kind].load(opened)
    parser.use_device(device)
    return parser


def _open(model: str | Path | bytes) -> ModelFolder:
    """Open a model. Only a `str` can be the name of a shipped one."""
    models = shipped()
    found = models.get(model, model) if isinstance(model, str) else model
    try:
        return open_model(found)
    except UsageError as error:
        known = ", ".join(models)
        raise UsageError(f"{error}, and no shipped model of that name ({known})") from None
