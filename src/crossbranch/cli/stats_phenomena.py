"""crossbranch stats --phenomena: kinds of discontinuity and their sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from crossbranch.cli.tables import plain_table
from crossbranch.errors import UsageError
from crossbranch.tree import Tree

if TYPE_CHECKING:
    from rich.table import Table

    from crossbranch.statistics import PhenomenonCounts


class Numbered:
    """Yields the trees of a file, and knows the number of the last one.

    So trees keep their numbers if others are left out later.
    """

    def __init__(self, trees: Iterable[Tree]) -> None:
        self._trees = trees
        self.number = 0

    def __iter__(self) -> Iterator[Tree]:
        for tree in self._trees:
            self.number += 1
            yield tree


def count_phenomena(
    trees: Sequence[tuple[int, Tree]], phenomena: str, file: str
) -> PhenomenonCounts:
    """Count detected phenomena (auto), or those of a file of ids."""
    from crossbranch.evaluation.phenomena import read_classes
    from crossbranch.statistics import PhenomenonCounts

    if phenomena != "auto":
        return PhenomenonCounts.listed(trees, read_classes(phenomena))
    try:
        return PhenomenonCounts.detected(trees)
    except UsageError as error:
        raise UsageError(f"{file}: {error}") from None


def phenomena_table(name: str, counts: PhenomenonCounts, most: int) -> Table:
    """Return a table of phenomena with the numbers of their sentences, at most `most` each."""
    from rich.text import Text

    from crossbranch.reports.tables import name_sentences

    table = plain_table(["phenomenon"], ["count", "sentences"])
    table.title, table.title_justify = Text(f"phenomena: {name}"), "left"
    if most:
        table.add_column("numbers of sentences", overflow="fold")
    for phenomenon, found in counts.rows():
        numbers = [one.number for one in found]
        cells = [phenomenon, f"{sum(one.times for one in found):,}", f"{len(found):,}"]
        table.add_row(*map(Text, cells + [name_sentences(numbers, most)] * bool(most)))
    return table
