"""The answers to requests to parse: as JSON, or in a treebank format."""

from __future__ import annotations

from typing import Protocol

from crossbranch.confidence.doubt import reasons_to_doubt
from crossbranch.jobs.outputs import formatted
from crossbranch.jobs.parsing import ranked
from crossbranch.parsers import ScoredTree
from crossbranch.parsers.sentences import has_parse
from crossbranch.server.encoding import to_json
from crossbranch.server.schemas import FormattedTrees
from crossbranch.server.treebanks import written
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS
from crossbranch.treebank.records import record_of

NO_PARSE = "no parse"
"""The doubt about a flat tree, for which no parse was found."""


class AnswerWriter(Protocol):
    """Takes the trees of one sentence after the other, and writes the answer."""

    def add(self, trees: list[ScoredTree], text: int | None) -> None:
        """Take the trees of a sentence; `text` is the number of its text, if there are several."""

    def body(self) -> bytes:
        """Return the body of the response."""


class JsonAnswer:
    """Trees as JSON objects. They are encoded sentence by sentence, while others are parsed."""

    def __init__(self, model: str, *, scores: bool, confidence: bool, texts: bool) -> None:
        """Begin an answer.

        Args:
            model: The name of the model.
            scores: Whether to write the scores of trees.
            confidence: Whether to write their confidence.
            texts: Whether to write the number of the text.
        """
        self._model, self._texts = model, texts
        self._scores, self._confidence = scores, confidence
        self._parts: list[bytes] = []

    def add(self, trees: list[ScoredTree], text: int | None) -> None:
        """Take the trees of a sentence."""
        best = trees[0].tree
        more: dict[str, object] = {}
        if self._scores:
            more["scores"] = [one.score for one in trees]
        if self._confidence:
            more["confidence"] = [one.tree.confidence for one in trees]
        if best.features:
            more["doubts"] = [*reasons_to_doubt(best), *([] if has_parse(best) else [NO_PARSE])]
        if self._texts:
            more["text"] = text
        found = b",".join([_tree_json(one.tree) for one in trees])
        end = b"," + to_json(more)[1:] if more else b"}"
        self._parts.append(b'{"trees":[%b]%b' % (found, end))

    def body(self) -> bytes:
        """Return the body of the response."""
        sentences = b",".join(self._parts)
        return b'{"model":%b,"sentences":[%b]}' % (to_json(self._model), sentences)


def _tree_json(tree: Tree) -> bytes:
    """Return a tree as JSON lines have it. Ordinary trees are written by the core."""
    try:
        return FORMATS["json"].write_tree(tree, 1).encode().rstrip()
    except UnicodeEncodeError:  # halves of surrogate pairs
        return to_json(record_of(tree))


class FormattedAnswer:
    """Trees in a treebank format. K-best lists are numbered, as the command line does it."""

    def __init__(self, model: str, format: str, *, is_ranked: bool) -> None:
        """Begin an answer in this format."""
        self._model, self._format, self._is_ranked = model, format, is_ranked
        self._trees: list[Tree] = []
        self._count = 0

    def add(self, trees: list[ScoredTree], text: int | None) -> None:
        """Take the trees of a sentence."""
        self._count += 1
        numbered = [one._replace(tree=one.tree.replace(id=str(self._count))) for one in trees]
        self._trees += ranked(numbered) if self._is_ranked else [one.tree for one in numbered]

    def body(self) -> bytes:
        """Return the body of the response."""
        writer = formatted(FORMATS[self._format])
        content = written(self._trees, writer)
        return to_json(FormattedTrees(self._model, self._format, content, writer.losses))
