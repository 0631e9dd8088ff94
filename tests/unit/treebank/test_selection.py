"""Sentences by number."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crossbranch.errors import UsageError
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank.selection import parse_numbers, select


class Treebank:
    """Trees that are named by their numbers, and how many of them were read."""

    def __init__(self, size: int) -> None:
        self.size, self.read = size, 0

    def __iter__(self) -> Iterator[Tree]:
        for number in range(1, self.size + 1):
            self.read = number
            yield Tree([Token("a")], Node(ROOT, [0]), id=str(number))


def numbers(treebank: Treebank, *texts: str, limit: int | None = None) -> list[int]:
    found = select(treebank, numbers=[parse_numbers(text) for text in texts], limit=limit)
    return [int(tree.id) for tree in found]


def test_ranges_include_both_ends() -> None:
    assert numbers(Treebank(9), "3-5") == [3, 4, 5]
    assert numbers(Treebank(9), "8-") == [8, 9]
    assert numbers(Treebank(9), "8-20") == [8, 9]
    assert numbers(Treebank(9), "7", "2-3", "3") == [2, 3, 7]
    assert numbers(Treebank(3)) == [1, 2, 3]


def test_no_more_is_read_than_needed() -> None:
    treebank = Treebank(100)
    assert numbers(treebank, "3-5") == [3, 4, 5]
    assert treebank.read == 5
    treebank = Treebank(100)
    assert numbers(treebank, "3-", limit=2) == [3, 4]
    assert treebank.read == 4
    treebank = Treebank(100)
    assert numbers(treebank, limit=2) == [1, 2]
    assert treebank.read == 2


def test_sentences_that_are_not_there() -> None:
    treebank = Treebank(3)
    found = select(treebank, numbers=[range(2, 3), range(17, 20)])
    assert next(found).id == "2"
    with pytest.raises(UsageError, match=r"there is no sentence 17 \(sentences in the input: 3\)"):
        next(found)


@pytest.mark.parametrize("text", ["", "x", "0", "-3", "5-3", "1.5", "1-2-3", "0-4", "9" * 20])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(UsageError, match="expected a number or a range"):
        parse_numbers(text)
