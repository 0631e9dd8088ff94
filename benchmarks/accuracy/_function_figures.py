"""Figures of trees with functions, as columns of a table.

"F1 with functions": a constituent is right if its label, its words and its function are.
"functions of constituents": among right constituents, those with the right function. "functions of
words": the same for words with the right tag. What has a function in neither tree does not count.
UAS and LAS: dependencies of the parsed trees against those of the gold trees, with heads by the
same table, without punctuation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from _measuring import trees_of

from crossbranch.evaluation import evaluate
from crossbranch.evaluation.alignment import Aligned
from crossbranch.evaluation.dependency_scores import DependencyScores
from crossbranch.evaluation.function_scores import FunctionScores
from crossbranch.evaluation.pairs import Pair
from crossbranch.transforms import pipeline
from crossbranch.tree import Tree

PREPARE = pipeline("attach(nodes=false)")  # gives the trees that models learn from
TABLES = {"masc": "ptb", "wsj-sample": "ptb"}
"""Head tables of treebanks whose labels fit several tables."""
COLUMNS = (
    *("F1", "disc. F1", "F1 with functions", "functions of constituents", "functions of words"),
    *("UAS", "LAS"),
)


def gold_trees(treebank: str, part: str, *, first: int | None = None) -> list[Tree]:
    """Return trees with functions of a part of a treebank, as models learn from them."""
    trees = trees_of(treebank, part, first=first, has_functions=True)
    return [PREPARE.apply(tree) for tree in trees]


def function_figures(gold: Sequence[Tree], parsed: Iterable[Tree], treebank: str) -> list[str]:
    """Return the figures of parsed trees, one for each column."""
    functions, dependencies = FunctionScores(), DependencyScores()
    table = TABLES.get(treebank, "auto")

    def observe(_: Aligned, pair: Pair) -> None:
        functions.add(pair)
        dependencies.add(pair)

    found = evaluate(
        [tree.mark_heads(table) for tree in gold],
        (tree.mark_heads(table) for tree in parsed),
        observe=observe,
    )
    have_words_functions = any(token.edge_label for tree in gold for token in tree.sentence)
    shares = [
        *(found.f1, found.discontinuous_f1, functions.brackets.f1, functions.node_accuracy),
        functions.token_accuracy if have_words_functions else None,
        *(dependencies.unlabelled, dependencies.labelled),
    ]
    return ["" if share is None else f"{100 * share:.2f}" for share in shares]
