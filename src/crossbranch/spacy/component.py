"""The component of spaCy pipelines that gives documents their trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Literal

from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc
from spacy.util import raise_error

from crossbranch.errors import UsageError
from crossbranch.parsers import Parser, load
from crossbranch.ranges import require_positive
from crossbranch.spacy.alignment import over_tokens
from crossbranch.spacy.sentences import DocSentence, sentences_of
from crossbranch.spacy.stored import store, token_of, with_text
from crossbranch.tree import Tree

TokensOf = Literal["model", "spacy"]
"""Whose tokens the parser reads."""

DEFAULTS: dict[str, Any] = {
    "model": "en",
    "tokens": "model",
    "beam": None,
    "search": {},
    "functions": True,
    "confidence": False,
    "set_tags": False,
    "set_lemmas": False,
    "threads": 1,
    "batch_size": None,
    "device": "cpu",
}
"""The settings of the component."""


@Language.factory(
    "crossbranch",
    default_config=DEFAULTS,
    assigns=["doc._.trees", "doc._.constituents", "span._.constituents", "span._.label"],
)
def make_component(
    nlp: Language,
    name: str,
    model: str,
    tokens: TokensOf,
    beam: int | None,
    search: dict[str, Any],
    functions: bool,
    confidence: bool,
    set_tags: bool,
    set_lemmas: bool,
    threads: int,
    batch_size: int | None,
    device: str,
) -> TreeParser:
    """Make the component. spaCy calls this for `nlp.add_pipe("crossbranch")`."""
    return TreeParser(
        load(model, device=device),
        name=name,
        tokens=tokens,
        search=search if beam is None else search | {"beam": beam},
        functions=functions,
        confidence=confidence,
        set_tags=set_tags,
        set_lemmas=set_lemmas,
        threads=threads,
        batch_size=batch_size,
    )


class TreeParser(Pipe):
    """Parses the sentences of documents. The trees are in `doc._.trees`."""

    def __init__(
        self,
        parser: Parser,
        *,
        name: str = "crossbranch",
        tokens: TokensOf = "model",
        search: dict[str, Any] | None = None,
        functions: bool = True,
        confidence: bool = False,
        set_tags: bool = False,
        set_lemmas: bool = False,
        threads: int = 1,
        batch_size: int | None = None,
    ) -> None:
        """Make a component from a parser.

        Args:
            parser: The parser.
            name: The name of the component in its pipeline.
            tokens: "model": the parser reads the text as its own tokenizer splits it. "spacy": it
                reads the tokens of spaCy. The trees are over the tokens of spaCy in both cases.
            search: Options of this kind of parser, such as `{"beam": 8}`.
            functions: As in `Parser.parse_many`.
            confidence: As in `Parser.parse_many`.
            set_tags: Set `token.tag_` to the tags of the model.
            set_lemmas: Set `token.lemma_` to the lemmas of the model.
            threads: As in `Parser.parse_many`.
            batch_size: The number of documents to parse together (default: as in `nlp.pipe`).

        Raises:
            UsageError: An option is wrong, or does not fit the model.
        """
        if batch_size is not None:
            require_positive(batch_size=batch_size)
        self.name = name
        self.parser = parser
        self._splits = tokens == "model" and parser.reads_text
        self._set_tags, self._set_lemmas = set_tags, set_lemmas
        if set_lemmas and parser.lemmatizer is None:
            raise UsageError("set_lemmas needs a model with lemmas, but this model has none")
        self._batch_size = batch_size
        self._options: dict[str, Any] = {
            "threads": threads,
            "functions": functions,
            "confidence": confidence,
            **(search or {}),
        }
        list(parser.parse_many([], **self._options))  # a wrong option is found now

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the model's trees."""
        return tuple(self.parser.labels)

    def __call__(self, doc: Doc) -> Doc:
        """Parse a document."""
        return next(self.pipe([doc], batch_size=1), doc)

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Parse documents in batches, and yield them in order."""
        handle = getattr(self, "error_handler", raise_error)
        for batch in _batches(stream, self._batch_size or batch_size):
            try:
                self._annotate(batch)
            except Exception as error:  # spaCy's convention: its error handler decides
                handle(self.name, self, batch, error)
            else:
                yield from batch

    def _annotate(self, docs: list[Doc]) -> None:
        found = [sentences_of(doc, self.parser, splits=self._splits) for doc in docs]
        given = [sentence.given for sentences in found for sentence in sentences]
        trees = self.parser.parse_many(given, **self._options)
        for doc, sentences in zip(docs, found, strict=True):
            text = doc.text  # spaCy joins its tokens each time
            parsed = [
                _aligned(doc, sentence, next(trees), number, text)
                for number, sentence in enumerate(sentences, 1)
            ]
            store(doc, parsed)
            self._set(doc, parsed)

    def _set(self, doc: Doc, trees: list[Tree]) -> None:
        """Give the tokens of the document the tags and lemmas of the trees, if wanted."""
        if not (self._set_tags or self._set_lemmas):
            return
        ours = (token for tree in trees for token in tree.sentence)
        for token, predicted in zip(doc, ours, strict=True):
            if self._set_tags and predicted.tag:
                token.tag_ = predicted.tag
            if self._set_lemmas and predicted.lemma:
                token.lemma_ = predicted.lemma


def _batches(stream: Iterable[Doc], size: int) -> Iterator[list[Doc]]:
    documents = iter(stream)
    while batch := list(islice(documents, size)):
        yield batch


def _aligned(doc: Doc, sentence: DocSentence, tree: Tree, number: int, text: str) -> Tree:
    tokens = [token_of(token) for token in doc[sentence.start : sentence.end]]
    return with_text(over_tokens(tree.replace(id=str(number), text=""), tokens), text)
