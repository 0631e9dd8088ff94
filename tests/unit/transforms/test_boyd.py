import pytest

from crossbranch.errors import UsageError
from crossbranch.transforms import pipeline
from crossbranch.transforms.boyd import Boyd
from crossbranch.tree import Node, Token, Tree


def make(root: Node) -> Tree:
    return Tree([Token(f"w{i}", "T") for i in range(root.span.bit_length())], root, id="1")


def test_every_block_has_a_star() -> None:
    tree = make(Node("S", [Node("NP", [0, 2, 4], head=1), 1, 3]))
    applied = Boyd().apply(tree)
    assert str(applied.root) == "(S (NP* 0) 1 (NP* 2) 3 (NP* 4))"
    assert Boyd().undo(applied) == tree


def test_the_block_of_the_head_may_stay_plain() -> None:
    tree = make(Node("S", [Node("NP", [0, 2, 4], head=1), 1, 3]))
    applied = Boyd("rest").apply(tree)
    assert str(applied.root) == "(S (NP* 0) 1 (NP 2) 3 (NP* 4))"
    assert Boyd("rest").undo(applied) == tree


def test_the_block_of_the_head_is_found_from_head_to_head() -> None:
    head = Node("VP", [Node("NP", [0, 2], head=1), 4], head=0)
    assert str(Boyd("rest").apply(make(Node("S", [head, 1, 3]))).root) == (
        "(S (VP* (NP* 0)) 1 (VP (NP 2)) 3 (VP* 4))"
    )


def test_without_a_head_mark_the_largest_block_counts_and_the_first_of_equals() -> None:
    tree = make(Node("S", [Node("A", [0, 2, 3]), 1, Node("B", [4, 6]), 5]))
    assert str(Boyd("rest").apply(tree).root) == "(S (A* 0) 1 (A 2 3) (B 4) 5 (B* 6))"


@pytest.mark.parametrize("mark", ["all", "rest"])
def test_two_nodes_with_one_label_are_told_apart(mark: str) -> None:
    tree = make(Node("S", [Node("NP", [0, 4], head=1), Node("NP", [1, 3], head=1), 2]))
    assert Boyd(mark).undo(Boyd(mark).apply(tree)) == tree


def test_a_plain_sibling_is_no_block() -> None:
    # The nearest NP of the starred block is not the one that it belongs to.
    tree = make(Node("S", [Node("NP", [0, 4], head=0), 1, 2, Node("NP", [3])]))
    assert Boyd("rest").undo(Boyd("rest").apply(tree)) == tree


@pytest.mark.parametrize(
    ("mark", "parsed", "expected"),
    [
        ("all", Node("S", [Node("NP*", [0]), 1]), "(S (NP 0) 1)"),
        ("all", Node("S*", [Node("NP*", [0]), 1, Node("NP*", [2])]), "(S (NP 0 2) 1)"),
        ("all", Node("S", [Node("NP*", [0]), Node("NP", [1])]), "(S (NP 0) (NP 1))"),
        ("all", Node("S", [Node("A*", [0]), Node("B*", [1])]), "(S (A 0) (B 1))"),
        ("rest", Node("S", [Node("NP*", [0]), 1]), "(S (NP 0) 1)"),
        ("rest", Node("S", [Node("NP*", [0]), 1, Node("NP*", [2])]), "(S (NP 0) 1 (NP 2))"),
        (
            "rest",
            Node("S", [Node("NP", [0]), 1, 2, Node("NP*", [3]), 4, Node("NP", [5])]),
            "(S (NP 0) 1 2 (NP 3 5) 4)",
        ),
        (
            "rest",
            Node("S", [Node("NP", [0]), 1, Node("NP*", [2]), 3, Node("NP", [4])]),
            "(S (NP 0 2) 1 3 (NP 4))",
        ),
    ],
)
def test_undo_on_what_a_parser_made(mark: str, parsed: Node, expected: str) -> None:
    assert str(Boyd(mark).undo(make(parsed)).root) == expected


@pytest.mark.parametrize("mark", ["all", "rest"])
@pytest.mark.parametrize("label", ["NP*", "*", "**", "NP&#x2a;"])
def test_labels_with_a_star_survive(label: str, mark: str) -> None:
    tree = make(Node(label, [Node(label, [0, 2]), Node(label, [1])]))
    assert Boyd(mark).undo(Boyd(mark).apply(tree)) == tree


def test_bad_option() -> None:
    with pytest.raises(UsageError, match="mark is 'none', expected all or rest"):
        pipeline("boyd(none)")
