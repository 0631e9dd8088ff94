"""`reproduce`: trains, parses and counts everything that the tables of a paper need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

from crossbranch.disk import make_folders
from crossbranch.doors import door
from crossbranch.errors import UsageError
from crossbranch.reproduction.corpora import TAGS, Corpus
from crossbranch.reproduction.counting import count
from crossbranch.reproduction.description import Paper, Table
from crossbranch.reproduction.predictions import check_figure
from crossbranch.reproduction.trainings import Options, check_changes, compared, learned
from crossbranch.reproduction.watching import Watcher
from crossbranch.reproduction.work import Cells, Failed, Work, as_cells


@dataclass(frozen=True)
class TableResult:
    """A table, with the figures of each corpus so far."""

    table: Table
    cells: dict[str, Cells]
    """By corpus. Examples have one entry without a name."""
    parts: Mapping[str, str]
    """By corpus: the part that was scored or counted."""


@dataclass(frozen=True)
class Reproduction:
    """All tables, and what people must know to read them."""

    paper: Paper
    tables: tuple[TableResult, ...]
    corpora: tuple[Corpus, ...]
    options: Options
    notes: tuple[str, ...]
    failures: tuple[Failed, ...] = ()
    """What could not be done."""


@door
def reproduce(
    paper: Paper,
    corpora: Sequence[Corpus],
    out: str | Path,
    *,
    only: Sequence[str] = (),
    options: Options | None = None,
    watcher: Watcher | None = None,
) -> Reproduction:
    """Make the tables of a paper for some corpora. What is done already is not done again.

    What fails, such as a training, is among the `failures`; its figures are missing in the tables.

    Args:
        paper: What `read_paper` returned.
        corpora: What `find_corpus` returned.
        out: The folder for models, predicted trees and tables.
        only: The names of tables; empty: all.
        options: How tables are made, if not as in the paper.
        watcher: Callbacks for progress.

    Raises:
        UsageError: An option is wrong, two corpora have the same name, a file cannot be read, or
            the folder cannot be written to.
        InputError: A part of a corpus has no trees that can be read.
    """
    chosen, looker, place = options or Options(), watcher or Watcher(), Path(out)
    tables = paper.chosen(only)
    _check(paper, tables, corpora, chosen)
    _check_out(place)
    found = [Work(paper, tables, corpus, place, chosen, looker) for corpus in corpora]
    for work in found:
        work.train()
    results = []
    for table in tables:
        cells = {"": as_cells(count(table, None))} if table.kind == "examples" else {}
        for work in found if not cells else ():
            cells[work.corpus.name] = work.cells(table)
        parts = {corpus.name: corpus.scored(table.on) for corpus in corpora}
        results.append(TableResult(table, cells, parts))
    return Reproduction(
        paper,
        tuple(results),
        tuple(corpora),
        chosen,
        (*_notes(paper, tables, corpora, chosen), *(note for work in found for note in work.notes)),
        tuple(failure for work in found for failure in work.failures),
    )


def _check(
    paper: Paper, tables: Sequence[Table], corpora: Sequence[Corpus], options: Options
) -> None:
    names = [corpus.name for corpus in corpora]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two corpora have the name {name!r}; give them as NAME=DIR")
    if not corpora and any(table.kind != "examples" for table in tables):
        raise UsageError("no corpus is given, expected --corpus DIR")
    check_changes(paper, tables, options)
    for table in tables:
        for column in table.columns.values() if table.kind == "scores" else ():
            check_figure(column)


def _check_out(out: Path) -> None:
    """Make the folder, and raise a UsageError if it cannot be written to."""
    try:
        make_folders(out)
        with TemporaryFile(dir=out):
            pass
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise UsageError(f"--out {out}: {reason}") from None


def _notes(
    paper: Paper, tables: Sequence[Table], corpora: Sequence[Corpus], options: Options
) -> Iterator[str]:
    """Say what is not as in the paper, and what parsers learn from besides train."""
    scored = [table for table in tables if table.kind == "scores"]
    for corpus in corpora:
        if paper.recipe and corpus.recipe not in ("", paper.recipe):
            command = f"crossbranch prepare --recipe {paper.recipe}"
            found = f"{corpus.name} was prepared with the recipe {corpus.recipe}"
            yield f"{found}; the paper has used {paper.recipe}: {command}"
        if any(len(learned(paper, t, row, corpus)) > 1 for t in scored for row in t.rows):
            parts = "train and dev, as in the paper"
            yield f"{corpus.name}: parsers for the test part learn from {parts}"
        for wanted in sorted({table.on for table in scored}):
            if (part := corpus.scored(wanted)) != wanted:
                yield f"{corpus.name} has no {wanted} part: its {part} part is scored in its place"
    given = {table.on for table in scored for row in table.rows if row.tags == "given"}
    for corpus in corpora:
        for wanted in sorted(given):
            if missing := corpus.missing_tags(corpus.scored(wanted)):
                files = " and ".join(part + TAGS for part in missing)
                yield (
                    f"{corpus.name} has no {files} (tags of another tagger): the tagger of"
                    " crossbranch predicts tags"
                )
    if options.train_beam and scored:
        yield f"all parsers were trained with beam {options.train_beam}"
    if options.changes:
        changed = ", ".join(f"{name} = {value}" for name, value in options.changes.items())
        yield f"changed settings: {changed}"
        for table in scored:
            for name in sorted(compared(table) & options.changes.keys()):
                yield f"the rows of table {table.name} differ in {name} in the paper, but not here"
