"""Evaluation of k-best lists: the scores of their first trees, and of their oracles.

The oracle of a list is its tree with the highest F1; if there are several, the first of them. Its
F1 shows how much a perfect choice among the first k trees would gain.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol, Self

from crossbranch.doors import check_type, door
from crossbranch.errors import InputError, UsageError
from crossbranch.evaluation.alignment import Aligned
from crossbranch.evaluation.counts import percent, with_percentages
from crossbranch.evaluation.evaluation import Evaluation, SentenceRow, evaluate
from crossbranch.evaluation.pairs import Pair, matches
from crossbranch.evaluation.parameters import Parameters
from crossbranch.evaluation.scores import Column, MainFigures, Scores
from crossbranch.tree import Tree

STEPS = (1, 2, 5)
"""The oracle is shown for k = 1, 2, 5, 10, 20, 50 and so on."""


class HasTree(Protocol):
    """A tree with its score, as parsers return it."""

    @property
    def tree(self) -> Tree:
        """The tree."""


TreeList = Sequence[Tree | HasTree]
"""The trees of one sentence, the best one first."""


class ListRow(NamedTuple):
    """The scores of one list."""

    number: int
    id: str
    trees: int
    """The number of trees in the list; 0 if there is no parse."""

    steps: tuple[tuple[int, SentenceRow], ...]
    """The rank of each tree that is better than all before it, and its scores."""

    def oracle(self, k: int) -> tuple[int, SentenceRow]:
        """Return the best tree among the first k: its rank and its scores."""
        return self.steps[bisect_right([rank for rank, _ in self.steps], k) - 1]


@dataclass(frozen=True, repr=False)
class KBestEvaluation(MainFigures):
    """The result: the scores of the best trees, and of the oracle.

    `f1`, `recall` and so on are the scores of the best trees. `oracle(10).f1` is the F1 of the
    oracle of the first ten trees.
    """

    parameters: Parameters
    lists: tuple[ListRow, ...]

    @classmethod
    @door
    def of(cls, evaluation: Evaluation) -> Self:
        """Treat single trees as lists of one tree."""
        rows = [
            ListRow(row.number, row.id, 1 - row.column.missing, ((1, row),))
            for row in evaluation.sentences
        ]
        return cls(evaluation.parameters, tuple(rows))

    @property
    def main(self) -> Column:
        """The scores of the best trees."""
        return self.scores.all

    @property
    def scores(self) -> Scores:
        """The scores of the best trees."""
        return self.best.scores

    @cached_property
    def best(self) -> Evaluation:
        """The evaluation of the best trees only."""
        return self.oracle(1)

    @cached_property
    def largest(self) -> int:
        """The number of trees in the largest list."""
        return max((row.trees for row in self.lists), default=0)

    @property
    def trees(self) -> int:
        """The number of trees in all lists."""
        return sum(row.trees for row in self.lists)

    @door
    def oracle(self, k: int | None = None) -> Evaluation:
        """Return the evaluation of the oracle of the first k trees, or of all trees if k is None.

        Raises:
            UsageError: k is below 1.
        """
        if k is not None and k < 1:
            raise UsageError(f"k is {k}, expected 1 or more")
        first = max(self.largest, 1) if k is None else k
        return Evaluation(self.parameters, tuple(row.oracle(first)[1] for row in self.lists))

    def by_k(self) -> list[tuple[int, Evaluation]]:
        """Return the oracle of the first 1, 2, 5, 10, 20, 50, ... trees, and of all trees."""
        return [(k, self.oracle(k)) for k in _numbers(max(self.largest, 1))]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures of the lists for JSON."""
        return {
            "lists": sum(row.trees > 0 for row in self.lists),
            "trees": self.trees,
            "largest": self.largest,
            "oracle": {str(k): _figures(found) for k, found in self.by_k()},
        }

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} of {len(self.lists)} sentences: f1={self.f1:.4f},"
            f" oracle f1={self.oracle().f1:.4f}>"
        )

    def __str__(self) -> str:
        lines = [f"{'k':>5}  recall  precision      f1   exact  discontinuous f1"]
        for k, found in self.by_k():
            lines.append(
                f"{k:5}{percent(found.recall):8.2f}{percent(found.precision):11.2f}"
                f"{percent(found.f1):8.2f}{percent(found.exact_match):8.2f}"
                f"{percent(found.discontinuous_f1):18.2f}"
            )
        return "\n".join(lines)


def _numbers(largest: int) -> Iterator[int]:
    power = 1
    while power < largest:
        yield from (step * power for step in STEPS if step * power < largest)
        power *= 10
    yield largest


def _figures(found: Evaluation) -> dict[str, float | None]:
    names = ("recall", "precision", "f1", "exact_match")
    gaps = [f"discontinuous_{name}" for name in names]
    figures: dict[str, float | None] = {}
    figures |= with_percentages({name: getattr(found, name) for name in (*names, *gaps)})
    if not found.main.discontinuous.sentences:  # no brackets, so no scores
        figures |= {name: None for name in figures if name.startswith("discontinuous")}
    return figures


@door
def evaluate_k_best(
    gold: Iterable[Tree | None],
    lists: Iterable[TreeList | None],
    *,
    report: Callable[[InputError], None] | None = None,
    observe: Callable[[Aligned, Pair], None] | None = None,
    name: str = "prediction",
    **options: Any,
) -> KBestEvaluation:
    """Compare k-best lists with gold trees.

    Args:
        gold: The gold trees.
        lists: The trees of each sentence, the best one first, as `Parser.parse_k_best` returns
            them. None or an empty list is a sentence without a parse. For trees from a file, see
            `group_k_best`.
        report: Called with each sentence or tree whose tokens differ from gold; it is skipped.
            Without `report`, the first one raises an InputError.
        observe: Called with each pair of a gold tree and the best tree of its list.
        name: The name of the lists in messages.
        options: All other options of `evaluate`, such as `parameters` and `align`.

    Raises:
        UsageError: Lists cannot be aligned by text.
    """
    if options.get("align") == "text":
        raise UsageError("k-best lists cannot be aligned by text; align them by order or id")
    waiting: dict[int, Sequence[Tree]] = {}  # lists whose gold tree has not come yet
    rows: list[ListRow] = []

    def best_trees() -> Iterator[Tree | None]:
        for found in lists:
            trees = [one if isinstance(one, Tree) else _tree_of(one) for one in found or ()]
            if trees:
                waiting[id(trees[0])] = trees
            yield trees[0] if trees else None

    def look(aligned: Aligned, pair: Pair, first: SentenceRow) -> None:
        trees = waiting.pop(id(aligned.predicted), [])
        others = _checked(trees[1:], aligned, report, name) if len(trees) > 1 else ()
        rows.append(_row(aligned, pair, first, len(trees), others))
        if observe is not None:
            observe(aligned, pair)

    found = evaluate(gold, best_trees(), report=report, observe_row=look, name=name, **options)
    return KBestEvaluation(found.parameters, tuple(rows))


def _tree_of(scored: HasTree) -> Tree:
    check_type("a tree of a list", getattr(scored, "tree", scored), Tree, "evaluate_k_best")
    return scored.tree


def _checked(
    trees: Sequence[Tree],
    aligned: Aligned,
    report: Callable[[InputError], None] | None,
    name: str,
) -> Iterator[tuple[int, Tree]]:
    """Yield the trees after the best one with their ranks, if they have the same words."""
    assert aligned.predicted is not None or not trees
    words = [token.form for token in aligned.predicted.sentence] if aligned.predicted else []
    for rank, tree in enumerate(trees, 2):
        if [token.form for token in tree.sentence] == words:
            yield rank, tree
            continue
        found = f"other words in tree {rank} of the list"
        expected = "the words of the best tree"
        problem = InputError(found, expected, path=name, sentence=aligned.gold.id)
        if report is None:
            raise problem
        report(problem)


def _row(
    aligned: Aligned, pair: Pair, first: SentenceRow, size: int, others: Iterable[tuple[int, Tree]]
) -> ListRow:
    steps = [(1, first)]
    best = None
    for rank, tree in others:
        best = _agreement(pair) if best is None else best
        other = pair.with_prediction(tree)
        if (agreement := _agreement(other)) > best:
            best = agreement
            steps.append((rank, SentenceRow.of(aligned, other)))
    return ListRow(aligned.number, aligned.gold.id, size, tuple(steps))


def _agreement(pair: Pair) -> float:
    """Return only F1: most trees of a list need no other scores."""
    gold, predicted = pair.gold_brackets, pair.predicted_brackets
    total = gold.total() + predicted.total()
    return 2 * matches(gold, predicted) / total if total else 1.0
