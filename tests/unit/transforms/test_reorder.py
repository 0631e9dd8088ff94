import pytest

from crossbranch.errors import UsageError
from crossbranch.transforms import pipeline
from crossbranch.transforms.reorder import Reorder
from crossbranch.tree import Node, SecondaryEdge, Token, Tree, feature


def make(words: str, root: Node, **more: object) -> Tree:
    return Tree([Token(word, "T") for word in words.split()], root, id="1", **more)  # type: ignore[arg-type]


def words(tree: Tree) -> str:
    return " ".join(token.form for token in tree.sentence)


@pytest.fixture
def german() -> Tree:
    root = Node("S", [Node("VP", [0, 3], head=1), 1, 2], head=1)
    return make("Das wollen wir umkehren", root, secondary_edges=[SecondaryEdge("SB", 3, 5)])


def test_by_first_word(german: Tree) -> None:
    applied = Reorder().apply(german)
    assert words(applied) == "Das umkehren wollen wir"
    assert str(applied.root) == "(S (VP 0 1) 2 3)"
    assert applied.root.head == 1
    assert applied.secondary_edges == (SecondaryEdge("SB", 1, 5),)


def test_by_head(german: Tree) -> None:
    applied = Reorder("head").apply(german)
    assert words(applied) == "wollen wir Das umkehren"
    assert str(applied.root) == "(S 0 1 (VP 2 3))"
    assert applied.root.head == 0
    assert Reorder("head").undo(applied) == german


def test_words_that_move_remember_where_they_were(german: Tree) -> None:
    applied = Reorder().apply(german)
    positions = [feature(token.features, "reorder.position") for token in applied.sentence]
    assert positions == ["", "[3]", "[1]", "[2]"]
    assert Reorder().undo(applied) == german


def test_undo_under_a_tree_that_a_parser_made(german: Tree) -> None:
    applied = Reorder().apply(german)
    parsed = applied.replace(root=Node("X", [Node("Y", [1, 2]), 0, 3]), secondary_edges=())
    undone = Reorder().undo(parsed)
    assert words(undone) == words(german)
    assert str(undone.root) == "(X 0 (Y 1 3) 2)"


def test_undo_leaves_a_tree_whose_words_have_no_positions(german: Tree) -> None:
    assert Reorder().undo(german) is german
    applied = Reorder().apply(german)
    without = applied.replace(
        sentence=applied.sentence[:3], root=Node("S", range(3)), secondary_edges=()
    )
    assert Reorder().undo(without) is without


def test_a_continuous_tree_stays() -> None:
    tree = make("a b c", Node("S", [Node("NP", [0, 1]), 2]))
    assert Reorder().apply(tree) is tree


def test_bad_option() -> None:
    with pytest.raises(UsageError, match="by is 'last', expected first or head"):
        pipeline("reorder(last)")


def test_deep_and_long_trees() -> None:
    node = Node("X", [0, 2])
    for token in range(3, 1000):
        node = Node("X", [node, token])
    for _ in range(5000):
        node = Node("X", [node])
    tree = make(" ".join(map(str, range(1000))), Node("S", [node, 1]))
    applied = Reorder().apply(tree)
    assert not applied.is_discontinuous
    assert Reorder().undo(applied) == tree
