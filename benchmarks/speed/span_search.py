"""How fast span charts do more than find the best tree: milliseconds for each sentence.

    scripts/bench speed/span_search [--lengths 40 80] [--repeats N]

Scores are random, or as a trained model gives them: almost all spans have scores far below zero,
and those of a random tree are above it. The best CPU time of each counts. For the pruned search,
this also prints how many trees are the best ones, and for how many it knows that.
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


def draw_random(length: int, seed: int = 0) -> _core.SpanScores:
    """Return scores that prefer nothing."""
    chance = random.Random(f"{length} {seed}")
    labels = (CONTINUOUS, DISCONTINUOUS, DISCONTINUOUS)
    first, second, third = (numbers(chance, length, one, -1) for one in labels)
    return as_scores(length, (first, second, third))


def draw_trained(length: int, seed: int = 0) -> _core.SpanScores:
    """Return scores with the constituents of a random tree above zero, and all others below it."""
    chance = random.Random(f"{length} {seed}")
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
    parser.add_argument("--sentences", type=int, default=10, help="for the pruned search")
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
            report(kind, length, [draw(length, seed) for seed in range(options.sentences)])
    columns = [(kind, length) for length in options.lengths for kind in ("random", "trained")]
    print("|  |", " | ".join(f"n = {length}, {kind}" for kind, length in columns), "|")
    print("|---|" + "---|" * len(columns))
    for title in found:
        cells = [f"{1000 * best[title, kind, length]:.2f}" for kind, length in columns]
        print(f"| {title} |", " | ".join(cells), "|")


def report(kind: str, length: int, sentences: list[_core.SpanScores]) -> None:
    """Print how good the pruned search is."""
    share, best, certain, seconds = 0.0, 0, 0, 0.0
    for scores in sentences:
        start = time.process_time()
        score, _, bound = scores.best_pruned(ill_nested=True)
        seconds += time.process_time() - start
        exact = scores.best("quintic", ill_nested=True)[0]
        share += score / exact / len(sentences)
        best += math.isclose(score, exact, rel_tol=1e-6)
        certain += bound == score
    each = 1000 * seconds / len(sentences)
    print(
        f"n = {length}, {kind}: {len(sentences)} sentences, {each:.2f} ms each; {best} best trees, "
        f"{certain} known to be; {100 * share:.1f}% of the best scores"
    )


if __name__ == "__main__":
    main()
