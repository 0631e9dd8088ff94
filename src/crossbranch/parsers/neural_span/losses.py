"""The losses of span charts: of single labels, or of whole trees through the charts."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from crossbranch import _core
from crossbranch.neural.biaffine import Padding, SpanTensors
from crossbranch.parsers.neural_span.gold import GoldSpans, Place
from crossbranch.parsers.neural_span.torch_engine import flat

_IGNORED = -100


class Cells(NamedTuple):
    """Places in the scores of a batch."""

    sentences: Tensor
    firsts: Tensor
    lasts: Tensor
    labels: Tensor

    @classmethod
    def of(cls, places: Sequence[Sequence[Place]], device: str) -> Cells:
        """Take the places of each sentence."""
        rows = [(number, *place) for number, some in enumerate(places) for place in some]
        columns = torch.tensor(rows, dtype=torch.int64).view(-1, 4).t().contiguous()
        return cls(*columns.to(device, non_blocking=True))

    def of_scores(self, scores: Tensor) -> Tensor:
        """Return the scores at these places."""
        return scores[self.sentences, self.firsts, self.lasts, self.labels]


class GoldCells(NamedTuple):
    """The places of gold constituents in the scores of a batch."""

    continuous: Cells
    outer: Cells
    gap: Cells

    @classmethod
    def of(cls, spans: Sequence[GoldSpans], device: str) -> GoldCells:
        """Take the gold constituents of each sentence."""
        return cls(*(Cells.of([one[kind] for one in spans], device) for kind in range(3)))

    def total(self, scores: SpanTensors) -> Tensor:
        """Return the sum of the scores of all gold constituents."""
        parts = zip(self, scores, strict=True)
        return torch.stack([cells.of_scores(one).sum() for cells, one in parts]).sum()


class LabelLoss:
    """The mean cross-entropy of the labels of all spans: continuous ones, borders, and gaps.

    A span without a constituent has the label "none", whose score is 0.
    """

    def __init__(self, inside_labels: int, negatives: float) -> None:
        """Take the number of labels of constituents that are not whole sentences.

        `negatives` is the share of spans without a constituent that count.
        """
        self._inside = inside_labels
        self._negatives = negatives

    def __call__(self, scores: SpanTensors, gold: GoldCells, padding: Padding) -> Tensor:
        """Return the sum of the three means."""
        lengths = padding.exists.sum(1)
        is_span = torch.triu(padding.exists[:, :, None] & padding.exists[:, None, :])
        loss = self._continuous(scores.continuous, gold.continuous, is_span, lengths)
        if scores.outer.shape[3]:
            for one, cells in ((scores.outer, gold.outer), (scores.gap, gold.gap)):
                total, count = self._labels(one, self._targets(cells, is_span))
                loss = loss + total / count
        return loss

    def _targets(self, cells: Cells, is_span: Tensor) -> Tensor:
        """Return the number of each span's label, counted from 1; 0: none."""
        targets = torch.where(is_span, 0, _IGNORED)
        if self._negatives < 1:
            chance = torch.rand(is_span.shape, device=is_span.device)
            targets = targets.masked_fill(chance >= self._negatives, _IGNORED)
        return targets.index_put((cells.sentences, cells.firsts, cells.lasts), cells.labels + 1)

    def _continuous(self, scores: Tensor, cells: Cells, is_span: Tensor, lengths: Tensor) -> Tensor:
        """Whole sentences have labels of their own, and always one of them."""
        sentences = torch.arange(len(lengths), device=lengths.device)
        targets = self._targets(cells, is_span)
        roots = targets[sentences, 0, lengths - 1] - 1 - self._inside
        targets = targets.index_put(
            (sentences, torch.zeros_like(lengths), lengths - 1), torch.full_like(lengths, _IGNORED)
        )
        total, count = self._labels(scores[..., : self._inside], targets)
        of_roots = scores[sentences, 0, lengths - 1, self._inside :]
        whole = functional.cross_entropy(of_roots, roots, reduction="sum")
        return (total + whole) / (count + len(lengths))

    @staticmethod
    def _labels(scores: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Return the sum of losses, and the number of spans that count (at least 1)."""
        logits = functional.pad(scores, (1, 0)).flatten(0, 2)
        targets = targets.flatten()
        total = functional.cross_entropy(logits, targets, ignore_index=_IGNORED, reduction="sum")
        return total, (targets != _IGNORED).sum().clamp(min=1)


class Charts(NamedTuple):
    """The charts of the sentences of a batch."""

    core: _core.SpanCharts
    lengths: array[int]
    spaces: array[int]


class _LogPartition(torch.autograd.Function):
    """The sum over sentences of the logarithm of the sum over all trees; on the CPU."""

    @staticmethod
    def forward(ctx: Any, charts: Charts, *scores: Tensor) -> Tensor:
        plain = flat(scores)
        slopes = [torch.empty_like(one) for one in plain]
        found = charts.core.partitions(charts.lengths, *plain, *slopes, spaces=charts.spaces)
        device = scores[0].device
        shaped = [slope.view(one.shape) for slope, one in zip(slopes, scores, strict=True)]
        ctx.save_for_backward(*(one.to(device) for one in shaped))
        return torch.tensor(sum(found), dtype=torch.float32, device=device)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        return (None, *(gradients[0] * slope for slope in ctx.saved_tensors))


def likelihood_loss(scores: SpanTensors, gold: GoldCells, charts: Charts) -> Tensor:
    """Return the negative logarithm of the probability of the gold trees, added up."""
    partition: Tensor = _LogPartition.apply(charts, *scores)  # type: ignore[no-untyped-call]
    return partition - gold.total(scores)


def hinge_loss(scores: SpanTensors, gold: Sequence[GoldSpans], charts: Charts) -> Tensor:
    """Return by how much other trees are too good, added up.

    Each tree must be worse than the gold tree by the number of its constituents that are wrong or
    missing.
    """
    device = str(scores.continuous.device)
    right = [one.constituents() for one in gold]
    found = charts.core.constituents_with_cost(
        charts.lengths, *flat(scores), spaces=charts.spaces, gold=right, cost=1.0, gold_cost=-1.0
    )
    distances = [len(set(one) ^ set(other)) for one, other in zip(found, right, strict=True)]
    worst = GoldCells.of([GoldSpans.of_constituents(one) for one in found], device)
    margins = torch.tensor(distances, dtype=torch.float32, device=device)
    ahead = _totals(GoldCells.of(gold, device), scores) - _totals(worst, scores)
    return torch.relu(margins - ahead).sum()


def _totals(cells: GoldCells, scores: SpanTensors) -> Tensor:
    """Return the sum of the scores of some constituents, for each sentence."""
    total = torch.zeros(len(scores.continuous), device=scores.continuous.device)
    for some, one in zip(cells, scores, strict=True):
        total = total.index_add(0, some.sentences, some.of_scores(one))
    return total
