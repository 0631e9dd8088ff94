"""How often the tagger is right: on all words, and on those that training did not have.

    scripts/bench accuracy/tagging [--only NAME] [--epochs N] [--sentences N] [--seeds N]
        [--jackknife] [--out DIR]

Taggers learn from the train part of each treebank beside the repository, and tag its dev part with
gold tokens. Rows with clusters need the package spacy-lookups-data. "base" gives known words their
most frequent tag, and others the most frequent one of all. With `--jackknife`, the training
sentences are tagged, too, as they are for parsers. Taggers are left in the folder that `--out`
names, for speed/tagging.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from _measuring import (
    FIRST,
    by_knowledge,
    most_frequent,
    new_options,
    percent,
    print_head,
    print_row,
    sentences_of,
)

from crossbranch.errors import UsageError
from crossbranch.features import Clusters
from crossbranch.tagging import Tagger, jackknife
from crossbranch.tree import Sentence

ROOT = Path(__file__).parents[2]
TABLES: dict[str, str | None] = {
    "alpino": None,
    "craft": "spacy:en",
    "icepahc": None,
    "squoia": "spacy:de",
}
TARGETS = {"alpino": 97.0, "craft": 96.5, "icepahc": 94.0}
HEAD = ("treebank", "tags", "target", "base", "all", "known", "unknown", "jackknifed")
COSTS = ("CPU seconds to learn", "MB", "of them clusters")


def compared(
    sentences: Sequence[Sentence], predicted: Sequence[Sequence[str]]
) -> Iterator[tuple[str, bool]]:
    """Yield each word that has a tag, and whether that is the predicted one."""
    for sentence, tags in zip(sentences, predicted, strict=True):
        for token, tag in zip(sentence, tags, strict=True):
            if token.tag:
                yield token.form, token.tag == tag


def base(train: Sequence[Sentence], dev: Sequence[Sentence]) -> str:
    """Return the accuracy of each word's most frequent tag."""
    tokens = [token for sentence in train for token in sentence if token.tag]
    best = most_frequent((token.form, token.tag) for token in tokens)
    other = most_frequent(("", token.tag) for token in tokens)[""]
    predicted = [[best.get(token.form, other) for token in sentence] for sentence in dev]
    return percent([right for _, right in compared(dev, predicted)])


def table_of(name: str | None) -> Clusters | None:
    """Return a table of clusters, where it can be had."""
    try:
        return Clusters.read(name) if name else None
    except UsageError as error:
        print(error, file=sys.stderr)
        return None


def keep(tagger: Tagger, folder: Path) -> None:
    """Write a tagger's files to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in tagger.files().items():
        (folder / name).write_bytes(data)


def measure(name: str, options: argparse.Namespace) -> Iterator[list[str]]:
    """Yield the rows of a treebank: without clusters, and with them."""
    train, dev = (sentences_of(name, part, first=options.sentences) for part in ("train", "dev"))
    seen = {token.form for sentence in train for token in sentence}
    target = f"{TARGETS[name]:.1f}" if name in TARGETS else ""
    table = table_of(TABLES[name])
    for clusters in (None, table) if table else (None,):
        for seed in range(1, options.seeds + 1):
            start = time.process_time()
            tagger = Tagger.learn(train, epochs=options.epochs, seed=seed, clusters=clusters)
            seconds = time.process_time() - start
            title = f"{name} + {clusters.name}" if clusters else name
            keep(tagger, options.out / title.replace(" + ", "-").replace(":", "-"))
            sizes = {file: len(data) / 1e6 for file, data in tagger.files().items()}
            folded = ""
            if options.jackknife and seed == 1:
                tags = list(jackknife(train, epochs=options.epochs, clusters=clusters))
                folded = percent([right for _, right in compared(train, tags)])
            yield [
                *(title, str(len(tagger.tags)), target, base(train, dev)),
                *by_knowledge(list(compared(dev, tagger.tag(dev))), seen),
                *(folded, f"{seconds:.0f}", f"{sum(sizes.values()):.2f}"),
                f"{sizes.get('tagger-clusters.json', 0):.2f}",
            ]


def main() -> None:
    """Learn and measure all."""
    parser = new_options(__doc__)
    parser.add_argument("--only", choices=TABLES)
    parser.add_argument("--epochs", type=int, default=8, metavar="N", help="learn for N epochs")
    parser.add_argument("--sentences", type=int, metavar="N", help=FIRST)
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="learn with N seeds")
    parser.add_argument("--jackknife", action="store_true", help="tag the training sentences, too")
    parser.add_argument("--out", type=Path, default=ROOT / "build/bench/taggers", metavar="DIR")
    options = parser.parse_args()
    print_head([*HEAD, *COSTS])
    for name in [options.only] if options.only else TABLES:
        for row in measure(name, options):
            print_row(row)


if __name__ == "__main__":
    main()
