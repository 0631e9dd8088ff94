"""Bidirectional LSTM layers. On a CPU, the core goes from token to token, in both directions.

There, torch needs more time to prepare its matrices than to multiply them, if a batch is small.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from crossbranch import _core
from crossbranch.neural.products import is_plain
from crossbranch.neural.tokens import Packing


class BiLSTM(nn.LSTM):
    """An LSTM layer that reads sequences in both directions."""

    def __init__(self, inputs: int, size: int) -> None:
        """Make a layer with outputs of this size, half of it for each direction."""
        super().__init__(inputs, size // 2, bidirectional=True)

    def states(self, flat: Tensor, packing: Packing) -> Tensor:
        """Return the states of all elements of sequences, which stand one after the other."""
        if self._uses_core(flat):
            found: Tensor = _States.apply(flat, packing.lengths, *self._flat_weights)  # type: ignore[no-untyped-call]
            return found
        return packing.unpack(self(packing.pack(flat))[0])

    def ends(self, flat: Tensor, packing: Packing) -> Tensor:
        """Return one vector for each sequence: the last states of both directions."""
        if not self._uses_core(flat):
            _, (states, _) = self(packing.pack(flat))
            return packing.unsort(torch.cat((states[0], states[1]), dim=1))
        states = self.states(flat, packing)
        ends = torch.cumsum(packing.lengths, 0)
        first, last = states[ends - packing.lengths], states[ends - 1]
        units = self.hidden_size
        return torch.cat((last[:, :units], first[:, units:]), dim=1)

    def _uses_core(self, flat: Tensor) -> bool:
        return self.training and is_plain(flat)


class _States(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, flat: Tensor, lengths: Tensor, *weights: Tensor) -> Tensor:
        units = weights[1].shape[1]
        gates = flat.new_empty(2, len(flat), 4 * units)
        for one, (inputs, _, bias, other) in zip(gates, _directions(weights), strict=True):
            torch.addmm(bias + other, flat, inputs.t(), out=one)
        kept = flat.new_empty(2, len(flat), 2 * units)
        hidden = flat.new_empty(len(flat), 2 * units)
        lengths = lengths.to(torch.int32)
        _core.run_lstm(lengths, weights[1], weights[5], gates, kept, hidden)
        ctx.save_for_backward(flat, lengths, gates, kept, *weights)
        return hidden

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, hidden: Tensor) -> tuple[Tensor | None, ...]:
        flat, lengths, gates, kept, *weights = ctx.saved_tensors
        found = torch.empty_like(gates)
        _core.run_lstm_back(
            lengths, weights[1], weights[5], gates, kept, hidden.contiguous(), found
        )
        units = weights[1].shape[1]
        of_inputs = found[0] @ weights[0]
        of_inputs.addmm_(found[1], weights[4])
        of_weights: list[Tensor] = []
        for gate, before in zip(found, kept[:, :, units:], strict=True):
            bias = gate.sum(0)
            of_weights += [gate.t() @ flat, gate.t() @ before, bias, bias.clone()]
        return of_inputs, None, *of_weights


def _directions(weights: tuple[Tensor, ...]) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    return weights[:4], weights[4:]
