"""Pictures as shapes: nothing overlaps, nothing is lost, whatever is shown and however wide."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import trees

from crossbranch.drawing.measure import shorten, text_width
from crossbranch.drawing.picture import Options, Picture, picture_of
from crossbranch.drawing.shapes import Box
from crossbranch.errors import UsageError
from crossbranch.tree import ROOT, Bracket, Node, Token, Tree


@st.composite
def options(draw: st.DrawFn, tree: Tree) -> Options:
    return Options(
        marked=draw(st.lists(st.sampled_from(tree.brackets), max_size=3)),
        mark=draw(st.sampled_from(["", "+", "−"])),
        edge_labels=draw(st.booleans()),
        tags=draw(st.booleans()),
        morphology=draw(st.booleans()),
        secondary_edges=draw(st.booleans()),
        blocks=draw(st.booleans()),
        width=draw(st.none() | st.integers(120, 500)),
        right_to_left=draw(st.none() | st.booleans()),
    )


@st.composite
def pictures(draw: st.DrawFn) -> tuple[Tree, Options, Picture]:
    tree = draw(trees(rich=True, max_size=12))
    chosen = draw(options(tree))
    return tree, chosen, picture_of(tree, chosen)


@given(pictures())
@settings(max_examples=80, deadline=None)
def test_no_two_labels_overlap(drawn: tuple[Tree, Options, Picture]) -> None:
    _, _, picture = drawn
    paper = Box(0, 0, picture.width, picture.height)
    for text in picture.texts:
        left, top, right, bottom = text.box
        assert left >= paper.left
        assert right <= paper.right
        assert top >= paper.top
        assert bottom <= paper.bottom
    for one, two in combinations(picture.texts, 2):
        assert not one.box.meets(two.box), (one, two)


@given(pictures())
@settings(max_examples=40, deadline=None)
def test_lines_and_outlines_keep_clear_of_labels(drawn: tuple[Tree, Options, Picture]) -> None:
    _, _, picture = drawn
    texts = [text for text in picture.texts if text.kind != "secondary"]
    for line in picture.lines:
        way = Box(line.x - 1, line.top, line.x + 1, line.bottom)
        assert not any(way.meets(text.box) for text in texts)
    for bar in picture.bars:
        way = Box(bar.left, bar.y - 1, bar.right, bar.y + 1)
        assert not any(way.meets(text.box) for text in texts)
    for box in picture.outlines:
        frame = Box(box.left, box.top, box.left + box.width, box.top + box.height)
        inside = [text for text in texts if frame.meets(text.box)]
        assert [text.vertex for text in inside] == [box.vertex]


@given(pictures())
@settings(max_examples=40, deadline=None)
def test_every_vertex_is_drawn_once(drawn: tuple[Tree, Options, Picture]) -> None:
    tree, chosen, picture = drawn
    count = Counter(text.vertex for text in picture.texts if text.kind in ("label", "word"))
    assert count == Counter(range(len(tree.parents)))
    assert Counter(line.node for line in picture.lines) == Counter(
        parent for parent in tree.parents if parent >= 0
    )
    stems = Counter(bar.node for bar in picture.bars if bar.stem is not None)
    nodes = range(len(tree.sentence), len(tree.parents))
    assert stems == Counter(node for node in nodes if tree.sentence)
    shown = [text for text in picture.texts if text.kind in ("secondary", "note")]
    assert len(shown) == (len(tree.secondary_edges) if chosen.secondary_edges else 0)


@given(pictures())
@settings(max_examples=40, deadline=None)
def test_lines_hang_from_bars(drawn: tuple[Tree, Options, Picture]) -> None:
    _, _, picture = drawn
    for line in picture.lines:
        hooks = [
            bar
            for bar in picture.bars
            if bar.node == line.node and bar.y == line.top and bar.left <= line.x <= bar.right
        ]
        assert len(hooks) == 1
        assert line.bottom > line.top


@given(trees(rich=False, min_size=6, max_size=16), st.integers(120, 200), st.booleans())
@settings(max_examples=40, deadline=None)
def test_cut_bars_are_numbered_on_both_sides(tree: Tree, width: int, mirrored: bool) -> None:
    picture = picture_of(tree, Options(width=width, right_to_left=mirrored))
    assert picture.width <= width
    pieces = Counter(bar.node for bar in picture.bars)
    cuts: dict[int, list[str]] = {}
    for text in picture.texts:
        if text.kind == "cut":
            cuts.setdefault(text.owner, []).append(text.text)
    for node, count in pieces.items():  # n pieces have n - 1 cuts, each with two sides
        assert len(cuts.get(node, [])) == 2 * (count - 1)
        assert len(set(cuts.get(node, ["1"]))) == 1
    numbers = [found[0] for found in cuts.values()]
    assert len(set(numbers)) == len(numbers)


@given(trees(rich=False, min_size=2))
@settings(deadline=None)
def test_right_to_left_is_the_mirror_image(tree: Tree) -> None:
    picture = picture_of(tree, Options(right_to_left=True))
    words = [text for text in picture.texts if text.kind == "word"]
    assert all(one.x > two.x for one, two in pairwise(words))
    straight = picture_of(tree, Options(right_to_left=False))
    assert (picture.width, len(picture.bars)) == (straight.width, len(straight.bars))


@pytest.mark.parametrize(
    ("words", "mirrored"),
    [
        ("את הספר קראתי", True),
        ("قرأت الكتاب", True),
        ("the book שלום", False),
        ("שלום ABC עולם", True),
        ("1 2 !", False),
        ("", False),
    ],
)
def test_the_words_say_which_way_they_run(words: str, mirrored: bool) -> None:
    sentence = [Token(word) for word in words.split()]
    tree = Tree(sentence, Node(ROOT, range(len(sentence))))
    places = [text.x for text in picture_of(tree, Options()).texts if text.kind == "word"]
    assert places == sorted(places, reverse=mirrored)


def test_bands_underline_blocks_and_join_them() -> None:
    tree = Tree([Token(word) for word in "abcde"], Node("S", [Node("X", [0, 1, 3]), 2, 4]))
    picture = picture_of(tree, Options())
    words = {text.text: text.box for text in picture.texts if text.kind == "word"}
    blocks = [(b.left, b.right) for b in picture.bands if not b.is_gap]
    (first, last), (start, stop) = blocks
    assert first <= words["a"].left + 1
    assert words["b"].right - 1 <= last < words["c"].left
    assert words["c"].right < start <= words["d"].left + 1
    assert [(b.left, b.right) for b in picture.bands if b.is_gap] == [(last, start)]
    assert stop < words["e"].left
    assert all(b.y > words["a"].bottom for b in picture.bands)
    assert picture_of(tree, Options(blocks=False)).bands == ()


@given(trees(rich=False, min_size=1, max_size=14), st.none() | st.integers(120, 200))
@settings(max_examples=40, deadline=None)
def test_bands_never_touch(tree: Tree, width: int | None) -> None:
    bands = picture_of(tree, Options(width=width)).bands
    for one, two in combinations(bands, 2):
        assert one.y != two.y or one.right <= two.left or two.right <= one.left
    assert {band.node for band in bands} == {
        number
        for number, node in enumerate(tree.nodes, len(tree.sentence))
        if node.is_discontinuous
    }


def test_narrow_pictures_cut_long_words() -> None:
    tree = Tree([Token("x" * 99, "X" * 99)], Node("LABEL" * 20, [0]))
    picture = picture_of(tree, Options(width=120))
    assert picture.width <= 120
    assert all(text.text.endswith("…") for text in picture.texts)
    with pytest.raises(UsageError, match="the width is 119, expected 120 or more"):
        picture_of(tree, Options(width=119))


@given(st.text(max_size=30), st.integers(8, 16), st.integers(20, 200))
def test_shortened_texts_fit(text: str, size: int, room: int) -> None:
    short = shorten(text, size, room)
    assert text_width(short, size) <= room
    assert short == text or (short.endswith("…") and text.startswith(short[:-1]))
    assert short == text or text_width(text, size) > room


def test_marks_count_as_part_of_the_label() -> None:
    tree = Tree([Token("a")], Node("NP", [0]))
    picture = picture_of(tree, Options(marked=[Bracket("NP", 1)], mark="+"))
    assert [text.text for text in picture.texts] == ["a", "+NP"]
    assert picture.marked == {1}
    assert [box.vertex for box in picture.outlines] == [1]
