"""Words, characters and tags as numbers, as networks see them. Unknown ones have the number 0."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from crossbranch.errors import InputError
from crossbranch.tree import Sentence

UNKNOWN, START, STOP = 0, 1, 2
"""Numbers of characters: an unknown one, and the marks before and after a word."""
_FIRST = 3  # the number of the first known character
_LONGEST = 40  # characters of a word that are looked at: the first and the last half of them


class EncodedTokens(NamedTuple):
    """The tokens of some sentences as numbers, one sentence after the other."""

    lengths: array[int]
    """The number of tokens of each sentence."""
    words: array[int]
    tags: array[int]
    """Empty if the vocabulary has no tags."""
    forms: array[int]
    """For each token, the number of its form among the different forms of these sentences."""
    characters: array[int]
    """The characters of all different forms, each with its start and stop."""
    form_lengths: array[int]
    """The number of characters of each form, with start and stop."""


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What a network knows of tokens. The most frequent words come first."""

    words: tuple[str, ...]
    characters: str
    tags: tuple[str, ...] = ()
    """The tags that the network sees as input; not those that it predicts."""
    extra: int = 0
    """The number of words, the last ones, that come from word vectors and not from trees."""

    @classmethod
    def of(
        cls,
        sentences: Iterable[Sentence],
        *,
        min_count: int = 1,
        has_tags: bool = False,
        known: Container[str] = (),
    ) -> Vocabulary:
        """Collect words with at least `min_count` occurrences, all characters, and tags.

        The words in `known` are collected even if they occur once.
        """
        words: Counter[str] = Counter()
        tags: set[str] = set()
        for sentence in sentences:
            words.update([token.form for token in sentence])
            if has_tags:
                tags.update([token.tag for token in sentence])
        kept = [word for word, count in words.items() if count >= min_count or word in known]
        kept.sort(key=lambda word: (-words[word], word))
        characters = "".join(sorted(set().union(*words)))
        return cls(words=tuple(kept), characters=characters, tags=tuple(sorted(tags)))

    def with_words(self, words: Sequence[str]) -> Vocabulary:
        """Return a vocabulary that also has these words, after its own."""
        return msgspec.structs.replace(
            self, words=(*self.words, *words), extra=self.extra + len(words)
        )

    @property
    def learned_count(self) -> int:
        """The number of words that come from trees."""
        return len(self.words) - self.extra

    @property
    def word_count(self) -> int:
        """The number of word numbers, with that of unknown words."""
        return len(self.words) + 1

    @property
    def character_count(self) -> int:
        """The number of character numbers, with those of unknown ones and of the marks."""
        return len(self.characters) + _FIRST

    @property
    def tag_count(self) -> int:
        """The number of tag numbers, with that of unknown tags."""
        return len(self.tags) + 1

    @cached_property
    def _words(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, 1)}

    @cached_property
    def _tags(self) -> dict[str, int]:
        return {tag: number for number, tag in enumerate(self.tags, 1)}

    @cached_property
    def _characters(self) -> dict[str, int]:
        return {character: number for number, character in enumerate(self.characters, _FIRST)}

    def __contains__(self, form: object) -> bool:
        return isinstance(form, str) and self._number(form) != UNKNOWN

    def _number(self, form: str) -> int:
        """Return the number of a word. Many word vectors are only for words in small letters."""
        number = self._words.get(form, UNKNOWN)
        return number or (self._words.get(form.lower(), UNKNOWN) if self.extra else UNKNOWN)

    def spelled(self, form: str) -> list[int]:
        """Return the characters of a form, with start and stop. Very long forms lose their middle.

        >>> Vocabulary(words=(), characters="ab").spelled("bax")
        [1, 4, 3, 0, 2]
        """
        if len(form) > _LONGEST:
            form = form[: _LONGEST // 2] + form[-_LONGEST // 2 :]
        known = self._characters
        return [START, *[known.get(character, UNKNOWN) for character in form], STOP]

    def inputs(self, sentences: Sequence[Sentence]) -> dict[str, Any]:
        """Return the tokens of sentences as numbers, by the names that the core has for them."""
        found = self.encode(sentences)._asdict()
        return found if self.tags else {**found, "tags": None}

    def encode(self, sentences: Sequence[Sentence]) -> EncodedTokens:
        """Return the tokens of sentences as numbers."""
        forms = [token.form for sentence in sentences for token in sentence]
        numbers = {form: number for number, form in enumerate(dict.fromkeys(forms))}
        spelled = [self.spelled(form) for form in numbers]
        tags, of_form = self._tags, [self._number(form) for form in numbers]
        return EncodedTokens(
            array("i", map(len, sentences)),
            array("i", [of_form[numbers[form]] for form in forms]),
            array("i", [tags.get(token.tag, UNKNOWN) for one in sentences for token in one])
            if self.tags
            else array("i"),
            array("i", [numbers[form] for form in forms]),
            array("i", [character for form in spelled for character in form]),
            array("i", map(len, spelled)),
        )

    def to_json(self) -> bytes:
        """Return the vocabulary as JSON."""
        return msgspec.json.encode(self)

    def check(self, path: str) -> None:
        """Raise an InputError that names `path` if something occurs twice."""
        parts: tuple[Sequence[Any], ...] = (self.words, self.characters, self.tags)
        if any(len(set(part)) != len(part) for part in parts):
            raise InputError("a word, character or tag twice", "each one once", path=path)
        if not 0 <= self.extra <= len(self.words):
            raise InputError(f"{self.extra} extra words", f"0 to {len(self.words)}", path=path)
