"""How fast span charts find the best tree: milliseconds for each sentence, by its length.

    scripts/bench speed/span_charts [--lengths 20 40 60 80] [--repeats N]

Scores are random, for 60 labels of continuous and 20 of discontinuous constituents. The search
spaces take turns, and the best CPU time of each counts. The figures in brackets are those of the
released C++ program (Corro 2020) on another machine of the same kind.
"""

from __future__ import annotations

import argparse
import math
import random
import resource
import time
from array import array

from crossbranch import _core
from crossbranch.statistics.coverage import SPACES

CONTINUOUS, DISCONTINUOUS = 60, 20
RELEASED = {
    "O(n³)": {20: 0.061, 40: 0.77, 60: 2.9, 80: 5.8},
    "O(n⁴)": {20: 0.128, 40: 2.8, 60: 19.8, 80: 59},
    "O(n⁵), well-nested": {20: 0.23, 40: 14.7, 60: 151, 80: 866},
    "O(n⁵)": {20: 0.27, 40: 16.4, 60: 193, 80: 1025},
    "O(n⁶), well-nested": {20: 0.32, 40: 24.8, 60: 396, 80: 3292},
    "O(n⁶)": {20: 0.83, 40: 72, 60: 1497, 80: 11841},
}


def draw(length: int) -> _core.SpanScores:
    """Return random scores."""
    chance = random.Random(length)

    def some(labels: int) -> array[float]:
        return array("f", [chance.gauss(-1, 1) for _ in range(length * length * labels)])

    return _core.SpanScores(
        length,
        some(CONTINUOUS),
        some(DISCONTINUOUS),
        some(DISCONTINUOUS),
        continuous_labels=CONTINUOUS,
        discontinuous_labels=DISCONTINUOUS,
    )


def main() -> None:
    """Measure all search spaces, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lengths", type=int, nargs="*", default=[20, 40, 60, 80])
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    spaces = {**SPACES, "O(n⁴)": ("quartic", False)}
    print("|  |", " | ".join(f"n = {length}" for length in options.lengths), "|")
    print("|---|" + "---|" * len(options.lengths))
    best: dict[tuple[str, int], float] = {}
    for length in options.lengths:
        scores = draw(length)
        for _ in range(options.repeats):
            for title, (rules, ill_nested) in spaces.items():
                start = time.process_time()
                scores.best(rules, ill_nested=ill_nested)
                seconds = time.process_time() - start
                best[title, length] = min(seconds, best.get((title, length), math.inf))
    for title in ["continuous", *RELEASED]:
        cells = []
        for length in options.lengths:
            released = RELEASED.get(title, {}).get(length)
            known = f" ({released:g})" if released else ""
            cells.append(f"{1000 * best[title, length]:.2f}{known}")
        print(f"| {title} |", " | ".join(cells), "|")
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the whole program: {megabytes:.0f} MB")


if __name__ == "__main__":
    main()
