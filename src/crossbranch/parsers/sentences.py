"""What may be parsed, as tokens, in batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from crossbranch.errors import UsageError
from crossbranch.tree import Sentence, Token, Tree

SentenceLike = Tree | Sequence[Token] | Sequence[str] | Sequence[tuple[str, str]]
"""A tree, or its tokens, words with tags, or bare words."""

_BATCH_TOKENS = 8192  # enough for some threads; little enough to keep
_BATCH_SENTENCES = 1024


class Request(NamedTuple):
    """What is to be parsed, and what is to be written on the tree."""

    sentence: Sentence
    id: str = ""
    comments: tuple[str, ...] = ()


def batches(sentences: Iterable[SentenceLike]) -> Iterator[list[Request]]:
    """Gather sentences, as they come, into lists of a good size."""
    batch: list[Request] = []
    tokens = 0
    for sentence in sentences:
        request = request_for(sentence)
        batch.append(request)
        tokens += len(request.sentence)
        if tokens >= _BATCH_TOKENS or len(batch) >= _BATCH_SENTENCES:
            yield batch
            batch, tokens = [], 0
    if batch:
        yield batch


def request_for(sentence: SentenceLike) -> Request:
    """Take the tokens of a sentence; functions are of a tree that is not to be seen."""
    if isinstance(sentence, Tree):
        return Request(_bare(sentence.sentence), sentence.id, sentence.comments)
    if isinstance(sentence, str):
        raise UsageError(f"the sentence {sentence!r} is one text, expected its words in a list")
    return Request(_bare([_token(word) for word in sentence]))


def _bare(tokens: Sequence[Token]) -> Sentence:
    return tuple([token._replace(edge_label="") if token.edge_label else token for token in tokens])


def _token(word: object) -> Token:
    if isinstance(word, Token):
        return word
    if isinstance(word, str):
        return Token(word)
    if isinstance(word, tuple) and len(word) == 2 and all(isinstance(part, str) for part in word):
        return Token(*word)
    raise UsageError(f"a sentence holds {word!r}, expected a token, (word, tag), or a word")
