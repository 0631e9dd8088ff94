"""JSON of any texts."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbranch.json_texts import decode, encode

ANY = st.text(st.characters(codec=None, categories=None))
HALVES = st.text(st.sampled_from('a\\\\u\ud83d\ude00é\U0001f600d8"'))


class Record(msgspec.Struct):
    """Words and numbers."""

    words: list[str]
    numbers: dict[str, tuple[int, ...]]


@given(st.lists(st.one_of(ANY, HALVES)), st.dictionaries(st.one_of(ANY, HALVES), st.just((1, 2))))
def test_what_was_written_is_read(words: list[str], numbers: dict[str, tuple[int, ...]]) -> None:
    record = Record(words, numbers)
    for is_indented in (False, True):
        assert decode(encode(record, is_indented=is_indented), Record) == record


def test_without_halves_it_is_what_msgspec_writes() -> None:
    record = Record(["é", "\U0001f600", "\x00\x7f\u2028/"], {"ü": (1,)})
    assert encode(record) == msgspec.json.encode(record)
    indented = msgspec.json.format(msgspec.json.encode(record), indent=1)
    assert encode(record, is_indented=True) == indented


def test_with_halves_only_they_differ() -> None:
    assert encode(["é", "\ud800"]) == b'["\xc3\xa9","\xed\xa0\x80"]'
    assert encode(["é", "\ud800"], is_indented=True) == b'[\n "\xc3\xa9",\n "\xed\xa0\x80"\n]'


def test_escapes_are_read() -> None:
    assert decode(json.dumps(["\ud800", "\U0001f600"]).encode(), list[str]) == [
        "\ud800",
        "\U0001f600",
    ]


@pytest.mark.parametrize(
    "data", [b"", b"[", b'["\\ud800', b'["\\ud800", 1]', b'"\xff\\ud800"', b"[1]"]
)
def test_what_cannot_be_read_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode(data, list[str])
