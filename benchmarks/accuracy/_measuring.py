"""What benchmarks of accuracy share: options, data, and tables in Markdown.

The data are in the folder `shared` beside the repository: treebanks in `shared/treebanks`, tagged
text in `shared/tagged`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Collection, Container, Iterable
from itertools import islice
from pathlib import Path

from crossbranch.tree import Sentence, Tree
from crossbranch.treebank import read

SHARED = Path(__file__).parents[3] / "shared"
TREEBANKS = SHARED / "treebanks"
FIRST = "use only the first N sentences of each part, for a quick trial"


def new_options(description: str | None) -> argparse.ArgumentParser:
    """Return a parser of options that shows its description as it is written."""
    return argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawTextHelpFormatter
    )


def trees_of(
    name: str, part: str, *, first: int | None = None, has_functions: bool = False
) -> list[Tree]:
    """Return the trees of a part of a treebank or of a tagged text, or only the first of them."""
    tagged = SHARED / "tagged" / name / f"{part}.conllu.xz"
    folder = TREEBANKS / name / "with-functions" if has_functions else TREEBANKS / name
    path = tagged if tagged.exists() else folder / f"{part}.export.xz"
    if not path.exists():
        raise SystemExit(f"there is no {path}; the data are in a folder beside the repository")
    return list(islice(read(path), first))


def sentences_of(name: str, part: str, *, first: int | None = None) -> list[Sentence]:
    """Return the sentences of a part of a treebank or of a tagged text."""
    return [tree.sentence for tree in trees_of(name, part, first=first)]


def percent(right: Collection[bool]) -> str:
    """Return how many of a hundred are right; nothing if there are none."""
    return f"{100 * sum(right) / len(right):.2f}" if right else ""


def by_knowledge(pairs: Collection[tuple[str, bool]], known: Container[str]) -> list[str]:
    """Return how many of a hundred words are right: of all words, of known and of unknown ones."""
    return [
        percent([right for _, right in pairs]),
        percent([right for form, right in pairs if form in known]),
        percent([right for form, right in pairs if form not in known]),
    ]


def most_frequent(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the most frequent value of each form: of its tags, or of its lemmas."""
    counts: dict[str, Counter[str]] = {}
    for form, value in pairs:
        counts.setdefault(form, Counter())[value] += 1
    return {form: values.most_common(1)[0][0] for form, values in counts.items()}


def print_head(columns: Collection[str]) -> None:
    """Print the first two lines of a table."""
    print_row(columns)
    print(f"|{'---|' * len(columns)}", flush=True)


def print_row(cells: Iterable[str]) -> None:
    """Print a line of a table."""
    print(f"| {' | '.join(cells)} |", flush=True)
