"""Confidence: what counts, what other trees say of it, and where it is written."""

from __future__ import annotations

from math import log

import msgspec
import pytest

from crossbranch.confidence.calibration import BeamCalibration
from crossbranch.confidence.doubt import UNSURE, KnownWords, reasons_to_doubt
from crossbranch.confidence.evidence import (
    CONSTITUENT_ROW,
    TREE_ROW,
    Alternatives,
    Counted,
    shares,
    with_confidence,
    without_confidence,
)
from crossbranch.confidence.reliability import measure
from crossbranch.constituent import CONFIDENCE
from crossbranch.evaluation.counted_nodes import counted_nodes
from crossbranch.evaluation.pairs import Pair
from crossbranch.evaluation.parameters import PARAMETERS
from crossbranch.grammar.sampling import sample
from crossbranch.span import is_discontinuous
from crossbranch.tree import Node, Token, Tree, feature

SENTENCE = (Token("Da", "ADV"), Token(",", "$,"), Token("hat", "V"), Token("es", "P"))
NOTHING = measure([], [])
ODDS = BeamCalibration(  # confidence is the share, as far as it is not cut off
    beam=4,
    temperature=1.0,
    best_tree=(0.0, 1.0, 0.0, 0.0, 0.0),
    other_trees=(-9.0, 0.0, 0.0, 0.0, 0.0),
    constituents=(0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    tree_reliability=NOTHING,
    constituent_reliability=NOTHING,
)


def flat(*children: Node | int) -> Node:
    return Node("ROOT", [Node("S", children)])


ONE = flat(Node("VP", [0, 2]), 1, 3)
SAME = flat(Node("VP", [0, 1, 2]), 3)  # but for a comma
OTHER = flat(0, 1, Node("VP", [2, 3]))


def confidences(tree: Tree) -> list[tuple[str, str]]:
    return [(node.label, feature(node.features, CONFIDENCE)) for node in tree.nodes]


def test_punctuation_makes_no_difference() -> None:
    counted = Counted(SENTENCE)
    assert counted.keys(ONE) == counted.keys(SAME) != counted.keys(OTHER)
    assert [node.label for node, _ in counted.nodes(ONE)] == ["S", "VP"]  # not the root
    (_, vp) = [key for _, key in counted.nodes(ONE)]
    assert not counted.is_discontinuous(vp[1])


def test_what_counts_is_what_evaluation_counts() -> None:
    for tree in sample(40, seed=5):
        pair = Pair(tree, tree, PARAMETERS["proper"])
        counted = Counted(tree.sentence)
        theirs = [(node, bracket) for node, bracket, _ in counted_nodes(pair, tree)]
        mine = counted.nodes(tree.root)
        assert [node for node, _ in mine] == [node for node, _ in theirs]
        for (_, key), (_, bracket) in zip(mine, theirs, strict=True):
            assert key[0] == bracket.label
            assert key[1].bit_count() == bracket.span.bit_count()
            assert counted.is_discontinuous(key[1]) == is_discontinuous(bracket.span)


def test_equal_brackets_in_a_chain_are_told_apart() -> None:
    chain = Node("ROOT", [Node("NP", [Node("NP", [0, 1, 2, 3])])])
    first, second = (key for _, key in Counted(SENTENCE).nodes(chain))
    assert first[:2] == second[:2]
    assert first != second


def test_shares() -> None:
    assert shares([5.0], 3.0) == [1.0]
    assert shares([5.0, 5.0 - log(3)], 1.0) == pytest.approx([0.75, 0.25])
    assert shares([5.0, 5.0 - log(3)], 1e9) == pytest.approx([0.5, 0.5])
    assert shares([5e8, -5e8], 1.0) == [1.0, 0.0]


def test_rows() -> None:
    counted = Counted(SENTENCE)
    kept = [(2 + log(3), ONE), (2.0, OTHER)]
    trees = [(score, counted.keys(root)) for score, root in kept]
    found = Alternatives(trees, counted, 1.0)
    row = dict(zip(TREE_ROW, found.tree_row(counted.keys(OTHER), 2), strict=True))
    assert row == {
        "one": 1.0,
        "log odds": pytest.approx(log(1 / 3)),
        "log length": log(4),
        "is best": 0.0,
        "log rank": log(2),
        "unknown words": 0.0,
        "log odds by unknown words": 0.0,
        "score": pytest.approx((2 + log(3)) / 4 / 10),
    }
    assert found.tree_row(counted.keys(ONE), 1)[3] == 1.0
    sentence, phrase = (key for _, key in counted.nodes(ONE))
    row = dict(zip(CONSTITUENT_ROW, found.constituent_row(phrase), strict=True))
    assert row["log odds"] == pytest.approx(log(3))
    assert row["log size"] == log(2)
    assert (row["in best"], row["in none"], row["in all"]) == (1.0, 0.0, 0.0)
    row = dict(zip(CONSTITUENT_ROW, found.constituent_row(sentence), strict=True))
    assert (row["in best"], row["in none"], row["in all"]) == (1.0, 0.0, 1.0)
    absent = dict(zip(CONSTITUENT_ROW, found.constituent_row(("X", 0b101, 0)), strict=True))
    assert (absent["in best"], absent["in none"], absent["in all"]) == (0.0, 1.0, 0.0)
    assert absent["log odds"] == pytest.approx(log(0.001 / 0.999))


def test_unknown_words_are_evidence() -> None:
    counted = Counted(SENTENCE, KnownWords({"da", "hat"}))
    assert counted.unknown_share == pytest.approx(1 / 3)
    found = Alternatives([(8.0, counted.keys(OTHER))], counted, 2.0)
    row = dict(zip(TREE_ROW, found.tree_row(counted.keys(OTHER), 1), strict=True))
    assert row["unknown words"] == pytest.approx(1 / 3)
    assert row["log odds by unknown words"] == pytest.approx(row["log odds"] / 3)
    assert row["score"] == pytest.approx(8 / 2 / 4 / 10)
    keys = [key for _, key in counted.nodes(OTHER)]
    rows = [dict(zip(CONSTITUENT_ROW, found.constituent_row(key), strict=True)) for key in keys]
    inside = {key[0]: row["unknown words inside"] for key, row in zip(keys, rows, strict=True)}
    assert inside == {"S": pytest.approx(1 / 3), "VP": 0.5}  # the comma is not in brackets
    tree = Tree(SENTENCE, OTHER)
    weights = (*ODDS.constituents, 0.0, 0.0, 0.0, -50.0)
    wary = msgspec.structs.replace(ODDS, constituents=weights)
    (sure,) = with_confidence([tree], [(0.0, OTHER)], wary, KnownWords({"da", "hat", "es"}))
    assert confidences(sure) == [("ROOT", ""), ("S", "0.999"), ("VP", "0.999")]
    assert reasons_to_doubt(sure) == ()
    (unsure,) = with_confidence([tree], [(0.0, OTHER)], wary, KnownWords({"da", "hat"}))
    assert confidences(unsure) == [("ROOT", ""), ("S", "0.000"), ("VP", "0.000")]
    assert reasons_to_doubt(unsure) == (UNSURE,)
    assert without_confidence(unsure) == tree


def test_a_gap_counts_where_words_are_in_it() -> None:
    words = tuple(Token(form, "X") for form in "abcd")
    counted = Counted(words)
    root = flat(Node("VP", [0, 2]), 1, 3)
    found = Alternatives([(0.0, counted.keys(root))], counted, 1.0)
    _, phrase = (key for _, key in counted.nodes(root))
    row = dict(zip(CONSTITUENT_ROW, found.constituent_row(phrase), strict=True))
    assert row["is discontinuous"] == 1.0
    assert row["log odds if discontinuous"] == row["log odds"]


def test_confidence_is_a_feature_of_trees_and_nodes_that_count() -> None:
    tree, other = Tree(SENTENCE, ONE, id="7"), Tree(SENTENCE, OTHER, id="7")
    found, second = with_confidence([tree, other], [(log(3), ONE), (0.0, OTHER)], ODDS)
    assert feature(found.features, CONFIDENCE) == "0.750"
    assert confidences(found) == [("ROOT", ""), ("S", "0.999"), ("VP", "0.750")]
    assert feature(second.features, CONFIDENCE) == "0.000"  # the weights of other trees
    assert confidences(second) == [("ROOT", ""), ("S", "0.999"), ("VP", "0.250")]
    assert [without_confidence(one) for one in (found, second)] == [tree, other]


def test_confidence_replaces_what_was_there_before() -> None:
    tree = Tree(SENTENCE, ONE)
    (once,) = with_confidence([tree], [(log(3), ONE), (0.0, OTHER)], ODDS)
    (twice,) = with_confidence([once], [(0.0, ONE)], ODDS)
    assert confidences(twice) == [("ROOT", ""), ("S", "0.999"), ("VP", "0.999")]
    assert len(twice.features) == 1


def test_an_empty_sentence_has_no_confidence() -> None:
    nothing = Tree((), Node("ROOT"))
    assert with_confidence([nothing], [], ODDS) == [nothing]


def test_a_fall_back_tree_is_all_there_is() -> None:
    tree = Tree(SENTENCE, Node("ROOT", range(4)))
    (found,) = with_confidence([tree], [], ODDS)
    assert feature(found.features, CONFIDENCE) == "0.999"
