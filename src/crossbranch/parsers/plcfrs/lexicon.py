"""The words of a grammar: which tags a word may have, and how probable it is for each of them.

Tags may be split: `noun^NP` is a noun in an NP. The probability of a word is smoothed with that for
the whole tag. Rare words share their counts with words of the same shape and ending, so that
unknown words have tags, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from math import log

LONGEST_ENDING = 3
_STRENGTH = 100.0  # how many occurrences the probability for the whole tag is worth
_MOST_TAGS = 8  # that a word without a known tag may have
_FAINT = 1e-6  # the probability of a word with a tag that it was never seen with

Key = str | tuple[str, str]
"""A frequent word, or the shape and the ending of others."""

Counts = defaultdict[str, float]


def signatures(form: str) -> Iterator[tuple[str, str]]:
    """Yield what an unknown word has in common with others: shape and ending, the longest first.

    >>> list(signatures("Wirtschaft"))
    [('X', 'aft'), ('X', 'ft'), ('X', 't'), ('X', ''), ('', '')]
    """
    shape = "X" if form[:1].isupper() else "x"
    shape += "9" if any(map(str.isdigit, form)) else ""
    shape += "-" if "-" in form else ""
    ending = form[-LONGEST_ENDING:].lower()
    for length in range(len(ending), 0, -1):
        yield shape, ending[-length:]
    yield shape, ""
    yield "", ""


def _no_counts() -> Counts:
    return defaultdict(float)


class Lexicon:
    """Counts of words and their tags, and the costs that follow from them."""

    def __init__(
        self,
        words: Mapping[str, Mapping[str, float]],
        unknown_below: int,
        tag_of: Callable[[str], str],
    ) -> None:
        """Count words.

        Args:
            words: How often each symbol was the one of each word.
            unknown_below: Words with fewer occurrences are known by their shape and ending only.
            tag_of: Returns the tag of a symbol.
        """
        self.symbols: defaultdict[str, list[str]] = defaultdict(list)
        """The symbols of each tag."""
        occurrences: Counts = defaultdict(float)
        for forms in words.values():
            for form, count in forms.items():
                occurrences[form] += count
        self.frequent = frozenset(f for f, count in occurrences.items() if count >= unknown_below)
        self.known = frozenset(occurrences)
        self._by_symbol: defaultdict[Key, Counts] = defaultdict(_no_counts)
        self._by_tag: defaultdict[Key, Counts] = defaultdict(_no_counts)
        self._totals: Counts = defaultdict(float)
        self._tag_totals: Counts = defaultdict(float)
        for symbol in sorted(words):
            tag = tag_of(symbol)
            self.symbols[tag].append(symbol)
            for form, count in words[symbol].items():
                self._totals[symbol] += count
                self._tag_totals[tag] += count
                for key in [form] if form in self.frequent else signatures(form):
                    self._by_symbol[key][symbol] += count
                    self._by_tag[key][tag] += count
        self._costs: dict[tuple[Key, str], list[tuple[str, float]]] = {}

    def costs(self, form: str, tag: str) -> list[tuple[str, float]]:
        """Return the symbols that a word may have, each with its cost.

        If the tag is known, these are its symbols. Otherwise, they are those of the most frequent
        tags of the word, or of words like it.
        """
        key = self._key(form)
        if tag not in self.symbols:
            tag = ""
        wanted = key, tag
        if wanted not in self._costs:
            tags = [tag] if tag in self.symbols else self._likely_tags(key)
            self._costs[wanted] = [pair for one in tags for pair in self._costs_of(key, one)]
        return self._costs[wanted]

    def _likely_tags(self, key: Key) -> list[str]:
        counts = self._by_tag[key] or self._tag_totals
        return sorted(counts, key=lambda tag: (-counts[tag], tag))[:_MOST_TAGS]

    def _key(self, form: str) -> Key:
        if form in self.frequent:
            return form
        return next((one for one in signatures(form) if one in self._by_tag), ("", ""))

    def _costs_of(self, key: Key, tag: str) -> Iterator[tuple[str, float]]:
        whole = max(_FAINT, self._by_tag[key][tag] / self._tag_totals[tag])
        for symbol in self.symbols[tag]:
            count = self._by_symbol[key][symbol] + _STRENGTH * whole
            yield symbol, max(0.0, -log(count / (self._totals[symbol] + _STRENGTH)))
