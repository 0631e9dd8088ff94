"""Two trees compared: what only one of them has is marked, visibly without colour."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given, settings
from strategies import tree_pairs

from crossbranch.drawing import differences, draw_comparison
from crossbranch.drawing.looks import FAULT, FIRST
from crossbranch.errors import UsageError
from crossbranch.tree import Bracket, Node, Token, Tree

WORDS = [Token(word, "X") for word in "abcd"]
GOLD = Tree(WORDS, Node("S", [Node("NP", [0, 2]), Node("VP", [1, 3])]))
PREDICTED = Tree(WORDS, Node("S", [Node("NP", [0, 1]), 2, Node("NP", [3])]))


def test_differences_are_brackets() -> None:
    found = differences(GOLD, PREDICTED)
    assert found.missing == [Bracket("NP", 0b0101), Bracket("VP", 0b1010)]
    assert found.extra == [Bracket("NP", 0b0011), Bracket("NP", 0b1000)]
    assert differences(GOLD, GOLD) == ([], [])


def test_brackets_are_counted() -> None:
    once = Tree([Token("a")], Node("S", [Node("NP", [0])]))
    twice = Tree([Token("a")], Node("S", [Node("NP", [Node("NP", [0])])]))
    assert differences(once, twice) == ([], [Bracket("NP", 1)])
    assert differences(twice, once) == ([Bracket("NP", 1)], [])


@given(tree_pairs())
@settings(max_examples=40, deadline=None)
def test_every_difference_is_marked_once(pair: tuple[Tree, Tree | None]) -> None:
    gold, predicted = pair
    assume(predicted is not None)
    assert predicted is not None
    found = differences(gold, predicted)
    common = Counter(gold.brackets) & Counter(predicted.brackets)
    assert Counter(found.missing) + common == Counter(gold.brackets)
    assert Counter(found.extra) + common == Counter(predicted.brackets)
    svg = draw_comparison(gold, predicted, format="svg")
    swatch = 1  # before each caption
    assert svg.count('<rect class="marked first"') == swatch + len(found.missing)
    assert svg.count('<rect class="marked"') == swatch + len(found.extra)
    assert len(re.findall(">−", svg)) == len(found.missing)
    assert len(re.findall(r">\+", svg)) == len(found.extra)
    ElementTree.fromstring(svg)


def test_text() -> None:
    assert (
        draw_comparison(GOLD, PREDICTED)
        == """\
gold, marked −: NP, VP
   S
 ┌─┴──┐
−NP   │
 ├───╴│╶──┐
 │   −VP  │
 │    ├──╴│╶─┐
 X    X   X  X
 a    b   c  d

predicted, marked +: NP, NP
        S
   ┌────┼───┐
  +NP   │  +NP
 ┌─┴─┐  │   │
 X   X  X   X
 a   b  c   d"""
    )


def test_ascii_and_other_options() -> None:
    drawing = draw_comparison(GOLD, PREDICTED, ascii=True, names=("a", "b"), tags=False)
    assert drawing.isascii()
    assert drawing.startswith("a, marked -: NP, VP\n   S\n")
    assert "-VP" in drawing
    assert "X" not in drawing
    with pytest.raises(TypeError, match="nonsense"):
        draw_comparison(GOLD, PREDICTED, nonsense=True)
    with pytest.raises(TypeError, match="nonsense"):
        draw_comparison(GOLD, PREDICTED, format="svg", nonsense=True)


def test_equal_trees_have_no_marks() -> None:
    text = draw_comparison(GOLD, GOLD)
    assert text.startswith("gold\n")
    assert "marked" not in text
    svg = draw_comparison(GOLD, GOLD, format="svg", style=False)
    assert "marked −" not in svg
    assert svg.count('class="marked') == 2  # the colours of both sides, before their captions


def test_the_two_sides_have_colours_of_their_own() -> None:
    plain = draw_comparison(GOLD, PREDICTED, format="svg", style="plain")
    assert plain.count(f'stroke="{FIRST}" stroke-width="1.5" stroke-dasharray="4 2"') == 3
    assert plain.count(f'stroke="{FAULT}"') == 3
    tikz = draw_comparison(GOLD, PREDICTED, format="tikz")
    first, second = tikz.split(r"\end{tikzpicture}")[:2]
    assert first.count(r"\draw[tree marked, tree first]") == 3
    assert second.count(r"\draw[tree marked]") == 3
    assert r"{gold, marked $-$: NP, VP};" in first
    assert r"{predicted, marked +: NP, NP};" in second
    drawn = draw_comparison(GOLD, PREDICTED, color=True)
    assert "\x1b[1;33mgold, marked −: NP, VP\x1b[0m" in drawn
    assert "\x1b[1;31mpredicted, marked +: NP, NP\x1b[0m" in drawn
    assert drawn.count("\x1b[1;7;33m−") == drawn.count("\x1b[1;7;31m+") == 2


def test_files_of_pictures() -> None:
    assert draw_comparison(GOLD, PREDICTED, format="png", scale=1).startswith(b"\x89PNG")
    assert draw_comparison(GOLD, PREDICTED, format="pdf").startswith(b"%PDF")


def test_svg_is_one_picture_with_captions() -> None:
    svg = draw_comparison(GOLD, PREDICTED, format="svg", names=("<gold>", "b"))
    root = ElementTree.fromstring(svg)
    space = "{http://www.w3.org/2000/svg}"
    inner = root.findall(f"{space}svg")
    assert len(inner) == 2
    first, second = (int(picture.get("y", "")) for picture in inner)
    assert second >= first + int(inner[0].get("height", ""))
    assert int(root.get("height", "")) >= second + int(inner[1].get("height", ""))
    captions = [t.text for g in root.findall(f"{space}g") for t in g.iter(f"{space}text")]
    assert captions == ["<gold>, marked −: NP, VP", "b, marked +: NP, NP"]
    assert svg.count("<style>") == 1
    assert "<style>" not in draw_comparison(GOLD, PREDICTED, format="svg", style=False)
    assert "class=" not in draw_comparison(GOLD, PREDICTED, format="svg", style="plain")


def test_long_captions_are_cut() -> None:
    labels = [Node("LABEL" * 5, [token]) for token in range(4)]
    svg = draw_comparison(Tree(WORDS, Node("S", labels)), PREDICTED, format="svg", width=200)
    assert int(ElementTree.fromstring(svg).get("width", "")) <= 500
    assert "…</text>" in svg


def test_words_must_agree() -> None:
    other = Tree([*WORDS[:3], Token("x")], Node("S", range(4)))
    with pytest.raises(UsageError, match="'d' and 'x' as word 4, expected the same words"):
        draw_comparison(GOLD, other)
    with pytest.raises(UsageError, match="have 4 and 3 words"):
        draw_comparison(GOLD, Tree(WORDS[:3], Node("S", range(3))))
    with pytest.raises(
        UsageError, match="cannot draw a comparison as 'gif'; formats are drawn, svg, tikz"
    ):
        draw_comparison(GOLD, PREDICTED, format="gif")  # type: ignore[call-overload]
