"""Slanted branches, and words of another size."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from strategies import trees

from crossbranch.drawing import draw_html, draw_svg, draw_tikz
from crossbranch.drawing.picture import Options, picture_of
from crossbranch.errors import UsageError
from crossbranch.tree import Node, Token, Tree

QUESTION = Tree.from_string("(S (VP (WP 0=What) 3=do) (SQ 1=should 2=I))")


@given(trees(rich=True, min_size=1))
def test_each_child_hangs_from_its_parent(tree: Tree) -> None:
    picture = picture_of(tree, Options(slanted=True))
    assert not picture.bars
    size = len(tree.sentence)
    assert Counter(slant.node for slant in picture.slants) == Counter(
        {size + i: len(node.children) for i, node in enumerate(tree.nodes) if node.children}
    )
    labels = {text.vertex: text for text in picture.texts if text.kind == "label"}
    for slant in picture.slants:
        above = labels[slant.node]
        assert slant.x == above.x
        assert above.y < slant.top < slant.bottom
    # No branch runs through a text: it ends above what it leads to, in the column of the child.
    for slant in picture.slants:
        for text in picture.texts:
            box = text.box
            if box.top < slant.bottom and slant.top < box.bottom:
                assert text.vertex == -1 or text.y < slant.top + 4
    for line in picture.lines:
        assert line.top < line.bottom


def test_slanted_svg_and_tikz() -> None:
    svg = draw_svg(QUESTION, slanted=True, style=False)
    assert len(re.findall(r"M\d+ \d+L\d+ \d+", svg)) == 6
    assert "H" not in "".join(re.findall(r'<path(?! class="(?:block|gap))[^>]* d="([^"]*)"', svg))
    tikz = draw_tikz(QUESTION, slanted=True)
    slopes = re.findall(r"\\draw\[tree branch[^]]*\] \(([\d.]+),[\d.]+\) -- \(([\d.]+),", tikz)
    assert any(left != right for left, right in slopes)
    assert svg != draw_svg(QUESTION, style=False)
    assert "L" in "".join(draw_html([QUESTION], slanted=True)).split("<path", 1)[1]


def test_panels_keep_right_angles() -> None:
    tree = Tree([Token(f"word{i}") for i in range(30)], Node("S", range(30)))
    assert draw_svg(tree, width=300, slanted=True) == draw_svg(tree, width=300)


def test_font_size() -> None:
    def size(svg: str) -> tuple[int, int]:
        found = re.search(r'width="(\d+)" height="(\d+)" viewBox="0 0 (\d+) (\d+)"', svg)
        assert found is not None
        return int(found[1]), int(found[3])

    normal, inner = size(draw_svg(QUESTION))
    assert normal == inner
    assert size(draw_svg(QUESTION, font_size=28)) == (2 * inner, inner)
    assert r"\fontsize{10}{12}" in draw_tikz(QUESTION)
    large = draw_tikz(QUESTION, font_size=15)
    assert r"\fontsize{15}{18}" in large
    assert "x=1.125pt" in large
    assert f'width="{2 * inner}"' in "".join(draw_html([QUESTION], font_size=28))
    with pytest.raises(UsageError, match="the font size is 0, expected 1 to 500"):
        draw_svg(QUESTION, font_size=0)


def test_larger_words_are_cut_earlier() -> None:
    tree = Tree([Token(f"word{i}") for i in range(30)], Node("S", range(30)))
    for font_size in (7, 14, 40):
        svg = draw_svg(tree, width=500, font_size=font_size)
        assert int(re.search(r'width="(\d+)"', svg)[1]) <= 500  # type: ignore[index]
