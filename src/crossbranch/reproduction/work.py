"""`Work`: everything that is done for one corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from crossbranch import experiments
from crossbranch.errors import CrossbranchError
from crossbranch.experiments import Experiment, Results, RunResult
from crossbranch.experiments.planning import check_folder
from crossbranch.experiments.runs import LOG, MODEL, forget_training
from crossbranch.parsers import Parser, load
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
_Found = TypeVar("_Found")


class Failed(NamedTuple):
    """Something that could not be done: its figures are missing in the tables."""

    corpus: str
    what: str
    """What was done, such as "table 3, GAP, BASELINE, beam 4, seed 1"."""
    reason: str


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
            UsageError: A changed setting is wrong, a file cannot be read, or the folder for models
                has other files.
            InputError: A part of the corpus has no trees.
        """
        self.corpus = corpus
        self.failures: list[Failed] = []
        self.notes: list[str] = []
        """What people must know about the data."""
        self._options, self._watcher = options, watcher
        self._counts = out / f"{corpus.name}-counts.json"
        self._results: Results | None = None
        self._plan = plan_trainings(paper, tables, corpus, out / corpus.name, options)
        check_folder(out / corpus.name)
        tagged = {
            part
            for table in tables
            for row in table.rows
            if row.tags == "given" and corpus.has_tags(corpus.scored(table.on))
            for part in ("train", corpus.scored(table.on))
        }
        heads = str(options.changes.get("heads", paper.use_of(corpus.name).heads))
        self._trees = CorpusTrees.read(corpus, heads=heads, tagged=tagged, warn=self._note)
        if heads == "none":
            used = f"the table {self._trees.heads}"
            self._note(f"{corpus.name}: heads = none is for parsers; everything else uses {used}")

    def train(self) -> None:
        """Train all models; those that are there already are not trained again."""
        if self._plan.experiment is None:
            return
        self._watcher.training(self.corpus)
        self._results = self._attempt("training", partial(self._run, self._plan.experiment), None)

    def _run(self, experiment: Experiment, only: Sequence[str] = ()) -> Results:
        found = experiments.run(
            experiment, jobs=self._options.jobs, only=only, watcher=self._watcher.runs()
        )
        for one in found.failures:
            self._fail(f"{one.variant}, seed {one.seed}", one.reason)
        self._note_skipped(found)
        return found

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
        """Return the figures of a table. There are none for what has failed."""
        what = f"table {table.name}"
        if table.kind != "scores":
            return self._attempt(what, partial(self._counted, table), [{} for _ in table.rows])
        return [
            self._attempt(f"{what}, {row.name}", partial(self._row, table, row), {})
            for row in table.rows
        ]

    def _counted(self, table: Table) -> Cells:
        known = KnownCounts(self._counts, table, self._trees)
        if known.found is None:
            self._watcher.counting(self.corpus, table)
            known.keep(count(table, self._trees))
        assert known.found is not None
        return as_cells(known.found)

    def _row(self, table: Table, row: Row) -> dict[str, Values]:
        if self._results is None:
            return {}
        name = self.corpus.scored(table.on)
        part = self._trees.part(name, given_tags=row.tags == "given")
        predictions = []
        for run in self._results.of(self._plan.variants[table.name, row.name]):
            one = Prediction(run.folder, name, part, _search(row), heads=self._trees.heads)
            if one.is_damaged:
                self._warn(f"{one.path} is lost or damaged; its sentences are parsed again")
            if not one.is_done:
                parser = self._parser(run, self._results.experiment)
                self._watcher.parsing(self.corpus, table, row)
                one.parse(parser, max(self._options.jobs, 1))
            predictions.append(one)
        return {
            name: tuple(one.figure(row, column) for one in predictions)
            for name, column in table.columns.items()
        }

    def _parser(self, run: RunResult, experiment: Experiment) -> Parser:
        """Load the model of a run. If it is lost or damaged, it is trained again."""
        place = run.folder / MODEL
        try:
            return load(place)
        except (CrossbranchError, OSError) as error:
            self._warn(f"{error}; the model is trained again")
        forget_training(run.folder)
        self._run(experiment, only=[run.variant])
        return load(place)

    def _attempt(self, what: str, do: Callable[[], _Found], otherwise: _Found) -> _Found:
        """Do something. If it fails, what else there is to do is done all the same."""
        try:
            return do()
        except (CrossbranchError, OSError) as error:
            self._fail(what, str(error))
            return otherwise

    def _fail(self, what: str, reason: str) -> None:
        self.failures.append(Failed(self.corpus.name, what, reason))

    def _note(self, message: str) -> None:
        """Tell something that is also written to the tables."""
        if message not in self.notes:
            self.notes.append(message)
            self._watcher.warn(message)

    def _warn(self, message: str) -> None:
        self._watcher.warn(f"{self.corpus.name}: {message}")


def as_cells(counts: Counts) -> Cells:
    """Return figures that do not depend on seeds as cells."""
    return [{name: (value,) for name, value in row.items()} for row in counts]


def _search(row: Row) -> dict[str, Any]:
    return ({"beam": row.beam} if row.beam else {}) | row.search
