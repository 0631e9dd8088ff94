"""Trees as PNG, made by any converter that is installed: a Python package or a program."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import tempfile
import zlib
from collections.abc import Callable, Iterable
from importlib import import_module
from math import ceil, floor
from pathlib import Path
from typing import Any, TypedDict, Unpack

from crossbranch.doors import door
from crossbranch.drawing.rows import Mark
from crossbranch.drawing.svg import draw_svg
from crossbranch.errors import UsageError
from crossbranch.tree import Tree

_LARGEST = 16000  # pixels: beyond, browsers and cairo refuse
_SCALE = 2.0
_LEGIBLE = 0.5  # the least scale at which people can read the words
_SECONDS = 120
_TITLE_BAR = 200  # more than the part of a window that browsers leave blank in their screenshots
_Converter = Callable[[str, float], bytes | None]
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class PngOptions(TypedDict, total=False):
    """The options of `draw_svg`, without its style."""

    marked: Iterable[Mark]
    mark: str
    edge_labels: bool
    tags: bool
    morphology: bool
    secondary_edges: bool
    blocks: bool
    width: int | None
    right_to_left: bool | None
    slanted: bool
    font_size: float


@door
def draw_png(tree: Tree, *, scale: float | None = None, **options: Unpack[PngOptions]) -> bytes:
    """Draw a tree as PNG, light and with the sans-serif font of the machine.

    Args:
        tree: The tree to draw.
        scale: Pixels for each point of the SVG picture (default: 2, or less if it is large).
        options: The options of `draw_svg`, except `style`.

    Returns:
        The bytes of a PNG file.

    Raises:
        UsageError: No converter is installed, or the picture would be too large.
    """
    return svg_to_png(draw_svg(tree, style="plain", **options), scale=scale)


@door
def svg_to_png(svg: str, *, scale: float | None = None) -> bytes:
    """Convert a picture that `draw_svg` made with `style="plain"`.

    Raises:
        UsageError: No converter is installed, or the picture would be too large.
    """
    scale = _fitting(*_size(svg), scale)
    for converter in CONVERTERS.values():
        found = converter(svg, scale)
        if found is not None:
            return found
    raise UsageError(
        "PNG drawings need a converter; install one of: the Python package resvg-py "
        '(pip install "crossbranch[png]") or cairosvg, or the program rsvg-convert, resvg, '
        "inkscape or chromium"
    )


def _fitting(width: int, height: int, scale: float | None) -> float:
    """The scale of a picture: the given one, or else the largest that is possible and readable."""
    if scale is None:
        scale = min(_SCALE, floor(1000 * _LARGEST / max(width, height)) / 1000)
        scale = max(scale, _LEGIBLE)
    if scale <= 0:
        raise UsageError(f"the scale is {scale:g}, expected more than 0")
    if max(width, height) * scale > _LARGEST:
        raise UsageError(
            f"the picture would be {width * scale:.0f} by {height * scale:.0f} pixels, expected at "
            f"most {_LARGEST} in each direction; give a smaller scale, or a width for panels"
        )
    return scale


def _size(svg: str) -> tuple[int, int]:
    found = re.search(r'width="(\d+)" height="(\d+)"', svg)
    if found is None:
        raise UsageError("the text is not an SVG picture with a width and a height")
    return int(found[1]), int(found[2])


def _package(name: str) -> Any:
    """An optional Python package; None if it is not installed."""
    try:
        return import_module(name)
    except (ImportError, OSError):  # OSError: a library that it needs is missing
        return None


def _resvg_py(svg: str, scale: float) -> bytes | None:
    package = _package("resvg_py")
    width, height = _size(svg)
    size = {"width": ceil(width * scale), "height": ceil(height * scale)}
    return package and bytes(package.svg_to_bytes(svg_string=svg, **size))


def _cairosvg(svg: str, scale: float) -> bytes | None:
    package = _package("cairosvg")
    return package and bytes(package.svg2png(bytestring=svg.encode(), scale=scale))


def _program(names: tuple[str, ...], arguments: Callable[[str, float], list[str]]) -> _Converter:
    """Make a converter from a program. In its arguments, IN and OUT stand for the two files."""

    def convert(svg: str, scale: float) -> bytes | None:
        program = next(filter(None, map(shutil.which, names)), None)
        if program is None:
            return None
        with tempfile.TemporaryDirectory() as name:
            source, target = Path(name, "tree.svg"), Path(name, "tree.png")
            source.write_text(svg, encoding="utf-8")
            places = {"IN": str(source), "OUT": str(target), "URI": source.as_uri(), "DIR": name}
            command = [program, *(a.format_map(places) for a in arguments(svg, scale))]
            made = _run(command, target)
            return made and _crop(made, ceil(_size(svg)[1] * scale))

    return convert


def _run(command: list[str], target: Path) -> bytes | None:
    """Run a program that writes a PNG file. Return None if it fails."""
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    try:
        subprocess.run(command, capture_output=True, check=True, timeout=_SECONDS, env=environment)
        data = target.read_bytes()
    except (OSError, subprocess.SubprocessError):
        return None
    return data if data.startswith(_SIGNATURE) else None


def _crop(png: bytes, height: int) -> bytes:
    """Cut off the part of a PNG file below this row."""
    chunks = []
    place = len(_SIGNATURE)
    while place < len(png):
        (size,) = struct.unpack_from(">I", png, place)
        chunks.append((png[place + 4 : place + 8], png[place + 8 : place + 8 + size]))
        place += size + 12
    header = next(data for kind, data in chunks if kind == b"IHDR")
    width, rows, depth, color = struct.unpack_from(">IIBB", header)
    if rows <= height:
        return png
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    row_size = 1 + (width * samples * depth + 7) // 8  # each row begins with its filter
    pixels = zlib.decompress(b"".join(data for kind, data in chunks if kind == b"IDAT"))
    parts = [
        (b"IHDR", struct.pack(">II", width, height) + header[8:]),
        *((kind, data) for kind, data in chunks if kind not in (b"IHDR", b"IDAT", b"IEND")),
        (b"IDAT", zlib.compress(pixels[: row_size * height])),
        (b"IEND", b""),
    ]
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def _zoomed(svg: str, scale: float) -> list[str]:
    return ["--zoom", f"{scale:g}", "-o", "{OUT}", "{IN}"]


def _inkscape(svg: str, scale: float) -> list[str]:
    return ["--export-type=png", f"--export-dpi={96 * scale:g}", "--export-filename={OUT}", "{IN}"]


def _browser(svg: str, scale: float) -> list[str]:
    width, height = _size(svg)
    return [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--no-first-run",
        "--disable-background-networking",
        "--user-data-dir={DIR}/profile",
        f"--force-device-scale-factor={scale:g}",
        f"--window-size={width},{height + _TITLE_BAR}",
        "--screenshot={OUT}",
        "{URI}",
    ]


CONVERTERS: dict[str, _Converter] = {
    "resvg_py": _resvg_py,
    "cairosvg": _cairosvg,
    "rsvg-convert": _program(("rsvg-convert",), _zoomed),
    "resvg": _program(("resvg",), lambda _, scale: ["--zoom", f"{scale:g}", "{IN}", "{OUT}"]),
    "inkscape": _program(("inkscape",), _inkscape),
    "chromium": _program(("chromium", "chromium-browser", "google-chrome", "chrome"), _browser),
}
"""Tried in this order. Each returns None if it is not installed."""
