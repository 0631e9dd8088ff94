"""How fast treebanks are searched, with and without an index, and how much memory it takes.

    scripts/bench speed/find [--treebank FILE] [--discodop PYTHON]

Each search is a process of its own, `crossbranch find QUERY FILE --count`. Its time is CPU time,
start-up included, the best of several runs; memory is the peak of the process. Searches with and
without an index must find the same. `--treebank` should be large (default: icepahc/train.export.xz
in the folder of treebanks beside the repository, or a sampled treebank where there is none). With
`--discodop`, the Python of an environment with disco-dop, its fragment search answers the same
questions: how often a rule, or a word with its tag, occurs.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from crossbranch.errors import LossWarning
from crossbranch.grammar.sampling import sample
from crossbranch.treebank import read, write

TREEBANKS = Path(__file__).parents[3] / "shared" / "treebanks"
REPEATS = 3
WITH_TARGET, WITHOUT_TARGET = 2.0, 10.0  # seconds, for the whole of icepahc/train
QUERIES = {
    "a word": '"konungur"',
    "a lemma in an NP": "[lemma=konungur] < NP",
    "a regular expression": "[word=/konung.*/]",
    "discontinuous": "[discontinuous]",
    "extraposed": "CP[extraposed]",
    "in the gap": "NP gap-contains VBDI",
    "a child": "NP > PP",
    "any depth": 'IP >> CP[>> "er"]',
    "negation": "NP[not > N|NS|PRO] right-before VBDI",
    "a count": "IP[count(> NP) >= 3]",
}
FRAGMENTS = {
    "(NP (D ) (N ))": "NP[children=2 and > D[first-child] and > N[last-child]]",
    "(PP (P ) (NP ))": (
        "PP[children=2 and not discontinuous and > P[first-child] and > NP[last-child]]"
    ),
    "(N konungur)": "N[word=konungur]",
}
MEASURED = (
    "import resource, sys; from crossbranch.cli import main\n"
    "try: main()\n"
    "finally:\n"
    "    used = resource.getrusage(resource.RUSAGE_SELF)\n"
    "    print(used.ru_maxrss, file=sys.__stderr__)"
)
DISCODOP = """
import sys
from time import process_time
from discodop.treesearch import FragmentSearcher
treebank, *queries = sys.argv[1:]
start = process_time()
searcher = FragmentSearcher([treebank], numproc=1)
print("index", process_time() - start, sep="\\t")
for query in queries:
    start = process_time()
    found = sum(searcher.counts(query).values())
    print(query, found, process_time() - start, sep="\\t")
"""


def search(query: str, treebank: Path, *options: str) -> tuple[int, float, float]:
    """Return the number of matches, the seconds and the megabytes of one search."""
    arguments = ["find", query, str(treebank), "--count", "--json", *options]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(
        [sys.executable, "-c", MEASURED, *arguments], capture_output=True, text=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    [figures] = json.loads(run.stdout)
    return figures["matches"], seconds, int(run.stderr.split()[-1]) / 1024


def best(query: str, treebank: Path, *options: str) -> tuple[int, float, float]:
    """Return the matches, and the best seconds and megabytes of several searches."""
    runs = [search(query, treebank, *options) for _ in range(REPEATS)]
    return runs[0][0], min(run[1] for run in runs), min(run[2] for run in runs)


def with_and_without(treebank: Path) -> None:
    """Time all queries, with and without an index."""
    _, seconds, memory = search("not []", treebank, "--index")
    print(f"making the index: {seconds:.1f} s, {memory:.0f} MB")
    print(f"{'':24}{'matches':>9}{'with (s)':>10}{'MB':>6}{'without (s)':>13}{'MB':>6}{'ratio':>8}")
    slowest = [0.0, 0.0]
    for name, query in QUERIES.items():
        found, quick, small = best(query, treebank, "--index")
        again, slow, large = best(query, treebank, "--no-index")
        if found != again:
            raise AssertionError(f"{query}: {found} matches with an index, {again} without")
        slowest = [max(slowest[0], quick), max(slowest[1], slow)]
        times = f"{quick:10.2f}{small:6.0f}{slow:13.2f}{large:6.0f}{slow / quick:8.1f}"
        print(f"{name:24}{found:9,}{times}")
    for what, seconds, target in zip(
        ("with an index", "without"), slowest, (WITH_TARGET, WITHOUT_TARGET), strict=True
    ):
        print(f"slowest {what}: {seconds:.2f} s, {seconds / target:.2f} of {target:g} s")


def beside_discodop(treebank: Path, python: str, folder: Path) -> None:
    """Time questions that both programs answer."""
    target = folder / "treebank.dbr"
    write(read(treebank), target, format="discbracket")
    arguments = [python, "-c", DISCODOP, str(target), *FRAGMENTS]
    runs = [subprocess.run(arguments, capture_output=True, text=True, check=True) for _ in "12"]
    first, lines = ([line.split("\t") for line in run.stdout.splitlines()] for run in runs)
    made, opened = float(first[0][1]), float(lines[0][1])
    print(f"\ndisco-dop makes its index in {made:.1f} s, and opens it in {opened:.1f} s")
    for fragment, found, seconds in lines[1:]:
        own, whole, _ = best(FRAGMENTS[fragment], treebank, "--index")
        print(
            f"{fragment:24}disco-dop: {int(found):,} in {float(seconds):.4f} s after that; "
            f"crossbranch: {own:,} in {whole:.2f} s"
        )


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--treebank", type=Path, default=TREEBANKS / "icepahc" / "train.export.xz")
    parser.add_argument("--discodop", metavar="PYTHON", help="the Python of its environment")
    options = parser.parse_args()
    warnings.simplefilter("ignore", LossWarning)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        treebank = options.treebank
        if not treebank.exists():
            treebank = folder / "sampled.export.xz"
            write(sample(50_000, grammar="german"), treebank)
        with_and_without(treebank)
        if options.discodop:
            beside_discodop(treebank, options.discodop, folder)


if __name__ == "__main__":
    main()
