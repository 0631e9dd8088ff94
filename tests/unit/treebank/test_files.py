"""Opening: compression is told by content, folders and archives come in natural order."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import re
import tempfile
import threading
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.treebank.files import (
    UNREADABLE,
    Readable,
    check_encoding,
    natural_order,
    open_streams,
    open_target,
    strip_compression,
)

TEXT = b"#BOS 1\nsome text\n#EOS 1\n"


def zipped(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zip": lambda data: zipped({"inner.export": data}),
}


def contents(target: Readable) -> dict[str, bytes]:
    return {name: stream.read() for name, stream in open_streams(target)}


class Pipe(io.RawIOBase):
    """Cannot seek, and gives one byte at a time."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._data.read(min(size, 1) if size >= 0 else -1)


# --- reading


@pytest.mark.parametrize("kind", PACKERS)
def test_compression_is_told_by_content(kind: str, tmp_path: Path) -> None:
    data = PACKERS[kind](TEXT)
    for name in ("a.export", "renamed.gz", "a.export.xz.bak", "b"):
        path = tmp_path / name
        path.write_bytes(data)
        for target in (path, str(path)):
            assert list(contents(target).values()) == [TEXT]
        with path.open("rb") as stream:
            assert list(contents(stream).values()) == [TEXT]
            assert not stream.closed
    assert list(contents(io.BytesIO(data)).values()) == [TEXT]
    assert list(contents(Pipe(data)).values()) == [TEXT]  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", PACKERS)
def test_standard_input_may_be_a_pipe(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = PACKERS[kind](TEXT)
    end, start = os.pipe()

    def feed() -> None:
        with open(start, "wb", buffering=0) as stream:  # noqa: PTH123
            for byte in data:
                stream.write(bytes([byte]))

    feeder = threading.Thread(target=feed)
    with open(end, encoding="utf-8") as stdin:  # noqa: PTH123
        monkeypatch.setattr("sys.stdin", stdin)
        feeder.start()
        found = contents("-")
        feeder.join()
    name = "<stdin>/inner.export" if kind == "zip" else "<stdin>"
    assert found == {name: TEXT}


def test_text_that_begins_like_an_archive_is_text() -> None:
    for text in (b"BZh is a word\n", b"BZh9 as well\n", b"PK\n", b"\x1f", b""):
        assert list(contents(io.BytesIO(text)).values()) == [text]


@pytest.mark.parametrize("text", ["Käse\n", "BZh91AY&SY", "", "x" * 100_000 + "é"])
def test_text_streams_are_handed_on_in_utf_8(text: str) -> None:
    assert contents(io.StringIO(text)) == {"<stream>": text.encode()}
    ((_, stream),) = open_streams(io.StringIO(text))
    assert b"".join(iter(lambda: stream.read(7), b"")) == text.encode()
    assert stream.readable()


def test_streams_tell_their_names(tmp_path: Path) -> None:
    path = tmp_path / "a.export"
    path.write_bytes(TEXT)
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        assert contents(binary) == contents(text) == {str(path): TEXT}


def test_folders_come_in_natural_order_without_hidden_files(tmp_path: Path) -> None:
    for name in ("10.xml", "9.xml", "b/2.xml", "b/1.xml", ".hidden", ".git/config", "b/.x"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(name.encode())
    (tmp_path / "c.xml.gz").write_bytes(gzip.compress(b"c"))
    found = contents(tmp_path)
    names = ["9.xml", "10.xml", "b/1.xml", "b/2.xml", "c.xml.gz"]
    assert list(found) == [str(tmp_path / name) for name in names]
    assert list(found.values()) == [b"9.xml", b"10.xml", b"b/1.xml", b"b/2.xml", b"c"]


def test_archives_come_in_natural_order_without_hidden_files() -> None:
    data = zipped(
        {
            "d/10.xml": b"ten",
            "d/9.xml": b"nine",
            "d/": b"",
            ".hidden": b"",
            "__MACOSX/9.xml": b"",
            "e.xml.xz": lzma.compress(b"packed"),
            "f.zip": zipped({"inner.xml": b"nested"}),
        }
    )
    assert contents(io.BytesIO(data)) == {
        "<stream>/d/9.xml": b"nine",
        "<stream>/d/10.xml": b"ten",
        "<stream>/e.xml.xz": b"packed",
        "<stream>/f.zip/inner.xml": b"nested",
    }


@pytest.mark.parametrize("name", ["missing.export", "no/such/folder", "a.export/below"])
def test_a_missing_file_is_a_wrong_call(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.export").write_bytes(TEXT)
    with pytest.raises(UsageError, match=rf"cannot read .*{re.escape(name)}: no"):
        contents(tmp_path / name)


def test_an_empty_folder_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / ".hidden").write_bytes(TEXT)
    with pytest.raises(InputError, match="an empty folder, expected treebank files"):
        contents(tmp_path)


# --- damage


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zip"])
def test_truncated_files_fail_when_they_are_read(kind: str) -> None:
    data = PACKERS[kind](random.Random(1).randbytes(5000))
    for stop in (12, len(data) // 2, len(data) - 3):
        for _, stream in open_streams(io.BytesIO(data[:stop])):
            read_some = getattr(stream, "read1", stream.read)
            with pytest.raises(UNREADABLE):
                list(iter(partial(read_some, 10_000), b""))


def test_the_good_members_of_a_damaged_archive_are_read() -> None:
    data = bytearray(zipped({"1.xml": b"a" * 500, "2.xml": b"b" * 500, "3.xml": b"c" * 500}))
    spoil = data.index(zlib.compress(b"b" * 500, 9, -15)[:-4])
    data[spoil : spoil + 3] = b"\xff\xff\xff"
    found = {}
    for name, stream in open_streams(io.BytesIO(bytes(data))):
        try:
            found[name] = stream.read1(1000)  # type: ignore[attr-defined]
        except UNREADABLE:
            found[name] = b"damaged"
    assert [text[:1] for text in found.values()] == [b"a", b"d", b"c"]


def test_a_locked_archive() -> None:
    data = bytearray(zipped({"a.xml": TEXT}))
    for place in (6, data.index(b"PK\x01\x02") + 8):  # the flag "encrypted", in both its places
        data[place] |= 1
    ((name, stream),) = open_streams(io.BytesIO(bytes(data)))
    assert name == "<stream>/a.xml"
    with pytest.raises(RuntimeError, match="password required"):
        stream.read1()  # type: ignore[attr-defined]


def test_an_archive_without_files() -> None:
    ((_, stream),) = open_streams(io.BytesIO(zipped({})))
    with pytest.raises(EOFError, match="without files"):
        stream.read1()  # type: ignore[attr-defined]


def test_any_archive_opens_or_fails_in_a_known_way() -> None:
    whole = zipped({"1.xml": TEXT, "é2.xml": TEXT * 20})
    draw = random.Random(7)
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            data[draw.randrange(4, len(data))] = draw.randrange(256)
        for _, stream in open_streams(io.BytesIO(bytes(data[: draw.choice([len(data), 200])]))):
            try:
                stream.read1(1 << 16)  # type: ignore[attr-defined]
            except UNREADABLE:
                continue


# --- names


@pytest.mark.parametrize(
    ("name", "stripped"),
    [
        ("a.export.gz", "a.export"),
        ("a.export.XZ", "a.export"),
        ("a.bz2", "a"),
        ("a.zip", "a"),
        ("a.export", "a.export"),
        ("a.gz.xz", "a.gz"),
    ],
)
def test_compression_in_names(name: str, stripped: str) -> None:
    assert strip_compression(name) == stripped


def test_natural_order() -> None:
    names = ["b1", "a10", "a9", "a", "9", "10", "a9b", "a09", "1" * 5000]
    expected = ["9", "10", "1" * 5000, "a", "a09", "a9", "a9b", "a10", "b1"]
    assert sorted(names, key=natural_order) == expected


@pytest.mark.parametrize("name", ["klingon", "hex", "idna", "undefined", "utf\0", ""])
def test_unknown_encodings_are_a_wrong_call(name: str) -> None:
    with pytest.raises(UsageError, match="unknown encoding"):
        check_encoding(name)


@pytest.mark.parametrize("name", ["utf-8", "ISO-8859-1", "utf-16", "latin1", "shift_jis", "utf-7"])
def test_known_encodings(name: str) -> None:
    check_encoding(name)


# --- writing


def write_text(target: object, text: str = "Käse č\n", encoding: str = "utf-8") -> None:
    with open_target(target, encoding, "crossbranch.escape") as stream:  # type: ignore[arg-type]
        stream.write(text)


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz", ".zip", ".GZ"])
def test_what_is_written_can_be_read_and_is_always_the_same(suffix: str, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        write_text(tmp_path / folder / f"a.tok{suffix}")
    (name, data), *_ = contents(tmp_path / "one" / f"a.tok{suffix}").items()
    assert data == "Käse č\n".encode()
    assert name.endswith("a.tok.zip/a.tok" if suffix == ".zip" else f"a.tok{suffix}")
    one, two = ((tmp_path / folder / f"a.tok{suffix}").read_bytes() for folder in ("one", "two"))
    assert one == two
    assert (one == data) == (suffix == "")


def test_characters_outside_the_encoding_are_escaped(tmp_path: Path) -> None:
    write_text(tmp_path / "a.tok", encoding="iso-8859-1")
    assert (tmp_path / "a.tok").read_bytes() == b"K\xe4se &#x10d;\n"


def test_streams_stay_open() -> None:
    binary, text = io.BytesIO(), io.StringIO()
    write_text(binary)
    write_text(text)
    assert binary.getvalue() == "Käse č\n".encode()
    assert text.getvalue() == "Käse č\n"


def test_temporary_files_of_both_kinds(tmp_path: Path) -> None:
    with tempfile.NamedTemporaryFile("w+", encoding="utf-8", dir=tmp_path) as text:
        write_text(text)
        text.seek(0)
        assert text.read() == "Käse č\n"
    with (
        tempfile.NamedTemporaryFile(dir=tmp_path) as named,
        tempfile.SpooledTemporaryFile(dir=str(tmp_path)) as spooled,
    ):
        for stream in (named, spooled):
            write_text(stream)
            stream.seek(0)
            assert stream.read() == "Käse č\n".encode()


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_text("-")
    write_text(Path("-"), "more\n")
    assert capfdbinary.readouterr().out == "Käse č\nmore\n".encode()


def test_a_place_that_cannot_be_written_is_a_wrong_call(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "folder.export"):
        with pytest.raises(UsageError, match="cannot write"):
            write_text(path)


def test_a_wrong_encoding_is_noticed_before_the_file_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "precious.export"
    path.write_bytes(TEXT)
    with pytest.raises(UsageError, match="unknown encoding: klingon"):
        write_text(path, encoding="klingon")
    assert path.read_bytes() == TEXT


def test_what_was_written_before_an_error_stays(tmp_path: Path) -> None:
    def write_half(path: Path) -> None:
        with open_target(path, "utf-8", "crossbranch.escape") as stream:
            stream.write("before\n")
            raise KeyError

    for suffix in ("", ".gz", ".zip"):
        path = tmp_path / f"a.tok{suffix}"
        with pytest.raises(KeyError):
            write_half(path)
        assert list(contents(path).values()) == [b"before\n"]


def test_files_about_a_treebank_are_no_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "README.txt").write_text("hello world\n")
    (tmp_path / "1.tok").write_text("a b\n")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(tmp_path / "README.txt", "README.txt")
        archive.write(tmp_path / "1.tok", "1.tok")
    assert [Path(name).name for name, _ in open_streams(tmp_path / "all.zip")] == ["1.tok"]
    (tmp_path / "all.zip").unlink()
    assert [Path(name).name for name, _ in open_streams(tmp_path)] == ["1.tok"]
