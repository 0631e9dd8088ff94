"""The run of `crossbranch parse`: trees are written part by part, and each part is noted."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from crossbranch.cli.confidence import HEADING, rows
from crossbranch.cli.parse_output import Parts, Sink, Stream, TreeText
from crossbranch.cli.parse_resume import (
    Identity,
    Note,
    Written,
    note_path,
    read_note,
    write_note,
    written,
)
from crossbranch.cli.parse_sentences import Sentences
from crossbranch.confidence.evidence import without_confidence
from crossbranch.errors import UsageError
from crossbranch.tree import Tree
from crossbranch.treebank.files import open_target


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """Where trees go, and the table of their confidence, if there is one."""

    trees: str
    table: str | None = None
    keep_confidence: bool = False
    """Whether it stays in the trees when it is in the table."""

    @property
    def names(self) -> list[str]:
        """All targets, the trees first."""
        return [self.trees] if self.table is None else [self.trees, self.table]

    @property
    def can_grow(self) -> bool:
        """Whether everything goes to files that can be added to later."""
        return all(name != "-" and _can_grow(Path(name)) for name in self.names)


def _can_grow(path: Path) -> bool:
    is_plain = path.is_file() or not path.exists()
    return is_plain and path.suffix.lower() != ".zip"  # its table of contents comes last


class Run:
    """One call: what is read, how it is written, and how far it has got."""

    def __init__(
        self, sentences: Sentences, writer: TreeText, targets: Targets, identity: Identity
    ) -> None:
        """Prepare a run; nothing is read or written yet."""
        self._sentences = sentences
        self._writer = writer
        self._targets = targets
        self._note = Note(identity=identity, outputs=(Written(0, 0),) * len(targets.names))
        self._done = self._written = 0  # sentences and trees
        self._files: dict[Path, Parts] = {}

    @property
    def can_resume(self) -> bool:
        """Whether a run that is interrupted now can be gone on with."""
        return bool(self._files)

    def is_finished(self) -> bool:
        """Say whether an earlier run came to its end."""
        path = Path(self._targets.trees)
        return path.exists() and path.stat().st_size > 0 and not note_path(path).exists()

    def start(self, *, resume: bool) -> Iterator[Tree]:
        """Return the sentences that are to be parsed; nothing is written yet.

        Raises:
            UsageError: The run is to be resumed, and cannot be.
            InputError: An output is not as it was left.
        """
        if resume and not self._targets.can_grow:
            raise UsageError("--resume needs -o FILE, a plain file or one in .gz, .bz2 or .xz")
        path = Path(self._targets.trees)
        if resume and note_path(path).exists():
            outputs = [Path(name) for name in self._targets.names]
            self._note = read_note(path, self._note.identity, outputs)
        note = self._note
        self._done, self._written = note.sentences, note.trees
        sentences = self._sentences.start(note.place, note.before)
        deque(islice(sentences, note.sentences - note.before), maxlen=0)  # these are done
        return sentences

    def write(self, found: Iterable[Sequence[Tree]]) -> None:
        """Write the trees of each sentence; whatever happens, what is written is well-formed."""
        with ExitStack() as stack:
            trees, table = self._open(stack)
            try:
                for each in found:
                    self._add(each, trees, table)
                    if trees.is_full:
                        self._end_part()
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
            trees.write(self._writer.start())
            if table is not None:
                table.write(HEADING)
        return trees, table

    def _open_files(self, stack: ExitStack) -> list[Sink]:
        """Open all files, then note that they are at their start, and only then clear them."""
        paths = [Path(name) for name in self._targets.names]
        for path in paths:
            self._files[path] = Parts(path, self._writer.unencodable)
            stack.callback(self._files[path].close)
        write_note(paths[0], self._note)
        for parts, noted in zip(self._files.values(), self._note.outputs, strict=True):
            parts.begin(noted.size)
        return list(self._files.values())

    def _streams(self, stack: ExitStack) -> list[Sink]:
        opened = [
            stack.enter_context(open_target(name, "utf-8", self._writer.unencodable))
            for name in self._targets.names
        ]
        return [Stream(stream) for stream in opened]

    def _add(self, found: Sequence[Tree], trees: Sink, table: Sink | None) -> None:
        for tree in found:
            self._written += 1
            if table is not None:
                table.write(rows(tree))
                if not self._targets.keep_confidence:
                    tree = without_confidence(tree)
            trees.write(self._writer.tree(tree, self._written))
        self._done += 1

    def _end_part(self) -> None:
        """Write what is waiting, and note how far that is."""
        for parts in self._files.values():
            parts.end_part()
        place, before = self._sentences.place_of(self._done)
        self._note = Note(
            identity=self._note.identity,
            sentences=self._done,
            trees=self._written,
            place=place,
            before=before,
            outputs=written({path: parts.size for path, parts in self._files.items()}),
        )
        write_note(Path(self._targets.trees), self._note)

    def _end(self, trees: Sink, table: Sink | None) -> None:
        """Write what is waiting and the end; this is not noted, and goes when work goes on."""
        trees.write(self._writer.end())
        for sink in (trees, table):
            if sink is not None:
                sink.end_part()
