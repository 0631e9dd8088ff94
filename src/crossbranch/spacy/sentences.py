"""The sentences of a document, as a parser takes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from spacy.tokens import Doc, Span

from crossbranch.errors import UsageError
from crossbranch.parsers import Parser
from crossbranch.spacy.stored import token_of
from crossbranch.text import Tokenizer
from crossbranch.tree import ROOT, Node, Token, Tree

_NO_START = 2**64 - 1  # -1, as spaCy's arrays of unsigned numbers have it


class DocSentence(NamedTuple):
    """A sentence of a document: its tokens there, and those that the parser gets."""

    start: int
    end: int
    """The tokens of the document from `start` up to `end`."""
    given: Tree
    """A flat tree with the tokens for the parser, and their offsets in the document."""


def sentences_of(doc: Doc, parser: Parser, *, splits: bool) -> list[DocSentence]:
    """Return the sentences of a document.

    If the document has no sentences yet, the tokenizer of the model finds them, and the document
    gets them.

    Args:
        doc: The document.
        parser: The parser.
        splits: Split the text as the model does. Otherwise, the parser gets the tokens of spaCy.

    Raises:
        UsageError: The document has no sentences or no tags, and the model cannot make them.
    """
    if not len(doc):
        return []
    if len(doc) > 1 and not doc.has_annotation("SENT_START"):
        found = list(_split(doc, _tokenizer(parser)))
        _mark(doc, {sentence.start for sentence in found})
        if splits:
            return found
    if splits:
        tokenizer = _tokenizer(parser)
        return [
            DocSentence(s.start, s.end, tokenizer.tokenize(s.text, start=s.start_char))
            for s in doc.sents
        ]
    return [DocSentence(s.start, s.end, _as_it_is(s, parser)) for s in doc.sents]


def _tokenizer(parser: Parser) -> Tokenizer:
    if parser.tokenizer is None:
        raise UsageError(
            "the document has no sentences, and this model has no tokenizer to find them; add a"
            ' component that does, such as nlp.add_pipe("sentencizer"), before crossbranch'
        )
    return parser.tokenizer


def _split(doc: Doc, tokenizer: Tokenizer) -> Iterator[DocSentence]:
    """Yield the sentences that the model finds. They begin and end where tokens of spaCy do.

    If a sentence begins inside a token of spaCy, it is joined with the one before it.
    """
    places = {token.idx: token.i for token in doc}
    waiting: list[Token] = []
    start = 0
    for tree in tokenizer.split(doc.text):
        first = places.get(tree.sentence[0].start or 0)
        if waiting and first is not None:
            yield DocSentence(start, first, _flat(waiting))
            start, waiting = first, []
        waiting.extend(tree.sentence)
    yield DocSentence(start, len(doc), _flat(waiting))


def _mark(doc: Doc, starts: set[int]) -> None:
    """Set the sentence starts all at once: spaCy checks the whole document each time."""
    marks = doc.to_array("SENT_START")
    for number in range(len(doc)):
        marks[number] = 1 if number in starts else _NO_START
    doc.from_array("SENT_START", marks)  # type: ignore[arg-type]


def _as_it_is(sentence: Span, parser: Parser) -> Tree:
    tokens = []
    for token in sentence:
        if token.is_space:
            continue
        if parser.needs_tags and not token.tag_:
            raise UsageError(
                f"the token {token.text!r} has no tag, and this model has no tagger; add a tagger"
                " before crossbranch"
            )
        tokens.append(token_of(token)._replace(tag=token.tag_ if parser.needs_tags else ""))
    return _flat(tokens)


def _flat(tokens: list[Token]) -> Tree:
    return Tree(tokens, Node(ROOT, range(len(tokens))))
