"""Rows with parents become trees, and numbers that are not canonical are kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import trees

from crossbranch.errors import TreeError
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree, feature
from crossbranch.treebank.assembly import (
    ParentRows,
    number_nodes,
    renumber_edges,
    with_virtual_root,
)


def rows(count: int, parents: list[int], numbers: list[int] | None = None) -> ParentRows:
    """Rows labelled A, B, ... below the tokens."""
    total = len(parents) - count
    labels = [chr(ord("A") + k) for k in range(total)]
    own = list(range(500, 500 + total)) if numbers is None else numbers
    return ParentRows(count, parents, labels, [""] * total, [()] * total, own)


def ids(root: Node) -> list[str]:
    return [feature(node.features, "id") for node in root.preorder()]


def test_canonical_rows_need_no_numbers() -> None:
    #     A: tokens 0 3, B: token 1, C: A B, token 2 below the root
    root = rows(4, [4, 5, -1, 4, 6, 6, -1]).connect()
    assert str(root) == "(ROOT (C (A 0 3) (B 1)) 2)"
    assert ids(root) == ["", "", "", ""]


@pytest.mark.parametrize(
    ("parents", "numbers", "expected"),
    [
        ([2, 3, -1, -1], [501, 500], ["501", "500"]),  # of two, the second came first
        ([2, 3, -1, -1], [500, 502], ["500", "502"]),  # a number is left out
        ([3, 2, -1, -1], None, ["501", "500"]),  # not in the order of the first tokens
        ([2, 2, 3, -1], [501, 500], ["500", "501"]),
    ],
)
def test_other_numbers_are_kept(
    parents: list[int], numbers: list[int] | None, expected: list[str]
) -> None:
    root = rows(2, parents, numbers).connect()
    assert ids(root)[1:] == expected
    tree = Tree([Token("a"), Token("b")], root)
    own = number_nodes(tree)
    assert [str(own[id(node)]) for node in tree.nodes[1:]] == expected


def test_parents_may_come_before_their_children() -> None:
    root = rows(2, [4, 3, -1, 2, 2]).connect()
    assert str(root) == "(ROOT (A (C 0) (B 1)))"


@pytest.mark.parametrize(
    ("parents", "vertex", "message"),
    [
        ([1, -1, -1], 2, "without children"),
        ([1, 3, 1, 2], 1, "its own ancestor"),
        ([1, 1], 1, "its own ancestor"),
        ([-1, 2, 3, 2], 2, "its own ancestor"),  # 1 hangs below the cycle of 2 and 3
    ],
)
def test_rows_that_make_no_tree(parents: list[int], vertex: int, message: str) -> None:
    with pytest.raises(TreeError, match=message) as caught:
        rows(1, parents).connect()
    found = caught.value.vertex
    assert found is not None
    if "ancestor" in message:
        seen = [found]
        while (above := parents[seen[-1]]) not in seen:
            seen.append(above)
        assert above == found  # the vertex named is on the cycle
    else:
        assert found == vertex


def test_secondary_edges_follow_the_nodes() -> None:
    table = rows(2, [3, 2, -1, -1])
    root = table.connect()
    edges = [SecondaryEdge("x", 2, 3), SecondaryEdge("y", 0, -1)]
    # B, over token 0, comes first in the tree.
    assert renumber_edges(edges, root, table) == [("x", 4, 3), ("y", 0, 2)]


@given(trees(rich=False))
def test_canonical_numbers_are_recognised(tree: Tree) -> None:
    own = number_nodes(tree)
    count = len(tree.sentence)
    nodes = sorted(tree.nodes[1:], key=lambda node: own[id(node)])
    vertex = {id(node): count + k for k, node in enumerate(nodes)} | {id(tree.root): -1}
    parents = [-1] * (count + len(nodes))
    for node in tree.nodes:
        for child in node.children:
            parents[child if isinstance(child, int) else vertex[id(child)]] = vertex[id(node)]
    root = rows(count, parents).connect()
    assert ids(root) == [""] * len(tree.nodes)
    assert [node.span for node in root.preorder()] == [node.span for node in tree.nodes]


@pytest.mark.parametrize(
    "numbers",
    [
        ["500", ""],
        ["500", "500"],
        ["499", "500"],
        ["0500", "501"],
        ["٥٠٠", "501"],
        ["five", "501"],
        ["9" * 5000, "501"],
    ],
)
def test_numbers_that_do_not_serve_are_replaced(numbers: list[str]) -> None:
    children = [Node("X", [i], features=(("id", n),)) for i, n in enumerate(numbers)]
    tree = Tree([Token("a"), Token("b")], Node(ROOT, children))
    assert list(number_nodes(tree).values()) == [500, 501]


def test_a_virtual_root_above_another_root() -> None:
    tree = Tree(
        [Token("a"), Token("b")],
        Node("S", [0, Node("B", [1])], edge_label="e"),
        id="1",
        secondary_edges=[SecondaryEdge("x", 1, 2), SecondaryEdge("y", 3, 0)],
    )
    found = with_virtual_root(tree)
    assert str(found.root) == "(ROOT (S/e 0 (B 1)))"
    assert found.secondary_edges == (("x", 1, 3), ("y", 4, 0))
    assert found.id == "1"
    assert with_virtual_root(found) is found


def test_a_virtual_root_of_an_empty_sentence() -> None:
    assert with_virtual_root(Tree([], Node("S"))).root == Node(ROOT)
