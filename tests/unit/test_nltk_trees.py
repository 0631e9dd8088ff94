"""Trees of NLTK: positions as leaves, words beside them."""

from __future__ import annotations

import sys

import pytest

from crossbranch.errors import TreeError, UsageError
from crossbranch.nltk_trees import from_nltk, to_nltk
from crossbranch.tree import ROOT, Node, Token, Tree

nltk = pytest.importorskip("nltk")


def example() -> Tree:
    words = [Token("What", "WP"), Token("should", "MD"), Token("I", "PRP"), Token("do", "VB")]
    return Tree(words, Node(ROOT, [Node("SQ", [Node("VP", [0, 3]), 1, Node("NP", [2])])]))


def test_to_nltk() -> None:
    tree, words = to_nltk(example())
    assert words == ["What", "should", "I", "do"]
    text = "(ROOT (SQ (VP (WP 0) (VB 3)) (MD 1) (NP (PRP 2))))"
    assert tree == nltk.Tree.fromstring(text, read_leaf=int)


@pytest.mark.parametrize(
    "tree",
    [example(), Tree([], Node(ROOT)), Tree([Token("a")], Node(ROOT, [0]))],
    ids=["discontinuous", "empty", "one word"],
)
def test_there_and_back(tree: Tree) -> None:
    assert from_nltk(*to_nltk(tree)) == tree


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


def test_labels_become_text() -> None:
    nonterminal = nltk.Nonterminal("NP")
    tree = from_nltk(nltk.Tree(nonterminal, [nltk.Tree(nonterminal, [0]), nltk.Tree("N", [1])]))
    assert (tree.root.label, tree.sentence[0]) == ("NP", Token("0", "NP"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (A 0) (B 0))", "token 0 stands at two leaves"),
        ("(S (A 0) (B 2))", "leaf 2, expected a token position below 2"),
        ("(S (A 0) (B -1))", "leaf -1, expected a token position below 2"),
        ("(S (A 0))", "token 1 stands at no leaf"),
        ("(S (A 1))", "token 0 stands at no leaf"),
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
    assert from_nltk(*to_nltk(tree)) == tree


def test_without_nltk_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk", None)
    with pytest.raises(UsageError, match=r"crossbranch\[nltk\]"):
        to_nltk(example())
