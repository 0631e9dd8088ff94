"""Columns of tokens."""

from __future__ import annotations

import pytest

from crossbranch.features.columns import COLUMNS, FORM_COLUMNS, shape


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("Haus", "Xx"),
        ("USA", "X"),
        ("ÖBB-Züge", "X-Xx"),
        ("1.000", "d.d"),
        ("d'r", "x'x"),
        ("...", "."),
        ("日本", "x"),
        ("", ""),
    ],
)
def test_shapes(form: str, expected: str) -> None:
    assert shape(form) == expected


@pytest.mark.parametrize(
    ("column", "form", "expected"),
    [
        ("prefix2", "gelaufen", "ge"),
        ("suffix3", "gelaufen", "fen"),
        ("suffix2", "en", ""),  # the whole word is no affix
        ("prefix4", "", ""),
        ("lower", "IJsland", "ijsland"),
        ("word", "IJsland", "IJsland"),
    ],
)
def test_values(column: str, form: str, expected: str) -> None:
    assert FORM_COLUMNS[column](form) == expected


def test_word_and_tag_come_first() -> None:
    assert COLUMNS[:2] == ("word", "tag")
    assert len(set(COLUMNS)) == len(COLUMNS)
    assert set(FORM_COLUMNS) < set(COLUMNS)
