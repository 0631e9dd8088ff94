"""Scores of choices between constituents, which are named by some of their tokens.

A row names the tokens of one or several constituents, for example the first and the last token of
each, and the first and last token of its gaps. The network is a feed-forward one over the vectors
of all these tokens. Its first layer is computed once for each token and place, not once for each
row: the rows only add up what is there.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from crossbranch.neural.dropout import dropout
from crossbranch.neural.products import products_by_place


class SpanSizes(NamedTuple):
    """The sizes of a scorer."""

    token: int
    """Of a token's vector."""
    places: int
    """The number of tokens that name a constituent."""
    hidden: int


class Prepared(NamedTuple):
    """What the tokens of a batch give to the first layer of a scorer."""

    parts: Tensor
    """A row for each place and token: [places * (tokens + 1), hidden]."""
    starts: Tensor
    """For each place, the row of the first token."""


class SpanScorer(nn.Module):
    """One or several scores for each row. The names of its parts are those of the core."""

    def __init__(self, sizes: SpanSizes, *, items: int, outputs: int, dropout: float) -> None:
        """Make the layers.

        Args:
            sizes: The sizes of the network.
            items: The number of constituents in a row.
            outputs: The number of scores of a row.
            dropout: The share of numbers that are hidden in training.
        """
        super().__init__()
        token, places, hidden = sizes
        self.absent = nn.Parameter(torch.empty(places, token))
        first = nn.Linear(items * places * token, hidden)
        self.layers = nn.ModuleList([first, nn.Linear(hidden, hidden)])
        self.output = nn.Linear(hidden, outputs, bias=False)
        self.places = items * places
        self.dropout = dropout

    @property
    def _first(self) -> nn.Linear:
        return cast("nn.Linear", self.layers[0])

    def prepare(self, tokens: Tensor) -> Prepared:
        """Compute what each token gives to the first layer at each place.

        The first row of each place is for a token that is not there. The bias is added at the
        first place: then nobody has to add it to the sums.
        """
        absent = self.absent.repeat(self.places // len(self.absent), 1)
        count, size = tokens.shape
        many = torch.cat((absent[:, None], tokens.expand(self.places, count, size)), dim=1)
        many = dropout(many, self.dropout, self.training)
        parts = products_by_place(many, self._first.weight, self._first.bias)
        starts = torch.arange(self.places, device=tokens.device, dtype=torch.int32) * (count + 1)
        return Prepared(parts.flatten(0, 1), starts + 1)

    def score(self, prepared: Prepared, rows: Tensor) -> Tensor:
        """Return the scores: [rows, outputs]. A row has the number of each token; -1: none.

        A search calls this at every step: it should ask a device for few operations.
        """
        sums = functional.embedding_bag(rows + prepared.starts, prepared.parts, mode="sum")
        hidden = torch.tanh(self.layers[1](torch.tanh(sums)))
        return self.output(hidden)  # type: ignore[no-any-return]


def segment_log_softmax(scores: Tensor, segments: Tensor, count: int) -> Tensor:
    """Return log-probabilities among the scores that are in the same segment.

    Args:
        scores: A list of scores.
        segments: The number of the segment of each score.
        count: The number of segments.
    """
    highest = torch.full((count,), -torch.inf, dtype=scores.dtype, device=scores.device)
    highest = highest.scatter_reduce(0, segments, scores.detach(), "amax")
    shifted = scores - highest[segments]
    sums = torch.zeros(count, dtype=scores.dtype, device=scores.device)
    sums = sums.index_add(0, segments, shifted.exp())
    return shifted - sums.log()[segments]
