"""The meanings of tags and functions that consist of others: there are too many for a list.

VBDI     a verb and its ending: past tense, indicative
N21      the first of two parts of a noun that is written as two words
ONE+Q    one word that consists of two
LOC-PRD  two functions of one phrase
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

_PART = re.compile(r"(.+?)([2-9])([1-9])")


class Meaning(NamedTuple):
    """The meaning of a label, tag or function; an example with the word or phrase in brackets."""

    text: str
    example: str


class Composition:
    """Explains tags by their parts."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        """Use the tables `verbs`, `endings`, `verb_examples`, `parts`, `compounds`, `groups`."""
        self._verbs = _verbs(tables)
        self._parts: Mapping[str, str] = tables.get("parts", {})
        self._compounds: Mapping[str, str] = tables.get("compounds", {})
        self._groups: Mapping[str, str] = tables.get("groups", {})

    @property
    def listed(self) -> list[str]:
        """The tags of verbs and compounds that have examples."""
        return [*self._verbs, *self._compounds]

    def explain(self, tag: str, known: Callable[[str], Meaning | None]) -> Meaning | None:
        """Explain a tag by its parts; `known` explains the parts."""
        if tag in self._verbs:
            return self._verbs[tag]
        if self._parts and (part := _PART.fullmatch(tag)):
            return self._part(part[1], int(part[2]), int(part[3]), known)
        if self._compounds and "+" in tag:
            return self._compound(tag, known)
        return None

    def group(self, label: str, meaning: Meaning) -> Meaning | None:
        """Explain a tag that is used as the label of a phrase."""
        if not self._groups:
            return None
        text = f"several words, or parts of a word, that count as one: {_brief(meaning)}"
        return Meaning(text, self._groups.get(label, meaning.example))

    def _part(
        self, base: str, count: int, place: int, known: Callable[[str], Meaning | None]
    ) -> Meaning | None:
        meaning = known(base)
        if meaning is None or place > count:
            return None
        words = self._parts.get(f"{base}{count}", self._parts.get(base, "")).split()
        example = meaning.example
        if len(words) == count:
            words[place - 1] = f"[{words[place - 1]}]"
            example = " ".join(words)
        text = f"part {place} of {count} of a word that is written in parts: {_brief(meaning)}"
        return Meaning(text, example)

    def _compound(self, tag: str, known: Callable[[str], Meaning | None]) -> Meaning | None:
        meanings = [known(part) for part in tag.split("+")]
        found = [meaning for meaning in meanings if meaning is not None]
        if len(found) < len(meanings):
            return None
        example = self._compounds.get(tag)
        return Meaning(
            "one word made of: " + " + ".join(map(_brief, found)),
            f"[{example}]" if example else " + ".join(meaning.example for meaning in found),
        )


def combined(functions: Sequence[Meaning]) -> Meaning:
    """Explain several functions of one phrase."""
    if len(functions) == 1:
        return functions[0]
    return Meaning(
        "several functions at once: "
        + " + ".join(meaning.text.partition(":")[0] for meaning in functions),
        " + ".join(meaning.example for meaning in functions),
    )


def _brief(meaning: Meaning) -> str:
    """Return a meaning without additional remarks."""
    return meaning.text.partition(";")[0]


def _verbs(tables: Mapping[str, Any]) -> dict[str, Meaning]:
    """Return the tags of verbs: stem and ending. Participles have the first letter of the stem."""
    examples = tables.get("verb_examples", {})
    found = {}
    for stem, verb in tables.get("verbs", {}).items():
        for ending, form in tables["endings"].items():
            tag = (stem[0] if ending.startswith("A") else stem) + ending
            if tag in examples:
                found[tag] = Meaning(f"{verb}: {form}", examples[tag])
    return found
