"""LemmaGuesser: chooses the rule of an unknown word, with a linear model in the core.

The core's tagger serves as the classifier: each word is a sentence of its own, and its "tag" is
the number of a rule. The last number stands for compounds.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import NamedTuple

from crossbranch import _core
from crossbranch.errors import UsageError
from crossbranch.tagging.columns import MISSING, number_of
from crossbranch.tagging.learning import packed_weights
from crossbranch.tagging.lemma_compounds import Compound, Compounds
from crossbranch.tagging.lemma_rules import LemmaRule, Lemmatized
from crossbranch.tagging.lemma_table import LemmaTable

_MARGIN = 6
_BYTES = 400_000
"""The largest size of the weights. If they are larger, the smallest ones are left out."""
_LONGEST = 64  # characters of a word that columns look at
_DIGIT = re.compile(r"\d")


class _Word(NamedTuple):
    """What columns look at."""

    tag: str
    small: str  # the form in lower case, all digits made the same
    shape: str
    compound: Compound | None


def _suffix(size: int) -> Callable[[_Word], str]:
    return lambda word: f"{word.tag} {word.small[-size:]}" if len(word.small) >= size else ""


def _prefix(size: int) -> Callable[[_Word], str]:
    return lambda word: f"{word.tag} {word.small[:size]}" if len(word.small) >= size else ""


COLUMNS: dict[str, Callable[[_Word], str]] = {
    "tag": lambda word: word.tag,
    "shape": lambda word: f"{word.tag} {word.shape}",
    "size": lambda word: f"{word.tag} {min(len(word.small), 9)}",
    **{f"suffix{size}": _suffix(size) for size in range(1, 9)},
    **{f"prefix{size}": _prefix(size) for size in range(1, 6)},
    "shape-suffix2": lambda word: f"{word.tag} {word.shape} {word.small[-2:]}",
    "prefix2-suffix2": lambda word: f"{word.tag} {word.small[:2]} {word.small[-2:]}",
    "any-suffix3": lambda word: word.small[-3:],
    "any-suffix5": lambda word: word.small[-5:],
}
"""What the choice of a rule depends on: texts, most of them together with the tag."""

COMPOUND_COLUMNS: dict[str, Callable[[_Word], str]] = {
    "is-compound": lambda word: f"{word.tag} {word.compound is not None}",
    "first": lambda word: f"{word.tag} {word.compound.first}" if word.compound else "",
    "last": lambda word: f"{word.tag} {word.compound.last}" if word.compound else "",
    "sizes": lambda word: (
        f"{word.tag} {min(len(word.compound.first), 6)} {min(len(word.compound.last), 6)}"
        if word.compound
        else ""
    ),
}
"""What it also depends on in treebanks that join the parts of compounds."""


class LemmaGuesser:
    """Finds the lemmas of unknown words."""

    def __init__(
        self, table: LemmaTable, compounds: Compounds, columns: Sequence[str], weights: bytes
    ) -> None:
        """Make a guesser from its parts.

        Raises:
            UsageError: A column is unknown.
            ValueError: The weights are damaged, or are for another table.
        """
        self.table, self.compounds = table, compounds
        self.columns = tuple(columns)
        self.weights = weights
        self._rows = _Rows(columns)
        self._core = _core.Tagger(
            _templates(len(columns)), weights, tag_count=_count(table), beam=1
        )

    def lemma(self, form: str, tag: str) -> str:
        """Return the lemma of an unknown word.

        If the best rule does not fit the word, only its use of capitals counts.

        A word without letters, such as a number, is its own lemma.
        """
        if not any(map(str.isalpha, form)):
            return form
        compound = self.compounds.find(form, tag)
        row = self._rows.row(form, tag, compound)
        (number,) = memoryview(self._core.tag(row, [0, 1])).cast("H")
        if number == self.table.general:  # a compound
            return compound.lemma if compound else form
        rule = self.table.rules[number]
        if rule.leaves(form) and (lemma := rule.apply(form)):
            return lemma
        return LemmaRule(rule.case).apply(form)


def learn_guesser(
    table: LemmaTable, words: Iterable[Lemmatized], *, epochs: int, seed: int
) -> LemmaGuesser:
    """Learn from known words how to find the rules of unknown ones."""
    words = list(words)
    compounds = Compounds.of(table, words)
    columns = (*COLUMNS, *COMPOUND_COLUMNS) if compounds.links else tuple(COLUMNS)
    rows = _Rows(columns)
    lessons: list[tuple[array[int], int]] = []
    for word in words:
        compound = compounds.find(word.form, word.tag)
        number = table.words[word.tag][word.form]
        if compound is not None and compound.lemma == word.lemma:
            lessons.append((rows.row(word.form, word.tag, compound), table.general))
        elif number < table.general:
            lessons.append((rows.row(word.form, word.tag, compound), number))
    trainer = _core.TagTrainer(
        _templates(len(columns)), tag_count=_count(table), beam=1, margin=_MARGIN
    )
    random = Random(seed)
    for _ in range(epochs):
        random.shuffle(lessons)
        together: array[int] = array("I")
        for row, _ in lessons:
            together.extend(row)
        numbers = array("H", [number for _, number in lessons])
        trainer.train(together, list(range(len(lessons) + 1)), numbers)
    return LemmaGuesser(table, compounds, columns, packed_weights(trainer, _BYTES))


class _Rows:
    """Makes the row of a word: one number for each column."""

    def __init__(self, columns: Sequence[str]) -> None:
        every = COLUMNS | COMPOUND_COLUMNS
        unknown = [name for name in columns if name not in every]
        if unknown or not columns:
            raise UsageError(f"unknown columns: {', '.join(unknown) or 'none at all'}")
        self._columns = [every[name] for name in columns]

    def row(self, form: str, tag: str, compound: Compound | None) -> array[int]:
        small = _DIGIT.sub("0", form[-_LONGEST:].lower())
        word = _Word(tag, small, _shape(form), compound)
        values = [value_of(word) for value_of in self._columns]
        return array("I", [number_of(value) if value else MISSING for value in values])


def _shape(form: str) -> str:
    """Return how a word is written: its first letter, capitals, digits.

    >>> _shape("Anna"), _shape("NASA"), _shape("iPhone"), _shape("80s")
    ('X', 'XX', 'xX', 'xd')
    """
    first = "X" if form[:1].isupper() else "x"
    more = "X" if any(map(str.isupper, form[1:])) else ""
    return first + more + ("d" if any(map(str.isdigit, form)) else "")


def _templates(count: int) -> _core.TagTemplates:
    """Return one template for each column."""
    return _core.TagTemplates([(0, [(0, column)]) for column in range(count)], column_count=count)


def _count(table: LemmaTable) -> int:
    """Return the number of choices: the rules for new words, and compounds."""
    return table.general + 1
