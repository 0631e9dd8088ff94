"""Words as sub-tokens, in windows; with a tokenizer that needs no library."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbranch.neural.subtokens import SubTokenizer, Window, best_windows, cut
from crossbranch.tree import Token

SIZES = st.integers(1, 12)


class LetterTokenizer:
    """Makes each small letter a sub-token, and drops everything else."""

    unk_token_id: int | None = 1
    mask_token_id = 4
    pad_token_id = 0

    def __call__(self, words: list[list[str]], **options: Any) -> dict[str, list[list[int]]]:
        found = [[ord(letter) for letter in word if letter.islower()] for [word] in words]
        if options["add_special_tokens"]:
            found = [[2, *numbers, 3] for numbers in found]
        return {"input_ids": found}


def sentence(*forms: str) -> tuple[Token, ...]:
    return tuple(Token(form) for form in forms)


@given(SIZES.flatmap(lambda n: st.tuples(st.just(n), st.lists(st.integers(1, n), min_size=1))))
def test_windows_are_full_and_cover_the_sentence(given: tuple[int, list[int]]) -> None:
    size, counts = given
    windows = cut(counts, size)
    assert windows[0].start == 0
    assert windows[-1].end == len(counts)
    for window in windows:
        assert 1 <= sum(counts[window.start : window.end]) <= size
    for before, after in pairwise(windows):
        assert before.start < after.start <= before.end < after.end
        assert sum(counts[after.start : before.end]) <= size // 2


@given(SIZES.flatmap(lambda n: st.tuples(st.just(n), st.lists(st.integers(1, n), min_size=1))))
def test_each_word_is_in_its_window(given: tuple[int, list[int]]) -> None:
    size, counts = given
    windows = cut(counts, size)
    best = best_windows(counts, windows)
    assert best == sorted(best)
    assert all(windows[n].start <= word < windows[n].end for word, n in enumerate(best))


def test_windows_overlap_by_half() -> None:
    assert cut([1] * 10, 4) == [Window(0, 4), Window(2, 6), Window(4, 8), Window(6, 10)]
    assert best_windows([1] * 10, cut([1] * 10, 4)) == [0, 0, 0, 1, 1, 2, 2, 3, 3, 3]


def test_a_short_sentence_is_one_window() -> None:
    found = SubTokenizer(LetterTokenizer(), 12, {}).windows([sentence("ab", "c")])
    assert found.sub_tokens.tolist() == [2, 97, 98, 99, 3]
    assert found.pieces.tolist() == [1, 2, 3]
    assert found.starts.tolist() == [0, 2]


@pytest.mark.parametrize("form", ["", "🦄", "ÄÖ", "\x00", "\ud800"])
def test_words_without_sub_tokens_are_unknown(form: str) -> None:
    found = SubTokenizer(LetterTokenizer(), 12, {}).windows([sentence(form)])
    assert found.sub_tokens.tolist() == [2, 1, 3]


def test_without_an_unknown_sub_token_the_mask_is_taken() -> None:
    tokenizer = LetterTokenizer()
    tokenizer.unk_token_id = None
    assert SubTokenizer(tokenizer, 12, {}).windows([sentence("")]).sub_tokens.tolist() == [2, 4, 3]


def test_very_long_words_are_cut() -> None:
    found = SubTokenizer(LetterTokenizer(), 12, {}).windows([sentence("a" * 99, "b")])
    assert found.lengths == [3, 12]
    assert found.sub_tokens.tolist() == [2, 98, 3, 2, *[97] * 10, 3]
    assert len(SubTokenizer(LetterTokenizer(), 512, {}).windows([sentence("a" * 99)]).pieces) == 32


def test_forms_of_treebanks_are_read_as_they_stand_in_text() -> None:
    found = SubTokenizer(LetterTokenizer(), 12, {"-LRB-": "x"}).windows([sentence("-LRB-")])
    assert found.sub_tokens.tolist() == [2, ord("x"), 3]


@given(st.lists(st.lists(st.text("ab", max_size=5), min_size=1, max_size=9), min_size=1))
def test_pieces_are_those_of_the_words(forms: list[list[str]]) -> None:
    found = SubTokenizer(LetterTokenizer(), 9, {}).windows([sentence(*words) for words in forms])
    starts = [*found.starts.tolist(), len(found.pieces)]
    pieces = found.sub_tokens[found.pieces].tolist()
    words = [pieces[start:end] for start, end in pairwise(starts)]
    expected = [[ord(letter) for letter in form] or [1] for some in forms for form in some]
    assert words == expected
    assert found.lengths == sorted(found.lengths)
    tables = list(found.padded(0))
    assert sum(int(mask.sum()) for _, mask in tables) == len(found.sub_tokens)
    assert all((numbers[mask == 0] == 0).all() for numbers, mask in tables)
