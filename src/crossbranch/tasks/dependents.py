"""Dependencies as labels of words: relative tags, and the dependents of a word on each side.

A relative tag is `VB_1_aux`: the head is the first word with the tag VB to the right, and the
relation is aux. The head of the sentence has `root_-1_root` (Spoustová & Spousta 2010; Strzyz et
al. 2019).

A label of dependents is `2:2_1:4`: the dependent 2 words away is argument 2, and the one 4 words
away is argument 1. A label for words to the left has negative distances. Words without dependents
on that side have 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

ROOT_LABEL = "root_-1_root"
FARTHEST_TAG, FARTHEST_WORD = 3, 5
"""The usual limits: words with the tag that are counted, and the distance of dependents."""


class Edge(NamedTuple):
    """A word, one of its dependents, and the name of their relation."""

    head: int
    dependent: int
    name: str


def relative_tags(
    tags: Sequence[str], heads: Sequence[int], relations: Sequence[str], *, farthest: int
) -> list[str]:
    """Return the label of each word.

    Args:
        tags: The tags of the words.
        heads: The head of each word; -1 for the head of the sentence.
        relations: The relation of each word to its head.
        farthest: The largest number in a label; 0: no limit.
    """
    labels = []
    for word, (head, name) in enumerate(zip(heads, relations, strict=True)):
        if head < 0:
            labels.append(ROOT_LABEL)
            continue
        tag = tags[head]
        between = tags[word + 1 : head + 1] if head > word else tags[head:word]
        number = _limited(between.count(tag), farthest) * (1 if head > word else -1)
        labels.append(f"{tag}_{number}_{name}")
    return labels


def read_relative_tags(labels: Sequence[str], tags: Sequence[str]) -> list[tuple[int | None, str]]:
    """Return head and relation of each word; the inverse of `relative_tags`.

    The head is None if the sentence has no such word, or if the text is not a label. If a limit
    made the number smaller, the head is a word with the right tag, but perhaps not the right one.
    """
    return [_read(label, word, tags) for word, label in enumerate(labels)]


def _read(label: str, word: int, tags: Sequence[str]) -> tuple[int | None, str]:
    if label == ROOT_LABEL:
        return -1, "root"
    for start in range(1, len(label)):  # tags and relations may have a _ of their own
        tag, rest = label[:start], label[start:]
        number, mark, name = rest[1:].partition("_")
        if rest[0] != "_" or not mark or not _is_number(number):
            continue
        if tag not in tags:
            continue
        count = int(number)
        step = 1 if count > 0 else -1
        places = range(word + 1, len(tags)) if count > 0 else range(word - 1, -1, -1)
        found = [place for place in places if tags[place] == tag]
        return (found[step * count - 1], name) if len(found) >= step * count else (None, name)
    return None, ""


def _is_number(text: str) -> bool:
    return re.fullmatch("-?[0-9]{1,9}", text) is not None and int(text) != 0


def dependent_labels(
    count: int, edges: Iterable[Edge], side: Literal["left", "right"], *, farthest: int
) -> list[str]:
    """Return the label of each word for its dependents on one side.

    Args:
        count: The number of words.
        edges: The dependencies. A word may have several heads.
        side: "left" or "right".
        farthest: The largest distance in a label; 0: no limit.
    """
    below: list[list[tuple[int, str]]] = [[] for _ in range(count)]
    for head, dependent, name in edges:
        if (dependent > head) if side == "right" else (dependent < head):
            below[head].append((dependent, name))
    return ["_".join(_parts(word, found, farthest)) or "0" for word, found in enumerate(below)]


def _parts(word: int, below: list[tuple[int, str]], farthest: int) -> list[str]:
    found = []
    for dependent, name in sorted(below):
        distance = dependent - word
        sign = 1 if distance > 0 else -1
        found.append(f"{name}:{sign * _limited(abs(distance), farthest)}")
    return found


def _limited(number: int, farthest: int) -> int:
    return min(number, farthest) if farthest else number


def without_subtype(relation: str) -> str:
    """Return a relation without its subtype: nmod for nmod:poss."""
    return relation.partition(":")[0] or relation
