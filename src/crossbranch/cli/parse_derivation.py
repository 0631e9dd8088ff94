"""`crossbranch parse --derivation`: what a model did, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crossbranch.cli.derivation_target import kind_of, meanings_of, write_derivations
from crossbranch.cli.parse_call import Call
from crossbranch.errors import UsageError
from crossbranch.jobs import JobInput, JobSentences, ParseOptions
from crossbranch.parsers import ItemParser, Parser, TransitionParser
from crossbranch.search.items import OTHERS
from crossbranch.tree import Tree

if TYPE_CHECKING:
    from crossbranch.derivations import Show


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivationCall(Call):
    """A call of the command that shows derivations instead of trees."""

    others: int | None
    """How many items are shown besides those of the tree; None: as many as usual."""

    def _load(self) -> Parser:
        parser = Call._load(self)
        if not isinstance(parser, (TransitionParser, ItemParser)):
            raise UsageError(
                f"{self.model} is a model of kind {parser.kind}, which has no derivations; expected"
                " one with transitions, span charts or a grammar"
            )
        if self.others is not None and not isinstance(parser, ItemParser):
            raise UsageError(
                f"{self.model} is a model of kind {parser.kind}, which has transitions; --items is"
                " for charts and grammars"
            )
        return parser

    def _default_format(self, inputs: list[JobInput]) -> str:
        return kind_of(self.target, None)

    def _check_format(self, format: str) -> None:
        refused = {
            "--tags-only": self.tags_only,
            "--k-best": self.k_best is not None,
            "--confidence": self.confidence,
            "--confidence-table": self.confidence_table is not None,
            "--resume": self.resume,
            "--threads": self.threads > 1,
            "--apply": bool(self.steps.steps),
        }
        for name, is_given in refused.items():
            if is_given:
                raise UsageError(f"{name} cannot be used with --derivation")
        if self.target_format is not None:
            kind_of(self.target, self.target_format)

    def _draw(
        self,
        parser: Parser,
        options: ParseOptions,
        sentences: JobSentences,
        inputs: list[JobInput],
        kind: str,
    ) -> None:
        self._write(parser, options, sentences, inputs, kind)

    def _write(
        self,
        parser: Parser,
        options: ParseOptions,
        sentences: JobSentences,
        inputs: list[JobInput],
        format: str,
    ) -> None:
        """Write the derivations of all sentences."""
        trees = _numbered(self._completed(parser, sentences.start()))
        if isinstance(parser, TransitionParser):
            shows = list(_shows(parser, trees, options))
        else:
            assert isinstance(parser, ItemParser)
            others = OTHERS if self.others is None else self.others
            shows = list(_item_shows(parser, trees, options, others))
        if not shows:
            raise UsageError("no sentence to parse")
        meanings = meanings_of(parser.labels, parser.tags, parser.description.labels)
        title = shows[0].title if len(shows) == 1 else f"{len(shows)} sentences"
        title = f"{title} – parsed with {self.model}"
        write_derivations(shows, format, self.target, title=title, meanings=meanings)


def _numbered(sentences: Iterator[Tree]) -> Iterator[Tree]:
    for number, tree in enumerate(sentences, 1):
        yield tree if tree.id else tree.replace(id=str(number))


def _shows(
    parser: TransitionParser, sentences: Iterator[Tree], options: ParseOptions
) -> Iterator[Show]:
    from crossbranch.derivations import show

    for one in parser.parse_traced(sentences, **options.search):
        has_probabilities = parser.scores_are_logarithms
        yield show(one.derivation, one.trace, has_probabilities=has_probabilities)


def _item_shows(
    parser: ItemParser, sentences: Iterator[Tree], options: ParseOptions, others: int
) -> Iterator[Show]:
    from crossbranch.derivations import show_items

    for tree, trace in parser.parse_items(sentences, others=others, **options.search):
        yield show_items(trace, tree.sentence, id=tree.id)
