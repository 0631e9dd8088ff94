"""Doubt: the words that a model does not know, and the features of trees that may be wrong.

A tree has the feature `doubtful` if there is a reason to doubt it. Its value is the reason, or two
reasons with a comma between them:

unknown words    the model does not know at least half of the words
low confidence   on average, the constituents have a low confidence (only if it was computed)

In the first case, the feature `unknown-words` has the share of unknown words, such as `0.67`.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from operator import itemgetter

from crossbranch.node import feature, with_feature
from crossbranch.punctuation import is_punctuation_word
from crossbranch.tagging.spellings import known_spelling
from crossbranch.text import Casing
from crossbranch.tree import Features, Sentence, Tree

DOUBTFUL, UNKNOWN_WORDS = "doubtful", "unknown-words"
DOUBT_FEATURES = (DOUBTFUL, UNKNOWN_WORDS)
"""The names of the features."""

UNFAMILIAR, UNSURE = "unknown words", "low confidence"
"""The reasons to doubt a tree."""

MOSTLY = 0.5
"""The share of unknown words from which a sentence is doubtful.

In text like the dev trees of the shipped models, 0 to 4 % of the sentences reach it. In text of
another kind it is about 10 %, and in another language nearly all.
"""

LOW = 0.5
"""The mean confidence of the constituents below which a tree is doubtful.

So probably, most of its constituents are wrong. Such trees are 0 to 3 % in text like the dev trees,
and about 10 % in text of another kind.
"""

_CACHE_LIMIT = 50_000
_LONGEST_CACHED = 64  # characters; longer words do not occur again
_WORD = 1  # counts words in the low half of a number
_UNKNOWN = 1 << 32  # counts unknown words in the high half
_form = itemgetter(0)  # of a token


class KnownWords(dict[str, int]):
    """Counts the unknown words of sentences. Punctuation and numbers are not words.

    It is a cache by word form, because most words occur again.
    """

    def __init__(self, vocabulary: Container[str], casing: Casing | None = None) -> None:
        """Count with these known words.

        A word is also known if it is known in lower case, or with other apostrophes and dashes.
        With `casing`, sentences in one case are counted as the parser reads them.
        """
        super().__init__()
        self.vocabulary = vocabulary
        self.casing = casing

    def __missing__(self, form: str) -> int:
        count = self._count(form)
        if len(form) <= _LONGEST_CACHED:
            if len(self) >= _CACHE_LIMIT:  # constant memory
                self.clear()
            self[form] = count
        return count

    def _count(self, form: str) -> int:
        knows = self.vocabulary.__contains__
        if form.isalpha() and knows(form):  # most words
            return _WORD
        if is_punctuation_word(form) or not any(map(str.isalpha, form)):
            return 0
        is_known = knows(form) or knows(form.lower()) or knows(known_spelling(form, knows))
        return _WORD if is_known else _WORD | _UNKNOWN

    def _read(self, sentence: Sentence) -> Sentence:
        return sentence if self.casing is None else self.casing.read(sentence)

    def count(self, sentence: Sentence) -> tuple[int, int]:
        """Return the number of unknown words, and the number of all words."""
        both = sum(map(self.__getitem__, map(_form, self._read(sentence))))
        return both >> 32, both & (_UNKNOWN - 1)

    def unknown(self, sentence: Sentence) -> list[bool]:
        """Return for each token whether it is an unknown word."""
        return [self[token[0]] >= _UNKNOWN for token in self._read(sentence)]

    def features(self, sentence: Sentence) -> Features:
        """Return the features of a tree for this sentence: none if the words are known."""
        unknown, words = self.count(sentence)
        if not unknown or unknown < MOSTLY * words:
            return ()
        return (DOUBTFUL, UNFAMILIAR), (UNKNOWN_WORDS, f"{unknown / words:.2f}")


def reasons_to_doubt(tree: Tree) -> tuple[str, ...]:
    """Return the reasons to doubt a tree that a parser made. There may be none."""
    found = feature(tree.features, DOUBTFUL)
    return tuple(found.split(", ")) if found else ()


def doubt_confidence(features: Features, confidences: Sequence[float]) -> Features:
    """Return the features of a tree, with the right doubt for the confidence of its constituents.

    Without constituents, confidence is no reason for doubt.
    """
    is_low = bool(confidences) and sum(confidences) < LOW * len(confidences)
    old = feature(features, DOUBTFUL)
    reasons = [reason for reason in old.split(", ") if reason and reason != UNSURE]
    reasons += [UNSURE] if is_low else []
    return (
        with_feature(features, DOUBTFUL, ", ".join(reasons) or None) if old or is_low else features
    )
