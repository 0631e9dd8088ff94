"""Penn brackets: trees over many lines, kept as annotated."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

from crossbranch.errors import InputError, TransformError
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank import read, write
from crossbranch.treebank.bracket import PennBracket

SOLD = """
( (S
    (NP-SBJ-1 (DT The) (NN house) )
    (VP (VBD was)
      (VP (VBN sold)
        (NP (-NONE- *-1) )))
    (. .) ))
"""


def trees_of(text: str) -> list[Tree]:
    return list(read(io.BytesIO(text.encode()), format="bracket"))


def text_of(tree: Tree) -> str:
    return PennBracket().write_tree(tree, 1)


def test_a_tree_over_many_lines() -> None:
    (tree,) = trees_of(SOLD)
    assert str(tree.root) == "(ROOT (S (NP-SBJ-1 0 1) (VP 2 (VP 3 (NP 4))) 5))"
    assert tree.sentence[4] == Token("*-1", "-NONE-")
    assert text_of(tree) == (
        "( (S (NP-SBJ-1 (DT The) (NN house)) (VP (VBD was) (VP (VBN sold) "
        "(NP (-NONE- *-1)))) (. .)))\n"
    )
    assert trees_of(text_of(tree)) == [tree]


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("( (S (A a) (B b)))", "(ROOT (S 0 1))"),
        ("((S (A a) (B b)))", "(ROOT (S 0 1))"),
        ("(ROOT (S (A a) (B b)))", "(ROOT (S 0 1))"),
        ("(TOP (S (A a) (B b)))", "(TOP (S 0 1))"),
        ("(S (A a) (B b))", "(S 0 1)"),
        ("( (S (A a)) (X (B b)))", "(ROOT (S 0) (X 1))"),
        ("(A a)", "(ROOT 0)"),
        ("( )", "(ROOT)"),
    ],
)
def test_the_top_is_as_annotated(text: str, root: str) -> None:
    (tree,) = trees_of(text)
    assert str(tree.root) == root
    assert trees_of(text_of(tree)) == [tree]


def test_several_trees_and_their_ids() -> None:
    found = trees_of("(S (A a)\n (B b)) (T (C c) (D d))\n\n(U (E e)\n  (F f))")
    assert [tree.id for tree in found] == ["1", "2", "3"]
    assert [tree.root.label for tree in found] == ["S", "T", "U"]


def test_words_stay_as_annotated() -> None:
    (tree,) = trees_of(r"(S (-LRB- -LRB-) (CD 1\/2) (NN a=b) (X 0=1))")
    assert [token.form for token in tree.sentence] == ["-LRB-", r"1\/2", "a=b", "0=1"]
    assert text_of(tree) == "(S (-LRB- -LRB-) (CD 1\\/2) (NN a=b) (X 0=1))\n"


def test_words_may_hold_blanks_that_are_not_ascii() -> None:
    (tree,) = trees_of("(S (A 5\u200amg) (B b))")
    assert tree.sentence[0].form == "5\u200amg"
    assert text_of(tree) == "(S (A 5&#x200a;mg) (B b))\n"


@pytest.mark.parametrize(
    ("root", "text"),
    [
        (Node(ROOT, [0, 1]), "( (&#x; &#x28;) (&#x; b))"),
        (Node("S", [0, 1]), "(S &#x28; b)"),
        (Node("", [Node("NP", [0]), 1]), "(&#x; (NP (&#x; &#x28;)) b)"),
    ],
)
def test_tokens_without_tags(root: Node, text: str) -> None:
    tree = Tree([Token("("), Token("b")], root, id="1")
    assert text_of(tree) == f"{text}\n"
    assert trees_of(text_of(tree)) == [tree]


def test_words_are_never_reordered() -> None:
    tree = Tree([Token("a"), Token("b"), Token("c")], Node(ROOT, [Node("X", [0, 2]), 1]))
    with pytest.raises(TransformError, match="crossing branches"):
        write([tree], io.StringIO(), format="bracket")


def test_the_notice_at_the_top_is_no_tree() -> None:
    notice = "*x*x*x*\n*x* Copyright (C) 1995 *x*\n*x*x*x*\n\n"
    assert [tree.root.label for tree in trees_of(notice + "(S (A a) (B b))")] == ["S"]


@pytest.mark.parametrize(
    ("text", "line", "found", "expected"),
    [
        (
            "(S (A a)\n  (B b)\n",
            2,
            "the end of the tree, with open brackets: 1",
            "a closing bracket",
        ),
        ("(S (A a)\n  (B b)))\n", 2, "one closing bracket too many", "the end of the tree"),
        ("(S (A a)\n  (B\n   ( b)))\n", 3, "a bracket without a label", "a label"),
        ("( S (A a))\n", 1, "a bracket without a label", "a label"),
        ("(S (A a)\n  (B\n  ))\n", 2, "an empty bracket 'B'", "words or brackets"),
        ("word\n", 1, "'word'", "an opening bracket"),
        ("(S (A a) (B b)) word\n", 1, "'word'", "an opening bracket"),
        (")\n", 1, "')'", "an opening bracket"),
    ],
)
def test_what_is_wrong(text: str, line: int, found: str, expected: str) -> None:
    good = "(T (C c)\n  (D d))\n"
    errors: list[InputError] = []
    stream = io.BytesIO((good + text + good).encode())
    trees = list(read(stream, format="bracket", on_error="skip", report=errors.append))
    assert [tree.root.label for tree in trees if tree.root.label == "T"] == ["T", "T"]
    (error,) = errors
    assert error.line == line + 2
    assert error.sentence in ("2", "3")
    assert found in error.found
    assert expected in error.expected
    with pytest.raises(InputError):
        trees_of(good + text)


def test_after_a_broken_tree_the_next_line_with_a_tree_is_read() -> None:
    errors: list[InputError] = []
    text = b"(S (A a)))\n  (B b)\n   (C c))\n(T (D d) (E e))\n"
    (tree,) = read(io.BytesIO(text), on_error="skip", report=errors.append)
    assert (tree.root.label, tree.id, len(errors)) == ("T", "2", 1)


def test_bad_bytes_cost_one_tree() -> None:
    errors: list[InputError] = []
    text = b"(S (A a)\n  (B \xe4\xff))\n(T (D \xc3\xa4) (E e))\n"
    (tree,) = read(io.BytesIO(text), on_error="skip", report=errors.append, encoding="utf-8")
    assert (tree.root.label, tree.id, errors[0].line) == ("T", "2", 2)


@pytest.mark.parametrize(
    ("head", "fits"),
    [
        (SOLD, True),
        ("*x*x*x*\n", True),
        ("(S (CD 1) (B b))", True),
        ("(S 0=it 1=rains)", False),
        ("( (IP (A a)) (ID 1))", False),
        ("it rains", False),
    ],
)
def test_it_is_recognised(head: str, fits: bool) -> None:
    assert PennBracket().looks_like(head) is fits


@pytest.mark.parametrize(
    ("name", "count", "tokens"),
    [("wsj-sample.mrg", 53, 1306), ("craft-15018652.mrg", 121, 2663)],
)
def test_real_files(shared: Path, name: str, count: int, tokens: int) -> None:
    reader = read(shared / "treebanks" / "originals" / name)
    found = list(reader)
    assert reader.format == "bracket"
    assert (len(found), sum(len(tree.sentence) for tree in found)) == (count, tokens)
    text = "".join(map(text_of, found))
    assert trees_of(text) == found
    assert "&#x" not in text


def test_damaged_real_files_raise_nothing_else(shared: Path) -> None:
    raw = (shared / "treebanks" / "originals" / "wsj-sample.mrg").read_bytes()
    chance = random.Random(1)
    for _ in range(50):
        damaged = bytearray(raw[: chance.randrange(4000)])
        for _ in range(chance.randrange(20)):
            place = chance.randrange(len(damaged) + 1)
            damaged[place : place + chance.randrange(3)] = chance.choice(
                [b"(", b")", b"\n", b"\n(", b"\xff", b""]
            )
        list(read(io.BytesIO(bytes(damaged)), format="bracket", on_error="skip"))
