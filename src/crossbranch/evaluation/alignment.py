"""Finds the predicted tree for each gold tree.

Trees are matched by order or by id, and their tokens are checked. Or they are matched by text; then
sentences and tokens may differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Literal, NamedTuple, get_args

from crossbranch.errors import InputError, UsageError
from crossbranch.evaluation.parameters import Parameters, representatives
from crossbranch.evaluation.text_alignment import align_by_text
from crossbranch.tree import Tree

Alignment = Literal["order", "id", "text"]
"""How predicted trees are matched with gold trees."""


class Aligned(NamedTuple):
    """A gold tree, its number (from 1), and the tree that was predicted for it, if any."""

    number: int
    gold: Tree
    predicted: Tree | None


def align_trees(
    gold: Iterable[Tree | None],
    predicted: Iterable[Tree | None],
    parameters: Parameters,
    *,
    align: Alignment = "order",
    report: Callable[[InputError], None] | None = None,
    name: str = "prediction",
) -> Iterator[Aligned]:
    """Pair the trees of two treebanks. None stands for a sentence that could not be read.

    With align="text", trees are joined if sentences differ, and tokens are split if they differ.
    Otherwise there are two kinds of errors: a sentence with other tokens than in gold, and a
    prediction without a gold tree. They are given to `report` and skipped. Without `report`, the
    first error is raised. With it, an error is raised if there are more than the parameters allow.
    """
    if align not in get_args(Alignment):
        raise UsageError(f"sentences are aligned by order, id or text, not by {align!r}")
    if align == "text":
        for number, trees in enumerate(align_by_text(gold, predicted, name), 1):
            yield Aligned(number, *trees)
        return
    pairs = _by_order(gold, predicted) if align == "order" else _by_id(gold, predicted, name)
    equal = representatives(parameters.equal_words)
    most = parameters.most_errors
    errors = 0
    for number, one, other in pairs:
        if one is None:
            continue
        _check_kind(other)
        problem = _problem(number, one, other, equal, name)
        if problem is None:
            assert not isinstance(one, _End)
            yield Aligned(number, one, other)
            continue
        errors += 1
        if report is None or (most is not None and errors > most):
            raise problem
        report(problem)


class _End(NamedTuple):
    """Stands in place of a gold sentence for surplus predictions, and says what is wrong."""

    found: str
    expected: str


_Candidates = Iterator[tuple[int, Tree | _End | None, Tree | None]]


def _by_order(gold: Iterable[Tree | None], predicted: Iterable[Tree | None]) -> _Candidates:
    others = iter(predicted)
    number = 0
    for tree in gold:
        number += 1
        yield number, tree, next(others, None)
    if surplus := sum(1 for _ in others):
        expected = f"{number:,}, one for each gold sentence"
        yield number + 1, _End(f"{number + surplus:,} trees", expected), None


def _by_id(gold: Iterable[Tree | None], predicted: Iterable[Tree | None], path: str) -> _Candidates:
    by_id: dict[str, Tree] = {}
    for tree in predicted:
        if tree is not None and tree.id in by_id:
            raise InputError(f"two predictions with id {tree.id!r}", "each id once", path=path)
        if tree is not None:
            by_id[tree.id] = tree
    number = 0
    for tree in gold:
        number += 1
        yield number, tree, None if tree is None else by_id.pop(tree.id, None)
    for tree in by_id.values():
        number += 1
        yield number, _End(f"a tree with id {tree.id!r}", "the id of a gold sentence"), tree


def _check_kind(predicted: object) -> None:
    if predicted is not None and not isinstance(predicted, Tree):
        kind = type(predicted).__name__
        raise UsageError(
            f"found a {kind} among the predicted trees, expected a Tree; for lists of trees, use "
            "evaluate_k_best"
        )


def _problem(
    number: int, gold: Tree | _End, predicted: Tree | None, equal: Mapping[str, str], path: str
) -> InputError | None:
    def error(found: str, expected: str) -> InputError:
        return InputError(found, expected, path=path, sentence=str(number))

    if isinstance(gold, _End):
        return InputError(gold.found, gold.expected, path=path)
    if predicted is None:
        return None
    words = [token.form for token in gold.sentence]
    found = [token.form for token in predicted.sentence]
    if words == found:
        return None
    for index, (one, other) in enumerate(zip_longest(words, found)):
        if one != other and equal.get(one, one) != equal.get(other, other):
            expected = "the end of the sentence" if one is None else f"{one!r}, as in gold"
            seen = "the end of the sentence" if other is None else f"the word {other!r}"
            return error(f"{seen} as token {index + 1}", expected)
    return None
