"""The examples of Mielczarek (2023), chapters 2.3 to 3.1, and of Kallmeyer & Maier (2013)."""

import pytest
from grammar_yields import COPY

from crossbranch.grammar import Deduction, Grammar, extract, gap_explicit, parse_text
from crossbranch.tree import Node, Token, Tree

FIGURE = """\
      S
   ┌──┴──┐
   A     │
┌──┼────╴│╶────┐
│  A     │     │
│  ├────╴│╶───╴│╶─┐
│  │     B     │  │
│  │  ┌──┼──┐  │  │
a  b  c  c  c  a  b"""


@pytest.fixture
def copy() -> Grammar:
    """Example 2.20: the language of w ccc w."""
    return parse_text(COPY)


def test_figure_2_3(copy: Grammar) -> None:
    parse = Deduction(copy).parse("abcccab")
    assert parse is not None
    assert str(parse.tree.root) == "(S (A 0 (A 1 6) 5) (B 2 3 4))"
    assert parse.tree.draw() == FIGURE


@pytest.mark.parametrize("word", ["accca ", "abcccba", "abccab", "ccc", "abcccabc", "", "abcccaba"])
def test_words_that_are_not_in_the_language(copy: Grammar, word: str) -> None:
    assert not Deduction(copy).accepts(word)


@pytest.mark.parametrize("w", ["a", "b", "ba", "abba", "aabab"])
def test_words_of_the_language(copy: Grammar, w: str) -> None:
    parse = Deduction(copy).parse(f"{w}ccc{w}")
    assert parse is not None
    assert parse.tree.fan_out == 2


def test_algorithm_3_1(copy: Grammar) -> None:
    found = gap_explicit(copy)
    assert {str(rule): weight for rule, weight in found.rules.items()} == {
        "S -> A(a,c) B.join1to2(b) : a b c": 1,
        'A -> A(a,b) : "a" a , "a" b': 1,
        'A -> A(a,b) : "b" a , "b" b': 1,
        'A -> : "a" , "a"': 1,
        'A -> : "b" , "b"': 1,
        'B.join1to2 -> "c" "c" "c"': 2,  # both rules of B say the same now
    }


def test_the_grammar_of_a_german_sentence() -> None:
    # Kallmeyer & Maier 2013, figures 2 and 3: Darüber muss nachgedacht werden.
    words = ["Darüber", "muss", "nachgedacht", "werden"]
    tags = ["PROAV", "VMFIN", "VVPP", "VAINF"]
    tokens = [Token(word, tag) for word, tag in zip(words, tags, strict=True)]
    tree = Tree(tokens, Node("S", [Node("VP", [Node("VP", [0, 2]), 3]), 1]))
    assert list(map(str, extract([tree]).rules)) == [
        "S -> VP_2(a,c) VMFIN(b) : a b c",
        "VP_2 -> VP_2(a,b) VAINF(c) : a , b c",
        "VP_2 -> PROAV(a) VVPP(b) : a , b",
    ]
