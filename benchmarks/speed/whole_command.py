"""How fast the whole command `crossbranch parse` is: start-up, reading, searching and writing.

    scripts/bench speed/whole_command --model FOLDER [--treebank FILE] [--threads 1 2]

Train the model as RESULTS.md says. The treebank is written as discbracket, its sentences repeated
up to `--tokens`, and parsed to export with gold tags. mtg 1.0, a program with one thread, finds
8,200 tokens a second with beam 4 and 23,600 with beam 1, after 3.1 s for loading; its files are not
counted. CPU time does not depend on other programs that run at the same time, the clock does.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from itertools import cycle
from pathlib import Path

from crossbranch import load
from crossbranch.errors import LossWarning
from crossbranch.parsers import LinearTransitionParser
from crossbranch.tree import Tree
from crossbranch.treebank import read, write

TREEBANK = Path(__file__).parents[3] / "shared/treebanks/alpino-nltk/train.export.xz"
MTG_SPEED = {4: 8200, 1: 23600}  # tokens a second, by beam
MTG_LOADING = 3.1
BATCH = 100  # sentences


def run(arguments: list[str]) -> tuple[float, float]:
    """Run crossbranch in a process of its own; return its CPU seconds and the seconds it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, "-c", "from crossbranch.cli import main; main()", *arguments]
    subprocess.run(command, check=True, capture_output=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def best(arguments: list[str], repeats: int) -> tuple[float, float]:
    """Return the smallest CPU time and the smallest time of several runs."""
    found = [run(arguments) for _ in range(repeats)]
    return min(cpu for cpu, _ in found), min(wall for _, wall in found)


def search_seconds(model: str, trees: list[Tree], beam: int, repeats: int) -> float:
    """Return the CPU seconds of the search alone. It runs without the lock of Python."""
    parser = load(model)
    assert isinstance(parser, LinearTransitionParser)
    options = parser.options({"beam": beam})
    batches = [[t.sentence for t in trees[i : i + BATCH]] for i in range(0, len(trees), BATCH)]

    def seconds() -> float:
        total = 0.0
        for batch in batches:
            start = time.process_time()
            parser.search(batch, options)  # nodes are made when they are asked for
            total += time.process_time() - start
        return total

    return min(seconds() for _ in range(repeats))


def repeated(treebank: Path, tokens: int) -> list[Tree]:
    """Return the sentences of a treebank, again and again up to a number of tokens."""
    found: list[Tree] = []
    count = 0
    for tree in cycle(list(read(treebank))):
        if count >= tokens:
            return found
        found.append(tree)
        count += len(tree.sentence)
    return found


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--model", required=True)
    parser.add_argument("--treebank", type=Path, default=TREEBANK)
    parser.add_argument("--tokens", type=int, default=140_000)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--beams", type=int, nargs="+", default=[4, 1], choices=MTG_SPEED)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    warnings.simplefilter("ignore", LossWarning)
    trees = repeated(options.treebank, options.tokens)
    tokens = sum(len(tree.sentence) for tree in trees)
    with tempfile.TemporaryDirectory() as name:
        big, small, out = (str(Path(name) / file) for file in ("b.dbr", "s.dbr", "out.export"))
        write(trees, big)
        write(trees[:1], small)
        call = ["parse", options.model, "--gold-tags", "--no-functions", "-o", out]
        start_up, _ = best([*call, small], options.repeats)
        print(f"{tokens:,} tokens; start-up {start_up:.2f} CPU s; load {os.getloadavg()[0]:.1f}")
        for beam in options.beams:
            mtg = tokens / MTG_SPEED[beam] + MTG_LOADING
            search = search_seconds(options.model, trees, beam, options.repeats)
            print(f"beam {beam}: mtg 1.0 {mtg:.1f} s; search alone {search:.2f} CPU s")
            for threads in options.threads:
                more = ["--beam", str(beam), "--threads", str(threads)]
                cpu, wall = best([*call, *more, big], options.repeats)
                rest = cpu - start_up - search
                ideal = start_up + max(rest, (rest + search) / threads, search / threads)
                print(
                    f"  {threads} threads: {cpu:.2f} CPU s ({mtg / cpu:.1f} times), by the clock"
                    f" {wall:.2f} s ({mtg / wall:.1f} times), at best {ideal:.2f} s if"
                    f" {threads} cores are free ({mtg / ideal:.1f} times)"
                )


if __name__ == "__main__":
    main()
