"""Columns: the values of a word that templates use.

A value is a text. Rows contain its checksum, so that a model does not have to list all affixes. An
empty text is 0, and an unknown text is 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple
from zlib import crc32

from crossbranch.features.clusters import Clusters, first_bits
from crossbranch.features.columns import CLUSTER_COLUMNS, prefix, shape, suffix
from crossbranch.tagging.dictionary import Dictionary
from crossbranch.tagging.lexicon import Lexicon
from crossbranch.tagging.templates import DICTIONARY_COLUMNS

MISSING, UNKNOWN = 0, 1

Column = Callable[[str], int]
"""From a word form to its number in rows."""

PREFIX_SIZES = (1, 2, 3, 4)
SUFFIX_SIZES = (1, 2, 3, 4, 5, 6)
_DIGIT = re.compile(r"\d")


def number_of(value: str) -> int:
    """Return the number of a text in rows; every text has one, also lone surrogates."""
    return crc32(value.encode("utf-8", "surrogatepass"))


def kinds(form: str) -> str:
    """Return the kinds of characters in a word, and its length up to 4.

    >>> kinds("Nord-Süd"), kinds("3,5"), kinds("ab")
    ('Xx-4', 'd3', 'x2')
    """
    found = [
        kind
        for kind, is_there in (
            ("X", any(map(str.isupper, form))),
            ("x", any(map(str.islower, form))),
            ("d", any(map(str.isdigit, form))),
            ("-", "-" in form),
        )
        if is_there
    ]
    return "".join(found) + str(min(len(form), 4))


def digits(form: str) -> str:
    """Return a word with all digits made the same, or nothing if it has no digits.

    >>> digits("1984-85"), digits("Q8"), digits("acht")
    ('0000-00', 'q0', '')
    """
    alike = _DIGIT.sub("0", form)
    return alike.lower() if alike != form else ""


def _in_small(affix: Callable[[int, str], str], size: int, form: str) -> str:
    return affix(size, form.lower())


FORM_COLUMNS: dict[str, Callable[[str], str]] = {
    "shape": shape,
    "kinds": kinds,
    "digits": digits,
    **{f"prefix{size}": partial(_in_small, prefix, size) for size in PREFIX_SIZES},
    **{f"suffix{size}": partial(_in_small, suffix, size) for size in SUFFIX_SIZES},
}
"""Columns that depend only on the word form. Affixes are those of the word in lower case."""

LEXICON_COLUMNS = ("word", "lower", "class")
"""Columns of known words: the word, the word in lower case, and its tags."""

COLUMNS: tuple[str, ...] = (
    *LEXICON_COLUMNS,
    *FORM_COLUMNS,
    *CLUSTER_COLUMNS,
    *DICTIONARY_COLUMNS,
)


class Knowledge(NamedTuple):
    """What columns know about words: the training data, and tables from elsewhere."""

    lexicon: Lexicon
    clusters: Clusters | None = None
    dictionary: Dictionary | None = None


def column(name: str, knowledge: Knowledge, *, knows: bool) -> Column:
    """Return a column; without `knows`, all words count as unknown to the lexicon."""
    lexicon, clusters, dictionary = knowledge
    if name in FORM_COLUMNS:
        value_of = FORM_COLUMNS[name]
        return lambda form: number_of(value_of(form))
    if name in CLUSTER_COLUMNS:
        assert clusters is not None  # the encoder has checked it
        find, size = clusters.find, CLUSTER_COLUMNS[name]
        return lambda form: number_of(first_bits(path, size)) if (path := find(form)) else MISSING
    if name in DICTIONARY_COLUMNS:
        assert dictionary is not None  # the encoder has checked it
        look_up = dictionary.casing if name == "casing" else dictionary.classes
        return lambda form: number_of(look_up(form))
    if name == "word":
        return lambda form: number_of(form) if knows and form in lexicon else UNKNOWN
    if name == "lower":
        return lambda form: number_of(found) if (found := _small(form, lexicon, knows)) else UNKNOWN
    return lambda form: _class(_entry(form, lexicon, knows), lexicon)


def _small(form: str, lexicon: Lexicon, knows: bool) -> str:
    """Return a word in lower case, if it is known as it is or in lower case."""
    return form.lower() if _entry(form, lexicon, knows) else ""


def _entry(form: str, lexicon: Lexicon, knows: bool) -> str:
    """Return how the lexicon has a word: as it is, in lower case, or not at all."""
    if knows and form in lexicon:
        return form
    small = form.lower()
    return small if small != form and small in lexicon else ""


def _class(entry: str, lexicon: Lexicon) -> int:
    return number_of(" ".join(map(str, lexicon.classes[entry]))) if entry else UNKNOWN
