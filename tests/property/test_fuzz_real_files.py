"""Damaged files of every format: nothing but InputError comes out, and reading goes on.

The mutations are the same on every run. CROSSBRANCH_FUZZ_ROUNDS=5000 makes many more of them.
"""

from __future__ import annotations

import gzip
import io
import os
import random
import warnings
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from crossbranch.errors import DamageError, InputError, LossWarning
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank import FORMATS, Header, read, write
from crossbranch.treebank.header import HeaderTable, HeaderValue

ROUNDS = int(os.environ.get("CROSSBRANCH_FUZZ_ROUNDS", "40"))
SHARED = Path(__file__).parents[3] / "shared" / "treebanks"
ORIGINALS = {
    "tigerxml": ["tiger-squoia-lai.xml"],
    "alpino": ["alpino-single-file.xml", "alpino-cdb/10.xml", "alpino-cdb/5.xml"],
    "bracket": ["craft-15018652.mrg", "wsj-sample.mrg"],
    "psd": ["icepahc-sample.psd"],
}
PIECE = 12_000  # bytes of a file that are enough to break it in many ways


def own_trees() -> list[Tree]:
    """A few trees with some of everything."""
    words = [
        Token("Wär", "V", "sein", "Pl|Past", "HD", (("comment", "c"),)),
        Token("(", "$("),
        Token("zwei Wörter", "N", "", "Nom"),
        Token("", "-NONE-"),
        Token("\N{GRINNING FACE}", "E"),
    ]
    vp = Node("VP", [0, 3], edge_label="OC", head=1, features=(("comment", "gap"),))
    s = Node("S", [vp, Node("NP", [Node("N", [2])]), 1], edge_label="--", head=0)
    rich = Tree(
        words,
        Node(ROOT, [s, 4]),
        id="1",
        secondary_edges=[SecondaryEdge("SB", 2, 6), SecondaryEdge("OA", 7, 5)],
        comments=["a comment", "another"],
        features=(("date", "9"), ("editor", "2")),
    )
    flat = Tree([Token(w, "T") for w in "abc"], Node("S", [Node("X", [0, 1]), 2]), id="2")
    return [rich, flat, Tree([], Node(ROOT), id="3"), flat.replace(id="4"), rich.replace(id="5")]


def own_file(name: str) -> bytes:
    header = Header(
        ("c",), (("name", "n"),), (HeaderTable("tag", (HeaderValue("V", "verb", "1", "N"),)),)
    )
    return to_bytes(own_trees(), name, header)


def to_bytes(trees: list[Tree], name: str, header: Header | None = None) -> bytes:
    stream = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LossWarning)
        write(trees, stream, format=name, header=header, on_error="skip")
    return stream.getvalue()


def real_files(name: str) -> list[bytes]:
    """Beginnings of real files; those that no one publishes are converted from export."""
    if not SHARED.is_dir():
        return []
    if name in ORIGINALS:
        paths = [SHARED / "originals" / path for path in ORIGINALS[name]]
        return [path.read_bytes()[:PIECE] for path in paths]
    found = []
    for folder in ("alpino/with-functions", "squoia/with-functions", "icepahc"):
        trees = list(islice(read(SHARED / folder / "dev.export.xz"), 12))
        found.append(to_bytes(trees, name)[:PIECE])
    return found


# --- ways to break a file

Mutation = Callable[[bytearray, random.Random], None]
JUNK = [
    b"", b"0", b"-1", b"500", b"9" * 30, b"1" * 5000, b"(", b")", b"((((", b"<", b">", b"</s>",
    b"]]>", b"<!--", b"<![CDATA[", b"&amp;", b"&#x20;", b"&#x110000;", b"&lol;", b"#BOS 1\n",
    b"#EOS 1\n", b"#500", b"%%", b"\t", b"\n", b"\r\n", b"\r", b" ", b"\x00", b"\xff", b"\xc3",
    b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xff\xfe", b"{", b"}", b"[", b'"', b"'", b"\\",
    b"\\ud800", b",", b":", b"=", b"|", b"1-2\t", b"/", b"\xe2\x80\xa8", b"*T*-1", b"null",
    b"/*", b"*/",
]  # fmt: skip


def place(data: bytearray, draw: random.Random) -> int:
    return draw.randrange(len(data) + 1)


def flip(data: bytearray, draw: random.Random) -> None:
    for _ in range(draw.choice([1, 1, 3, 20])):
        if data:
            data[draw.randrange(len(data))] = draw.randrange(256)


def flip_a_bit(data: bytearray, draw: random.Random) -> None:
    if data:
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)


def cut_end(data: bytearray, draw: random.Random) -> None:
    del data[place(data, draw) :]


def cut_middle(data: bytearray, draw: random.Random) -> None:
    start = place(data, draw)
    del data[start : start + draw.choice([1, 5, 100, 2000])]


def insert_junk(data: bytearray, draw: random.Random) -> None:
    start = place(data, draw)
    data[start:start] = draw.choice(JUNK) * draw.choice([1, 1, 1, 7])


def repeat(data: bytearray, draw: random.Random) -> None:
    start = place(data, draw)
    data[start:start] = data[start : start + draw.choice([1, 10, 300, 3000])]


def change_lines(data: bytearray, draw: random.Random) -> None:
    lines = bytes(data).split(b"\n")
    for _ in range(draw.choice([1, 1, 4])):
        one, two = draw.randrange(len(lines)), draw.randrange(len(lines))
        kind = draw.choice(["drop", "double", "swap", "move", "join"])
        if kind == "drop" and len(lines) > 1:
            del lines[one]
        elif kind == "double":
            lines.insert(two, lines[one])
        elif kind == "swap":
            lines[one], lines[two] = lines[two], lines[one]
        elif kind == "move":
            lines.insert(min(two, len(lines) - 1), lines.pop(one))
        elif one + 1 < len(lines):
            lines[one : one + 2] = [lines[one] + lines[one + 1]]
    data[:] = b"\n".join(lines)


def change_columns(data: bytearray, draw: random.Random) -> None:
    """Replace what stands between blanks, quotes, brackets or tags by other such things."""
    fields = bytes(data).split()
    if not fields:
        return
    for _ in range(draw.choice([1, 1, 5])):
        old, new = draw.choice(fields), draw.choice([*JUNK, *draw.choices(fields, k=20)])
        start = data.find(old, place(data, draw))
        if start >= 0:
            data[start : start + len(old)] = new


def change_numbers(data: bytearray, draw: random.Random) -> None:
    digits = [i for i, byte in enumerate(data) if chr(byte).isdigit()]
    for _ in range(draw.choice([1, 1, 5])):
        if digits:
            data[draw.choice(digits)] = draw.choice(b"0123456789-")


MUTATIONS: list[Mutation] = [
    flip,
    flip_a_bit,
    cut_end,
    cut_middle,
    insert_junk,
    repeat,
    change_lines,
    change_columns,
    change_numbers,
]


def mutations(name: str, files: list[bytes]) -> list[bytes]:
    draw = random.Random(name)
    found = []
    for _ in range(ROUNDS if files else 0):
        data = bytearray(draw.choice(files))
        for _ in range(draw.choice([1, 1, 2, 4])):
            draw.choice(MUTATIONS)(data, draw)
        found.append(bytes(data))
    return found


# --- what must hold


def check(data: bytes, format: str | None, *, packed: bool = False) -> None:
    problems: list[InputError] = []
    reader = read(io.BytesIO(data), format=format, on_error="skip", report=problems.append)
    trees = list(reader)
    lines = data.count(b"\n") + data.count(b"\r") + 2
    assert all(isinstance(tree, Tree) for tree in trees)
    assert reader.skipped == len(problems)
    for problem in problems:
        assert type(problem) in (InputError, DamageError)
        assert problem.found
        assert problem.expected
        assert problem.path.startswith("<stream>")
        assert packed or problem.line is None or 1 <= problem.line <= lines
        assert len(str(problem)) < 1000
    found: list[Tree] = []
    try:
        found.extend(read(io.BytesIO(data), format=format))
    except InputError as error:
        assert problems
        assert str(error) == str(problems[0])
    else:
        assert not problems
        assert found == trees
    assert list(read(io.BytesIO(to_bytes(trees, "json")), format="json")) == trees


def files_of(name: str) -> list[bytes]:
    return [own_file(name), *real_files(name)]


@pytest.mark.parametrize("name", FORMATS)
def test_only_input_errors_come_out(name: str) -> None:
    for data in mutations(name, files_of(name)):
        check(data, name)


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_when_the_format_has_to_be_guessed(name: str) -> None:
    for data in mutations(f"guess {name}", files_of(name))[: ROUNDS // 4]:
        check(data, None)


@pytest.mark.parametrize("name", FORMATS)
def test_files_of_one_format_read_as_another(name: str) -> None:
    for other in FORMATS:
        for data in files_of(name)[:2]:
            check(data[:4000], other)


def test_damaged_compressed_files() -> None:
    draw = random.Random(5)
    whole = gzip.compress(own_file("export") * 20, mtime=0)
    for _ in range(ROUNDS):
        data = bytearray(whole)
        draw.choice([flip, flip_a_bit, cut_end, cut_middle, repeat])(data, draw)
        check(bytes(data), "export", packed=True)
