"""Pipes are read as their bytes come, while their writers keep them open."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import IO, TypeVar, cast

import pytest

from crossbranch.treebank import read
from crossbranch.treebank.files import open_streams
from crossbranch.treebank.live import LiveStream, live_stream
from crossbranch.treebank.source import Source

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")

Result = TypeVar("Result")


def soon(work: Callable[[], Result]) -> Result:
    """Do something that must not wait for bytes that nobody writes."""
    done: Future[Result] = Future()

    def answer() -> None:
        try:
            done.set_result(work())
        except Exception as error:
            done.set_exception(error)

    threading.Thread(target=answer, daemon=True).start()
    return done.result(timeout=10)


class Pipe:
    def __init__(self) -> None:
        number, writing = os.pipe()
        self.reading = cast("IO[bytes]", os.fdopen(number, "rb"))
        self._writing = os.fdopen(writing, "wb", buffering=0)

    def write(self, data: bytes) -> None:
        self._writing.write(data)

    def close(self) -> None:
        self._writing.close()


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    pipe.close()  # whoever still waits sees the end
    pipe.reading.close()


def opened(pipe: Pipe) -> Source:
    ((name, stream),) = soon(lambda: [next(open_streams(pipe.reading))])
    return Source(name, stream)


def test_bytes_are_handed_on_as_they_come(pipe: Pipe) -> None:
    pipe.write(b"a")
    chunks = opened(pipe).chunks()
    assert soon(lambda: next(chunks)) == b"a"
    pipe.write(b"bc")
    assert soon(lambda: next(chunks)) == b"bc"
    pipe.close()
    assert soon(lambda: list(chunks)) == []


def test_lines_are_handed_on_when_they_end(pipe: Pipe) -> None:
    pipe.write(b"one\ntw")
    lines = opened(pipe).lines()
    assert soon(lambda: next(lines)) == "one"
    pipe.write(b"o\nthree")
    assert soon(lambda: next(lines)) == "two"
    pipe.close()
    assert soon(lambda: list(lines)) == ["three"]


@pytest.mark.parametrize("format", ["tokens", None])
def test_sentences_are_handed_on(pipe: Pipe, format: str | None) -> None:
    pipe.write(b"De man\n")
    trees = read(pipe.reading, format=format)
    assert soon(lambda: next(trees)).words == ["De", "man"]
    pipe.write(b"Komt Anna\n")
    assert soon(lambda: next(trees)).words == ["Komt", "Anna"]
    pipe.close()
    assert soon(lambda: list(trees)) == []


def test_pauses_are_seen(pipe: Pipe) -> None:
    pipe.write(b"a")
    source = opened(pipe)
    assert source.peek() == b"a"
    assert source.is_quiet()
    pipe.write(b"b")
    assert next(chunks := source.chunks()) == b"a"
    assert not source.is_quiet()
    assert next(chunks) == b"b"
    pipe.close()
    assert not source.is_quiet()  # the end is no pause
    assert next(chunks, None) is None


def test_compressed_data_are_told_by_bytes_that_come_one_by_one(pipe: Pipe) -> None:
    data = gzip.compress(b"De man\n")
    pipe.write(data[:1])

    def write_the_rest() -> None:
        pipe.write(data[1:])
        pipe.close()

    threading.Timer(0.3, write_the_rest).start()
    assert b"".join(opened(pipe).chunks()) == b"De man\n"


@pytest.mark.parametrize("text", [b"B\n", b"PK\n", b"\n", b"\x1f\n"])
def test_short_texts_need_no_more_to_be_told(pipe: Pipe, text: bytes) -> None:
    pipe.write(text)
    assert next(opened(pipe).chunks()) == text


def test_files_are_not_live(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a")
    with (tmp_path / "x").open("rb") as file:
        assert live_stream(file) is None
        assert not Source("x", file).is_quiet()
    assert live_stream(io.BytesIO(b"a")) is None


def test_a_live_stream_is_a_stream(pipe: Pipe) -> None:
    live = live_stream(pipe.reading)
    assert isinstance(live, LiveStream)
    pipe.write(b"abcdef")
    assert live.head(lambda head: len(head) > 2) == b"abcdef"
    assert live.read1(2) == b"ab"
    assert live.read(3) == b"cde"
    pipe.close()
    assert live.read1() == b"f"
    assert live.read() == b""
    assert live.readable()
    assert not live.seekable()


def test_python_exits_while_a_thread_waits_for_standard_input() -> None:
    program = (
        "import threading, time\nfrom crossbranch.treebank import read\n"
        "work = lambda: list(read('-', format='tokens'))\n"
        "threading.Thread(target=work, daemon=True).start()\ntime.sleep(0.5)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == b""
