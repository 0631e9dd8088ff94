"""Commands whose readers leave: they end quietly, as POSIX tools do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import CROSSING
from parse_folder import parse_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")

MAIN = "from crossbranch.cli import main; main()"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = parse_folder(tmp_path_factory.mktemp("pipes"))
    (place / "small.discbracket").write_text(CROSSING)
    return place


@pytest.mark.parametrize(
    "call",
    [
        "--help",
        "parse --help",
        "convert small.discbracket - --to json",
        "derive small.discbracket",
        "draw small.discbracket",
        "draw small.discbracket --to svg",
        "evaluate small.discbracket small.discbracket",
        "evaluate small.discbracket small.discbracket --json -",
        "formats",
        "labels nl",
        "models",
        "parse model text.txt",
        "parse model text.txt --to drawn",
        "parse model text.txt --to html",
        "parse model text.txt --tags-only",
        "presets",
        "sample 10",
        "stats small.discbracket",
    ],
)
def test_nobody_reads(folder: Path, call: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-c", MAIN, *call.split()],
            cwd=folder,
            stdout=writing,
            stderr=subprocess.PIPE,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_nobody_reads_errors(folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        command = [sys.executable, "-c", MAIN, "parse", "model", "nichts.txt"]
        done = subprocess.run(command, cwd=folder, stderr=writing)
    finally:
        os.close(writing)
    assert done.returncode == 141


def test_a_table_beside_is_whole(folder: Path, tmp_path: Path) -> None:
    """What was parsed before the reader left is in it."""
    table = tmp_path / "sure.tsv"
    call = ("parse", "model", "long.txt", "--beam", "1", "--confidence-table", str(table))
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, *call],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"#FORMAT 4\n"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141
    lines = table.read_text().split("\n")
    assert lines[0].startswith("sentence\t")
    assert all(line.count("\t") == 4 for line in lines[:-1])
    assert lines[-1] == ""
    assert len(lines) > 2
