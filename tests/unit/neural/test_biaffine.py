"""Scores of spans: torch and the core compute the same numbers."""

from __future__ import annotations

from typing import Any

import pytest

torch: Any = pytest.importorskip("torch", reason="needs torch (crossbranch[neural])")

from crossbranch import _core  # noqa: E402
from crossbranch.models.tensors import read_tensors  # noqa: E402
from crossbranch.neural.settings import BiaffineSettings, EncoderSettings  # noqa: E402
from crossbranch.neural.span_network import SpanNetwork, SpanNetworkShape  # noqa: E402
from crossbranch.neural.tokens import TokenBatch  # noqa: E402
from crossbranch.neural.vocabulary import Vocabulary  # noqa: E402
from crossbranch.parsers.neural_shared.weights import pack  # noqa: E402
from crossbranch.parsers.neural_span.torch_engine import padding_of  # noqa: E402
from crossbranch.tree import Sentence, Token  # noqa: E402

SENTENCES: list[Sentence] = [
    tuple(map(Token, text.split()))
    for text in ("das Haus , das er sah", "er", "sah er das", "das Haus sah er , das rote Haus")
]
WORDS = Vocabulary.of(SENTENCES, has_tags=False)


def network(continuous: int, discontinuous: int) -> Any:
    """A network with random scores: those of a new one are all 0."""
    torch.manual_seed(4)
    found = SpanNetwork(
        EncoderSettings(words=6, characters="none", layers=1, hidden=8),
        BiaffineSettings(label=7, span=5, dropout=0.5),
        WORDS,
        SpanNetworkShape(continuous, discontinuous),
    )
    with torch.no_grad():
        for weight in found.scorer.parameters():
            weight.copy_(torch.randn_like(weight))
    return found.eval()


def scores(found: Any, sentences: list[Sentence]) -> Any:
    """The scores of all spans."""
    encoded = WORDS.encode(sentences)
    levels = found.encode(TokenBatch.of(encoded))
    return found.score(levels, padding_of(encoded.lengths, "cpu"))


@pytest.mark.parametrize(("continuous", "discontinuous"), [(3, 2), (70, 17), (2, 0)])
def test_core_and_torch_score_alike(continuous: int, discontinuous: int) -> None:
    found = network(continuous, discontinuous)
    tensors = _core.Tensors(read_tensors(pack(found.state_dict()), path=""))
    core = _core.NeuralSpanParser(
        tensors, residuals=["none"], is_root=[False] * (continuous - 1) + [True]
    )
    encoded = WORDS.encode(SENTENCES)
    in_core = core.score(encoded.lengths, words=encoded.words)
    with torch.inference_mode():
        in_torch = scores(found, SENTENCES)
    for number, sentence in enumerate(SENTENCES):
        count = len(sentence)
        upper = torch.triu(torch.ones(count, count)).bool()
        for plain, padded in zip(in_core[number], in_torch, strict=True):
            expected = padded[number, :count, :count]
            numbers = torch.tensor(plain).view(expected.shape)
            assert torch.allclose(numbers[upper], expected[upper], atol=1e-4)
            assert not expected.numel() or expected.std() > 0.1


def test_padding_makes_no_difference() -> None:
    found = network(3, 2)
    with torch.inference_mode():
        together = scores(found, SENTENCES)
        for number, sentence in enumerate(SENTENCES):
            count = len(sentence)
            for many, alone in zip(together, scores(found, [sentence]), strict=True):
                assert torch.allclose(many[number, :count, :count], alone[0], atol=1e-5)


def test_dropout_is_the_same_in_a_whole_sentence() -> None:
    found = network(3, 2)
    side = found.scorer.continuous.label
    vectors = torch.ones(6, 8)
    padding = padding_of([3, 3], "cpu")
    plain = side._side(side.left, vectors, padding)
    assert torch.equal(plain[0], plain[1])
    found.train()
    hidden = side._side(side.left, vectors, padding)
    assert torch.equal(hidden[0, 0], hidden[0, 2])
    assert not torch.equal(hidden[0], hidden[1])
    assert (hidden[..., -1] == 1).all()


def test_a_new_network_prefers_nothing() -> None:
    fresh: Any = SpanNetwork(
        EncoderSettings(words=6, characters="none", layers=1, hidden=8, initial="orthogonal"),
        BiaffineSettings(label=7, span=5),
        WORDS,
        SpanNetworkShape(3, 2),
    ).eval()
    with torch.inference_mode():
        assert all((one == 0).all() for one in scores(fresh, SENTENCES))
    layer = fresh.scorer.gap.label.left.weight
    assert torch.allclose(layer @ layer.T, torch.eye(7), atol=1e-5)
    square = fresh.encoder.levels[0].lstm.weight_hh_l0
    assert torch.allclose(square.T @ square, torch.eye(4), atol=1e-5)


def test_tensors_that_do_not_fit_are_refused() -> None:
    found = network(3, 2)
    weights = dict(found.state_dict())
    for name, value, message in (
        ("scorer.gap.label.tensor", torch.zeros(3, 8, 8), "other labels of outer borders"),
        ("scorer.outer.label.tensor", torch.zeros(2, 8, 7), r"expected \[2, 8, 8\]"),
        ("scorer.continuous.span.left.weight", torch.zeros(5, 9), r"expected \[5, 8\]"),
        ("scorer.continuous.label.tensor", torch.zeros(4, 8, 8), "scores 4 labels"),
    ):
        tensors = _core.Tensors(read_tensors(pack(weights | {name: value}), path=""))
        with pytest.raises(ValueError, match=message):
            _core.NeuralSpanParser(tensors, residuals=["none"], is_root=[False, False, True])
