"""The display of training: progress, a row for each epoch, the curve of the scores."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import click

from crossbranch.cli.options import report
from crossbranch.cli.show import ProgressLines, say
from crossbranch.errors import InputError, UsageError
from crossbranch.training import ACCURACY, DEV_ACCURACY, Epoch, Watcher

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_BARS = "▁▂▃▄▅▆▇█"
_COLUMNS = f"{'epoch':>5} {'F1':>7} {'disc. F1':>9} {'updates':>9} {'seconds':>8}"
_SHOWN = 10  # skipped sentences that are reported one by one


class Skipped:
    """Reports the first skipped sentences one by one, and counts all of them."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, error: InputError) -> None:
        """Count a skipped sentence, and report it if it is one of the first."""
        self._count += 1
        if self._count <= _SHOWN:
            report(error)

    def tell(self) -> None:
        """Report how many sentences were skipped."""
        if self._count:
            what = "sentence was" if self._count == 1 else "sentences were"
            say(f"{self._count:,} {what} skipped")


class TrainingView(Watcher):
    """Shows a row for each epoch, and progress: a bar on a terminal, otherwise lines."""

    def __init__(self) -> None:
        self.epochs: list[Epoch] = []
        self._best = 0
        self._size = 0
        self._has_epochs = True
        self._lines = None if sys.stderr.isatty() else ProgressLines()
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._progress = _progress()
            self._task = self._progress.add_task("reading", total=None)
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def start(self, sentences: int, resumed: Sequence[Epoch], *, has_epochs: bool) -> None:
        """Show the head of the table, and the epochs of the run that is resumed."""
        self._size = sentences
        self._has_epochs = has_epochs
        self._echo(_COLUMNS if has_epochs else _COLUMNS.replace("epoch", "     "))
        for epoch in resumed:
            self.finish_epoch(epoch, False)
        if resumed:
            self._echo("continuing")

    def learned(self, epoch: int, sentences: int, metrics: Mapping[str, float]) -> None:
        """Show the progress of the epoch."""
        name = f"epoch {epoch}" if self._has_epochs else "learning"
        name += _metrics(metrics)
        if self._lines is not None:
            self._lines.say(lambda: f"{name}: {sentences:,} of {self._size:,} sentences")
        if self._progress is not None and self._task is not None:
            description = name if sentences < self._size else "scoring"
            self._progress.update(
                self._task, description=description, total=self._size, completed=sentences
            )

    def finish_epoch(self, epoch: Epoch, is_best: bool) -> None:
        """Show the row of an epoch; a star marks the best one so far."""
        self.epochs.append(epoch)
        star = " *" if is_best and self._has_epochs and epoch.f1 is not None else ""
        number = str(epoch.number) if self._has_epochs else ""
        row = (
            f"{number:>5} {_percent(epoch.f1):>7} {_percent(epoch.discontinuous_f1):>9}"
            f" {epoch.updates:9,} {epoch.seconds:8.1f}{star:2}{_metrics(epoch.metrics, width=6)}"
        )
        self._echo(row.rstrip())

    def stage(self, name: str) -> None:
        """Show what training does now."""
        if self._lines is not None:
            self._lines.say(lambda: name)
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, description=name, total=None)

    def _echo(self, row: str) -> None:
        """Write a row of the table above the progress bar."""
        if self._progress is not None:
            self._progress.stop()
        click.echo(row)
        if self._progress is not None:
            self._progress.start()

    def tell(self) -> None:
        """Show the curves."""
        curves = _curves(self.epochs)
        width = max((len(name) for name, _ in curves), default=0)
        for name, values in curves:
            click.echo(f"{name:>{max(width, 9)}} {sparkline(values)} best {100 * max(values):.2f}")


def scores_in_words(about: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line with the scores on each named source of dev trees, and on other text."""
    names = {"f1": "F1", "discontinuous_f1": "discontinuous F1", "tags": "tags"}
    for source, scores in about.get("scores_on", {}).items():
        chosen = [given for given in ("predicted tags", "own tags") if given in scores]
        for given in chosen or list(scores)[:1]:
            figures = [f"{names[n]} {_percent(v)}" for n, v in scores[given].items() if n in names]
            yield f"{source}, {given}: {', '.join(figures)}"


def sparkline(values: Sequence[float]) -> str:
    """Return a small curve: the lowest value as the lowest bar, the highest as the highest.

    >>> sparkline([0.2, 0.5, 0.9])
    '▁▄█'
    """
    low, high = min(values), max(values)
    width = (high - low) or 1.0
    return "".join(_BARS[round((value - low) / width * (len(_BARS) - 1))] for value in values)


def check_plot(path: str, *, has_dev: bool) -> None:
    """Check before training that the plot can be drawn afterwards."""
    from crossbranch.drawing.plots import check_ending

    if not has_dev:
        raise UsageError("--plot draws the scores on dev trees, so it needs --dev FILE")
    check_ending(path)


def draw_curve(epochs: Sequence[Epoch], path: str) -> None:
    """Draw F1, discontinuous F1 and the accuracy of tasks over the epochs."""
    from crossbranch.drawing.plots import new_figure, plain_axes

    figure = new_figure(7, 4.5)
    axes = figure.add_subplot()
    numbers = [epoch.number for epoch in epochs]
    for name, values in _curves(epochs):
        axes.plot(numbers, [100 * value for value in values], "o-", label=name, markersize=3.5)
    plain_axes(axes, "epoch", "%")
    axes.legend(frameon=False)
    figure.savefig(path)


def _curves(epochs: Sequence[Epoch]) -> list[tuple[str, list[float]]]:
    f1 = [epoch.f1 for epoch in epochs if epoch.f1 is not None]
    gappy = [epoch.discontinuous_f1 for epoch in epochs if epoch.discontinuous_f1 is not None]
    named = [("F1", f1), ("disc. F1", gappy)]
    tasks = [name for name in epochs[-1].metrics if name.endswith(DEV_ACCURACY)] if epochs else []
    for name in tasks:
        found = [epoch.metrics[name] for epoch in epochs if name in epoch.metrics]
        named.append((name.removesuffix(DEV_ACCURACY), found))
    return [(name, values) for name, values in named if values]


def _metrics(metrics: Mapping[str, float], *, width: int = 0) -> str:
    """Return metrics in short: the accuracy of a task is that on dev data, if there is any."""
    found: dict[str, str] = {}
    for name, value in metrics.items():
        task = name.removesuffix(DEV_ACCURACY).removesuffix(ACCURACY)
        found[task] = f"{value:.4g}" if task == name else _percent(value)
    return "".join(f"  {name} {value:>{width}}" for name, value in found.items())


def _percent(score: float | None) -> str:
    return "" if score is None else f"{100 * score:.2f}"


def _progress() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Remaining())
    return Progress(*columns, console=Console(stderr=True), transient=True)
