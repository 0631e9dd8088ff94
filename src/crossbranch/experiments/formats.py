"""The table of an experiment as text: for terminals, for papers (Markdown), and for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from crossbranch.evaluation.counts import percent
from crossbranch.evaluation.seeds import Spread
from crossbranch.evaluation.significance import Significance
from crossbranch.experiments.finished import tsv
from crossbranch.experiments.tables import Difference, ResultTable, Row


class TextTable(NamedTuple):
    """A table of texts. The first column is aligned to the left, the others to the right."""

    caption: str
    columns: list[str]
    rows: list[list[str]]


def in_words(table: ResultTable) -> list[TextTable]:
    """Return the table for people; if there are controls, also the differences to them."""
    found = [_figures(table)]
    if any(row.to_control for row in table.rows):
        found.append(_controls(table))
    return found


def to_markdown(tables: Sequence[ResultTable]) -> str:
    """Return tables as Markdown."""
    return "\n".join(markdown(part) for table in tables for part in in_words(table))


def to_tsv(tables: Sequence[ResultTable]) -> str:
    """Return tables as tab-separated text, with raw figures: a line for each set and variant."""
    return tsv([_record(table, row) for table in tables for row in table.rows])


def to_json(tables: Sequence[ResultTable]) -> str:
    """Return all figures as JSON."""
    return json.dumps([table.to_dict() for table in tables], indent=2, ensure_ascii=False) + "\n"


WRITERS: dict[str, Callable[[Sequence[ResultTable]], str]] = {
    "markdown": to_markdown,
    "tsv": to_tsv,
    "json": to_json,
}
"""The formats for files."""


def _figures(table: ResultTable) -> TextTable:
    all_done = all(len(row.seeds) == len(table.seeds) for row in table.rows)
    has_tags = any(row.tag_accuracy for row in table.rows)
    compares = any(row.to_baseline for row in table.rows)
    columns = ["variant", *([] if all_done else ["seeds"]), "F1", "disc. F1"]
    columns += [*(["tags"] if has_tags else []), "tokens/s", "training"]
    columns += ["Δ F1", "p", "Δ disc. F1", "p"] if compares else []
    rows = []
    for row in table.rows:
        cells = [row.variant, *([] if all_done else [f"{len(row.seeds)} of {len(table.seeds)}"])]
        cells += [_shares(row.f1), _shares(row.discontinuous_f1)]
        cells += [_shares(row.tag_accuracy)] if has_tags else []
        cells += [_speed(row.tokens_per_second), _time(row.training_seconds)]
        cells += _difference(row.to_baseline) if compares else []
        rows.append(cells)
    many = len(table.seeds) > 1
    caption = f"{table.set}: "
    caption += f"mean ± deviation over {len(table.seeds)} seeds" if many else "one seed"
    caption += f"; Δ: difference to {table.baseline}" if compares else ""
    return TextTable(caption, columns, rows)


def _controls(table: ResultTable) -> TextTable:
    rows = [
        [row.variant, row.to_control.other, *_difference(row.to_control)]
        for row in table.rows
        if row.to_control
    ]
    columns = ["variant", "control", "Δ F1", "p", "Δ disc. F1", "p"]
    return TextTable(f"{table.set}: difference to the control", columns, rows)


def _shares(spread: Spread | None) -> str:
    if spread is None:
        return ""
    mean = f"{100 * spread.mean:.2f}"
    return mean if spread.deviation is None else f"{mean} ± {100 * spread.deviation:.2f}"


def _speed(spread: Spread | None) -> str:
    return "" if spread is None else f"{spread.mean:,.0f}"


def _time(spread: Spread | None) -> str:
    """Return a mean time in the unit that fits it."""
    if spread is None:
        return ""
    seconds = spread.mean
    unit, size = ("s", 1) if seconds < 120 else ("min", 60) if seconds < 7200 else ("h", 3600)
    return f"{seconds / size:.1f} {unit}"


def _difference(found: Difference | None) -> list[str]:
    if found is None:
        return [""] * 4
    return [
        f"{100 * found.f1:+.2f}",
        _p(found.f1_test),
        f"{100 * found.discontinuous_f1:+.2f}",
        _p(found.discontinuous_f1_test),
    ]


def _p(test: Significance | None) -> str:
    if test is None:
        return ""
    return "<0.001" if test.randomization_p < 0.001 else f"{test.randomization_p:.3f}"


def markdown(table: TextTable) -> str:
    """Return one table as Markdown, below its caption."""
    rules = ["---", *["---:"] * (len(table.columns) - 1)]
    lines = [table.columns, rules, *([_escaped(cell) for cell in row] for row in table.rows)]
    rows = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return f"{table.caption}\n\n{rows}"


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")


def _record(table: ResultTable, row: Row) -> dict[str, Any]:
    found: dict[str, Any] = {"set": table.set, "variant": row.variant, "seeds": len(row.seeds)}
    for name, scale in (("f1", percent), ("discontinuous_f1", percent), ("tag_accuracy", percent)):
        found |= _spread_record(name, getattr(row, name), scale)
    for name in ("tokens_per_second", "training_seconds"):
        found |= _spread_record(name, getattr(row, name), lambda value: round(value, 2))
    for reference, difference in (("baseline", row.to_baseline), ("control", row.to_control)):
        found |= _difference_record(reference, difference)
    return found


def _spread_record(
    name: str, spread: Spread | None, scale: Callable[[float], float]
) -> dict[str, Any]:
    mean = None if spread is None else spread.mean
    deviation = None if spread is None else spread.deviation
    return {
        f"{name}_mean": None if mean is None else scale(mean),
        f"{name}_deviation": None if deviation is None else scale(deviation),
    }


def _difference_record(reference: str, found: Difference | None) -> dict[str, Any]:
    record: dict[str, Any] = {reference: None if found is None else found.other}
    for name in ("f1", "discontinuous_f1"):
        cells: list[float | None] = [None] * 4
        if found is not None:
            cells[0] = percent(getattr(found, name))
            if test := getattr(found, f"{name}_test"):
                interval = (percent(test.difference.low), percent(test.difference.high))
                cells[1:] = [*interval, test.randomization_p]
        columns = [f"{reference}_{name}_{column}" for column in ("difference", "low", "high", "p")]
        record |= zip(columns, cells, strict=True)
    return record
