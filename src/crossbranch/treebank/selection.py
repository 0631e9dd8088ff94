"""Selecting sentences of a treebank by their numbers."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from crossbranch.errors import UsageError
from crossbranch.tree import Tree

_NUMBERS = re.compile(r"([1-9][0-9]{0,17})(-([1-9][0-9]{0,17})?)?")


def parse_numbers(text: str) -> range:
    """Return the numbers in a text: one number, or a range with or without an end.

    >>> parse_numbers("7"), parse_numbers("100-200")
    (range(7, 8), range(100, 201))
    """
    match = _NUMBERS.fullmatch(text.strip())
    if match is None or (match[3] and int(match[3]) < int(match[1])):
        raise UsageError(f"{text!r}: expected a number or a range, such as 7, 100-200 or 100-")
    first = int(match[1])
    last = int(match[3]) if match[3] else sys.maxsize - 1 if match[2] else first
    return range(first, last + 1)


def select(
    trees: Iterable[Tree], *, numbers: Sequence[range] = (), limit: int | None = None
) -> Iterator[Tree]:
    """Yield some of the trees. Stop reading after the last one that is needed.

    Args:
        trees: All trees. The first one has number 1.
        numbers: The numbers of the trees to yield (default: all).
        limit: Yield at most this many trees.

    Raises:
        UsageError: After the last tree, if there was no tree for one of the ranges.
    """
    return islice(_in_ranges(trees, numbers) if numbers else iter(trees), limit)


def _in_ranges(trees: Iterable[Tree], numbers: Sequence[range]) -> Iterator[Tree]:
    last = max(some.stop for some in numbers)
    number = 0
    for number, tree in enumerate(trees, 1):
        if any(number in some for some in numbers):
            yield tree
        if number + 1 >= last:
            return
    check_numbers(numbers, number)


def check_numbers(numbers: Sequence[range], count: int) -> None:
    """Raise a UsageError if one of these ranges begins after the last of `count` sentences."""
    for some in numbers:
        if some.start > count:
            raise UsageError(
                f"there is no sentence {some.start} (sentences in the input: {count:,})"
            )
