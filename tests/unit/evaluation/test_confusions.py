"""Confusions of tags, and of labels on equal spans."""

from __future__ import annotations

from hypothesis import given
from strategies import tree_pairs

from crossbranch.evaluation.confusions import LabelConfusions, TagConfusions
from crossbranch.evaluation.counts import MatchCounts
from crossbranch.evaluation.pairs import Pair
from crossbranch.evaluation.parameters import PARAMETERS, Parameters
from crossbranch.evaluation.scores import Scores
from crossbranch.tree import ROOT, Node, Token, Tree

TRIMMED = Parameters(deleted_labels=frozenset({ROOT, "X", "PP"}))


def tree(tags: str, *nodes: Node | int) -> Tree:
    """Make a tree over words of which only the tags matter."""
    return Tree([Token("w", tag) for tag in tags.split()], Node(ROOT, nodes))


def proper(gold: Tree, predicted: Tree | None) -> Pair:
    """Compare two trees as usual."""
    return Pair(gold, predicted, PARAMETERS["proper"])


def test_tags_of_tokens_that_count() -> None:
    found = TagConfusions.of(proper(tree("N V N N $,", *range(5)), tree("N N V V N", *range(5))))
    assert found.errors() == [("N", "V", 2), ("V", "N", 1)]
    assert found.rows() == [("N", MatchCounts(3, 2, 1)), ("V", MatchCounts(1, 2, 0))]


def test_tags_where_there_is_no_parse() -> None:
    found = TagConfusions.of(proper(tree("N V", 0, 1), None))
    assert found.errors() == [("N", "(no parse)", 1), ("V", "(no parse)", 1)]


def labels(gold: list[str], predicted: list[str]) -> list[tuple[str, str]]:
    """What meets on a span that has these labels, from the top down."""

    def chain(names: list[str]) -> Tree:
        node = Node(names[-1], [0, 2])
        for name in reversed(names[:-1]):
            node = Node(name, [node])
        return tree("N N N", node, Node("Q", [1]))

    found = LabelConfusions.of(proper(chain(gold), chain(predicted))).counts
    return sorted(pair for pair in found.elements() if pair != ("Q", "Q"))


def test_labels_on_an_equal_span_meet() -> None:
    assert labels(["NP"], ["NP"]) == [("NP", "NP")]
    assert labels(["NP"], ["VP"]) == [("NP", "VP")]


def test_equal_labels_meet_first() -> None:
    assert labels(["NP", "S"], ["VP", "NP"]) == [("NP", "NP"), ("S", "VP")]
    assert labels(["NP", "NP"], ["NP", "VP"]) == [("NP", "NP"), ("NP", "VP")]


def test_the_rest_meets_from_the_top_down() -> None:
    assert labels(["S", "NP"], ["A", "B"]) == [("NP", "B"), ("S", "A")]
    assert labels(["S", "NP"], ["B", "A"]) == [("NP", "A"), ("S", "B")]


def test_what_has_no_counterpart_meets_nothing() -> None:
    assert labels(["S", "NP"], ["NP"]) == [("NP", "NP")]
    assert labels(["S"], ["A", "B"]) == [("S", "A")]
    other = proper(tree("N N", Node("S", [0, 1])), tree("N N", Node("S", [0]), 1))
    assert LabelConfusions.of(other).counts == {}


def test_confusions_for_json() -> None:
    found = TagConfusions.of(proper(tree("N V", 0, 1), tree("N N", 0, 1))).to_dict()
    assert found["errors"] == [{"gold": "V", "predicted": "N", "count": 1}]
    assert found["names"]["N"]["precision"] == 50


@given(tree_pairs())
def test_right_pairs_are_those_of_the_scores(trees: tuple[Tree, Tree | None]) -> None:
    pair = Pair(*trees, TRIMMED)
    column = Scores.of(pair).all
    tags = sum((counts for _, counts in TagConfusions.of(pair).rows()), MatchCounts())
    assert tags == MatchCounts(column.tags, column.tags, column.right_tags)
    met = sum((counts for _, counts in LabelConfusions.of(pair).rows()), MatchCounts())
    assert met.matched == column.all.brackets.matched
    # As many as there are brackets that are right without their labels.
    unlabelled = Pair(*trees, Parameters(deleted_labels=TRIMMED.deleted_labels, labelled=False))
    assert met.gold == met.predicted == Scores.of(unlabelled).all.all.brackets.matched


@given(tree_pairs(), tree_pairs())
def test_confusions_add(one: tuple[Tree, Tree | None], other: tuple[Tree, Tree | None]) -> None:
    pairs = [Pair(*one, TRIMMED), Pair(*other, TRIMMED)]
    for kind in (TagConfusions, LabelConfusions):
        whole = kind.of(pairs[0])
        whole.add(pairs[1])
        assert sum(kind.of(pair) for pair in pairs) == whole
