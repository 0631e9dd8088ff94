"""Attachment errors: a right bracket below another one."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import tree_pairs

from crossbranch.evaluation.attachments import Attachments
from crossbranch.evaluation.counted_nodes import counted_nodes
from crossbranch.evaluation.pairs import Pair
from crossbranch.evaluation.parameters import PARAMETERS, Parameters
from crossbranch.evaluation.scores import Scores
from crossbranch.tree import ROOT, Node, Token, Tree

CHOSEN = [
    Parameters(),
    Parameters(labelled=False, deleted_words=frozenset({"a"})),
    Parameters(deleted_labels=frozenset({ROOT, "X", "PP"}), equal_labels=(("S", "NP"),)),
]


def tree(*nodes: Node | int) -> Tree:
    """Make a tree over five words and a full stop."""
    sentence = [*[Token(word, "N") for word in "abcde"], Token(".", "$.")]
    return Tree(sentence, Node(ROOT, [*nodes, 5]))


def pp() -> Node:
    """The constituent to be attached."""
    return Node("PP", [3, 4])


GOLD = tree(Node("S", [0, Node("VP", [1, Node("NP", [2, pp()])])]))


@pytest.mark.parametrize(
    ("predicted", "wrong"),
    [
        (GOLD, {}),
        # The PP is too high, the NP is lost.
        (tree(Node("S", [0, Node("VP", [1, Node("NP", [2]), pp()])])), {"PP": 1}),
        (tree(Node("S", [0, Node("VP", [1, 2, pp()])])), {"PP": 1}),
        # The label of the parent matters, too.
        (tree(Node("S", [0, Node("VP", [1, Node("AP", [2, pp()])])])), {"PP": 1}),
        # Without S, the VP has no parent, since the root does not count.
        (tree(0, Node("VP", [1, Node("NP", [2, pp()])])), {"VP": 1}),
    ],
)
def test_a_right_bracket_with_another_parent(predicted: Tree, wrong: dict[str, int]) -> None:
    assert Attachments.of(Pair(GOLD, predicted, PARAMETERS["proper"])).wrong == Counter(wrong)


def test_what_does_not_count_is_no_parent() -> None:
    predicted = tree(Node("VROOT", [Node("S", [0, Node("VP", [1, Node("NP", [2, pp()])])])]))
    assert not Attachments.of(Pair(GOLD, predicted, PARAMETERS["proper"])).wrong.total()


def test_rows_and_json() -> None:
    predicted = tree(Node("S", [0, Node("VP", [1, 2, pp()])]))
    found = Attachments.of(Pair(GOLD, predicted, PARAMETERS["proper"]))
    assert found.rows() == [("PP", 1, 1), ("S", 1, 0), ("VP", 1, 0)]
    assert found.to_dict()["PP"] == {
        "matched": 1,
        "wrong": 1,
        "error_rate": 100,
        "error_rate_exact": 1,
    }


@given(tree_pairs(), st.sampled_from(CHOSEN))
def test_counted_nodes_are_those_of_the_brackets(
    trees: tuple[Tree, Tree | None], parameters: Parameters
) -> None:
    pair = Pair(*trees, parameters)
    nodes = counted_nodes(pair, pair.gold)
    assert Counter(bracket for _, bracket, _ in nodes) == pair.gold_brackets
    above = {bracket for _, bracket, _ in nodes} | {None}
    assert {parent for _, _, parent in nodes} <= above
    assert all(p is None or b.span & ~p.span == 0 for _, b, p in nodes)


@given(tree_pairs(), tree_pairs(), st.sampled_from(CHOSEN))
def test_attachments_add_up(
    one: tuple[Tree, Tree | None], other: tuple[Tree, Tree | None], parameters: Parameters
) -> None:
    pairs = [Pair(*one, parameters), Pair(*other, parameters)]
    whole = Attachments.of(pairs[0])
    whole.add(pairs[1])
    assert sum(Attachments.of(pair) for pair in pairs) == whole
    scores = Scores.of(pairs[0]) + Scores.of(pairs[1])
    assert whole.matched.total() == scores.all.all.brackets.matched
    assert all(0 <= wrong <= matched for _, matched, wrong in whole.rows())


@given(tree_pairs(), st.sampled_from(CHOSEN))
def test_gold_against_itself_has_no_errors(
    trees: tuple[Tree, Tree | None], parameters: Parameters
) -> None:
    assert Attachments.of(Pair(trees[0], trees[0], parameters)).wrong == Counter()
