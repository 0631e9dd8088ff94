"""Tables for people and for programs."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from crossbranch.cli.tables import (
    plain_table,
    print_records,
    print_tables,
    write_csv,
    write_json,
)

RECORDS: list[dict[str, Any]] = [
    {"name": "a", "size": 12345, "scores": {"f1": 0.25}, "labels": ["NP", "VP"]},
    {"name": "b, c", "size": None, "scores": {}, "labels": [], "is_new": True},
]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_gets_whole_rows(capsys: pytest.CaptureFixture[str]) -> None:
    table = plain_table(["name", "text"], ["number"])
    table.add_row("long", "word " * 200, "7")
    table.add_row("short", "", "8")
    print_tables("title", table)
    title, heading, long, short = capsys.readouterr().out.splitlines()
    assert title == "title"
    assert heading.split() == ["name", "text", "number"]
    assert long.count("word") == 200
    assert short.split() == ["short", "8"]
    assert all(line == line.rstrip() for line in (title, heading, long, short))


def test_a_terminal_limits_the_width(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", "40")
    table = plain_table(["text"])
    table.add_row("word " * 20)
    print_tables(table)
    lines = terminal.getvalue().splitlines()
    assert len(lines) > 2
    assert terminal.getvalue().count("word") == 20


def test_csv_has_raw_values_in_columns_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    print_records(RECORDS, "csv")
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert list(rows[0]) == ["name", "size", "scores.f1", "labels", "is_new"]
    assert list(rows[0].values()) == ["a", "12345", "0.25", "NP VP", ""]
    assert list(rows[1].values()) == ["b, c", "", "", "", "true"]


def test_json_is_a_list_of_objects(capsys: pytest.CaptureFixture[str]) -> None:
    print_records(RECORDS, "json")
    assert json.loads(capsys.readouterr().out) == RECORDS


def test_files_hold_any_text(tmp_path: Path) -> None:
    write_json(str(tmp_path / "x.json"), ["ä\ud800"])
    assert json.loads((tmp_path / "x.json").read_text("utf-8")) == ["ä\ud800"]
    write_csv(str(tmp_path / "x.csv"), [])
    assert (tmp_path / "x.csv").read_text() == ""
