"""Tables of figures, for terminals and pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from crossbranch.evaluation import (
        Column,
        Evaluation,
        Figures,
        KBestEvaluation,
        MatchCounts,
        Parameters,
    )
    from crossbranch.evaluation.attachments import Attachments
    from crossbranch.evaluation.confusions import Confusions
    from crossbranch.evaluation.dependency_scores import DependencyScores
    from crossbranch.evaluation.error_types import ErrorTypes
    from crossbranch.evaluation.function_scores import FunctionScores
    from crossbranch.evaluation.phenomena import Phenomena

Cell = str | int | float | None
PHENOMENA = "phenomena"
_MOST_CONFUSIONS = 15  # in a terminal


class FigureTable(NamedTuple):
    """A table. Floats are shown with two decimals, None as a dash."""

    heading: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]
    names: int = 1
    """The number of first columns that name a row. The others are figures."""

    counted: Iterable[Sequence[int]] = ()
    """For each figure, how much it counts. A share counts what lowers it, such as errors."""

    sentences: Sequence[Sequence[Sequence[int]]] = ()
    """For each figure, the numbers of its sentences; see `figure_sentences`."""

    title: str = ""
    """The name of the table, if it is not the heading."""

    @property
    def name(self) -> str:
        """The name of the table in links, JSON and CSV."""
        return self.title or self.heading


def of_scores(name: str, evaluation: Evaluation) -> FigureTable:
    """Return the main scores: all and discontinuous brackets, in all and in short sentences."""
    scores = evaluation.scores
    short = f"≤ {evaluation.parameters.cutoff} tokens"
    headings = {
        "all": ["all", f"all, {short}"],
        "discontinuous": ["discontinuous", f"disc., {short}"],
    }
    kinds = ["discontinuous"] if evaluation.parameters.discontinuous_only else list(headings)
    columns = ["", *(heading for kind in kinds for heading in headings[kind])]
    parts = [
        (column, getattr(column, kind)) for kind in kinds for column in (scores.all, scores.cutoff)
    ]
    cells = [_figures(*part, evaluation.parameters) for part in parts]
    counted = [_counted_figures(*part) for part in parts]
    return FigureTable(
        name,
        columns,
        [[row, *(column[row] for column in cells)] for row in cells[0]],
        counted=[[column[row] for column in counted] for row in cells[0]],
        title="scores",
    )


def _counted_figures(column: Column, figures: Figures) -> dict[str, int]:
    """Return what the cells of a column count."""
    gold, predicted, matched, *errors = _counted(figures.brackets)
    return {
        "sentences": figures.sentences,
        "gold brackets": gold,
        "predicted brackets": predicted,
        "matching brackets": matched,
        **dict(zip(("recall", "precision", "F1"), errors, strict=True)),
        "exact match": figures.sentences - figures.exact,
        "tag accuracy": column.tags - column.right_tags,
        "leaf-ancestor": int(column.leaf_ancestor_sentences and column.mean_leaf_ancestor < 1),
        "tree distance": int(column.distance_vertices and column.tree_likeness < 1),
    }


def _figures(column: Column, figures: Figures, parameters: Parameters) -> dict[str, Cell]:
    """Return the cells of a column. A share of nothing is None."""
    counts = figures.brackets

    def share(value: float, whole: int) -> float | None:
        return 100 * value if whole else None

    cells: dict[str, Cell] = {
        "sentences": figures.sentences,
        "gold brackets": counts.gold,
        "predicted brackets": counts.predicted,
        "matching brackets": counts.matched,
        "recall": share(counts.recall, figures.sentences),
        "precision": share(counts.precision, figures.sentences),
        "F1": share(counts.f1, figures.sentences),
        "exact match": share(figures.exact_match, figures.sentences),
        "tag accuracy": share(column.tag_accuracy, column.tags),
    }
    if parameters.leaf_ancestor:
        some = column.leaf_ancestor_sentences
        cells["leaf-ancestor"] = share(column.mean_leaf_ancestor, some)
    if parameters.tree_distance:
        cells["tree distance"] = share(column.tree_likeness, column.distance_vertices)
    return cells


def of_k_best(lists: KBestEvaluation) -> FigureTable:
    """Return the scores of the oracle of the first k trees, by k."""
    columns = ["k", "recall", "precision", "F1", "exact match", "disc. F1"]
    rows: list[list[Cell]] = []
    for k, found in lists.by_k():
        gaps = found.discontinuous_f1 if found.main.discontinuous.sentences else None
        shares = [found.recall, found.precision, found.f1, found.exact_match, gaps]
        rows.append([k, *(None if share is None else 100 * share for share in shares)])
    return FigureTable("oracle: the best tree among the first k", columns, rows)


def of_counts(heading: str, rows: Iterable[tuple[str, MatchCounts]]) -> FigureTable:
    """Return counts and figures of each class."""
    columns = ["", "gold", "predicted", "matching", "recall", "precision", "F1"]
    found = list(rows)
    return FigureTable(
        heading,
        columns,
        [[name, *_counts(counts)] for name, counts in found],
        counted=[_counted(counts) for _, counts in found],
    )


def _counts(counts: MatchCounts) -> list[Cell]:
    shares = [100 * counts.recall, 100 * counts.precision, 100 * counts.f1]
    return [counts.gold, counts.predicted, counts.matched, *shares]


def _counted(counts: MatchCounts) -> list[int]:
    """Return what the figures of counts count: recall counts what is missing, and so on."""
    missing, extra = counts.gold - counts.matched, counts.predicted - counts.matched
    return [counts.gold, counts.predicted, counts.matched, missing, extra, missing + extra]


def of_confusions(heading: str, errors: Sequence[tuple[str, str, int]]) -> FigureTable:
    """Return all confusions, the most frequent first."""
    columns = ["gold", "predicted", "count"]
    return FigureTable(heading, columns, errors, 2, [[count] for *_, count in errors])


def of_attachments(attachments: Attachments, *, every_row: bool = False) -> FigureTable:
    """Return the numbers of right brackets below a wrong parent, by default if there are any."""
    found = [row for row in attachments.rows() if row[2] or every_row]
    rows: list[list[Cell]] = [[*row, 100 * row[2] / row[1]] for row in found]
    return FigureTable(
        "attachment errors",
        ["label", "matching", "wrong parent", "%"],
        rows,
        counted=[[matched, wrong, wrong] for _, matched, wrong in found],
    )


def of_functions(scores: FunctionScores) -> FigureTable:
    """Return the scores of all functions together."""
    columns = ["", "gold", "predicted", "matching", "recall", "precision", "F1", "accuracy"]
    rows: list[list[Cell]] = [
        ["nodes with the right bracket", *_counts(scores.nodes), 100 * scores.node_accuracy],
        ["tokens with the right tag", *_counts(scores.tokens), 100 * scores.token_accuracy],
        ["brackets with functions", *_counts(scores.brackets), None],
    ]
    parts = (scores.nodes, scores.tokens, scores.brackets)
    wrong = (*(_wrong(part) for part in (scores.of_nodes, scores.of_tokens)), 0)
    counted = [[*_counted(part), errors] for part, errors in zip(parts, wrong, strict=True)]
    return FigureTable("functions", columns, rows, counted=counted)


def _wrong(confusions: Confusions) -> int:
    return sum(count for *_, count in confusions.errors())


def of_dependencies(scores: DependencyScores) -> FigureTable:
    """Return attachment scores. They are None if heads are not marked."""
    shares = [None if s is None else 100 * s for s in (scores.unlabelled, scores.labelled)]
    return FigureTable(
        "dependencies",
        ["tokens", "unlabelled", "labelled"],
        [[scores.tokens, *shares]],
        0,
        [[scores.tokens, scores.tokens - scores.right_heads, scores.tokens - scores.right_arcs]],
    )


def of_error_types(types: ErrorTypes) -> FigureTable:
    """Return errors by the edit that repairs them."""
    columns = ["type", "errors", "nodes affected", "disc. errors", "disc. nodes affected"]
    rows = types.rows()
    return FigureTable("errors by type", columns, rows, counted=[counts for _, *counts in rows])


def of_phenomena(phenomena: Phenomena) -> FigureTable:
    """Return the scores of each kind of discontinuity."""
    columns = [
        "phenomenon",
        "sentences",
        "exact",
        "partial",
        "recall",
        "precision",
        "F1",
        "F1 unl.",
    ]
    rows: list[list[Cell]] = []
    counted: list[list[int]] = []
    for name, scores in phenomena.rows():
        labelled = scores.labelled
        counts = labelled.brackets
        shares = [100 * counts.recall, 100 * counts.precision, 100 * counts.f1]
        unlabelled = 100 * scores.unlabelled.brackets.f1
        rows.append([name, scores.sentences, labelled.exact, labelled.partial, *shares, unlabelled])
        errors = [*_counted(counts)[3:], _counted(scores.unlabelled.brackets)[-1]]
        counted.append([scores.sentences, labelled.exact, labelled.partial, *errors])
    return FigureTable(PHENOMENA, columns, rows, counted=counted)


def to_rich(table: FigureTable) -> RichTable:
    """Return a table for terminals."""
    from rich.markup import escape
    from rich.table import Table as RichTable

    shown = RichTable(
        title=escape(table.heading), title_justify="left", box=None, header_style="bold"
    )
    rows = [list(row) for row in table.rows]
    for index, column in enumerate(table.columns):
        numbers = all(not isinstance(row[index], str) for row in rows) and index > 0
        shown.add_column(column, justify="right" if numbers else "left")
    for row in rows:
        shown.add_row(*(escape(show(cell)) for cell in row))
    return shown


def for_terminal(table: FigureTable, sentences: int) -> FigureTable:
    """Return a table as terminals show it.

    Only the most frequent confusions are shown. The table of phenomena gets a column with the
    numbers of sentences, at most as many as `sentences` says.
    """
    rows = list(table.rows)
    if table.columns[:2] == ["gold", "predicted"]:
        return table._replace(rows=rows[:_MOST_CONFUSIONS])
    if table.heading != PHENOMENA or sentences == 0:
        return table
    shown = [name_sentences(numbers[0], sentences) for numbers in table.sentences]
    return table._replace(
        columns=[*table.columns, "numbers of sentences"],
        rows=[[*row, names] for row, names in zip(rows, shown, strict=True)],
    )


def name_sentences(numbers: Sequence[int], most: int) -> str:
    """Return the first numbers as text, separated by commas. Dots stand for the others."""
    return ", ".join(map(str, numbers[:most])) + (", …" if len(numbers) > most else "")


def show(cell: Cell) -> str:
    """Return a cell as text."""
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.2f}"
    return f"{cell:,}" if isinstance(cell, int) else cell
