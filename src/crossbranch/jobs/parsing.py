"""Tags, trees, k-best lists and confidence for the sentences of a job."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from crossbranch.config import to_toml
from crossbranch.doors import door
from crossbranch.errors import OptionError
from crossbranch.jobs.inputs import JobInput
from crossbranch.jobs.sentences import ReadingOptions
from crossbranch.parsers import Parser
from crossbranch.parsers.parser import ScoredTree
from crossbranch.tree import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseOptions:
    """What to do with each sentence."""

    keep_tags: bool = False
    """Use the tags of treebanks."""
    tags_only: bool = False
    """Only tag the sentences; do not parse them."""
    k_best: int | None = None
    confidence: bool = False
    functions: bool = True
    """Give nodes and tokens their functions, and mark heads."""
    threads: int = 1
    search: Mapping[str, Any] = field(default_factory=dict)
    """Options of this kind of parser, such as `beam`."""

    @door
    def check(self, parser: Parser, inputs: Sequence[JobInput]) -> None:
        """Check that the options fit each other, the model, and the inputs.

        Raises:
            OptionError: They do not. The message says what is wrong.
        """
        if self.tags_only:
            self._check_tags_only(parser)
        if self.keep_tags and not any(input.may_be_treebank for input in inputs):
            message = "{0} needs a treebank, but no input is a treebank"
            raise OptionError(message, "keep_tags")

    def _check_tags_only(self, parser: Parser) -> None:
        if parser.tagger is None and not parser.tags_by_itself:
            message = "{0} needs a model with a tagger, but this model has none"
            raise OptionError(message, "tags_only")
        if self.k_best is not None or self.confidence:
            message = "{0} makes no trees; remove {1} and {2}"
            raise OptionError(message, "tags_only", "k_best", "confidence")
        if self.search:
            message = "{0} does not search for trees; remove {1}"
            raise OptionError(message, "tags_only", next(iter(self.search)))
        if self.keep_tags:
            message = "{0} predicts tags, but {1} keeps the tags of the input; give one of them"
            raise OptionError(message, "tags_only", "keep_tags")

    @door
    def reading(self, parser: Parser, **others: Any) -> ReadingOptions:
        """Return the reading options for this parser. `others` are further fields."""
        tagger = (
            None if self.tags_only else parser.tagger
        )  # with tags_only, the tagger makes all tags
        return ReadingOptions(
            keep_tags=self.keep_tags,
            needs_tags=parser.needs_tags,
            known_tags=None if tagger is None else frozenset(tagger.tags),
            tokenizer=parser.tokenizer,
            **others,
        )

    @door
    def parsed(
        self, parser: Parser, sentences: Iterable[Tree], *, live: bool = False
    ) -> Iterator[list[Tree]]:
        """Yield the trees of each sentence. If `live`, do not wait for the next sentence."""
        options: dict[str, Any] = {"threads": self.threads, "live": live}
        if self.tags_only:
            return ([tree] for tree in parser.tag(sentences, **options))
        options |= {
            "confidence": self.confidence,
            "functions": self.functions,
            **self.search,
        }
        if self.k_best is None:
            return ([tree] for tree in parser.parse_many(sentences, **options))
        return map(ranked, parser.parse_k_best(sentences, self.k_best, **options))

    def identity(self) -> dict[str, Any]:
        """Return the options that the trees depend on, by name."""
        return {
            "confidence": self.confidence,
            "functions": self.functions,
            "k_best": self.k_best,
            "keep_tags": self.keep_tags,
            "tags_only": self.tags_only,
            **self.search,
        }


@door
def ranked(scored: Sequence[ScoredTree]) -> list[Tree]:
    """Return the trees of a k-best list, numbered so that one file can hold them all.

    Their ids end in `.1`, `.2` and so on, and their scores are comments. Of the trees of the first
    sentence of a document, only the best one keeps the comment that names the document.
    """
    return [
        one.tree.replace(
            id=f"{one.tree.id}.{rank}",
            comments=(*_comments(one.tree, rank), _score(one.score)),
        )
        for rank, one in enumerate(scored, 1)
    ]


def _score(score: float | None) -> str:
    return "no parse" if score is None else f"score {score:.6g}"


def _comments(tree: Tree, rank: int) -> Iterator[str]:
    return (text for text in tree.comments if rank == 1 or not text.startswith("newdoc"))


@door
def identity_of(parser: Parser) -> bytes:
    """Return bytes that identify a model, whatever its folder."""
    return to_toml(parser.settings).encode() + msgspec.json.encode(dict(parser.about))
