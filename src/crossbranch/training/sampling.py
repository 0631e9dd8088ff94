"""Which sentences an epoch has, by their weights, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random


def draw(weights: Sequence[float], seed: int, epoch: int) -> list[int]:
    """Return the numbers of the sentences of an epoch, sorted.

    A sentence with the weight 2 occurs twice. Of the sentences with the weight 0.3, an epoch has
    30 %, and the next epoch has others: after some epochs, all of them were seen equally often.
    With the weight 1.5, all sentences occur once, and half of them once more.

    Args:
        weights: The weight of each sentence.
        seed: The same seed gives the same sentences.
        epoch: The number of the epoch, counted from 1.
    """
    groups: dict[float, list[int]] = {}
    for number, weight in enumerate(weights):
        groups.setdefault(weight, []).append(number)
    chosen: list[int] = []
    for weight, members in groups.items():
        chosen += members * int(weight)
        size = round((weight - int(weight)) * len(members))
        if size == 0 and weight < 1:  # no group is left out
            size = 1
        chosen += _window(members, size, f"{seed} {weight}", epoch)
    return sorted(chosen)


def _window(members: list[int], size: int, seed: str, epoch: int) -> list[int]:
    """Return the next `size` members in a random order that is the same for all epochs."""
    if not size:
        return []
    order = list(members)
    Random(seed).shuffle(order)
    start = (epoch - 1) * size % len(order)
    return [order[(start + place) % len(order)] for place in range(size)]


def epoch_order(weights: Sequence[float], seed: int, epoch: int) -> list[int]:
    """Return the numbers of the sentences of an epoch in a random order, another one each time."""
    order = draw(weights, seed, epoch)
    Random(f"{seed} {epoch}").shuffle(order)
    return order
