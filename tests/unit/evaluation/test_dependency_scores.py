"""Dependency scores, by marked heads."""

from __future__ import annotations

from hypothesis import given
from strategies import tree_pairs

from crossbranch.evaluation.dependency_scores import DependencyScores
from crossbranch.evaluation.pairs import Pair
from crossbranch.evaluation.parameters import PARAMETERS
from crossbranch.tree import ROOT, Node, Token, Tree


def tree(head: int | None, relation: str = "SB") -> Tree:
    """Three words and a full stop; the head of the sentence is the word at this position."""
    sentence = [Token("a", "N", edge_label=relation), Token("b", "V"), Token("c", "N")]
    return Tree([*sentence, Token(".", "$.")], Node(ROOT, [Node("S", [0, 1, 2], head=head), 3]))


def scores(gold: Tree, predicted: Tree | None) -> DependencyScores:
    """Compare two trees as usual."""
    return DependencyScores.of(Pair(gold, predicted, PARAMETERS["proper"]))


def test_heads_and_relations_of_tokens_that_count() -> None:
    assert scores(tree(1), tree(1)) == DependencyScores(3, 3, 3)
    assert scores(tree(1), tree(1, "OA")) == DependencyScores(3, 3, 2)
    # `a` heads itself and `b` depends on it: only `c` could be right, and has another head, too.
    assert scores(tree(1), tree(0)) == DependencyScores(3, 0, 0)


def test_without_heads_there_are_no_figures() -> None:
    for found in (
        scores(tree(1), tree(None)),
        scores(tree(None), tree(1)),
        scores(tree(None), None),
    ):
        assert found == DependencyScores(unmarked=1)
        assert found.unlabelled is None
        assert found.labelled is None
        assert found.to_dict() is None


def test_a_flat_sentence_does_not_stand_for_a_treebank_without_heads() -> None:
    flat = Tree([Token("a", "N")], Node(ROOT, [0]))
    assert scores(flat, flat).unlabelled == 1
    assert (scores(flat, flat) + scores(tree(None), tree(None))).unlabelled is None


def test_without_a_parse_all_is_wrong() -> None:
    assert scores(tree(1), None) == DependencyScores(3, 0, 0)


def test_figures() -> None:
    found = DependencyScores(2, 2, 1) + DependencyScores(1, 0, 0)
    assert (found.unlabelled, found.labelled) == (2 / 3, 1 / 3)
    assert found.to_dict() == {
        "tokens": 3,
        "heads": 2,
        "arcs": 1,
        "unlabelled": 66.67,
        "labelled": 33.33,
        "unlabelled_exact": 2 / 3,
        "labelled_exact": 1 / 3,
    }
    assert DependencyScores().unlabelled == DependencyScores().labelled == 1


@given(tree_pairs(rich=True, heads=True))
def test_scores_are_bounded_and_gold_is_perfect(trees: tuple[Tree, Tree | None]) -> None:
    found = scores(*trees)
    assert not found.unmarked
    assert 0 <= found.right_arcs <= found.right_heads <= found.tokens
    assert scores(trees[0], trees[0]) == DependencyScores(found.tokens, found.tokens, found.tokens)
