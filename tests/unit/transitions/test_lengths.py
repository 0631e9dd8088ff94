from crossbranch.transitions import Lengths, compare
from crossbranch.transitions.lengths import COMPARED
from crossbranch.tree import Node, Token, Tree

CROSSING = Tree(
    [Token(word) for word in ("Das", "wollen", "wir", "umkehren")],
    Node("S", [Node("VP", [0, 3], head=1), 1, 2], head=1),
)
FLAT = Tree([Token("a"), Token("b")], Node("S", [0, 1], head=0))


def test_lengths_of_one_tree() -> None:
    found = {(one.system, one.oracle): one for one in compare([CROSSING])}
    assert list(found) == list(COMPARED)
    gap = found["gap", "static"]
    assert (gap.longest, gap.moved, gap.most_in_a_row, gap.tokens) == (10, 3, 2, 4)
    assert gap.average == 2.5
    assert found["cgap", "static"].longest == 4 * 4 - 2
    strict = found["swap", "strict"]
    assert (strict.longest, strict.moved, strict.most_in_a_row) == (11, 2, 2)  # without FINISH
    compound = found["cswap", "strict"]
    assert (compound.longest, compound.moved, compound.most_in_a_row) == (10, 2, 2)
    eager = found["ml-gap", "static"]  # MERGE joins "wollen" and "wir" before the last token comes
    assert (eager.longest, eager.moved, eager.most_in_a_row) == (4 * 4 - 2 + 1, 1, 1)
    head_driven = found["ml-gap-lex", "static"]
    assert (head_driven.longest, head_driven.moved) == (4 * 4 - 2 + 1, 1)
    bundled = found["ml-cgap", "static"]
    assert (bundled.longest, bundled.moved, bundled.most_in_a_row) == (5 * 4 - 3, 1, 1)
    free = found["stack-free", "static"]
    assert (free.longest, free.moved, free.most_in_a_row) == (4 * 4 - 2, 1, 1)


def test_unary_chains_are_joined_for_all_systems() -> None:
    """A chain above a node that is made binary, and one above a single token."""
    inner = Node("S", [0, Node("NP", [Node("N", [1])]), 2], head=0)
    words = [Token(word) for word in "abcd"]
    tree = Tree(words, Node("ROOT", [Node("X", [inner]), 3]))
    found = {(one.system, one.oracle): one.transitions for one in compare([tree])}
    assert found["gap", "static"] == 8  # four SH, RU(NP+N), RL(S:), RL(X+S), RL(ROOT)
    swaps = [count for (system, _), count in found.items() if system in ("swap", "cswap")]
    assert swaps == [8] * 5


def test_lengths_add() -> None:
    one, two = compare([CROSSING]), compare([FLAT, Tree([], Node("S"))])
    both = [a + b for a, b in zip(one, two, strict=True)]
    assert both == compare([CROSSING, FLAT, Tree([], Node("S"))])
    assert both[0] == Lengths(
        "gap", "static", sentences=3, tokens=6, transitions=13, longest=10, moved=3, most_in_a_row=2
    )


def test_what_is_said_of_them() -> None:
    titles = [(one.title, one.bound) for one in compare([])]
    assert titles[:3] == [
        ("SR-GAP", "(n²+n)/2"),
        ("SR-CGAP", "4n-2"),
        ("SR-SWAP strict", "n²-n+1"),
    ]
    assert titles[-4:] == [
        ("ML-GAP", "(n²+5n-2)/2"),
        ("ML-GAP-LEX", "(n²+5n-2)/2"),
        ("ML-CGAP", "5n-3"),
        ("stack-free", "4n-2"),
    ]
    assert compare([])[0].average == 0
    assert compare([FLAT])[0].to_dict() == {
        "system": "gap",
        "oracle": "static",
        "theoretical_longest": "(n²+n)/2",
        "longest": 3,
        "moved": 0,
        "most_in_a_row": 0,
        "transitions": 3,
        "transitions_per_token": 1.5,
    }
