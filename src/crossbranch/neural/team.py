"""Processes that train one network together: each computes a part of every batch.

All of them have the same weights at every moment, because they add up their gradients.
"""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from typing import TypeVar

import torch
from torch import Tensor, distributed

_Item = TypeVar("_Item")


class Team:
    """The processes of a training."""

    def __init__(self, rank: int, size: int, device: str) -> None:
        """Meet the others, if there are any."""
        self.rank = rank
        self.size = size
        if size > 1 and not distributed.is_initialized():
            kind = device.partition(":")[0]
            distributed.init_process_group("nccl" if kind == "cuda" else "gloo")
            atexit.register(_leave)

    def share(self, batch: Sequence[_Item]) -> list[_Item]:
        """Return the part of a batch that this process computes; it may be empty."""
        return list(batch[self.rank :: self.size])

    @torch.no_grad()
    def add_gradients(self, weights: Sequence[Tensor]) -> None:
        """Replace the gradients by their sums over all processes.

        A weight that has no gradient in any of them keeps none.
        """
        if self.size == 1:
            return
        device = weights[0].device
        exists = torch.tensor([float(one.grad is not None) for one in weights], device=device)
        parts = [_gradient(one).view(-1) for one in weights]
        flat = torch.cat([exists, *parts])
        distributed.all_reduce(flat)
        known, start = flat[: len(weights)].tolist(), len(weights)
        for weight, count in zip(weights, known, strict=True):
            end = start + weight.numel()
            weight.grad = flat[start:end].view_as(weight).clone() if count else None
            start = end


def _leave() -> None:
    """End the threads of torch's group: one that outlives Python's own end aborts the process."""
    if distributed.is_initialized():
        distributed.destroy_process_group()


def _gradient(weight: Tensor) -> Tensor:
    return torch.zeros_like(weight) if weight.grad is None else weight.grad
