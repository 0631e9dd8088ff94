"""Trees in brackets, round or square, as people type them."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from strategies import trees

from crossbranch.errors import InputError, TreeError
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank import read, write

CAT = Tree([Token("The"), Token("cat"), Token("sat", "VP")], Node("S", [Node("NP", [0, 1]), 2]))
QUESTION = Tree(
    [Token("What", "WP"), Token("should"), Token("I"), Token("do")],
    Node("S", [Node("VP", [0, 3]), Node("SQ", [1, 2])]),
)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("(S (NP The cat) (VP sat))", CAT),
        ("[S [NP The cat] [VP sat]]", CAT),
        ("[.S [.NP The cat ] [.VP sat ] ]", CAT),
        (" [S\r\n  [NP The cat]\r\n  [VP sat]\r\n]\n", CAT),
        ("(S (VP (WP 0=What) 3=do) (SQ 1=should 2=I))", QUESTION),
        ("[S [VP [WP 0=What] 3=do]\n [SQ 1=should 2=I]]", QUESTION),
        ("(S (VP (WP 1=What) 4=do) (SQ 2=should 3=I))", QUESTION),
        ("( (S (NP The cat) (VP sat)))", CAT.replace(root=Node(ROOT, [CAT.root]))),
        ("(N cat)", Tree([Token("cat", "N")], Node(ROOT, [0]))),
        ("[NP The (old) cat]", Tree(map(Token, ["The", "(old)", "cat"]), Node("NP", [0, 1, 2]))),
        ("(NP The [old] cat)", Tree(map(Token, ["The", "[old]", "cat"]), Node("NP", [0, 1, 2]))),
        (
            "( (IP (VBDI svaf-sofa)) (ID 1883.STORY,.7))",
            Tree(
                [Token("svaf", "VBDI", "sofa")],
                Node(ROOT, [Node("IP", [0])]),
                id="1883.STORY,.7",
            ),
        ),
        (
            "(S (X 0=a 2=c) 1=b)\ta comment",
            Tree(map(Token, "abc"), Node("S", [Node("X", [0, 2]), 1]), comments=["a comment"]),
        ),
    ],
)
def test_notations(text: str, tree: Tree) -> None:
    assert Tree.from_string(text) == tree


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "<text>: found an empty text, expected a tree in brackets, such as (S"),
        ("cat", "<text>: found 'cat', expected a tree in brackets"),
        ("(S (NP a)", "<text>:1:4: found the end of the tree, with open brackets: 1"),
        ("[S [NP a] [VP\n b c]", "<text>:2:4: found the end of the tree, with open brackets: 1"),
        ("(S (NP a)) (VP b))", "<text>:1:12: found one closing bracket too many"),
        ("[S a b]]", "<text>:1:6: found one closing bracket too many"),
        ("(S\n (NP a)\n (X )\n b)", "<text>:3:2: found an empty bracket 'X'"),
        ("[S []]", "<text>:1:4: found a bracket without a label"),
        ("(S a b) (S c d)", "<text>: found a second tree after the first, expected one tree"),
        ("(S (NP 0=a) (VP 0=b))", "<text>:1:13: found index 0 a second time"),
        ("(S (NP 0=a) (VP b))", "<text>:1:13: found 'b', expected an index and a word"),
    ],
)
def test_errors_say_where(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Tree.from_string(text)
    assert str(caught.value).startswith(message)


def test_square_brackets_in_files() -> None:
    text = (
        "[S [NP The (old) cat]\n  [VP sat]]\n\n"
        "[S [A b] [C d]] [S [E f] g]\n[S broken\n[T [A a] b]\n"
    )
    reader = read(io.StringIO(text), on_error="skip")
    found = list(reader)
    assert reader.format == "bracket"
    assert reader.skipped == 1
    assert [str(tree.root) for tree in found] == [
        "(S (NP 0 1 2) 3)",
        "(S 0 1)",
        "(S 0 1)",
        "(T 0 1)",
    ]
    assert found[0].words == ["The", "(old)", "cat", "sat"]


@pytest.mark.parametrize(
    "text",
    [
        "[Applause] Thank you.",
        "[1] In the [long [long]] beginning",
        "[sic [sic] ] and more\n",
        '[{"form": "a"}]',
        "[ Applause [and music] ] now",
    ],
)
def test_plain_text_with_brackets_is_no_tree(text: str) -> None:
    reader = read(io.StringIO(text))
    assert len(next(reader).nodes) == 1
    assert reader.format in ("tokens", "tagged")


@given(trees(rich=False, min_size=1, discontinuous=False))
def test_square_and_round_brackets_mean_the_same(tree: Tree) -> None:
    target = io.StringIO()
    write([tree.replace(id="1")], target, format="bracket")
    text = target.getvalue()
    square = text.replace("(", "[").replace(")", "]")
    assert Tree.from_string(square) == Tree.from_string(text) == tree.replace(id="")


@given(trees(rich=False, min_size=1))
def test_what_discbracket_writes_is_a_notation(tree: Tree) -> None:
    target = io.StringIO()
    write([tree.replace(id="1")], target, format="discbracket")
    text = target.getvalue()
    square = text.replace("(", "[").replace(")", "]")
    assert Tree.from_string(square) == Tree.from_string(text) == tree.replace(id="")


# --- dicts


@given(trees(rich=True))
def test_a_dict_holds_everything(tree: Tree) -> None:
    values = tree.to_dict()
    assert Tree.from_dict(values) == tree
    assert Tree.from_dict(json.loads(json.dumps(values))) == tree


def test_dicts_are_plain() -> None:
    assert CAT.to_dict() == {
        "tokens": [{"form": "The"}, {"form": "cat"}, {"form": "sat", "tag": "VP"}],
        "nodes": [{"label": "S", "children": [4, 2]}, {"label": "NP", "children": [0, 1]}],
    }
    deep: Node | int = 0
    for _ in range(3000):
        deep = Node("X", [deep])
    tree = Tree([Token("\ud800")], Node(ROOT, [deep]))
    assert Tree.from_dict(json.loads(json.dumps(tree.to_dict()))) == tree


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "not the dict of a tree: Object missing required field `tokens`"),
        ({"tokens": [{"form": 1}], "nodes": [{"label": "A"}]}, r"`\$.tokens\[0\].form`"),
        ({"tokens": [], "nodes": [{"label": "A"}], "colour": 1}, "unknown field `colour`"),
        ({"tokens": [], "nodes": []}, "there are no nodes"),
        ({"tokens": [{"form": "a"}], "nodes": [{"label": "A"}]}, "does not cover tokens"),
        ({"tokens": [{"form": "a"}], "nodes": [{"label": "A", "children": [1]}]}, "child 1"),
        (7, "Expected `object`"),
    ],
)
def test_dicts_that_are_no_trees(values: dict[str, object], message: str) -> None:
    with pytest.raises(TreeError, match=message):
        Tree.from_dict(values)
