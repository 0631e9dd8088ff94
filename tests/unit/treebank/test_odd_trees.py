"""Odd trees that writers once changed without counting a loss; random search found them."""

from __future__ import annotations

import io
from collections import Counter

import pytest

from crossbranch.tree import ROOT, Features, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank import FORMATS, read
from crossbranch.treebank.comparison import compare
from crossbranch.treebank.files import open_target
from crossbranch.treebank.header import Header
from crossbranch.treebank.writing import TreeWriter


def tree_of(*tokens: Token, **fields: object) -> Tree:
    return Tree(tokens, Node(ROOT, range(len(tokens))), id="7").replace(**fields)


def numbered(*numbers: str) -> Tree:
    """A tree with these numbers as features of its nodes."""
    nodes = [
        Node("N", [i], features=(("id", number),) if number else ())
        for i, number in enumerate(numbers)
    ]
    return tree_of(*[Token("a")] * len(numbers), root=Node(ROOT, nodes))


def featured(*features: tuple[str, str]) -> Features:
    return tuple(features)


A = Token("a")
FLAT = tree_of(A)
ARC = featured(("deprel", "dep"), ("head", "0"))
ODD: dict[str, Tree] = {
    "half of a pair": tree_of(Token("\ud800"), id="\ud800", comments=["\udc80"]),
    "an id that looks escaped": FLAT.replace(id="_xD800_"),
    "two comments of a token": tree_of(A._replace(features=featured(*[("comment", "1")] * 2))),
    "values in another order": FLAT.replace(features=featured(("a", "2"), ("a", "1"))),
    "values of a token": tree_of(A._replace(features=featured(("a", "2"), ("a", "1")))),
    "values of a node": FLAT.replace(
        root=Node(ROOT, [Node("S", [0], features=featured(("a", "2"), ("a", "1")))])
    ),
    "two editors": FLAT.replace(features=featured(("editor", "1"), ("editor", "2"))),
    "canonical numbers": numbered("500", "501"),
    "other numbers": numbered("501", "500"),
    "some numbers": numbered("700", ""),
    "some numbers that become canonical": numbered("500", ""),
    "equal numbers": numbered("700", "700"),
    "numbers that are none": numbered("x", ""),
    "the largest number": numbered("999999999", ""),
    "a root with an edge label": FLAT.replace(root=Node(ROOT, [0], edge_label="x")),
    "a root with an id": FLAT.replace(root=Node(ROOT, [0], features=(("id", "500"),))),
    "an empty sentence with another root": Tree([], Node("S", [], edge_label="x"), id="7"),
    "an empty sentence with an edge": Tree(
        [], Node("S"), id="7", secondary_edges=[SecondaryEdge("x", 0, 0)]
    ),
    "an empty root with an edge and a label": Tree(
        [], Node(ROOT, [], edge_label="x"), id="7", secondary_edges=[SecondaryEdge("x", 0, 0)]
    ),
    "a start without an end": tree_of(A._replace(start=3), text="a"),
    "an end without a start": tree_of(A._replace(end=3)),
    "an end before the start": tree_of(A._replace(start=3, end=1), text="a"),
    "a very far place": tree_of(*[A._replace(start=10**15, end=10**15 + 1)] * 2, text="a"),
    "a universal tag alone": tree_of(A._replace(features=(("upos", "X"),))),
    "an empty universal tag": tree_of(A._replace(tag="N", features=(("upos", ""),))),
    "the tag of nothing": tree_of(A._replace(tag="_", features=(("upos", "_"),))),
    "two universal tags": tree_of(A._replace(features=featured(("upos", "X"), ("upos", "Y")))),
    "dependencies": tree_of(A._replace(features=ARC)),
    "dependencies beside constituents": tree_of(
        A._replace(features=ARC), root=Node(ROOT, [Node("S", [0])])
    ),
    "a head without a relation": tree_of(A._replace(features=(("head", "0"),))),
    "an empty relation": tree_of(A._replace(features=featured(("deprel", ""), ("head", "0")))),
    "a relation without a head": tree_of(A._replace(features=(("deprel", "x"),))),
    "heads that are none": tree_of(A._replace(features=(("head", "9" * 5000),))),
    "a head in other digits": tree_of(A._replace(features=(("head", "\u0660"),))),
    "a head outside": tree_of(A._replace(features=(("head", "2"),))),
}


def round_trip(tree: Tree, name: str) -> tuple[Tree, Counter[str]]:
    format = FORMATS[name]
    writer = TreeWriter(format)
    stream = io.BytesIO()
    with open_target(stream, "utf-8", format.unencodable) as text:
        text.write(writer.start(Header()) + writer.tree(tree, 1) + writer.end())
    (found,) = read(io.BytesIO(stream.getvalue()), format=name)
    return found, writer.losses


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("kind", ODD)
def test_nothing_changes_without_being_counted(kind: str, name: str) -> None:
    found, lost = round_trip(ODD[kind], name)
    comparison = compare(ODD[kind], found, format=FORMATS[name], number=1)
    assert comparison.fits(lost), (comparison, lost)
    again, lost_again = round_trip(found, name)
    assert again == found
    assert not lost_again


def test_numbers_are_kept_if_they_can_be() -> None:
    found, lost = round_trip(numbered("700", ""), "export")
    assert [node.features for node in found.nodes[1:]] == [(("id", "700"),), (("id", "701"),)]
    assert lost == {"nodes without a number (they get one)": 1}
    assert round_trip(numbered("700", ""), "tigerxml") == (numbered("700", ""), Counter())
    assert round_trip(numbered("500", "501"), "export")[1] == {"node features": 2}
