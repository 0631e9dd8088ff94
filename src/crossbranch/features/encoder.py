"""TokenEncoder: sentences as rows of numbers, with one row for each token.

Each column of a row is a number. 0 means that there is no such token or value. 1 means that the
value is unknown: it was not in the training data, or too rare. Known values have numbers from 2.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import Self

import msgspec

from crossbranch.errors import InputError, UsageError
from crossbranch.features.clusters import Clusters, first_bits
from crossbranch.features.columns import CLUSTER_COLUMNS, COLUMNS, FORM_COLUMNS, SEPARATORS
from crossbranch.ranges import require_positive
from crossbranch.tree import Sentence

MISSING, UNKNOWN, FIRST = 0, 1, 2
_CACHE_LIMIT = 50_000

Key = tuple[str, str]  # form and tag: a row depends on nothing else
_key = itemgetter(0, 1)  # of a token


class TokenEncoder:
    """Returns a row of numbers for each token: the attributes that templates use."""

    def __init__(
        self,
        columns: Sequence[str],
        vocabularies: Mapping[str, Sequence[str]],
        *,
        clusters: Clusters | None = None,
    ) -> None:
        """Make an encoder; `vocabularies` has the known values of each column."""
        _check(columns, clusters)
        _check_vocabularies(columns, vocabularies)
        self.columns = tuple(columns)
        self.vocabularies = {name: tuple(values) for name, values in vocabularies.items()}
        self.clusters = clusters
        self._rows = _Rows([self._numbering(name) for name in columns])

    @classmethod
    def of(
        cls,
        sentences: Iterable[Sentence],
        *,
        columns: Sequence[str],
        unknown_below: int = 2,
        clusters: Clusters | None = None,
    ) -> Self:
        """Collect the known values from training data.

        Args:
            sentences: The training data.
            columns: The columns of a row; see `Templates.columns`.
            unknown_below: Values with fewer occurrences are unknown. Tags are always known.
            clusters: The table for the columns `cluster...`. The encoder keeps its most frequent
                words, and the words of the training data.
        """
        _check(columns, clusters)
        require_positive(unknown_below=unknown_below)
        counts = Counter(map(_key, (token for sentence in sentences for token in sentence)))
        forms: Counter[str] = Counter()
        tags: Counter[str] = Counter()
        for (form, tag), count in counts.items():
            forms[form] += count
            tags[tag] += count
        vocabularies = {
            name: _frequent(_values(forms, FORM_COLUMNS[name]), unknown_below)
            for name in columns
            if name in FORM_COLUMNS
        }
        vocabularies["tag"] = _frequent(tags, 1)
        is_used = any(name in CLUSTER_COLUMNS for name in columns)
        kept = clusters.keep(forms) if clusters is not None and is_used else None
        return cls(columns, vocabularies, clusters=kept)

    def encode(self, sentences: Iterable[Sentence]) -> tuple[array[int], list[int]]:
        """Return the rows of all tokens, and the offsets of the sentences.

        Sentence i has the tokens offsets[i] to offsets[i + 1] - 1. The row of token j begins at
        rows[j * len(columns)].
        """
        find = self._rows.__getitem__
        rows: array[int] = array("I")
        sizes = []
        for sentence in sentences:
            sizes.append(len(sentence))
            rows.frombytes(b"".join(map(find, map(_key, sentence))))
        return rows, list(accumulate(sizes, initial=0))

    def _numbering(self, name: str) -> Callable[[str, str], int]:
        """Return a function that maps form and tag to the number in a column."""
        if name == "separator":
            return lambda form, tag: SEPARATORS.get(form, MISSING)
        if name in CLUSTER_COLUMNS:
            assert self.clusters is not None  # _check made sure of this
            find, numbers = self.clusters.find, self._cluster_numbers(name)
            return lambda form, tag: numbers.get(find(form), UNKNOWN)
        numbers = {value: FIRST + i for i, value in enumerate(self.vocabularies[name])}
        if name == "tag":
            return lambda form, tag: numbers.get(tag, UNKNOWN)
        value_of = FORM_COLUMNS[name]
        numbers[""] = MISSING  # the word is too short for this affix
        return lambda form, tag: numbers.get(value_of(form), UNKNOWN)

    def _cluster_numbers(self, name: str) -> dict[str, int]:
        """Return the number of each path. Paths with the same first bits have the same number."""
        assert self.clusters is not None
        size = CLUSTER_COLUMNS[name]
        bits = {path: first_bits(path, size) for path in set(self.clusters.paths.values())}
        numbers = {value: FIRST + i for i, value in enumerate(sorted(set(bits.values())))}
        return {path: numbers[value] for path, value in bits.items()}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TokenEncoder):
            return NotImplemented
        return (
            self.columns == other.columns
            and self.vocabularies == other.vocabularies
            and self.clusters == other.clusters
        )

    __hash__ = None  # type: ignore[assignment]

    def to_json(self) -> str:
        """Return columns and vocabularies as JSON. A table of clusters has its own file.

        All characters except ASCII are escaped, so that any word can be stored.
        """
        return json.dumps({"columns": self.columns, "vocabularies": self.vocabularies}, indent=0)

    @classmethod
    def from_json(
        cls, text: str | bytes, *, clusters: Clusters | None = None, path: str = ""
    ) -> Self:
        """Read what `to_json` wrote. Errors name `path`."""
        try:
            file = msgspec.convert(json.loads(text), _File)
            return cls(file.columns, file.vocabularies, clusters=clusters)
        except (ValueError, RecursionError, UsageError) as error:  # from json, msgspec and below
            raise InputError(str(error), "columns and their vocabularies", path=path) from None


class _File(msgspec.Struct, forbid_unknown_fields=True):
    columns: list[str]
    vocabularies: dict[str, list[str]]


class _Rows(dict[Key, bytes]):
    """A cache of rows by form and tag, because the same words come again and again."""

    def __init__(self, numberings: Sequence[Callable[[str, str], int]]) -> None:
        super().__init__()
        self._numberings = tuple(numberings)

    def __missing__(self, key: Key) -> bytes:
        if len(self) >= _CACHE_LIMIT:  # keep memory constant
            self.clear()
        row = array("I", [number(*key) for number in self._numberings]).tobytes()
        self[key] = row
        return row


def _check(columns: Sequence[str], clusters: Clusters | None) -> None:
    unknown = [name for name in columns if name not in COLUMNS]
    if unknown:
        known = ", ".join(COLUMNS)
        raise UsageError(f"unknown columns {', '.join(unknown)}; expected some of {known}")
    if len(set(columns)) != len(columns):
        raise UsageError(f"columns {', '.join(columns)}, expected each column once")
    if tuple(columns[:2]) != ("word", "tag"):
        raise UsageError(f"columns {', '.join(columns)}, expected word and tag first")
    needing = [name for name in columns if name in CLUSTER_COLUMNS]
    if needing and clusters is None:
        raise UsageError(f"the columns {', '.join(needing)} need a table of clusters")


def _check_vocabularies(columns: Sequence[str], vocabularies: Mapping[str, Sequence[str]]) -> None:
    expected = {name for name in columns if name in FORM_COLUMNS or name == "tag"}
    if set(vocabularies) != expected:
        found, wanted = ", ".join(sorted(vocabularies)), ", ".join(sorted(expected))
        raise UsageError(f"vocabularies for {found or 'no columns'}, expected {wanted}")
    for name, values in vocabularies.items():
        if len(set(values)) != len(values):
            raise UsageError(f"the vocabulary of {name} has a value twice")


def _values(forms: Mapping[str, int], value_of: Callable[[str], str]) -> Counter[str]:
    """Count the values of a column; "" means no value."""
    values: Counter[str] = Counter()
    for form, count in forms.items():
        values[value_of(form)] += count
    del values[""]
    return values


def _frequent(counts: Mapping[str, int], least: int) -> list[str]:
    """Return the values that occur at least `least` times, the most frequent first."""
    kept = [(-count, value) for value, count in counts.items() if count >= least]
    return [value for _, value in sorted(kept)]
