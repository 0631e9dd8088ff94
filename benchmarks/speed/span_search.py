"""How fast span charts do more than find the best tree: milliseconds for each sentence.

    scripts/bench speed/span_search [--lengths 40 80] [--repeats N]

Scores are random, or as a trained model gives them: almost all spans have scores far below zero,
and those of a random tree are above it. The pruned search prints what part of the best score it
finds, and whether it knows that its tree is the best one. The best CPU time of each counts.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from array import array
from collections.abc import Callable

from crossbranch import _core

CONTINUOUS, DISCONTINUOUS = 60, 20


def numbers(chance: random.Random, length: int, labels: int, mean: float) -> array[float]:
    """Return random scores of all spans."""
    return array("f", [chance.gauss(mean, 1) for _ in range(length * length * labels)])


def as_scores(
    length: int, scores: tuple[array[float], array[float], array[float]]
) -> _core.SpanScores:
    """Return scores for the core."""
    return _core.SpanScores(
        length, *scores, continuous_labels=CONTINUOUS, discontinuous_labels=DISCONTINUOUS
    )


def draw_random(length: int) -> _core.SpanScores:
    """Return scores that prefer nothing."""
    chance = random.Random(length)
    labels = (CONTINUOUS, DISCONTINUOUS, DISCONTINUOUS)
    first, second, third = (numbers(chance, length, one, -1) for one in labels)
    return as_scores(length, (first, second, third))


def draw_trained(length: int) -> _core.SpanScores:
    """Return scores with the constituents of a random tree above zero, and all others below it."""
    chance = random.Random(length)
    continuous = numbers(chance, length, CONTINUOUS, -8)
    outer, gap = (numbers(chance, length, DISCONTINUOUS, -7) for _ in range(2))

    def choose(scores: array[float], labels: int, label: int, start: int, stop: int) -> None:
        scores[(start * length + stop - 1) * labels + label] = chance.gauss(5, 2)

    spans = [(0, length)]
    while spans:
        start, stop = spans.pop()
        choose(continuous, CONTINUOUS, chance.randrange(CONTINUOUS), start, stop)
        if stop - start > 3 and chance.random() < 0.2:
            first, second = sorted(chance.sample(range(start + 1, stop), 2))
            label = chance.randrange(DISCONTINUOUS)
            choose(outer, DISCONTINUOUS, label, start, stop)
            choose(gap, DISCONTINUOUS, label, first, second)
            spans += [(start, first), (first, second), (second, stop)]
        elif stop - start > 1:
            middle = chance.randrange(start + 1, stop)
            spans += [(start, middle), (middle, stop)]
    return as_scores(length, (continuous, outer, gap))


def searches(scores: _core.SpanScores, length: int) -> dict[str, Callable[[], object]]:
    """Return what is measured."""
    targets = [
        array("f", bytes(4 * length * length * labels))
        for labels in (CONTINUOUS, DISCONTINUOUS, DISCONTINUOUS)
    ]
    gold = scores.best("cubic")[1]
    return {
        "best, O(n³)": lambda: scores.best("cubic"),
        "log-partition, O(n³)": lambda: scores.log_partition("cubic"),
        "marginals, O(n³)": lambda: scores.marginals_into("cubic", *targets),
        "best with costs, O(n³)": lambda: scores.best_with_cost("cubic", gold, 1.0),
        "minimum risk, O(n³)": lambda: scores.minimum_risk("cubic"),
        "best, O(n⁵), well-nested": lambda: scores.best("quintic"),
        "pruned, well-nested": lambda: scores.best_pruned(),
        "best, O(n⁵)": lambda: scores.best("quintic", ill_nested=True),
        "pruned": lambda: scores.best_pruned(ill_nested=True),
    }


def main() -> None:
    """Measure everything, and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lengths", type=int, nargs="*", default=[40, 80])
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    best: dict[tuple[str, str, int], float] = {}
    for length in options.lengths:
        for kind, draw in (("random", draw_random), ("trained", draw_trained)):
            scores = draw(length)
            found = searches(scores, length)
            for _ in range(options.repeats):
                for title, search in found.items():
                    start = time.process_time()
                    search()
                    seconds = time.process_time() - start
                    place = title, kind, length
                    best[place] = min(seconds, best.get(place, math.inf))
            report(scores, kind, length)
    columns = [(kind, length) for length in options.lengths for kind in ("random", "trained")]
    print("|  |", " | ".join(f"n = {length}, {kind}" for kind, length in columns), "|")
    print("|---|" + "---|" * len(columns))
    for title in found:
        cells = [f"{1000 * best[title, kind, length]:.2f}" for kind, length in columns]
        print(f"| {title} |", " | ".join(cells), "|")


def report(scores: _core.SpanScores, kind: str, length: int) -> None:
    """Print how good the pruned search is."""
    exact = scores.best("quintic", ill_nested=True)[0]
    cubic = scores.best("cubic")[0]
    for limit in (200, 1000):
        score, _, bound = scores.best_pruned(ill_nested=True, limit=limit)
        print(
            f"n = {length}, {kind}, {limit} items: {score / exact:.4f} of the best score "
            f"(cubic {cubic / exact:.4f}), bound {bound / exact:.4f}"
        )


if __name__ == "__main__":
    main()
