"""Which nodes count is decided once: chains of equal labels, in the tree and in the parameters."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from crossbranch.evaluation import Pair, Parameters, evaluate, find_parameters
from crossbranch.evaluation.attachments import Attachments
from crossbranch.evaluation.counted_nodes import Counting, counted_nodes
from crossbranch.evaluation.error_types import ErrorTypes
from crossbranch.evaluation.function_scores import FunctionScores
from crossbranch.evaluation.working_tree import WorkingTree
from crossbranch.reports.records import SentenceRecord
from crossbranch.tree import ROOT, Node, Token, Tree

WORDS = [Token(word, "X") for word in "abcd"]


def tree(*nodes: Node | int) -> Tree:
    return Tree(WORDS, Node(ROOT, nodes))


@pytest.fixture
def chained(tmp_path: Path) -> Parameters:
    """Labels that are equal by way of a third one; disco-dop takes them all for the same."""
    file = tmp_path / "chain.prm"
    file.write_text("DELETE_LABEL ROOT\nEQ_LABEL A B\nEQ_LABEL B C\nEQ_LABEL D C\n")
    return find_parameters(file)


def test_equal_labels_may_be_chained(chained: Parameters) -> None:
    gold = tree(Node("A", [Node("B", [0, 1], edge_label="SB"), 2, 3]))
    predicted = tree(Node("D", [Node("C", [0, 1], edge_label="SB"), 2, 3]))
    pair = Pair(gold, predicted, chained)
    assert evaluate([gold], [predicted], parameters=chained).f1 == 1
    assert [b for _, b, _ in counted_nodes(pair, gold)] == list(pair.predicted_brackets)
    assert not Attachments.of(pair).wrong.total()
    assert FunctionScores.of(pair).nodes.matched == 1
    assert ErrorTypes.of(pair).errors == Counter()


def test_chained_labels_are_repaired_as_they_count(chained: Parameters) -> None:
    gold = tree(Node("A", [Node("B", [0, 1]), 2, 3]))
    predicted = tree(Node("D", [0, 1, Node("C", [2, 3])]))
    pair = Pair(gold, predicted, chained)
    assert ErrorTypes.of(pair).nodes.total() == 2
    record = SentenceRecord.of(1, pair)
    assert [b.label for b in record.missing] == ["B"]
    assert [b.label for b in record.extra] == ["C"]


def test_leaf_ancestor_and_tree_distance_take_equal_labels_for_equal(chained: Parameters) -> None:
    gold, predicted = tree(Node("A", [0, 1, 2, 3])), tree(Node("C", [0, 1, 2, 3]))
    column = evaluate(
        [gold], [predicted], parameters=chained, leaf_ancestor=True, tree_distance=True
    ).scores.all
    assert column.mean_leaf_ancestor == column.tree_likeness == 1
    other = tree(Node("E", [0, 1, 2, 3]))
    for labelled in (True, False):  # both measures go by labels, as in disco-dop's evaluator
        column = evaluate(
            [gold],
            [other],
            parameters=chained,
            labelled=labelled,
            leaf_ancestor=True,
            tree_distance=True,
        ).scores.all
        assert column.mean_leaf_ancestor < 1
        assert column.tree_likeness < 1


def test_a_node_above_one_with_its_own_label_counts_by_itself(chained: Parameters) -> None:
    chain = tree(Node("A", [Node("A", [Node("B", [0, 1, 2])])]), 3)
    pair = Pair(chain, chain, chained)
    assert pair.gold_brackets.total() == 3
    assert len(pair.gold_brackets) == 1
    parents = [parent for _, _, parent in counted_nodes(pair, chain)]
    assert parents[0] is None
    assert parents[1] == parents[2] == next(iter(pair.gold_brackets))
    assert WorkingTree(pair).extra() == WorkingTree(pair).missing() == []


def test_deleted_tokens_are_those_of_the_gold_tree(chained: Parameters) -> None:
    comma = Tree([Token("a", "X"), Token(",", "$,"), Token("b", "X")], Node(ROOT, [0, 1, 2]))
    counting = Counting(comma, find_parameters("proper"))
    assert counting.deleted == [1]
    nodes = [Node("NP", [0, 2]), Node("X", [1]), Node("ROOT", [0])]
    assert [(n.label, b.span) for n, b in counting.brackets(nodes)] == [("NP", 0b11)]
