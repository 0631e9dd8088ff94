"""Training and parsing of neural parsers with shorter numbers."""

from __future__ import annotations

import pytest
from trained_parsers import TEST, TRAIN, train_quickly

from crossbranch.errors import UsageError
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
    assert len(weights[0]) == len(weights[1])  # stored in the same way
    assert weights[0] != weights[1]


def test_shorter_numbers_parse_nearly_the_same_trees() -> None:
    from crossbranch.parsers.neural_transition.engine import CoreEngine
    from crossbranch.parsers.neural_transition.torch_engine import TorchEngine

    parser = train_quickly("stack-free", train=TRAIN[:40], epochs=2)
    assert isinstance(parser, NeuralTransitionParser)
    sentences = [tree.sentence for tree in TEST[:20]]
    exact, _ = CoreEngine(parser).parse(sentences, beam=1, k_best=1)
    for engine in (CoreEngine(parser, "bfloat16"), TorchEngine(parser, "cpu", "bfloat16")):
        found, _ = engine.parse(sentences, beam=1, k_best=1)
        pairs = list(zip(found, exact, strict=True))
        same = [(one, other) for (one,), (other,) in pairs if one[1] == other[1]]
        assert len(same) > 14
        for (score, _), (expected, _) in same:
            assert score == pytest.approx(expected, rel=0.1, abs=0.2)


def test_users_choose_the_numbers() -> None:
    parser = train_quickly("stack-free", train=TRAIN[:12], epochs=1)
    assert isinstance(parser, NeuralTransitionParser)
    trees = list(parser.parse_many(TEST[:5], precision="bfloat16"))
    assert [tree.words for tree in trees] == [tree.words for tree in TEST[:5]]
    assert parser.engine() is not parser.engine("bfloat16")
    with pytest.raises(UsageError, match="option precision is 'int8'"):
        list(parser.parse_many(TEST[:1], precision="int8"))
