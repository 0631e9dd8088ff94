"""Hides words from a model, so that it sees sentences as unfamiliar as text of another kind.

A calibration that has only seen dev trees of one kind cannot know how many more mistakes a parser
makes on other text. So it also learns from dev sentences in which some words are replaced by
made-up ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from crossbranch.confidence.doubt import KnownWords
from crossbranch.tree import Sentence, Token, Tree

_SHORTEST = 4  # characters of a made-up word: shorter ones may exist
_TRIES = 5  # to make up a word that is not known


def with_hidden_words(parser: Any, trees: Sequence[Tree], *, seed: int = 1) -> list[Tree]:
    """Return trees in which many words are replaced by made-up ones, with new tags.

    The share of replaced words is a different one in each sentence, between none and all of them.
    Without a tagger, the tags stay. If it is not known which words the model knows, there are no
    trees.
    """
    known_words: KnownWords | None = parser.known_words
    if known_words is None:
        return []
    maker = _WordMaker(known_words, trees, seed)
    sentences = [maker.hidden(tree.sentence) for tree in trees]
    if parser.tagger is not None:
        tags = parser.tagger.tag(sentences)
        sentences = [tuple(map(_tagged, *each)) for each in zip(sentences, tags, strict=True)]
    return [
        tree.replace(sentence=sentence) for tree, sentence in zip(trees, sentences, strict=True)
    ]


def _tagged(token: Token, tag: str) -> Token:
    return token._replace(tag=tag)


class _WordMaker:
    """Makes up words from the letters of some trees."""

    def __init__(self, known_words: KnownWords, trees: Iterable[Tree], seed: int) -> None:
        self._known = known_words
        self._random = Random(seed)
        forms = (token.form for tree in trees for token in tree.sentence)
        self._letters = "".join(filter(str.isalpha, "".join(forms).lower())) or "x"

    def hidden(self, sentence: Sentence) -> Sentence:
        """Return a sentence in which known words are replaced."""
        share = self._random.random()
        return tuple([self._hidden(token, share) for token in sentence])

    def _hidden(self, token: Token, share: float) -> Token:
        unknown, words = self._known.count((token,))
        if unknown or not words or self._random.random() >= share:
            return token
        return token._replace(form=self._made_up(token.form))

    def _made_up(self, form: str) -> str:
        """Return an unknown word with the same first letter. Long words stay long."""
        size = max(len(form), _SHORTEST) - 1
        for _ in range(_TRIES):
            made = form[0] + "".join(self._random.choices(self._letters, k=size))
            if self._known.count((Token(made),))[0]:
                break
        return made
