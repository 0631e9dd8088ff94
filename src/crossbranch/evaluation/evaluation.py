"""Compares two treebanks in one pass: the scores of all sentences, and of each one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError
from crossbranch.evaluation.alignment import Aligned, Alignment, align_trees
from crossbranch.evaluation.pairs import Pair
from crossbranch.evaluation.parameters import Parameters, find_parameters
from crossbranch.evaluation.scores import Column, MainFigures, Scores
from crossbranch.tree import Tree


class SentenceRow(NamedTuple):
    """The scores of one sentence."""

    number: int
    id: str
    length: int
    column: Column

    @classmethod
    @door
    def of(cls, aligned: Aligned, pair: Pair) -> SentenceRow:
        """Score one sentence."""
        return cls(aligned.number, aligned.gold.id, pair.length, Column.of(pair))


@dataclass(frozen=True, repr=False)
class Evaluation(MainFigures):
    """The result: the scores of all sentences together, and of each sentence.

    `evaluation.f1`, `evaluation.discontinuous_f1` and so on are the scores of all sentences.
    `evaluation.scores` has all scores.
    """

    parameters: Parameters
    sentences: tuple[SentenceRow, ...]

    @property
    def main(self) -> Column:
        """The scores of all sentences, whatever their length."""
        return self.scores.all

    @cached_property
    def scores(self) -> Scores:
        """The scores of all sentences together."""
        return Scores.of_columns([row.column for row in self.sentences], self.parameters.cutoff)

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        return {"parameters": self.parameters.name, **self.scores.to_dict()}

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} of {len(self.sentences)} sentences: f1={self.f1:.4f},"
            f" discontinuous_f1={self.discontinuous_f1:.4f}>"
        )

    def __str__(self) -> str:
        kinds = (("all", self.main.all), ("discontinuous", self.main.discontinuous))
        lines = [f"{'':14}  recall  precision      f1   exact"]
        for name, figures in kinds:
            counts = figures.brackets
            lines.append(
                f"{name:14}{100 * counts.recall:8.2f}{100 * counts.precision:11.2f}"
                f"{100 * counts.f1:8.2f}{100 * figures.exact_match:8.2f}"
            )
        return "\n".join(lines)


@partial(door, besides=("predicted",))
def evaluate(
    gold: Iterable[Tree | None],
    predicted: Iterable[Tree | None],
    *,
    parameters: str | Path | Parameters = "proper",
    labelled: bool | None = None,
    leaf_ancestor: bool | None = None,
    tree_distance: bool | None = None,
    missing: Literal["count", "ignore"] = "count",
    align: Alignment = "order",
    report: Callable[[InputError], None] | None = None,
    observe: Callable[[Aligned, Pair], None] | None = None,
    observe_row: Callable[[Aligned, Pair, SentenceRow], None] | None = None,
    name: str = "prediction",
) -> Evaluation:
    """Compare predicted trees with gold trees.

    Args:
        gold: The gold trees. None stands for a sentence that could not be read.
        predicted: The predicted trees. None stands for a sentence that could not be read.
        parameters: What counts: a set by name, a file for EVALB or disco-dop, or `Parameters`.
        labelled: Compare labels, too. None: as in `parameters`.
        leaf_ancestor: Also compute leaf-ancestor scores. None: as in `parameters`.
        tree_distance: Also compute tree edit distance. None: as in `parameters`.
        missing: Count gold sentences without a parse against recall, or ignore them.
        align: Match trees by order, by id, or by text. With "text", tokens and sentences may
            differ: a bracket is right if it covers the right characters.
        report: Called for each sentence whose tokens differ from gold; the sentence is skipped.
            Without it, the first such sentence raises an InputError.
        observe: Called with every pair of trees that counts.
        observe_row: The same, also with the scores of the sentence.
        name: The name of the predictions in messages.
    """
    if isinstance(gold, str | Path) or isinstance(predicted, str | Path):
        raise UsageError("evaluate compares trees; read files with crossbranch.read first")
    if missing not in ("count", "ignore"):
        raise UsageError(f"missing is {missing!r}, expected count or ignore")
    chosen = parameters if isinstance(parameters, Parameters) else find_parameters(parameters)
    chosen = replace(
        chosen,
        labelled=chosen.labelled if labelled is None else labelled,
        leaf_ancestor=chosen.leaf_ancestor if leaf_ancestor is None else leaf_ancestor,
        tree_distance=chosen.tree_distance if tree_distance is None else tree_distance,
    )
    rows: list[SentenceRow] = []
    for aligned in align_trees(gold, predicted, chosen, align=align, report=report, name=name):
        if aligned.predicted is None and missing == "ignore":
            continue
        pair = Pair(aligned.gold, aligned.predicted, chosen)
        rows.append(SentenceRow.of(aligned, pair))
        if observe is not None:
            observe(aligned, pair)
        if observe_row is not None:
            observe_row(aligned, pair, rows[-1])
    return Evaluation(chosen, tuple(rows))
