"""How quick the shipped models are: loading, the first tree, and raw text to trees.

    scripts/bench speed/shipped_models [--treebanks FOLDER] [--models NAME...] [--repeat N]

The text is the dev part of each model's treebank, written as people write it. Speed is that of
`parser.parse_text`, from characters to Tree objects, at the default beam: the best of some rounds,
by CPU time on one thread. The gain of two threads is by the clock, so nothing else should run, and
on a longer text, the same one again and again; that of two processes, each with the whole of it,
says what the machine has to give.
The stages are measured by themselves, on what the one before has made.
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

from crossbranch.models import shipped
from crossbranch.parsers import Parser, load
from crossbranch.text import raw_text
from crossbranch.treebank import read

TREEBANKS = Path(__file__).parents[3] / "shared/treebanks"
TRAINED_ON = {
    "nl": "alpino",
    "en": "masc",
    "en-bio": "craft",
    "de": "squoia",
    "is": "icepahc",
    "nl-neural": "alpino",
    "en-neural": "masc",
    "de-neural": "squoia",
    "is-neural": "icepahc",
}
"""The treebank whose dev trees a model is measured on."""
MAIN = "from crossbranch.cli import main; main()"
MOST_SENTENCES = 3000
LONG = 100_000  # tokens
COLUMNS = (
    *("model", "load, s", "first tree, s", "tokenizer", "tagger", "parser", "all"),
    *("2 threads", "2 processes"),
)


def best(measure: Callable[[], object], repeat: int, clock: Callable[[], float]) -> float:
    """Return the least time that something takes."""
    seconds = []
    for _ in range(repeat):
        start = clock()
        measure()
        seconds.append(clock() - start)
    return min(seconds)


def first_tree(name: str) -> None:
    """Parse a word on the command line, from nothing."""
    subprocess.run([sys.executable, "-c", MAIN, "parse", name, "Ja."], check=True, stdout=-3)


def two_processes(work: Callable[[], object]) -> None:
    """Do something twice, at the same time."""
    started = [get_context("fork").Process(target=work) for _ in range(2)]
    for process in started:
        process.start()
    for process in started:
        process.join()


def rows(name: str, parser: Parser, text: str, repeat: int) -> list[str]:
    """Return the cells of a model's row."""
    cpu, wall = time.process_time, time.perf_counter
    assert parser.tokenizer is not None
    sentences = [tree.sentence for tree in parser.tokenizer.split(text)]
    tagged = list(parser.parse_text(text))
    tokens = sum(map(len, sentences))

    def rate(seconds: float) -> str:
        return f"{tokens / seconds:,.0f}"

    def parse(text: str, threads: int = 1) -> None:
        for _ in parser.parse_text(text, threads=threads):
            pass

    tokenizer, tagger = parser.tokenizer, parser.tagger
    gc.freeze()  # what this script holds itself is not to be looked through again and again
    long = text * (LONG // tokens + 1)
    one = best(lambda: parse(long), repeat, wall)
    two = one / best(lambda: parse(long, threads=2), repeat, wall)
    most = 2 * one / best(lambda: two_processes(lambda: parse(long)), repeat, wall)
    return [
        name,
        f"{best(lambda: load(name), repeat, wall):.3f}",
        f"{best(lambda: first_tree(name), repeat, wall):.2f}",
        rate(best(lambda: list(tokenizer.split(text)), repeat, cpu)),
        rate(best(lambda: tagger.tag(sentences), repeat, cpu)) if tagger else "",  # neural: none
        rate(best(lambda: list(parser.parse_many(tagged)), repeat, cpu)),
        rate(best(lambda: parse(text), repeat, cpu)),
        f"{two:.2f}",
        f"{most:.2f}",
    ]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--treebanks", type=Path, default=TREEBANKS)
    options.add_argument(
        "--models", nargs="*", default=[name for name in TRAINED_ON if name in shipped()]
    )
    options.add_argument("--repeat", type=int, default=5)
    chosen = options.parse_args()
    print("|", " | ".join(COLUMNS), "|")
    print("|---" * len(COLUMNS) + "|")
    for name in chosen.models:
        dev = list(read(chosen.treebanks / TRAINED_ON[name] / "dev.export.xz"))[:MOST_SENTENCES]
        text, _ = raw_text(dev)
        print("|", " | ".join(rows(name, load(name), text, chosen.repeat)), "|", flush=True)
    print("Tokens a second where nothing else is said; `2 threads`, `2 processes`: times as quick.")


if __name__ == "__main__":
    main()
