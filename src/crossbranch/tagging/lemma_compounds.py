"""Lemmas of compounds whose treebank joins their parts: *schaakpartijen* → *schaak_partij*.

The end of an unknown word may be a known word, and its beginning a known lemma, with or without
a linking text such as the *s* in *oorlogsmisdaden*. The linking texts are learned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from crossbranch.tagging.lemma_rules import Lemmatized
from crossbranch.tagging.lemma_table import LemmaTable

JOINER = "_"
"""What is between the parts of a compound in its lemma."""
_SHORTEST_FIRST, _SHORTEST_LAST = 2, 3  # parts, in characters
_LEAST_SHARE = 0.02  # of a linking text among all compounds


class Compound(NamedTuple):
    """A word of two parts."""

    lemma: str
    first: str
    last: str


class Compounds:
    """Finds the parts of unknown words and their lemmas."""

    def __init__(self, table: LemmaTable, links: Sequence[str]) -> None:
        """Take the known words and the linking texts; without these, there are no compounds."""
        self.links = tuple(links)
        self._table = table

    @classmethod
    def of(cls, table: LemmaTable, words: Iterable[Lemmatized]) -> Compounds:
        """Learn the linking texts from words that a table knows."""
        counts = Counter(link for word in words for link in _links(word, table))
        least = _LEAST_SHARE * counts.total()
        return cls(table, sorted(link for link, count in counts.items() if count >= least))

    def find(self, form: str, tag: str) -> Compound | None:
        """Return the parts of a word; with the longest last part, if there are several ways."""
        if not self.links:
            return None
        for text in dict.fromkeys((form, form.lower())):
            for first, last in _parts(text, tag, self._table):
                if found := self._first_lemma(first, tag):
                    lemma = f"{found}{JOINER}{self._table.find(last, tag)}"
                    return Compound(lemma, first, last)
        return None

    def _first_lemma(self, first: str, tag: str) -> str:
        """Return the lemma of the first part, or an empty text."""
        for link in self.links:
            if len(first) - len(link) >= _SHORTEST_FIRST and first.endswith(link):
                text = first.removesuffix(link)
                if found := self._lemma_of_part(text, tag):
                    return found
        return ""

    def _lemma_of_part(self, text: str, tag: str) -> str:
        of_forms, lemmas = self._known
        return text if text in lemmas else self._table.find(text, tag) or of_forms.get(text, "")

    @cached_property
    def _known(self) -> tuple[dict[str, str], frozenset[str]]:
        """The lemmas of forms, whatever their tags, and all lemmas."""
        words = list(self._table.all_words())
        of_forms = {word.form: word.lemma for word in words}
        return of_forms, frozenset(word.lemma for word in words)


def _parts(text: str, tag: str, table: LemmaTable) -> Iterator[tuple[str, str]]:
    known = table.words.get(tag, {})
    first = max(_SHORTEST_FIRST, len(text) - table.longest.get(tag, 0))
    for place in range(first, len(text) - _SHORTEST_LAST + 1):
        if text[place:] in known:
            yield text[:place], text[place:]


def _links(word: Lemmatized, table: LemmaTable) -> Iterator[str]:
    """Yield the linking text of a word whose lemma has joined parts."""
    first_lemma, joiner, last_lemma = word.lemma.rpartition(JOINER)
    if not joiner or not first_lemma or not last_lemma:
        return
    plain = first_lemma.replace(JOINER, "")
    for first, last in _parts(word.form.lower(), word.tag, table):
        if first.startswith(plain) and table.find(last, word.tag) == last_lemma:
            yield first.removeprefix(plain)
            return
