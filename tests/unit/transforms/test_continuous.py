import pytest

from crossbranch.errors import TransformError, UsageError
from crossbranch.transforms.continuous import Split
from crossbranch.tree import Node, SecondaryEdge, Token, Tree, feature


def make(root: Node, **more: object) -> Tree:
    count = root.span.bit_length()
    return Tree([Token(f"w{i}", "T") for i in range(count)], root, id="1", **more)  # type: ignore[arg-type]


def split(root: Node) -> str:
    return str(Split().apply(make(root)).root)


def merge(root: Node) -> str:
    return str(Split().undo(make(root)).root)


def test_blocks_are_numbered_from_the_left() -> None:
    assert split(Node("S", [Node("NP", [0, 2, 4]), 1, 3])) == "(S (NP*1 0) 1 (NP*2 2) 3 (NP*3 4))"


def test_children_go_to_the_block_that_holds_them() -> None:
    root = Node("S", [Node("VP", [Node("NP", [0, 3]), Node("PP", [4]), 6]), 1, 2, 5])
    assert split(root) == "(S (VP*1 (NP*1 0)) 1 2 (VP*2 (NP*2 3) (PP 4)) 5 (VP*3 6))"


def test_parts_may_have_two_blocks() -> None:
    def parts(root: Node) -> str:
        return str(Split(blocks=2).apply(make(root)).root)

    few = Node("S", [Node("NP", [0, 2]), 1])
    assert parts(few) == str(few)
    assert parts(Node("S", [Node("NP", [0, 2, 4]), 1, 3])) == "(S (NP*1 0 2) 1 3 (NP*2 4))"
    # The blocks of NP are in different parts of VP.
    root = Node("S", [Node("VP", [Node("NP", [0, 4]), 2]), 1, 3])
    assert parts(root) == "(S (VP*1 (NP*1 0) 2) 1 3 (VP*2 (NP*2 4)))"
    with pytest.raises(UsageError, match="split: blocks is 0, expected at least 1"):
        Split(blocks=0)


def test_ill_nested_nodes() -> None:
    root = Node("S", [Node("A", [0, 2]), Node("B", [1, 3])])
    assert split(root) == "(S (A*1 0) (B*1 1) (A*2 2) (B*2 3))"
    assert merge(Split().apply(make(root)).root) == str(root)


def test_what_a_node_has_stays_with_the_block_of_its_head() -> None:
    inner = Node("VP", [0, 2], edge_label="OC", head=1, features=(("comment", "c"),))
    tree = make(Node("S", [inner, 1], head=0), secondary_edges=[SecondaryEdge("SB", 1, 4)])
    first, second = Split().apply(tree).nodes[1:]
    assert (first.label, first.edge_label, first.head, first.features) == ("VP*1", "OC", None, ())
    assert (second.label, second.edge_label, second.head) == ("VP*2", "OC", 0)
    assert second.features == inner.features
    applied = Split().apply(tree)
    assert applied.root.head == 2
    assert applied.secondary_edges == (SecondaryEdge("SB", 1, 5),)
    assert Split().undo(applied) == tree


def test_labels_alone_bring_most_trees_back() -> None:
    root = Node("S", [Node("NP", [0, 2]), 1, Node("NP", [3, 5]), 4])
    applied = Split().apply(make(root))
    assert all(node.features == () for node in applied.nodes)
    assert Split().undo(applied).root == root


def test_where_labels_are_ambiguous_a_feature_tells() -> None:
    # Labels alone would nest the two: 0 with 4, and 1 with 3.
    crossed = make(Node("S", [Node("NP", [0, 3]), Node("NP", [1, 4]), 2]))
    applied = Split().apply(crossed)
    assert [feature(node.features, "split.node") for node in applied.nodes[1:]] == [
        "[6]",
        "[7]",
        "[6]",
        "[7]",
    ]
    assert Split().undo(applied) == crossed
    assert merge(applied.root.replace(children=_bare(applied.root))) == "(S (NP 0 4) (NP 1 3) 2)"


def _bare(node: Node) -> list[Node | int]:
    return [c if isinstance(c, int) else c.replace(features=()) for c in node.children]


@pytest.mark.parametrize(
    ("parsed", "expected"),
    [
        (Node("S", [Node("NP*1", [0]), 1]), "(S (NP 0) 1)"),  # no partner
        (Node("S", [Node("NP*2", [0]), Node("NP*1", [1])]), "(S (NP 0) (NP 1))"),  # wrong way round
        (Node("S", [Node("NP*2", [0]), 1, Node("NP*3", [2])]), "(S (NP 0 2) 1)"),
        (Node("S", [Node("NP*1", [0]), Node("PP*2", [1])]), "(S (NP 0) (PP 1))"),
        (Node("S", [Node("X", [Node("NP*1", [0])]), Node("NP*2", [1])]), "(S (X (NP 0)) (NP 1))"),
        (Node("S*1", [Node("S*1", [0]), Node("S*2", [1])]), "(S (S 0 1))"),
        (Node("S", [Node("*1", [0]), 1, Node("*2", [2])]), "(S ( 0 2) 1)"),
        (Node("S", [Node("NP*0", [0]), Node("NP*01", [1])]), "(S (NP*0 0) (NP*01 1))"),
        (Node("S", [Node("NP*" + "9" * 5000, [0])]), f"(S (NP*{'9' * 5000} 0))"),
    ],
)
def test_undo_on_what_a_parser_made(parsed: Node, expected: str) -> None:
    assert merge(parsed) == expected


def test_merging_takes_the_head_and_features_from_any_block() -> None:
    one = Node("NP*1", [0], features=(("a", "1"),))
    two = Node("NP*2", [2], head=0, features=(("a", "2"), ("b", "3")))
    (merged,) = Split().undo(make(Node("S", [one, 1, two], head=2))).nodes[1:]
    assert (merged.head, merged.features) == (1, (("a", "1"), ("b", "3")))


@pytest.mark.parametrize("label", ["NP*1", "NP**12", "*1", "NP&#x2a;1", "NP*", "NP*0", "*T*-1"])
def test_labels_that_look_like_blocks_survive(label: str) -> None:
    tree = make(Node(label, [Node(label, [0, 2]), Node(label, [1])]))
    applied = Split().apply(tree)
    assert not applied.is_discontinuous
    assert Split().undo(applied) == tree
    continuous = make(Node("S", [Node(label, [0])]))
    assert Split().undo(Split().apply(continuous)) == continuous


def test_what_needs_no_change_is_the_same_object() -> None:
    tree = make(Node("S", [Node("NP", [0, 1]), 2]))
    assert Split().apply(tree) is tree
    assert Split().undo(tree) is tree


def test_a_feature_that_is_not_ours_is_an_error_or_no_matter() -> None:
    def parsed(value: str) -> Tree:
        blocks = [Node(f"NP*{n}", [n - 1], features=(("split.node", value),)) for n in (1, 2)]
        return make(Node("S", blocks))

    assert len(Split().undo(parsed('["x"]')).nodes) == 2
    with pytest.raises(TransformError, match=r"split\.node is 'x'"):
        Split().undo(parsed("x"))


def test_deep_and_long_trees() -> None:
    node = Node("X", [0, 2])
    for token in range(3, 1000):
        node = Node("X", [Node("X", [node]), token])
    for _ in range(5000):
        node = Node("X", [node])
    tree = make(Node("S", [node, 1]))
    applied = Split().apply(tree)
    assert not applied.is_discontinuous
    assert Split().undo(applied) == tree
