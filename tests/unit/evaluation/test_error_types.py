"""Error types: every bracket error belongs to one, and typical errors to the right one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import tree_pairs

from crossbranch import read
from crossbranch.evaluation.error_types import ERROR_TYPES, ErrorTypes
from crossbranch.evaluation.pairs import Brackets, Pair, discontinuous
from crossbranch.evaluation.parameters import PARAMETERS, Parameters
from crossbranch.tree import ROOT, Node, Token, Tree

CHOSEN = [*PARAMETERS.values(), Parameters(), Parameters(labelled=False)]


def differences(one: Brackets, other: Brackets) -> int:
    """The number of extra and missing brackets."""
    return (one - other).total() + (other - one).total()


def errors_of(gold: Node, predicted: Node, tags: str) -> dict[str, tuple[int, int, int, int]]:
    """The rows of a pair of nodes over words with these tags."""
    sentence = [Token(f"w{i}", tag) for i, tag in enumerate(tags.split())]
    trees = [Tree(sentence, Node(ROOT, [node])) for node in (gold, predicted)]
    rows = ErrorTypes.of(Pair(trees[0], trees[1], PARAMETERS["proper"])).rows()
    return {name: (errors, nodes, gappy, gaps) for name, errors, nodes, gappy, gaps in rows}


@given(tree_pairs(), st.sampled_from(CHOSEN))
def test_nodes_add_up_to_all_bracket_errors(
    pair: tuple[Tree, Tree | None], parameters: Parameters
) -> None:
    both = Pair(*pair, parameters)
    found = ErrorTypes.of(both)
    gold, predicted = both.gold_brackets, both.predicted_brackets
    assert found.nodes.total() == differences(gold, predicted)
    gappy = differences(discontinuous(gold), discontinuous(predicted))
    assert found.discontinuous_nodes.total() == gappy
    assert bool(found.errors) == (gold != predicted)
    assert set(found.errors) <= set(ERROR_TYPES)
    for _, errors, nodes, gappy_errors, gappy_nodes in found.rows():
        assert 1 <= errors <= nodes
        assert 0 <= gappy_nodes <= nodes
        assert 0 <= gappy_errors <= errors


@given(tree_pairs(), tree_pairs())
def test_error_types_add(one: tuple[Tree, Tree | None], other: tuple[Tree, Tree | None]) -> None:
    pairs = [Pair(*trees, PARAMETERS["spmrl"]) for trees in (one, other)]
    together = ErrorTypes()
    for pair in pairs:
        together.add(pair)
    assert together.to_dict() == (ErrorTypes.of(pairs[0]) + ErrorTypes.of(pairs[1])).to_dict()


def pp(first: int = 3) -> Node:
    return Node("PP", [first, Node("NP", [first + 1])])


TAGS = "PRP VBD NN IN NN"


def test_pp_attachment_in_flat_trees() -> None:
    gold = Node("S", [0, Node("VP", [1, Node("NP", [2, pp()])])])
    predicted = Node("S", [0, Node("VP", [1, Node("NP", [2]), pp()])])
    assert errors_of(gold, predicted, TAGS) == {"PP attachment": (1, 2, 0, 0)}


def test_pp_attachment_by_adjunction() -> None:
    gold = Node("S", [0, Node("VP", [1, Node("NP", [Node("NP", [2]), pp()])])])
    predicted = Node("S", [0, Node("VP", [1, Node("NP", [2]), pp()])])
    assert errors_of(gold, predicted, TAGS) == {"PP attachment": (1, 1, 0, 0)}


def test_adjunct_that_goes_from_node_to_node_is_one_error() -> None:
    np = Node("NP", [2])
    gold = Node("S", [0, Node("VP", [1, Node("NP", [np, pp()])])])
    predicted = Node("S", [0, Node("VP", [Node("VP", [1, np]), pp()])])
    assert errors_of(gold, predicted, TAGS) == {"PP attachment": (1, 2, 0, 0)}


def test_one_attachment_may_affect_several_nodes() -> None:
    gold = Node("S", [Node("VP", [Node("VP", [0, Node("NP", [1, 2])])]), pp()])
    predicted = Node("S", [Node("VP", [Node("VP", [0, Node("NP", [1, 2, pp()])])])])
    assert errors_of(gold, predicted, "VBD DT NN IN NN") == {"PP attachment": (1, 6, 0, 0)}


def test_extraposed_clause_is_discontinuous() -> None:
    clause = Node("SBAR", [3, 4])
    gold = Node("S", [Node("NP", [0, 1, clause]), Node("VP", [2])])
    predicted = Node("S", [Node("NP", [0, 1]), Node("VP", [2, clause])])
    found = errors_of(gold, predicted, "DT NN VBD WP VBD")
    assert found == {"clause attachment": (1, 4, 1, 1)}


@pytest.mark.parametrize(
    ("moved", "tags", "name"),
    [
        (Node("NP", [3, 4]), "PRP VBD NN DT NN", "NP attachment"),
        (Node("VP", [3, 4]), "PRP VBD NN TO VB", "VP attachment"),
        (Node("ADVP", [3, 4]), "PRP VBD NN RB RB", "modifier attachment"),
        (Node("SBAR", [3, 4]), "PRP VBD NN WDT VBD", "clause attachment"),
        (Node("CONJP", [3, 4]), "PRP VBD NN CC NN", "co-ordination"),
        (Node("XP", [3, 4]), "PRP VBD NN X X", "other"),
    ],
)
def test_attachment_by_what_moves(moved: Node, tags: str, name: str) -> None:
    gold = Node("S", [0, Node("VP", [1, Node("ADJP", [2, moved])])])
    predicted = Node("S", [0, Node("VP", [1, Node("ADJP", [2]), moved])])
    assert errors_of(gold, predicted, tags) == {name: (1, 2, 0, 0)}


def test_np_internal_structure() -> None:
    gold = Node("S", [Node("NP", [0, Node("NP", [1, 2]), 3]), 4])
    predicted = Node("S", [Node("NP", [0, 1, Node("NP", [2, 3])]), 4])
    found = errors_of(gold, predicted, "DT NN NN NN VBD")
    assert list(found) == ["NP-internal structure"]
    assert found["NP-internal structure"][1] == 2


def test_single_words_unaries_and_labels() -> None:
    gold = Node("S", [Node("NP", [0]), Node("VP", [1, 2])])
    predicted = Node("S", [0, Node("AP", [Node("VP", [1, 2])])])
    assert errors_of(gold, predicted, "PRP VBD RB") == {
        "unary": (1, 1, 0, 0),
        "single-word phrase": (1, 1, 0, 0),
    }
    predicted = Node("S", [Node("NP", [0]), Node("PP", [1, 2])])
    assert errors_of(gold, predicted, "PRP VBD RB") == {"different label": (1, 2, 0, 0)}


def test_conjunction_moves() -> None:
    gold = Node("S", [0, Node("NP", [1, 2, 3])])
    predicted = Node("S", [0, Node("NP", [1]), 2, 3])
    assert errors_of(gold, predicted, "VBD NN CC NN") == {"co-ordination": (1, 2, 0, 0)}


def test_sentence_without_parse_is_one_error() -> None:
    gold = Tree([Token("a", "NN"), Token("b", "NN")], Node(ROOT, [Node("NP", [0, 1])]))
    found = ErrorTypes.of(Pair(gold, None, PARAMETERS["proper"]))
    assert found.rows() == [("no parse", 1, 1, 0, 0)]


def test_real_parses(shared: Path) -> None:
    folder = shared / "golden" / "evaluation"
    gold = read(folder / "gold.discbracket")
    weak, strong = ErrorTypes(), ErrorTypes()
    files = [read(folder / f"{name}.discbracket") for name in ("weak", "strong")]
    for tree, one, other in zip(gold, *files, strict=True):
        weak.add(Pair(tree, one, PARAMETERS["proper"]))
        strong.add(Pair(tree, other, PARAMETERS["proper"]))
    assert weak.nodes.total() > strong.nodes.total()
    # Most errors of a good parser have a name.
    assert strong.nodes["other"] < strong.nodes.total() / 4
    assert strong.nodes["PP attachment"] == max(strong.nodes.values())


def test_word_is_the_core_where_it_makes_no_phrase() -> None:
    clause = Node("REL", [2, 3])
    gold = Node("SMAIN", [0, Node("NP", [1, clause])])
    predicted = Node("SMAIN", [0, 1, clause])
    assert errors_of(gold, predicted, "ww n vnw ww") == {"clause attachment": (1, 1, 0, 0)}


def test_every_unary_node_is_an_error() -> None:
    gold = Node("S", [Node("VP", [0, 1])])
    predicted = Node("S", [Node("AP", [Node("XP", [Node("VP", [0, 1])])])])
    assert errors_of(gold, predicted, "VBD RB") == {"unary": (2, 2, 0, 0)}


def test_trees_without_anything_in_common_take_no_time() -> None:
    left, right = Node("NP", [0, 1]), Node("NP", [398, 399])
    for i in range(2, 399):
        left, right = Node("NP", [left, i]), Node("NP", [399 - i, right])
    found = errors_of(Node("S", [left, 399]), Node("S", [0, right]), "NN " * 400)
    assert sum(nodes for _, nodes, *_ in found.values()) == 2 * 398
