"""Limits against hostile files: what they refuse, what they say, and how they are raised."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from crossbranch.errors import InputError, LimitError, UsageError
from crossbranch.tree import Tree
from crossbranch.treebank import Limits, read
from crossbranch.treebank.limits import NONE, VARIABLE, current_limits

SMALL = Limits(line=100, sentence=1000, vertices=10)


def read_on(data: bytes, format: str, limits: Limits) -> tuple[list[Tree], list[InputError]]:
    errors: list[InputError] = []
    options = {"on_error": "skip", "report": errors.append, "limits": limits}
    return list(read(io.BytesIO(data), format=format, **options)), errors  # type: ignore[arg-type]


# --- how they are given


def test_limits_are_read_from_a_text() -> None:
    assert Limits.parse("") == Limits()
    assert Limits.parse("line=1G, vertices=70k") == Limits(line=1 << 30, vertices=70 << 10)
    assert Limits.parse("none").total == NONE
    assert Limits.parse("none,line=5") == Limits(
        line=5, sentence=NONE, vertices=NONE, ratio=NONE, total=NONE, members=NONE, depth=NONE
    )


@pytest.mark.parametrize("text", ["lines=5", "line", "line=", "line=-1", "line=5X", "line=0", "5"])
def test_wrong_limits_are_a_wrong_call(text: str) -> None:
    with pytest.raises(UsageError, match="limit"):
        Limits.parse(text)


def test_the_environment_raises_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"a b c d e f g h i j k l\n"
    monkeypatch.setenv(VARIABLE, "vertices=5")
    with pytest.raises(LimitError, match="CROSSBRANCH_LIMITS=vertices=50"):
        list(read(io.BytesIO(data), format="tokens"))
    monkeypatch.setenv(VARIABLE, "none")
    assert len(list(read(io.BytesIO(data), format="tokens"))) == 1
    monkeypatch.setenv(VARIABLE, "nonsense")
    with pytest.raises(UsageError, match="CROSSBRANCH_LIMITS: unknown limit 'nonsense'"):
        current_limits()


# --- lines and sentences


def test_a_long_line_is_refused_with_its_place() -> None:
    data = b"a b\n" + b"x" * 101 + b"\nc d\n"
    with pytest.raises(LimitError) as caught:
        list(read(io.BytesIO(data), format="tokens", limits=SMALL))
    message = str(caught.value)
    assert message.startswith("<stream>:2: found a line of more than 100 bytes, expected at most")
    assert "--limits line=1000 COMMAND" in message
    trees, errors = read_on(data, "tokens", SMALL)
    assert [tree.words for tree in trees] == [["a", "b"], ["c", "d"]]
    assert [(type(error), error.line) for error in errors] == [(LimitError, 2)]
    assert list(read(io.BytesIO(data), format="tokens", limits=Limits(line=101)))


def test_a_long_line_costs_only_its_sentence() -> None:
    sentence = "#BOS {0}\n{1}\t--\tN\t--\t--\t0\n#EOS {0}\n"
    parts = [sentence.format(n, "x" * size) for n, size in enumerate([1, 200, 1], 1)]
    trees, errors = read_on("".join(["#FORMAT 4\n", *parts]).encode(), "export", SMALL)
    assert [tree.id for tree in trees] == ["1", "3"]
    assert [(error.line, error.sentence) for error in errors] == [(6, "2")]


def test_a_very_long_line_is_skipped_in_pieces() -> None:
    data = b"a\n" + b"x" * 3_000_000 + b"\nb\n"
    trees, errors = read_on(data, "tokens", Limits(line=1 << 19))
    assert [tree.words for tree in trees] == [["a"], ["b"]]
    assert [error.line for error in errors] == [2]


LARGE = {
    "tokens": "a " * 11,
    "tagged": "a/b " * 11,
    "bracket": f"(S {'a ' * 11})",
    "psd": f"( (S {'a-b ' * 11}) (ID 1))",
    "discbracket": "(S " + " ".join(f"{i}=a" for i in range(11)) + ")",
    "json": '{"tokens":['
    + ",".join(['{"form":"a"}'] * 11)
    + '],"nodes":[{"label":"S","children":[0,1,2,3,4,5,6,7,8,9,10]}]}',
    "export": "#FORMAT 4\n#BOS 1\n" + "a\t--\tN\t--\t--\t0\n" * 11 + "#EOS 1",
    "export3": "#FORMAT 3\n#BOS 1\n" + "a\tN\t--\t--\t0\n" * 11 + "#EOS 1",
    "conllu": "\n".join(f"{i}\ta" + "\t_" * 8 for i in range(1, 12)),
    "tigerxml": "<corpus><body><s id='s1'><graph><terminals>"
    + "".join(f"<t id='s1_{i}' word='a'/>" for i in range(11))
    + "</terminals></graph></s></body></corpus>",
    "alpino": "<treebank><alpino_ds><node cat='top'>"
    + "".join(f"<node begin='{i}' word='a'/>" for i in range(11))
    + "</node></alpino_ds></treebank>",
}


@pytest.mark.parametrize("format", LARGE)
def test_a_large_sentence_is_refused(format: str) -> None:
    data = f"{LARGE[format]}\n".encode()
    xml = {"tigerxml": b"<s id='s1'>", "alpino": b"<alpino_ds>"}.get(format)
    limits = Limits(vertices=10)
    if xml is not None:  # these are looked at every 32 kilobytes
        data = data.replace(xml, xml + b"<!--" + b"a" * 40_000 + b"-->").replace(
            b"</graph>", b" " * 70_000 + b"</graph>"
        )
        data = data.replace(b"</node></alpino_ds>", b"</node>" + b" " * 70_000 + b"</alpino_ds>")
    with pytest.raises(LimitError, match="more than 10 tokens and nodes"):
        list(read(io.BytesIO(data), format=format, limits=limits))
    trees, errors = read_on(data, format, limits)
    assert not trees
    assert errors
    assert len(list(read(io.BytesIO(data), format=format))) == 1


@pytest.mark.parametrize(
    ("format", "start", "more"),
    [
        ("export", b"#FORMAT 4\n#BOS 1\n", b"a\t--\tN\t--\t--\t0\n"),
        ("export", b"", b"%% a comment\n"),
        ("conllu", b"", b"# a comment\n"),
        ("bracket", b"(S\n", b"(N a)\n".rjust(9)),
        ("psd", b"(S\n", b"(N a)\n".rjust(9)),
        ("tigerxml", b"<corpus>", b"<!-- -->"),
        ("alpino", b"<treebank><alpino_ds>", b"<!-- -->"),
    ],
)
def test_a_sentence_without_end_is_refused(format: str, start: bytes, more: bytes) -> None:
    data = start + more * (2_000_000 // len(more))
    limits = Limits(sentence=1 << 20, vertices=NONE)
    with pytest.raises(LimitError, match="--limits sentence=10M") as caught:
        list(read(io.BytesIO(data), format=format, limits=limits))
    assert caught.value.line


def test_many_trees_on_one_line_are_small_sentences() -> None:
    data = b"(S (N a) (V b))" * 100 + b"\n(S c d)\n"
    trees = list(read(io.BytesIO(data), format="bracket", limits=SMALL.parse("vertices=10")))
    assert len(trees) == 101
    assert [tree.id for tree in trees[-2:]] == ["100", "101"]


# --- unpacking

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


@pytest.mark.parametrize("kind", PACKERS)
def test_a_small_file_that_unpacks_to_a_large_one_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.tok.{kind}"
    path.write_bytes(PACKERS[kind](b"a b c\n" * 2_000_000))
    with pytest.raises(LimitError, match=r"bytes, unpacked from .* --limits ratio=2500"):
        _read_all(path)
    with pytest.raises(LimitError, match="--limits total=10000"):
        _read_all(path, Limits(total=1000))
    _read_all(path, Limits(ratio=NONE))


def _read_all(path: Path, limits: Limits | None = None) -> None:
    from crossbranch.treebank.files import open_streams

    for _, stream in open_streams(path, limits=limits):
        while stream.read(1 << 16):
            pass


def test_small_files_may_have_any_ratio() -> None:
    data = gzip.compress(b"\n" * 100_000)
    assert sum(1 for _ in read(io.BytesIO(data), format="tokens")) == 100_000


def test_archives_inside_archives_are_refused(tmp_path: Path) -> None:
    data = b"a b\n"
    for level in range(4):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for number in range(3):
                archive.writestr(f"{number}.{'zip' if level else 'tok'}", data)
        data = stream.getvalue()
        path = tmp_path / f"{level}.zip"
        path.write_bytes(data)
        if level < 3:
            assert len(list(read(path))) == 3 ** (level + 1)
    with pytest.raises(LimitError, match="found 4 archives, one inside the other"):
        list(read(path))
    assert len(list(read(path, limits=Limits(depth=4)))) == 81


def test_archives_of_very_many_files_are_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for number in range(5):
            archive.writestr(f"{number}.tok", b"a\n")
    stream.seek(0)
    with pytest.raises(LimitError, match="an archive of 5 files"):
        list(read(stream, limits=Limits(members=4)))


def test_archives_whose_files_share_their_bytes_are_refused(tmp_path: Path) -> None:
    raw = b"a b c\n" * 50_000
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(raw) + packer.flush()
    sizes = zlib.crc32(raw), len(packed), len(raw)
    name = b"m.tok"
    local = struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, 0, 8, 0, 33, *sizes, len(name), 0) + name
    row = struct.pack(
        "<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, 0, 8, 0, 33, *sizes, len(name), *[0] * 6
    )
    count = 200
    table = (row + name) * count
    start = len(local) + len(packed)
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, len(table), start, 0)
    path = tmp_path / "bomb.zip"
    path.write_bytes(local + packed + table + end)
    with pytest.raises(InputError, match="an archive whose files overlap"):
        list(read(path))


@pytest.mark.no_cover
def test_a_line_of_gigabytes_needs_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.tok.gz"
    with gzip.open(path, "wb", 1) as stream:
        for _ in range(400):
            stream.write(b"a " * (1 << 19))
    code = (
        "import resource, sys; limit = 400 << 20\n"
        "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
        "from crossbranch.cli import main; main()"
    )
    arguments = ["--limits", "ratio=none", "convert", str(path), "-", "--to", "tagged"]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "found a line of more than 16,777,216 bytes" in done.stderr
    assert "Traceback" not in done.stderr
