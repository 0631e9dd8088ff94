"""The one reversible escape."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbranch import escape
from crossbranch.escape import Memo, escaper, unescape, unescaper

# Pieces that can be put together to something that looks like an escape.
TEXT = st.lists(
    st.sampled_from(["&", "#", "x", "&#x", ";", "2", "0", "a", "f", "-", "--", " ", "\ufeff"])
    | st.characters(codec="utf-8"),
    max_size=8,
).map("".join)


@given(TEXT)
def test_unescaping_undoes_escaping(text: str) -> None:
    escaped = escaper("[ -]")(text)
    assert unescape(escaped) == text
    assert " " not in escaped
    assert "-" not in escaped
    assert escaped


@given(TEXT)
def test_the_empty_text_may_have_its_own_sign(text: str) -> None:
    write, read = escaper(" ", absent="--"), unescaper(absent="--")
    assert read(write(text)) == text
    assert (write(text) == "--") == (text == "")


@given(TEXT)
def test_escaping_something_else_is_undone_just_the_same(text: str) -> None:
    assert unescape(escaper("[;#x]")(text)) == text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a b", "a&#x20;b"),
        ("", "&#x;"),
        ("&#x20;", "&#x26;#x20;"),
        ("&#x;", "&#x26;#x;"),
        ("&#X20;", "&#X20;"),
        ("&#x2G;", "&#x2G;"),
        ("&amp;", "&amp;"),
        ("\ufeff", "&#xfeff;"),
        ("\N{GRINNING FACE}", "\N{GRINNING FACE}"),
    ],
)
def test_escapes_by_hand(text: str, escaped: str) -> None:
    assert escaper(" ")(text) == escaped
    assert unescape(escaped) == unescaper()(escaped) == text


@pytest.mark.parametrize("text", ["&#x110000;", "&#xffffffff;"])
def test_what_is_no_character_stays_as_it_is(text: str) -> None:
    assert unescape(text) == text
    assert unescape(escaper(" ")(text)) == text


def test_only_the_first_character_of_a_match_is_escaped() -> None:
    assert escaper("%(?=%)")("%%") == "&#x25;%"
    assert escaper(r"\A#(?=\d)")("#5 #5") == "&#x23;5 #5"


@given(TEXT)
def test_characters_outside_an_encoding_are_escaped(text: str) -> None:
    written = escaper(" ")(text).encode("ascii", "crossbranch.escape").decode("ascii")
    assert unescape(written) == text


@given(st.text(st.characters(codec="utf-8"), max_size=8))
def test_json_has_its_own_escape(text: str) -> None:
    written = text.encode("ascii", "crossbranch.json").decode("ascii")
    if "\\" not in text:
        assert (
            written.encode("ascii")
            .decode("unicode_escape")
            .encode("utf-16", "surrogatepass")
            .decode("utf-16")
            == text
        )


def test_the_handlers_are_known_by_name() -> None:
    assert "č".encode("iso-8859-1", "crossbranch.escape") == b"&#x10d;"
    assert "\U0001f600".encode("ascii", "crossbranch.json") == rb"\ud83d\ude00"
    assert callable(codecs.lookup_error("crossbranch.escape"))


def test_a_memo_remembers_and_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def upper(text: str) -> str:
        calls.append(text)
        return text.upper()

    memo = Memo(upper)
    assert [memo["a"], memo["a"], memo["b"]] == ["A", "A", "B"]
    assert calls == ["a", "b"]
    monkeypatch.setattr(escape, "_MEMO_LIMIT", 3)
    for number in range(100):
        assert memo[str(number)] == str(number)
        assert len(memo) <= 3
