"""Pipes: commands answer what comes, and end quietly when their readers leave."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import pytest
from commands import CROSSING, HEED_INTERRUPTS, MAIN
from parse_folder import parse_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")


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


def answer(stream: IO[bytes], end: bytes) -> bytes:
    """Read until an answer ends so; wait for a minute at most, for machines that are busy."""
    found = b""
    limit = time.monotonic() + 60
    while not found.endswith(end):
        left = limit - time.monotonic()
        assert left > 0, f"no answer but {found!r}"
        if select.select([stream], [], [], left)[0]:
            more = os.read(stream.fileno(), 1 << 16)
            assert more, f"the end after {found!r}"
            found += more
    return found


@pytest.mark.parametrize(
    "options",
    [
        "--lines",
        "",
        "--tokenized",
        "--tokenized --threads 2",
        "--lines --k-best 1",
        "--lines --confidence-table table.tsv",
        "--tokenized --tags-only --to export",
        "--from tokens -o /dev/stdout --to export",
    ],
)
def test_sentences_are_answered_when_they_come(folder: Path, options: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, "parse", "model", *options.split()],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for number, word in ((1, b"Haus"), (2, b"Frau"), (3, b"Mann")):
            process.stdin.write(b"Das " + word + b" kommt nicht .\n")
            end = b"#EOS %d.1\n" if "--k-best" in options else b"#EOS %d\n"
            found = answer(process.stdout, end % number)
            assert found.count(b"#BOS") == 1
            assert b"\n" + word in found
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait(timeout=60) == 0
        assert b"Traceback" not in process.stderr.read()


def test_a_terminal_is_answered(folder: Path) -> None:
    """Somebody types a line, sees its tree, and ends with Ctrl-D."""
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, "parse", "model", "-"],
        cwd=folder,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        os.close(theirs)
        assert process.stdout is not None
        for number in (1, 2):
            os.write(ours, b"Das Haus kommt nicht.\n")
            answer(process.stdout, b"#EOS %d\n" % number)
        os.write(ours, b"\x04")
        assert process.stdout.read() == b""
        assert process.wait(timeout=60) == 0
    os.close(ours)


def test_interrupting_a_command_that_waits(folder: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HEED_INTERRUPTS + MAIN, "parse", "model", "--lines"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"Das Haus kommt nicht.\n")
        answer(process.stdout, b"#EOS 1\n")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stderr.read().endswith(b"crossbranch: interrupted\n")
