"""Tables that compare parsers: differences, significance, sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossbranch.reports.tables import Cell, FigureTable, name_sentences

if TYPE_CHECKING:
    from crossbranch.evaluation.comparison import Comparison

_MOST_SENTENCES = 12


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
    return FigureTable("comparison", columns, rows, 2)


def of_contrasts(comparison: Comparison) -> FigureTable:
    """Return the sentences that only one of two parsers gets right."""
    rows: list[list[Cell]] = []
    found: list[list[list[int]]] = []
    for contrast in comparison.contrasts:
        pairs = (
            (contrast.one, contrast.other, contrast.only_one_right),
            (contrast.other, contrast.one, contrast.only_other_right),
        )
        for right, wrong, sentences in pairs:
            numbers = [sentence.number for sentence in sentences]
            rows.append([right, wrong, len(numbers), name_sentences(numbers, _MOST_SENTENCES)])
            found.append([numbers, []])
    columns = ["right", "wrong", "count", "sentences"]
    return FigureTable("exact in one only", columns, rows, 2, sentences=found)
