"""`Work`: everything that is done for one corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from crossbranch import experiments
from crossbranch.experiments import Failure, Results
from crossbranch.experiments.runs import LOG
from crossbranch.reproduction.corpora import Corpus
from crossbranch.reproduction.counting import Counts, KnownCounts, count
from crossbranch.reproduction.description import Paper, Row, Table
from crossbranch.reproduction.parts import CorpusTrees
from crossbranch.reproduction.predictions import Prediction
from crossbranch.reproduction.trainings import Options, plan_trainings
from crossbranch.reproduction.watching import Watcher

Values = tuple[float | str | None, ...]
"""A figure for each seed, or one if it does not depend on seeds."""
Cells = list[dict[str, Values]]
"""For each row of a table: values by column."""


class Work:
    """What is done for one corpus. It is read at once."""

    def __init__(
        self,
        paper: Paper,
        tables: Sequence[Table],
        corpus: Corpus,
        out: Path,
        options: Options,
        watcher: Watcher,
    ) -> None:
        """Plan the trainings, and read the corpus.

        Raises:
            UsageError: A changed setting is wrong, or a file cannot be read.
            InputError: A part of the corpus has no trees.
        """
        self.corpus = corpus
        self.failures: Sequence[Failure] = ()
        self.notes: list[str] = []
        """What people must know about the data."""
        self._options, self._watcher = options, watcher
        self._heads: str = paper.use_of(corpus.name).heads
        self._counts = out / f"{corpus.name}-counts.json"
        self._results: Results | None = None
        self._plan = plan_trainings(paper, tables, corpus, out / corpus.name, options)
        tagged = {
            part
            for table in tables
            for row in table.rows
            if row.tags == "given" and corpus.has_tags(corpus.scored(table.on))
            for part in ("train", corpus.scored(table.on))
        }
        self._trees = CorpusTrees.read(corpus, tagged=tagged, warn=self._note)

    def train(self) -> None:
        """Train all models; those that are there already are not trained again."""
        if self._plan.experiment is None:
            return
        self._watcher.training(self.corpus)
        self._results = experiments.run(
            self._plan.experiment, jobs=self._options.jobs, watcher=self._watcher.runs()
        )
        self.failures = self._results.failures
        self._note_skipped(self._results)

    def _note_skipped(self, results: Results) -> None:
        """Say how many trees parsers could not learn from, besides those that cannot be read."""
        for run in results.runs:
            files = results.experiment.variant(run.variant).train
            parts = files if isinstance(files, dict) else ("train",)
            count = run.training.skipped - sum(self._trees.parts[part].skipped for part in parts)
            if count > 0:
                self._note(
                    f"{self.corpus.name}: {run.variant}, seed {run.seed}: {count:,} training"
                    f" {'tree was' if count == 1 else 'trees were'} skipped; see {run.folder / LOG}"
                )

    def cells(self, table: Table) -> Cells:
        """Return the figures of a table. Rows whose training has failed have none."""
        if table.kind == "scores":
            return [self._row(table, row) for row in table.rows]
        known = KnownCounts(self._counts, table, self._trees, self._heads)
        if known.found is None:
            self._watcher.counting(self.corpus, table)
            known.keep(count(table, self._trees, self._heads))
        assert known.found is not None
        return as_cells(known.found)

    def _row(self, table: Table, row: Row) -> dict[str, Values]:
        assert self._results is not None
        name = self.corpus.scored(table.on)
        part = self._trees.part(name, given_tags=row.tags == "given")
        predictions = []
        for run in self._results.of(self._plan.variants[table.name, row.name]):
            one = Prediction(run.folder, name, part, _search(row), heads=self._heads)
            if not one.is_done:
                self._watcher.parsing(self.corpus, table, row)
                one.parse(max(self._options.jobs, 1))
            predictions.append(one)
        return {
            name: tuple(one.figure(row, column) for one in predictions)
            for name, column in table.columns.items()
        }

    def _note(self, message: str) -> None:
        self.notes.append(message)
        self._watcher.warn(message)


def as_cells(counts: Counts) -> Cells:
    """Return figures that do not depend on seeds as cells."""
    return [{name: (value,) for name, value in row.items()} for row in counts]


def _search(row: Row) -> dict[str, Any]:
    return ({"beam": row.beam} if row.beam else {}) | row.search
