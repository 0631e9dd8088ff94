"""How many sentences a second a neural parser learns from, and parses, on a device.

    scripts/bench speed/neural_training --treebank FILE [--dev FILE] [--device cuda] [--batch N]

The sizes are those of `stack-free-2019`, with AdamW and batches. The first epoch is not measured:
libraries warm up, and exploring begins after it. Parsing is from tokens to `Tree` objects, after
training, so the parser has a realistic number of candidates. Heads are not looked for. Times are by
the clock, since a GPU works beside the CPU. The trees that are in memory already are kept away from
Python's garbage collector, whose time would depend on their number.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import crossbranch
from crossbranch.config import merged
from crossbranch.parsers import NeuralTransitionParser
from crossbranch.training import Epoch, Watcher

SIZES: dict[str, Any] = {
    "encoder": {"words": 32, "character_size": 100, "spelling": 100, "layers": 2, "hidden": 400},
    "scorer": {"hidden": 200},
    "functions": False,
    "lemmas": False,
}


class Speed(Watcher):
    """Prints the sentences for each second of an epoch."""

    def __init__(self, sentences: int) -> None:
        self.sentences = sentences

    def finish_epoch(self, epoch: Epoch, is_best: bool) -> None:
        """Print what was measured."""
        speed = self.sentences / epoch.seconds
        print(f"epoch {epoch.number}: {speed:,.0f} sentences/s", flush=True)


@contextmanager
def timed(name: str, sentences: int) -> Iterator[None]:
    """Print how many sentences a second the block has."""
    start = time.perf_counter()
    yield
    seconds = time.perf_counter() - start
    print(f"{name}: {sentences / seconds:,.0f} sentences/s", flush=True)


def main() -> None:
    """Train and parse."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--treebank", required=True, help="trees to learn from")
    parser.add_argument("--dev", help="trees to parse; default: those to learn from")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--repeat", type=int, default=1, help="copies of the trees to parse")
    parser.add_argument("--system", default="stack-free")
    parser.add_argument("--precision", default="float32")
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 4])
    options = parser.parse_args()
    trees = list(crossbranch.read(options.treebank))
    settings = merged(
        SIZES,
        {
            "batch": options.batch,
            "device": options.device,
            "precision": options.precision,
            "epochs": options.epochs,
        },
    )
    model = crossbranch.train(options.system, train=trees, watcher=Speed(len(trees)), **settings)
    assert isinstance(model, NeuralTransitionParser)
    gold = list(crossbranch.read(options.dev)) if options.dev else trees
    many = gold * options.repeat
    gc.freeze()
    for device in dict.fromkeys([model.device, "cpu"]):
        model.move_to(device)
        list(model.parse_many(gold[:200], functions=False))
        for threads in options.threads:
            for beam in (1, 4):
                with timed(f"{device}, {threads} threads, beam {beam}", len(many)):
                    list(model.parse_many(many, threads=threads, beam=beam, functions=False))


if __name__ == "__main__":
    main()
