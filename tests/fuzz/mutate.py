"""Ways to break a file: bits, blocks, lines, fields, numbers, and pieces of other files."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

Mutation = Callable[[bytearray, random.Random], None]
LONGEST = 50_000  # bytes of an input: more would only be slower
JUNK = [
    b"", b"0", b"-1", b"500", b"9" * 30, b"1" * 5000, b"(", b")", b"((((", b"<", b">", b"</s>",
    b"]]>", b"<!--", b"<![CDATA[", b"&amp;", b"&#x20;", b"&#x110000;", b"&lol;", b"#BOS 1\n",
    b"#EOS 1\n", b"#500", b"%%", b"\t", b"\n", b"\r\n", b"\r", b" ", b"\x00", b"\xff", b"\xc3",
    b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xff\xfe", b"{", b"}", b"[", b'"', b"'", b"\\",
    b"\\ud800", b",", b":", b"=", b"|", b"1-2\t", b"/", b"\xe2\x80\xa8", b"*T*-1", b"null",
    b"/*", b"*/", b"65536", b"4294967296", b"18446744073709551616", b"1e309", b"nan", b"-0",
    b"true", b"[]", b"{}", b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", b"\xff" * 8,
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


def copy_block(data: bytearray, draw: random.Random) -> None:
    """Write a block over another place."""
    source, target = place(data, draw), place(data, draw)
    size = draw.choice([1, 2, 4, 8, 30, 300])
    data[target : target + size] = data[source : source + size]


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
    copy_block,
    change_lines,
    change_columns,
    change_numbers,
]


def mutated(data: bytes, draw: random.Random) -> bytes:
    """Return the bytes with a few changes."""
    found = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 4])):
        draw.choice(MUTATIONS)(found, draw)
    return bytes(found)


class Mutator:
    """Makes new inputs from a corpus, which may grow."""

    def __init__(
        self, corpus: Sequence[bytes], *, tokens: Sequence[bytes] = (), seed: object = 0
    ) -> None:
        """Start from a corpus; `tokens` are words of its language. The seed decides everything."""
        self.corpus = [data[:LONGEST] for data in corpus] or [b""]
        self._tokens = list(tokens)
        self._draw = random.Random(str(seed))

    def add(self, data: bytes) -> None:
        """Put an input that found something new into the corpus. It will be used often."""
        self.corpus.append(data)

    def next(self) -> bytes:
        """Return a new input."""
        draw = self._draw
        chosen = draw.choice([self.corpus, self.corpus[-30:]])
        data = draw.choice(chosen)
        kind = draw.randrange(10)
        if kind == 0:
            data = self._splice(data)
        if kind in (1, 2, 3) and self._tokens:
            data = self._with_tokens(data)
            if kind == 1:
                return data[:LONGEST]
        return mutated(data, draw)[:LONGEST]

    def _splice(self, data: bytes) -> bytes:
        """Join the beginning of one file and the end of another, or put a piece into the middle."""
        draw, other = self._draw, self._draw.choice(self.corpus)
        start = draw.randrange(len(data) + 1)
        first = draw.randrange(len(other) + 1)
        if draw.random() < 0.5:
            return data[:start] + other[first:]
        return data[:start] + other[first : first + draw.choice([10, 100, 1000])] + data[start:]

    def _with_tokens(self, data: bytes) -> bytes:
        draw, found = self._draw, bytearray(data)
        for _ in range(draw.choice([1, 1, 2, 5])):
            start = place(found, draw)
            end = start + draw.choice([0, 0, 1, 4])
            found[start:end] = draw.choice(self._tokens) * draw.choice([1, 1, 1, 30])
        return bytes(found)
