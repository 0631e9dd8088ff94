"""PDF: one tree a page, with text that can be found."""

from __future__ import annotations

import re
import sys
import warnings
import zlib

import pytest

from crossbranch.drawing import draw_pdf, pdf_fonts
from crossbranch.errors import UsageError
from crossbranch.tree import Node, SecondaryEdge, Token, Tree

pytest.importorskip("matplotlib")

QUESTION = Tree.from_string("(S (VP (WP 0=What) 3=do) (SQ 1=should 2=I))")
CAT = Tree.from_string("(S (NP The cat) (VP sat))")


def streams(pdf: bytes) -> list[bytes]:
    """The contents of the pages: what is drawn and written there."""
    found = []
    for match in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            content = zlib.decompress(match[1])
        except zlib.error:
            continue
        if re.search(rb"\bBT\b", content):
            found.append(content)
    return found


def texts(content: bytes) -> list[str]:
    """What is written on a page, text by text."""
    found = []
    for piece in re.findall(rb"\bBT\b(.*?)\bET\b", content, re.DOTALL):
        parts = re.findall(rb"\(((?:[^()\\]|\\.)*)\)", piece, re.DOTALL)
        found.append(b"".join(parts).replace(b"\x00", b"").decode("latin-1"))
    return found


def sizes(pdf: bytes) -> list[tuple[float, float]]:
    boxes = re.findall(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", pdf)
    return [(float(width), float(height)) for width, height in boxes]


def test_one_tree_a_page() -> None:
    pdf = draw_pdf([QUESTION, CAT])
    assert pdf.startswith(b"%PDF-")
    assert len(sizes(pdf)) == 2
    first, second = map(texts, streams(pdf))
    assert sorted(first) == sorted(["S", "VP", "SQ", "WP", "What", "should", "I", "do"])
    assert sorted(second) == sorted(["S", "NP", "VP", "The", "cat", "sat"])
    assert draw_pdf([QUESTION, CAT]) == pdf  # no date in it


def test_trees_are_taken_one_at_a_time_but_there_must_be_some() -> None:
    assert len(sizes(draw_pdf(tree for tree in [CAT]))) == 1
    with pytest.raises(UsageError, match="there are no trees"):
        draw_pdf([])


def test_the_size_of_the_words_is_that_of_the_page() -> None:
    [(width, height)] = sizes(draw_pdf([CAT]))
    [(wide, high)] = sizes(draw_pdf([CAT], font_size=21))
    assert (wide, high) == (2 * width, 2 * height)
    assert b"/F1 21 Tf" in streams(draw_pdf([CAT], font_size=21))[0]
    for size in (0.5, -1, float("nan"), 10000):
        with pytest.raises(UsageError, match=r"the font size is .*, expected 1 to 500"):
            draw_pdf([CAT], font_size=size)


def test_trees_fit_a_page() -> None:
    words = [Token(f"word{i}", "NN") for i in range(400)]
    wide = Tree(words, Node("S", [Node("NP", [0, 399]), *range(1, 399)]))
    deep: Node | int = 0
    for _ in range(200):
        deep = Node("X", [deep])
    tall = Tree([Token("a")], Node("S", [deep]))
    pdf = draw_pdf([CAT, wide, tall], fit=True)
    assert sizes(pdf) == [(595.28, 841.89)] * 3
    for content in streams(pdf):
        places = re.findall(rb"1 0 -?0 1 ([\d.]+) ([\d.]+) cm\s+BT", content)
        assert places
        assert all(40 < float(x) < 556 and 40 < float(y) < 802 for x, y in places)
    with pytest.raises(UsageError, match="either a width or fit"):
        draw_pdf([CAT], fit=True, width=500)


def test_no_page_is_too_large_to_be_shown() -> None:
    words = [Token("Donaudampfschifffahrtsgesellschaft") for _ in range(100)]
    tree = Tree(words, Node("S", range(100)))
    [(width, height)] = sizes(draw_pdf([tree]))
    assert width == 14400
    assert height < 50


def test_comparisons() -> None:
    other = QUESTION.replace(root=Node("S", [Node("VP", [0]), 1, 2, 3]))
    [page] = streams(draw_pdf([QUESTION], compare_with=[other], names=("mine", "yours")))
    found = texts(page)
    assert "yours, marked +: VP" in found
    assert any(text.startswith("mine, marked") for text in found)
    assert found.count("What") == 2
    with pytest.raises(UsageError, match="words differ"):
        draw_pdf([QUESTION], compare_with=[CAT])


def test_everything_that_can_be_shown() -> None:
    tokens = [Token("a", "A", morphology="Sg", edge_label="HD"), Token("b", "B")]
    tree = Tree(
        tokens, Node("S", [Node("NP", [0]), 1]), secondary_edges=[SecondaryEdge("SB", 1, 3)]
    )
    [page] = streams(draw_pdf([tree], morphology=True, secondary_edges=True))
    assert sorted(texts(page)) == ["A", "B", "HD", "NP", "S", "SB", "Sg", "a", "b"]
    [page] = streams(draw_pdf([tree], tags=False, edge_labels=False))
    assert sorted(texts(page)) == ["NP", "S", "a", "b"]


def test_no_character_has_a_meaning_of_its_own() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        [page] = streams(draw_pdf([Tree([Token("$x_2$"), Token("\\frac")], Node("S", [0, 1]))]))
    assert "$x_2$" in texts(page)


def test_characters_that_no_font_has(monkeypatch: pytest.MonkeyPatch) -> None:
    bundled = {"DejaVu Sans": pdf_fonts._fonts()["DejaVu Sans"]}
    monkeypatch.setattr(pdf_fonts, "_fonts", lambda: bundled)
    tree = Tree([Token("\N{CUNEIFORM SIGN A}"), Token("a")], Node("S", [0, 1]))
    with pytest.warns(UserWarning, match="no font on this machine has these characters"):
        assert draw_pdf([tree]).startswith(b"%PDF")


def test_scripts_of_the_bundled_font(recwarn: pytest.WarningsRecorder) -> None:
    draw_pdf([Tree([Token("שלום"), Token("مرحبا"), Token("Ökonomie")], Node("S", [0, 1, 2]))])
    assert not recwarn.list


def test_without_matplotlib_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r"crossbranch\[pdf\]"):
        draw_pdf([CAT])
