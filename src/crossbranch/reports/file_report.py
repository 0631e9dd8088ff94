"""The results of an evaluation of files: tables, rows for programs, and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from crossbranch.evaluation import Evaluation
from crossbranch.evaluation.comparison import Comparison
from crossbranch.evaluation.seeds import SystemComparison
from crossbranch.reports import comparison_tables, seed_tables, tables
from crossbranch.reports.figure_sentences import FigureSentences
from crossbranch.reports.file_evaluation import FileEvaluation, FileResult
from crossbranch.reports.records import SentenceRecord
from crossbranch.reports.tables import Cell, FigureTable

Watch = Callable[[Iterable[SentenceRecord], str], Iterable[SentenceRecord]]


class FileReport(NamedTuple):
    """The results of all files of predictions, and their comparison."""

    results: list[FileResult]
    comparison: Comparison | None
    systems: SystemComparison | None = None
    """Means over seeds and their differences, if the files are seeds of systems."""

    @classmethod
    def of(cls, evaluation: FileEvaluation) -> FileReport:
        """Evaluate the files."""
        results = evaluation.results()
        return cls(results, evaluation.comparison(results), evaluation.systems_compared(results))

    def tables(self) -> Iterator[FigureTable]:
        """Yield all tables, as terminals show them. The tables of the comparison come last.

        Of seeds, the scores of each file are left out: their means are shown. The main tables do
        not have the sentences of their figures: finding them takes longer than the scores.
        """
        for result in self.results:
            if self.systems is None or result.analysis or result.lists.largest > 1:
                yield from _with_others(_scores(result), result)
        yield from self._compared()

    def table_rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of all tables by column, with the file and the heading of the table."""
        for result in self.results:
            for table in tables_of(result):
                yield from _rows(table, {"prediction": result.path, "table": table.name})
        for table in self._compared():
            yield from _rows(table, {"prediction": None, "table": table.heading})

    def sentence_rows(self) -> Iterator[dict[str, object]]:
        """Yield the figures of each sentence of each file.

        If there are k-best lists, the number of trees and the figures of the oracle are added.
        """
        has_lists = any(result.lists.largest > 1 for result in self.results)
        for result in self.results:
            lists = result.lists.lists
            for row, trees in zip(result.evaluation.sentences, lists, strict=True):
                counts = row.column.all.brackets
                gaps = row.column.discontinuous.brackets
                figures = {
                    "prediction": result.path,
                    "number": row.number,
                    "id": row.id,
                    "length": row.length,
                    "gold": counts.gold,
                    "predicted": counts.predicted,
                    "matched": counts.matched,
                    "f1": f"{100 * counts.f1:.2f}",
                    "discontinuous_gold": gaps.gold,
                    "discontinuous_predicted": gaps.predicted,
                    "discontinuous_matched": gaps.matched,
                    "exact": row.column.all.exact,
                    "missing": row.column.missing,
                }
                if has_lists:
                    rank, oracle = trees.oracle(max(trees.trees, 1))
                    figures["trees"] = trees.trees
                    figures["oracle_rank"] = rank
                    figures["oracle_f1"] = f"{100 * oracle.column.f1:.2f}"
                yield figures

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        found: dict[str, Any] = {"predictions": {r.path: _to_dict(r) for r in self.results}}
        if self.comparison is not None:
            found["comparison"] = self.comparison.to_dict()
        if self.systems is not None:
            found["seeds"] = self.systems.to_dict()
        return found

    def write_pages(self, target: str, evaluation: FileEvaluation, watch: Watch) -> None:
        """Write an HTML page for each file of predictions.

        Args:
            target: The page, or `-`. Several pages are called `TARGET-1-NAME`, `TARGET-2-NAME`.
            evaluation: The evaluation. Sentences are read again from its files.
            watch: Called with the sentences and a description of the work; yields the sentences.
        """
        from crossbranch.reports.charts import plots  # drawings are slow to load
        from crossbranch.reports.html import html_report

        for number, result in enumerate(self.results, 1):
            path = Path(result.path)
            page = Path(target)
            if len(self.results) > 1:
                page = page.with_name(f"{page.stem}-{number}-{path.stem}{page.suffix}")
            html_report(
                str(page),
                f"{path.name} against {Path(evaluation.gold).name}",
                summary=[*tables_of(result), *self._compared()],
                plots=plots(result.evaluation),
                sentences=watch(evaluation.records(result.path), "writing sentences"),
            )

    def _compared(self) -> list[FigureTable]:
        if self.systems is not None:
            seeds = [seed_tables.of_seeds(self.systems)]
            if self.systems.contrasts:
                seeds.append(seed_tables.of_systems(self.systems))
            return seeds
        if self.comparison is None:
            return []
        return [
            comparison_tables.of_comparison(self.comparison),
            comparison_tables.of_contrasts(self.comparison),
        ]


def tables_of(result: FileResult) -> list[FigureTable]:
    """Return the tables of one file of predictions: its scores, its lists, and all analyses."""
    return _with_others(_sentences_of_scores(result).fill(_scores(result)), result)


def _scores(result: FileResult) -> FigureTable:
    return tables.of_scores(result.path, result.evaluation)


def _with_others(scores: FigureTable, result: FileResult) -> list[FigureTable]:
    found = [scores]
    if result.lists.largest > 1:
        found.append(tables.of_k_best(result.lists))
    return [*found, *(result.analysis.tables() if result.analysis else ())]


def _sentences_of_scores(result: FileResult) -> FigureSentences:
    found = FigureSentences()
    for row in result.evaluation.sentences:
        one = Evaluation(result.evaluation.parameters, (row,))
        found.add(row.number, [tables.of_scores(result.path, one)])
    return found


def _to_dict(result: FileResult) -> dict[str, Any]:
    found = result.evaluation.to_dict()
    found["ids"] = {row.number: row.id for row in result.evaluation.sentences}
    found["sentences"] = _sentences_of_scores(result).to_dict()
    if result.analysis:
        found["sentences"] |= result.analysis.sentences.to_dict()
    if result.lists.largest > 1:
        found["k_best"] = result.lists.to_dict()
    return found | (result.analysis.to_dict() if result.analysis else {})


def _rows(table: FigureTable, first: dict[str, Cell]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table. `sentences_of` has the numbers of the sentences of each figure."""
    columns = [column or "name" for column in table.columns]
    for row, sentences in zip_longest(table.rows, table.sentences, fillvalue=()):
        cells = [round(cell, 2) if isinstance(cell, float) else cell for cell in row]
        found: dict[str, Any] = first | dict(zip(columns, cells, strict=True))
        if sentences:
            found["sentences_of"] = dict(zip(columns[table.names :], sentences, strict=True))
        yield found
