"""Writes derivations: as a table, drawn, as JSON, as pictures or as a page."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from crossbranch.cli.draw_target import file_name, is_folder, save
from crossbranch.cli.show import say
from crossbranch.cli.tables import Record, print_tables, write_json
from crossbranch.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from crossbranch.derivations import Frame, Show

TABLE = "table"
KINDS = ("drawn", "json", "svg", "html")
"""The values of --to. Without --to and -o, derivations are tables."""

_ENDINGS = {".txt": "drawn", ".json": "json", ".html": "html", ".htm": "html"}
_COLUMNS = 100  # the width of drawings in files and pipes


def kind_of(output: str | None, kind: str | None) -> str:
    """Return what to write: the given kind, or what the name of the output says.

    Raises:
        UsageError: Kind and name do not fit, or the name says nothing.
    """
    name = "" if output is None or output == "-" else output
    if kind is None:
        if not name:
            return TABLE
        kind = "svg" if is_folder(name) else _ENDINGS.get(Path(name).suffix.lower())
    if kind not in KINDS:
        raise UsageError(
            f"cannot write a derivation as {kind or name}; expected --to {', '.join(KINDS)}, or a"
            f" name that ends in {', '.join(_ENDINGS)}, or in / for a folder of svg pictures"
        )
    if kind == "svg" and (not name or (Path(name).suffix and not is_folder(name))):
        raise UsageError("there is one svg picture for each step; give a folder, such as -o steps/")
    if kind != "svg" and name and is_folder(name):
        raise UsageError(f"{name} is a folder; a derivation as {kind} is one file")
    return kind


def write_derivations(
    shows: Iterable[Show],
    kind: str,
    output: str | None,
    *,
    title: str,
    meanings: Mapping[str, str],
) -> None:
    """Write derivations; `kind` is what `kind_of` returned."""
    from crossbranch import derivations

    place = None if output is None or output == "-" else Path(output)
    if kind == TABLE:
        for one in shows:
            _show_table(one)
    elif kind == "json":
        found: list[Record] = [record for one in shows for record in derivations.records(one)]
        write_json("-" if place is None else str(place), found)
    elif kind == "svg":
        assert place is not None
        _into_folder(shows, place)
    elif kind == "html":
        pieces = derivations.draw_player(shows, title=title, meanings=meanings)
        save(place, "".join(pieces))
    else:
        save(place, "\n".join(_drawn(shows, is_shown=place is None)))


def _drawn(shows: Iterable[Show], *, is_shown: bool) -> Iterator[str]:
    from crossbranch.derivations import draw_text_steps

    width = shutil.get_terminal_size((_COLUMNS, 24)).columns if is_shown else _COLUMNS
    for number, one in enumerate(shows):
        if number:
            yield ""
        yield from draw_text_steps(one, width=width, color=is_shown and sys.stdout.isatty())


def _into_folder(shows: Iterable[Show], folder: Path) -> None:
    """Write one picture for each step, named by the id of the sentence and the step."""
    from crossbranch.derivations import draw_steps

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"cannot write into {folder}: {reason.lower()}") from error
    taken: set[str] = set()
    count = 0
    for number, one in enumerate(shows, 1):
        name = file_name(one.id or str(number), taken)
        for step, picture in enumerate(draw_steps(one)):
            save(folder / f"{name}-{step:03}.svg", picture)
            count += 1
    say(f"{count:,} pictures are in {folder}")


def _show_table(show: Show) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from crossbranch.derivations.text import title_of

    if show.has_rules:
        _show_items(show)
        return
    lines = box.SIMPLE_HEAD if sys.stdout.isatty() else None
    table = Table(title_justify="left", box=lines, pad_edge=False, padding=(0, 2, 0, 0))
    for name in show.wording.columns:
        table.add_column(name, overflow="fold")
    if show.score is not None:
        table.add_column("probability" if show.has_probabilities else "score", justify="right")
        table.add_column("best other", overflow="fold")
    _fill(table, show)
    print_tables(Text(title_of(show)), table, "")


def _show_items(show: Show) -> None:
    """Print a row for each item, after a sentence that says how many there are."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from crossbranch.derivations.text import score_text, title_of
    from crossbranch.drawing.writing import visible

    lines = box.SIMPLE_HEAD if sys.stdout.isatty() else None
    table = Table(title_justify="left", box=lines, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("no.", justify="right")
    table.add_column("item", overflow="fold")
    table.add_column("words", overflow="fold")
    table.add_column("probability" if show.has_probabilities else "score", justify="right")
    table.add_column("rule", overflow="fold")
    table.add_column("made of", overflow="fold")
    table.add_column("tree")
    for frame in show.frames[1:]:
        (score,) = [score_text(one) for one in frame.choices if one.is_taken]
        children = [item.text for item in frame.parts[1].items]
        cells = [f"{frame.number}", frame.transition, frame.words, score, frame.rule]
        cells.append(", ".join(children))
        table.add_row(*(Text(visible(cell)) for cell in [*cells, "★" if frame.in_tree else ""]))
    print_tables(Text(title_of(show)), Text(show.frames[0].explanation), table, "")


def _fill(table: Table, show: Show) -> None:
    """Add a row for each configuration, with the transition that led to it."""
    from rich.text import Text

    from crossbranch.drawing.writing import visible

    before: Frame | None = None
    for frame in show.frames:
        parts = [" ".join(item.text for item in part.items) for part in frame.parts]
        cells = [*parts, frame.transition]
        if show.score is not None:
            cells += _scores(before)
        table.add_row(*(Text(visible(cell)) for cell in cells))
        before = frame


def _scores(before: Frame | None) -> list[str]:
    """The score of the transition that was taken, and the best other one."""
    from crossbranch.derivations.text import score_text

    if before is None:
        return ["", ""]
    taken = [score_text(one) for one in before.choices if one.is_taken]
    others = [f"{one.name} {score_text(one)}" for one in before.choices if not one.is_taken]
    return [*taken, *(others[:1] or [""])]


def meanings_of(labels: Collection[str], tags: Collection[str], name: str = "") -> dict[str, str]:
    """Return what labels mean, if a label set of a treebank fits them."""
    from crossbranch.models import label_set_of

    known = label_set_of(labels, tags, name=name)
    if known is None:
        return {}
    found = {label: known.phrase(label) for label in labels}
    return {label: meaning.text for label, meaning in found.items() if meaning is not None}
