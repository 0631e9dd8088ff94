"""The transform `traces`: options, styles, and laws on any tree."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from hypothesis import given
from strategies import trees

from crossbranch.errors import TransformError, UsageError
from crossbranch.transforms import pipeline
from crossbranch.transforms.trace_styles import STYLES, Label, detect_style, split_label
from crossbranch.transforms.traces import Traces
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank import read


def parse(text: str, format: str = "bracket") -> Tree:
    (tree,) = read(io.BytesIO(text.encode()), format=format)
    return tree


@pytest.mark.parametrize(
    ("label", "parts"),
    [
        ("NP", Label("NP")),
        ("NP-SBJ", Label("NP", "SBJ")),
        ("NP-SBJ-1", Label("NP", "SBJ", "1")),
        ("WHNP-12", Label("WHNP", "", "12")),
        ("NP=2", Label("NP")),
        ("NP-SBJ-1=2", Label("NP", "SBJ", "1")),
        ("PP-LOC-CLR-3", Label("PP", "LOC-CLR", "3")),
        ("-NONE-", Label("-NONE-")),
        ("-LRB-", Label("-LRB-")),
        ("-", Label("-")),
        ("", Label("")),
        ("ADVP|PRT", Label("ADVP|PRT")),
    ],
)
def test_labels_come_apart(label: str, parts: Label) -> None:
    assert split_label(label) == parts


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("( (S (NP (-NONE- *T*-1)) (V v)))", "ptb"),
        ("( (S (NP-1 (-NONE- *T*)) (V v)))", "craft"),
        ("( (TITLE (NP (N n))))", "craft"),
        ("( (S (NP *T*-1) (V v)))", "icepahc"),
        ("( (S (NP *con*) (V v)))", "icepahc"),
        ("( (CODE <P_1>))", "icepahc"),
        ("( (S (CD 0) (V v)))", "ptb"),
    ],
)
def test_styles_are_told_apart(text: str, style: str) -> None:
    assert detect_style(parse(text)) is STYLES[style]


def test_lemmas_are_those_of_icepahc() -> None:
    assert detect_style(parse("( (IP (V svaf-sofa)) (ID 1))", "psd")) is STYLES["icepahc"]


def test_the_style_can_be_given() -> None:
    tree = parse("( (S (X-A 0) (V v)))")
    assert [token.form for token in pipeline("traces").apply(tree).sentence] == ["0", "v"]
    assert [token.form for token in pipeline("traces(icepahc)").apply(tree).sentence] == ["v"]
    with pytest.raises(UsageError, match="style is 'tiger', expected one of auto, craft, icepahc"):
        pipeline("traces(tiger)")


def test_there_is_no_way_back() -> None:
    tree = Traces().apply(parse("( (S (A a) (B b)))"))
    assert not Traces.has_inverse
    with pytest.raises(TransformError, match="no inverse"):
        Traces().undo(tree)


def test_heads_and_secondary_edges_follow() -> None:
    subject = Node("NP-SBJ-1", [0], head=0)
    verb = Node("VP", [1, Node("NP", [2])], head=0)
    tree = Tree(
        [Token("What", "WP"), Token("rains", "VBZ"), Token("*T*-1", "-NONE-")],
        Node(ROOT, [Node("S", [subject, verb], head=1)]),
        secondary_edges=[SecondaryEdge("x", 0, 6), SecondaryEdge("gone", 2, 4)],
    )
    assert [node.label for node in tree.nodes] == ["ROOT", "S", "NP-SBJ-1", "VP", "NP"]
    found = Traces().apply(tree)
    assert str(found.root) == "(ROOT (S (VP (NP/SBJ 0) 1)))"
    assert [node.head for node in found.nodes] == [None, 0, 1, 0]
    assert found.secondary_edges == (SecondaryEdge("x", 0, 4),)


def test_neither_edge_labels_nor_morphology_are_lost() -> None:
    tree = Tree(
        [Token("a", "N", "a", "Nom", "HD")], Node(ROOT, [Node("NP", [0], edge_label="OBJ")])
    )
    assert Traces().apply(tree) == tree


def test_deep_trees_are_no_trouble() -> None:
    depth = 3000
    text = (
        "( (S (WHNP-1 (W what)) "
        + "(VP (V v) " * depth
        + "(NP (-NONE- *T*-1))"
        + ")" * depth
        + "))"
    )
    found = Traces().apply(parse(text))
    assert sum(node.is_discontinuous for node in found.nodes) == depth - 1
    assert len(found.nodes) == depth + 3


@given(trees())
def test_words_stay_in_order_and_nothing_empty_is_left(tree: Tree) -> None:
    labels = Counter(split_label(node.label).name for node in tree.nodes)
    for name, style in STYLES.items():
        found = Traces(name).apply(tree)
        assert not any(map(style.is_empty, found.sentence))
        words = (style.word(token).form for token in tree.sentence)
        assert all(token.form in words for token in found.sentence)  # uses the words up in order
        assert Counter(node.label for node in found.nodes) <= labels
