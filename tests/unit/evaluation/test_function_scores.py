"""Function scores: of nodes with the right bracket and tokens with the right tag."""

from __future__ import annotations

from hypothesis import given
from strategies import tree_pairs

from crossbranch.evaluation.counts import MatchCounts
from crossbranch.evaluation.function_scores import FunctionScores
from crossbranch.evaluation.pairs import Pair
from crossbranch.evaluation.parameters import PARAMETERS, Parameters
from crossbranch.evaluation.scores import Scores
from crossbranch.tree import ROOT, Node, Token, Tree


def scores(gold: Tree, predicted: Tree | None) -> FunctionScores:
    """Compare two trees as usual."""
    return FunctionScores.of(Pair(gold, predicted, PARAMETERS["proper"]))


def tree(*nodes: Node | int, tokens: str = "N/ N/ N/") -> Tree:
    """Make a tree over words of which tag and function are given, and a full stop."""
    words = [word.split("/") for word in tokens.split()]
    sentence = [Token("w", tag, edge_label=function) for tag, function in words]
    return Tree([*sentence, Token(".", "$.", edge_label="P")], Node(ROOT, [*nodes, len(words)]))


def nodes_with(one: str, two: str) -> Tree:
    """A tree with two constituents, the first of them discontinuous, that have these functions."""
    return tree(Node("NP", [0, 2], edge_label=one), Node("VP", [1], edge_label=two))


def test_functions_of_right_brackets() -> None:
    assert scores(nodes_with("SB", "HD"), nodes_with("SB", "OC")).nodes == MatchCounts(2, 2, 1)
    other = tree(Node("NP", [0], edge_label="SB"), Node("VP", [1], edge_label="HD"), 2)
    assert scores(nodes_with("SB", "HD"), other).nodes == MatchCounts(1, 1, 1)


def test_no_function_does_not_count() -> None:
    assert scores(nodes_with("", ""), nodes_with("", "")).all == MatchCounts()
    assert scores(nodes_with("SB", ""), nodes_with("", "HD")).nodes == MatchCounts(1, 1, 0)


def test_functions_in_chains_of_equal_brackets_meet_where_they_can() -> None:
    inner = Node("NP", [0, 1, 2], edge_label="HD")
    both = tree(Node("NP", [inner], edge_label="SB"))
    assert scores(both, tree(inner)).nodes == MatchCounts(1, 1, 1)
    turned = tree(Node("NP", [inner.replace(edge_label="SB")], edge_label="HD"))
    assert scores(both, turned).nodes == MatchCounts(2, 2, 2)


def test_functions_of_right_tags() -> None:
    gold = tree(0, 1, 2, tokens="N/SB V/HD N/OA")
    predicted = tree(0, 1, 2, tokens="N/SB N/HD N/DA")  # one wrong tag; the full stop is deleted
    assert scores(gold, predicted).tokens == MatchCounts(2, 2, 1)
    assert scores(gold, predicted).rows() == [
        ("OA", MatchCounts(1, 0, 0)),
        ("SB", MatchCounts(1, 1, 1)),
        ("DA", MatchCounts(0, 1, 0)),
    ]


def test_nodes_and_tokens_together() -> None:
    one = tree(Node("NP", [0, 1, 2], edge_label="SB"), tokens="N/SB N/ N/HD")
    found = scores(one, one)
    assert found.all == MatchCounts(3, 3, 3)
    assert found.rows() == [("SB", MatchCounts(2, 2, 2)), ("HD", MatchCounts(1, 1, 1))]
    figures = found.to_dict()
    assert figures["all"]["f1"] == 100
    assert [figures[part]["gold"] for part in ("nodes", "tokens")] == [1, 2]
    assert list(figures["functions"]) == ["SB", "HD"]


def test_brackets_count_with_their_functions() -> None:
    found = scores(nodes_with("SB", "HD"), nodes_with("SB", "OC"))
    assert found.brackets == MatchCounts(2, 2, 1)
    other = tree(Node("NP", [0], edge_label="SB"), Node("VP", [1], edge_label="HD"), 2)
    assert scores(nodes_with("SB", "HD"), other).brackets == MatchCounts(2, 2, 1)  # a wrong bracket
    assert scores(nodes_with("", ""), nodes_with("", "HD")).brackets == MatchCounts(2, 2, 1)
    assert scores(nodes_with("SB", "HD"), None).brackets == MatchCounts(2, 0, 0)
    assert found.to_dict()["brackets"]["f1"] == 50


def test_accuracy_is_a_share_of_right_nodes_and_tokens() -> None:
    found = scores(nodes_with("SB", "HD"), nodes_with("SB", ""))
    assert (found.node_accuracy, found.token_accuracy) == (0.5, 1)
    assert (
        scores(nodes_with("SB", ""), nodes_with("SB", "")).node_accuracy == 1
    )  # "" is no function
    gold = tree(0, 1, 2, tokens="N/SB V/HD N/OA")
    predicted = tree(0, 1, 2, tokens="N/SB N/HD N/DA")
    assert scores(gold, predicted).token_accuracy == 0.5  # the token with a wrong tag is left out
    assert scores(gold, predicted).to_dict()["token_accuracy"] == 50


def test_without_a_parse_nothing_is_right() -> None:
    assert scores(nodes_with("SB", "HD"), None) == FunctionScores(gold_brackets=2)


@given(tree_pairs(rich=True), tree_pairs(rich=True))
def test_function_scores_add(
    one: tuple[Tree, Tree | None], other: tuple[Tree, Tree | None]
) -> None:
    pairs = [Pair(*one, Parameters()), Pair(*other, Parameters())]
    whole = FunctionScores.of(pairs[0])
    whole.add(pairs[1])
    assert sum(FunctionScores.of(pair) for pair in pairs) == whole
    assert sum((counts for _, counts in whole.rows()), MatchCounts()) == whole.all
    matched = (Scores.of(pairs[0]) + Scores.of(pairs[1])).all.all.brackets.matched
    assert whole.of_nodes.counts.total() == matched
