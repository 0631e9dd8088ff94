"""Searching files, with or without an index."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from crossbranch.query.cache import find_index, make_index
from crossbranch.query.filtering import trees_that_may_match
from crossbranch.query.index import Index, IndexDamageError
from crossbranch.query.matching import Match, Query
from crossbranch.query.planning import Assignment
from crossbranch.query.view import TreeView, View
from crossbranch.tree import Tree
from crossbranch.treebank.selection import check_numbers


@dataclass(frozen=True, slots=True)
class SentenceMatches:
    """All matches in one sentence."""

    number: int
    """The number of the sentence in its file, from 1."""

    view: View
    assignments: list[Assignment]
    names: tuple[str, ...]

    @property
    def tree(self) -> Tree:
        """The tree of the sentence."""
        return self.view.tree

    def first(self, count: int) -> SentenceMatches:
        """Return only some of the matches."""
        return SentenceMatches(self.number, self.view, self.assignments[:count], self.names)

    def matches(self) -> list[Match]:
        """Return the matches one by one."""
        return [Match(self.tree, self.number, some, self.names) for some in self.assignments]


class Numbers:
    """Which sentences are searched, by their numbers, and how many were."""

    def __init__(self, ranges: Sequence[range] = ()) -> None:
        """Search sentences with these numbers; without any, all sentences."""
        self.ranges = ranges
        self.count = 0

    def of_trees(self, trees: Iterable[Tree]) -> Iterator[tuple[int, Tree]]:
        """Yield the trees to search. Stop reading after the last one that is needed.

        Raises:
            UsageError: After the last tree, if there was no tree for one of the ranges.
        """
        last = max((some.stop for some in self.ranges), default=0)
        number = 0
        for number, tree in enumerate(trees, 1):
            if not self.ranges or any(number in some for some in self.ranges):
                self.count += 1
                yield number, tree
            if number + 1 >= last > 0:
                return
        check_numbers(self.ranges, number)

    def of_index(self, candidates: set[int] | None, size: int) -> set[int] | None:
        """Return which trees to read, of those that may match. None: all.

        Raises:
            UsageError: There is no tree for one of the ranges.
        """
        if not self.ranges:
            self.count = size
            return candidates
        check_numbers(self.ranges, size)
        ends = [range(some.start, min(some.stop, size + 1)) for some in self.ranges]
        wanted = set().union(*ends)
        self.count = len(wanted)
        return wanted if candidates is None else wanted & candidates


def search_trees(
    trees: Iterable[Tree], query: Query, numbers: Numbers | None = None
) -> Iterator[SentenceMatches]:
    """Search trees, one at a time. Yield the sentences with matches."""
    for number, tree in (numbers or Numbers()).of_trees(trees):
        view = TreeView(tree)
        if found := query.assignments(view):
            yield SentenceMatches(number, view, found, query.names)


def search_index(
    index: Index, text: str, numbers: Numbers | None = None
) -> Iterator[SentenceMatches]:
    """Search an index. Yield the sentences with matches.

    Raises:
        IndexDamageError: The index cannot be read.
    """
    query = Query(text, index)
    candidates = trees_that_may_match(query.alternatives, index)
    wanted = (numbers or Numbers()).of_index(candidates, index.count)
    for number, view in index.read(wanted):
        if found := query.assignments(view):
            yield SentenceMatches(number, view, found, query.names)


def open_index(source: Path, reading: str, read: Callable[[], Iterable[Tree]]) -> Index | None:
    """Return the index of a treebank. It is made if there is none that fits.

    Args:
        source: A file or folder.
        reading: How it is read: format, encoding and other options.
        read: Reads the treebank. A bad sentence must raise an InputError.

    Returns:
        None if there can be no index. Then the treebank must be read itself.
    """
    try:
        return find_index(source, reading) or make_index(source, reading, read)
    except OSError:  # the source itself cannot be read: reading it tells why
        return None


def search_indexed(
    index: Index, text: str, read: Callable[[], Iterable[Tree]], numbers: Numbers | None = None
) -> Iterator[SentenceMatches]:
    """Search an index. If it turns out to be damaged, go on with the treebank itself.

    The matches need the index as long as they are used. Close it afterwards.
    """
    numbers = numbers or Numbers()
    last = 0
    try:
        for found in search_index(index, text, numbers):
            yield found
            last = found.number
    except IndexDamageError:
        with suppress(OSError):
            index.path.unlink()
        numbers.count = 0
        for found in search_trees(read(), Query(text), numbers):
            if found.number > last:
                yield found
