"""Drawings as SVG: that they can be read back makes legibility a law."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from browser import open_file
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page
from strategies import trees

from crossbranch.drawing import draw_svg
from crossbranch.drawing.measure import text_width
from crossbranch.drawing.svg import STYLE
from crossbranch.drawing.writing import visible
from crossbranch.span import span_of
from crossbranch.tree import ROOT, Bracket, Node, Token, Tree

SVG = "{http://www.w3.org/2000/svg}"
LINE = re.compile(r"M(\d+) (\d+)V(\d+)")
BAR = re.compile(r"M(\d+) (\d+)V(\d+)M(\d+) (\d+)H(\d+)")
SIZES = {kind: int(size) for kind, size in re.findall(r"\.(\w+)\{font-size:(\d+)px", STYLE)}


def words(text: str) -> list[Token]:
    return [Token(word, "X") for word in text.split()]


CROSSED = Tree(words("a b c d"), Node(ROOT, [Node("A", [0, 2]), Node("B", [1, 3])]))


class Text(NamedTuple):
    kind: str
    x: int
    y: int
    text: str

    @property
    def left(self) -> float:
        return self.x - text_width(self.text, SIZES[self.kind]) / 2

    @property
    def right(self) -> float:
        return self.x + text_width(self.text, SIZES[self.kind]) / 2


class Drawing:
    """What a picture holds, knowing nothing but its marks on the paper."""

    def __init__(self, svg: str) -> None:
        self.root = ElementTree.fromstring(svg)
        self.texts = [
            Text(group.get("class", ""), int(t.get("x", "")), int(t.get("y", "")), t.text or "")
            for group in self.root.iter(f"{SVG}g")
            for t in group.iter(f"{SVG}text")
        ]
        self.bars: list[tuple[int, int, int, int]] = []  # stem, y, first x, last x
        self.lines: list[tuple[int, int, int]] = []  # x, from y, to y
        self.halos: list[tuple[int, int, int]] = []
        self.order: list[str] = []
        for path in self.root.iter(f"{SVG}path"):
            self._path(path.get("class", ""), path.get("d", ""))

    def _path(self, name: str, strokes: str) -> None:
        if "H" in strokes:
            self.order.append("bars")
            for stem, _, y, first, _, last in BAR.findall(strokes):
                self.bars.append((int(stem), int(y), int(first), int(last)))
            return
        found = [(int(x), int(start), int(stop)) for x, start, stop in LINE.findall(strokes)]
        if name == "halo":
            self.order.append("halos")
            self.halos += found
        else:
            self.order.append("lines")
            self.lines += found

    def brackets(self) -> Counter[Bracket]:
        """Read the brackets back, by following the lines down from each bar."""
        leaves = sorted(text.x for text in self.texts if text.kind == "word")
        spans: dict[tuple[int, int, int, int], int] = {}
        for bar in sorted(self.bars, key=lambda bar: -bar[1]):
            span = 0
            for x, start, stop in self.lines:
                if start == bar[1] and bar[2] <= x <= bar[3]:
                    below = [b for b in self.bars if b[0] == x and stop < b[1] <= stop + 40]
                    span |= spans[min(below, key=lambda b: b[1])] if below else 0
                    span |= 0 if below else span_of([leaves.index(x)])
            spans[bar] = span
        return Counter(Bracket(self._label(bar), span) for bar, span in spans.items())

    def _label(self, bar: tuple[int, int, int, int]) -> str:
        above = [t for t in self.texts if t.kind == "label" and t.x == bar[0] and t.y < bar[1]]
        return max(above, key=lambda text: text.y).text


@given(trees(rich=False, min_size=1))
def test_a_picture_can_be_read_back(tree: Tree) -> None:
    drawn = Drawing(draw_svg(tree)).brackets()
    assert drawn == Counter(Bracket(node.label, node.span) for node in tree.nodes)


@given(trees(rich=True), st.booleans(), st.booleans())
def test_nothing_overlaps(tree: Tree, edge_labels: bool, tags: bool) -> None:
    drawing = Drawing(draw_svg(tree, edge_labels=edge_labels, tags=tags))
    rows: dict[int, list[Text]] = {}
    for text in drawing.texts:
        rows.setdefault(text.y, []).append(text)
    for row in rows.values():
        for one, two in pairwise(sorted(row, key=lambda text: text.x)):
            assert one.right < two.left
    for text in drawing.texts:
        for x, start, stop in drawing.lines:
            assert not (text.left <= x <= text.right and start < text.y <= stop), text
    edge = float(drawing.root.get("width", "")), float(drawing.root.get("height", ""))
    assert all(t.left >= 0 and t.right <= edge[0] and 0 < t.y < edge[1] for t in drawing.texts)


@given(trees(rich=True))
def test_everything_is_written(tree: Tree) -> None:
    drawing = Drawing(draw_svg(tree))
    found = {kind: Counter(t.text for t in drawing.texts if t.kind == kind) for kind in SIZES}
    assert found["word"] == Counter(visible(token.form or "--") for token in tree.sentence)
    assert found["label"] == Counter(visible(node.label or "--") for node in tree.nodes)
    assert found["tag"] == Counter(visible(token.tag) for token in tree.sentence if token.tag)
    vertices: list[Token | Node] = [*tree.sentence, *tree.nodes]
    assert found["edge"] == Counter(visible(v.edge_label) for v in vertices if v.edge_label)


@given(trees(rich=True))
def test_a_crossing_is_no_branching(tree: Tree) -> None:
    drawing = Drawing(draw_svg(tree))
    assert drawing.order == sorted(drawing.order)  # bars, halos, lines
    # Each line has a halo, which begins below the bar that it hangs from.
    assert sorted(drawing.halos) == sorted((x, y + 3, stop) for x, y, stop in drawing.lines)


def test_crossings_of_ill_nested_trees() -> None:
    drawing = Drawing(draw_svg(CROSSED))
    crossings = [
        (x, y)
        for x, start, stop in drawing.halos
        for _, y, first, last in drawing.bars
        if first < x < last and start < y < stop
    ]
    assert len(crossings) == 2  # b passes the bar of A, c that of B
    assert 'class="discontinuous c0"' in draw_svg(CROSSED)
    assert 'class="discontinuous c1"' in draw_svg(CROSSED)


def test_marks_are_counted() -> None:
    chain = Tree(words("a b"), Node("S", [Node("NP", [Node("NP", [Node("NP", [0])])]), 1]))
    noun = Bracket("NP", 0b01)
    for marked, count in [([], 0), ([noun], 1), ([noun, noun], 2), ({noun}, 1), ([noun] * 9, 3)]:
        assert draw_svg(chain, marked=marked).count("<rect class=") == 1 + count
    assert draw_svg(chain, marked=Counter({noun: 2})).count("<rect class=") == 3
    assert draw_svg(chain, marked=[Bracket("NP", 0b11), Bracket("VP", 0b01)]).count("<rect ") == 1


def test_text_is_escaped_and_nothing_comes_from_outside() -> None:
    tree = Tree([Token("</text><script>", "&"), Token('"x"\x00\x0b')], Node("<x>", [0, 1]))
    svg = draw_svg(tree)
    assert "<script" not in svg
    assert {"</text><script>", "&", '"x"\\x00\\x0b', "<x>"} <= {t.text for t in Drawing(svg).texts}
    assert re.findall(r"https?:[^\"]*|url\(|href|@import", svg) == ["http://www.w3.org/2000/svg"]


def test_options() -> None:
    tree = Tree([Token("a", "X", edge_label="HD")], Node("S", [0]))
    full = draw_svg(tree)
    assert all(f">{text}<" in full for text in ("a", "X", "HD", "S"))
    assert ">X<" not in draw_svg(tree, tags=False)
    assert ">HD<" not in draw_svg(tree, edge_labels=False)
    assert "<style>" in full
    assert "<style>" not in draw_svg(tree, style=False)


def test_no_tokens_and_many_levels() -> None:
    assert [t.text for t in Drawing(draw_svg(Tree([], Node("S", [])))).texts] == ["S"]
    node: Node | int = 0
    for _ in range(3000):
        node = Node("X", [node])
    assert isinstance(node, Node)
    assert draw_svg(Tree([Token("a")], node)).count(">X<") == 3000


def test_wide_characters_count_double() -> None:
    assert text_width("", 10) == 0
    assert text_width("漢字", 10) >= 20
    assert text_width("e\u0301", 10) == text_width("e", 10)
    assert text_width("il", 10) < text_width("ab", 10) < text_width("WM", 10)


OVERLAPS = """
const found = [];
for (const svg of document.querySelectorAll("svg")) {
  const boxes = [...svg.querySelectorAll("text")].map((t) => [t.textContent, t.getBBox()]);
  boxes.forEach(([one, a], i) => boxes.slice(i + 1).forEach(([two, b]) => {
    const apart = a.x + a.width <= b.x || b.x + b.width <= a.x;
    const rows = a.y + a.height - 4 <= b.y || b.y + b.height - 4 <= a.y;
    if (!apart && !rows) found.push(`${one} ${two}`);
  }));
}
document.body.textContent = `overlaps: ${found.length} ${found.slice(0, 9)}`;
"""


def test_real_fonts_fit(tab: Page, tmp_path: Path) -> None:
    drawn = []

    @settings(max_examples=60, database=None, deadline=None)
    @given(trees(rich=True, min_size=2))
    def draw(tree: Tree) -> None:
        drawn.append(draw_svg(tree))
        drawn.append(draw_svg(tree, morphology=True, secondary_edges=True))
        drawn.append(draw_svg(tree, secondary_edges=True, width=200))

    draw()
    drawn.append(
        draw_svg(
            Tree(words("WWWWW MMMM QOGD @@@@ %%%% مرحبا שלום 漢字 😀😀😀"), Node("S", range(9)))
        )
    )
    page = tmp_path / "trees.html"
    start = '<!DOCTYPE html><meta charset="utf-8"><body>'
    page.write_text(f"{start}{''.join(drawn)}<script>{OVERLAPS}</script>", encoding="utf-8")
    open_file(tab, page)
    assert tab.inner_text("body").strip() == "overlaps: 0"


@pytest.mark.parametrize("name", ["gold", "weak"])
def test_real_trees_can_be_read_back(shared: Path, name: str) -> None:
    from crossbranch import read

    for tree in read(shared / "golden" / "evaluation" / f"{name}-120.discbracket"):
        drawn = Drawing(draw_svg(tree)).brackets()
        assert drawn == Counter(Bracket(node.label, node.span) for node in tree.nodes)
