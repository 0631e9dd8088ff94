import pickle

import pytest

from crossbranch import _core
from crossbranch.errors import TransformError, UsageError
from crossbranch.transforms import pipeline
from crossbranch.transforms.binarize import Binarize
from crossbranch.tree import Node, SecondaryEdge, Token, Tree


def sentence(count: int) -> list[Token]:
    return [Token(f"w{i}", "ABCDEFGH"[i % 8]) for i in range(count)]


def flat(count: int, head: int | None = None, label: str = "S") -> Tree:
    return Tree(sentence(count), Node(label, range(count), head=head), id="7")


@pytest.mark.parametrize(
    ("order", "head", "expected"),
    [
        ("head-outward", 2, "(S (S: (S: 0 (S: 1 2)) 3) 4)"),
        ("head-outward", 0, "(S (S: (S: (S: 0 1) 2) 3) 4)"),
        ("head-outward", 4, "(S 0 (S: 1 (S: 2 (S: 3 4))))"),
        ("left", None, "(S (S: (S: (S: 0 1) 2) 3) 4)"),
        ("right", None, "(S 0 (S: 1 (S: 2 (S: 3 4))))"),
    ],
)
def test_orders(order: str, head: int | None, expected: str) -> None:
    assert str(Binarize(order).apply(flat(5, head)).root) == expected


def test_optimal_joins_what_leaves_no_gap() -> None:
    tree = Tree(sentence(4), Node("S", [Node("A", [0, 3]), 1, 2]))
    assert str(Binarize("optimal").apply(tree).root) == "(S (A 0 3) (S: 1 2))"
    assert str(Binarize("left").apply(tree).root) == "(S (S: (A 0 3) 1) 2)"


def test_optimal_copes_with_too_many_ways_to_join() -> None:
    children = [Node("A", [i, i + 40, (i * 7) % 40 + 80]) for i in range(40)]
    assert not _core.optimal_binarization([child.blocks for child in children])[1]
    tree = Tree(sentence(120), Node("S", children))
    binary = Binarize("optimal").apply(tree)
    assert all(len(node.children) == 2 for node in binary.nodes)
    assert Binarize("optimal").undo(binary) == tree


def test_the_head_stays_the_head() -> None:
    binary = Binarize().apply(flat(5, 2))
    assert [node.head for node in binary.nodes] == [0, 0, 1, 1]
    assert {node.head_token for node in binary.nodes} == {2}


def test_without_the_head_the_nearest_part_is_the_head() -> None:
    left = Binarize("left").apply(flat(5, 4))
    assert [node.head_token for node in left.nodes] == [4, 3, 2, 1]
    right = Binarize("right").apply(flat(5, 0))
    assert [node.head_token for node in right.nodes] == [0, 1, 2, 3]


def test_no_head_mark_gives_none() -> None:
    binary = Binarize("right").apply(flat(4))
    assert [node.head for node in binary.nodes] == [None, None, None]
    assert Binarize("right").undo(binary) == flat(4)


def test_head_outward_needs_heads_only_where_it_binarizes() -> None:
    with pytest.raises(
        TransformError, match=r"sentence 7: S has 3 children and no head mark.*heads"
    ):
        Binarize().apply(flat(3))
    assert Binarize().apply(flat(2)) == flat(2)


@pytest.mark.parametrize(
    ("horizontal", "expected"),
    [
        (0, "(S (S: (S: 0 1) 2) 3)"),
        (1, "(S (S:<C> (S:<A> 0 1) 2) 3)"),
        (2, "(S (S:<C,A> (S:<A,B> 0 1) 2) 3)"),
        (-1, "(S (S:<C,A,B> (S:<A,B> 0 1) 2) 3)"),
    ],
)
def test_horizontal(horizontal: int, expected: str) -> None:
    tree = flat(4, 1)
    transform = Binarize(horizontal=horizontal)
    assert str(transform.apply(tree).root) == expected
    assert transform.undo(transform.apply(tree)) == tree


def test_horizontal_names_nodes_by_label_and_tokens_by_tag() -> None:
    tree = Tree(sentence(4), Node("S", [Node("NP", [0, 1]), 2, 3]))
    binary = Binarize("left", mark="@", horizontal=-1).apply(tree)
    assert str(binary.root) == "(S (@S<C,NP> (NP 0 1) 2) 3)"


def test_horizontal_with_the_optimal_order_names_what_was_joined_last_first() -> None:
    apart = Tree(sentence(5), Node("S", [Node("X", [0, 4]), 1, 2, 3]))
    binary = Binarize("optimal", horizontal=-1).apply(apart)
    assert str(binary.root) == "(S (X 0 4) (S:<D,C,B> (S:<C,B> 1 2) 3))"


def test_vertical() -> None:
    inner = Node("NP", [1, 2, Node("PP", [3])], head=0)
    tree = Tree(sentence(5), Node("ROOT", [Node("S", [0, inner, 4], head=0)]))
    twice = Binarize(vertical=2, mark="@")
    assert (
        str(twice.apply(tree).root) == "(ROOT (S^ROOT (@S^ROOT 0 (NP^S (@NP^S 1 2) (PP^NP 3))) 4))"
    )
    assert twice.undo(twice.apply(tree)) == tree
    thrice = Binarize(vertical=3)
    assert [node.label for node in thrice.apply(tree).nodes][-1] == "PP^NP^S"


@pytest.mark.parametrize("mark", [":", "@"])
@pytest.mark.parametrize("vertical", [1, 2])
@pytest.mark.parametrize(
    "label", ["S:", "@S", "@S:", "a:b", "S:<NP>", "S^X", "&#x3a;", "&#x26;", "", ":", "@", "^"]
)
def test_labels_that_look_temporary_survive(label: str, mark: str, vertical: int) -> None:
    inner = Node(label, [0, 1, 2], head=1)
    tree = Tree(sentence(5), Node(label, [Node(label, [inner, 3], head=0), 4], head=0))
    transform = Binarize(mark=mark, vertical=vertical, horizontal=1)
    binary = transform.apply(tree)
    assert len(binary.nodes) == 4
    assert transform.undo(binary) == tree


def test_a_label_is_escaped_only_where_it_could_be_misread() -> None:
    tree = flat(3, 0, label="@S")
    assert str(Binarize().apply(tree).root) == "(@S (@S: 0 1) 2)"
    assert str(Binarize(mark="@").apply(tree).root) == "(&#x40;S (@&#x40;S 0 1) 2)"


def test_undo_takes_temporary_nodes_out_wherever_a_parser_puts_them() -> None:
    messy = Node("S:", [Node("VP:", [0, Node("NP:<A>", [Node("X", [1])])]), Node("S:", [2, 3])])
    assert str(Binarize().undo(Tree(sentence(4), messy)).root) == "(S 0 (X 1) 2 3)"
    messy = Node("@S^X<A,B>", [Node("@VP", [0, 2]), Node("NP^@S", [1])])
    undone = Binarize(mark="@", horizontal=2, vertical=2).undo(Tree(sentence(3), messy))
    assert str(undone.root) == "(S 0 (NP 1) 2)"


def test_undo_drops_a_secondary_edge_of_a_temporary_node() -> None:
    root = Node("S", [Node("S:", [0, 1]), Node("X", [2])])
    edges = [SecondaryEdge("a", 4, 5), SecondaryEdge("b", 5, 0), SecondaryEdge("c", 3, 5)]
    undone = Binarize().undo(Tree(sentence(3), root, secondary_edges=edges))
    assert undone.secondary_edges == (SecondaryEdge("b", 4, 0), SecondaryEdge("c", 3, 4))


def test_secondary_edges_follow_their_nodes() -> None:
    root = Node("S", [0, 1, Node("X", [2]), Node("Y", [3])], head=3)
    tree = Tree(sentence(4), root, secondary_edges=[SecondaryEdge("SB", 5, 6)])
    binary = Binarize().apply(tree)
    (edge,) = binary.secondary_edges
    assert [binary.vertex(end) for end in edge[1:]] == [tree.nodes[1], tree.nodes[2]]


def test_what_needs_no_change_is_the_same_object() -> None:
    tree = flat(2)
    assert Binarize().apply(tree) is tree
    assert Binarize().undo(tree) is tree


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "binarize(middle)",
            "order is 'middle', expected head-outward or left or optimal or right",
        ),
        ("binarize(mark=%)", "mark is '%', expected : or @"),
        ("binarize(horizontal=-2)", "horizontal is -2"),
        ("binarize(vertical=0)", "vertical is 0"),
    ],
)
def test_bad_options(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        pipeline(text)


def test_a_used_transform_can_be_pickled() -> None:
    transform = Binarize()
    transform.apply(flat(4, 1))
    assert pickle.loads(pickle.dumps(transform)) == transform


@pytest.mark.parametrize("order", ["head-outward", "left", "optimal", "right"])
def test_deep_and_wide_trees(order: str) -> None:
    node = Node("X", [0, 1, 2], head=0)
    for _ in range(5000):
        node = Node("X", [node], head=0)
    transform = Binarize(order, vertical=2)
    deep = Tree(sentence(3), node)
    assert transform.undo(transform.apply(deep)) == deep
    wide = flat(1000, 500)
    binary = transform.apply(wide)
    assert len(binary.nodes) == 999
    assert transform.undo(binary) == wide
