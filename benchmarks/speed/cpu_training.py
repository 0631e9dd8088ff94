"""How many sentences a second neural parsers learn from on one core of a CPU.

    scripts/bench speed/cpu_training --treebank FILE [--steps N] [--batch N] PRESET...

Training starts as usual, and is stopped after some steps of the first epoch. The first step is not
measured: libraries warm up. Times are CPU times, so that other programs disturb little; those of
the quickest step and of all steps are shown.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from typing import Any

import crossbranch
from crossbranch.training import Watcher


class EnoughError(Exception):
    """Stops the training."""


class Steps(Watcher):
    """Measures the steps of a training."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.speeds: list[float] = []
        self._seen, self._time = 0, 0.0

    def learned(self, epoch: int, sentences: int, metrics: Mapping[str, float]) -> None:
        """Count the sentences of a step."""
        now = time.process_time()
        if self._seen:
            self.speeds.append((sentences - self._seen) / (now - self._time))
        if len(self.speeds) == self.count:
            raise EnoughError
        self._seen, self._time = sentences, now


def main() -> None:
    """Measure all presets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("presets", nargs="+", metavar="PRESET")
    parser.add_argument("--treebank", required=True, help="trees to learn from")
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--batch", type=int, help="number of sentences for each update")
    options = parser.parse_args()
    trees = list(crossbranch.read(options.treebank))
    settings: dict[str, Any] = {"functions": False, "lemmas": False, "device": "cpu", "threads": 1}
    if options.batch:
        settings["batch"] = options.batch
    for preset in options.presets:
        steps = Steps(options.steps)
        try:
            crossbranch.train(preset, train=trees, watcher=steps, **settings)
        except EnoughError:
            mean = len(steps.speeds) / sum(1 / speed for speed in steps.speeds)
            print(f"{preset}: {max(steps.speeds):.1f} sentences/s, mean {mean:.1f}", flush=True)


if __name__ == "__main__":
    main()
