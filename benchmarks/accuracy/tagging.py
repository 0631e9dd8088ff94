"""How often the tagger is right: on all words, and on those that training did not have.

    scripts/bench accuracy/tagging [--only NAME] [--epochs N] [--seeds N] [--jackknife] [--out DIR]

Taggers learn from the train part of each treebank beside the repository, and tag its dev part with
gold tokens. Rows with clusters need the package spacy-lookups-data. "base" gives known words their
most frequent tag, and others the most frequent one of all. With `--jackknife`, the training
sentences are tagged, too, as they are for parsers. Taggers are left in the folder that `--out`
names, for speed/tagging.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from pathlib import Path

from crossbranch.errors import UsageError
from crossbranch.features import Clusters
from crossbranch.tagging import Tagger, jackknife
from crossbranch.tree import Sentence
from crossbranch.treebank import read

ROOT = Path(__file__).parents[2]
TREEBANKS = ROOT.parent / "shared" / "treebanks"
TABLES: dict[str, str | None] = {
    "alpino": None,
    "craft": "spacy:en",
    "icepahc": None,
    "squoia": "spacy:de",
}
ASKED = {"alpino": 97.0, "craft": 96.5, "icepahc": 94.0}
HEAD = ("treebank", "tags", "target", "base", "all", "known", "unknown", "jackknifed")
COSTS = ("CPU seconds to learn", "MB", "of them clusters")


def sentences_of(name: str, part: str) -> list[Sentence]:
    """Return the sentences of a part of a treebank."""
    return [tree.sentence for tree in read(TREEBANKS / name / f"{part}.export.xz")]


def percent(right: Sequence[bool]) -> str:
    """Return how many are right of a hundred."""
    return f"{100 * sum(right) / len(right):.2f}" if right else "–"


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
    counts: dict[str, Counter[str]] = {}
    for token in (token for sentence in train for token in sentence if token.tag):
        counts.setdefault(token.form, Counter())[token.tag] += 1
        counts.setdefault("", Counter())[token.tag] += 1
    best = {form: tags.most_common(1)[0][0] for form, tags in counts.items()}
    predicted = [[best.get(token.form, best[""]) for token in sentence] for sentence in dev]
    return percent([right for _, right in compared(dev, predicted)])


def by_knowledge(
    tagger: Tagger, dev: Sequence[Sentence], seen: Container[str]
) -> tuple[str, str, str]:
    """Return the accuracy of all words, of those that training had, and of the others."""
    pairs = list(compared(dev, tagger.tag(dev)))
    return (
        percent([right for _, right in pairs]),
        percent([right for form, right in pairs if form in seen]),
        percent([right for form, right in pairs if form not in seen]),
    )


def table_of(name: str | None) -> Clusters | None:
    """Return a table of clusters, where it can be had."""
    try:
        return Clusters.read(name) if name else None
    except UsageError as error:
        print(f"({error})")
        return None


def keep(tagger: Tagger, folder: Path) -> None:
    """Write a tagger's files to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in tagger.files().items():
        (folder / name).write_bytes(data)


def measure(name: str, options: argparse.Namespace) -> Iterator[list[str]]:
    """Yield the rows of a treebank: without clusters, and with them."""
    train, dev = sentences_of(name, "train"), sentences_of(name, "dev")
    seen = {token.form for sentence in train for token in sentence}
    asked = f"{ASKED[name]:.1f}" if name in ASKED else "–"
    table = table_of(TABLES[name])
    for clusters in (None, table) if table else (None,):
        for seed in range(1, options.seeds + 1):
            start = time.process_time()
            tagger = Tagger.learn(train, epochs=options.epochs, seed=seed, clusters=clusters)
            seconds = time.process_time() - start
            title = f"{name} + {clusters.name}" if clusters else name
            keep(tagger, options.out / title.replace(" + ", "-").replace(":", "-"))
            sizes = {file: len(data) / 1e6 for file, data in tagger.files().items()}
            folded = "–"
            if options.jackknife and seed == 1:
                tags = list(jackknife(train, epochs=options.epochs, clusters=clusters))
                folded = percent([right for _, right in compared(train, tags)])
            yield [
                *(title, str(len(tagger.tags)), asked, base(train, dev)),
                *by_knowledge(tagger, dev, seen),
                *(folded, f"{seconds:.0f}", f"{sum(sizes.values()):.2f}"),
                f"{sizes.get('tagger-clusters.json', 0):.2f}",
            ]


def main() -> None:
    """Learn and measure all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", choices=TABLES)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--jackknife", action="store_true")
    parser.add_argument("--out", type=Path, default=ROOT / "build/bench/taggers")
    options = parser.parse_args()
    if not TREEBANKS.is_dir():
        raise SystemExit("the treebanks are in a folder beside the repository, which is not there")
    head = [*HEAD, *COSTS]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for name in [options.only] if options.only else TABLES:
        for row in measure(name, options):
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
