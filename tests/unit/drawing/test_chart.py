"""Charts: cells for continuous spans, and rows of blocks for discontinuous constituents."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from crossbranch.drawing import ChartConstituent, draw_chart
from crossbranch.errors import UsageError

WORDS = ["What", "should", "I", "do", "?"]
CONSTITUENTS = [
    ChartConstituent("SBARQ", [(0, 5)], 0.97, in_tree=True),
    ChartConstituent("SQ", [(0, 4)], 0.6, in_tree=True),
    ChartConstituent("S", [(0, 4)], 0.25),
    ChartConstituent("VP", [(0, 1), (2, 4)], 0.07),
    ChartConstituent("VP", [(0, 1), (3, 4)], 0.78, in_tree=True),
    ChartConstituent("VP", [(3, 4)], 0.005),
    ChartConstituent("X", [(1, 2)], 0.0, in_tree=True),
]
SVG = "{http://www.w3.org/2000/svg}"


def drawn(*args: object, **options: object) -> ElementTree.Element:
    return ElementTree.fromstring(draw_chart(*args, **options))  # type: ignore[arg-type]


def texts(picture: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in picture.iter(f"{SVG}text")]


def cells(picture: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the cells of spans, without the boxes of the legend."""
    return [one for one in picture.iter(f"{SVG}rect") if float(one.get("height", 0)) == 40]


def test_each_span_has_a_cell() -> None:
    picture = drawn(WORDS, CONSTITUENTS)
    assert len(cells(picture)) == 15
    shades = {one.get("fill-opacity") for one in cells(picture)}
    assert shades == {"0.000", "0.970", "0.850"}  # the labels of a span count together
    assert sum("chosen" in (one.get("class") or "") for one in cells(picture)) == 3


def test_cells_show_the_label_of_the_tree_and_tell_the_others() -> None:
    picture = drawn(WORDS, CONSTITUENTS)
    written = texts(picture)
    for text in ["SBARQ", ".97", "SQ", ".60", "X", *WORDS]:
        assert text in written
    assert "S" not in written
    titles = [one.text for one in picture.iter(f"{SVG}title")]
    assert "What should I do\nSQ  .60\nS  .25" in titles


def test_what_is_improbable_is_left_out() -> None:
    assert "VP" not in texts(drawn(WORDS, CONSTITUENTS))
    assert "VP" in texts(drawn(WORDS, CONSTITUENTS, least=0.001))


def test_discontinuous_constituents_are_rows_of_blocks() -> None:
    picture = drawn(WORDS, CONSTITUENTS)
    names = [text for text in texts(picture) if text.startswith("VP")]
    assert names == ["VP  .78", "VP  .07"]  # those of the tree first
    bands = [one for one in picture.iter(f"{SVG}path") if one.get("stroke-width") == "8"]
    assert [one.get("class") for one in bands] == ["band c0", "band other"]
    assert [len(re.findall("M", one.get("d") or "")) for one in bands] == [2, 2]


def test_right_to_left() -> None:
    def places(picture: ElementTree.Element) -> list[float]:
        return [float(one.get("x", 0)) for one in picture.iter(f"{SVG}text") if one.text in WORDS]

    assert places(drawn(WORDS, [])) == sorted(places(drawn(WORDS, [])))
    mirrored = places(drawn(WORDS, [], right_to_left=True))
    assert mirrored == sorted(mirrored, reverse=True)


@pytest.mark.parametrize("count", [1, 2, 3, 6])
def test_the_legend_covers_no_cell(count: int) -> None:
    picture = drawn(["word"] * count, [])
    legend = [one for one in picture.iter(f"{SVG}rect") if float(one.get("height", 0)) == 14]
    for one in legend:
        for cell in cells(picture):
            beside = float(cell.get("x", 0)) > float(one.get("x", 0)) + 22
            assert beside or float(cell.get("y", 0)) > float(one.get("y", 0)) + 14


def test_awkward_words_and_labels() -> None:
    picture = drawn(["<&>", "", "w" * 90], [ChartConstituent("<NP>", [(0, 2)], 0.4)])
    written = texts(picture)
    assert {"<&>", "--", "<NP>"} <= {*written}
    assert any(text.endswith("…") for text in written)


@pytest.mark.parametrize("blocks", [[], [(0, 9)], [(2, 1)], [(0, 2), (2, 3)], [(-1, 2)]])
def test_wrong_blocks_are_refused(blocks: list[tuple[int, int]]) -> None:
    with pytest.raises(UsageError, match="expected ranges of 5 tokens"):
        draw_chart(WORDS, [ChartConstituent("NP", blocks, 1)])


def test_there_must_be_tokens() -> None:
    with pytest.raises(UsageError, match="without tokens"):
        draw_chart([], [])
