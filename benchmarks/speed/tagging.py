"""How fast the tagger is, and how long it takes to load.

    scripts/bench speed/tagging [--taggers DIR] [--repeats N]

Times the taggers that accuracy/tagging leaves in `build/bench/taggers`, each on the dev part of its
treebank; where there are none, one is learned from a sampled treebank. Speed is CPU time of one
thread, the best of several interleaved runs: "core" is the search alone, "whole" is from tokens to
tags.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from crossbranch.grammar.sampling import sample
from crossbranch.tagging import Tagger
from crossbranch.tree import Sentence
from crossbranch.treebank import read

ROOT = Path(__file__).parents[2]
TREEBANKS = ROOT.parent / "shared" / "treebanks"
ASKED = 200_000  # tokens a second


class Folder:
    """A folder with the files of a tagger."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def data(self, name: str) -> bytes:
        """Return the content of a file."""
        return (self.path / name).read_bytes()

    def where(self, name: str) -> str:
        """Return how messages name a file."""
        return str(self.path / name)


def seconds(action: Callable[[], object], clock: Callable[[], float]) -> float:
    """Return how long something takes."""
    start = clock()
    action()
    return clock() - start


def learned(folder: Path) -> Path:
    """Learn a tagger that is good enough to be timed."""
    tagger = Tagger.learn([tree.sentence for tree in sample(2_000, grammar="dutch")])
    for name, data in tagger.files().items():
        (folder / name).write_bytes(data)
    return folder


def dev_sentences(folder: Path) -> list[Sentence]:
    """Return what a tagger is timed on."""
    file = TREEBANKS / folder.name.split("-")[0] / "dev.export.xz"
    trees = read(file) if file.exists() else sample(2_000, grammar="dutch", seed=2)
    return [tree.sentence for tree in trees]


def row(folder: Path, repeats: int) -> list[str]:
    """Measure one tagger."""
    opened = Folder(folder)
    loading = min(
        seconds(lambda: Tagger.from_folder(opened), time.process_time) for _ in range(repeats)
    )
    tagger, sentences = Tagger.from_folder(opened), dev_sentences(folder)
    best = interleaved(tagger, sentences, repeats)
    tokens = sum(map(len, sentences))
    core, whole = tokens / best["core"], tokens / best["whole"]
    return [
        *(folder.name, str(len(tagger.tags)), f"{tokens:,}", f"{core:,.0f}", f"{whole:,.0f}"),
        *(f"{whole / ASKED:.2f}", f"{best['one'] / best['two']:.2f}", f"{1000 * loading:.0f}"),
    ]


def interleaved(tagger: Tagger, sentences: Sequence[Sentence], repeats: int) -> dict[str, float]:
    """Return the best time of each thing: CPU seconds, and for threads those of the clock."""
    rows, offsets = tagger.encoder.encode(sentences)
    actions: dict[str, tuple[Callable[[], object], Callable[[], float]]] = {
        "core": (lambda: tagger._core.tag(rows, offsets), time.process_time),
        "whole": (lambda: tagger.tag(sentences), time.process_time),
        "one": (lambda: tagger._core.tag(rows, offsets), time.perf_counter),
        "two": (lambda: tagger._core.tag(rows, offsets, threads=2), time.perf_counter),
    }
    best: dict[str, float] = {}
    for _ in range(repeats):
        for name, (action, clock) in actions.items():
            best[name] = min(seconds(action, clock), best.get(name, 1e9))
    return best


def main() -> None:
    """Time all taggers that there are."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--taggers", type=Path, default=ROOT / "build/bench/taggers")
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    print(
        "| tagger | tags | tokens | core, tokens/s | whole, tokens/s | of 200,000 | two threads,"
        " times one | ms to load |\n|---|---|---|---|---|---|---|---|"
    )
    with tempfile.TemporaryDirectory(prefix="sampled-") as name:
        folders = sorted(options.taggers.iterdir()) if options.taggers.is_dir() else []
        for folder in folders or [learned(Path(name))]:
            print(f"| {' | '.join(row(folder, options.repeats))} |", flush=True)


if __name__ == "__main__":
    main()
