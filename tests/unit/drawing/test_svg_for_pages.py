"""Pictures for pages with scripts: numbers of vertices, light and dark colours."""

from __future__ import annotations

import re

import pytest

from crossbranch.drawing import draw_svg
from crossbranch.errors import UsageError
from crossbranch.tree import Tree


def test_pictures_for_pages_know_their_vertices() -> None:
    tree = Tree.from_string("(S (VP 0=What 3=do) (SQ 1=should 2=I))")
    plain, numbered = draw_svg(tree), draw_svg(tree, vertices=True)
    assert "data-vertex" not in plain
    texts = re.findall(r'<text[^>]* data-vertex="(\d+)"[^>]*>([^<]*)<', numbered)
    assert sorted(texts) == sorted(
        [
            ("0", "What"),
            ("1", "should"),
            ("2", "I"),
            ("3", "do"),
            ("4", "S"),
            ("5", "VP"),
            ("6", "SQ"),
        ]
    )
    lines = re.findall(r'<path[^>]* data-vertex="(\d+)"', numbered)
    assert set(lines) == {"4", "5", "6"}
    marked = draw_svg(tree, vertices=True, marked=[6])
    assert re.search(r'<rect class="marked" data-vertex="6"', marked)


def test_light_and_dark_pictures() -> None:
    tree = Tree.from_string("(S (VP 0=What 3=do) (SQ 1=should 2=I))")
    assert "prefers-color-scheme" in draw_svg(tree)
    light, dark = draw_svg(tree, theme="light"), draw_svg(tree, theme="dark")
    assert "prefers-color-scheme" not in light + dark
    assert "#1b1d20" in dark
    assert "#1b1d20" not in light
    sheet = re.search(r"<style>(.*)</style>", dark, re.DOTALL)
    assert sheet is not None
    assert sheet[1].count("{") == sheet[1].count("}")
    with pytest.raises(UsageError, match="theme is 'pink', expected one of auto, light, dark"):
        draw_svg(tree, theme="pink")  # type: ignore[arg-type]
