"""The display of an experiment: a bar for each run on a terminal, otherwise lines."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from crossbranch.cli.show import ProgressLines, say
from crossbranch.experiments import Run, RunWatcher, Step
from crossbranch.experiments.runs import read_scores

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_WHOLE = 1000  # parts of a run


class ExperimentView(RunWatcher):
    """Shows which runs are working, how far they are, and how each one ended."""

    def __init__(self) -> None:
        self._lines = None if sys.stderr.isatty() else ProgressLines()
        self._progress: Progress | None = None
        self._bars: dict[str, TaskID] = {}
        self._total = self._ended = 0

    def __enter__(self) -> Self:
        if self._lines is None:
            self._progress = _progress()
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def begin(self, runs: Sequence[Run], done: int) -> None:
        """Say how much there is to do."""
        self._total = len(runs)
        if done:
            self._say(f"{done} of {done + len(runs)} runs were done before")

    def started(self, run: Run) -> None:
        """Show a bar for the run."""
        if self._progress is not None:
            self._bars[run.folder] = self._progress.add_task(run.name, total=_WHOLE, stage="")

    def step(self, run: Run, step: Step) -> None:
        """Show what the run does now, and how far it is."""
        best = "" if step.f1 is None else f", best F1 {100 * step.f1:.2f}"
        if self._lines is not None:
            self._lines.say(lambda: f"{run.name}: {step.stage}{best}")
        if self._progress is not None:
            done = round(_WHOLE * _share(run, step)) if step.epoch else None
            bar = self._bars[run.folder]
            self._progress.update(bar, completed=done, stage=f"{step.stage}{best}")

    def finished(self, run: Run) -> None:
        """Say the scores of the run."""
        folder = Path(run.folder)
        found = {name: read_scores(folder, name, one) for name, one in run.sets.items()}
        scores = [f"{100 * one.f1:.2f} on {name}" for name, one in found.items() if one]
        self._end(run, f"F1 {', '.join(scores)}" if scores else "trained")

    def failed(self, run: Run, reason: str) -> None:
        """Say why the run failed."""
        self._end(run, f"failed: {reason}")

    def _end(self, run: Run, message: str) -> None:
        self._ended += 1
        if self._progress is not None:
            self._progress.remove_task(self._bars.pop(run.folder))
        self._say(f"{run.name}: {message} ({self._ended} of {self._total})")

    def _say(self, message: str) -> None:
        """Write a message above the bars."""
        if self._progress is not None:
            self._progress.stop()
        say(message)
        if self._progress is not None:
            self._progress.start()


def _share(run: Run, step: Step) -> float:
    """Return how much of the training is done."""
    within = step.sentences / step.size if step.size else 0.0
    return (step.epoch - 1 + within) / (run.epochs or 1)


def _progress() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[stage]}"),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)
