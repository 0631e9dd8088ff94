"""`crossbranch parse --derivation`: what a model did, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from crossbranch.cli.derivation_target import kind_of, meanings_of, write_derivations
from crossbranch.cli.parse_call import Call
from crossbranch.errors import UsageError
from crossbranch.jobs import JobInput, JobSentences, ParseOptions
from crossbranch.parsers import ItemParser, Parser
from crossbranch.parsers.showing import check_derivations, numbered, shows
from crossbranch.search.items import OTHERS


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivationCall(Call):
    """A call of the command that shows derivations instead of trees."""

    others: int | None
    """How many items are shown besides those of the tree; None: as many as usual."""

    def _load(self) -> Parser:
        parser = Call._load(self)
        check_derivations(parser, self.model)
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
        trees = numbered(self._completed(parser, sentences.start()))
        others = OTHERS if self.others is None else self.others
        found = list(shows(parser, trees, others=others, **options.search))
        if not found:
            raise UsageError("no sentence to parse")
        meanings = meanings_of(parser.labels, parser.tags, parser.description.labels)
        title = found[0].title if len(found) == 1 else f"{len(found)} sentences"
        title = f"{title} – parsed with {self.model}"
        write_derivations(found, format, self.target, title=title, meanings=meanings)
