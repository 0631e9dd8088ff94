"""What commands show people: messages and progress, on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import click

Item = TypeVar("Item")

_PATIENCE = 1.0  # seconds before progress is shown


def say(message: str) -> None:
    """Write one message for people."""
    click.echo(f"crossbranch: {message}", err=True)


def write_text(target: str, text: str) -> None:
    """Write a text to a file, or to standard output for `-`."""
    if target == "-":
        click.echo(text, nl=False)
    else:
        Path(target).write_text(text, encoding="utf-8")


def progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """Pass the items on; after a second, show how many have passed, and how fast."""
    if not sys.stderr.isatty():
        yield from items
        return
    iterator = iter(items)
    start = time.monotonic()
    done = 0
    for item in iterator:
        yield item
        done += 1
        if time.monotonic() - start > _PATIENCE:
            break
    else:
        return
    yield from _shown(iterator, what, total, done, start)


def _shown(
    items: Iterator[Item], what: str, total: int | None, done: int, start: float
) -> Iterator[Item]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = [BarColumn(), TimeRemainingColumn()] if total is not None else []
    columns = [TextColumn("{task.description}"), *bar, TextColumn("{task.fields[speed]}")]
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(what, total=total, completed=done, speed="")
        for item in items:
            yield item
            done += 1
            if done % 100 == 0:
                speed = f"{done:,} done, {done / (time.monotonic() - start):,.0f} a second"
                shown.update(task, completed=done, speed=speed)
