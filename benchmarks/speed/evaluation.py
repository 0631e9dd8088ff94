"""How fast evaluation is, in CPU time of one thread, from files to figures.

    scripts/bench speed/evaluation [--treebank FILE] [--model MODEL] [--discodop PYTHON]

The gold trees are compared with the trees of a parser, and with themselves made continuous.
`--discodop` is a Python with disco-dop: its evaluator is run in turns with ours. Without it, a
recorded time is used: 18.7 CPU seconds for 5,708 sentences of alpino-nltk without leaf-ancestor and
tree distance (start-up included on both sides). Without the treebanks beside the repository, a
sampled one of the same size is used.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path

from crossbranch.errors import LossWarning
from crossbranch.evaluation import PARAMETERS
from crossbranch.grammar.sampling import sample
from crossbranch.transforms import pipeline
from crossbranch.tree import Tree
from crossbranch.treebank import read, write

TREEBANK = Path(__file__).parents[3] / "shared/treebanks/alpino-nltk/train.export.xz"
REPEATS = 5
KEYS = {"deleted_labels": "DELETE_LABEL", "deleted_words": "DELETE_WORD"}
PARTS = ("gold", "parsed", "continuous")
REFERENCE = 18.7 / 5708  # CPU seconds for a sentence
OURS = (sys.executable, "-c", "from crossbranch.cli import main; main()")
THEIRS = ("-c", "from discodop.eval import main; main()", "eval")
THEIR_OPTIONS = ("--goldfmt=discbracket", "--parsesfmt=discbracket")
TREE_DISTANCE_SENTENCES = 714
TREE_DISTANCE_SECONDS = 5.0


def child_seconds(arguments: list[str], start: Sequence[str] = OURS) -> float:
    """Run crossbranch, or another program, in a process of its own; return its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*start, *arguments], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def best(arguments: list[str]) -> float:
    """Return the smallest of several runs."""
    return min(child_seconds(arguments) for _ in range(REPEATS))


def both(gold: str, predicted: str, discodop: str | None, sentences: int) -> tuple[float, float]:
    """Return the seconds of disco-dop and ours: the best of runs in turns."""
    pair = [gold, predicted]
    if discodop is None:
        return REFERENCE * sentences, best(["evaluate", *pair])
    with tempfile.NamedTemporaryFile("w", suffix=".prm") as file:
        for name in ("deleted_labels", "deleted_words"):
            for value in getattr(PARAMETERS["proper"], name):
                file.write(f"{KEYS[name]} {value}\n")
        file.flush()
        theirs = [*pair, file.name, *THEIR_OPTIONS]
        runs = [
            (child_seconds(theirs, (discodop, *THEIRS)), child_seconds(["evaluate", *pair]))
            for _ in range(REPEATS)
        ]
    return min(one for one, _ in runs), min(other for _, other in runs)


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--treebank", type=Path, default=TREEBANK)
    parser.add_argument("--model", default="nl")
    parser.add_argument("--discodop", metavar="PYTHON")
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
            theirs, ours = both(files["gold"], files[part], options.discodop, len(trees))
            ratio = theirs / ours
            print(f"{part}: {ours:.2f} s, {ratio:.1f} times as fast as disco-dop ({theirs:.1f} s)")
        pair = [short["gold"], short["parsed"]]
        extra = best(["evaluate", "--ted", *pair]) - best(["evaluate", *pair])
        share, count = extra / TREE_DISTANCE_SECONDS, TREE_DISTANCE_SENTENCES
        print(f"tree distance of {count} sentences: {extra:.2f} s, {share:.2f} of 5 s")


if __name__ == "__main__":
    main()
