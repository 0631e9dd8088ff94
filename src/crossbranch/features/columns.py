"""Columns: the attributes of tokens that templates can use.

A column gives each token a value. The columns in `FORM_COLUMNS` are computed from the word form,
those in `CLUSTER_COLUMNS` come from a table of Brown clusters. `tag` is the tag of the token, and
`separator` says which separating punctuation mark it is, if any.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial


def shape(form: str) -> str:
    """Return the kinds of characters in a word; a run of the same kind is one letter.

    >>> shape("Nord-Süd"), shape("3,5"), shape("USA")
    ('Xx-Xx', 'd,d', 'X')
    """
    kinds: list[str] = []
    for character in form:
        kind = _kind(character)
        if kinds[-1:] != [kind]:
            kinds.append(kind)
    return "".join(kinds)


def _kind(character: str) -> str:
    if character.isupper():
        return "X"
    if character.isalpha():
        return "x"
    return "d" if character.isdigit() else character


def prefix(size: int, form: str) -> str:
    """Return the first characters of a word; empty if the word is not longer than that."""
    return form[:size] if len(form) > size else ""


def suffix(size: int, form: str) -> str:
    """Return the last characters of a word; empty if the word is not longer than that."""
    return form[-size:] if len(form) > size else ""


def _same(form: str) -> str:
    return form


AFFIX_SIZES = (1, 2, 3, 4)

FORM_COLUMNS: dict[str, Callable[[str], str]] = {
    "word": _same,
    "lower": str.lower,
    "shape": shape,
    **{f"prefix{size}": partial(prefix, size) for size in AFFIX_SIZES},
    **{f"suffix{size}": partial(suffix, size) for size in AFFIX_SIZES},
}
"""Columns that depend only on the word form; "" means no value."""

CLUSTER_COLUMNS: dict[str, int | None] = {
    "cluster4": 4,
    "cluster6": 6,
    "cluster10": 10,
    "cluster": None,
}
"""The number of bits of a cluster's path in each column; None: all bits."""

SEPARATORS = {",": 1, ":": 2, ";": 3}
"""Separating punctuation marks (Zhang & Clark 2009), with their numbers in `separator`."""

COLUMNS: tuple[str, ...] = (
    *("word", "tag"),
    *(name for name in FORM_COLUMNS if name != "word"),
    *CLUSTER_COLUMNS,
    "separator",
)
"""All columns, in the order that they have in rows."""
