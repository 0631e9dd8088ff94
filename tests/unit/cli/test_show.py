"""What people see of long work."""

from __future__ import annotations

import io
import re
import sys
import time

import pytest

from crossbranch.cli import show
from crossbranch.cli.show import Meter, progress, say_left_out
from crossbranch.errors import DamageError, InputError


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The present time, which tests can change."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_quick_work_shows_nothing(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    meter = Meter("parsing", 100, lambda: 50)
    meter.add(10)
    clock[0] = 0.9
    meter.stop()
    assert capsys.readouterr().err == ""


def test_long_work_ends_with_a_line(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    meter = Meter("parsing", None, lambda: 0)
    for _ in range(3):
        meter.add(500)
    clock[0] = 75
    meter.stop()
    expected = "crossbranch: parsing: 3 sentences, 1,500 tokens (20 a second) in 1 min 15 s\n"
    assert capsys.readouterr().err == expected


def test_nothing_is_said_to_nobody(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    meter = Meter("parsing", None, lambda: 0)
    clock[0] = 75
    meter.stop(quietly=True)
    assert capsys.readouterr().err == ""


def test_without_a_terminal_a_line_comes_now_and_then(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    said = []
    for second in progress(range(700), "reading", 700):
        clock[0] = second
        if line := capsys.readouterr().err:
            said.append((second - 1, line))
    times, lines = zip(*said, strict=True)
    assert times == (10, 30, 70, 150, 270, 390, 510, 630)
    assert lines[1] == "crossbranch: reading: 31 of 700 done, 1 a second\n"


def test_short_work_says_nothing_without_a_terminal(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    for second in progress(range(10), "reading"):
        clock[0] = second
    assert capsys.readouterr().err == ""


def test_meters_write_lines_without_a_terminal(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    meter = Meter("parsing", 400, lambda: int(clock[0]))
    for clock[0] in (5.0, 10.0, 20.0):
        meter.add(100)
    line = "parsing: 2 sentences, 200 tokens (20 a second), 6 min 30 s left"
    assert capsys.readouterr().err == f"crossbranch: {line}\n"


def test_what_was_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    bad = InputError("a word", "a tree", path="x", line=3)
    damage = DamageError("cut-off data", "a whole file", path="x.gz")
    said = {
        (): "",
        (bad,): "crossbranch: 1 bad sentence was skipped\n",
        (damage,): "crossbranch: the rest of x.gz could not be read\n",
        (bad, damage, bad): "crossbranch: 2 bad sentences were skipped\n"
        "crossbranch: the rest of x.gz could not be read\n",
    }
    for errors, expected in said.items():
        say_left_out(errors)
        assert capsys.readouterr().err == expected


def test_terminals_show_rate_and_time_left(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "150")
    monkeypatch.setenv("TERM", "xterm")
    position = 200  # where an earlier run was
    meter = Meter("parsing", 1200, lambda: position)
    meter.add(100)
    assert terminal.getvalue() == ""
    position, clock[0] = 300, 10
    meter.add(100)
    clock[0] = 10.1
    meter.add(100)  # too soon to be shown
    meter.stop()
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", terminal.getvalue())
    assert "2 sentences, 200 tokens (20 a second), 1 min 30 s left" in text
    assert "3 sentences, 300 tokens (30 a second) in 10.1 s" in text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.04, "0.0 s"), (3.25, "3.2 s"), (75, "1 min 15 s"), (7322, "2 h 2 min")]
)
def test_durations(seconds: float, text: str) -> None:
    assert show._duration(seconds) == text


def test_epochs_show_the_accuracy_of_tasks_in_short(capsys: pytest.CaptureFixture[str]) -> None:
    from crossbranch.cli.training_view import TrainingView
    from crossbranch.training import Epoch

    view = TrainingView()
    metrics = {"loss": 1.25, "tag accuracy": 0.9, "chunks accuracy": 0.8, "ccg accuracy": 0.7}
    dev = {"tag dev accuracy": 0.85, "chunks dev accuracy": 0.75}
    for number in (1, 2):
        view.finish_epoch(
            Epoch(number=number, updates=9, seconds=1, dev_seconds=1, metrics=metrics | dev), False
        )
    view.tell()
    assert capsys.readouterr().out.splitlines()[1:] == [
        "    2                           9      1.0    loss   1.25  tag  85.00  chunks  75.00"
        "  ccg  70.00",
        "      tag ▁▁ best 85.00",
        "   chunks ▁▁ best 75.00",
    ]


def test_training_without_a_terminal_says_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from crossbranch.cli.training_view import TrainingView

    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    view = TrainingView()
    view.start(1000, [], has_epochs=True)
    for sentences in range(0, 1001, 100):
        now += 5.0
        view.learned(1, sentences, {"loss": 0.5})
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "crossbranch: epoch 1  loss 0.5: 100 of 1,000 sentences",
        "crossbranch: epoch 1  loss 0.5: 500 of 1,000 sentences",
    ]
