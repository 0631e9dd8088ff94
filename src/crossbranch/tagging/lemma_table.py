"""The lemmas of known words: rules, and the words of each rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from crossbranch.tagging.lemma_rules import LemmaRule, Lemmatized, RuleChooser
from crossbranch.tree import Sentence, Token

MOST_RULES = 4095
"""The largest number of rules for new words. The core can count one more, for compounds."""
_LEAST_WORDS = 2  # that have a rule; then it is also tried for new words


class LemmaTable:
    """Rules, the most frequent one first, and for each tag the known words and their rules."""

    def __init__(
        self, rules: Sequence[LemmaRule], words: Mapping[str, Mapping[str, int]], general: int
    ) -> None:
        """Make a table.

        Args:
            rules: All rules.
            words: For each tag its words, with the numbers of their rules.
            general: How many of the rules, the first ones, are for new words, too.
        """
        self.rules = tuple(rules)
        self.words = words
        self.general = general

    @cached_property
    def longest(self) -> dict[str, int]:
        """The length of the longest known word of each tag."""
        return {tag: max(map(len, words), default=0) for tag, words in self.words.items()}

    @classmethod
    def of(cls, words: Sequence[Lemmatized]) -> LemmaTable:
        """Find the rules of words; each pair of form and tag occurs once."""
        chooser = RuleChooser(words)
        rules = [chooser.rule(word) for word in words]
        counts = Counter(rules)
        ranked = sorted(counts, key=lambda rule: (-counts[rule], repr(rule)))
        numbers = {rule: number for number, rule in enumerate(ranked)}
        found: dict[str, dict[str, int]] = {}
        for word, rule in zip(words, rules, strict=True):
            found.setdefault(word.tag, {})[word.form] = numbers[rule]
        general = sum(count >= _LEAST_WORDS for count in counts.values())
        return cls(ranked, found, min(general or 1, MOST_RULES))

    def __len__(self) -> int:
        return sum(map(len, self.words.values()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LemmaTable):
            return NotImplemented
        mine, its = (self.rules, self.words), (other.rules, other.words)
        return mine == its and self.general == other.general

    __hash__ = None  # type: ignore[assignment]

    def all_words(self) -> Iterator[Lemmatized]:
        """Yield all known words with their tags and lemmas."""
        apply = [rule.apply for rule in self.rules]
        for tag, words in self.words.items():
            for form, number in words.items():
                yield Lemmatized(form, tag, apply[number](form))

    def find(self, form: str, tag: str) -> str:
        """Return the lemma of a known word, or an empty text."""
        number = self.words.get(tag, {}).get(form)
        return "" if number is None else self.rules[number].apply(form)

    def find_small(self, form: str, tag: str) -> str:
        """Return the lemma of a word with capitals, if the word is known with fewer of them."""
        small = form.lower()
        if small == form:
            return ""
        return self.find(small, tag) or (
            self.find(form.capitalize(), tag) if form.isupper() else ""
        )


def teaches_lemma(token: Token) -> bool:
    """Return whether a lemma can be learned from a token: it has a form, a tag and a lemma."""
    return bool(token.form and token.tag and token.lemma)


def lemmatized_words(sentences: Iterable[Sentence]) -> list[Lemmatized]:
    """Return each word with each of its tags once, with its most frequent lemma; sorted."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for sentence in sentences:
        for token in sentence:
            if teaches_lemma(token):
                counts.setdefault(token[:2], Counter())[token.lemma] += 1
    return [
        Lemmatized(*word, min(lemmas, key=lambda lemma: (-lemmas[lemma], lemma)))
        for word, lemmas in sorted(counts.items())
    ]
