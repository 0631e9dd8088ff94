"""Lemmatizer: gives each token its lemma.

Known words have their lemma from the training data, by form and tag. The lemma of other words is
made by the rule that a linear model chooses.

The files of a lemmatizer in a model folder:

lemmas.json          rules, known words, linking texts of compounds, columns of the model
lemmas-weights.bin   the weights of the model, packed by the core
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Self

import msgspec

from crossbranch import json_texts
from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError
from crossbranch.ranges import require_positive
from crossbranch.tagging.lemma_compounds import Compounds
from crossbranch.tagging.lemma_guesser import LemmaGuesser, learn_guesser
from crossbranch.tagging.lemma_rules import LemmaRule
from crossbranch.tagging.lemma_table import MOST_RULES, LemmaTable, lemmatized_words
from crossbranch.tagging.spellings import known_spelling
from crossbranch.tagging.tagger import FolderLike
from crossbranch.tree import Sentence, Token

LEMMAS = "lemmas.json"
WEIGHTS = "lemmas-weights.bin"
_CACHE_LIMIT = 100_000

_word_of = itemgetter(0, 1)  # form and tag of a token


class Lemmatizer:
    """Gives each token of a sentence its lemma, by its form and its tag."""

    @door
    def __init__(self, guesser: LemmaGuesser) -> None:
        """Make a lemmatizer from its parts; usually, use `learn` or `from_folder`."""
        self.table = guesser.table
        self.guesser = guesser
        self._cache = _LemmaCache(guesser)

    @classmethod
    @door
    def learn(cls, sentences: Iterable[Sentence], *, epochs: int = 8, seed: int = 1) -> Self:
        """Learn a lemmatizer from tokens with tags and lemmas; other tokens are left out.

        Args:
            sentences: The training data.
            epochs: How often the model for unknown words learns from all known words.
            seed: The same seed gives the same lemmatizer.

        Raises:
            UsageError: No token has a tag and a lemma, or an option is out of range.
        """
        require_positive(epochs=epochs)
        words = lemmatized_words(sentences)
        if not words:
            raise UsageError("no token has a tag and a lemma, expected at least one")
        table = LemmaTable.of(words)
        return cls(learn_guesser(table, words, epochs=epochs, seed=seed))

    @door
    def lemmas(self, sentence: Sequence[Token]) -> list[str]:
        """Return the lemmas of tokens with tags. A token without a tag gets an empty text."""
        return list(map(self._cache.__getitem__, map(_word_of, sentence)))

    @door
    def lemma(self, form: str, tag: str) -> str:
        """Return the lemma of a word with its tag; an empty text if it has no tag."""
        return self._cache[form, tag]

    @door
    def knows(self, form: str, tag: str) -> bool:
        """Return whether the training data had a word with this tag."""
        return form in self.table.words.get(tag, {})

    def files(self) -> dict[str, bytes]:
        """Return the lemmatizer as files for a model folder."""
        groups: dict[str, dict[int, list[str]]] = {}
        for tag, words in self.table.words.items():
            of_tag = groups.setdefault(tag, {})
            for form, number in words.items():
                of_tag.setdefault(number, []).append(form)
        content = _Content(
            columns=self.guesser.columns,
            links=self.guesser.compounds.links,
            general=self.table.general,
            rules=self.table.rules,
            words={
                tag: [(number, of_tag[number]) for number in sorted(of_tag)]
                for tag, of_tag in groups.items()
            },
        )
        return {LEMMAS: json_texts.encode(content), WEIGHTS: self.guesser.weights}

    @classmethod
    def from_folder(cls, folder: FolderLike) -> Self:
        """Load what `files` returned; an InputError names the wrong file."""
        path = folder.where(LEMMAS)
        try:
            content = json_texts.decode(folder.data(LEMMAS), _Content)
            table = content.table()
            compounds = Compounds(table, content.links)
        except (ValueError, RecursionError) as error:  # of JSON, and ours
            raise InputError(str(error), "the rules and words of lemmas", path=path) from None
        weights = folder.data(WEIGHTS)
        try:
            return cls(LemmaGuesser(table, compounds, content.columns, weights))
        except UsageError as error:
            raise InputError(str(error), "the columns of lemmas", path=path) from None
        except ValueError as error:
            where = folder.where(WEIGHTS)
            raise InputError(str(error), "the weights of lemmas", path=where) from None


class _LemmaCache(dict[tuple[str, str], str]):
    """The lemmas of recent words, because most words occur again."""

    def __init__(self, guesser: LemmaGuesser) -> None:
        super().__init__()
        self._guesser = guesser

    def __missing__(self, word: tuple[str, str]) -> str:
        form, tag = word
        if not form or not tag:
            return ""
        table = self._guesser.table
        known = table.words.get(tag, {})
        spelling = form if form.isalpha() else known_spelling(form, known.__contains__)
        lemma = (
            table.find(spelling, tag)
            or table.find_small(form, tag)
            or self._guesser.lemma(form, tag)
        )
        if len(self) >= _CACHE_LIMIT:  # constant memory
            self.clear()
        self[word] = lemma
        return lemma


class _Content(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of lemmas.json."""

    columns: tuple[str, ...]
    links: tuple[str, ...]
    general: int
    rules: tuple[LemmaRule, ...]
    words: dict[str, list[tuple[int, list[str]]]]

    def table(self) -> LemmaTable:
        """Return the rules and words.

        Raises:
            ValueError: A number has no rule.
        """
        if not 1 <= self.general <= min(len(self.rules), MOST_RULES):
            raise ValueError(f"{self.general} rules for new words, and {len(self.rules)} in all")
        last = len(self.rules)
        for groups in self.words.values():
            if not all(0 <= number < last for number, _ in groups):
                raise ValueError("a number without a rule")
        return LemmaTable(
            self.rules,
            {
                tag: {form: number for number, forms in groups for form in forms}
                for tag, groups in self.words.items()
            },
            self.general,
        )
