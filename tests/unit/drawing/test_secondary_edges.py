"""Secondary edges: curves in pictures, a list below texts."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from strategies import trees

from crossbranch.drawing import draw_svg, draw_text
from crossbranch.drawing.curves import Curve, _way, route
from crossbranch.drawing.picture import Options, picture_of
from crossbranch.drawing.rows import letters_of, notes_on
from crossbranch.drawing.shapes import Text
from crossbranch.tree import Node, SecondaryEdge, Token, Tree

WORDS = [Token(word, "X") for word in ["he", "came", "and", "saw"]]
SHARED = Tree(
    WORDS,
    Node("CS", [Node("S", [0, Node("V", [1])]), 2, Node("S", [Node("V", [3])])]),
    secondary_edges=[SecondaryEdge("SB", 0, 7)],
)


def test_an_arrow_from_the_child_to_its_further_parent() -> None:
    assert [node.label for node in SHARED.nodes] == ["CS", "S", "V", "S", "V"]
    picture = picture_of(SHARED, Options(secondary_edges=True))
    (curve,) = picture.curves
    boxes = {text.vertex: text.box for text in picture.texts if text.kind in ("label", "word")}
    for end, point in ((0, curve.points[0]), (7, curve.points[3])):
        left, top, right, bottom = boxes[end]
        assert left - 2 <= point[0] <= right + 2
        assert top <= point[1] <= bottom
    assert curve.head[0] == curve.points[3]
    assert [text.text for text in picture.texts if text.kind == "secondary"] == ["SB"]
    assert picture_of(SHARED, Options()).curves == ()


def test_svg_draws_it_dashed_and_only_if_asked() -> None:
    drawing = draw_svg(SHARED, secondary_edges=True)
    assert drawing.count('<path class="secondary"') == 1
    assert drawing.count('<path class="head secondary"') == 1
    assert ">SB</text>" in drawing
    assert ">SB</text>" not in draw_svg(SHARED)


@given(trees(rich=True))
@settings(max_examples=40, deadline=None)
def test_curves_end_where_they_should(tree: Tree) -> None:
    assume(tree.secondary_edges)
    picture = picture_of(tree, Options(secondary_edges=True))
    assert [curve.edge for curve in picture.curves] == list(tree.secondary_edges)
    boxes = {text.vertex: text.box for text in picture.texts if text.kind in ("label", "word")}
    for curve in picture.curves:
        ends = ((curve.edge.child, curve.points[0]), (curve.edge.parent, curve.points[3]))
        for end, (x, y) in ends:
            left, top, right, bottom = boxes[end]
            assert left - 6 <= x <= right + 6
            assert top - 3 <= y <= bottom + 3


def test_where_nothing_is_free_the_label_goes_below() -> None:
    texts = [Text("word", 20, 20, "a", 0, 0), Text("word", 40, 20, "b", 1, 1)]
    edges = [SecondaryEdge("LONG-LABEL", 0, 1), SecondaryEdge("LONG-LABEL", 1, 1)]
    curves, labels, (width, height) = route(edges, texts, [], (60, 30))
    assert len(curves) == 2
    assert [label.box.top > 30 for label in labels] == [True, True]
    assert not labels[0].box.meets(labels[1].box)
    assert height == max(label.box.bottom for label in labels) + 2
    assert width >= max(label.box.right for label in labels)


def test_the_head_of_an_arrow_points_the_way_it_goes() -> None:
    edge = SecondaryEdge("X", 0, 1)
    tip, one, two = Curve(edge, ((0, 0), (10, 0), (20, 0), (30, 0))).head
    assert tip == (30.0, 0.0)
    assert one[0] == two[0] == 24
    assert one[1] == -two[1] != 0
    standing = Curve(edge, ((5, 5), (5, 5), (5, 5), (5, 5)))  # no way to go
    assert standing.head[0] == (5, 5)


def test_panels_list_them_instead() -> None:
    drawing = draw_svg(SHARED, secondary_edges=True, width=145)
    assert ">SB: he[a] under S[b]</text>" in drawing
    assert ">he[a]<" in drawing
    assert 'class="secondary"' not in drawing


def test_text_lists_them_below_the_drawing() -> None:
    drawing = draw_text(SHARED, secondary_edges=True)
    assert drawing.endswith("\nhe[a]  came  and  saw\n\nSB: he[a] under S[b]")
    assert "[" not in draw_text(SHARED)
    plain = SHARED.replace(secondary_edges=())
    assert draw_text(plain, secondary_edges=True) == draw_text(SHARED)


def test_letters_go_on_after_z() -> None:
    size = 60
    edges = [SecondaryEdge("X", token, size) for token in range(size)]
    tree = Tree([Token("w")] * size, Node("S", range(size)), secondary_edges=edges)
    letters = list(letters_of(tree).values())
    assert len(set(letters)) == size + 1
    assert letters[0] == "[a]"
    assert letters[25:28] == ["[z]", "[aa]", "[ab]"]
    assert letters[52] == "[ba]"
    assert notes_on(tree, letters_of(tree))[0] == "X: w[a] under S[bi]"


@pytest.mark.parametrize("width", [20, 30])
def test_notes_fit_the_width(width: int) -> None:
    tree = SHARED.replace(secondary_edges=[SecondaryEdge("L" * 40, 0, 7)])
    drawing = draw_text(tree, secondary_edges=True, width=width)
    assert max(map(len, drawing.split("\n"))) <= width
    assert re.search(r"L{10,}…", drawing)


def test_curves_do_not_strike_through_their_ends() -> None:
    words = ["He", "came", "and", "saw", "it", "all", "the", "time", "in", "the", "big", "house"]
    inner = Node("ADV", [6, 7, Node("PP", [8, Node("NP", [9, 10, 11])])])
    root = Node("CS", [Node("S", [0, 1]), 2, Node("S", [3, Node("NP", [4, 5]), inner])])
    ends = [("SB", 0, 2), ("OA", 5, 1), ("MO-long-label", 11, 1)]
    edges = [SecondaryEdge(label, child, len(words) + node) for label, child, node in ends]
    tree = Tree([Token(word, "T") for word in words], root, secondary_edges=edges)
    picture = picture_of(tree, Options(secondary_edges=True))
    points = [point for curve in picture.curves for point in _way(curve.points)]
    written = [text for text in picture.texts if text.kind != "secondary"]
    assert not [t.text for t in written if any(t.box.holds(x, y) for x, y in points)]
