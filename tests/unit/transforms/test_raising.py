import pytest

from crossbranch.errors import TransformError, UsageError
from crossbranch.transforms.raising import Raise
from crossbranch.tree import Node, SecondaryEdge, Token, Tree


def make(root: Node, **more: object) -> Tree:
    count = root.span.bit_length()
    return Tree([Token(f"w{i}", "T") for i in range(count)], root, id="1", **more)  # type: ignore[arg-type]


def raised(root: Node) -> str:
    return str(Raise().apply(make(root)).root)


def test_blocks_without_the_head_go_up() -> None:
    assert raised(Node("S", [Node("VP", [0, 2, 3], head=1), 1])) == "(S 0 1 (VP 2 3))"
    assert raised(Node("S", [Node("VP", [0, 2, 3], head=0), 1])) == "(S (VP 0) 1 2 3)"


def test_whole_nodes_are_raised_no_further_than_needed() -> None:
    verb = Node("VP", [Node("NP", [0, 1]), 4], head=1)
    root = Node("S", [Node("VP", [verb, 5], head=0), 2, 3])
    assert raised(root) == "(S (NP 0 1) 2 3 (VP (VP 4) 5))"
    # The second block of the NP finds its place in the VP.
    root = Node("S", [0, Node("VP", [Node("NP", [1, 3], head=0), 2], head=1)])
    assert raised(root) == "(S 0 (VP (NP 1) 2 3))"


def test_without_a_head_mark_the_largest_block_stays() -> None:
    assert raised(Node("S", [Node("VP", [0, 2, 3]), 1])) == "(S 0 1 (VP 2 3))"
    assert raised(Node("S", [Node("VP", [0, 2]), 1])) == "(S (VP 0) 1 2)"


def test_everything_else_is_kept() -> None:
    part = Node("NP", [0], edge_label="OA", features=(("comment", "c"),))
    verb = Node("VP", [part, 2], edge_label="OC", head=1)
    tree = make(Node("S", [verb, 1], head=1), secondary_edges=[SecondaryEdge("SB", 4, 5)])
    applied = Raise().apply(tree)
    assert applied.root.children[0] == part
    assert applied.root.head == 1
    (edge,) = applied.secondary_edges
    ends = applied.vertex(edge.child), applied.vertex(edge.parent)
    assert ends == (Node("VP", [2], edge_label="OC", head=0), part)


def test_a_continuous_tree_stays() -> None:
    tree = make(Node("S", [Node("NP", [0, 1]), 2]))
    assert Raise().apply(tree) is tree


def test_there_is_no_inverse_and_it_says_so() -> None:
    assert not Raise.has_inverse
    with pytest.raises(TransformError, match="raise has no inverse"):
        Raise().undo(make(Node("S", [0])))


def test_deep_trees() -> None:
    node = Node("X", [0, 2], head=1)
    for _ in range(5000):
        node = Node("X", [node], head=0)
    applied = Raise().apply(make(Node("S", [node, 1])))
    assert applied.root.children[:2] == (0, 1)
    assert not applied.is_discontinuous


def test_some_blocks_may_stay() -> None:
    three = Node("VP", [0, 2, Node("NP", [4, 5])], head=0)
    tree = make(Node("S", [three, 1, 3]))
    assert str(Raise(blocks=2).apply(tree).root) == "(S (VP 0 (NP 4 5)) 1 2 3)"
    assert Raise(blocks=3).apply(tree) == tree
    # The NP has a block in one that must go: it is moved, and the rest can stay.
    wide = Node("VP", [Node("NP", [0, 6]), 2, 4], head=1)
    found = Raise(blocks=2).apply(make(Node("S", [wide, 1, 3, 5])))
    assert str(found.root) == "(S (NP 0 6) 1 (VP 2 4) 3 5)"
    with pytest.raises(UsageError, match="blocks is 0, expected at least 1"):
        Raise(blocks=0)
