"""Trees of NLTK: words as leaves, or positions as leaves and words beside them."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from crossbranch.errors import TreeError, UsageError
from crossbranch.nltk_trees import from_nltk, to_nltk, to_nltk_positions
from crossbranch.tree import ROOT, Node, Token, Tree

nltk = pytest.importorskip("nltk")


def example() -> Tree:
    words = [Token("What", "WP"), Token("should", "MD"), Token("I", "PRP"), Token("do", "VB")]
    return Tree(words, Node(ROOT, [Node("SQ", [Node("VP", [0, 3]), 1, Node("NP", [2])])]))


def continuous() -> Tree:
    return Tree.from_string("(S (NP (DT The) (NN cat)) (VP slept soundly) (. .))")


def test_words_are_leaves() -> None:
    tree = to_nltk(continuous())
    assert tree == nltk.Tree.fromstring("(S (NP (DT The) (NN cat)) (VP slept soundly) (. .))")
    assert tree.leaves() == ["The", "cat", "slept", "soundly", "."]
    assert "cat" in tree.pformat()
    assert "soundly" in str(nltk.tree.prettyprinter.TreePrettyPrinter(tree).text())


def test_crossing_branches_would_reorder_the_words() -> None:
    with pytest.raises(
        TreeError, match=r"use to_nltk_positions\(tree\), or make the tree continuous"
    ):
        to_nltk(example())


def test_nltk_prints_crossing_branches() -> None:
    printed = nltk.tree.prettyprinter.TreePrettyPrinter(*to_nltk_positions(example())).text()
    assert printed.split()[-4:] == ["What", "should", "I", "do"]


def test_to_nltk_positions() -> None:
    tree, words = to_nltk_positions(example())
    assert words == ["What", "should", "I", "do"]
    text = "(ROOT (SQ (VP (WP 0) (VB 3)) (MD 1) (NP (PRP 2))))"
    assert tree == nltk.Tree.fromstring(text, read_leaf=int)


@pytest.mark.parametrize(
    "tree",
    [example(), Tree([], Node(ROOT)), Tree([Token("a")], Node(ROOT, [0]))],
    ids=["discontinuous", "empty", "one word"],
)
def test_there_and_back(tree: Tree) -> None:
    assert from_nltk(*to_nltk_positions(tree)) == tree
    if not tree.is_discontinuous:
        assert from_nltk(to_nltk(tree)) == tree


@given(trees(rich=False), st.data())
def test_nothing_plain_is_lost(tree: Tree, data: st.DataObject) -> None:
    tags = st.sampled_from(["", "X"])
    sentence = tuple(token._replace(tag=data.draw(tags)) for token in tree.sentence)
    tree = tree.replace(id="", sentence=sentence)
    assert from_nltk(*to_nltk_positions(tree)) == tree
    if not tree.is_discontinuous:
        assert from_nltk(to_nltk(tree)) == tree


def test_leaves_are_words_unless_words_are_given() -> None:
    tree = from_nltk(nltk.Tree.fromstring("(S (NP (D the) (N cat)) (V sleeps) soundly)"))
    assert tree.sentence == (
        Token("the", "D"),
        Token("cat", "N"),
        Token("sleeps", "V"),
        Token("soundly"),
    )
    assert str(tree.root) == "(S (NP 0 1) 2 3)"


def test_a_tree_that_is_only_a_tag_gets_a_root() -> None:
    assert from_nltk(nltk.Tree("N", ["cat"])) == Tree([Token("cat", "N")], Node(ROOT, [0]))


def test_a_text_is_no_tree() -> None:
    with pytest.raises(TreeError, match=r"found str, expected an nltk.Tree"):
        from_nltk("(S (NP it) (VP rains))")


def test_labels_become_text() -> None:
    nonterminal = nltk.Nonterminal("NP")
    tree = from_nltk(nltk.Tree(nonterminal, [nltk.Tree(nonterminal, [0]), nltk.Tree("N", [1])]))
    assert (tree.root.label, tree.sentence[0]) == ("NP", Token("0", "NP"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (A 0) (B 0))", "token 0 is at two leaves"),
        ("(S (A 0) (B 2))", "leaf 2, expected a token position below 2"),
        ("(S (A 0) (B -1))", "leaf -1, expected a token position below 2"),
        ("(S (A 0))", "token 1 is at no leaf"),
        ("(S (A 1))", "token 0 is at no leaf"),
    ],
)
def test_leaves_that_are_no_positions(text: str, message: str) -> None:
    tree = nltk.Tree.fromstring(text, read_leaf=int)
    with pytest.raises(TreeError, match=message):
        from_nltk(tree, ["a", "b"])


def test_words_where_positions_are_expected() -> None:
    with pytest.raises(TreeError, match="found the leaf 'a'"):
        from_nltk(nltk.Tree("S", [nltk.Tree("A", ["a"])]), ["a"])


def test_a_child_without_leaves() -> None:
    with pytest.raises(TreeError, match="without tokens"):
        from_nltk(nltk.Tree("S", [nltk.Tree("A", []), "a"]))


def test_trees_deeper_than_the_stack() -> None:
    node: Node | int = 0
    for _ in range(5000):
        node = Node("X", [node])
    tree = Tree([Token("a", "T")], Node(ROOT, [node]))
    assert from_nltk(*to_nltk_positions(tree)) == tree
    assert from_nltk(to_nltk(tree)) == tree


def test_without_nltk_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk", None)
    with pytest.raises(UsageError, match=r"crossbranch\[nltk\]"):
        to_nltk(continuous())
