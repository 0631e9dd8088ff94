"""Messages and progress for people, on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn, TypeVar

import click

from crossbranch.disk import replace_file
from crossbranch.errors import CrossbranchError, DamageError

if TYPE_CHECKING:
    from rich.progress import Progress

    from crossbranch.tree import Tree

Item = TypeVar("Item")

_INTERRUPTED, _TERMINATED = 130, 143  # the exit codes that shells give to SIGINT and SIGTERM
_PATIENCE = 1.0  # seconds before progress is shown
_PAUSE = 0.2  # seconds between two changes of what is shown
_FIRST_LINE, _MOST_BETWEEN = 10.0, 120.0  # seconds between lines about progress, at first, at most


def say(message: str) -> None:
    """Write one message for people."""
    click.echo(f"crossbranch: {message}", err=True)


class Terminated(KeyboardInterrupt):
    """Another program asked this one to end (SIGTERM)."""


def end_interrupted(error: KeyboardInterrupt, way_on: str = "") -> NoReturn:
    """Say that the command was interrupted and how to go on; end with the code of the shells."""
    is_asked = isinstance(error, Terminated)
    say(("terminated" if is_asked else "interrupted") + way_on)
    sys.exit(_TERMINATED if is_asked else _INTERRUPTED)


def say_left_out(errors: Sequence[CrossbranchError]) -> None:
    """Report how many bad sentences were skipped, and which files could not be read to the end."""
    damaged = [error.path for error in errors if isinstance(error, DamageError)]
    if count := len(errors) - len(damaged):
        say(f"{count:,} bad {'sentence was' if count == 1 else 'sentences were'} skipped")
    for path in damaged:
        say(f"the rest of {path} could not be read")


def write_text(target: str, text: str) -> None:
    """Write a text to a file, or to standard output for `-`."""
    if target == "-":
        click.echo(text, nl=False)
    else:
        replace_file(target, text.encode("utf-8", "backslashreplace"))


class ProgressLines:
    """Progress without a terminal: a line on standard error from time to time.

    The first line comes after ten seconds. The time between two lines doubles, up to two minutes.
    So a short command writes nothing, and the log of a long one stays short.
    """

    def __init__(self) -> None:
        self._wait = _FIRST_LINE
        self._due = time.monotonic() + self._wait

    def say(self, message: Callable[[], str]) -> None:
        """Write the message if it is time for one. Callers may call this very often."""
        now = time.monotonic()
        if now >= self._due:
            say(message())
            self._wait = min(2 * self._wait, _MOST_BETWEEN)
            self._due = now + self._wait


def progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """Yield the items, and show how many are done, and how fast.

    A terminal shows this after one second. Without a terminal there is a line from time to time.
    """
    if not sys.stderr.isatty():
        yield from _with_lines(items, what, total)
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


def _with_lines(items: Iterable[Item], what: str, total: int | None) -> Iterator[Item]:
    lines = ProgressLines()
    start = time.monotonic()
    done = 0

    def message() -> str:
        of = "" if total is None else f" of {total:,}"
        return f"{what}: {done:,}{of} done, {_rate(done, start)}"

    for item in items:
        yield item
        done += 1
        lines.say(message)


def _rate(done: int, start: float) -> str:
    return f"{done / (time.monotonic() - start):,.0f} a second"


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
                shown.update(task, completed=done, speed=f"{done:,} done, {_rate(done, start)}")


class Meter:
    """Shows the progress of long work, and writes a line at the end.

    A terminal shows a bar. Without a terminal there is a line from time to time.
    """

    def __init__(self, what: str, size: int | None, position: Callable[[], int]) -> None:
        """Prepare to show progress: `position` of `size` bytes, if the size is known."""
        self._what = what
        self._size, self._position = size, position
        self._start = self._shown = time.monotonic()
        self._first = position() if size else 0
        self._sentences = self._tokens = 0
        self._bar: Progress | None = None
        self._lines = None if sys.stderr.isatty() else ProgressLines()

    def over(self, found: Iterable[Sequence[Tree]]) -> Iterator[Sequence[Tree]]:
        """Yield the trees of each sentence. A sentence is counted when the next one is wanted."""
        for trees in found:
            yield trees
            self.add(len(trees[0].sentence))

    def add(self, tokens: int, sentences: int = 1) -> None:
        """Count a sentence, or several."""
        self._sentences += sentences
        self._tokens += tokens
        if self._lines is not None:
            self._lines.say(lambda: f"{self._what}: {self._figures_so_far(time.monotonic())}")
            return
        now = time.monotonic()
        if now - self._shown > (_PATIENCE if self._bar is None else _PAUSE):
            self._shown = now
            self._show(now)

    def stop(self, *, quietly: bool = False) -> None:
        """Stop the display. Report how much was done, if it took long and not `quietly`."""
        seconds = time.monotonic() - self._start
        if self._bar is not None:
            self._bar.stop()
        if seconds > _PATIENCE and not quietly:
            say(f"{self._what}: {self._figures(seconds)} in {_duration(seconds)}")

    def _figures(self, seconds: float) -> str:
        return (
            f"{self._sentences:,} sentences, {self._tokens:,} tokens"
            f" ({self._tokens / seconds:,.0f} a second)"
        )

    def _show(self, now: float) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        if self._bar is None:
            columns = [TextColumn("{task.description}"), TextColumn("{task.fields[figures]}")]
            bar = [BarColumn()] if self._size else []
            self._bar = Progress(*columns, *bar, console=Console(stderr=True), transient=True)
            self._bar.add_task(self._what, total=self._size, figures="")
            self._bar.start()
        position = self._position() if self._size else 0
        figures = self._figures_so_far(now)
        self._bar.update(self._bar.task_ids[0], completed=position, figures=figures)

    def _figures_so_far(self, now: float) -> str:
        """Return how much is done, and the time left if the size is known."""
        figures = self._figures(now - self._start)
        if self._size:
            position = self._position()
            if read := position - self._first:
                left = (self._size - position) * (now - self._start) / read
                figures += f", {_duration(left)} left"
        return figures


def _duration(seconds: float) -> str:
    """Write a time as people say it.

    >>> [_duration(seconds) for seconds in (3.25, 75, 7322)]
    ['3.2 s', '1 min 15 s', '2 h 2 min']
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
