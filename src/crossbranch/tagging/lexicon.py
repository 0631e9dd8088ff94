"""Lexicon: the words of the training data, with the tags that each had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Self

import msgspec

from crossbranch import json_texts
from crossbranch.errors import InputError
from crossbranch.tree import Sentence

KNOWN_FROM = 2
"""How often a word must occur in the training data to be known."""
_LEAST_SHARE = 0.1  # of a tag among those of a word; rarer tags are mostly errors


class Lexicon:
    """Words with their classes: the tags that a word had, the most frequent first."""

    def __init__(self, classes: Mapping[str, Sequence[int]]) -> None:
        """Make a lexicon from words and the numbers of their tags."""
        self.classes = {word: tuple(numbers) for word, numbers in classes.items()}

    @classmethod
    def of(cls, sentences: Iterable[Sentence], numbers: Mapping[str, int]) -> Self:
        """Learn a lexicon from sentences, with the numbers of the tags."""
        counts: dict[str, Counter[int]] = {}
        for sentence in sentences:
            for token in sentence:
                counts.setdefault(token.form, Counter())[numbers[token.tag]] += 1
        return cls(
            {
                word: _frequent(tags)
                for word, tags in sorted(counts.items())
                if tags.total() >= KNOWN_FROM
            }
        )

    def __contains__(self, word: object) -> bool:
        return word in self.classes

    def __len__(self) -> int:
        return len(self.classes)

    def __eq__(self, other: object) -> bool:
        return self.classes == other.classes if isinstance(other, Lexicon) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def to_json(self) -> bytes:
        """Return the lexicon as JSON: the words of each class."""
        words: dict[tuple[int, ...], list[str]] = {}
        for word, numbers in self.classes.items():
            words.setdefault(numbers, []).append(word)
        return json_texts.encode([_Class(numbers, found) for numbers, found in words.items()])

    @classmethod
    def from_json(cls, data: bytes, *, tag_count: int, path: str = "") -> Self:
        """Read what `to_json` wrote; errors name `path`."""
        try:
            read = json_texts.decode(data, list[_Class])
            classes = {word: found.tags for found in read for word in found.words}
            if len(classes) != sum(len(found.words) for found in read):
                raise ValueError("a word twice")
            if not all(0 <= number < tag_count for found in read for number in found.tags):
                raise ValueError("a number without a tag")
        except (ValueError, RecursionError) as error:  # of JSON, and ours
            raise InputError(str(error), "words and the numbers of tags", path=path) from None
        return cls(classes)


class _Class(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    tags: tuple[int, ...]
    words: list[str]


def _frequent(tags: Counter[int]) -> tuple[int, ...]:
    least = _LEAST_SHARE * tags.total()
    ranked = sorted(tags.items(), key=lambda item: (-item[1], item[0]))
    return tuple([number for number, count in ranked if count >= least])
