"""How fast evaluation is, in CPU time of one thread, from files to figures.

    scripts/bench speed/evaluation [--treebank FILE] [--model MODEL]

The gold trees are compared with the trees of a parser, and with themselves made continuous.
disco-dop's evaluator needs 18.7 CPU seconds for 5,708 sentences of alpino-nltk without
leaf-ancestor and tree distance (start-up included on both sides). Without the treebanks beside the
repository, a sampled one of the same size is used.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from crossbranch.errors import LossWarning
from crossbranch.grammar.sampling import sample
from crossbranch.transforms import pipeline
from crossbranch.tree import Tree
from crossbranch.treebank import read, write

TREEBANK = Path(__file__).parents[3] / "shared/treebanks/alpino-nltk/train.export.xz"
REPEATS = 5
PARTS = ("gold", "parsed", "continuous")
REFERENCE = 18.7 / 5708  # CPU seconds for a sentence
TREE_DISTANCE_SENTENCES = 714
TREE_DISTANCE_SECONDS = 5.0


def child_seconds(arguments: list[str]) -> float:
    """Run crossbranch in a process of its own; return its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", "from crossbranch.cli import main; main()", *arguments]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def best(arguments: list[str]) -> float:
    """Return the smallest of several runs."""
    return min(child_seconds(arguments) for _ in range(REPEATS))


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--treebank", type=Path, default=TREEBANK)
    parser.add_argument("--model", default="nl")
    options = parser.parse_args()
    warnings.simplefilter("ignore", LossWarning)
    found = options.treebank.exists()
    trees: list[Tree] = list(read(options.treebank) if found else sample(5708, grammar="dutch"))
    steps = pipeline("raise")
    with tempfile.TemporaryDirectory() as name:
        files = {part: str(Path(name) / f"{part}.discbracket") for part in PARTS}
        short = {part: str(Path(name) / f"{part}-short.discbracket") for part in PARTS}
        write(trees, files["gold"])
        write([steps.apply(tree) for tree in trees], files["continuous"])
        child_seconds(["parse", options.model, files["gold"], "-o", files["parsed"]])
        for part in PARTS:
            write(list(read(files[part]))[:TREE_DISTANCE_SENTENCES], short[part])
        print(f"{len(trees):,} sentences of {options.treebank.name}, parsed with {options.model}")
        for part in PARTS[1:]:
            seconds = best(["evaluate", files["gold"], files[part]])
            ratio = REFERENCE * len(trees) / seconds
            print(f"{part}: {seconds:.2f} s, {ratio:.1f} times as fast as disco-dop")
        pair = [short["gold"], short["parsed"]]
        extra = best(["evaluate", "--ted", *pair]) - best(["evaluate", *pair])
        share, count = extra / TREE_DISTANCE_SECONDS, TREE_DISTANCE_SENTENCES
        print(f"tree distance of {count} sentences: {extra:.2f} s, {share:.2f} of 5 s")


if __name__ == "__main__":
    main()
