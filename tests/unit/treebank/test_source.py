"""Sources: bytes in any encoding, whole or damaged, as lines with numbers."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbranch.errors import InputError, UsageError
from crossbranch.treebank import source as module
from crossbranch.treebank.source import Source, check_on_error


class Trickle(io.RawIOBase):
    """Gives a few bytes at a time and, if told, fails at the end."""

    def __init__(self, data: bytes, size: int = 1, error: Exception | None = None) -> None:
        self._pieces = [data[i : i + size] for i in range(0, len(data), size)]
        self._error = error

    def read(self, size: int = -1) -> bytes:
        if self._pieces:
            return self._pieces.pop(0)
        if self._error is not None:
            raise self._error
        return b""


def source(data: bytes | io.RawIOBase, **options: object) -> Source:
    stream = io.BytesIO(data) if isinstance(data, bytes) else data
    return Source("file", stream, **options)  # type: ignore[arg-type]


def bad_lines(reader: Source, count: int) -> list[int]:
    """Check each line on its own and return the numbers of the bad ones."""
    found = []
    for line in range(1, count + 1):
        try:
            reader.check(line, line)
        except InputError as error:
            assert error.line == line
            found.append(line)
    return found


# --- lines


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\nb", ["a", "", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\rb\n", ["a\rb"]),
        (b"\n", [""]),
        (codecs.BOM_UTF8 + b"a\n", ["a"]),
        ("a\u2028b\x85c\x0bd\n".encode(), ["a\u2028b\x85c\x0bd"]),  # no line ends for us
    ],
)
def test_lines(data: bytes, lines: list[str]) -> None:
    assert list(source(data).lines()) == lines
    assert list(source(Trickle(data)).lines()) == lines


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\r\ufeff"), max_size=40),
    st.sampled_from(["utf-8", "utf-16", "utf-16-le", "utf-32", "utf-8-sig", "utf-7", "cp037"]),
)
def test_lines_in_every_encoding(text: str, encoding: str) -> None:
    text = text.encode(encoding, "ignore").decode(encoding) + "\n"
    lines = text.removesuffix("\n").split("\n")
    found = source(text.encode(encoding), encoding=encoding)
    assert list(found.lines()) == lines
    assert bad_lines(found, len(lines)) == []


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
def test_wide_encodings_are_known_by_their_mark(encoding: str) -> None:
    mark = codecs.BOM_UTF16_BE if encoding == "utf-16-be" else b""
    data = mark + "Bär\nČech \N{GRINNING FACE}\n".encode(encoding)
    reader = source(data)
    assert list(reader.lines()) == ["Bär", "Čech \N{GRINNING FACE}"]
    assert reader.encoding == encoding.removesuffix("-be")


def test_chunks_do_not_depend_on_how_the_bytes_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 8)
    data = "äö\nü\nabcdefghijklmnopqrstuvw\nx".encode()
    expected = ["äö", "ü", "abcdefghijklmnopqrstuvw", "x"]
    for size in (1, 3, 100):
        assert list(source(Trickle(data, size)).lines()) == expected


# --- which encoding


def test_iso_8859_1_is_detected() -> None:
    reader = source("Käse\nBär\n".encode("iso-8859-1"))
    assert list(reader.lines()) == ["Käse", "Bär"]
    assert reader.encoding == "iso-8859-1"


def test_utf_8_with_a_few_bad_bytes_stays_utf_8() -> None:
    data = "Käse\nBär\nÖl\n".encode() + b"bad \xff\n" + "Tür\n".encode()
    reader = source(data)
    assert list(reader.lines()) == ["Käse", "Bär", "Öl", "bad \ufffd", "Tür"]
    assert bad_lines(reader, 5) == [4]


def test_the_encoding_is_decided_where_the_text_is_not_ascii(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "CHUNK", 16)
    reader = source(b"plain text\n" * 9000 + "Käse\n".encode("iso-8859-1"))
    assert list(reader.lines())[-1] == "Käse"


@pytest.mark.parametrize(
    ("data", "encoding", "found"),
    [
        (b"a\nb\xe4r\nc\n", "utf-8", "the byte 0xe4"),
        (b"a\nb\xe4r\nc\n", "ascii", "the byte 0xe4"),
        (b"a\nb\x81r\nc\n", "cp1252", "the byte 0x81"),
        ("a\nb\udc80r\nc\n".encode("utf-16-le", "surrogatepass"), "utf-16-le", "damaged"),
        ("a\nb".encode("utf-16-be") + b"\0", "utf-16-be", "damaged"),
    ],
)
def test_bad_bytes_are_found_with_their_line(data: bytes, encoding: str, found: str) -> None:
    reader = source(data, encoding=encoding)
    lines = list(reader.lines())
    assert lines[0] == "a"
    with pytest.raises(InputError) as caught:
        reader.check(1, len(lines), "s7")
    error = caught.value
    assert (error.path, error.line, error.sentence) == ("file", 2, "s7")
    assert found in error.found
    assert error.expected == f"text in the encoding {encoding}"


def test_a_check_names_the_first_bad_line_of_its_range_and_forgets_the_ones_before() -> None:
    reader = source(b"\xff\n\xff\nok\n\xff\n", encoding="utf-8")
    assert len(list(reader.lines())) == 4
    reader.check(0, 0)
    with pytest.raises(InputError, match="file:2:"):
        reader.check(2, 3)
    reader.check(3, 3)
    with pytest.raises(InputError, match="file:4:"):
        reader.check(3, 4)


def test_utf_16_without_its_mark_is_reported() -> None:
    with pytest.raises(InputError, match="unreadable text"):
        list(source(b"abcd", encoding="utf-16").lines())
    assert source(b"abcd", encoding="utf-16").head() == ""


# --- the beginning, for guessing


@pytest.mark.parametrize(
    "data",
    ["Käse\n".encode(), "Käse\n".encode("iso-8859-1"), "\ufeffKäse\n".encode("utf-16-le")],
)
def test_the_head_is_decoded_and_not_used_up(data: bytes) -> None:
    reader = source(data)
    assert reader.head() == "Käse\n"
    assert reader.peek() == data
    assert list(reader.lines()) == ["Käse"]


def test_a_character_cut_at_the_end_of_the_head_is_left_out() -> None:
    data = ("ok\n" + "x" * (2**16 - 4) + "é\n").encode()
    head = source(data).head()
    assert head == "ok\n" + "x" * (2**16 - 4)


def test_peeking_in_steps() -> None:
    reader = source(Trickle(b"abcdefgh"))
    assert reader.peek(2) == b"ab"
    assert reader.peek(4) == b"abcd"
    assert reader.peek(1) == b"abcd"
    assert b"".join(reader.chunks()) == b"abcdefgh"


# --- damage


@pytest.mark.parametrize("error", [EOFError("cut off"), OSError(5, "Input/output error")])
def test_what_comes_before_the_damage_is_read(error: Exception) -> None:
    reader = source(Trickle(b"one\ntwo\nthr", 4, error))
    lines: Iterator[str] = reader.lines()
    assert [next(lines), next(lines)] == ["one", "two"]
    with pytest.raises(InputError, match=r"file: found unreadable data \(.*undamaged file"):
        next(lines)


def test_skipping_damage_reports_it_once_and_drops_the_half_line() -> None:
    problems: list[InputError] = []
    stream = Trickle(b"one\ntwo\nthr", 4, EOFError())
    reader = source(stream, on_error="skip", report=problems.append)
    assert reader.peek() == b"one\ntwo\nthr"
    assert list(reader.lines()) == ["one", "two"]
    assert list(reader.chunks()) == []
    assert [problem.found for problem in problems] == ["unreadable data (EOFError)"]
    assert reader.skipped == 1


def test_damage_from_the_start() -> None:
    with pytest.raises(InputError, match="unreadable"):
        source(Trickle(b"", error=RuntimeError("password required"))).peek()


# --- reports


def test_reports_raise_or_count() -> None:
    problem = InputError("x", "y")
    with pytest.raises(InputError) as caught:
        source(b"").report(problem)
    assert caught.value is problem
    heard: list[InputError] = []
    for listener in (None, heard.append):
        reader = source(b"", on_error="skip", report=listener)
        reader.report(problem)
        assert reader.skipped == 1
    assert heard == [problem]


def test_errors_know_the_source() -> None:
    error = source(b"").error("x", "y", line=3, byte=4, sentence="s")
    assert (error.path, error.line, error.byte, error.sentence) == ("file", 3, 4, "s")


def test_on_error_is_stop_or_skip() -> None:
    check_on_error("stop")
    check_on_error("skip")
    with pytest.raises(UsageError, match="'ignore', expected 'stop' or 'skip'"):
        check_on_error("ignore")
