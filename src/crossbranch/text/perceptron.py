"""A decision, yes or no, from features: an averaged perceptron, stored as plain numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

Example = tuple[Sequence[str], bool]
"""The features of a place, and whether the answer there is yes."""

SCALE = 100
"""Averaged weights are stored as whole numbers, this many to one."""


def learn(
    examples: Sequence[Example], *, epochs: int, seed: int = 1, fewest: int = 1, bias: int = 0
) -> dict[str, int]:
    """Return the weights of features; a sum above zero means yes.

    Args:
        examples: What to learn from.
        epochs: How often all examples are used, each time in another order.
        seed: Seed of the random order.
        fewest: Features that occur less often are left out.
        bias: A margin, in units of one update: correct examples below it are learned, too.
    """
    counts = Counter(feature for features, _ in examples for feature in features)
    known = [
        ([feature for feature in features if counts[feature] >= fewest], answer)
        for features, answer in examples
    ]
    weights: dict[str, int] = {}
    sums: dict[str, int] = {}  # of weight times the step since which it was there
    step = 1
    random = Random(seed)
    get = weights.get
    for _ in range(epochs):
        random.shuffle(known)
        for features, answer in known:
            score = 0
            for feature in features:
                score += get(feature, 0)
            if score <= bias if answer else score > -bias:
                change = 1 if answer else -1
                for feature in features:
                    weights[feature] = get(feature, 0) + change
                    sums[feature] = sums.get(feature, 0) + change * step
            step += 1
    averaged = {f: round((w - sums[f] / step) * SCALE) for f, w in weights.items()}
    return {feature: weight for feature, weight in sorted(averaged.items()) if weight}


def score(weights: Mapping[str, int], features: Sequence[str]) -> int:
    """Return the sum of the features' weights: above zero means yes."""
    return sum(filter(None, map(weights.get, features)))
