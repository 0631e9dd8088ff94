"""A small parser of each preset, trained once for all tests that look at it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from small_parsers import SMALL_PARSERS, SMALL_PRESETS

from crossbranch.config import EpochSettings
from crossbranch.grammar.sampling import sample
from crossbranch.parsers import (
    PARSERS,
    PRESETS,
    LinearTransitionParser,
    NeuralParser,
    Parser,
    train,
)

TRAIN = tuple(sample(60, seed=1, max_length=25))
DEV = tuple(sample(20, seed=2, max_length=25))
TEST = tuple(sample(30, seed=3, max_length=25))

ALL_PRESETS = {**PRESETS, **SMALL_PRESETS}
"""Those that ship, and those of the three parsers that only tests know."""

_SHARED = ("-2015", "-2017", "-2019", "-2020", "-small")
CHECKED = sorted(name for name in ALL_PRESETS if not name.endswith(_SHARED))
"""With quick settings, small presets and those that reproduce papers are the same as the others."""

each_preset = pytest.mark.parametrize("preset", CHECKED)


def kind_of(preset: str) -> type[Parser]:
    """Return the kind of parser that a preset makes."""
    return {**PARSERS, **SMALL_PARSERS}[ALL_PRESETS[preset].settings["parser"]]


def each_preset_that(can: Callable[[type[Parser]], bool]) -> pytest.MarkDecorator:
    """Parametrize a test with the presets whose kind of parser can do something."""
    return pytest.mark.parametrize("preset", [name for name in CHECKED if can(kind_of(name))])


def has_beam(kind: type[Parser]) -> bool:
    """Say whether a beam is an option of a kind of parser."""
    return "beam" in kind.options_type.__struct_fields__


def has_epochs(kind: type[Parser]) -> bool:
    """Say whether epochs mean anything to a kind of parser."""
    return issubclass(kind.settings_type, EpochSettings)


def options_of(preset: str) -> list[dict[str, Any]]:
    """Return some search options to try."""
    return [{}, {"beam": 1}, {"beam": 16}] if has_beam(kind_of(preset)) else [{}]


_QUICK_ENCODER: dict[str, Any] = {
    "words": 16,
    "character_size": 8,
    "spelling": 16,
    "hidden": 32,
    "unknown": 0.1,
    "dropout": 0.0,
    "input_dropout": 0.0,
}
_QUICK_OPTIMIZER: dict[str, Any] = {
    "method": "adamw",
    "rate": 0.02,
    "warm_up": 1,
    "average": 0.0,
}
QUICK_SETTINGS: dict[str, dict[str, Any]] = {
    "neural-transition": {
        "batch": 4,
        "apart": False,
        "encoder": _QUICK_ENCODER,
        "scorer": {"hidden": 24, "dropout": 0.0},
        "optimizer": _QUICK_OPTIMIZER,
    },
    "neural-span": {
        "decode": "best",  # a safest tree is not the first one of a k-best list
        "batch": 4,
        "encoder": _QUICK_ENCODER,
        "scorer": {"label": 24, "span": 12, "dropout": 0.0},
        "optimizer": _QUICK_OPTIMIZER,
    },
}
"""By kind of parser: settings that make a small model, for kinds whose presets train for long."""

QUICK_EPOCHS = {"neural-transition": 4, "neural-span": 4}
"""By kind of parser: how many epochs are worth one of the others."""


def train_quickly(preset: str, *, epochs: int = 2, **values: Any) -> Parser:
    """Train a parser with few epochs, if it has any, and with the quick settings of its kind."""
    kind = kind_of(preset)
    if has_epochs(kind):
        values["epochs"] = epochs * QUICK_EPOCHS.get(kind.kind, 1)
    return train(preset, **{**QUICK_SETTINGS.get(kind.kind, {}), **values})


@cache
def trained(preset: str) -> Parser:
    """Return the parser of a preset, with tagger and tokenizer."""
    return train_quickly(preset, train=TRAIN, dev=DEV)


@cache
def trained_with(preset: str, *, tags: str) -> Parser:
    """Return a parser that has learned from these tags."""
    return train_quickly(preset, train=TRAIN, dev=DEV, tags=tags)


def is_linear(kind: type[Parser]) -> bool:
    """Say whether a kind of parser is the linear one."""
    return issubclass(kind, LinearTransitionParser)


def is_neural(kind: type[Parser]) -> bool:
    """Say whether a kind of parser has a network, which torch trains."""
    return issubclass(kind, NeuralParser)
