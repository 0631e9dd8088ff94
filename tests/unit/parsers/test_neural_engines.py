"""The core and torch run the same networks: they find the same trees, tags and scores."""

from __future__ import annotations

from typing import Any

import pytest
from random_networks import TREES, random_parser

from crossbranch.parsers import load
from crossbranch.parsers.neural_shared.engine import TAG
from crossbranch.parsers.neural_transition.engine import CoreEngine
from crossbranch.parsers.neural_transition.parser import NeuralTransitionParser
from crossbranch.tree import Sentence, Token

UNKNOWN: Sentence = (Token("Ünbekannt", "?"), Token("x" * 200, "?"), Token("", ""))


@pytest.mark.parametrize(
    "values",
    [
        {"system": "stack-free", "encoder": {}},
        {"system": "stack-free", "encoder": {"characters": "conv", "layers": 3}},
        {"system": "stack-free", "encoder": {"words": 4, "residual": "gated"}},  # 4 + 8 = hidden
        {"system": "stack-free", "encoder": {"tags": 4, "words": 0}, "scorer": {"gaps": 2}},
        {"system": "ml-gap", "encoder": {"residual": "gated", "project": True}},
        {"system": "ml-gap-lex", "encoder": {"residual": "none"}, "tag_level": 2},
        {"system": "ml-cgap", "encoder": {"characters": "none"}},
    ],
    ids=lambda values: "-".join(map(str, [values["system"], *values["encoder"]])),
)
def test_core_and_torch_find_the_same(values: dict[str, Any]) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from crossbranch.parsers.neural_transition.torch_engine import TorchEngine

    parser = random_parser(torch, **values)
    sentences = [UNKNOWN, *(tree.sentence for tree in TREES[10:20]), UNKNOWN[:1]]
    for beam, k_best in ((1, 1), (6, 3)):
        trees, labels = CoreEngine(parser).parse(sentences, beam=beam, k_best=k_best)
        expected, expected_labels = TorchEngine(parser, "cpu").parse(
            sentences, beam=beam, k_best=k_best
        )
        assert list(labels[TAG]) == list(expected_labels[TAG])
        for found, wanted in zip(trees, expected, strict=True):
            assert [codes for _, codes in found] == [codes for _, codes in wanted]
            scores = [score for score, _ in wanted]
            assert [score for score, _ in found] == pytest.approx(scores, abs=1e-3)


def test_a_loaded_network_is_made_once() -> None:
    parser = random_parser(
        pytest.importorskip("torch", reason="torch is not installed"),
        system="stack-free",
        encoder={},
    )
    loaded = load(parser.to_bytes())
    assert isinstance(loaded, NeuralTransitionParser)
    engine = loaded.engine()
    loaded.use_device("cpu")
    assert loaded.engine() is engine
    assert loaded.batch_size == NeuralTransitionParser.batch_size
