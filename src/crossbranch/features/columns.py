"""Columns: what a template may say of a token.

A column gives each token a value. Those of `FORM_COLUMNS` come from the word form, those of
`CLUSTER_COLUMNS` from a table of Brown clusters; `tag` is the token's tag, `separator` tells the
separating punctuation marks apart.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial


def shape(form: str) -> str:
    """Return which kinds of characters follow each other in a word.

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
    """Return the first characters of a word; nothing where it is not longer than that."""
    return form[:size] if len(form) > size else ""


def suffix(size: int, form: str) -> str:
    """Return the last characters of a word; nothing where it is not longer than that."""
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
"""Columns that depend on the word form alone; the value "" is no value."""

CLUSTER_COLUMNS: dict[str, int | None] = {
    "cluster4": 4,
    "cluster6": 6,
    "cluster10": 10,
    "cluster": None,
}
"""How many bits of a cluster's path each column has; None: all."""

SEPARATORS = {",": 1, ":": 2, ";": 3}
"""Separating punctuation (Zhang & Clark 2009), by its number in the column `separator`."""

COLUMNS: tuple[str, ...] = (
    *("word", "tag"),
    *(name for name in FORM_COLUMNS if name != "word"),
    *CLUSTER_COLUMNS,
    "separator",
)
"""All columns, in the order in which they stand in rows."""
