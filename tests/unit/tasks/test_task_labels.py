"""Labels of trees as texts: supertags, spines and chunks."""

from __future__ import annotations

import pytest

from crossbranch.tasks.chunks import chunk_labels
from crossbranch.tasks.supertags import (
    Rule,
    Slot,
    read_supertag,
    sketch_labels,
    spine_labels,
    supertag_labels,
    supertags_of,
)
from crossbranch.tree import ROOT, Node, Token, Tree

TREE = Tree(
    [Token("a", "A"), Token("b", "B_1"), Token("c", "C"), Token("d", "D"), Token("e", "E")],
    Node(
        ROOT,
        [Node("X(", [Node("Y", [0, 3], head=1), 1, 4], head=1), 2],
        head=0,
    ),
)


def test_supertags_are_read_as_they_were_written() -> None:
    texts = supertag_labels(TREE)
    assert texts == ["*", "X&#x28;(Y_1+*|Y_1+E)/ROOT(*+C+*)", "*", "Y(A|*)", "*"]
    assert list(map(read_supertag, texts)) == supertags_of(TREE)
    assert read_supertag(texts[1]) == (
        Rule("X(", (Slot("Y", 2), Slot("E", 1)), ((1, 0), (1, 2))),
        Rule(ROOT, (Slot("C", 1),), ((0, 1, 0),)),
    )
    assert read_supertag(texts[1])[0].fan_out == 2


def test_sketches_have_no_labels_of_slots() -> None:
    assert sketch_labels(TREE)[1::2] == ["X&#x28;(X_1+*|X_1+X)/ROOT(*+X+*)", "Y(X|*)"]
    assert sketch_labels(TREE, above=True)[0] == "*^Y"


def test_two_slots_with_the_same_label() -> None:
    tree = Tree([Token("a", "A"), Token("a", "A"), Token("b", "B")], Node("S", [0, 1, 2], head=2))
    [rule] = supertags_of(tree)[2]
    assert str(rule) == "S(A+A+*)"
    assert read_supertag("S(A+A+*)") == (rule,)


def test_the_node_above() -> None:
    above = supertag_labels(TREE, above=True)
    assert above[3] == "Y(A|*)^X&#x28;"
    assert read_supertag(above[3]) == read_supertag("Y(A|*)")
    assert spine_labels(TREE, above=True) == [
        "*^Y",
        "X&#x28;:2/ROOT",
        "*^ROOT",
        "Y:2^X&#x28;",
        "*^X&#x28;",
    ]


@pytest.mark.parametrize("text", ["", "S", "S(*", "S*)", "S(*)/NP"])
def test_texts_that_are_not_supertags(text: str) -> None:
    with pytest.raises(ValueError, match=r"^(S|NP|$)"):
        read_supertag(text)


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ("(NP (NP (N cats)) and (NP (N dogs)))", "B-NP O B-NP"),
        ("(NP (NP John 's) old house)", "B-NP I-NP B-NP I-NP"),
        ("(VP 0=not (VP 1=come 3=late) (NP (PRP 2=she)))", "B-VP I-VP B-NP B-VP"),
        ("(VP (VP 0=come 2=late) 1=not)", "B-VP B-VP B-VP"),
        ("(S (NP (DT a) (, ,) (NN b)) (. .))", "B-NP O B-NP O"),
        ("(ROOT a (NP (N b)))", "O B-NP"),
        ("(ROOT a b)", "O O"),
    ],
)
def test_chunks_of_trees(tree: str, expected: str) -> None:
    assert " ".join(chunk_labels(Tree.from_string(tree))) == expected
