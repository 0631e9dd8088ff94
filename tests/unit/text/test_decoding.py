"""Raw text: decoding, and sections at which reading can begin again."""

from __future__ import annotations

import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbranch.errors import InputError
from crossbranch.text import decoding
from crossbranch.text.decoding import RawText, TextPlace, first_place
from crossbranch.treebank.source import Source


class Slow(io.BytesIO):
    """Gives as many bytes at a time as it likes."""

    def __init__(self, data: bytes, chance: random.Random) -> None:
        super().__init__(data)
        self._chance = chance

    def read1(self, size: int | None = -1) -> bytes:
        return super().read1(self._chance.randint(1, 7))


def source_of(data: bytes, seed: int | None = None) -> Source:
    stream = io.BytesIO(data) if seed is None else Slow(data, random.Random(seed))
    source = Source("text.txt", stream)
    if seed is not None:  # chunks, too, are small and of any size
        source.chunks = lambda: iter(lambda: stream.read1(), b"")  # type: ignore[method-assign]
    return source


def sections(data: bytes, place: TextPlace, **options: object) -> list[tuple[TextPlace, str]]:
    seed = options.pop("seed", None)
    raw = RawText(source_of(data[place.byte :], seed), place, **options)  # type: ignore[arg-type]
    return [(start, "".join(raw.pieces())) for start in raw.sections()]


texts = st.lists(
    st.sampled_from([b"a", b"\n", b"\r\n", b"\n\n", b" ", b"\xc3\xa9", b"\xff", b"\xe2\x82"])
).map(b"".join)


@given(texts, st.booleans(), st.integers(0, 99))
def test_sections_make_up_the_text_however_it_is_read(data: bytes, lines: bool, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoding, "_SECTION", 5)
        whole = sections(data, TextPlace(encoding="utf-8"), lines=lines)
        assert "".join(text for _, text in whole) == data.decode("utf-8", "replace")
        assert sections(data, TextPlace(encoding="utf-8"), lines=lines, seed=seed) == whole
        for number, (place, _) in enumerate(whole):
            assert sections(data, place, lines=lines, seed=seed + 1) == whole[number:]
        end = "\n" if lines else ("\n\n", "\n\r\n")
        assert all(text.endswith(end) and len(text) > 3 for _, text in whole[:-1])


def test_a_section_ends_at_the_first_empty_line_after_enough_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decoding, "_SECTION", 4)
    found = sections(b"a\n\nb\n\nc\nd\r\n\r\ne", TextPlace(encoding="utf-8"))
    assert [text for _, text in found] == ["a\n\nb\n\n", "c\nd\r\n\r\n", "e"]
    assert [place.byte for place, _ in found] == [0, 6, 13]
    found = sections("éé\n\né".encode(), TextPlace(encoding="utf-8"))
    assert [(place.byte, place.character) for place, _ in found] == [(0, 0), (6, 4)]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-32-be", "iso2022_jp"])
def test_wide_encodings_are_one_section(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "_SECTION", 4)
    text = "ab\n\nカタ\n\nc"
    found = sections(text.encode(encoding), TextPlace(encoding=encoding), seed=1)
    assert [text for _, text in found] == [text]


@given(st.lists(st.sampled_from([b"a", b"\xff", b"\xef\xbf\xbd", b"\xe2\x82"])).map(b"".join))
def test_what_is_replaced_is_counted(data: bytes) -> None:
    raw = RawText(source_of(data, 3), TextPlace(encoding="utf-8"))
    text = "".join(piece for _ in raw.sections() for piece in raw.pieces())
    assert raw.place.replaced == text.count("\ufffd") - data.count(b"\xef\xbf\xbd")


def test_strict_decoding_names_the_byte() -> None:
    place = TextPlace(encoding="utf-8", byte=10)
    raw = RawText(source_of("ab€".encode() + b"\xff", 1), place, strict=True)
    with pytest.raises(InputError, match=r"text.txt: byte 15: found the byte 0xff, expected text"):
        [list(raw.pieces()) for _ in raw.sections()]


@pytest.mark.parametrize(
    ("data", "encoding", "byte"),
    [
        (b"", "utf-8", 0),
        (b"abc", "utf-8", 0),
        ("é\nüä".encode(), "utf-8", 0),
        ("caf\xe9".encode("latin-1"), "iso-8859-1", 0),
        ("caf\xe9\nabc\n".encode("latin-1"), "iso-8859-1", 0),
        ("caf\xe9\nabc\n".encode("latin-1") + "ä\nö\n".encode(), "utf-8", 0),
        (b"\x00\xff\xfe\x81\n\xe9\n" + b"abc\n", "utf-8", 0),  # binary
        (b"\xef\xbb\xbfabc", "utf-8", 3),
        ("\ufeffabc".encode("utf-16-le"), "utf-16-le", 2),
        ("\ufeffabc".encode("utf-32-le"), "utf-32-le", 4),
        (("é" * 40_000).encode(), "utf-8", 0),  # the beginning ends within a character
        (("aé" * 40_000).encode("latin-1"), "iso-8859-1", 0),
        (("é ü " * 150).encode() + b"\xff", "utf-8", 0),  # one line
        (("é ü\n" * 150).encode() + b"\xff\n" * 9, "utf-8", 0),
        (b"\xff" + ("é" * 40_000).encode(), "utf-8", 0),  # the same, and a bad byte
        ("das für »Ã«, die Übung, Å».".encode("latin-1"), "iso-8859-1", 0),  # four bad, two good
        ("für Ã¼".encode("latin-1"), "iso-8859-1", 0),  # as many bad ones as good ones
    ],
)
def test_the_encoding_is_guessed(data: bytes, encoding: str, byte: int) -> None:
    assert first_place(source_of(data), None) == TextPlace(encoding=encoding, byte=byte)


def test_the_encoding_is_given() -> None:
    assert first_place(source_of(b"\xe9"), "cp1252") == TextPlace(encoding="cp1252")
    assert first_place(source_of(b"\xef\xbb\xbfa"), "UTF-8") == TextPlace(encoding="utf-8", byte=3)
    assert first_place(source_of(b"\xef\xbb\xbfa"), "utf-8-sig").byte == 3


def test_bytes_before_the_place_are_left_out() -> None:
    for seed in range(9):
        source = source_of(b"0123456789abc", seed)
        raw = RawText(source, TextPlace(encoding="utf-8", byte=10), skip=10)
        assert ["".join(raw.pieces()) for _ in raw.sections()] == ["abc"]
        assert raw.place.byte == 13
