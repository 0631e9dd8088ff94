"""One call of `crossbranch parse`: makes a job of the library from the options, and reports."""

from __future__ import annotations

import gc
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from crossbranch.cli.options import report
from crossbranch.cli.parse_companions import check_resume, with_rows, with_tags
from crossbranch.cli.parse_messages import tell_counts, tell_doubts
from crossbranch.cli.show import Meter, end_interrupted, say, say_left_out
from crossbranch.config import Description, read_assignments
from crossbranch.errors import CrossbranchError, OptionError, UsageError
from crossbranch.jobs import (
    Content,
    DoubtCounts,
    DrawnTrees,
    Job,
    JobInput,
    JobSentences,
    JobTargets,
    ParseOptions,
    TreeTexts,
    find_inputs,
    formatted,
    identify,
    identity_of,
)
from crossbranch.jobs.confidence_table import check_format
from crossbranch.jobs.inputs import is_there
from crossbranch.parsers import Parser, load
from crossbranch.parsers.sentences import has_parse
from crossbranch.transforms import transform_each
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS
from crossbranch.treebank.files import strip_compression
from crossbranch.treebank.reading import guess_format_by_name
from crossbranch.treebank.source import OnError
from crossbranch.treebank.writing import TreeWriter

if TYPE_CHECKING:
    from crossbranch.transforms import Pipeline

DRAWN = "drawn"
"""The value of --to for drawings made of text characters."""

PICTURES = ("svg", "tikz", "html", "pdf", "png")
"""The values of --to for pictures, as in `crossbranch draw`."""

PARQUET = "parquet"
"""The value of --to that only --engine ray knows."""

_COLUMNS = 100  # the width of drawings in files
_FLAGS = {
    'format="tagged"': "--tagged",
    'format="tokens"': "--tokenized",
    "confidence_table": "--confidence-table",
    "keep_tags": "--gold-tags",
    "output": "-o FILE",
    "output_format": "--to",
    **{
        name: f"--{name.replace('_', '-')}"
        for name in ("apply", "beam", "confidence", "encoding", "k_best", "lines", "resume")
    },
    "tags_only": "--tags-only",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """The arguments and options of the command."""

    model: str
    sources: tuple[str, ...]
    source_format: str | None
    encoding: str | None
    on_error: OnError
    lines: bool
    tokenized: bool
    tagged: bool
    keep_tags: bool
    tags_from: str | None
    tags_only: bool
    functions: bool
    beam: int | None
    assignments: tuple[str, ...]
    threads: int
    device: str
    k_best: int | None
    confidence: bool
    confidence_table: str | None
    distributions: tuple[str, ...]
    steps: Pipeline
    target: str
    target_format: str | None
    resume: bool
    skipped: list[CrossbranchError] = field(default_factory=list)
    """The errors of the sentences that were skipped."""
    without_parse: Counter[str] = field(default_factory=Counter)
    """The number of flat trees, one for each sentence without a parse."""
    doubts: DoubtCounts = field(default_factory=DoubtCounts)
    """The number of sentences, and of those with doubtful trees."""

    def run(self) -> None:
        """Parse everything, and report problems on standard error."""
        try:
            self._run()
        except OptionError as error:
            raise UsageError(error.renamed(self._flag)) from error
        except KeyboardInterrupt as error:  # before anything was written
            end_interrupted(error)

    def _run(self) -> None:
        if self.target_format == PARQUET:
            raise UsageError("--to parquet needs --engine ray")
        if self.keep_tags and self.tags_from is not None:
            raise UsageError("--gold-tags and --tags-from exclude each other; give one of them")
        parser = self._load()
        inputs = self._inputs(parser)
        format = self.target_format or self._default_format(inputs)
        options = self._options()
        options.check(parser, inputs)
        self._check_format(format)
        self._targets().check(inputs)
        reading = options.reading(
            parser,
            encoding=self.encoding,
            on_error=self.on_error,
            lines=self.lines,
            names_documents=format not in FORMATS or FORMATS[format].holds.comments,
            report=self._note,
            tell=say,
        )
        sentences = JobSentences(inputs, reading)
        gc.freeze()  # the model stays in memory: scanning it for garbage costs 5% of the time
        try:
            if format in PICTURES:
                self._draw(parser, options, sentences, inputs, format)
            else:
                self._write(parser, options, sentences, inputs, format)
        finally:
            gc.unfreeze()
        self._tell(sentences, parser.description)

    def _load(self) -> Parser:
        try:
            return load(self.model, device=self.device)
        except UsageError as error:
            if " " not in self.model and not is_there(self.model):
                raise
            hint = "the model comes first, as in: crossbranch parse en corpus.txt"
            raise UsageError(f"{error}; {hint}") from None

    def _inputs(self, parser: Parser) -> list[JobInput]:
        given = {
            "--from": self.source_format,
            "--tokenized": "tokens" if self.tokenized else None,
            "--tagged": "tagged" if self.tagged else None,
        }
        flags = [flag for flag, format in given.items() if format is not None]
        flags += ["--lines"] if self.lines else []
        if len(flags) > 1:
            raise UsageError(f"{' and '.join(flags)} exclude each other; give one of them")
        content = Content(
            format=next(filter(None, given.values()), None),
            lines=self.lines,
            reads_text=parser.reads_text,
            needs_tags=parser.needs_tags,
        )
        if not self.sources and sys.stdin.isatty():
            raise UsageError("nothing to parse: give a text or files, or - for standard input")
        inputs = find_inputs(self.sources or ("-",), content, say)
        self._hint_at_quotes(inputs)
        return inputs

    def _hint_at_quotes(self, inputs: list[JobInput]) -> None:
        """Give a hint if the text seems to have been pasted without quotes."""
        words = [input.text for input in inputs if input.text and not input.text.isspace()]
        if len(words) > 1 and len(words) == len(inputs) and all(len(w.split()) == 1 for w in words):
            say(
                f"each of these {len(words)} words is parsed as a text of its own; to parse them as"
                f' one text, put quotes around it: "{" ".join(words)}"'
            )

    def _options(self) -> ParseOptions:
        beam = {} if self.beam is None else {"beam": self.beam}
        return ParseOptions(
            keep_tags=self.keep_tags or self.tags_from is not None,
            tags_only=self.tags_only,
            k_best=self.k_best,
            functions=self.functions,
            confidence=self.confidence or self.confidence_table is not None,
            threads=self.threads,
            search=read_assignments(self.assignments) | beam,
        )

    def _default_format(self, inputs: list[JobInput]) -> str:
        if self.target != "-":
            if self.tags_only and strip_compression(self.target).lower().endswith(".txt"):
                return "tagged"
            return _format_by_name(self.target)
        if self.tags_only:
            return "tagged"
        is_for_people = sys.stdout.isatty() or all(input.text is not None for input in inputs)
        return DRAWN if is_for_people else "export"

    def _check_format(self, format: str) -> None:
        if format in PICTURES and (self.resume or self.confidence_table is not None):
            raise UsageError(f"{format} cannot be used with --resume or --confidence-table")
        if self.confidence and format in (DRAWN, *PICTURES):
            raise UsageError("drawings do not show confidence; use --to json")
        if self.confidence:
            check_format(format)

    def _targets(self) -> JobTargets:
        return JobTargets(
            trees=self.target, table=self.confidence_table, keep_confidence=self.confidence
        )

    def _draw(
        self,
        parser: Parser,
        options: ParseOptions,
        sentences: JobSentences,
        inputs: list[JobInput],
        kind: str,
    ) -> None:
        """Draw the trees as `crossbranch draw` does."""
        from crossbranch.cli.draw_target import Target, draw_all

        target = Target.of(self.target, kind, is_compared=False)
        look = {"title": _title(inputs)} if kind == "html" else {}
        meter = Meter("parsing", sentences.size, lambda: sentences.position)

        def draw() -> None:
            todo = self._completed(parser, sentences.start())
            found = meter.over(options.parsed(parser, todo))
            trees = ((tree, None) for each in found for tree in self._transformed(each))
            if not draw_all(trees, target, look):
                say("no tree to draw")

        self._guard(draw, meter)

    def _write(
        self,
        parser: Parser,
        options: ParseOptions,
        sentences: JobSentences,
        inputs: list[JobInput],
        format: str,
    ) -> None:
        """Write the trees, so that an interrupted call can be resumed."""
        texts = self._texts(format)
        identity = identify(identity_of(parser), self._identity(options, format), inputs)
        report = self._note if self.on_error == "skip" else None
        job = Job(
            sentences, texts, self._targets(), identity, prepare=self._transformed, report=report
        )
        if self.resume and job.is_finished():
            say(f"{self.target} is complete: nothing to resume")
            return
        todo = self._completed(parser, job.start(resume=self.resume))
        meter = Meter("parsing", sentences.size, lambda: sentences.position)
        found = meter.over(options.parsed(parser, todo, live=sentences.is_live))
        self._guard(lambda: job.write(found), meter, job)
        if not sentences.count:
            say("no sentence to parse")
        if isinstance(texts, TreeWriter):
            texts.warn()

    def _completed(self, parser: Parser, sentences: Iterator[Tree]) -> Iterator[Tree]:
        """Give sentences what files beside the input say about them."""
        check_resume("--tags-from", self.tags_from is not None, self.resume)
        check_resume("--distribution", bool(self.distributions), self.resume)
        tagged = with_tags(sentences, self.tags_from, ", ".join(self.sources))
        stop_or_report = _stop if self.on_error == "stop" else report
        return with_rows(tagged, parser, self.distributions, stop_or_report)

    def _identity(self, options: ParseOptions, format: str) -> dict[str, Any]:
        """Return the options that the output depends on."""
        return options.identity() | {
            "apply": repr(self.steps),
            "confidence": self.confidence,
            "confidence_table": self.confidence_table is not None,
            "encoding": self.encoding,
            "lines": self.lines,
            "output_format": format,
            "tags_from": self.tags_from,
        }

    def _texts(self, format: str) -> TreeTexts:
        if format != DRAWN:
            return formatted(FORMATS[format])
        is_shown = self.target == "-"
        width = shutil.get_terminal_size((_COLUMNS, 24)).columns if is_shown else _COLUMNS
        return DrawnTrees(width=width, color=is_shown and sys.stdout.isatty())

    def _transformed(self, trees: Iterable[Tree]) -> Iterator[Tree]:
        report = self._note if self.on_error == "skip" else None
        for rank, tree in enumerate(trees, 1):
            if rank == 1:
                self.doubts.add(tree)
            self.without_parse["trees"] += not has_parse(tree)
            if self.steps.steps:
                yield from transform_each([tree], self.steps.apply, report=report)
            else:
                yield tree

    def _guard(self, work: Callable[[], None], meter: Meter, job: Job | None = None) -> None:
        """Do the work. If it is interrupted, say how to resume it, if that is possible."""
        try:
            work()
        except KeyboardInterrupt as error:
            meter.stop()
            end_interrupted(error, self._way_on(job))
        except BrokenPipeError:
            meter.stop(quietly=True)  # the reader needs no more output
            raise
        except OSError as error:
            meter.stop()
            if way_on := self._way_on(job):
                raise UsageError(f"{error}{way_on}") from error
            raise
        except UsageError:
            meter.stop()
            raise
        except CrossbranchError:
            meter.stop()
            if self.on_error == "stop" and (way_on := self._way_on(job, "--on-error skip ")):
                say(f"stopped{way_on}")
            raise
        meter.stop()

    def _way_on(self, job: Job | None, option: str = "") -> str:
        if job is None or not job.can_resume:
            return ""
        return f"; to continue {self.target}, repeat the command with {option}--resume"

    def _flag(self, option: str) -> str:
        """Return the command-line name of an option of the library."""
        if option == "keep_tags" and self.tags_from is not None:
            return "--tags-from"
        return _FLAGS.get(option, f"--set {option}")

    def _note(self, error: CrossbranchError) -> None:
        self.skipped.append(error)
        report(error)

    def _tell(self, sentences: JobSentences, description: Description) -> None:
        """Report what was wrong with the input."""
        tell_counts(sentences.replaced, sentences.tags, self.without_parse["trees"])
        tell_doubts(self.doubts, self.model, description)
        say_left_out(self.skipped)


def _stop(error: CrossbranchError) -> None:
    raise error


def _format_by_name(name: str) -> str:
    """Return the format of a file with this name, or its kind of drawing."""
    from crossbranch.cli.draw_target import is_folder
    from crossbranch.drawing.dispatch import ENDINGS, kind_of

    if is_folder(name):
        raise UsageError(f"{name} is a folder; choose what to draw with --to")
    if (kind := kind_of(strip_compression(name))) is not None:
        return kind
    try:
        return guess_format_by_name(FORMATS, name).name
    except UsageError as error:
        endings = ", ".join(ENDINGS)
        raise UsageError(f"{error}; for drawings: {endings}; or give --to FORMAT") from None


def _title(inputs: list[JobInput]) -> str:
    """Return the heading of a page: the name of the only file, if there is one."""
    paths = [input.path for input in inputs if input.path is not None]
    return paths[0].name if len(inputs) == len(paths) == 1 else ""
