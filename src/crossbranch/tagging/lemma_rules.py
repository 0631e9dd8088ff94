"""Edit rules: how the lemma of a word is made from its form.

A rule says whether the word is first put into lower case, kept, or written with one capital, and
which texts in it are replaced by which. Places are counted from the beginning of the word or from
its end, so that one rule serves many words: *huizen* → *huis* and *muizen* → *muis* have the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import Match, SequenceMatcher
from typing import Literal, NamedTuple

import msgspec

Case = Literal["lower", "keep", "title"]
"""How a word is written before texts are replaced."""

_WRITE: dict[Case, Callable[[str], str]] = {
    "lower": str.lower,
    "keep": str,
    "title": str.capitalize,
}


class Edit(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """At a place, one text is replaced by another one."""

    place: int
    """0 is before the first character; -1 is after the last one, -2 is before the last one."""
    cut: str
    add: str


class LemmaRule(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """How the lemma of a word is made from its form."""

    case: Case
    edits: tuple[Edit, ...] = ()

    def apply(self, form: str) -> str:
        """Return the lemma, or an empty text if the rule does not fit the form.

        >>> LemmaRule("lower", (Edit(0, "ge", ""), Edit(-1, "", "ten"))).apply("Gezet")
        'zetten'
        """
        text = _WRITE[self.case](form)
        if not self.edits:
            return text
        made, done = "", 0
        for edit in self.edits:
            start = edit.place if edit.place >= 0 else len(text) + 1 + edit.place
            if start < done or start > len(text) or not text.startswith(edit.cut, start):
                return ""
            made += text[done:start] + edit.add
            done = start + len(edit.cut)
        return made + text[done:]

    def leaves(self, form: str) -> bool:
        """Return whether something of the form stays: only then is the rule used for new words."""
        return sum(len(edit.cut) for edit in self.edits) < len(form)


class Lemmatized(NamedTuple):
    """A word with its tag and its lemma."""

    form: str
    tag: str
    lemma: str


class RuleChooser:
    """Finds a rule for each word, such that many words share a rule."""

    def __init__(self, words: Iterable[Lemmatized]) -> None:
        """Count the rules that are possible for these words."""
        self._cases: dict[str, Counter[Case]] = {}
        pairs: dict[tuple[str, str], None] = {}
        for word in words:
            pairs[word.form, word.lemma] = None
            if word.form != word.form.lower():
                cases = self._cases.setdefault(word.tag, Counter())
                cases[_case(word.form, word.lemma)] += 1
        self._counts = Counter(edits for pair in pairs for edits in _possible_edits(*pair))

    def rule(self, word: Lemmatized) -> LemmaRule:
        """Return the rule that most words share, among those that make the lemma of the word.

        If a word in lower case can be kept or put into lower case, the rule is the one that words
        with the same tag and with capitals have more often.
        """
        edits = max(_possible_edits(word.form, word.lemma), key=self._rank)
        return LemmaRule(self._case(word), edits)

    def _case(self, word: Lemmatized) -> Case:
        case = _case(word.form, word.lemma)
        if case == "title" or word.form != word.form.lower():
            return case
        counts = self._cases.get(word.tag, Counter())
        return "keep" if counts["keep"] > counts["lower"] else "lower"

    def _rank(self, edits: tuple[Edit, ...]) -> tuple[int, int]:
        return self._counts[edits], -sum(len(edit.cut) for edit in edits)


def possible_rules(form: str, lemma: str) -> Iterator[LemmaRule]:
    """Yield rules that make the lemma from the form, each once and in a fixed order.

    >>> for rule in possible_rules("hoge", "hoog"): print(rule.case, rule.edits)
    lower (Edit(place=-3, cut='ge', add='og'),)
    lower (Edit(place=2, cut='', add='o'), Edit(place=-2, cut='e', add=''))
    lower (Edit(place=-3, cut='', add='o'), Edit(place=-2, cut='e', add=''))
    """
    case = _case(form, lemma)
    return (LemmaRule(case, edits) for edits in _possible_edits(form, lemma))


def _case(form: str, lemma: str) -> Case:
    """Return how a word is best written before texts are replaced."""
    if lemma == lemma.lower():
        return "lower"
    cases: tuple[Case, ...] = ("keep", "title")
    return max(cases, key=lambda case: _equal_characters(_WRITE[case](form), lemma))


def _equal_characters(text: str, lemma: str) -> int:
    return sum(block.size for block in _blocks(text, lemma))


def _possible_edits(form: str, lemma: str) -> Iterable[tuple[Edit, ...]]:
    text = _WRITE[_case(form, lemma)](form)
    blocks = _blocks(text, lemma)
    return dict.fromkeys(
        _edits(text, lemma, blocks, most, from_end)
        for most in (0, 1, len(blocks))
        for from_end in (False, True)
    )


def _edits(
    text: str, lemma: str, blocks: Sequence[Match], most: int, from_end: bool
) -> tuple[Edit, ...]:
    """Return the differences between the equal blocks of two texts.

    After `most` edits, everything from the next difference to the end is one edit. Places in the
    middle are counted from the end or from the beginning.
    """
    edits: list[Edit] = []
    done, made = 0, 0
    for block in blocks:
        if len(edits) == most:
            break
        if block.a > done or block.b > made:
            is_middle = done > 0 and block.a < len(text)
            is_counted_back = block.a == len(text) or (is_middle and from_end)
            place = done - len(text) - 1 if is_counted_back else done
            edits.append(Edit(place, text[done : block.a], lemma[made : block.b]))
        done, made = block.a + block.size, block.b + block.size
    while done < len(text) and made < len(lemma) and text[done] == lemma[made]:
        done, made = done + 1, made + 1
    cut, add = text[done:], lemma[made:]
    if cut or add:
        edits.append(Edit(-1 - len(cut), cut, add))
    return tuple(edits)


def _blocks(text: str, lemma: str) -> list[Match]:
    return SequenceMatcher(None, text, lemma, autojunk=False).get_matching_blocks()
