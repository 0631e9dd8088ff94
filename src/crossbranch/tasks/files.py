"""Labels from files: formats of treebanks, and formats with columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Literal, NamedTuple, cast

from crossbranch.doors import door
from crossbranch.errors import InputError, TreeError, UsageError
from crossbranch.escape import unescape
from crossbranch.tasks.ccgbank import ArgumentEdges, find_edges, read_parg
from crossbranch.tasks.inventory import Labelled
from crossbranch.tasks.kinds import KINDS, Kind, labels_of_edges
from crossbranch.tasks.rows import (
    Rows,
    read_ccgbank,
    read_columns,
    read_conllu,
    read_spinal,
    read_supertags,
)
from crossbranch.tasks.settings import TaskSettings
from crossbranch.tasks.tree_labels import bad_tree, check_constituents, head_table, labels_of
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS
from crossbranch.treebank.files import open_streams, strip_compression
from crossbranch.treebank.reading import guess_format
from crossbranch.treebank.source import Report, Source

ROW_FORMATS: dict[str, Callable[[Source], Iterator[Rows]]] = {
    "columns": read_columns,
    "ccgbank": read_ccgbank,
    "supertags": read_supertags,
    "spinal": read_spinal,
}
"""The formats of tasks besides those of treebanks; also `parg`, which only has edges."""

TASK_FORMATS = (*ROW_FORMATS, "parg")
_ITEM = re.compile(r"\S+\|[^\s|]+\|[^\s|]+")


class _Found(NamedTuple):
    """A tree of a file, which has no labels yet."""

    tree: Tree
    source: Source
    number: int


@door
def read_files(files: Sequence[str], settings: TaskSettings, *, report: Report) -> list[Labelled]:
    """Return the labelled sentences of files, folders or archives.

    Args:
        files: The names of the files; `-` is standard input.
        settings: The settings of the task.
        report: Called with an InputError for each bad sentence. It may raise it.

    Raises:
        UsageError: A file cannot be opened, or has no column with the name in the settings.
        InputError: There is no sentence in the files, or their trees have no constituents.
    """
    return read_parts([files], settings, report=report)[0]


@door
def read_parts(
    parts: Sequence[Sequence[str]], settings: TaskSettings, *, report: Report
) -> list[list[Labelled]]:
    """Return the labelled sentences of several lists of files, such as those of train and dev.

    The arguments and errors are those of `read_files`. If the head rules are `auto`, all parts have
    the same ones.
    """
    if settings.format and settings.format not in {*FORMATS, *TASK_FORMATS}:
        known = ", ".join([*TASK_FORMATS, *FORMATS])
        raise UsageError(f"unknown format {settings.format!r}; expected one of {known}")
    if not parts:
        return []
    found = [list(_read_part(files, settings, report)) for files in parts]
    trees = [one.tree for part in found for one in part if isinstance(one, _Found)]
    check_constituents(trees, KINDS[settings.kind], ", ".join(parts[0]))
    table = head_table(settings, trees)
    labelled = [list(_with_labels(part, settings, table)) for part in found]
    for files, part in zip(parts, labelled, strict=True):
        if not part:
            raise InputError("no sentence with labels", "at least one", path=", ".join(files))
    return labelled


def _read_part(
    files: Sequence[str], settings: TaskSettings, report: Report
) -> Iterator[Labelled | _Found]:
    edges = _read_edges(files, settings, report)
    for source, format in _sources(files, settings, report):
        if format != "parg":
            yield from _read(source, format, settings, edges)


def _with_labels(
    found: Iterable[Labelled | _Found], settings: TaskSettings, table: str
) -> Iterator[Labelled]:
    for one in found:
        if isinstance(one, Labelled):
            yield one
        else:
            yield from _reported(one.source, partial(_of_tree, one, settings, table))


def _sources(
    files: Sequence[str], settings: TaskSettings, report: Report
) -> Iterator[tuple[Source, str]]:
    """Yield each file and its format."""
    for name, stream in chain.from_iterable(map(open_streams, files)):
        source = Source(name, stream, on_error="skip", report=report)
        yield source, settings.format or guess_task_format(source)


def guess_task_format(source: Source) -> str:
    """Return the likely format of a file: of a treebank, or with columns."""
    name = strip_compression(source.path).lower()
    for ending, format in ((".auto", "ccgbank"), (".parg", "parg"), (".spinal", "spinal")):
        if name.endswith(ending):
            return format
    lines = [line for line in source.head().split("\n") if line.strip()]
    first = lines[0] if lines else ""
    if first.startswith(("ID=", "(<T ", "(<L ")):
        return "ccgbank"
    if first.startswith(("<s>", '<s id="')):
        return "parg"
    if any(re.fullmatch("root [&#]?[0-9]+", line.strip()) for line in lines[:3]):
        return "spinal"
    items = next((line.split() for line in lines if not line.startswith("# ")), [])
    if items and all(map(_ITEM.fullmatch, items)):
        return "supertags"
    try:
        guessed = guess_format(FORMATS, source)
    except InputError:
        return "columns"
    by_name = any(name.endswith(ending) for ending in guessed.suffixes if ending != ".txt")
    return guessed.name if by_name or not guessed.fits_any_text else "columns"


def _read(
    source: Source, format: str, settings: TaskSettings, edges: Mapping[str, ArgumentEdges]
) -> Iterator[Labelled | _Found]:
    kind = KINDS[settings.kind]
    if format == "ccgbank" and kind.name in ("left", "right"):
        yield from _with_edges(source, settings, edges)
    elif format in ROW_FORMATS or (format == "conllu" and settings.column and kind.of_cells):
        if kind.of_cells is None:
            raise UsageError(f"{source.path}: the kind {kind.name} needs trees or CoNLL-U")
        for rows in _rows(source, format, settings):
            yield from _reported(source, partial(_of_rows, rows, source, kind, settings))
    else:
        for number, tree in enumerate(_trees(source, format), 1):
            if tree.sentence:
                yield _Found(tree, source, number)


def _rows(source: Source, format: str, settings: TaskSettings) -> Iterator[Rows]:
    if format == "columns":
        return read_columns(source, header=settings.header)
    return read_conllu(source) if format == "conllu" else ROW_FORMATS[format](source)


def _trees(source: Source, format: str) -> Iterator[Tree]:
    try:
        yield from FORMATS[format].read(source)
    except InputError as error:  # the rest of this file cannot be read, but other files can
        source.report(error)


def _reported(source: Source, find: Callable[[], Labelled]) -> Iterator[Labelled]:
    try:
        yield find()
    except InputError as error:
        source.report(error)


def _of_tree(found: _Found, settings: TaskSettings, table: str) -> Labelled:
    tree, source, number = found
    try:
        return labels_of(tree, settings, heads=table)
    except TreeError as error:
        raise bad_tree(error, settings, source.path, tree.id or str(number)) from None


def _of_rows(rows: Rows, source: Source, kind: Kind, settings: TaskSettings) -> Labelled:
    words = map(unescape, rows.words(settings.words, source))
    usual = next((name for name in kind.columns if name in rows.names), "-1")
    texts = rows.column(settings.column or usual, source)
    cells = [None if text in ("", settings.missing) else unescape(text) for text in texts]
    assert kind.of_cells is not None
    try:
        labels = kind.of_cells(cells, settings)
    except ValueError as error:
        place, text = error.args
        expected = f"a label of the kind {kind.name}"
        raise source.error(repr(text), expected, line=rows.lines[place], sentence=rows.id) from None
    return Labelled(tuple(words), tuple(labels))


def _read_edges(
    files: Sequence[str], settings: TaskSettings, report: Report
) -> dict[str, ArgumentEdges]:
    """Read the edges of all .parg files, by the id of the sentence."""
    if settings.kind not in ("left", "right"):
        return {}
    found: dict[str, ArgumentEdges] = {}
    formats = set()
    twice = [file for file in files if file != "-"]  # standard input can only be read once
    for source, format in _sources(twice, settings, report):
        formats.add(format)
        if format == "parg":
            found.update(read_parg(source))
    if ("parg" in formats) != ("ccgbank" in formats) and twice == [*files]:
        present, absent = (".parg", ".auto") if "parg" in formats else (".auto", ".parg")
        holds = {".parg": "edges", ".auto": "words"}
        raise UsageError(
            f"the kind {settings.kind} needs .auto and .parg files: {', '.join(files)} has"
            f" {present} files with {holds[present]}, but no {absent} files with {holds[absent]}"
        )
    return found


def _with_edges(
    source: Source, settings: TaskSettings, edges: Mapping[str, ArgumentEdges]
) -> Iterator[Labelled]:
    side = cast("Literal['left', 'right']", settings.kind)
    for rows in read_ccgbank(source):

        def find(rows: Rows = rows) -> Labelled:
            words = rows.words(settings.words, source)
            found = find_edges(edges, rows.id, len(words), source, rows.lines[0])
            labels = labels_of_edges(len(words), found, side, settings)
            return Labelled(tuple(words), tuple(labels))

        yield from _reported(source, find)
