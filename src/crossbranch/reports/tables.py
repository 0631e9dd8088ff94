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
    from crossbranch.evaluation.comparison import Comparison
    from crossbranch.evaluation.dependency_scores import DependencyScores
    from crossbranch.evaluation.error_types import ErrorTypes
    from crossbranch.evaluation.function_scores import FunctionScores
    from crossbranch.evaluation.phenomena import Phenomena

Cell = str | int | float | None
_MOST_CONFUSIONS = 15
_MOST_SENTENCES = 12


class FigureTable(NamedTuple):
    """A table. Floats are shown with two decimals, None as a dash."""

    heading: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]


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
    cells = [
        _figures(column, figures, evaluation.parameters)
        for kind in kinds
        for column, figures in (
            (scores.all, getattr(scores.all, kind)),
            (scores.cutoff, getattr(scores.cutoff, kind)),
        )
    ]
    return FigureTable(
        name, columns, [[row, *(column[row] for column in cells)] for row in cells[0]]
    )


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
    return FigureTable(heading, columns, [[name, *_counts(counts)] for name, counts in rows])


def _counts(counts: MatchCounts) -> list[Cell]:
    shares = [100 * counts.recall, 100 * counts.precision, 100 * counts.f1]
    return [counts.gold, counts.predicted, counts.matched, *shares]


def of_confusions(heading: str, errors: Sequence[tuple[str, str, int]]) -> FigureTable:
    """Return the most frequent confusions."""
    return FigureTable(heading, ["gold", "predicted", "count"], errors[:_MOST_CONFUSIONS])


def of_attachments(attachments: Attachments) -> FigureTable:
    """Return the numbers of right brackets below a wrong parent."""
    rows: list[list[Cell]] = [
        [label, matched, wrong, 100 * wrong / matched]
        for label, matched, wrong in attachments.rows()
        if wrong
    ]
    return FigureTable("attachment errors", ["label", "matching", "wrong parent", "%"], rows)


def of_functions(scores: FunctionScores) -> FigureTable:
    """Return the scores of all functions together."""
    columns = ["", "gold", "predicted", "matching", "recall", "precision", "F1", "accuracy"]
    rows: list[list[Cell]] = [
        ["nodes with the right bracket", *_counts(scores.nodes), 100 * scores.node_accuracy],
        ["tokens with the right tag", *_counts(scores.tokens), 100 * scores.token_accuracy],
        ["brackets with functions", *_counts(scores.brackets), None],
    ]
    return FigureTable("functions", columns, rows)


def of_dependencies(scores: DependencyScores) -> FigureTable:
    """Return attachment scores. They are None if heads are not marked."""
    shares = [None if s is None else 100 * s for s in (scores.unlabelled, scores.labelled)]
    return FigureTable(
        "dependencies", ["tokens", "unlabelled", "labelled"], [[scores.tokens, *shares]]
    )


def of_error_types(types: ErrorTypes) -> FigureTable:
    """Return errors by the edit that repairs them."""
    columns = ["type", "errors", "nodes affected", "disc. errors", "disc. nodes affected"]
    return FigureTable("errors by type", columns, types.rows())


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
    for name, scores in phenomena.rows():
        labelled = scores.labelled
        counts = labelled.brackets
        shares = [100 * counts.recall, 100 * counts.precision, 100 * counts.f1]
        unlabelled = 100 * scores.unlabelled.brackets.f1
        rows.append([name, scores.sentences, labelled.exact, labelled.partial, *shares, unlabelled])
    return FigureTable("phenomena", columns, rows)


def of_comparison(comparison: Comparison) -> FigureTable:
    """Return the differences between parsers and their significance."""
    columns = ["parsers", "metric", "one", "other", "difference", "interval", "p boot.", "p rand."]
    rows = [
        [
            f"{row['one']} / {row['other']}",
            str(row["metric"]).replace("_", " "),
            row["one_value"],
            row["other_value"],
            row["difference"],
            f"{row['difference_low']:.2f} to {row['difference_high']:.2f}",
            f"{row['bootstrap_p']:.4f}",
            f"{row['randomization_p']:.4f}",
        ]
        for row in comparison.rows()
    ]
    return FigureTable("comparison", columns, rows)


def of_contrasts(comparison: Comparison) -> FigureTable:
    """Return the sentences that only one of two parsers gets right."""
    rows: list[list[Cell]] = []
    for contrast in comparison.contrasts:
        pairs = (
            (contrast.one, contrast.other, contrast.only_one_right),
            (contrast.other, contrast.one, contrast.only_other_right),
        )
        for right, wrong, sentences in pairs:
            numbers = [str(sentence.number) for sentence in sentences]
            more = ", …" if len(numbers) > _MOST_SENTENCES else ""
            rows.append([right, wrong, len(numbers), ", ".join(numbers[:_MOST_SENTENCES]) + more])
    return FigureTable("exact in one only", ["right", "wrong", "count", "sentences"], rows)


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


def show(cell: Cell) -> str:
    """Return a cell as text."""
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.2f}"
    return f"{cell:,}" if isinstance(cell, int) else cell
