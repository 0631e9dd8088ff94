"""Scores of labelled spans from the vectors of their first and last tokens (Corro 2020).

A continuous constituent has a score for its span and one for its label. A discontinuous one has
both for its outer borders and for its gap. Each of these six scores is a biaffine function.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from crossbranch.neural.settings import BiaffineSettings

_SLOPE = 0.1


class Padding(NamedTuple):
    """How tokens, one sentence after the other, become rows of equal length."""

    places: Tensor
    """[sentences, length]: the place of each token; for padding, that of any other token."""
    exists: Tensor
    """[sentences, length]: whether there is such a token."""


class Biaffine(nn.Module):
    """One or several scores for each pair of tokens."""

    def __init__(self, inputs: int, size: int, outputs: int, dropout: float) -> None:
        """Make the layers.

        Args:
            inputs: The size of a token's vector.
            size: The size of the layers for the first and the last token.
            outputs: The number of scores of a pair.
            dropout: The share of numbers that are hidden in training.
        """
        super().__init__()
        self.left = nn.Linear(inputs, size)
        self.right = nn.Linear(inputs, size)
        self.tensor = nn.Parameter(torch.zeros(outputs, size + 1, size + 1))
        self.dropout = dropout

    def start(self) -> None:
        """Make the layers orthogonal, and all scores 0."""
        for layer in (self.left, self.right):
            nn.init.orthogonal_(layer.weight)
            nn.init.zeros_(layer.bias)
        nn.init.zeros_(self.tensor)

    def forward(self, tokens: Tensor, padding: Padding) -> Tensor:
        """Return the scores: [sentences, first tokens, last tokens, outputs]."""
        left, right = (
            self._side(self.left, tokens, padding),
            self._side(self.right, tokens, padding),
        )
        count, length, size = right.shape
        weights = self.tensor.flatten(0, 1)
        pairs = functional.linear(right, weights).view(count, -1, size)
        return torch.bmm(left, pairs.transpose(1, 2)).view(count, length, length, -1)

    def _side(self, layer: nn.Linear, tokens: Tensor, padding: Padding) -> Tensor:
        hidden = functional.leaky_relu(layer(tokens), _SLOPE)[padding.places]
        if self.training and self.dropout:
            kept = torch.rand(len(hidden), 1, hidden.shape[2], device=hidden.device) >= self.dropout
            hidden = hidden * (kept / (1 - self.dropout)).to(hidden.dtype)
        return functional.pad(hidden, (0, 1), value=1.0)


class LabelledSpans(nn.Module):
    """The scores of the labels of spans, each with the score of the span itself."""

    def __init__(self, inputs: int, labels: int, settings: BiaffineSettings) -> None:
        super().__init__()
        self.label = Biaffine(inputs, settings.label, labels, settings.dropout)
        self.span = Biaffine(inputs, settings.span, 1, settings.dropout)

    def forward(self, tokens: Tensor, padding: Padding) -> Tensor:
        """Return the scores, with 32 bits: [sentences, first tokens, last tokens, labels]."""
        labels, spans = self.label(tokens, padding), self.span(tokens, padding)
        return labels.float() + spans.float()  # type: ignore[no-any-return]


class SpanTensors(NamedTuple):
    """The scores of all spans of a batch: [sentences, first tokens, last tokens, labels]."""

    continuous: Tensor
    outer: Tensor
    gap: Tensor


class ConstituentScorer(nn.Module):
    """The scores of continuous constituents, of outer borders and of gaps."""

    def __init__(
        self,
        inputs: int,
        settings: BiaffineSettings,
        *,
        continuous_labels: int,
        discontinuous_labels: int,
    ) -> None:
        super().__init__()
        self.continuous = LabelledSpans(inputs, continuous_labels, settings)
        self.outer: LabelledSpans | None = None
        self.gap: LabelledSpans | None = None
        if discontinuous_labels:
            self.outer = LabelledSpans(inputs, discontinuous_labels, settings)
            self.gap = LabelledSpans(inputs, discontinuous_labels, settings)

    def start(self) -> None:
        """Let all scores be 0 at the beginning."""
        for module in self.modules():
            if isinstance(module, Biaffine):
                module.start()

    def forward(self, tokens: Tensor, padding: Padding) -> SpanTensors:
        """Return all scores."""
        continuous = self.continuous(tokens, padding)
        if self.outer is None or self.gap is None:
            none = continuous.new_empty((*continuous.shape[:3], 0))
            return SpanTensors(continuous, none, none)
        return SpanTensors(continuous, self.outer(tokens, padding), self.gap(tokens, padding))
