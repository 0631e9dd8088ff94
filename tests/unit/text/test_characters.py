"""Atoms, runs and chunks."""

import pytest

from crossbranch.text.characters import (
    MOST_CHARACTERS,
    atoms,
    chunks_of,
    is_white,
    kind_of,
)


@pytest.mark.parametrize(
    ("chunk", "expected"),
    [
        ("woord", ["woord"]),
        ("Größe", ["Größe"]),
        ("E13.5,", ["E", "13", ".", "5", ","]),
        ("cafe\u0301s!", ["cafe\u0301s", "!"]),
        ("(\u0301x", ["(\u0301", "x"]),
        ("\u0301x", ["\u0301", "x"]),
        ("漢字x", ["漢", "字", "x"]),
        ("👨\u200d👩\u200d👧!", ["👨\u200d👩\u200d👧", "!"]),
        ("👍🏽👍", ["👍🏽", "👍"]),
        ("🇳🇱🇩🇪", ["🇳🇱", "🇩🇪"]),
        ("\ud800\x00", ["\ud800", "\x00"]),
    ],
)
def test_atoms(chunk: str, expected: list[str]) -> None:
    assert atoms(chunk) == expected


def test_white_space_is_more_than_blanks() -> None:
    assert all(map(is_white, " \t\n\r\f\u00a0\u2009\u202f\u3000\u2028\ufeff\u200b"))
    assert not any(map(is_white, "a.\x00\u200d\u00ad"))


def test_kinds_of_characters() -> None:
    assert [kind_of(character) for character in "aß5漢.\u0301"] == ["a", "a", "0", "i", ".", "m"]


def test_a_short_run_is_one_chunk() -> None:
    assert chunks_of("http://example.org/a?b=c") == ["http://example.org/a?b=c"]


def test_unspaced_sentences_are_chunks() -> None:
    assert chunks_of("你好。再见！」x") == ["你好。", "再见！」", "x"]


def test_long_runs_are_cut_but_not_within_a_character() -> None:
    run = "a" * (MOST_CHARACTERS - 1) + "e\u0301" + "b" * 30
    chunks = chunks_of(run)
    assert "".join(chunks) == run
    assert max(map(len, chunks)) <= MOST_CHARACTERS
    assert not any(chunk.startswith("\u0301") for chunk in chunks)


def test_what_is_certain_stays_whatever_follows() -> None:
    run = "ab.c" * 300
    certain = chunks_of(run, complete=False)
    assert certain
    assert chunks_of(run + "z" * 500)[: len(certain)] == certain
    assert chunks_of("short", complete=False) == []
