"""Which sentence goes into train, dev or test: the splits of published results.

A split takes the records of all sentences, in corpus order, and names a part for each. None means
that a sentence is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from crossbranch.errors import InputError


class Record(NamedTuple):
    """What a split knows about a sentence; bad sentences have a record, too."""

    document: str
    length: int
    text: str


Parts = list[str | None]
Split = Callable[[Sequence[Record]], Parts]


def last(dev: int, test: int, *, test_last: bool) -> Split:
    """The last sentences are dev and test, in either order; the rest is train."""
    sizes = [("dev", dev), ("test", test)] if test_last else [("test", test), ("dev", dev)]

    def split(records: Sequence[Record]) -> Parts:
        rest = len(records) - dev - test
        if rest <= 0:
            raise InputError(f"{len(records):,} sentences", f"more than {dev + test:,} sentences")
        parts: Parts = ["train"] * rest
        for part, size in sizes:
            parts += [part] * size
        return parts

    return split


def short(longest: int) -> Split:
    """Of the sentences with at most `longest` words: the last tenth is test, the one before dev."""

    def split(records: Sequence[Record]) -> Parts:
        chosen = [index for index, record in enumerate(records) if 0 < record.length <= longest]
        parts: Parts = [None] * len(records)
        tenth = len(chosen) // 10
        for rank, index in enumerate(chosen):
            left = len(chosen) - rank
            parts[index] = "test" if left <= tenth else "dev" if left <= 2 * tenth else "train"
        return parts

    return split


def every_tenth(records: Sequence[Record]) -> Parts:
    """Sentence i, counted from 1, is test if i mod 10 is 0, and dev if it is 1."""
    by_digit: dict[int, str] = {0: "test", 1: "dev"}
    return [by_digit.get(number % 10, "train") for number in range(1, len(records) + 1)]


def wsj_sections(records: Sequence[Record]) -> Parts:
    """Sections 2-21 are train, 22 dev, 23 test; documents are named wsj_SSNN."""

    def part(document: str) -> str | None:
        section = document.removeprefix("wsj_")[:2]
        if not (document.startswith("wsj_") and section.isdecimal()):
            raise InputError(f"the document {document}", "documents named wsj_0001 and so on")
        if 2 <= int(section) <= 21:
            return "train"
        return {"22": "dev", "23": "test"}.get(section)

    return [part(record.document) for record in records]


def tenths_of_documents(records: Sequence[Record]) -> Parts:
    """In every document, the first 80 % are train, the next 10 % dev, the last 10 % test."""
    totals = Counter(record.document for record in records)
    seen: Counter[str] = Counter()
    parts: Parts = []
    for record in records:
        parts.append(_tenth(seen[record.document], totals[record.document]))
        seen[record.document] += 1
    return parts


def _tenth(rank: int, total: int) -> str:
    """Name the part of the sentence with this rank, counted from 0: 80 %, 10 %, 10 %."""
    return "train" if rank < total * 8 // 10 else "dev" if rank < total * 9 // 10 else "test"


def newspaper(document: str) -> Split:
    """One document in tenths; all others are train, without sentences of dev or test."""

    def split(records: Sequence[Record]) -> Parts:
        core = [index for index, record in enumerate(records) if record.document == document]
        if not core:
            raise InputError("no such sentences", f"a document or folder {document!r}")
        parts: Parts = ["train"] * len(records)
        for rank, index in enumerate(core):
            parts[index] = _tenth(rank, len(core))
        held_out = {r.text for r, part in zip(records, parts, strict=True) if part != "train"}
        return [
            None
            if part == "train" and record.document != document and record.text in held_out
            else part
            for record, part in zip(records, parts, strict=True)
        ]

    return split


def documents(lists: dict[str, frozenset[str]]) -> Split:
    """A document is in the part whose list names it; documents on no list are left out."""

    def split(records: Sequence[Record]) -> Parts:
        part_of = {name: part for part, names in lists.items() for name in names}
        return [part_of.get(record.document) for record in records]

    return split
