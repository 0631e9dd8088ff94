"""`reproduce`: trains, parses and counts everything that the tables of a paper need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crossbranch import experiments
from crossbranch.errors import UsageError
from crossbranch.experiments import Failure, Results, RunWatcher
from crossbranch.reproduction.corpora import Corpus
from crossbranch.reproduction.counting import Counts, KnownCounts, count
from crossbranch.reproduction.description import Paper, Row, Table
from crossbranch.reproduction.predictions import Part, Prediction, check_figure
from crossbranch.reproduction.trainings import Options, Plan, check_changes, learned, plan_trainings

Values = tuple[float | str | None, ...]
"""A figure for each seed, or one if it does not depend on seeds."""
Cells = list[dict[str, Values]]
"""For each row of a table: values by column."""


class Watcher:
    """Callbacks for progress. This base class ignores them."""

    def runs(self) -> RunWatcher:
        """Return the callbacks for the trainings of the next corpus."""
        return RunWatcher()

    def training(self, corpus: Corpus) -> None:
        """Called before the models of a corpus are trained."""

    def parsing(self, corpus: Corpus, table: Table, row: Row) -> None:
        """Called before a part of a corpus is parsed for a row."""

    def counting(self, corpus: Corpus, table: Table) -> None:
        """Called before a table that needs no parser is made."""


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
    failures: tuple[Failure, ...] = field(default=())


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

    Args:
        paper: What `read_paper` returned.
        corpora: What `find_corpus` returned.
        out: The folder for models, predicted trees and tables.
        only: The names of tables; empty: all.
        options: How tables are made, if not as in the paper.
        watcher: Callbacks for progress.

    Raises:
        UsageError: An option is wrong, or two corpora have the same name.
        InputError: A corpus is damaged.
    """
    chosen, looker, place = options or Options(), watcher or Watcher(), Path(out)
    tables = paper.chosen(only)
    _check(paper, tables, corpora, chosen)
    plans = {
        corpus.name: plan_trainings(paper, tables, corpus, place / corpus.name, chosen)
        for corpus in corpora
    }
    found = [_Work(paper, corpus, place, plans[corpus.name], chosen, looker) for corpus in corpora]
    for work in found:
        work.train()
    results = []
    for table in tables:
        cells = {"": _as_cells(count(table, None))} if table.kind == "examples" else {}
        for work in found if not cells else ():
            cells[work.corpus.name] = work.cells(table)
        parts = {corpus.name: corpus.scored(table.on) for corpus in corpora}
        results.append(TableResult(table, cells, parts))
    return Reproduction(
        paper,
        tuple(results),
        tuple(corpora),
        chosen,
        tuple(_notes(paper, tables, corpora, chosen)),
        tuple(failure for work in found for failure in work.failures),
    )


class _Work:
    """What is done for one corpus."""

    def __init__(
        self,
        paper: Paper,
        corpus: Corpus,
        out: Path,
        plan: Plan,
        options: Options,
        watcher: Watcher,
    ) -> None:
        self.corpus = corpus
        self.failures: Sequence[Failure] = ()
        self._plan, self._options, self._watcher = plan, options, watcher
        self._heads: str = paper.use_of(corpus.name).heads
        self._counts = out / f"{corpus.name}-counts.json"
        self._results: Results | None = None
        self._parts: dict[tuple[str, bool], Part] = {}

    def train(self) -> None:
        """Train all models; those that are there already are not trained again."""
        if self._plan.experiment is None:
            return
        self._watcher.training(self.corpus)
        self._results = experiments.run(
            self._plan.experiment, jobs=self._options.jobs, watcher=self._watcher.runs()
        )
        self.failures = self._results.failures

    def cells(self, table: Table) -> Cells:
        """Return the figures of a table. Rows whose training has failed have none."""
        if table.kind == "scores":
            return [self._row(table, row) for row in table.rows]
        known = KnownCounts(self._counts, table, self.corpus, self._heads)
        if known.found is None:
            self._watcher.counting(self.corpus, table)
            known.keep(count(table, self.corpus, self._heads))
        assert known.found is not None
        return _as_cells(known.found)

    def _row(self, table: Table, row: Row) -> dict[str, Values]:
        assert self._results is not None
        variant = self._plan.variants[table.name, row.name]
        predictions = []
        for run in self._results.of(variant):
            part = self.corpus.scored(table.on)
            trees = self._part(part, row)
            one = Prediction(run.folder, part, trees, _search(row), heads=self._heads)
            if not one.is_done:
                self._watcher.parsing(self.corpus, table, row)
                one.parse(max(self._options.jobs, 1))
            predictions.append(one)
        return {
            name: tuple(one.figure(row, column) for one in predictions)
            for name, column in table.columns.items()
        }

    def _part(self, part: str, row: Row) -> Part:
        key = part, row.tags == "given"
        if key not in self._parts:
            self._parts[key] = Part.of(self.corpus, part, given_tags=key[1])
        return self._parts[key]


def _search(row: Row) -> dict[str, Any]:
    return ({"beam": row.beam} if row.beam else {}) | row.search


def _as_cells(counts: Counts) -> Cells:
    return [{name: (value,) for name, value in row.items()} for row in counts]


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


def _notes(
    paper: Paper, tables: Sequence[Table], corpora: Sequence[Corpus], options: Options
) -> Iterator[str]:
    """Say what is not as in the paper, and what parsers learn from besides train."""
    scored = [table for table in tables if table.kind == "scores"]
    for corpus in corpora:
        if any(len(learned(paper, t, row, corpus)) > 1 for t in scored for row in t.rows):
            parts = "train and dev, as in the paper"
            yield f"{corpus.name}: parsers for the test part learn from {parts}"
        for wanted in sorted({table.on for table in scored}):
            if (part := corpus.scored(wanted)) != wanted:
                yield f"{corpus.name} has no {wanted} part: its {part} part is scored in its place"
    given = {table.on for table in scored for row in table.rows if row.tags == "given"}
    for corpus in corpora if given else ():
        if not all(corpus.has_tags(corpus.scored(part)) for part in given):
            yield (
                f"{corpus.name} has no tags of another tagger (train-tags and test-tags): the"
                " tagger of crossbranch predicts them"
            )
    if options.train_beam and scored:
        yield f"all parsers were trained with beam {options.train_beam}"
    if options.changes and scored:
        changed = ", ".join(f"{name} = {value}" for name, value in options.changes.items())
        yield f"changed settings: {changed}"
