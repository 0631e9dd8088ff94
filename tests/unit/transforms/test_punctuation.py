from pathlib import Path

import pytest
from hypothesis import given
from strategies import trees

from crossbranch.errors import UsageError
from crossbranch.punctuation import is_punctuation
from crossbranch.span import fan_out, span_of
from crossbranch.transforms import pipeline
from crossbranch.transforms.punctuation import Attach, Punctuation
from crossbranch.tree import Node, SecondaryEdge, Token, Tree
from crossbranch.treebank import read

WORDS = {",": "$,", ".": "$."} | dict.fromkeys(['"', "``", "''", "(", ")", "-"], "$(")


def tree_of(words: str, root: Node, **fields: object) -> Tree:
    sentence = [Token(word, WORDS.get(word, "XY")) for word in words.split()]
    return Tree(sentence, root, **fields)  # type: ignore[arg-type]


def attached(step: str, words: str, root: Node) -> str:
    return str(pipeline(step).apply(tree_of(words, root)).root)


@pytest.mark.parametrize(
    ("token", "answer"),
    [
        (Token(",", "$,"), True),
        (Token("(", "$("), True),
        (Token(".", "let"), True),
        (Token(".", "LET()"), True),
        (Token("``", "``"), True),
        (Token("(", "-LRB-"), True),
        (Token('"', '"'), True),
        (Token("&", "CC"), False),
        (Token(",", "CARD"), False),
        (Token("Wort", "$,"), True),
        (Token("..."), True),
        (Token("«"), True),
        (Token("``"), True),
        (Token("-RRB-"), True),
        (Token("%"), False),
        (Token("d'"), False),
        (Token("-1"), False),
        (Token("$"), False),
        (Token(""), False),
    ],
)
def test_what_punctuation_is(token: Token, answer: bool) -> None:
    assert is_punctuation(token) is answer


def test_attach_goes_to_the_lowest_node_over_both_neighbours() -> None:
    root = Node("ROOT", [Node("S", [Node("NP", [0, 2]), 3]), 1, 4])
    assert attached("attach", "a , b c .", root) == "(ROOT (S (NP 0 1 2) 3) 4)"


def test_attach_skips_what_is_still_to_be_attached_on_the_right() -> None:
    root = Node("ROOT", [Node("S", [Node("NP", [0, 3]), 4]), 1, 2])
    assert attached("attach", 'a , " b c', root) == "(ROOT (S (NP 0 1 2 3) 4))"


def test_attach_leaves_the_ends_of_the_sentence() -> None:
    root = Node("ROOT", [0, 1, Node("S", [2, 3]), 4, 5])
    assert attached("attach", '" , a b . "', root) == "(ROOT 0 1 (S 2 3) 4 5)"


def test_attach_leaves_what_stands_between_two_children_of_the_root() -> None:
    root = Node("ROOT", [Node("S", [0, 1]), 2, Node("S", [3, 4])])
    assert attached("attach(nodes=false)", "a b , c d", root) == str(root)
    assert attached("attach", "a b , c d", root) == str(root)


def test_attach_takes_nodes_along_unless_told_otherwise() -> None:
    aside = Node("PRN", [2, 3])
    root = Node("ROOT", [Node("S", [0, Node("VP", [1, 5])]), aside, 4])
    assert attached("attach", "a b c d , e", root) == "(ROOT (S 0 (VP 1 (PRN 2 3) 4 5)))"
    assert (
        attached("attach(nodes=false)", "a b c d , e", root) == "(ROOT (S 0 (VP 1 5)) (PRN 2 3) 4)"
    )


def test_attach_skips_nodes_on_the_right_only_with_nodes() -> None:
    root = Node("ROOT", [Node("S", [0, 3]), 1, Node("X", [2])])
    assert attached("attach", "a , b c", root) == "(ROOT (S 0 1 (X 2) 3))"
    assert attached("attach(nodes=false)", "a , b c", root) == "(ROOT (S 0 3) 1 (X 2))"


@given(trees(rich=True))
def test_attach_makes_no_gaps(tree: Tree) -> None:
    for nodes in (False, True):
        attached = Attach(nodes).apply(tree)
        assert sum(n.gap_degree for n in attached.nodes) <= sum(n.gap_degree for n in tree.nodes)
        assert attached.sentence == tree.sentence
        assert len(attached.nodes) == len(tree.nodes)
        assert len(attached.secondary_edges) == len(tree.secondary_edges)


@pytest.mark.parametrize("treebank", ["alpino", "squoia"])
def test_attach_makes_the_published_treebanks_of_their_raw_forms(
    shared: Path, treebank: str
) -> None:
    folder = shared / "treebanks" / treebank
    prepare = pipeline("attach | functions(strip)")
    pairs = zip(
        read(folder / "with-functions" / "dev.export.xz"),
        read(folder / "dev.export.xz"),
        strict=True,
    )
    for raw, published in pairs:
        assert prepare.apply(raw).replace(secondary_edges=()) == published


MOVES = [
    # between the parts of a node; at its right edge; at its left edge; at the root
    ("a , b", Node("ROOT", [Node("S", [0, 1, 2])]), "(ROOT (S 0 1 2))", "(ROOT (S 0 1 2))"),
    (
        "a , b",
        Node("ROOT", [Node("S", [Node("NP", [0, 1]), 2])]),
        "(ROOT (S (NP 0) 1 2))",
        "(ROOT (S (NP 0) 1 2))",
    ),
    (
        'a , " b',
        Node("ROOT", [Node("S", [0, Node("X", [1, Node("Y", [2, 3])])])]),
        "(ROOT (S 0 1 2 (X (Y 3))))",
        "(ROOT (S 0 1 2 (X (Y 3))))",
    ),
    (
        "a , b",
        Node("ROOT", [Node("S", [Node("NP", [0, 2])]), 1]),
        "(ROOT (S (NP 0 1 2)))",
        "(ROOT (S (NP 0 2)) 1)",
    ),
    # the end of the sentence
    ("a b .", Node("ROOT", [Node("S", [0, 1, 2])]), "(ROOT (S 0 1 2))", "(ROOT (S 0 1 2))"),
    ("a b .", Node("ROOT", [Node("S", [0, 1]), 2]), "(ROOT (S 0 1) 2)", "(ROOT (S 0 1) 2)"),
    (
        "a b .",
        Node("ROOT", [Node("S", [Node("NP", [0, 2]), 1])]),
        "(ROOT (S (NP 0) 1 2))",
        "(ROOT (S (NP 0) 1 2))",
    ),
    (
        '" a . "',
        Node("ROOT", [Node("S", [0, Node("NP", [1, 3])]), 2]),
        "(ROOT (S 0 (NP 1)) 2 3)",
        "(ROOT (S 0 (NP 1)) 2 3)",
    ),
    # a constituent of punctuation alone, whole and in pieces
    (
        'a , " b',
        Node("ROOT", [Node("NP", [0, Node("X", [1, Node("Y", [2])])]), 3]),
        "(ROOT (NP 0) (X 1 (Y 2)) 3)",
        "(ROOT (NP 0) (X 1 (Y 2)) 3)",
    ),
    (
        '" a " b',
        Node("ROOT", [Node("NP", [Node("X", [0, 2]), 1]), 3]),
        "(ROOT (NP 0 1) 2 3)",
        "(ROOT (NP 0 1) 2 3)",
    ),
    # nothing else in the sentence
    (". .", Node("ROOT", [Node("S", [0, 1])]), "(ROOT (S 0 1))", "(ROOT (S 0 1))"),
]


@pytest.mark.parametrize(("words", "root", "moved", "raised"), MOVES)
def test_move_and_raise(words: str, root: Node, moved: str, raised: str) -> None:
    assert attached("punctuation(move)", words, root) == moved
    assert attached("punctuation(raise)", words, root) == raised


LIKE_DISCODOP = [
    # beside the largest constituent that begins after it
    ("a , b c", [Node("S", [0, Node("VP", [Node("NP", [2]), 3])]), 1], "(S 0 1 (VP (NP 2) 3))"),
    # one mark after the other; at the end of the sentence, and where the root is next to it
    ("a - , b .", [Node("S", [0, 3]), 1, 2, 4], "(S 0 1 2 3) 4"),
    ("a , b", [Node("S", [0]), 1, Node("S", [2])], "(S 0) 1 (S 2)"),
    ("- a", [0, Node("S", [1])], "0 (S 1)"),
    # what is not below the root stays, even if it makes gaps
    ("a , b", [Node("S", [Node("NP", [0, 1]), 2])], "(S (NP 0 1) 2)"),
    # the closing mark goes to the opening one; the opening one to the closing one
    ('a " b " c', [Node("S", [0, Node("NP", [1, 2]), 3, 4])], "(S 0 (NP 1 2 3) 4)"),
    ("( a ) b", [0, Node("S", [Node("NP", [1, 2]), 3])], "(S (NP 0 1 2) 3)"),
    ("`` a b '' c", [0, Node("S", [1, 2, 3]), 4], "(S 0 1 2 3) 4"),
    # nothing fits: both stay; other marks do not close
    ('" a b " c', [0, Node("S", [1, Node("NP", [2, 3]), 4])], "0 (S 1 (NP 2 3) 4)"),
    ("( a '' b", [0, Node("S", [Node("NP", [1, 2]), 3])], "0 (S (NP 1 2) 3)"),
    # the later of two opening marks counts; an empty constituent is removed
    ("( ( a ) b", [0, 1, Node("S", [Node("NP", [2, 3]), 4])], "0 (S (NP 1 2 3) 4)"),
    ('" a " b', [0, Node("S", [Node("NP", [1]), Node("X", [2]), 3])], "0 (S (NP 1) (X 2) 3)"),
    ('" a "', [Node("S", [Node("X", [0]), Node("NP", [1, 2])])], "(S (NP 0 1 2))"),
    # nothing else in the sentence
    (".", [0], "0"),
]


@pytest.mark.parametrize(("words", "children", "expected"), LIKE_DISCODOP)
def test_punctuation_like_discodop(words: str, children: list[Node | int], expected: str) -> None:
    found = attached("punctuation(discodop)", words, Node("ROOT", children))
    assert found == f"(ROOT {expected})"


def test_in_some_sentences_discodop_and_move_differ() -> None:
    root = Node("ROOT", [0, Node("S", [Node("NP", [1, 2]), 3])])
    assert attached("punctuation(move)", '" a " b', root) == "(ROOT 0 (S (NP 1) 2 3))"
    assert attached("punctuation(discodop)", '" a " b', root) == "(ROOT (S (NP 0 1 2) 3))"


@given(trees(rich=True))
def test_like_discodop_only_punctuation_moves(tree: Tree) -> None:
    marks = span_of([i for i, token in enumerate(tree.sentence) if is_punctuation(token)])
    found = Punctuation("discodop").apply(tree)
    before, after = (sorted(n.span & ~marks for n in t.nodes) for t in (tree, found))
    assert list(filter(None, before)) == list(filter(None, after))
    assert found.sentence == tree.sentence


@given(trees(rich=True))
def test_after_move_punctuation_makes_no_gap(tree: Tree) -> None:
    moved = Punctuation("move").apply(tree)
    marks = [i for i, token in enumerate(tree.sentence) if is_punctuation(token)]
    words = len(tree.sentence) - len(marks)
    ignoring = moved.shape.fan_outs(marks)
    for node, fan_out_of_words in zip(moved.nodes, ignoring, strict=True):
        assert fan_out(node.span) == max(fan_out_of_words, 1) or not words


@given(trees(rich=True))
def test_moving_again_changes_nothing(tree: Tree) -> None:
    for action in ("move", "raise", "root", "delete"):
        once = Punctuation(action).apply(tree)
        assert Punctuation(action).apply(once) == once


@given(trees(rich=True))
def test_deleting_punctuation_shows_the_gaps_of_words(tree: Tree) -> None:
    marks = [i for i, token in enumerate(tree.sentence) if is_punctuation(token)]
    if len(marks) < len(tree.sentence):
        bare = Punctuation("delete").apply(tree)
        fan_outs = sorted(filter(None, tree.shape.fan_outs(marks)))
        assert sorted(node.fan_out for node in bare.nodes) == fan_outs
        assert not any(map(is_punctuation, bare.sentence))


def test_root_takes_all_punctuation_and_leaves_no_empty_nodes() -> None:
    root = Node("ROOT", [Node("S", [0, Node("X", [Node("Y", [1])]), 2])])
    assert attached("punctuation(root)", "a , b", root) == "(ROOT (S 0 2) 1)"


def test_delete_renumbers_tokens_heads_and_secondary_edges() -> None:
    root = Node("ROOT", [Node("S", [0, Node("X", [1]), 2], head=2)])
    edges = [SecondaryEdge("SB", 2, 4), SecondaryEdge("OA", 1, 4), SecondaryEdge("OA", 0, 5)]
    bare = Punctuation("delete").apply(tree_of("a , b", root, secondary_edges=edges))
    assert str(bare) == "(ROOT (S 0 1)) 0=a 1=b"
    assert bare.nodes[1].head == 1
    assert bare.secondary_edges == (SecondaryEdge("SB", 1, 3),)


@pytest.mark.parametrize("words", ["", ". ."])
def test_no_sentence_is_deleted(words: str) -> None:
    tree = tree_of(words, Node("ROOT", range(len(words.split()))))
    assert Punctuation("delete").apply(tree) == tree


def test_unknown_actions() -> None:
    with pytest.raises(
        UsageError, match="'lift' is unknown, expected one of move, raise, discodop, root, delete"
    ):
        Punctuation("lift")
