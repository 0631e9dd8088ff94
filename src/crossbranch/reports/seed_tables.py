"""Tables of several seeds of a system: means, deviations and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossbranch.reports.tables import Cell, FigureTable

if TYPE_CHECKING:
    from crossbranch.evaluation.seeds import SystemComparison

_SHORT = {"f1": "F1", "discontinuous_f1": "discontinuous F1"}


def of_seeds(comparison: SystemComparison) -> FigureTable:
    """Return mean and deviation over seeds, and the lowest and highest value, by figure."""
    columns = ["system", "figure", "seeds", "mean", "deviation", "lowest", "highest"]
    rows: list[list[Cell]] = []
    for system in comparison.systems:
        for figure, spread in system.spreads().items():
            deviation = None if spread.deviation is None else 100 * spread.deviation
            values = [100 * spread.mean, deviation, 100 * min(spread.values)]
            shown = [*values, 100 * max(spread.values)]
            rows.append([system.name, _name(figure), len(spread.values), *shown])
    return FigureTable("seeds", columns, rows, 2)


def of_systems(comparison: SystemComparison) -> FigureTable:
    """Return the differences of the means and their significance."""
    columns = ["systems", "figure", "one", "other", "difference"]
    rows: list[list[Cell]] = [
        [
            f"{contrast.one} / {contrast.other}",
            _name(figure),
            100 * test.one.value,
            100 * test.other.value,
            100 * test.difference.value,
            f"{100 * test.difference.low:.2f} to {100 * test.difference.high:.2f}",
            f"{test.bootstrap_p:.4f}",
            f"{test.randomization_p:.4f}",
        ]
        for contrast in comparison.contrasts
        for figure, test in contrast.tests.items()
    ]
    return FigureTable(
        "comparison of means over seeds", [*columns, "interval", "p boot.", "p rand."], rows, 2
    )


def _name(figure: str) -> str:
    return _SHORT.get(figure, figure.replace("_f1", "_F1").replace("_", " "))
