"""Atoms: what is written, and what the core is told."""

from __future__ import annotations

from itertools import product

import pytest

from crossbranch.errors import UsageError
from crossbranch.features.atoms import (
    ITEMS,
    NODE_ATTRIBUTES,
    PATHS,
    PLACES,
    family_of,
    parse_atom,
)

COLUMNS = ("word", "tag", "suffix2", "separator")

_PAIRS = "s0:d0.separator, s0:d0.separator_count or s0:d0.order"


@pytest.mark.parametrize(
    ("family", "text", "expected"),
    [
        ("gap", "d0.label", (0, 0, 0, 0)),
        ("gap", "s0.word", (1, 0, 1, 0)),
        ("gap", "s3.tag", (4, 0, 1, 1)),
        ("gap", "d1.label", (5, 0, 0, 0)),
        ("gap", "d2.suffix2", (6, 0, 1, 2)),
        ("gap", "b0.word", (7, 0, 1, 0)),
        ("gap", "b3.tag", (10, 0, 1, 1)),
        ("gap", "s0:d0.separator", (11, 0, 0, 0)),
        ("gap", "s0:d0.separator_count", (11, 0, 0, 1)),
        ("gap", "s0:d0.order", (11, 0, 0, 2)),
        ("swap", "s0.label", (0, 0, 0, 0)),
        ("swap", "s1.label", (1, 0, 0, 0)),
        ("swap", "s4.label", (4, 0, 0, 0)),
        ("swap", "q0.word", (7, 0, 1, 0)),
        ("swap", "q1.left.label", (8, 1, 0, 0)),
        ("swap", "s0:s1.separator_count", (11, 0, 0, 1)),
        ("gap", "s0.left.label", (1, 4, 0, 0)),
        ("swap", "s1.left.left.label", (1, 1 + 8 * 1, 0, 0)),
        ("gap", "s0.right.word", (1, 2, 1, 0)),
        ("gap", "s0.unary.tag", (1, 3, 1, 1)),
        ("gap", "s0.left.right.label", (1, 4 + 8 * 2, 0, 0)),
        ("gap", "s0.unary.left.word", (1, 3 + 8 * 4, 1, 0)),
        ("gap", "d0.right.unary.last.tag", (0, 2 + 8 * 3, 3, 1)),
        ("gap", "d0.first.word", (0, 0, 2, 0)),
        ("gap", "d0.last.word", (0, 0, 3, 0)),
        ("gap", "d0.before.word", (0, 0, 4, 0)),
        ("gap", "d0.after.word", (0, 0, 5, 0)),
        ("gap", "d0.gap_before.tag", (0, 0, 6, 1)),
        ("gap", "d0.gap_first.tag", (0, 0, 7, 1)),
        ("gap", "d0.gap_last.tag", (0, 0, 8, 1)),
        ("gap", "d0.gap_after.tag", (0, 0, 9, 1)),
        ("gap", "d0.gap_type", (0, 0, 0, 1)),
        ("gap", "d0.gap_length", (0, 0, 0, 2)),
        ("gap", "s0.left.size", (1, 4, 0, 3)),
        ("gap", "s0.separator", (1, 0, 1, 3)),
    ],
)
def test_the_core_is_told(family: str, text: str, expected: tuple[int, ...]) -> None:
    assert parse_atom(text, family).compile(COLUMNS) == expected


@pytest.mark.parametrize(
    ("family", "text", "found", "expected"),
    [
        ("gap", "q0.word", "'q0' in 'q0.word'", "b0, b1, b2, b3, d0, d1, d2, s0, s1, s2, s3"),
        ("swap", "d0.word", "'d0' in 'd0.word'", "q0, q1, q2, q3, s0, s1, s2, s3, s4, s0:s1"),
        ("gap", "s4.word", "'s4'", "items"),
        ("gap", "word", "'word'", "items"),
        ("gap", "s0", "'s0' without an attribute", "label, gap_type, gap_length, size, word, tag"),
        ("gap", "s0.", "'s0.' without an attribute", "attributes"),
        ("gap", "s0.left", "'left' in 's0.left'", "attributes label"),
        ("gap", "s0.colour", "'colour' in 's0.colour'", "prefix1"),
        ("gap", "s0.first.label", "'label' in 's0.first.label'", "attributes word, tag"),
        ("gap", "s0.left.left.left.word", "'left'", "at most two of left, right, unary"),
        ("gap", "s0.first.left.word", "'first'", "then at most one of first, last"),
        ("gap", "s0.first.last.word", "'first'", "then at most one of first, last"),
        ("gap", "s0..word", "'' in 's0..word'", "at most two"),
        ("gap", "b0.left.word", "a path from b0", "a token"),
        ("gap", "s0:d0", "'s0:d0'", _PAIRS),
        ("gap", "s0:d0.word", "'s0:d0.word'", _PAIRS),
        ("gap", "s0:d0.left.separator", "'s0:d0.left.separator'", "s0:d0.separator"),
        ("gap", "d0:s0.separator", "'d0:s0'", "s0:d0"),
    ],
)
def test_an_error_says_what_is_possible(family: str, text: str, found: str, expected: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_atom(text, family)
    assert found in caught.value.args[0]
    assert expected in caught.value.args[1]


@pytest.mark.parametrize("family", ITEMS)
def test_no_two_items_are_the_same(family: str) -> None:
    slots = list(ITEMS[family].values())
    assert len(set(slots)) == len(slots)
    assert set(slots) <= set(range(12))


@pytest.mark.parametrize("family", ITEMS)
def test_atoms_written_differently_are_different(family: str) -> None:
    steps = PATHS[family]
    paths = ["", *steps, *(f"{one}.{two}" for one in steps for two in steps)]
    ends = [
        *NODE_ATTRIBUTES,
        *COLUMNS,
        *(f"{place}.{name}" for place in PLACES for name in COLUMNS),
    ]
    items = [item for item in ITEMS[family] if item[0] in "sd" and ":" not in item]
    texts = [".".join(filter(None, parts)) for parts in product(items, paths, ends)]
    atoms = {parse_atom(text, family).compile(COLUMNS) for text in texts}
    assert len(atoms) == len(texts) > 1000


def test_compound_systems_have_the_items_of_plain_ones() -> None:
    assert [family_of(name) for name in ("gap", "cgap", "swap", "cswap")] == [
        *("gap", "gap", "swap", "swap"),
    ]
    with pytest.raises(
        UsageError, match="unknown transition system 'gab'; expected one of gap, cgap, swap, cswap"
    ):
        family_of("gab")
