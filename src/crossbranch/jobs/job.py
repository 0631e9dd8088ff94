"""A job parses all sentences, and writes their trees part by part.

After each part, a note records how much is done, so that the job can be resumed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO

from crossbranch.confidence.evidence import without_confidence
from crossbranch.doors import door
from crossbranch.errors import CrossbranchError, OptionError, TransformError, UsageError
from crossbranch.jobs.confidence_table import HEADING, rows
from crossbranch.jobs.inputs import JobInput
from crossbranch.jobs.notes import JobIdentity, JobNote, note_path, read_note, write_note, written
from crossbranch.jobs.outputs import GrowingFile, TreeTexts, can_grow
from crossbranch.jobs.sentences import JobSentences, ReadingMark
from crossbranch.tree import Tree
from crossbranch.treebank.files import open_target
from crossbranch.treebank.header import Header
from crossbranch.treebank.reading import same_file

Sink = IO[str] | GrowingFile
Prepare = Callable[[Iterable[Tree]], Iterable[Tree]]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobTargets:
    """The files for trees and for the confidence table, if there is one."""

    trees: str
    table: str | None = None
    keep_confidence: bool = False
    """Keep confidence in the trees, although it is in the table, too."""

    @property
    def names(self) -> list[str]:
        """All targets, the trees first."""
        return [self.trees] if self.table is None else [self.trees, self.table]

    @door
    def check(self, inputs: Iterable[JobInput]) -> None:
        """Raise an error if an output is an input, or if both outputs are the same file."""
        for name in self.names:
            if any(input.path and same_file(input.path, name) for input in inputs):
                raise UsageError(f"cannot write {name}: it is the input, or a file of the input")
        if self.table is not None and _is_same(self.trees, self.table):
            message = "cannot write both trees and {0} to {name}; give two different files"
            raise OptionError(message, "confidence_table", name=self.trees)

    @property
    def can_grow(self) -> bool:
        """Whether all targets are files that can be continued later."""
        return all(name != "-" and can_grow(Path(name)) for name in self.names)


def _is_same(one: str, other: str) -> bool:
    return one == other or Path(one).resolve() == Path(other).resolve()


class Job:
    """Parses sentences, writes their trees, and records how much is done."""

    @door
    def __init__(
        self,
        sentences: JobSentences,
        texts: TreeTexts,
        targets: JobTargets,
        identity: JobIdentity,
        *,
        prepare: Prepare | None = None,
        report: Callable[[CrossbranchError], None] | None = None,
    ) -> None:
        """Prepare a job. Nothing is read or written yet.

        Args:
            sentences: The sentences of the inputs.
            texts: Turns trees into text.
            targets: The files to write.
            identity: What must be the same when the job is resumed.
            prepare: Called with the trees of each sentence. Returns the trees to write.
            report: Called for each tree that cannot be written; the tree is skipped. Without
                `report`, the first tree that cannot be written raises an error.
        """
        self._sentences = sentences
        self._texts = texts
        self._targets = targets
        self._prepare, self._report = prepare, report
        outputs = ((0, 0),) * len(targets.names)
        self._note = JobNote(identity=identity, mark=ReadingMark(), outputs=outputs)
        self._done = self._written = 0  # sentences and trees
        self._files: dict[Path, GrowingFile] = {}

    @property
    def can_resume(self) -> bool:
        """Whether a job that is interrupted now can be resumed."""
        return bool(self._files)

    def is_finished(self) -> bool:
        """Return True if an earlier run of the job is complete."""
        path = Path(self._targets.trees)
        return path.exists() and path.stat().st_size > 0 and not note_path(path).exists()

    @door
    def start(self, *, resume: bool) -> Iterator[Tree]:
        """Return the sentences to parse. Nothing is written yet.

        The first sentence is read now. If the input is wrong, the error comes before any output is
        overwritten.

        Raises:
            UsageError: The job cannot be resumed.
            InputError: An output has changed since it was written.
        """
        if resume and not self._targets.can_grow:
            message = "{0} needs {1}: a plain file, or one that ends in .gz, .bz2 or .xz"
            raise OptionError(message, "resume", "output")
        path = Path(self._targets.trees)
        if resume and note_path(path).exists():
            outputs = [Path(name) for name in self._targets.names]
            self._note = read_note(path, self._note.identity, outputs)
        note = self._note
        self._done, self._written = note.sentences, note.trees
        sentences = self._sentences.start(note.mark, note.before)
        deque(islice(sentences, note.sentences - note.before), maxlen=0)  # these are done
        first = list(islice(sentences, 1))
        return chain(first, sentences)

    @door
    def write(self, found: Iterable[Sequence[Tree]]) -> None:
        """Write the trees of each sentence. After an interruption, the output is well-formed."""
        with ExitStack() as stack:
            trees, table = self._open(stack)
            try:
                for each in found:
                    self._add(each, trees, table)
                    if isinstance(trees, GrowingFile):
                        if trees.is_full:
                            self._end_part()
                    elif self._done == self._sentences.count:  # all sentences so far are parsed
                        _flush(trees, table)
            except BaseException:
                with suppress(OSError):  # a full disk stays full
                    self._end(trees, table)
                raise
            self._end(trees, table)
        if self._files:
            note_path(Path(self._targets.trees)).unlink()

    def _open(self, stack: ExitStack) -> tuple[Sink, Sink | None]:
        trees, *tables = self._open_files(stack) if self._targets.can_grow else self._streams(stack)
        table = tables[0] if tables else None
        if not self._written:
            trees.write(self._texts.start(Header()))
            if table is not None:
                table.write(HEADING)
        return trees, table

    def _open_files(self, stack: ExitStack) -> list[Sink]:
        """Open all files, then write a note about their start, and only then clear them."""
        paths = [Path(name) for name in self._targets.names]
        for path in paths:
            self._files[path] = GrowingFile(path, self._texts.unencodable)
            stack.callback(self._files[path].close)
        write_note(paths[0], self._note)
        for file, (size, _) in zip(self._files.values(), self._note.outputs, strict=True):
            file.begin(size)
        return list(self._files.values())

    def _streams(self, stack: ExitStack) -> list[Sink]:
        return [
            stack.enter_context(open_target(name, "utf-8", self._texts.unencodable))
            for name in self._targets.names
        ]

    def _add(self, found: Iterable[Tree], trees: Sink, table: Sink | None) -> None:
        for tree in found if self._prepare is None else self._prepare(found):
            self._written += 1
            if table is not None:
                table.write(rows(tree))
                if not self._targets.keep_confidence:
                    tree = without_confidence(tree)
            try:
                trees.write(self._texts.tree(tree, self._written))
            except TransformError as error:
                if self._report is None:
                    raise
                self._report(error)
        self._done += 1

    def _end_part(self) -> None:
        """Write the waiting text, and record how much is done."""
        for file in self._files.values():
            file.flush()
        mark, before = self._sentences.mark_before(self._done)
        self._note = JobNote(
            identity=self._note.identity,
            mark=mark,
            before=before,
            sentences=self._done,
            trees=self._written,
            outputs=written({path: file.size for path, file in self._files.items()}),
        )
        write_note(Path(self._targets.trees), self._note)

    def _end(self, trees: Sink, table: Sink | None) -> None:
        """Write the waiting text and the end. It is not recorded: a resumed job writes it again."""
        trees.write(self._texts.end())
        _flush(trees, table)


def _flush(*sinks: Sink | None) -> None:
    for sink in sinks:
        if sink is not None:
            sink.flush()
