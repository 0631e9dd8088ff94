"""Whether parsing got slower: the shipped models in this revision and in another one, in turns.

    scripts/bench speed/two_revisions --before PYTHON [--models NAME...] [--rounds N]

PYTHON is the interpreter of an environment in which the other revision is installed: check it out
elsewhere, run `scripts/demo` there, and name its `.venv-demo/bin/python`. Each round measures both
revisions one after the other, each in a process of its own; the best round of each counts. Tokens
per second are from raw text to Tree objects; with one thread they are by CPU time, everything else
is by the clock. A ratio above 1 means that this revision is faster.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

TREEBANKS = Path(__file__).parents[3] / "shared/treebanks"
TRAINED_ON = {
    "nl": "alpino",
    "en": "masc",
    "en-bio": "craft",
    "de": "squoia",
    "is": "icepahc",
}
"""The treebank whose dev trees a model is measured on."""
SENTENCES = 1500
WORKER = """
import gc, json, subprocess, sys, time
from crossbranch.parsers import load
from crossbranch.text import raw_text
from crossbranch.treebank import read

name, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
trees = [tree for tree, _ in zip(read(path), range(count))]
text, _ = raw_text(trees)
start = time.perf_counter()
parser = load(name)
found = {"load": time.perf_counter() - start}
tokens = sum(len(tree.sentence) for tree in parser.tokenizer.split(text))
gc.freeze()
for key, threads, clock in (("one", 1, time.process_time), ("two", 2, time.perf_counter)):
    start = clock()
    for _ in parser.parse_text(text, threads=threads):
        pass
    found[key] = (clock() - start) / tokens
command = [sys.executable, "-c", "from crossbranch.cli import main; main()", "parse", name, "Ja."]
start = time.perf_counter()
subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
found["first"] = time.perf_counter() - start
print(json.dumps(found))
"""
COLUMNS = ("load", "first", "one", "two")
TITLES = ("load, s", "first tree, s", "1 thread, tokens/s", "2 threads, tokens/s")


def measure(python: str, name: str, path: Path) -> dict[str, float]:
    """Measure one revision once."""
    command = [python, "-I", "-c", WORKER, name, str(path), str(SENTENCES)]
    found: dict[str, float] = json.loads(subprocess.check_output(command))
    return found


def shown(key: str, before: float, now: float) -> str:
    """Return a cell: before, now, and the ratio."""
    if key in ("one", "two"):
        return f"{1 / before:,.0f} → {1 / now:,.0f} ({before / now:.2f})"
    return f"{before:.2f} → {now:.2f} ({before / now:.2f})"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--before", metavar="PYTHON")
    options.add_argument("--treebanks", type=Path, default=TREEBANKS)
    options.add_argument("--models", nargs="*", default=["nl", "en", "de", "is"])
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    if chosen.before is None:
        print("There is nothing to compare with: give --before PYTHON.")
        return
    print("|", " | ".join(("model", *TITLES)), "|")
    print("|---" * (len(TITLES) + 1) + "|")
    for name in chosen.models:
        path = chosen.treebanks / TRAINED_ON[name] / "dev.export.xz"
        best: list[dict[str, float]] = [{}, {}]
        for _ in range(chosen.rounds):
            for place, python in enumerate((chosen.before, sys.executable)):
                for key, value in measure(python, name, path).items():
                    best[place][key] = min(value, best[place].get(key, value))
        cells = [shown(key, best[0][key], best[1][key]) for key in COLUMNS]
        print("|", " | ".join((name, *cells)), "|", flush=True)
    print("Before → now (times as fast as before); the best of the rounds, measured in turns.")


if __name__ == "__main__":
    main()
