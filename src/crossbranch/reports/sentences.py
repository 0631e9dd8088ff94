"""The figures of each sentence, as rows for programs."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import TextIO

from crossbranch.evaluation import Evaluation


def write_sentences(results: Iterable[tuple[str, Evaluation]], stream: TextIO) -> None:
    """Write a row for each sentence as CSV, for each prediction and its evaluation."""
    writer: csv.DictWriter[str] | None = None
    for row in sentence_rows(results):
        if writer is None:
            writer = csv.DictWriter(stream, list(row))
            writer.writeheader()
        writer.writerow(row)


def sentence_rows(results: Iterable[tuple[str, Evaluation]]) -> Iterator[dict[str, object]]:
    """Yield the figures of each sentence of each prediction."""
    for path, result in results:
        for row in result.sentences:
            column = row.column
            counts, gaps = column.all.brackets, column.discontinuous.brackets
            yield {
                "prediction": path,
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
                "exact": column.all.exact,
                "missing": column.missing,
            }
