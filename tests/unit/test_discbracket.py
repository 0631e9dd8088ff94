"""discbracket: what its lines mean, and what is wrong with bad ones."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbranch.errors import InputError
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank import read
from crossbranch.treebank.discbracket import DiscBracket

WH = "(S (VP (WRB 0=Where) (VB 3=go)) (VBD 1=did) (NP (PRP 2=she)) (. 4=?))"


def trees_of(text: str) -> list[Tree]:
    return list(read(io.BytesIO(text.encode()), format="discbracket"))


def text_of(tree: Tree) -> str:
    return DiscBracket().write_tree(tree, 1)


def error_of(text: str) -> InputError:
    with pytest.raises(InputError) as caught:
        trees_of(text)
    return caught.value


def test_indices_tell_the_order_of_the_words() -> None:
    (tree,) = trees_of(WH)
    assert [token.form for token in tree.sentence] == ["Where", "did", "she", "go", "?"]
    assert [token.tag for token in tree.sentence] == ["WRB", "VBD", "PRP", "VB", "."]
    assert str(tree.root) == "(S (VP 0 3) 1 (NP 2) 4)"
    assert text_of(tree) == WH + "\n"


def test_the_place_in_the_file_is_the_id() -> None:
    assert [tree.id for tree in trees_of(f"{WH}\n\n{WH}\n")] == ["1", "2"]


def test_words_without_tags_stand_alone() -> None:
    (tree,) = trees_of("(S (NP 1=she 0=Where) 2=went)")
    assert [token.tag for token in tree.sentence] == ["", "", ""]
    assert str(tree.root) == "(S (NP 0 1) 2)"
    assert text_of(tree) == "(S (NP 0=Where 1=she) 2=went)\n"


def test_a_node_over_one_word_without_tag_keeps_apart_from_a_tag() -> None:
    tree = Tree([Token("It"), Token("rains")], Node("S", [Node("NP", [0]), 1]))
    assert text_of(tree) == "(S (NP (&#x; 0=It)) 1=rains)\n"
    assert trees_of(text_of(tree))[0].root == tree.root


@pytest.mark.parametrize("line", ["(NN 0=Rain)", "(ROOT (NN 0=Rain))"])
def test_a_lone_token_hangs_from_the_virtual_root(line: str) -> None:
    (tree,) = trees_of(line)
    assert (tree.root, tree.sentence) == (Node(ROOT, [0]), (Token("Rain", "NN"),))


def test_the_root_over_a_word_is_no_tag() -> None:
    (tree,) = trees_of("(ROOT 0=Rain)")
    assert (tree.root, tree.sentence) == (Node(ROOT, [0]), (Token("Rain"),))


@pytest.mark.parametrize("line", ["()", "(ROOT)", "(ROOT )"])
def test_an_empty_sentence(line: str) -> None:
    assert trees_of(line)[0].root == Node(ROOT, [])


@pytest.mark.parametrize(
    ("form", "written"),
    [
        ("(", "#LRB#"),
        ("a)b", "a#RRB#b"),
        ("#LRB#", "&#x23;LRB#"),
        ("#LRB(", "&#x23;LRB#LRB#"),
        (")LRB#", "#RRB#LRB#"),
        ("two words", "two&#x20;words"),
        ("1=2", "1=2"),
        ("", "&#x;"),
        ("&#x20;", "&#x26;#x20;"),
    ],
)
def test_words_are_escaped(form: str, written: str) -> None:
    tree = Tree([Token(form, "X"), Token("y", "Y")], Node("S", [0, 1]), id="1")
    assert text_of(tree) == f"(S (X 0={written}) (Y 1=y))\n"
    assert trees_of(text_of(tree)) == [tree]


@given(st.text("#LRB()&x2;", max_size=14))
def test_no_mixture_of_marks_is_misread(form: str) -> None:
    tree = Tree([Token(form)], Node(ROOT, [0]), id="1")
    assert trees_of(text_of(tree)) == [tree]


def test_labels_are_escaped() -> None:
    tree = Tree([Token("a", "LET()"), Token("b", "a b")], Node("(", [Node("", [0, 1])]), id="1")
    assert text_of(tree) == "(&#x28; (&#x; (LET&#x28;&#x29; 0=a) (a&#x20;b 1=b)))\n"
    assert trees_of(text_of(tree)) == [tree]


def test_comments_follow_a_tab() -> None:
    (tree,) = trees_of("(S 0=it 1=rains)\tit rains\tsure")
    assert tree.comments == ("it rains", "sure")
    odd = tree.replace(comments=("a\tb", "", "c\n"))
    assert text_of(odd) == "(S 0=it 1=rains)\ta&#x9;b\t&#x;\tc&#xa;\n"
    assert trees_of(text_of(odd)) == [odd]


def test_the_old_form_has_its_words_behind_the_tree() -> None:
    (tree,) = trees_of("(S (VP (V 0) (N 2)) (N 1))\teats she rice")
    assert [token.form for token in tree.sentence] == ["eats", "she", "rice"]
    assert (str(tree.root), tree.comments) == ("(S (VP 0 2) 1)", ())


def test_the_first_tree_tells_what_indices_count_from() -> None:
    text = "(S (VP (V 1) (N 3)) (N 2))\teats she rice\n(S 2=b 1=a)\n"
    first, second = trees_of(text)
    assert str(first.root) == "(S (VP 0 2) 1)"
    assert [token.form for token in second.sentence] == ["a", "b"]
    error = error_of("()\n(S 0=a 1=b)\n(S 1=a 2=b)\n")
    assert (error.line, error.sentence) == (3, "3")
    assert "none with index 0" in error.found


@pytest.mark.parametrize(
    ("line", "found", "expected"),
    [
        ("(S 0=a 0=b)", "index 0 a second time", "each index once"),
        ("(S 0=a 2=b)", "none with index 1", "the indices 0 to 1"),
        ("(S 0=a 4000=b)", "index 4000", "start at 0"),
        ("(S 0=a 999999999999=b)", "999999999999=b", "an index and a word"),
        ("(S 0=a b)", "'b'", "an index and a word"),
        ("(S (A 0) (B 1))", "index 0 without a word", "an index and a word"),
        ("(S (A 0) (B 1))\tb", "index 1 without a word", "an index and a word"),
        ("(S 0=a (B 1=b)", "open brackets: 1", "a closing bracket"),
        ("(S 0=a 1=b))", "one closing bracket too many", "the end of the tree"),
        ("(S 0=a 1=b) (T 0=c)", "more text after the tree", "a TAB"),
        ("(S 0=a 1=b) comment", "more text after the tree", "a TAB"),
        ("(S (NP) 0=a)", "an empty bracket 'NP'", "words or brackets"),
        ("(S ( 0=a) 1=b)", "a bracket without a label", "a label"),
        ("( 0=a 1=b)", "a bracket without a label", "a label"),
        ("0=a 1=b", "'0=a 1=b'", "an opening bracket"),
        (")", "')'", "an opening bracket"),
        ("x" * 200, "x" * 60 + "…", "an opening bracket"),
    ],
)
def test_what_is_wrong_with_a_line(line: str, found: str, expected: str) -> None:
    error = error_of(f"(S 0=a 1=b)\n\n{line}\n")
    assert (error.line, error.sentence) == (3, "2")
    assert found in error.found
    assert expected in error.expected


def test_bad_lines_are_skipped() -> None:
    errors: list[InputError] = []
    text = b"(S 0=a 1=b)\n(S 0=a\n(S (A 0=a)\xff)\n(S (C 0=c) (D 1=d))\n"
    found = list(read(io.BytesIO(text), on_error="skip", report=errors.append, encoding="utf-8"))
    assert [tree.id for tree in found] == ["1", "4"]
    assert [error.line for error in errors] == [2, 3]


def test_trees_may_be_deep() -> None:
    text = "(X " * 5000 + "0=a 1=b" + ")" * 5000 + "\n"
    (tree,) = trees_of(text)
    assert len(tree.nodes) == 5000
    assert text_of(tree) == text


@pytest.mark.parametrize(
    ("head", "fits"),
    [
        (WH, True),
        ("\n(S 0=it", True),
        ("(S (A 1) (B 0))\tb a\n", True),
        ("(S (CD 1) (B b))\n", False),
        ("( (S (NP it)))", False),
        ("#FORMAT 4", False),
        ("", False),
    ],
)
def test_it_is_recognised(head: str, fits: bool) -> None:
    assert DiscBracket().looks_like(head) is fits


@pytest.mark.parametrize("name", ["gold", "strong", "weak"])
def test_real_files(shared: Path, name: str) -> None:
    path = shared / "golden" / "evaluation" / f"{name}.discbracket"
    found = list(read(path))
    assert len(found) == 714
    text = "".join(map(text_of, found))
    assert trees_of(text) == found
    if name == "gold":  # the parsers put their brackets in another order
        assert text == path.read_text(encoding="utf-8")
