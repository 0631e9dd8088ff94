"""Spans: sets of token indices, stored as bitsets in plain ints.

Bit i is set when token i belongs to the span. A span with more than one block is discontinuous.
"""

from __future__ import annotations

from collections.abc import Iterable

Span = int
Block = tuple[int, int]
"""A maximal run of neighbouring tokens as a half-open range: (start, stop)."""


def span_of(tokens: Iterable[int]) -> Span:
    """Return the span with these token indices.

    >>> span_of([0, 3]) == 0b1001
    True
    """
    span = 0
    for token in tokens:
        span |= 1 << token
    return span


def tokens_of(span: Span) -> list[int]:
    """Return the token indices of a span in ascending order."""
    return [token for start, stop in blocks(span) for token in range(start, stop)]


def first_of(span: Span) -> int:
    """Return the first token of a span; -1 if it is empty."""
    return (span & -span).bit_length() - 1


def last_of(span: Span) -> int:
    """Return the last token of a span; -1 if it is empty."""
    return span.bit_length() - 1


def fan_out(span: Span) -> int:
    """Return the number of blocks.

    >>> fan_out(span_of([0, 1, 3]))
    2
    """
    return (span & ~(span << 1)).bit_count()


def is_discontinuous(span: Span) -> bool:
    """Say whether a span has more than one block.

    >>> is_discontinuous(span_of([0, 3])), is_discontinuous(span_of([2, 3]))
    (True, False)
    """
    return bool(span & (span + (span & -span)))  # adding its lowest bit clears the first block


def blocks(span: Span) -> list[Block]:
    """Return the blocks from left to right.

    >>> blocks(span_of([0, 1, 3]))
    [(0, 2), (3, 4)]
    """
    found: list[Block] = []
    offset = 0
    while span:
        gap = (span & -span).bit_length() - 1
        span >>= gap
        length = (~span & (span + 1)).bit_length() - 1
        span >>= length
        start = offset + gap
        offset = start + length
        found.append((start, offset))
    return found


def interleave(one: Span, other: Span) -> bool:
    """Say whether two disjoint spans are ill-nested: each has tokens in a gap of the other.

    >>> interleave(span_of([0, 2]), span_of([1, 3]))
    True
    >>> interleave(span_of([0, 3]), span_of([1, 2]))
    False
    """
    return _reaches_into_a_gap(one, other) and _reaches_into_a_gap(other, one)


def _reaches_into_a_gap(span: Span, other: Span) -> bool:
    # From the first token of the other to its last.
    between = ((1 << other.bit_length()) - 1) & -(other & -other)
    return bool(span & between & ~other)
