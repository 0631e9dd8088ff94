"""psd: brackets with lemmas, ids and comments."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbranch.errors import InputError
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank import read
from crossbranch.treebank.psd import Psd

SLEEP = """
( (IP-MAT (NP-SBJ (PRO-N Hann-hann))
          (VBDI svaf-sofa)
          (CODE {COM:at-last})
          (CP-REL (WNP-1 0) (IP-SUB (NP-SBJ *T*-1) (VBDI svaf-sofa)))
          (. .-.))
  (ID 1883.STORY-A,.7))
"""


def trees_of(text: str) -> list[Tree]:
    return list(read(io.BytesIO(text.encode()), format="psd"))


def text_of(tree: Tree) -> str:
    return Psd().write_tree(tree, 1)


def test_words_lemmas_traces_and_the_id() -> None:
    (tree,) = trees_of(SLEEP)
    assert tree.id == "1883.STORY-A,.7"
    assert tree.sentence == (
        Token("Hann", "PRO-N", "hann"),
        Token("svaf", "VBDI", "sofa"),
        Token("{COM:at-last}", "CODE"),
        Token("0", "WNP-1"),
        Token("*T*-1", "NP-SBJ"),
        Token("svaf", "VBDI", "sofa"),
        Token(".", ".", "."),
    )
    assert str(tree.root) == "(ROOT (IP-MAT (NP-SBJ 0) 1 2 (CP-REL 3 (IP-SUB 4 5)) 6))"
    assert text_of(tree).endswith("(. .-.)) (ID 1883.STORY-A,.7))\n")
    assert trees_of(text_of(tree)) == [tree]


@pytest.mark.parametrize(
    ("word", "form", "lemma"),
    [
        ("svaf-sofa", "svaf", "sofa"),
        ("$inn-hinn", "$inn", "hinn"),
        ("Efri<dash/>Hól-efri<dash/>hóll", "Efri<dash/>Hól", "efri<dash/>hóll"),
        ("<dash/>-<dash/>", "<dash/>", "<dash/>"),
        ("a-b-c", "a-b", "c"),
        (",-,", ",", ","),
        ("---", "-", "-"),
        ("-", "-", ""),
        ("--", "--", ""),
        ("-túr", "-túr", ""),
        ("túr-", "túr-", ""),
        ("eins", "eins", ""),
        ("0", "0", ""),
        ("*con*", "*con*", ""),
        ("*ICH*-12", "*ICH*-12", ""),
        ("<P-12>", "<P-12>", ""),
        ("{a-b}", "{a-b}", ""),
    ],
)
def test_the_lemma_stands_behind_the_last_hyphen_that_makes_sense(
    word: str, form: str, lemma: str
) -> None:
    text = f"( (IP (X {word}) (Y y)) (ID 1))\n"
    (tree,) = trees_of(text)
    assert tree.sentence[0] == Token(form, "X", lemma)
    assert text_of(tree) == text


@pytest.mark.parametrize(
    ("form", "lemma", "word"),
    [
        ("a-b", "", "a&#x2d;b"),
        ("a", "b-c", "a-b&#x2d;c"),
        ("*T*", "x", "&#x2a;T*-x"),
        ("<b", "c>", "&#x3c;b-c>"),
        ("", "x", "&#x;-x"),
        ("", "", "&#x;"),
    ],
)
def test_what_would_be_misread_is_escaped(form: str, lemma: str, word: str) -> None:
    tree = Tree([Token(form, "X", lemma)], Node(ROOT, [0]), id="1")
    assert text_of(tree) == f"( (X {word}) (ID 1))\n"
    assert trees_of(text_of(tree)) == [tree]


@given(st.text("-*{<>a&", max_size=5), st.text("-*{<>a&", max_size=5))
def test_no_pair_of_form_and_lemma_is_misread(form: str, lemma: str) -> None:
    tree = Tree([Token(form, "X", lemma)], Node(ROOT, [0]), id="1")
    assert trees_of(text_of(tree)) == [tree]


def test_a_tree_without_an_id_is_numbered() -> None:
    assert [tree.id for tree in trees_of("( (A (B b)))\n( (A (B b)) (ID x))\n(C c)")] == [
        "1",
        "x",
        "3",
    ]


def test_only_the_last_id_at_the_top_is_the_id() -> None:
    (tree,) = trees_of("( (ID 5) (A (ID 6) (B b)) (ID 7))")
    assert tree.id == "7"
    assert [token.form for token in tree.sentence] == ["5", "6", "b"]
    assert trees_of(text_of(tree)) == [tree]


def test_an_id_may_be_all_there_is() -> None:
    (tree,) = trees_of("( (ID 5))")
    assert (tree.id, tree.sentence, tree.root) == ("5", (), Node(ROOT, []))


def test_comments_go_with_the_next_tree() -> None:
    text = "/* one */\n\n/~*\ntwo\n(1883,.7)\n*~/\n( (A (B b)) (ID 1))\n( (C (D d)) (ID 2))\n"
    first, second = trees_of(text)
    assert (first.comments, second.comments) == (("one", "two\n(1883,.7)"), ())
    assert text_of(first) == "/* one */\n/* two\n(1883,.7) */\n( (A (B b)) (ID 1))\n"


@pytest.mark.parametrize("comment", ["", " ", "*/", "a *~/ b", "/*", "x\r\ny", "*", "/", "~*"])
def test_any_comment_survives(comment: str) -> None:
    tree = Tree([Token("b", "B")], Node(ROOT, [0]), id="1", comments=[comment])
    assert trees_of(text_of(tree)) == [tree]


def test_a_comment_without_an_end() -> None:
    with pytest.raises(InputError) as caught:
        trees_of("( (A (B b)) (ID 1))\n/*/\n( (C (D d)) (ID 2))\n")
    assert (caught.value.line, caught.value.expected) == (2, "*/")


def test_a_broken_tree_costs_itself_only() -> None:
    errors: list[InputError] = []
    text = b"( (A (B b) (ID 1))\n\n( (C (D d)) (ID 2))\n"
    (tree,) = read(io.BytesIO(text), on_error="skip", report=errors.append)
    assert tree.id == "2"
    assert [(error.line, error.sentence) for error in errors] == [(1, "1")]


@pytest.mark.parametrize(
    ("head", "fits"),
    [
        (SLEEP, True),
        ("/* x */\n( (A a) (ID 1))", True),
        ("( (A a))", False),
        ("x (ID 1))", False),
    ],
)
def test_it_is_recognised(head: str, fits: bool) -> None:
    assert Psd().looks_like(head) is fits


def test_a_real_file(shared: Path) -> None:
    reader = read(shared / "treebanks" / "originals" / "icepahc-sample.psd")
    found = list(reader)
    assert reader.format == "psd"
    assert (len(found), sum(len(tree.sentence) for tree in found)) == (130, 2231)
    assert {tree.id.rpartition(".")[0] for tree in found} == {"1883.VOGGUR.NAR-FIC,"}
    text = "".join(map(text_of, found))
    assert trees_of(text) == found
    assert "&#x" not in text
