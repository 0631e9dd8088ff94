"""Token, Node and Tree: what they accept, refuse, and say about themselves."""

from __future__ import annotations

import copy
import pickle
import sys
from collections import Counter
from typing import Any, ClassVar

import pytest

from crossbranch.errors import TreeError
from crossbranch.tree import (
    ROOT,
    Bracket,
    Node,
    SecondaryEdge,
    Token,
    Tree,
    feature,
    with_feature,
)


def words(count: int) -> list[Token]:
    return [Token(f"w{i}", "T") for i in range(count)]


def example() -> Tree:
    """What should I do: the VP covers tokens 0 and 3."""
    vp = Node("VP", [Node("WHNP", [0]), 3], edge_label="OC", head=1)
    sq = Node("SQ", [1, Node("NP", [2]), vp], head=0)
    return Tree(
        [Token(w) for w in ("What", "should", "I", "do")],
        Node(ROOT, [Node("SBARQ", [sq])]),
        id="7",
        secondary_edges=[SecondaryEdge("SB", 2, 6)],
        comments=["a comment"],
        features=(("origin", "wsj"),),
    )


def chain(depth: int) -> Tree:
    node: Node | int = 0
    for _ in range(depth):
        node = Node("X", [node])
    return Tree(words(1), Node(ROOT, [node]))


# --- what a tree says about itself


def test_nodes_are_numbered_in_preorder_behind_the_tokens() -> None:
    tree = example()
    assert [node.label for node in tree.nodes] == [ROOT, "SBARQ", "SQ", "VP", "WHNP", "NP"]
    assert tree.parents == (8, 6, 9, 7, -1, 4, 5, 6, 7, 6)
    assert tree.vertex(3) == Token("do")
    assert tree.vertex(4) is tree.root
    assert tree.vertex(9) == Node("NP", [2])
    for number in (-1, 10):
        with pytest.raises(IndexError):
            tree.vertex(number)


def test_spans_blocks_and_gaps() -> None:
    tree = example()
    vp = tree.nodes[3]
    assert (vp.span, vp.blocks, vp.tokens) == (0b1001, [(0, 1), (3, 4)], [0, 3])
    assert (vp.fan_out, vp.gap_degree, vp.is_discontinuous) == (2, 1, True)
    assert (tree.fan_out, tree.gap_degree, tree.is_discontinuous) == (2, 1, True)
    assert (tree.root.fan_out, tree.root.gap_degree, tree.root.is_discontinuous) == (1, 0, False)
    assert tree.brackets[:4] == [
        Bracket(ROOT, 0b1111),
        Bracket("SBARQ", 0b1111),
        Bracket("SQ", 0b1111),
        Bracket("VP", 0b1001),
    ]


def test_traversal_is_by_first_token_not_by_last() -> None:
    root = Node("R", [Node("A", [0, 4]), Node("B", [Node("C", [1]), 3]), 2])
    assert [node.label for node in root.preorder()] == ["R", "A", "B", "C"]
    assert [node.label for node in root.postorder()] == ["A", "C", "B", "R"]


def test_children_are_put_in_the_order_of_their_first_tokens_and_the_head_follows() -> None:
    late, early = Node("L", [1, 2]), Node("E", [0, 4])
    node = Node("S", [3, late, early], head=1)
    assert node.children == (early, late, 3)
    assert node.head == 1
    assert Node("S", [3, late, early], head=2).head == 0
    assert node.head_token is None  # L has no head
    assert Node("S", [3, late, early], head=0).head_token == 3


def test_head_tokens_are_found_through_unary_nodes() -> None:
    inner = Node("A", [Node("B", [0]), 1], head=0)
    assert Node("S", [inner]).head_token == 0
    assert Node("S", [inner, 2]).head_token is None
    assert Node("S", []).head_token is None


def test_strings_are_brackets_over_token_numbers() -> None:
    tree = example()
    assert str(tree.nodes[3]) == "(VP/OC (WHNP 0) 3)"
    assert repr(tree.nodes[5]) == "<Node (NP 2)>"
    text = "(ROOT (SBARQ (SQ (VP/OC (WHNP 0) 3) 1 (NP 2)))) 0=What 1=should 2=I 3=do"
    assert str(tree) == text
    assert repr(tree) == f"<Tree 7: {text}>"
    assert repr(tree.replace(id="")) == f"<Tree {text}>"


# --- the shapes that are legal


def test_an_empty_sentence() -> None:
    tree = Tree([], Node(ROOT))
    assert (tree.fan_out, tree.gap_degree, tree.parents) == (0, 0, (-1,))
    assert not tree.is_discontinuous
    assert not tree.is_ill_nested
    assert tree.brackets == [Bracket(ROOT, 0)]
    assert str(tree) == "(ROOT) "


def test_several_roots_and_tokens_below_the_virtual_root() -> None:
    tree = Tree(words(4), Node(ROOT, [Node("A", [0, 2]), Node("B", [3]), 1]))
    assert tree.parents == (5, 4, 5, 6, -1, 4, 4)


def test_a_bare_root_of_any_label() -> None:
    assert Tree(words(2), Node("S", [0, 1])).root.label == "S"


def test_a_thousand_tokens_and_fan_out_twenty() -> None:
    gappy = Node("G", range(0, 40, 2))
    tree = Tree(words(1000), Node(ROOT, [gappy, *range(1, 40, 2), *range(40, 1000)]))
    assert (tree.fan_out, tree.gap_degree) == (20, 19)
    assert len(tree.parents) == 1002


@pytest.mark.parametrize(
    ("groups", "ill_nested"),
    [
        ([[0, 2], [1, 3]], True),
        ([[0, 3], [1, 2]], False),
        ([[0, 3], [1, 4], [2]], True),
        ([[0, 2], [3, 5], [1, 4]], True),
        ([[0, 2], [3, 5]], False),
    ],
)
def test_ill_nested_trees_are_legal_and_recognised(
    groups: list[list[int]], ill_nested: bool
) -> None:
    count = 1 + max(max(group) for group in groups)
    rest = set(range(count)).difference(*groups)
    tree = Tree(words(count), Node(ROOT, [*[Node("X", group) for group in groups], *rest]))
    assert tree.is_ill_nested is ill_nested


def test_ill_nestedness_looks_at_nodes_in_different_parents() -> None:
    left = Node("L", [Node("X", [0, 2]), 5])
    right = Node("R", [Node("Y", [1, 3]), 4])
    assert Tree(words(6), Node(ROOT, [left, right])).is_ill_nested


# --- what is no tree


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Node("S", [0, 0]), "S has a child that shares tokens with another: 0"),
        (lambda: Node("S", [Node("A", [0, 1]), 1]), "shares tokens with another: 1"),
        (lambda: Node("S", [Node("A", [])]), r"S has a child without tokens: \(A\)"),
        (lambda: Node("S", [0], head=1), "S has head 1, but the number of its children is 1"),
        (lambda: Node("S", [0], head=-1), "S has head -1, but the number of its children is 1"),
        (lambda: Node("S", head=0), "S has head 0, but the number of its children is 0"),
        (lambda: Node("S", [-1]), "S has the child -1, expected a node or the index of a token"),
        (lambda: Node("S", ["word"]), "S has the child 'word', expected a node or"),  # type: ignore[list-item]
        (lambda: Node("S", [True]), "S has the child True"),
        (lambda: Tree(words(3), Node("S", [0])), r"does not cover tokens \[1, 2\]"),
        (lambda: Tree(words(1), Node("S", [0, 2])), r"covers tokens \[2\], the sentence has 1"),
        (lambda: Tree([], Node("S", [0])), r"covers tokens \[0\], the sentence has 0"),
        (lambda: edge(0, 3), "not a vertex of this tree"),
        (lambda: edge(3, 0), "not a vertex of this tree"),
        (lambda: edge(-1, 0), "not a vertex of this tree"),
        (lambda: edge(0, -1), "not a vertex of this tree"),
    ],
)
def test_what_is_no_tree_is_refused(make: Any, message: str) -> None:
    with pytest.raises(TreeError, match=message):
        make()


def edge(child: int, parent: int) -> Tree:
    return Tree(words(2), Node("S", [0, 1]), secondary_edges=[SecondaryEdge("X", child, parent)])


def test_secondary_edges_may_join_any_vertices() -> None:
    assert edge(0, 2).secondary_edges == (("X", 0, 2),)
    assert edge(2, 2).secondary_edges == (("X", 2, 2),)


# --- values: unchangeable, comparable, hashable, copied and sent around


@pytest.mark.parametrize("thing", [example(), example().root])
def test_nothing_can_be_changed(thing: Any) -> None:
    before = pickle.dumps(thing)
    for name in [*type(thing).__slots__, "new"]:
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(thing, name, 1)
        with pytest.raises(AttributeError, match="cannot be changed"):
            delattr(thing, name)
    assert pickle.dumps(thing) == before


def test_replace_makes_a_copy() -> None:
    tree = example()
    assert tree.replace() == tree
    assert tree.replace(id="8") != tree
    assert tree.replace(id="8").replace(id="7") == tree
    node = tree.nodes[3]
    assert node.replace(label="NP").label == "NP"
    assert node.replace(label="NP").replace(label="VP") == node
    with pytest.raises(TypeError):
        node.replace(span=1)


def test_trees_differ_by_every_field() -> None:
    tree = example()
    changes: list[dict[str, Any]] = [
        {"id": "8"},
        {"comments": ()},
        {"features": ()},
        {"text": "What should I do"},
        {"secondary_edges": ()},
        {"sentence": [Token("x"), *tree.sentence[1:]]},
        {"root": tree.root.replace(label="S")},
    ]
    for change in changes:
        assert tree.replace(**change) != tree
    assert tree != "tree"
    assert tree.root != "root"


def test_nodes_differ_by_every_field_at_any_depth() -> None:
    node = Node("VP", [Node("NP", [0, 1]), 2], edge_label="OC", head=0, features=(("a", "b"),))
    for change in (
        {"label": "S"},
        {"edge_label": ""},
        {"head": None},
        {"head": 1},
        {"features": ()},
        {"children": [0, 1, 2]},
        {"children": [0, Node("NP", [1, 2])]},
        {"children": [Node("NP", [0, 1]), 3]},
    ):
        other = node.replace(**change)
        assert other != node
        assert Node("S", [other, 9]) != Node("S", [node, 9])


def test_equal_trees_are_found_in_sets() -> None:
    assert len({example(), example()}) == 1
    assert hash(example().root) == hash(example().root)
    assert example().replace(id="8") not in {example()}


def test_copies_are_the_thing_itself() -> None:
    tree = example()
    assert copy.copy(tree) is tree
    assert copy.deepcopy(tree) is tree
    assert copy.copy(tree.root) is tree.root
    assert copy.deepcopy([tree.root])[0] is tree.root


def test_pickling() -> None:
    tree = example()
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert pickle.loads(pickle.dumps(tree.nodes[3])) == tree.nodes[3]


def test_trees_deeper_than_the_stack() -> None:
    depth = 5 * sys.getrecursionlimit()
    tree = chain(depth)
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert tree == chain(depth)
    assert tree != chain(depth - 1)
    assert hash(tree) == hash(chain(depth))
    assert len(tree.nodes) == len(tree.brackets) == depth + 1
    assert sum(1 for _ in tree.root.postorder()) == depth + 1
    assert tree.parents[:3] == (depth + 1, -1, 1)
    assert tree.root.head_token == 0
    assert str(tree).startswith("(ROOT (X (X ")
    assert not tree.is_ill_nested
    assert copy.deepcopy(tree) is tree


# --- no walk for what is read often


class CountedNode(Node):
    """Counts how often the children of any node are looked at."""

    __slots__ = ()
    looks: ClassVar[Counter[str]] = Counter()

    def __getattribute__(self, name: str) -> Any:
        if name == "children":
            CountedNode.looks["children"] += 1
        return super().__getattribute__(name)


def counted_chain(size: int) -> Tree:
    """A right-branching tree, on which a walk at every node would be quadratic."""
    node: Node | int = size
    for token in range(size - 1, -1, -1):
        node = CountedNode("X", [token, node])
    assert isinstance(node, Node)
    return Tree(words(size + 1), node)


@pytest.mark.parametrize("name", ["nodes", "parents", "brackets", "fan_out", "gap_degree"])
def test_properties_of_a_tree_look_at_each_node_a_few_times(name: str) -> None:
    tree = counted_chain(300)
    CountedNode.looks.clear()
    for _ in range(100):
        getattr(tree, name)
    assert CountedNode.looks["children"] <= 2 * 300


@pytest.mark.parametrize(
    "name", ["span", "blocks", "fan_out", "gap_degree", "tokens", "is_discontinuous"]
)
def test_properties_of_a_node_do_not_look_below(name: str) -> None:
    tree = counted_chain(50)
    CountedNode.looks.clear()
    for node in tree.nodes:
        getattr(node, name)
    assert CountedNode.looks["children"] <= 50  # those of finding the nodes


def test_building_a_node_does_not_look_below_its_children() -> None:
    tree = counted_chain(50)
    CountedNode.looks.clear()
    Node("S", [tree.root, 51])
    hash(tree.root)
    assert CountedNode.looks["children"] <= 1


# --- features


def test_features_are_sorted_pairs() -> None:
    features = with_feature(with_feature((), "b", "2"), "a", "1")
    assert features == (("a", "1"), ("b", "2"))
    assert feature(features, "b") == "2"
    assert feature(features, "c") == ""
    assert feature(features, "c", "none") == "none"
    assert with_feature(features, "a", "3") == (("a", "3"), ("b", "2"))
    assert with_feature(features, "a", None) == (("b", "2"),)
    assert with_feature(features, "c", None) == features


def test_halves_of_surrogate_pairs_can_be_printed() -> None:
    tree = Tree([Token("\ud800"), Token("é")], Node("X", [0, 1]))
    for text in (str(tree), repr(tree), repr(tree.constituents()[0])):
        assert text.encode("utf-8")
        assert "\\ud800" in text
        assert "é" in text
