"""Writes the drawings of `crossbranch draw` to standard output, one file, or a folder."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, tee
from pathlib import Path
from typing import Any

import click

from crossbranch.drawing.dispatch import DRAWERS, ENDINGS, fitted, kind_of
from crossbranch.errors import UsageError
from crossbranch.tree import Tree
from crossbranch.treebank.files import open_binary_target, open_target, strip_compression

KINDS = tuple(DRAWERS)
_ENDING = {
    "drawn": ".txt",
    "svg": ".svg",
    "tikz": ".tex",
    "html": ".html",
    "pdf": ".pdf",
    "png": ".png",
}
_ALONE = ("svg", "png")  # a file of these kinds holds one drawing

Drawn = tuple[Tree, Tree | None]
"""A tree, and the tree that it is compared with, if any."""

Look = dict[str, Any]
"""The options of a drawing. `marks` is a function: what to mark in a tree."""


@dataclass(frozen=True)
class Target:
    """The kind of drawing, and the place to write it."""

    kind: str
    place: Path | None  # None: standard output
    is_folder: bool = False
    is_compared: bool = False

    @classmethod
    def of(cls, output: str | None, kind: str | None, *, is_compared: bool) -> Target:
        """Return the target for the name of an output; the name sets the kind if none is given."""
        if output is None or output == "-":
            return cls(kind or "drawn", None, False, is_compared)
        path = Path(output)
        if is_folder(output):
            if kind is None:
                raise UsageError(f"{output} is a folder; choose what to draw with --to")
            if kind == "html":
                raise UsageError(
                    "an html page contains all trees; give a file, such as trees.html, not a folder"
                )
            return cls(kind, path, True, is_compared)
        if kind is None:
            kind = kind_of(strip_compression(output))
            if kind is None:
                known = ", ".join(ENDINGS)
                raise UsageError(
                    f"cannot guess from the name {output} what to draw; give --to, or a name that"
                    f" ends in {known} (or in / for a folder)"
                )
        return cls(kind, path, False, is_compared)


def is_folder(name: str) -> bool:
    """Return True if this is the name of a folder, which may not exist yet."""
    return name.endswith(("/", "\\")) or Path(name).is_dir()


def draw_all(pairs: Iterator[Drawn], target: Target, look: Look, *, advice: str = "") -> int:
    """Draw trees, one at a time, and return their number.

    If the target holds only one tree and there are more, the error message ends with `advice`.
    """
    counted, look = _CountedPairs(pairs), dict(look)
    if target.kind == "drawn" and target.place is None:
        width = look.get("width") or shutil.get_terminal_size((100, 24)).columns
        look = look | {"width": width, "color": sys.stdout.isatty()}
        look.pop("fit", None)  # drawings on standard output always fit
    elif look.pop("fit", False):
        look = fitted(target.kind, look)
    if target.is_folder:
        _into_folder(counted, target, look)
    elif target.kind == "html":
        _as_page(counted, target, look)
    elif target.kind == "pdf":
        _as_document(counted, target, look)
    elif target.kind in _ALONE or look.get("standalone"):
        _alone(counted, target, look, advice)
    else:
        _write(target.place, (_titled(pair, target.kind, look) for pair in counted))
    return counted.count


class _CountedPairs:
    """Counts the pairs that are read from it."""

    def __init__(self, pairs: Iterator[Drawn]) -> None:
        self._pairs, self.count = pairs, 0

    def __iter__(self) -> Iterator[Drawn]:
        return self

    def __next__(self) -> Drawn:
        pair = next(self._pairs)
        self.count += 1
        return pair


def _as_page(pairs: Iterator[Drawn], target: Target, look: Look) -> None:
    from crossbranch.drawing.page import draw_html

    trees, others = _apart(pairs, target)
    _write(target.place, draw_html(trees, compare_with=others, **look))


def _as_document(pairs: Iterator[Drawn], target: Target, look: Look) -> None:
    """Draw each tree, or each pair, on a page of its own."""
    from crossbranch.drawing.pdf import draw_pdf

    first = next(pairs, None)
    if first is not None:
        trees, others = _apart(chain([first], pairs), target)
        save(target.place, draw_pdf(trees, compare_with=others, **look))


def _apart(pairs: Iterator[Drawn], target: Target) -> tuple[Iterator[Tree], Iterator[Tree] | None]:
    """Return the trees, and the trees that they are compared with."""
    if not target.is_compared:
        return (one for one, _ in pairs), None
    pairs, again = tee(pairs)
    return (one for one, _ in pairs), (other for _, other in again if other is not None)


def _alone(pairs: Iterator[Drawn], target: Target, look: Look, advice: str) -> None:
    """Draw one tree. More than one is an error."""
    pair = next(pairs, None)
    if pair is None:
        return
    if next(pairs, None) is not None:
        raise UsageError(
            f"there are several trees, but one {target.kind} file holds one drawing; give a "
            f"folder, such as -o pictures/{advice}"
        )
    save(target.place, _picture(pair, target.kind, look))


def _into_folder(pairs: Iterator[Drawn], target: Target, look: Look) -> None:
    """Draw each tree into a file that is named by the tree's id, or by its number without an id."""
    folder = target.place
    assert folder is not None, "a folder has a name"
    taken: set[str] = set()
    for number, pair in enumerate(pairs, 1):
        picture = _picture(pair, target.kind, look)
        _make(folder)
        name = file_name(pair[0].id or str(number), taken)
        save(folder / f"{name}{_ENDING[target.kind]}", picture)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"cannot write into {folder}: {reason.lower()}") from error


def file_name(id: str, taken: set[str]) -> str:
    """Return a file name for an id that is not yet taken. The id may contain any characters."""
    plain = re.sub(r"[^\w.-]+", "_", id).strip(".")[:100] or "_"
    name, count = plain, 1
    while name.casefold() in taken:  # on some disks, A and a are the same name
        count += 1
        name = f"{plain}-{count}"
    taken.add(name.casefold())
    return name


def _titled(pair: Drawn, kind: str, look: Look) -> str:
    """Return a drawing below the id and comments of its sentence, for files of many drawings."""
    tree = pair[0]
    title = " ".join([tree.id, *tree.comments]) if tree.id else ""
    if kind == "tikz":
        title = "% " + " ".join(title.split()) if title else ""
    picture = str(_picture(pair, kind, look)).rstrip("\n")
    return f"{title}\n{picture}\n\n" if title else f"{picture}\n\n"


def _picture(pair: Drawn, kind: str, look: Look) -> str | bytes:
    one, other = pair
    if other is not None:
        from crossbranch.drawing import draw_comparison

        compare: Callable[..., str | bytes] = draw_comparison
        return compare(one, other, format=kind, **look)
    draw: Callable[..., str | bytes] = DRAWERS[kind]
    if kind == "pdf":
        return draw([one], **look)
    if "marks" in look:
        look = look | {"marked": look["marks"](one)}
        del look["marks"]
    return draw(one, **look)


def save(place: Path | None, picture: str | bytes) -> None:
    """Write one picture."""
    if isinstance(picture, str):
        _write(place, [picture.rstrip("\n") + "\n"])
    elif place is not None:
        with open_binary_target(place) as file:
            file.write(picture)
    elif sys.stdout.isatty():
        raise UsageError(
            "a terminal cannot show this kind of picture; give a file, such as -o tree.png"
        )
    else:
        sys.stdout.buffer.write(picture)


def _write(place: Path | None, parts: Iterable[str]) -> None:
    """Write texts. An existing file is replaced only after the first tree has been drawn."""
    parts = iter(parts)
    first = list(islice(parts, 2))  # the head of a page, which cannot fail, and the first tree
    if place is None:
        for part in chain(first, parts):
            click.echo(part, nl=False)
        return
    with open_target(place, "utf-8", "strict") as file:
        for part in chain(first, parts):
            file.write(part)
