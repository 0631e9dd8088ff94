"""What may be parsed, as tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Literal, NamedTuple

from crossbranch.errors import UsageError
from crossbranch.tree import ROOT, Node, Sentence, Token, Tree

SentenceLike = str | Tree | Sequence[Token | str | tuple[str, str]]
"""A text, a tree, or a list of tokens, words, and pairs of a word and its tag."""

Tags = Literal["keep", "predict"]
"""Whether tags that are there are kept, or all are predicted."""

PARSE, NONE = "parse", "none"
"""The feature of a tree for whose sentence no parse was found."""

_make_token = partial(tuple.__new__, Token)  # quicker than Token itself


class Request(NamedTuple):
    """What is to be parsed, and what is to be written on the tree."""

    sentence: Sentence
    id: str = ""
    comments: tuple[str, ...] = ()
    text: str = ""

    def fallback(self) -> Tree:
        """Return a flat tree, marked as one for which no parse was found."""
        return self.tree().replace(features=((PARSE, NONE),))

    def tree(self, root: Node | None = None) -> Tree:
        """Return the tree with this root; a flat one if there is none."""
        return Tree(
            self.sentence,
            root or Node(ROOT, range(len(self.sentence))),
            id=self.id,
            comments=self.comments,
            text=self.text,
        )


def request_for(sentence: SentenceLike) -> Request:
    """Take the tokens of a sentence; functions are of a tree that is not to be seen."""
    if isinstance(sentence, Tree):
        bare = _bare(sentence.sentence)
        return Request(bare, sentence.id, sentence.comments, sentence.text)
    if not isinstance(sentence, Iterable):
        raise UsageError(f"a sentence is {sentence!r}, expected a text, a tree, tokens or words")
    return Request(_bare([_token(word) for word in sentence]))


def with_tags(sentence: Sentence, tags: Sequence[str], *, keep: bool = False) -> Sentence:
    """Return tokens with these tags; with `keep`, those that have some keep theirs."""
    return tuple(
        [
            token if keep and token[1] else _make_token((token[0], tag, *token[2:]))
            for token, tag in zip(sentence, tags, strict=True)
        ]
    )


def without_tags(request: Request) -> Request:
    """Return a request whose tokens have no tags."""
    if not any(token.tag for token in request.sentence):
        return request
    return Request(with_tags(request.sentence, [""] * len(request.sentence)), *request[1:])


def has_parse(tree: Tree) -> bool:
    """Say whether a tree was found by a parser, and is not just a fall-back."""
    return (PARSE, NONE) not in tree.features


def refuse_text(sentences: Iterable[SentenceLike]) -> None:
    """A text is iterable, too, but its letters are not sentences."""
    if isinstance(sentences, str):
        raise UsageError("one text was given, expected some sentences; see parse and parse_text")


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
