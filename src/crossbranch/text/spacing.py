"""Which tokens of a treebank touch each other in text: found from all tokens, for any language.

Treebanks split words differently. If hyphens are tokens between words (`wild - type`), there are no
spaces around them in text. If words keep their hyphens, a hyphen token is a dash with spaces.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from crossbranch.doors import door

_APOSTROPHE_WORD = re.compile(r"['’][^\W\d_]+$")
_HYPHEN_WORD = re.compile(r"-[^\W\d_]+$")
_OFTEN = 10
_CONTRACTIONS = {("can", "not"), ("gon", "na"), ("wan", "na"), ("got", "ta"), ("lem", "me")}
"""Words that English treebanks cut and that are written as one."""


@dataclass(frozen=True)
class Spacing:
    """Which tokens of a treebank touch each other in text."""

    clitics: bool = False  # `vetur$ $inn` is "veturinn"
    hyphens: bool = False  # hyphen tokens join words
    slashes: bool = False
    low_quotes: bool = False  # „ opens, so “ closes
    outward_quotes: bool = False  # » opens and « closes
    attached: frozenset[str] = frozenset()  # tokens that touch the one before: 's, n't, -ie
    contractions: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    @door
    def learn(cls, sentences: Iterable[Sequence[str]]) -> Spacing:
        """Learn from the forms in the sentences of a treebank."""
        forms: Counter[str] = Counter()
        first: Counter[str] = Counter()
        last: Counter[str] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        before: defaultdict[str, set[str]] = defaultdict(set)
        clitics = 0
        for sentence in sentences:
            if not sentence:
                continue
            forms.update(sentence)
            first[sentence[0]] += 1
            last[sentence[-1]] += 1
            for one, two in pairwise(sentence):
                clitics += one[-1:] == "$" == two[:1] and len(one) > 1 < len(two)
                if (one.lower(), two) in _CONTRACTIONS:
                    pairs[one.lower(), two] += 1
                if two[:1] in "-'’" and len(two) > 1:
                    before[two].add(one)
        total = max(forms.total(), 1)
        return cls(
            clitics=clitics >= _OFTEN,
            hyphens=forms["-"] > total / 200,
            slashes=forms["/"] > total / 400,
            low_quotes=forms["„"] > 0,
            outward_quotes=first["»"] + last["«"] > first["«"] + last["»"],
            attached=frozenset(_attached(forms, first, before)),
            contractions=frozenset(pair for pair in pairs if "".join(pair) not in forms),
        )


def _attached(
    forms: Counter[str], first: Counter[str], before: dict[str, set[str]]
) -> Iterable[str]:
    """Yield the tokens that are written together with the word before them."""
    yield from (form for form in ("n't", "N'T", "n’t") if form in forms)
    words = [form for form in forms if _APOSTROPHE_WORD.match(form)]
    # If such words begin sentences, like Dutch 's and 't, they are words of their own.
    if sum(first[word] for word in words) * 100 <= sum(forms[word] for word in words):
        yield from words
    for form, others in before.items():
        if _HYPHEN_WORD.match(form) and len(others) >= _OFTEN:
            yield form
