"""Encoder: sentences as rows of numbers: a row for each token, a number for each column."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import attrgetter

from crossbranch.errors import UsageError
from crossbranch.features.clusters import Clusters
from crossbranch.tagging.columns import COLUMNS, Column, Knowledge, column
from crossbranch.tagging.dictionary import Dictionary
from crossbranch.tagging.lexicon import Lexicon
from crossbranch.tagging.spellings import known_spelling
from crossbranch.tagging.templates import needs_clusters, needs_dictionary
from crossbranch.tree import Token

_CACHE_LIMIT = 50_000
_LONGEST_CACHED = 64  # characters; longer words do not occur again

_form = attrgetter("form")


class RowCache(dict[str, bytes]):
    """The rows of recent word forms, because most words occur again."""

    def __init__(self, columns: Sequence[Column], lexicon: Lexicon) -> None:
        super().__init__()
        self._columns = tuple(columns)
        self._is_known = lexicon.__contains__

    def __missing__(self, form: str) -> bytes:
        spelling = form if form.isalnum() else known_spelling(form, self._is_known)
        row = array("I", [number_of(spelling) for number_of in self._columns]).tobytes()
        if len(form) <= _LONGEST_CACHED:
            if len(self) >= _CACHE_LIMIT:  # constant memory
                self.clear()
            self[form] = row
        return row


class Encoder:
    """Gives each token its row: the values for the templates, as numbers."""

    def __init__(
        self,
        columns: Sequence[str],
        lexicon: Lexicon,
        *,
        clusters: Clusters | None = None,
        dictionary: Dictionary | None = None,
    ) -> None:
        unknown = [name for name in columns if name not in COLUMNS]
        if unknown:
            raise UsageError(f"unknown columns: {', '.join(unknown)}")
        if needs_clusters(columns) and clusters is None:
            raise UsageError("the columns need a table of clusters, but there is none")
        if needs_dictionary(columns) and dictionary is None:
            raise UsageError("the columns need a dictionary, but there is none")
        self.columns = tuple(columns)
        self.lexicon = lexicon
        self.clusters = clusters
        self.dictionary = dictionary
        self.known = self._rows(knows=True)
        self.unknown = self._rows(knows=False)

    def _rows(self, *, knows: bool) -> RowCache:
        """Return the rows of words; without `knows`, as if the words were unknown."""
        knowledge = Knowledge(self.lexicon, self.clusters, self.dictionary)
        return RowCache(
            [column(name, knowledge, knows=knows) for name in self.columns], self.lexicon
        )

    def encode(self, sentences: Iterable[Sequence[Token]]) -> tuple[array[int], list[int]]:
        """Return the rows of all tokens, and the offsets of the sentences.

        Sentence i has the tokens offsets[i] to offsets[i + 1] - 1. The row of token j begins at
        rows[j * len(columns)].

        Raises:
            UsageError: A sentence does not consist of tokens.
        """
        find = self.known.__getitem__
        rows: array[int] = array("I")
        sizes = []
        for sentence in sentences:
            if sentence and not isinstance(sentence[0], Token):  # a word, most likely
                raise UsageError(f"found a {type(sentence[0]).__name__}, expected a Token")
            sizes.append(len(sentence))
            rows.frombytes(b"".join(map(find, map(_form, sentence))))
        return rows, list(accumulate(sizes, initial=0))
