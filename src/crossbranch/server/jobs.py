"""A request to parse, from its sentences to the bytes of its answer."""

from __future__ import annotations

from asyncio import Future
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from crossbranch.parsers import ScoredTree
from crossbranch.parsers.sentences import SentenceLike
from crossbranch.server.answers import AnswerWriter
from crossbranch.server.errors import ApiError
from crossbranch.server.limits import Limits
from crossbranch.server.models import LoadedModel
from crossbranch.tree import Tree

_TYPICAL_LENGTH = 20  # tokens of a sentence
_TYPICAL_WORD = 5  # characters


class Way(NamedTuple):
    """How sentences are parsed. Only requests with the same way can share a batch."""

    model: str
    k_best: int
    confidence: bool
    functions: bool
    options: tuple[tuple[str, Any], ...]


@dataclass(eq=False)
class ParseJob:
    """The sentences of one request, and the trees found so far."""

    model: LoadedModel
    way: Way
    texts: Sequence[str] | None
    tokens: Sequence[Sequence[str]] | None
    limits: Limits
    writer: AnswerWriter
    answer: Future[bytes]
    sentences: list[SentenceLike] | None = None
    """None until the texts are split."""

    text_numbers: list[int] = field(default_factory=list)
    """With texts, the number of the text of each sentence."""

    done: int = 0
    """How many sentences have their trees."""

    def split(self) -> None:
        """Split the texts into sentences, once.

        Raises:
            ApiError: There are too many sentences, or one is too long.
        """
        if self.sentences is not None:
            return
        if self.texts is None:
            self.sentences = list(self.tokens or ())
            self._check(self.sentences)
            return
        sentences: list[SentenceLike] = []
        for number, text in enumerate(self.texts):
            some = self.model.split(text)
            self._check([tree.sentence for tree in some])
            sentences += some
            self.text_numbers += [number] * len(some)
        self.sentences = sentences

    def _check(self, sentences: Sequence[Any]) -> None:
        most = self.limits.sentences - len(self.text_numbers)
        if len(sentences) > most:
            raise ApiError(
                413,
                "too_many_sentences",
                f"the request has more than {self.limits.sentences:,} sentences; send fewer",
            )
        longest = max(map(len, sentences), default=0)
        if longest > self.limits.sentence_tokens:
            raise ApiError(
                422,
                "sentence_too_long",
                f"a sentence has {longest:,} tokens, expected at most"
                f" {self.limits.sentence_tokens:,}",
            )

    def take(self, tokens: int) -> list[SentenceLike]:
        """Return the next sentences, with about as many tokens; at least one if there is any."""
        assert self.sentences is not None
        first = last = self.done
        while last < len(self.sentences) and (tokens > 0 or last == first):
            tokens -= length_of(self.sentences[last])
            last += 1
        return self.sentences[first:last]

    def add(self, found: Sequence[list[ScoredTree]]) -> None:
        """Write the trees of the next sentences."""
        for number, trees in enumerate(found, self.done):
            self.writer.add(trees, self.text_numbers[number] if self.texts is not None else None)
        self.done += len(found)

    @property
    def is_complete(self) -> bool:
        """Whether every sentence has its trees."""
        return self.sentences is not None and self.done == len(self.sentences)

    @property
    def size(self) -> int:
        """About how many tokens are still to be parsed."""
        if self.sentences is not None:
            return _TYPICAL_LENGTH * (len(self.sentences) - self.done)
        if self.texts is not None:
            return 1 + sum(map(len, self.texts)) // _TYPICAL_WORD
        return 1 + sum(map(len, self.tokens or ()))


def length_of(sentence: SentenceLike) -> int:
    """Return the number of tokens of a sentence."""
    return len(sentence.sentence if isinstance(sentence, Tree) else sentence)
