"""Training of neural parsers with shorter numbers."""

from __future__ import annotations

import pytest
from trained_parsers import TRAIN, train_quickly

from crossbranch.parsers import NeuralTransitionParser

pytest.importorskip("torch", reason="torch trains neural parsers")


def test_shorter_numbers_train_nearly_the_same_parser() -> None:
    weights = []
    for precision in ("float32", "bfloat16"):
        parser = train_quickly("stack-free", train=TRAIN[:20], epochs=1, precision=precision)
        assert isinstance(parser, NeuralTransitionParser)
        weights.append(parser.weights)
        metrics = parser.about["epochs"][-1]["metrics"]
        assert metrics["loss"] < parser.about["epochs"][0]["metrics"]["loss"]
    assert len(weights[0]) == len(weights[1])  # the model always has 32-bit numbers
    assert weights[0] != weights[1]
