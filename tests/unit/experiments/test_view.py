"""The display of an experiment, with and without a terminal."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable

import pytest

from crossbranch.cli.experiment_view import ExperimentView
from crossbranch.experiments import Experiment, Step, plan, run

Make = Callable[..., Experiment]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_a_bar_for_each_run(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    experiment = make()
    with ExperimentView() as view:
        run(experiment, jobs=0, watcher=view)
        (one,) = plan(experiment)
        view.begin([one], 1)
        view.started(one)
        view.step(one, Step("epoch 1", 1, 50, 100, 0.5))
        assert view._progress is not None
        assert view._progress.tasks[0].completed == 500
        view.failed(one, "no reason")
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", terminal.getvalue())
    assert "quick, seed 1 ━" in text
    assert re.search(r"quick, seed 1: F1 \S+ on dev, \S+ on test \(1 of 1\)", text)
    assert "1 of 2 runs were done before" in text
    assert "quick, seed 1: failed: no reason (2 of 1)" in text


def test_without_a_terminal_there_is_a_line_now_and_then(
    make: Make, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    (one,) = plan(make())
    with ExperimentView() as view:
        view.begin([one], 0)
        view.started(one)
        for epoch in range(1, 4):
            now += 6.0
            view.step(one, Step(f"epoch {epoch}", epoch, 50, 100, 0.5))
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["crossbranch: quick, seed 1: epoch 2, best F1 50.00"]
