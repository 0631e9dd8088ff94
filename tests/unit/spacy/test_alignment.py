"""Trees over other tokens of the same text: always trees, and no constituent has foreign words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import structures

pytest.importorskip("spacy")

from crossbranch.spacy.alignment import over_tokens
from crossbranch.tree import ROOT, Node, Token, Tree


def cut(text: str, ends: set[int]) -> list[Token]:
    """Split a text into tokens that end at these places; a token never begins or ends blank."""
    tokens = []
    start = 0
    for end in sorted({*ends, len(text)}):
        piece = text[start:end]
        if word := piece.strip():
            first = start + piece.index(word)
            tokens.append(Token(word, start=first, end=first + len(word)))
        start = end
    return tokens


@st.composite
def cases(draw: st.DrawFn) -> tuple[Tree, list[Token]]:
    text = draw(st.text("ab  ", min_size=1, max_size=14).filter(str.strip))
    places = st.sets(st.integers(1, len(text)), max_size=8)
    blanks = {number + 1 for number, sign in enumerate(text) if sign == " "}
    ours = cut(text, draw(places) | blanks)
    tags = [token._replace(tag=f"T{n}", lemma=f"l{n}") for n, token in enumerate(ours)]
    root = draw(structures(len(ours), rich=False, heads=draw(st.booleans())))
    theirs = cut(text, draw(places))
    if draw(st.booleans()):  # white space may be a token
        theirs = sorted([*theirs, *gaps(text, theirs)], key=lambda token: token.start or 0)
    return Tree(tags, root), theirs


def gaps(text: str, tokens: list[Token]) -> list[Token]:
    edges = [0, *(place for token in tokens for place in token[-2:] if place is not None)]
    pairs = zip(edges[::2], [*edges[1::2], len(text)], strict=True)
    return [Token(text[a:b], start=a, end=b) for a, b in pairs if a < b]


def characters(tokens: list[Token], text: set[int]) -> frozenset[int]:
    return frozenset(c for t in tokens for c in range(t.start or 0, t.end or 0) if c in text)


@given(cases())
def test_constituents_have_the_tokens_that_are_wholly_in_them(
    case: tuple[Tree, list[Token]],
) -> None:
    tree, tokens = case
    found = over_tokens(tree, tokens)
    assert [token[:1] + token[-2:] for token in found.sentence] == [t[:1] + t[-2:] for t in tokens]
    visible = set(characters(list(tree.sentence), set(range(99))))
    wanted = []
    for node in tree.nodes:
        mine = characters([tree.sentence[number] for number in node.tokens], visible)
        inside = {
            number
            for number, token in enumerate(tokens)
            if (own := characters([token], visible)) and own <= mine
        }
        if inside:
            wanted.append((node.label, inside))
    blank = {n for n, token in enumerate(tokens) if not characters([token], visible)}
    given = [(node.label, set(node.tokens) - blank) for node in found.nodes]
    assert given == wanted or sorted(map(str, given)) == sorted(map(str, wanted))


@given(cases())
def test_the_same_tokens_give_the_same_tree(case: tuple[Tree, list[Token]]) -> None:
    tree, tokens = case
    bare = [Token(token.form, start=token.start, end=token.end) for token in tree.sentence]
    assert over_tokens(tree, bare) == tree
    once = over_tokens(tree, tokens)
    assert over_tokens(once, tokens) == once


def example(words: str, root: Node, tags: str = "") -> Tree:
    tokens, at = [], 0
    for number, word in enumerate(words.split("|")):
        tag = tags.split()[number] if tags else ""
        tokens.append(Token(word.strip(), tag, start=at, end=at + len(word.strip())))
        at += len(word)
    return Tree(tokens, root)


def other(words: str) -> list[Token]:
    return list(example(words, Node(ROOT, range(words.count("|") + 1))).sentence)


def test_pieces_of_a_word_stay_in_its_place() -> None:
    root = Node("NP", [Node("ADJP", [0], edge_label="MOD"), 1], head=1)
    found = over_tokens(example("well-known |man", root, "JJ NN"), other("well|-|known |man"))
    assert str(found.root) == "(NP (ADJP/MOD 0 1 2) 3)"
    assert found.tags == ["JJ", "JJ", "JJ", "NN"]
    assert found.root.head == 1


def test_parts_of_a_word_move_up_to_the_node_that_has_them_all() -> None:
    root = Node("S", [Node("NP", [0], edge_label="SBJ"), Node("VP", [1, 2], head=0)], head=1)
    found = over_tokens(example("I|'m |here", root, "PRP VBP RB"), other("I'm |here"))
    assert str(found.root) == "(S 0 (VP 1))"
    assert found.sentence[0].tag == "PRP+VBP"
    assert found.sentence[0].edge_label == "SBJ"
    assert found.root.head == 1
    assert found.nodes[1].head is None  # its head is outside


def test_a_head_that_is_merged_away_is_replaced_by_the_word_that_has_it() -> None:
    root = Node("S", [Node("X", [0]), Node("Y", [1])], head=1)
    found = over_tokens(example("a|b", root), other("ab"))
    assert str(found.root) == "(S 0)"
    assert found.root.head == 0


def test_the_gaps_of_constituents_stay() -> None:
    root = Node("SQ", [Node("VP", [0, 3]), 1, Node("NP", [2])])
    found = over_tokens(example("What |should |I |do", root), other("Wh|at |should |I |do"))
    assert str(found.root) == "(SQ (VP 0 1 4) 2 (NP 3))"
