"""PNG: the converter that is present does the work; without one, an error says what to install."""

from __future__ import annotations

import os
import struct
import sys
import zlib
from pathlib import Path

import pytest

from crossbranch.drawing import draw_png, draw_svg, png, svg_to_png
from crossbranch.errors import UsageError
from crossbranch.tree import Bracket, Node, SecondaryEdge, Token, Tree

TREE = Tree(
    [Token(w, "X", edge_label="HD") for w in ["What", "should", "I", "do"]],
    Node("SBARQ", [Node("VP", [0, 3]), Node("SQ", [1, 2])]),
    secondary_edges=[SecondaryEdge("SB", 1, 5)],
)


def size(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def grey(width: int, height: int) -> bytes:
    """A picture whose rows are 0, 1, 2, ..."""
    rows = b"".join(bytes([0, *[row] * width]) for row in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = [(b"IHDR", header), (b"tEXt", b"a\0b"), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def test_a_picture_of_the_right_size() -> None:
    try:
        one = draw_png(TREE, scale=1)
    except UsageError as error:
        assert "PNG drawings need a converter" in str(error)
        pytest.skip(str(error))
    two = draw_png(TREE)
    width, height = size(one)
    assert size(two) == (2 * width, 2 * height)
    assert f'width="{width}" height="{height}"' in draw_svg(TREE)


def test_options_are_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "CONVERTERS", {"echo": lambda svg, scale: f"{scale} {svg}".encode()})
    drawn = draw_png(TREE, scale=3, tags=False, secondary_edges=True)
    expected = draw_svg(TREE, style="plain", tags=False, secondary_edges=True)
    assert drawn == f"3 {expected}".encode()


def test_attributes_and_style_sheet_look_the_same() -> None:
    """For a reader who prefers light pages, and has a browser."""
    browser = png.CONVERTERS["chromium"]
    marked = [Bracket("VP", 0b1001), Bracket("SQ", 0b0110)]

    def seen(style: bool | str) -> bytes | None:
        return browser(
            draw_svg(TREE, marked=marked, secondary_edges=True, style=style),  # type: ignore[arg-type]
            1.0,
        )

    plain = seen("plain")
    if plain is None:
        pytest.skip("there is no Chromium")
    assert seen(True) == plain
    assert seen(False) != plain


def test_plain_pictures_have_no_style_sheet() -> None:
    svg = draw_svg(TREE, style="plain", secondary_edges=True)
    assert "<style" not in svg
    assert "class=" not in svg
    assert "currentColor" not in svg


def test_without_a_converter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "CONVERTERS", {"none": lambda svg, scale: None})
    with pytest.raises(UsageError, match=r"install one of: .* resvg-py .* cairosvg.* rsvg-convert"):
        draw_png(TREE)


def test_the_first_converter_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    order = {"a": lambda *_: None, "b": lambda *_: b"b", "c": lambda *_: b"c"}
    monkeypatch.setattr(png, "CONVERTERS", order)
    assert draw_png(TREE) == b"b"


def test_what_cannot_be_converted() -> None:
    with pytest.raises(UsageError, match="the scale is 0, expected more than 0"):
        draw_png(TREE, scale=0)
    with pytest.raises(
        UsageError, match=r"expected at most \d+ in each direction; give a smaller scale"
    ):
        draw_png(TREE, scale=1000)
    with pytest.raises(
        UsageError, match="64000 by 50 pixels, expected at most 16000 in each direction"
    ):
        svg_to_png('<svg width="128000" height="100">')
    with pytest.raises(UsageError, match="not an SVG picture"):
        svg_to_png("<svg/>")


@pytest.mark.parametrize(("width", "scale"), [(100, 2), (14606, 1.095), (32000, 0.5)])
def test_large_pictures_are_drawn_smaller(
    width: int, scale: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(png, "CONVERTERS", {"echo": lambda svg, scale: f"{scale:g}".encode()})
    assert svg_to_png(f'<svg width="{width}" height="100">') == f"{scale:g}".encode()


@pytest.mark.parametrize("height", [1, 3, 5, 9])
def test_rows_are_cut_off(height: int) -> None:
    cut = png._crop(grey(4, 5), height)
    assert cut == (grey(4, 5) if height >= 5 else cut)
    assert size(cut) == (4, min(height, 5))
    assert cut == grey(4, min(height, 5))


@pytest.mark.skipif(sys.platform == "win32", reason="scripts are no programs there")
def test_programs_are_run_without_a_display(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "made.png").write_bytes(grey(2, 2))
    program = tmp_path / "rsvg-convert"
    program.write_text(
        f'#!/bin/sh\n[ -z "$DISPLAY" ] && grep -q "<svg" "$5" && cat "{tmp_path}/made.png" > "$4"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("DISPLAY", ":0")
    convert = png.CONVERTERS["rsvg-convert"]
    assert convert(draw_svg(TREE), 1.5) == grey(2, 2)
    program.write_text("#!/bin/sh\nexit 1\n")
    assert convert(draw_svg(TREE), 1.5) is None
    program.write_text('#!/bin/sh\necho rubbish > "$4"\n')
    assert convert(draw_svg(TREE), 1.5) is None
