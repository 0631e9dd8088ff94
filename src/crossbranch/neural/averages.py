"""Means of weights over all updates. They wait until a weight changes, and then count it often."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import torch
from torch import Tensor

_BEHIND = "behind"


class Averages:
    """The mean of each weight over all updates so far.

    Many updates change some of the weights only, and of a table with a vector for each word only
    the rows of a few words. Nothing is computed for the others.
    """

    def __init__(self, weights: Sequence[Tensor], tables: Collection[int] = ()) -> None:
        """Start with these weights. `tables` are the numbers of those that change by rows."""
        self.values = [weight.detach().clone() for weight in weights]
        self._weights = weights
        self._seen = [0] * len(weights)  # the updates that an average has seen
        self._seen_rows = {i: weights[i].new_zeros(len(weights[i])) for i in tables}

    def before_change(self, some: Sequence[int], updates: int) -> None:
        """Let averages see all updates so far, because these weights will change."""
        groups: dict[int, list[int]] = {}
        for number in some:
            groups.setdefault(updates - self._seen[number], []).append(number)
            self._seen[number] = updates
        for behind, group in groups.items():
            if behind:
                averages = [self.values[i] for i in group]
                weights = [self._weights[i] for i in group]
                torch._foreach_lerp_(averages, weights, behind / updates)

    def before_rows_change(self, number: int, rows: Tensor, updates: int) -> None:
        """Let the averages of some rows of a table see all updates so far."""
        if not updates:
            return
        average, seen = self.values[number], self._seen_rows[number]
        share = (updates - seen[rows]) / updates
        average[rows] = torch.lerp(average[rows], self._weights[number][rows], share[:, None])
        seen[rows] = float(updates)

    def after(self, updates: int) -> list[Tensor]:
        """Return copies of the averages after this number of updates."""
        found = [average.clone() for average in self.values]
        for number, average in enumerate(found if updates else []):
            weight, seen = self._weights[number], self._seen_rows.get(number)
            if seen is None:
                average.lerp_(weight, (updates - self._seen[number]) / updates)
            else:
                average.lerp_(weight, ((updates - seen) / updates)[:, None])
        return found

    def waiting(self, names: Sequence[str], updates: int) -> dict[str, Tensor]:
        """Return how many updates the averages have not seen yet, to go on from there."""
        whole = torch.tensor([updates - seen for seen in self._seen], dtype=torch.float32)
        rows = {f"{_BEHIND}/{names[i]}": updates - seen for i, seen in self._seen_rows.items()}
        return {_BEHIND: whole, **rows}

    def restore(self, state: Mapping[str, Tensor], names: Sequence[str], updates: int) -> None:
        """Go on from what `waiting` returned. Without it, the averages have seen everything."""
        whole = state.get(_BEHIND, torch.zeros(len(self._seen)))
        self._seen = [updates - int(behind) for behind in whole]
        for number, seen in self._seen_rows.items():
            behind = state.get(f"{_BEHIND}/{names[number]}", whole[number])
            seen.copy_(updates - behind)
