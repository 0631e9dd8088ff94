"""Spans as bitsets, compared with plain sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbranch.span import (
    blocks,
    fan_out,
    first_of,
    interleave,
    last_of,
    span_of,
    tokens_of,
)

token_sets = st.sets(st.integers(0, 200), max_size=30)


def naive_blocks(tokens: set[int]) -> list[tuple[int, int]]:
    starts = sorted(t for t in tokens if t - 1 not in tokens)
    stops = sorted(t + 1 for t in tokens if t + 1 not in tokens)
    return list(zip(starts, stops, strict=True))


@given(token_sets)
def test_spans_are_sets_of_tokens(tokens: set[int]) -> None:
    span = span_of(tokens)
    assert tokens_of(span) == sorted(tokens)
    assert blocks(span) == naive_blocks(tokens)
    assert fan_out(span) == len(naive_blocks(tokens))
    assert first_of(span) == min(tokens, default=-1)
    assert last_of(span) == max(tokens, default=-1)


@given(token_sets, token_sets)
def test_interleaving_is_having_tokens_in_gaps_of_each_other(one: set[int], two: set[int]) -> None:
    two = two - one

    def inside(tokens: set[int], other: set[int]) -> bool:
        return any(min(other) < token < max(other) for token in tokens - other) if other else False

    expected = inside(one, two) and inside(two, one)
    assert interleave(span_of(one), span_of(two)) is expected
    assert interleave(span_of(two), span_of(one)) is expected


def test_the_empty_span() -> None:
    assert (tokens_of(0), blocks(0), fan_out(0), first_of(0), last_of(0)) == ([], [], 0, -1, -1)
    assert not interleave(0, 0)
    assert not interleave(0, span_of([0, 2]))
    assert not interleave(span_of([0, 2]), 0)


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [([0, 2], [1, 3], True), ([0, 3], [1, 2], False), ([0, 3], [1, 4], True), ([0], [1], False)],
)
def test_interleaving_by_hand(one: list[int], two: list[int], expected: bool) -> None:
    assert interleave(span_of(one), span_of(two)) is expected


def test_long_sentences_with_many_blocks() -> None:
    every_other = span_of(range(0, 10_000, 2))
    assert fan_out(every_other) == 5_000
    assert blocks(every_other)[-1] == (9_998, 9_999)
