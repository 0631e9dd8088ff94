"""LSTM layers and products whose way back is our own, compared with those of torch."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch: Any = pytest.importorskip("torch", reason="needs torch (crossbranch[neural])")

from crossbranch.neural.lstm import BiLSTM  # noqa: E402
from crossbranch.neural.products import products_by_place  # noqa: E402
from crossbranch.neural.tokens import Packing  # noqa: E402

LENGTHS = st.lists(st.integers(1, 9), min_size=1, max_size=6)


def results(layer: Any, vectors: Any, lengths: list[int], method: str) -> list[Any]:
    """Return what a layer computes, and the gradients of a number that depends on all of it."""
    layer.zero_grad()
    flat = vectors.clone().requires_grad_()
    found = getattr(layer, method)(flat, Packing.of(torch.tensor(lengths), "cpu"))
    (found * torch.linspace(-1, 1, found.numel()).view_as(found)).sum().backward()
    return [found.detach(), flat.grad, *[one.grad.clone() for one in layer.parameters()]]


@given(LENGTHS, st.integers(1, 5), st.integers(1, 20), st.sampled_from(["states", "ends"]))
def test_the_core_computes_what_torch_does(
    lengths: list[int], inputs: int, units: int, method: str
) -> None:
    torch.manual_seed(sum(lengths) + inputs)
    layer, vectors = BiLSTM(inputs, 2 * units), torch.randn(sum(lengths), inputs)
    in_training = results(layer.train(), vectors, lengths, method)
    in_parsing = results(layer.eval(), vectors, lengths, method)
    for one, other in zip(in_training, in_parsing, strict=True):
        assert torch.allclose(one, other, atol=1e-5)


def test_sequences_do_not_see_each_other() -> None:
    torch.manual_seed(1)
    layer, vectors = BiLSTM(3, 8).train(), torch.randn(7, 3)
    together = layer.states(vectors, Packing.of(torch.tensor([2, 4, 1]), "cpu"))
    alone = [
        layer.states(one, Packing.of(torch.tensor([len(one)]), "cpu"))
        for one in vectors.split([2, 4, 1])
    ]
    assert torch.allclose(together, torch.cat(alone), atol=1e-6)


@given(st.integers(1, 4), st.integers(1, 5), st.integers(1, 4), st.integers(1, 6))
def test_products_by_place(places: int, count: int, size: int, outputs: int) -> None:
    torch.manual_seed(places)
    rows = torch.randn(places, count, size, requires_grad=True)
    matrix = torch.randn(outputs, places * size, requires_grad=True)
    bias = torch.randn(outputs, requires_grad=True)
    weights = torch.randn(places, count, outputs)
    found = products_by_place(rows, matrix, bias)
    gradients = torch.autograd.grad((found * weights).sum(), (rows, matrix, bias))
    of_double = [one.detach().double().requires_grad_() for one in (rows, matrix, bias)]
    expected = products_by_place(*of_double)  # by torch's own way
    others = torch.autograd.grad((expected * weights).sum(), of_double)
    for one, other in zip((found, *gradients), (expected, *others), strict=True):
        assert torch.allclose(one.double(), other, atol=1e-5)
    parts = matrix.view(outputs, places, size)
    by_definition = torch.einsum("pcs,ops->pco", rows, parts)
    by_definition[0] += bias
    assert torch.allclose(found, by_definition, atol=1e-5)
