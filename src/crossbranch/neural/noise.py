"""Noise for gradients, from a pool: to draw all of it anew would take longer than to learn."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import torch
from torch import Tensor

_LIFE = 256  # updates that share a pool
_STARTS = 1 << 16  # places in the pool where the noise of the largest weights may start


class NoisePool:
    """Normal noise of deviation 1. It depends on the seed and the number of the update alone."""

    def __init__(self, seed: int, weights: Sequence[Tensor]) -> None:
        """Prepare noise for some or all of these weights."""
        self._seed = seed
        self._size = max((one.numel() for one in weights), default=0) + _STARTS
        self._pool = torch.empty(0)
        self._number = -1

    def of(self, update: int, gradients: Sequence[Tensor]) -> list[Tensor]:
        """Return noise for the gradients of an update. Each starts somewhere else in the pool."""
        if self._number != update // _LIFE:
            self._number = update // _LIFE
            self._pool = self._drawn(gradients[0].device)
        random = Random(f"noise {self._seed} {update}").random
        found = []
        for one in gradients:
            start = int(random() * (self._size - one.numel()))
            found.append(self._pool[start : start + one.numel()].view(one.shape))
        return found

    def _drawn(self, device: torch.device) -> Tensor:
        chance = torch.Generator(device)
        chance.manual_seed(self._seed * 1_000_003 + self._number)
        return torch.randn(self._size, generator=chance, device=device)
