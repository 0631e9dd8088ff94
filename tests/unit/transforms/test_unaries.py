import pytest

from crossbranch.errors import TransformError, UsageError
from crossbranch.transforms import pipeline
from crossbranch.transforms.unaries import Unaries
from crossbranch.tree import Node, SecondaryEdge, Token, Tree, feature

SENTENCE = [Token("a", "A", edge_label="HD"), Token("b", "B"), Token("c", "C")]


def tree_of(root: Node, **fields: object) -> Tree:
    return Tree(SENTENCE, root, **fields)  # type: ignore[arg-type]


def chain() -> Node:
    """ROOT over S over VP over two children, one of which is an NP over an N over a token."""
    noun = Node("NP", [Node("N", [0], edge_label="NK")], edge_label="SB")
    verb = Node("VP", [noun, 1], edge_label="OC", head=1)
    return Node("ROOT", [Node("S", [verb], features=(("comment", "x"),)), 2], head=0)


def test_chains_become_one_node() -> None:
    collapsed = Unaries().apply(tree_of(chain()))
    assert str(collapsed.root) == "(ROOT (S+VP (NP+N/SB 0) 1) 2)"
    assert collapsed.root.head == 0
    assert collapsed.nodes[1].head == 1
    assert Unaries().undo(collapsed) == tree_of(chain())


def test_chains_above_a_token_go_into_its_tag() -> None:
    transform = Unaries(terminals=True)
    collapsed = transform.apply(tree_of(chain()))
    assert str(collapsed.root) == "(ROOT (S+VP 0 1) 2)"
    assert [token.tag for token in collapsed.sentence] == ["NP+N+A", "B", "C"]
    assert [token.edge_label for token in collapsed.sentence] == ["SB", "", ""]
    assert transform.undo(collapsed) == tree_of(chain())


def test_the_root_is_no_part_of_a_chain() -> None:
    tree = Tree([Token("a", "A")], Node("ROOT", [Node("S", [Node("NP", [0])])]))
    assert str(Unaries().apply(tree).root) == "(ROOT (S+NP 0))"
    tags = [token.tag for token in Unaries("@", terminals=True).apply(tree).sentence]
    assert tags == ["S@NP@A"]
    bare = Tree([Token("a", "A")], Node("NP+X", [0]))
    assert Unaries(terminals=True).apply(bare) == bare
    assert Unaries(terminals=True).undo(bare) == bare


def test_the_root_may_be_the_top_of_a_chain() -> None:
    inner = Node("S", [Node("VP", [0, 1, 2], head=1, edge_label="OC")], features=(("n", "1"),))
    root = Node("ROOT", [inner], head=0, features=(("n", "0"),))
    edges = [SecondaryEdge("a", 0, 4), SecondaryEdge("b", 5, 3), SecondaryEdge("c", 1, 3)]
    tree = tree_of(root, secondary_edges=edges)
    transform = Unaries(root=True)
    collapsed = transform.apply(tree)
    assert str(collapsed.root) == "(ROOT+S+VP 0 1 2)"
    assert collapsed.root.head == 1
    assert [edge[1:] for edge in collapsed.secondary_edges] == [(0, 3), (3, 3), (1, 3)]
    assert transform.undo(collapsed) == tree


def test_the_root_never_goes_into_a_tag() -> None:
    tree = Tree([Token("a", "A")], Node("ROOT", [Node("S", [0])]))
    transform = Unaries(terminals=True, root=True)
    collapsed = transform.apply(tree)
    assert str(collapsed.root) == "(ROOT+S 0)"
    assert collapsed.sentence[0].tag == "A"
    assert transform.undo(collapsed) == tree
    bare = Tree([Token("a", "A")], Node("NP+X", [0]))
    assert str(Unaries(root=True).apply(bare).root) == "(NP&#x2b;X 0)"
    assert Unaries(root=True).undo(Unaries(root=True).apply(bare)) == bare


def test_what_the_labels_tell_is_not_remembered() -> None:
    tree = tree_of(Node("ROOT", [Node("S", [Node("VP", [0, 1])]), 2]))
    assert Unaries().apply(tree).nodes[1].features == ()


def test_what_they_do_not_tell_is() -> None:
    collapsed = Unaries().apply(tree_of(chain()))
    memory = feature(collapsed.nodes[1].features, "unaries.chain")
    assert memory == '[{"edge_labels":["OC"],"features":[[["comment","x"]]]}]'


@pytest.mark.parametrize("terminals", [False, True])
def test_secondary_edges_follow(terminals: bool) -> None:
    edges = [
        SecondaryEdge("in", 4, 5),  # from S to VP, in one chain
        SecondaryEdge("low", 7, 1),  # from N to b
        SecondaryEdge("high", 2, 6),  # from c to NP
        SecondaryEdge("out", 2, 3),  # from c to ROOT
        SecondaryEdge("kept", 0, 5),  # from a to VP
    ]
    tree = tree_of(chain(), secondary_edges=edges)
    transform = Unaries(terminals=terminals)
    collapsed = transform.apply(tree)
    noun = 0 if terminals else 5
    assert [edge[1:] for edge in collapsed.secondary_edges] == [
        (4, 4),
        (noun, 1),
        (2, noun),
        (2, 3),
        (0, 4),
    ]
    assert transform.undo(collapsed) == tree


@pytest.mark.parametrize("label", ["A+B", "+", "", "&#x2b;", "\\+"])
def test_labels_with_the_joiner_survive(label: str) -> None:
    for transform in (Unaries(), Unaries(terminals=True)):
        tree = Tree([Token("a", label)], Node("ROOT", [Node(label, [Node("S", [0])])]))
        collapsed = transform.apply(tree)
        assert transform.undo(collapsed) == tree


def test_a_parsers_labels_are_enough() -> None:
    parsed = Tree([Token("a", "NP+A", edge_label="SB"), Token("b", "B")], Node("S+VP", [0, 1]))
    parsed = parsed.replace(root=Node("ROOT", [parsed.root], edge_label=""))
    assert str(Unaries(terminals=True).undo(parsed).root) == "(ROOT (S (VP (NP/SB 0) 1)))"
    assert [t.tag for t in Unaries(terminals=True).undo(parsed).sentence] == ["A", "B"]
    assert str(Unaries().undo(parsed).root) == "(ROOT (S (VP 0 1)))"


@pytest.mark.parametrize(
    "memory",
    ["x", "7", "[7]", '["x"]', '[{"edge_labels":["a","b"]}]', '[{"features":[["x"]]}]'],
)
def test_a_memory_that_does_not_fit_is_an_error(memory: str) -> None:
    node = Node("S+VP", [0, 1], features=(("unaries.chain", memory),))
    with pytest.raises(TransformError, match=r"unaries"):
        Unaries().undo(tree_of(Node("ROOT", [node, 2])))


@pytest.mark.parametrize("memory", ["x", "[7]", "[[[1,2]]]", "[[[9,0,0]]]", "[[[0,7,0]]]"])
def test_edges_that_do_not_fit_are_an_error(memory: str) -> None:
    tree = tree_of(
        Node("ROOT", [0, 1, 2]),
        secondary_edges=[SecondaryEdge("SB", 0, 3)],
        features=(("unaries.secondary_edges", memory),),
    )
    with pytest.raises(TransformError, match="unaries"):
        Unaries().undo(tree)


def test_bad_joiners() -> None:
    with pytest.raises(UsageError, match="unaries: joiner is '#', expected one character"):
        pipeline("unaries(#)")
