"""One call of `crossbranch parse`: its options, what they mean together, and the run."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import msgspec

from crossbranch.cli.confidence import check_format
from crossbranch.cli.options import report
from crossbranch.cli.parse_input import Input, Kind, find_inputs
from crossbranch.cli.parse_output import DRAWN, Drawn, InFormat, TreeText
from crossbranch.cli.parse_raw import Place
from crossbranch.cli.parse_resume import identify
from crossbranch.cli.parse_run import Run, Targets
from crossbranch.cli.parse_sentences import Reading, Sentences
from crossbranch.cli.show import Meter, say
from crossbranch.config import to_toml
from crossbranch.errors import CrossbranchError, UsageError
from crossbranch.parsers import Parser, load
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS
from crossbranch.treebank.files import strip_compression
from crossbranch.treebank.reading import guess_format_by_name, same_file
from crossbranch.treebank.source import OnError

_PICTURES = ("svg", "tikz", "html", "png")
_COLUMNS = 100  # of pictures in files
_INTERRUPTED = 130  # the exit code that shells give to this


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """The arguments and options, by the names that the command line gives them."""

    model: str
    sources: tuple[str, ...]
    source_format: str | None
    encoding: str | None
    on_error: OnError
    lines: bool
    tokenized: bool
    tagged: bool
    keep_tags: bool
    tags_only: bool
    beam: int | None
    threads: int
    k_best: int | None
    confidence: bool
    confidence_table: str | None
    target: str
    target_format: str | None
    resume: bool
    skipped: list[CrossbranchError] = field(default_factory=list)
    """What was wrong with the sentences that were left out."""

    def run(self) -> None:
        """Parse everything, and tell what people should know."""
        parser = load(self.model)
        inputs = find_inputs(self.sources, self._kind(parser))
        chosen = self.target_format or self._default_format(inputs)
        self._check(parser, chosen)
        self._check_targets(inputs)
        sentences = Sentences(inputs, self._reading(parser))
        if chosen in _PICTURES:
            self._draw(parser, sentences, chosen)
        else:
            self._write(parser, sentences, inputs, chosen)
        if sentences.replaced:
            say(f"{sentences.replaced:,} characters not in the encoding were read as U+FFFD")
        if self.skipped:
            say(f"{len(self.skipped):,} bad sentences were left out")

    def _draw(self, parser: Parser, sentences: Sentences, kind: str) -> None:
        """Draw the trees as `crossbranch draw` does."""
        from crossbranch.cli.draw_target import Target, draw_all

        found = self._found(parser, _with_first(sentences.start(Place(), 0)))
        target = Target.of(self.target, kind, is_compared=False)
        draw_all(((tree, None) for trees in found for tree in trees), target, {})

    def _write(
        self, parser: Parser, sentences: Sentences, inputs: list[Input], format: str
    ) -> None:
        """Write the trees, so that it can be gone on with after an interruption."""
        writer = self._writer(format)
        targets = Targets(
            trees=self.target, table=self.confidence_table, keep_confidence=self.confidence
        )
        identity = identify(_identity(parser), self._options(format), inputs)
        run = Run(sentences, writer, targets, identity)
        if self.resume and run.is_finished():
            say(f"{self.target} is there, and no run was interrupted: nothing to do")
            return
        found = self._found(parser, _with_first(run.start(resume=self.resume)))
        self._run(run, found, Meter("parsing", sentences.size, lambda: sentences.position))
        writer.warn()

    def _run(self, run: Run, found: Iterator[list[Tree]], meter: Meter) -> None:
        try:
            run.write(found, meter)
        except KeyboardInterrupt:
            meter.stop()
            say("interrupted" + self._way_on(run))
            sys.exit(_INTERRUPTED)
        except OSError as error:
            meter.stop()
            if not run.can_resume:
                raise
            raise UsageError(f"{error}{self._way_on(run)}") from error
        except CrossbranchError:
            meter.stop()
            raise
        meter.stop()

    def _way_on(self, run: Run) -> str:
        if not run.can_resume:
            return ""
        return f"; the same command with --resume goes on with {self.target}"

    def _kind(self, parser: Parser) -> Kind:
        return Kind(
            format=self.source_format,
            tokenized=self.tokenized,
            tagged=self.tagged,
            lines=self.lines,
            reads_text=parser.tokenizer is not None and parser.tagger is not None,
        )

    def _default_format(self, inputs: list[Input]) -> str:
        if self.target != "-":
            if self.tags_only and strip_compression(self.target).lower().endswith(".txt"):
                return "tagged"
            if (kind := _picture_by_name(self.target)) is not None:
                return kind
            return guess_format_by_name(FORMATS, self.target).name
        if self.tags_only:
            return "tagged"
        is_for_people = sys.stdout.isatty() or all(input.text is not None for input in inputs)
        return DRAWN if is_for_people else "export"

    def _check(self, parser: Parser, format: str) -> None:
        if self.tags_only and parser.tagger is None:
            raise UsageError("--tags-only needs a model with a tagger, and this one has none")
        is_sure = self.confidence or self.confidence_table is not None
        if self.tags_only and (self.k_best is not None or is_sure):
            raise UsageError("--tags-only makes no trees: leave out --k-best and --confidence")
        if format in _PICTURES and (self.resume or self.confidence_table is not None):
            raise UsageError(f"{format} goes with neither --resume nor --confidence-table")
        if self.confidence and format in (DRAWN, *_PICTURES):
            raise UsageError("pictures do not show confidence; write --to json")
        if self.confidence:
            check_format(format)

    def _check_targets(self, inputs: list[Input]) -> None:
        for written in filter(None, (self.target, self.confidence_table)):
            if any(path is not None and same_file(path, written) for path in _paths(inputs)):
                raise UsageError(f"cannot write {written}: it is, or lies in, what is being read")
        if self.confidence_table is not None and _is_same(self.target, self.confidence_table):
            raise UsageError(f"cannot write both trees and --confidence-table to {self.target}")

    def _reading(self, parser: Parser) -> Reading:
        return Reading(
            encoding=self.encoding,
            on_error=self.on_error,
            lines=self.lines,
            keep_tags=self.keep_tags,
            needs_tags=parser.tagger is None,
            tokenizer=parser.tokenizer,
            note=self._note,
            tell=say,
        )

    def _note(self, error: CrossbranchError) -> None:
        self.skipped.append(error)
        report(error)

    def _writer(self, format: str) -> TreeText:
        if format != DRAWN:
            return InFormat(FORMATS[format], on_error=self.on_error, note=self._note)
        is_shown = self.target == "-"
        width = shutil.get_terminal_size((_COLUMNS, 24)).columns if is_shown else _COLUMNS
        return Drawn(width=width, color=is_shown and sys.stdout.isatty())

    def _options(self, format: str) -> dict[str, object]:
        """Return what the output depends on, beside model and inputs."""
        return {
            "--beam": self.beam,
            "--confidence": self.confidence,
            "--confidence-table": self.confidence_table,
            "--encoding": self.encoding,
            "--gold-tags": self.keep_tags,
            "--k-best": self.k_best,
            "--lines": self.lines,
            "--tags-only": self.tags_only,
            "--to": format,
        }

    def _found(self, parser: Parser, sentences: Iterator[Tree]) -> Iterator[list[Tree]]:
        """Return the trees of each sentence."""
        if self.tags_only:
            return ([tree] for tree in parser.tag(sentences, threads=self.threads))
        sure = self.confidence or self.confidence_table is not None
        if self.k_best is None:
            trees = parser.parse_many(
                sentences, beam=self.beam, threads=self.threads, confidence=sure
            )
            return ([tree] for tree in trees)
        found = parser.parse_k_best(
            sentences, self.k_best, beam=self.beam, threads=self.threads, confidence=sure
        )
        return (
            [
                scored.tree.replace(
                    id=f"{scored.tree.id}.{rank}",
                    comments=(*scored.tree.comments, f"score {scored.score:.6g}"),
                )
                for rank, scored in enumerate(trees, 1)
            ]
            for trees in found
        )


def _identity(parser: Parser) -> bytes:
    """Return what tells a model from others, wherever it lies."""
    return to_toml(parser.settings).encode() + msgspec.json.encode(dict(parser.about))


def _picture_by_name(name: str) -> str | None:
    """Return what to draw into a file with this name, if it tells of a picture."""
    from crossbranch.drawing.dispatch import ENDINGS

    kind = ENDINGS.get(Path(strip_compression(name)).suffix.lower())
    return DRAWN if kind == "text" else kind


def _with_first(sentences: Iterator[Tree]) -> Iterator[Tree]:
    """Read the first sentence now, before anything is overwritten: all may be wrong with it."""
    return chain([tree for tree in [next(sentences, None)] if tree is not None], sentences)


def _paths(inputs: list[Input]) -> Iterator[Path]:
    return (input.path for input in inputs if input.path is not None)


def _is_same(one: str, other: str) -> bool:
    return one == other or Path(one).resolve() == Path(other).resolve()
