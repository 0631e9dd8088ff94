"""Tree.draw: one call for all drawings, and what prompts and notebooks show."""

from __future__ import annotations

import pickle
import re
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from crossbranch.drawing import draw_svg, draw_text, draw_tikz
from crossbranch.drawing.dispatch import DRAWERS, ENDINGS, NOTEBOOK_WIDTH, Drawing, draw
from crossbranch.errors import UsageError
from crossbranch.tree import ROOT, Node, Token, Tree


def example() -> Tree:
    words = [Token("What", "WP"), Token("should", "MD"), Token("I", "PRP"), Token("do", "VB")]
    return Tree(words, Node(ROOT, [Node("SQ", [Node("VP", [0, 3], edge_label="OC"), 1, 2])]))


def png(tree: Tree, *path: Path, **options: Any) -> Any:
    try:
        return tree.draw(*path, format="png", **options)
    except UsageError as error:
        if "PNG drawings need a converter" not in str(error):
            raise
        pytest.skip(str(error))


# --- formats


def test_the_default_is_text() -> None:
    assert example().draw() == draw_text(example())
    assert example().draw(ascii=True, tags=False) == draw_text(example(), ascii=True, tags=False)


def test_formats_by_name() -> None:
    tree = example()
    assert tree.draw(format="svg") == draw_svg(tree)
    assert tree.draw(format="tikz", standalone=True) == draw_tikz(tree, standalone=True)
    page = tree.draw(format="html", title="A tree")
    assert page.lower().startswith("<!doctype html>")
    assert "A tree" in page
    assert png(tree, scale=1, tags=False).startswith(b"\x89PNG")


@pytest.mark.parametrize("ending", sorted(ENDINGS.keys() - {".pdf", ".png"}))
def test_the_ending_of_a_file_tells_the_format(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"tree{ending.upper()}"
    for target in (path, str(path)):
        assert example().draw(target, edge_labels=False) is None
        drawn = draw(example(), format=ENDINGS[ending], edge_labels=False)
        assert isinstance(drawn, Drawing)
        assert path.read_text(encoding="utf-8") == drawn.rstrip("\n") + "\n"


def test_pictures_in_files(tmp_path: Path) -> None:
    png(example(), tmp_path / "tree.png", scale=1)
    assert (tmp_path / "tree.png").read_bytes().startswith(b"\x89PNG")


def test_a_format_goes_before_the_ending(tmp_path: Path) -> None:
    example().draw(tmp_path / "tree.txt", format="svg")
    assert (tmp_path / "tree.txt").read_text(encoding="utf-8").startswith("<svg")


# --- what is wrong


def test_wrong_calls_are_explained(tmp_path: Path) -> None:
    tree: Any = example()
    with pytest.raises(UsageError, match=r"cannot draw as 'gif'; formats are drawn, svg, tikz"):
        tree.draw(format="gif")
    with pytest.raises(UsageError, match=r"by the name 'tree.gif': .* ends in one of .txt, .svg"):
        tree.draw("tree.gif")
    with pytest.raises(
        UsageError, match=r"the format svg has no option 'ascii'; options are marked, "
    ):
        tree.draw(format="svg", ascii=True)
    with pytest.raises(
        UsageError, match=r"the format png has no option 'style'; options are scale, mark"
    ):
        tree.draw(tmp_path / "tree.png", style="plain")
    with pytest.raises(UsageError, match=r"the format drawn has no option 'slanted'"):
        tree.draw(slanted=True)
    with pytest.raises(UsageError, match=r"the format drawn has no option 'font_size'"):
        tree.draw(font_size=20)
    with pytest.raises(UsageError, match=r"either a width or fit"):
        tree.draw(fit=True, width=30)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format", DRAWERS)
def test_wide_trees_fit(format: str) -> None:
    words = [Token(f"word{i}", "NN") for i in range(60)]
    tree = Tree(words, Node(ROOT, [Node("NP", [0, 30, 59]), *range(1, 30), *range(31, 59)]))
    drawn: Any = png(tree, fit=True) if format == "png" else draw(tree, format=format, fit=True)
    assert drawn is not None
    if format == "drawn":
        assert max(map(len, drawn.split("\n"))) <= 80
    elif format in ("svg", "html"):
        widths = re.findall(r'<svg [^>]*\bwidth="([\d.]+)', str(drawn))
        assert float(widths[0]) <= {"svg": 640, "html": 1000}[format]
    elif format == "png":
        assert int.from_bytes(drawn[16:20]) <= 2 * 640
    elif format == "pdf":
        assert re.findall(rb"/MediaBox \[([^]]*)\]", drawn) == [b" 0 0 595.28 841.89 "]
    else:
        right = [float(x) for x in re.findall(r"\(([\d.]+),", str(drawn))]
        assert max(right) <= 460


# --- prompts and notebooks


def test_prompts_show_drawings_without_quotes() -> None:
    drawn = draw(example())
    assert repr(drawn) == str(drawn) == draw_text(example())
    assert pickle.loads(pickle.dumps(drawn)) == drawn


@pytest.mark.parametrize(
    ("format", "mime_type"),
    [
        ("drawn", "text/plain"),
        ("tikz", "text/plain"),
        ("svg", "image/svg+xml"),
        ("html", "text/html"),
    ],
)
def test_notebooks_show_what_is_drawn(format: str, mime_type: str) -> None:
    drawn = draw(example(), format=format)
    assert isinstance(drawn, Drawing)
    assert drawn._repr_mimebundle_(include=None, exclude=None) == {mime_type: str(drawn)}


def test_notebooks_show_pixels() -> None:
    drawn = png(example(), scale=1)
    assert drawn._repr_png_() == drawn


def test_notebooks_show_trees_as_pictures() -> None:
    assert example()._repr_svg_() == draw_svg(example(), width=NOTEBOOK_WIDTH)
    ElementTree.fromstring(Tree([], Node(ROOT))._repr_svg_())


def test_large_trees_in_notebooks_are_cut_to_fit_and_quickly_drawn() -> None:
    words = [Token(f"word{i}", "NN") for i in range(400)]
    nodes = [Node("NP", [i, i + 1, i + 3]) for i in range(0, 400, 4)]
    tree = Tree(words, Node(ROOT, [*nodes, *range(2, 400, 4)]))
    begin = time.process_time()
    picture = tree._repr_svg_()
    assert time.process_time() - begin < 5
    assert len(picture) < 1_000_000
    width = re.search(r'<svg [^>]*\bwidth="([\d.]+)', picture)
    assert width is not None
    assert float(width[1]) <= NOTEBOOK_WIDTH


def test_every_format_has_an_ending() -> None:
    assert set(ENDINGS.values()) == set(DRAWERS)
