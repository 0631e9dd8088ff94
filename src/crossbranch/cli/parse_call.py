"""One call of `crossbranch parse`: its options, what they mean together, and the run."""

from __future__ import annotations

import gc
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import msgspec

from crossbranch.cli.confidence import check_format
from crossbranch.cli.options import report
from crossbranch.cli.parse_input import RAW, Input, Kind, find_inputs
from crossbranch.cli.parse_output import DRAWN, PICTURES, Drawn, InFormat, TreeText
from crossbranch.cli.parse_raw import Place, TagCounts
from crossbranch.cli.parse_resume import identify
from crossbranch.cli.parse_run import Run, Targets
from crossbranch.cli.parse_sentences import Reading, Sentences
from crossbranch.cli.show import Meter, say, say_left_out
from crossbranch.config import to_toml
from crossbranch.errors import CrossbranchError, UsageError
from crossbranch.parsers import Parser, load
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS
from crossbranch.treebank.files import strip_compression
from crossbranch.treebank.reading import guess_format_by_name, same_file
from crossbranch.treebank.source import OnError

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
        self._check_tags(inputs)
        self._check_targets(inputs)
        sentences = Sentences(inputs, self._reading(parser, chosen))
        gc.freeze()  # the model stays: looking through it for rubbish takes a twentieth of the time
        try:
            if chosen in PICTURES:
                self._draw(parser, sentences, inputs, chosen)
            else:
                self._write(parser, sentences, inputs, chosen)
        finally:
            gc.unfreeze()
        if count := sentences.replaced:
            what = "character" if count == 1 else "characters"
            say(f"{count:,} {what} not in the encoding: read as U+FFFD")
        _say_tags(sentences.tags)
        say_left_out(self.skipped)

    def _draw(self, parser: Parser, sentences: Sentences, inputs: list[Input], kind: str) -> None:
        """Draw the trees as `crossbranch draw` does."""
        from crossbranch.cli.draw_target import Target, draw_all

        target = Target.of(self.target, kind, is_compared=False)
        look = {"title": _title(inputs)} if kind == "html" else {}
        found = self._found(parser, sentences.start(Place(), 0))
        meter = Meter("parsing", sentences.size, lambda: sentences.position)

        def draw() -> None:
            trees = ((tree, None) for each in meter.over(found) for tree in each)
            if not draw_all(trees, target, look):
                say("there was no tree to draw")

        self._run(draw, meter)

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
        meter = Meter("parsing", sentences.size, lambda: sentences.position)
        self._run(lambda: run.write(meter.over(found)), meter, run)
        writer.warn()

    def _run(self, work: Callable[[], None], meter: Meter, run: Run | None = None) -> None:
        """Do the work; if it ends too soon, say how to go on with it, where that is possible."""
        try:
            work()
        except KeyboardInterrupt:
            meter.stop()
            say("interrupted" + self._way_on(run))
            sys.exit(_INTERRUPTED)
        except BrokenPipeError:
            meter.stop(quietly=True)  # those who read have seen enough
            raise
        except OSError as error:
            meter.stop()
            if way_on := self._way_on(run):
                raise UsageError(f"{error}{way_on}") from error
            raise
        except UsageError:
            meter.stop()
            raise
        except CrossbranchError:
            meter.stop()
            if self.on_error == "stop" and (way_on := self._way_on(run, "--on-error skip ")):
                say(f"stopped{way_on}")
            raise
        meter.stop()

    def _way_on(self, run: Run | None, option: str = "") -> str:
        if run is None or not run.can_resume:
            return ""
        return f"; the same command with {option}--resume goes on with {self.target}"

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
            return _format_by_name(self.target)
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
        if self.tags_only and self.beam is not None:
            raise UsageError("--tags-only does not search for trees: leave out --beam")
        if format in PICTURES and (self.resume or self.confidence_table is not None):
            raise UsageError(f"{format} goes with neither --resume nor --confidence-table")
        if self.confidence and format in (DRAWN, *PICTURES):
            raise UsageError("pictures do not show confidence; write --to json")
        if self.confidence:
            check_format(format)

    def _check_tags(self, inputs: list[Input]) -> None:
        if not self.keep_tags:
            return
        if self.tags_only:
            raise UsageError("--tags-only predicts tags, and --gold-tags uses those that are there")
        if not any(map(_may_be_treebank, inputs)):
            raise UsageError("--gold-tags is for treebanks, and there is none among the inputs")

    def _check_targets(self, inputs: list[Input]) -> None:
        for written in filter(None, (self.target, self.confidence_table)):
            if any(path is not None and same_file(path, written) for path in _paths(inputs)):
                raise UsageError(f"cannot write {written}: it is, or lies in, what is being read")
        if self.confidence_table is not None and _is_same(self.target, self.confidence_table):
            raise UsageError(f"cannot write both trees and --confidence-table to {self.target}")

    def _reading(self, parser: Parser, format: str) -> Reading:
        tagger = None if self.tags_only else parser.tagger  # otherwise all tags are its own
        return Reading(
            encoding=self.encoding,
            on_error=self.on_error,
            lines=self.lines,
            keep_tags=self.keep_tags,
            needs_tags=parser.tagger is None,
            known_tags=None if tagger is None else frozenset(tagger.tags),
            names_documents=format not in FORMATS or FORMATS[format].holds.comments,
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
            "--confidence-table": self.confidence_table is not None,
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
                    comments=(*_comments(scored.tree, rank), f"score {scored.score:.6g}"),
                )
                for rank, scored in enumerate(trees, 1)
            ]
            for trees in found
        )


def _comments(tree: Tree, rank: int) -> Iterator[str]:
    """Yield the comments of a tree; a document begins with the best one of its first sentence."""
    return (text for text in tree.comments if rank == 1 or not text.startswith("newdoc"))


def _may_be_treebank(input: Input) -> bool:
    """Say whether there may be gold tags in an input; the ending .txt says nothing."""
    endings = tuple(ending for ending in FORMATS["tokens"].suffixes if ending != ".txt")
    if input.format is None:
        return not strip_compression(input.name).lower().endswith(endings)
    return input.format not in (RAW, "tokens", "tagged")


def _say_tags(counts: TagCounts) -> None:
    """Say what was wrong with the tags that were kept."""
    if counts.missing:
        what = "token" if counts.missing == 1 else "tokens"
        say(f"{counts.missing:,} {what} had no tag and got one of the model's")
    if counts.unknown:
        what = "token has" if counts.unknown == 1 else "tokens have"
        such = f"(such as {counts.example!r})"
        say(f"{counts.unknown:,} {what} a tag that the model does not know {such}")


def _identity(parser: Parser) -> bytes:
    """Return what tells a model from others, wherever it lies."""
    return to_toml(parser.settings).encode() + msgspec.json.encode(dict(parser.about))


def _format_by_name(name: str) -> str:
    """Return the format of a file with this name, or what to draw into it."""
    from crossbranch.cli.draw_target import is_folder
    from crossbranch.drawing.dispatch import ENDINGS, kind_of

    if is_folder(name):
        raise UsageError(f"{name} is a folder; say what to draw with --to")
    if (kind := kind_of(strip_compression(name))) is not None:
        return kind
    try:
        return guess_format_by_name(FORMATS, name).name
    except UsageError as error:
        raise UsageError(f"{error}, and of pictures {', '.join(ENDINGS)}") from None


def _title(inputs: list[Input]) -> str:
    """Return the heading of a page: the name of the only file, if there is one."""
    paths = list(_paths(inputs))
    return paths[0].name if len(inputs) == len(paths) == 1 else ""


def _with_first(sentences: Iterator[Tree]) -> Iterator[Tree]:
    """Read the first sentence now, before anything is overwritten: all may be wrong with it."""
    return chain([tree for tree in [next(sentences, None)] if tree is not None], sentences)


def _paths(inputs: list[Input]) -> Iterator[Path]:
    return (input.path for input in inputs if input.path is not None)


def _is_same(one: str, other: str) -> bool:
    return one == other or Path(one).resolve() == Path(other).resolve()
