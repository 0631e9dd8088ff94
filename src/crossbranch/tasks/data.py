"""The data of tasks: labels from trees, and from files in any of the formats."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Literal, NamedTuple, cast

from crossbranch.errors import InputError, TreeError, UsageError
from crossbranch.escape import unescape
from crossbranch.tasks.ccgbank import ArgumentEdges, find_edges, read_parg
from crossbranch.tasks.inventory import Inventory, Labelled
from crossbranch.tasks.kinds import KINDS, Kind, labels_of_edges
from crossbranch.tasks.rows import (
    Rows,
    read_ccgbank,
    read_columns,
    read_conllu,
    read_spinal,
    read_supertags,
)
from crossbranch.tasks.settings import TaskSettings, check_tasks
from crossbranch.transforms.head_choice import choose_head_table
from crossbranch.tree import ROOT, Tree
from crossbranch.treebank import FORMATS
from crossbranch.treebank.files import open_streams, strip_compression
from crossbranch.treebank.reading import guess_format
from crossbranch.treebank.source import Source

Report = Callable[[InputError], None]

ROW_FORMATS: dict[str, Callable[[Source], Iterator[Rows]]] = {
    "columns": read_columns,
    "ccgbank": read_ccgbank,
    "supertags": read_supertags,
    "spinal": read_spinal,
}
"""The formats of tasks besides those of treebanks; also `parg`, which only has edges."""

TASK_FORMATS = (*ROW_FORMATS, "parg")
_ITEM = re.compile(r"\S+\|[^\s|]+\|[^\s|]+")


class TaskData(NamedTuple):
    """The sentences of a task."""

    name: str
    train: list[Labelled]
    dev: list[Labelled]
    is_aligned: bool
    """Whether the sentences are those of the treebank, in the same order."""

    def inventory(self, min_count: int = 1) -> Inventory:
        """Return the labels of the training data that occur at least `min_count` times."""
        return Inventory.of(self.train, min_count=min_count)


def read_task(
    name: str,
    settings: TaskSettings,
    *,
    train: Sequence[Tree] = (),
    dev: Sequence[Tree] = (),
    report: Report,
) -> TaskData:
    """Return the data of a task, from its files or from the trees of the parser.

    A sentence whose labels cannot be found is reported. In data from files, it is left out. In data
    from the trees of the parser, its labels are None, so that sentences keep their numbers.

    Args:
        name: The name of the task, for messages.
        settings: The settings of the task.
        train: The training trees of the parser.
        dev: The dev trees of the parser.
        report: Called with an InputError for each bad sentence. It may raise it.

    Raises:
        UsageError: The settings cannot be used, or a file cannot be opened.
        InputError: There is no label to learn from, or the trees have no constituents.
    """
    check_tasks({name: settings})
    if settings.train:
        found = read_files(settings.train, settings, report=report)
        held_out = min(settings.held_out, len(found))
        kept = len(found) - held_out
        scored = read_files(settings.dev, settings, report=report) if settings.dev else found[kept:]
        data = TaskData(name, found[:kept], scored, False)
    else:
        _check_constituents(train, KINDS[settings.kind], "<train>")
        table = head_table(settings, train or dev)
        data = TaskData(
            name,
            list(_of_trees(train, settings, table, report)),
            list(_of_trees(dev, settings, table, report)),
            True,
        )
    if not any(label is not None for sentence in data.train for label in sentence.labels):
        where = ", ".join(settings.train) or "<train>"
        expected = f"labels for the task {name} (kind {settings.kind})"
        raise InputError("no label to learn from", expected, path=where)
    return data


def head_table(settings: TaskSettings, trees: Iterable[Tree]) -> str:
    """Return the head rules of a task: those of the settings, or the table that fits the trees."""
    if not KINDS[settings.kind].needs_heads:
        return ""
    return choose_head_table(trees) if settings.heads == "auto" else settings.heads


def labels_of(tree: Tree, settings: TaskSettings, *, heads: str = "") -> Labelled:
    """Return the words and labels of a tree.

    Args:
        tree: The tree. Heads that are marked in it stay.
        settings: The settings of the task.
        heads: The head rules, from `head_table`; empty: those of the settings.

    Raises:
        TreeError: The tree does not have what the task needs, such as heads.
    """
    kind = KINDS[settings.kind]
    assert kind.of_tree is not None
    if kind.needs_heads:
        tree = tree.mark_heads(heads or settings.heads)
    try:
        labels = kind.of_tree(tree, settings)
    except ValueError as error:
        if isinstance(error, TreeError):
            raise
        raise TreeError(f"{error.args[1]!r} is not a label of the kind {kind.name}") from None
    return Labelled(tuple(tree.words), tuple(labels))


def _of_trees(
    trees: Iterable[Tree], settings: TaskSettings, table: str, report: Report
) -> Iterator[Labelled]:
    for number, tree in enumerate(trees, 1):
        try:
            yield labels_of(tree, settings, heads=table)
        except TreeError as error:
            report(_bad_tree(error, settings, "<trees>", tree.id or str(number)))
            yield Labelled(tuple(tree.words), (None,) * len(tree.sentence))


def read_files(files: Sequence[str], settings: TaskSettings, *, report: Report) -> list[Labelled]:
    """Return the labelled sentences of files, folders or archives.

    Raises:
        UsageError: A file cannot be opened, or has no column with the name in the settings.
        InputError: There is no sentence in the files, or their trees have no constituents.
    """
    if settings.format and settings.format not in {*FORMATS, *TASK_FORMATS}:
        known = ", ".join([*TASK_FORMATS, *FORMATS])
        raise UsageError(f"unknown format {settings.format!r}; expected one of {known}")
    edges = _read_edges(files, settings, report)
    found = [
        sentence
        for source, format in _sources(files, settings, report)
        if format != "parg"
        for sentence in _read(source, format, settings, edges)
    ]
    if not found:
        raise InputError("no sentence with labels", "at least one", path=", ".join(files))
    return found


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
) -> Iterator[Labelled]:
    kind = KINDS[settings.kind]
    if format == "ccgbank" and kind.name in ("left", "right"):
        yield from _with_edges(source, settings, edges)
    elif format in ROW_FORMATS or (format == "conllu" and settings.column and kind.of_cells):
        if kind.of_cells is None:
            raise UsageError(f"{source.path}: the kind {kind.name} needs trees or CoNLL-U")
        for rows in {**ROW_FORMATS, "conllu": read_conllu}[format](source):
            yield from _reported(source, partial(_of_rows, rows, source, kind, settings))
    else:
        trees = [tree for tree in _trees(source, format) if tree.sentence]
        _check_constituents(trees, kind, source.path)
        table = head_table(settings, trees)
        for number, tree in enumerate(trees, 1):
            yield from _reported(source, partial(_of_tree, tree, number, source, settings, table))


def _trees(source: Source, format: str) -> Iterator[Tree]:
    try:
        yield from FORMATS[format].read(source)
    except InputError as error:  # the rest of this file cannot be read, but other files can
        source.report(error)


def _check_constituents(trees: Sequence[Tree], kind: Kind, path: str) -> None:
    """Raise an InputError if a kind needs constituents, but no tree has any."""
    if not kind.needs_constituents or not trees:
        return
    if all(tree.root.label == ROOT and len(tree.nodes) == 1 for tree in trees):
        raise InputError("no constituents", f"trees, for the kind {kind.name}", path=path)


def _reported(source: Source, find: Callable[[], Labelled]) -> Iterator[Labelled]:
    try:
        yield find()
    except InputError as error:
        source.report(error)


def _of_tree(
    tree: Tree, number: int, source: Source, settings: TaskSettings, table: str
) -> Labelled:
    try:
        return labels_of(tree, settings, heads=table)
    except TreeError as error:
        raise _bad_tree(error, settings, source.path, tree.id or str(number)) from None


def _bad_tree(error: TreeError, settings: TaskSettings, path: str, name: str) -> InputError:
    expected = f"a tree with labels of the kind {settings.kind}"
    return InputError(str(error), expected, path=path, sentence=name)


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
