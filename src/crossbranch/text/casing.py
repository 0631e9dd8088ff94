"""Casing: how words are usually written, for sentences that are typed IN CAPITALS or in lower case.

Taggers and parsers know words as their treebank writes them. "HAUS" is new to them, and "haus" is
no noun. So sentences without any small letter, or without any capital, are read in the usual
casing. The tokens of the tree stay as they were typed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import msgspec

from crossbranch import json_texts
from crossbranch.doors import door
from crossbranch.errors import InputError
from crossbranch.punctuation import is_punctuation_word
from crossbranch.tree import Sentence

_VERSION = 1
_MOSTLY = 0.7  # of the sentences that begin with a letter
_FEWEST_WORDS = 2  # "USA" alone says nothing about the casing of a sentence


class _Stored(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    capital_first: bool
    words: list[str]


@dataclass(frozen=True)
class Casing:
    """The usual casing of words, learned from a treebank."""

    usual: Mapping[str, str]
    """The words that usually have capitals, by the same word in lower case."""

    capital_first: bool = True
    """Whether sentences begin with a capital letter."""

    @classmethod
    @door
    def learn(cls, sentences: Iterable[Sentence]) -> Casing:
        """Learn from sentences that have small letters. Their first words do not count."""
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        starts: Counter[bool] = Counter()
        for sentence in sentences:
            words = [token.form for token in sentence if has_letters(token.form)]
            if not words or all(map(str.isupper, words)):
                continue
            starts[words[0][:1].isupper()] += 1
            for word in words[1:]:
                counts[word.lower()][word] += 1
        usual = {lower: found.most_common(1)[0][0] for lower, found in counts.items()}
        return cls(
            {lower: word for lower, word in usual.items() if word != lower},
            capital_first=starts[True] >= _MOSTLY * max(starts.total(), 1),
        )

    @door
    def read(self, sentence: Sentence) -> Sentence:
        """Return the tokens as they are usually written, if they are all in one case."""
        text = "".join([token[0] for token in sentence])
        if not (text.isupper() or text.islower()):
            return sentence
        places = [i for i, token in enumerate(sentence) if has_letters(token[0])]
        if len(places) < _FEWEST_WORDS:
            return sentence
        tokens = list(sentence)
        for place in places:
            lower = tokens[place].form.lower()
            tokens[place] = tokens[place]._replace(form=self.usual.get(lower, lower))
        if self.capital_first:
            first = tokens[places[0]]
            tokens[places[0]] = first._replace(form=first.form[:1].upper() + first.form[1:])
        return tuple(tokens)

    def to_json(self) -> bytes:
        """Return the JSON for a model folder."""
        words = sorted(self.usual.values())
        return json_texts.encode(_Stored(_VERSION, self.capital_first, words))

    @classmethod
    @door
    def from_json(cls, data: bytes, *, path: str) -> Casing:
        """Return what `to_json` stored.

        Raises:
            InputError: The data is not such JSON.
        """
        try:
            stored = json_texts.decode(data, _Stored)
        except (ValueError, RecursionError) as error:
            raise InputError(str(error), "the casing of words as JSON", path=path) from None
        if stored.version != _VERSION:
            raise InputError(f"version {stored.version}", f"version {_VERSION}", path=path)
        return cls({word.lower(): word for word in stored.words}, stored.capital_first)


def has_letters(word: str) -> bool:
    """Return whether a token is a word with letters, and not a bracket such as `-LRB-`."""
    return (word.isupper() or any(map(str.isalpha, word))) and not is_punctuation_word(word)
