"""The plots on the page of an evaluation."""

from __future__ import annotations

from collections.abc import Sequence

from crossbranch.evaluation import Evaluation, SentenceRow
from crossbranch.evaluation.scores import Scores
from crossbranch.reports.charts import Plot

_STEP = 10


def plots(evaluation: Evaluation) -> list[Plot]:
    """Return two plots: F1 by sentence length, and the number of sentences by F1."""
    return [_by_length(evaluation.sentences), _by_quality(evaluation.sentences)]


def _by_length(sentences: Sequence[SentenceRow]) -> Plot:
    classes: dict[int, list[SentenceRow]] = {}
    for row in sentences:
        classes.setdefault(max(row.length - 1, 0) // _STEP, []).append(row)
    groups = []
    for number, rows in sorted(classes.items()):
        column = Scores.of_columns([row.column for row in rows], 0).all
        gaps = column.discontinuous.brackets
        values = (
            100 * column.f1,
            100 * gaps.f1 if gaps.gold + gaps.predicted else None,
        )
        groups.append((f"{number * _STEP + 1} to {number * _STEP + _STEP} tokens", values))
    return Plot("F1 by sentence length", ("all", "discontinuous"), groups, 100)


def _by_quality(sentences: Sequence[SentenceRow]) -> Plot:
    counts = [0] * 11
    for row in sentences:
        counts[int(10 * row.column.f1)] += 1
    names = [f"{10 * k} to {10 * k + 10}" for k in range(10)] + ["100"]
    groups = [(name, (count,)) for name, count in zip(names, counts, strict=True)]
    return Plot("sentences by F1", ("sentences",), groups)
