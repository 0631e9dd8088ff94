"""How fast treebanks are read, written and converted, in CPU time of one thread.

    scripts/bench speed/treebanks [--treebank FILE] [--alpino FILE]

Each figure is the best of several interleaved runs. `--treebank` should be large (default:
icepahc/train.export.xz in the folder of treebanks beside the repository, or a sampled treebank
where there is none). Formats that go through the core are also timed without it, in the same
process. `--alpino` is compared with the 3.7 CPU seconds that disco-dop needs for 7,136
Alpino sentences of 141,000 tokens in all, start-up included.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from unittest.mock import patch

from crossbranch.errors import LossWarning
from crossbranch.grammar.sampling import sample
from crossbranch.treebank import discbracket, export, export_reader, jsonlines, read, write

TREEBANKS = Path(__file__).parents[3] / "shared" / "treebanks"
REPEATS = 3
READ_TARGET = 50_000
READ_TARGETS = {"read export": 100_000, "read export.xz": 100_000}
WRITE_TARGET = 150_000
MEMORY_TARGET = 100  # megabytes
DISCODOP = 141_000 / 3.7  # tokens a second, conversion as a whole
CORE_FORMATS = ["export", "discbracket", "json"]
CORE_PLACES = [
    (module, name)
    for module, names in (
        (discbracket, ("_plain_reader", "_plain_writer")),
        (export, ("_plain_writer",)),
        (export_reader, ("_plain_reader",)),
        (jsonlines, ("_plain_reader", "_plain_writer")),
    )
    for name in names
]
FORMATS = ["export", "tigerxml", "discbracket", "json", "conllu", "alpino"]


def child_cost(arguments: list[str]) -> tuple[float, float]:
    """Run crossbranch in a process of its own; return CPU seconds and peak memory in megabytes."""
    code = (
        "import resource, sys; from crossbranch.cli import main\n"
        "try: main()\n"
        "finally:\n"
        "    used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "    print(used.ru_maxrss, file=sys.__stderr__)"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, int(run.stderr.split()[-1]) / 1024


def count_tokens(path: Path) -> int:
    """Return the number of tokens of a treebank."""
    return sum(len(tree.sentence) for tree in read(path))


def drain(path: Path, format: str) -> None:
    """Read a treebank and keep nothing."""
    for _ in read(path, format=format):
        pass


def line(what: str, rate: float, target: float) -> None:
    """Print one figure and its ratio to what it should reach."""
    print(f"{what:28}{rate:12,.0f} tokens/s{rate / target:8.2f} of {target:,.0f}")


class Best:
    """The smallest CPU time of each thing measured."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.seconds: dict[str, float] = {}

    def measure(self, what: str, action: Callable[[], object]) -> None:
        """Run an action once and keep its time if it is the best."""
        start = time.process_time()
        action()
        seconds = time.process_time() - start
        self.seconds[what] = min(seconds, self.seconds.get(what, seconds))


def time_writing(treebank: Path, folder: Path, best: Best) -> int:
    """Write a treebank in all formats from memory; return its number of tokens."""
    trees = list(read(treebank))
    tokens = sum(len(tree.sentence) for tree in trees)
    print(f"{treebank.name}: {len(trees):,} sentences, {tokens:,} tokens")
    for _ in range(REPEATS):
        for format in FORMATS:
            target = folder / f"treebank.{format}"
            best.measure(f"write {format}", partial(write, trees, target, format=format))
    return tokens


def time_reading(treebank: Path, folder: Path, best: Best) -> None:
    """Read a treebank from all formats, keeping nothing."""
    for _ in range(REPEATS):
        best.measure("read export.xz", partial(drain, treebank, "export"))
        for format in FORMATS:
            target = folder / f"treebank.{format}"
            best.measure(f"read {format}", partial(drain, target, format))


def in_process(treebank: Path, folder: Path) -> None:
    """Time reading and writing without start-up."""
    best = Best()
    tokens = time_writing(treebank, folder, best)
    time_reading(treebank, folder, best)
    for what, seconds in sorted(best.seconds.items()):
        target = WRITE_TARGET if what.startswith("write") else READ_TARGETS.get(what, READ_TARGET)
        line(what, tokens / seconds, target)


class Refusing:
    """Takes the place of the core, so that everything is left to the Python code."""

    def discbracket(self, *_: object) -> None:
        """Refuse a tree."""

    def export_rows(self, *_: object, **__: object) -> None:
        """Refuse a sentence."""

    def json(self, *_: object) -> None:
        """Refuse a line."""


@contextmanager
def without_core() -> Iterator[None]:
    """Read and write with Python code only."""
    with ExitStack() as stack:
        for module, name in CORE_PLACES:
            stack.enter_context(patch.object(module, name, Refusing()))
        yield


def gain_of_core(treebank: Path, folder: Path) -> None:
    """Print how much faster reading and writing are through the core."""
    trees = list(read(treebank))
    best = Best()
    for _ in range(REPEATS):
        for format in CORE_FORMATS:
            target = folder / f"gain.{format}"
            actions: dict[str, Callable[[], object]] = {
                "write": partial(write, trees, target, format=format),
                "read": partial(drain, target, format),
            }
            for what, action in actions.items():
                best.measure(f"{what} {format}, core", action)
                with without_core():
                    best.measure(f"{what} {format}, Python", action)
    for format in CORE_FORMATS:
        for what in ("read", "write"):
            python = best.seconds[f"{what} {format}, Python"]
            ratio = python / best.seconds[f"{what} {format}, core"]
            print(f"{what + ' ' + format:28}{ratio:8.1f} times as fast through the core")


def conversions(treebank: Path, alpino: Path, folder: Path) -> None:
    """Time whole conversions, start-up included, and their memory."""
    for target in ("big.xml", "big.discbracket", "big.export"):
        _, memory = child_cost(["convert", str(treebank), str(folder / target)])
        share = memory / MEMORY_TARGET
        print(f"convert to {target:17}{memory:12,.0f} MB peak   {share:8.2f} of {MEMORY_TARGET}")
    tokens = count_tokens(alpino)
    for target in ("alpino.discbracket", "alpino.export"):
        arguments = ["convert", str(alpino), str(folder / target)]
        seconds = min(child_cost(arguments)[0] for _ in range(REPEATS))
        line(f"convert to {target}", tokens / seconds, DISCODOP)


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--treebank", type=Path, default=TREEBANKS / "icepahc" / "train.export.xz")
    parser.add_argument("--alpino", type=Path, default=TREEBANKS / "alpino" / "train.export.xz")
    options = parser.parse_args()
    warnings.simplefilter("ignore", LossWarning)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        treebank, alpino = options.treebank, options.alpino
        if not treebank.exists():
            treebank = folder / "sampled.export.xz"
            write(sample(50_000, grammar="german"), treebank)
        if not alpino.exists():
            alpino = treebank
        conversions(treebank, alpino, folder)  # first: a child's peak includes its parent's size
        in_process(treebank, folder)
        gain_of_core(alpino, folder)


if __name__ == "__main__":
    main()
