"""The loss of tasks, and sums of losses and other metrics."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from crossbranch.training import Mean


def task_loss(scores: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """Return the sum of losses of a task, and the number of right tokens.

    Tokens without a label have a number below 0 and do not count.
    """
    counted = targets >= 0
    loss = functional.cross_entropy(
        scores, targets.masked_fill(~counted, -100), ignore_index=-100, reduction="sum"
    )
    return loss, ((scores.detach().argmax(1) == targets) & counted).sum()


class Metrics:
    """Sums of several updates. A GPU works on while they are collected."""

    def __init__(self) -> None:
        self._totals: list[Tensor] = []
        self._weights: list[tuple[str, float]] = []

    def add(self, name: str, total: Tensor, weight: float) -> None:
        """Add a sum of values, and the number of values."""
        self._totals.append(total.detach().float())
        self._weights.append((name, weight))

    def means(self) -> dict[str, Mean]:
        """Return the mean of each metric. This waits for the device."""
        found: dict[str, Mean] = {}
        totals = torch.stack(self._totals).tolist() if self._totals else []
        for (name, weight), total in zip(self._weights, totals, strict=True):
            found[name] = found.get(name, Mean(0.0, 0.0)).add(Mean(total, weight))
        return found
