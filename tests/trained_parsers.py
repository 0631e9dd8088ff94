"""A small parser of each preset, trained once for all tests that look at it."""

from __future__ import annotations

from functools import cache

import pytest

from crossbranch.grammar.sampling import sample
from crossbranch.parsers import PRESETS, Parser, train

TRAIN = tuple(sample(60, seed=1, max_length=25))
DEV = tuple(sample(20, seed=2, max_length=25))
TEST = tuple(sample(30, seed=3, max_length=25))
each_preset = pytest.mark.parametrize("preset", sorted(PRESETS))


@cache
def trained(preset: str) -> Parser:
    """Return the parser of a preset, with tagger and tokenizer."""
    return train(preset, train=TRAIN, dev=DEV, epochs=2)
