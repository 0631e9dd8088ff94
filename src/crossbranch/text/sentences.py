"""Sentence ends: learn from a treebank after which chunk a sentence ends."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from crossbranch.text.characters import FULL_STOPS
from crossbranch.text.perceptron import Example, learn, score

LOOK_AHEAD = 3
"""How many chunks after a place are looked at."""

_ALWAYS = frozenset(".?!…:;" + FULL_STOPS)  # candidates in any language
_CLOSING = "\"'”’“»«)]}"
_MARKS = "\"'`„“”‘’‚«»()[]{}<>.,;:?!…-–—*" + FULL_STOPS
_SELDOM = 2000  # a character that ends fewer than one in this many sentences is not a candidate
_WEAK = 20  # a mark after which fewer than one in so many chunks end a sentence is a weak one
_EPOCHS = 6
_LENGTHS = "0123445556666667777777777777778"


# Smileys, hands and signs, but not hearts, which stand for a verb, too.
_EMOJI = re.compile(
    "[\U0001f300-\U0001f493\U0001f4a0-\U0001faff\u2600-\u2660\u2667-\u2762][\ufe0f\u200d\U0001f3fb-\U0001f3ff]*"
)


def is_candidate(chunk: str, ends: SentenceEnds) -> bool:
    """Return whether a sentence may end after a chunk: it ends in such a mark or in an emoji."""
    return chunk[-1] in ends.enders or (chunk[-1] > "\u25ff" and plain(chunk)[-1] == "!")


def plain(chunk: str) -> str:
    """Return a chunk with exclamation marks instead of emoji: sentences end after both."""
    return chunk if chunk.isascii() else _EMOJI.sub("!", chunk)


def marks_in(chunk: str) -> tuple[int, int]:
    """Return how many more brackets open than close in a chunk, and its number of quotes."""
    opened = sum(map(chunk.count, "([")) - sum(map(chunk.count, ")]"))
    return opened, chunk.count('"')


def is_abbreviation(chunk: str, start: int) -> bool:
    """Return whether the last token of a chunk, which starts here, is a word with a period."""
    return chunk[-1] == "." and any(map(str.isalnum, chunk[start:]))


class View(NamedTuple):
    """The parts of a chunk that features use."""

    word: str  # in lower case, without marks around it
    tail: str  # the marks at its end
    head: str  # the marks at its start
    case: str
    two: str  # the last letters of the word
    three: str
    size: str
    comma: str
    end: str  # the mark at its end that matters most


def view(chunk: str) -> View:
    """Look at a chunk."""
    chunk = plain(chunk)
    without = chunk.lstrip(_MARKS)
    head = chunk[: len(chunk) - len(without)][:2]
    bare = chunk.rstrip(_MARKS)
    word = bare.lstrip(_MARKS).lower()
    comma = chunk[-1:] if chunk[-1:] in (",", ":") else ""
    tail = chunk[len(bare) :][-3:]
    end = next((mark for mark in "?!." if mark in tail), tail[-1:])
    return View(word, tail, head, _case(without), word[-2:], word[-3:], _size(word), comma, end)


class Place(NamedTuple):
    """A place between two chunks, and facts about the sentence before it."""

    views: Sequence[View]  # of two chunks before the place and LOOK_AHEAD after it; "" for none
    abbreviation: bool  # whether the chunk's last period is part of its last token
    length: int  # of the sentence so far, in chunks
    brackets: int  # opened and not closed
    quotes: int  # so far


def features(place: Place) -> list[str]:
    """Return the features of a place."""
    before, last, after, second, third = place.views
    word, tail, follow, case, head = last.word, last.tail, after.word, after.case, after.head
    if place.abbreviation:
        tail += "a"
    length = _LENGTHS[min(place.length, len(_LENGTHS) - 1)]
    open_quote = place.quotes % 2
    context = f"{tail}|{case}"
    return [
        f"0{tail}",
        f"1{context}",
        f"2{context}{head}",
        f"3{tail}|{follow}",
        f"4{tail}|{word}",
        f"5{context}|{last.three}",
        f"6{context}|{last.size}",
        f"7{context}|{length}",
        f"8{tail}|{max(min(place.brackets, 1), -1)}{open_quote}{head}",
        f"9{context}{open_quote}|{head}",
        f"a{follow}|{second.word}",
        f"b{follow}|{second.two}",
        f"c{tail}|{follow}|{second.three}",
        f"d{follow}|{third.two}",
        f"e{word}|{follow}",
        f"f{last.two}|{follow}",
        f"g{before.word}|{word}|{case}",
        f"h{follow}|{length}",
        f"i{second.word}|{case}",
        f"j{tail}|{third.word}",
        f"k{follow}|{second.two}|{third.two}",
        f"l{tail}{follow}|{after.comma}{second.case}",
        f"m{follow}|{last.three}|{second.two}",
        f"n{tail}|{second.word}",
        f"o{last.size}|{length}|{case}",
        f"p{last.end}|{case}{head}",
        f"q{last.end}|{case}{place.abbreviation}{open_quote}",
    ]


def _case(word: str) -> str:
    if not word:
        return "-"
    first = word[0]
    if first.islower():
        return "l"
    if first.isupper():
        return "U" if len(word) > 1 and word.isupper() else "u"
    return "0" if first.isdigit() else "o"


def _size(word: str) -> str:
    if word.isdigit():
        return f"0{min(len(word), 5)}"
    return f"{min(len(word), 6)}{'.' if '.' in word else ''}"


@dataclass(frozen=True)
class SentenceEnds:
    """Decides where sentences end."""

    weights: Mapping[str, int] = field(default_factory=dict)
    enders: frozenset[str] = _ALWAYS  # characters after which a sentence may end
    starters: frozenset[str] = frozenset()  # chunks that may start one after any other
    weak: frozenset[str] = frozenset()  # enders that end sentences only before a capital

    def may_be_between(self, chunk: str, after: str) -> bool:
        """Return whether a place between two chunks is looked at."""
        if after in self.starters:
            return True
        return is_candidate(chunk, self) and (chunk[-1] not in self.weak or after[0].isupper())

    def is_end(self, place: Place) -> bool:
        """Return whether a sentence ends at a place."""
        end = place.views[1].end
        if end and end in FULL_STOPS:
            return True
        return score(self.weights, features(place)) > 0

    @classmethod
    def learn(cls, paragraphs: Sequence[Sequence[Sequence[tuple[str, bool]]]]) -> SentenceEnds:
        """Learn from paragraphs: sentences of chunks, and which chunks end in an abbreviation."""
        ends = _candidates(paragraphs)
        examples: list[Example] = []
        for paragraph in paragraphs:
            for place, answer in _places(paragraph, ends):
                examples.append((features(place), answer))
        few, many = 30_000, 50_000  # large treebanks must not make large models
        fewest = 2 if len(examples) < few else 5 if len(examples) < many else 12
        weights = learn(examples, epochs=_EPOCHS, fewest=fewest, bias=8)
        return replace(ends, weights=weights)


def _candidates(paragraphs: Sequence[Sequence[Sequence[tuple[str, bool]]]]) -> SentenceEnds:
    """Find the characters that end sentences and the chunks that start them after a word."""
    last: Counter[str] = Counter()
    bare: Counter[str] = Counter()  # first chunks of sentences after one that ends in a word
    chunks: Counter[str] = Counter()
    for paragraph in paragraphs:
        ended = False  # whether a mark ended the sentence before; the first starts without
        for number, sentence in enumerate(paragraph):
            chunks.update(chunk for chunk, _ in sentence)
            if number and not ended:
                bare[sentence[0][0]] += 1
            end = sentence[-1][0][-1]
            ended = not end.isalnum()
            last[end] += ended
    few = last.total() / _SELDOM
    enders = _ALWAYS | {mark for mark, count in last.items() if count > few}
    starters = {c for c, n in bare.items() if n > max(few, 5) and n * 50 > chunks[c]}
    marks: Counter[str] = Counter()
    for chunk, count in chunks.items():
        marks[chunk[-1]] += count
    weak = {mark for mark in enders - _ALWAYS if last[mark] * _WEAK < marks[mark]}
    return SentenceEnds({}, frozenset(enders), frozenset(starters), frozenset(weak))


def _places(
    paragraph: Sequence[Sequence[tuple[str, bool]]], ends: SentenceEnds
) -> Iterator[tuple[Place, bool]]:
    """Yield the places of a paragraph where a sentence may end, and whether one does."""
    chunks = ["", *(chunk for sentence in paragraph for chunk, _ in sentence)]
    chunks += [""] * LOOK_AHEAD
    number = 0
    for sentence in paragraph:
        brackets = quotes = 0
        for length, (chunk, abbreviation) in enumerate(sentence, 1):
            number += 1
            opened, marks = marks_in(chunk)
            brackets += opened
            quotes += marks
            after = chunks[number + 1]
            if after and ends.may_be_between(chunk, after):
                before = chunks[number - 1] if length > 1 else ""
                around = (before, chunk, *chunks[number + 1 : number + 1 + LOOK_AHEAD])
                views = [view(chunk) for chunk in around]
                place = Place(views, abbreviation, length, brackets, quotes)
                yield place, length == len(sentence)
