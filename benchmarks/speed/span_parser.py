"""How many sentences a second a parser with span charts learns from, and parses, on a device.

    scripts/bench speed/span_parser --treebank FILE [--dev FILE] [--device cuda] [--preset NAME]

Sizes are those of the preset. The first epoch is not measured: libraries warm up. Parsing is from
tokens to `Tree` objects, after training. Functions and lemmas are not looked for. With one thread
on a CPU, times are CPU time, so a busy machine makes less of a difference. Otherwise they are by
the clock. The trees that are in memory already are kept away from Python's garbage collector, whose
time would depend on their number.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

import crossbranch
from crossbranch.parsers import NeuralSpanParser
from crossbranch.training import Epoch, Watcher


class Speed(Watcher):
    """Prints the sentences for each second of an epoch."""

    def __init__(self, sentences: int) -> None:
        self.sentences = sentences

    def finish_epoch(self, epoch: Epoch, is_best: bool) -> None:
        """Print what was measured."""
        speed = self.sentences / epoch.seconds
        print(f"epoch {epoch.number}: {speed:,.0f} sentences/s", flush=True)


@contextmanager
def timed(name: str, sentences: int, *, by_clock: bool) -> Iterator[None]:
    """Print how many sentences a second the block has."""
    clock = time.perf_counter if by_clock else time.process_time
    start = clock()
    yield
    seconds = clock() - start
    print(f"{name}: {sentences / seconds:,.0f} sentences/s", flush=True)


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--treebank", required=True, help="trees to learn from")
    parser.add_argument("--dev", help="trees to parse; default: those to learn from")
    parser.add_argument("--preset", default="span-small")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--loss", default="labels")
    parser.add_argument("--precision", default="float32")
    parser.add_argument("--repeat", type=int, default=1, help="copies of the trees to parse")
    parser.add_argument("--limit", type=int, help="number of trees to learn from")
    parser.add_argument("--threads", type=int, nargs="*", default=[1])
    parser.add_argument("--spaces", nargs="*", default=["cubic"])
    return parser.parse_args()


def main() -> None:
    """Train and parse."""
    chosen = options()
    trees = list(crossbranch.read(chosen.treebank))[: chosen.limit]
    model = crossbranch.train(
        chosen.preset,
        train=trees,
        watcher=Speed(len(trees)),
        batch=chosen.batch,
        device=chosen.device,
        precision=chosen.precision,
        epochs=chosen.epochs,
        loss=chosen.loss,
        functions=False,
        lemmas=False,
    )
    assert isinstance(model, NeuralSpanParser)
    names = model.labels_by_number.names
    print(f"labels: {', '.join(f'{len(some)} {name}' for name, some in names._asdict().items())}")
    gold = list(crossbranch.read(chosen.dev)) if chosen.dev else trees
    many = gold * chosen.repeat
    gc.freeze()
    for device in dict.fromkeys([model.device, "cpu"]):
        model.move_to(device)
        list(model.parse_many(gold[:200], functions=False))
        for threads in chosen.threads:
            for space in chosen.spaces:
                by_clock = device != "cpu" or threads > 1
                name = f"{device}, {threads} threads, {space}"
                with timed(name, len(many), by_clock=by_clock):
                    list(model.parse_many(many, threads=threads, space=space, functions=False))
        with timed(f"{device}, with confidence", len(gold), by_clock=device != "cpu"):
            list(model.parse_many(gold, confidence=True, functions=False))


if __name__ == "__main__":
    main()
