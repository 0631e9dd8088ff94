"""Attributes of matches, for frequency tables: `label`, `#v.function`, `@genus` or `file`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crossbranch.errors import UsageError
from crossbranch.query.conditions import NUMBERS, text_of
from crossbranch.query.words import TEXTS

if TYPE_CHECKING:
    from crossbranch.query.planning import Assignment
    from crossbranch.query.searching import SentenceMatches
    from crossbranch.query.view import View


@dataclass(frozen=True)
class Grouping:
    """An attribute by which matches are counted."""

    name: str
    value: Callable[[str, SentenceMatches, Assignment], str]
    """The value for a file, a sentence and a match; empty if there is none."""


def attribute_readers(text: str, names: Sequence[str]) -> list[Grouping]:
    """Return the attributes in a text, separated by commas.

    Args:
        text: Such as "label" (of the first node of the query), "#v.label, #v.function" or "file".
        names: The names of the nodes of the query.

    Raises:
        UsageError: There is no such attribute, or no node of this name.
    """
    return [_grouping(part.strip(), names) for part in text.split(",")]


def _grouping(text: str, names: Sequence[str]) -> Grouping:
    if text == "file":
        return Grouping(text, lambda file, found, vertices: file)
    place, attribute = 0, text
    if text.startswith("#"):
        name, _, attribute = text[1:].partition(".")
        if name not in names:
            known = ", ".join(f"#{name}" for name in names if name) or "no node has a name"
            raise UsageError(f"no node #{name} in matches of the query; named nodes: {known}")
        place = names.index(name)
    if attribute not in TEXTS and attribute not in NUMBERS and not attribute.startswith("@"):
        known = ", ".join([*TEXTS, *NUMBERS, "@FEATURE", "file"])
        raise UsageError(f"cannot count by {text!r}; expected one of {known}, or #NAME.ATTRIBUTE")

    def value(file: str, found: SentenceMatches, vertices: Assignment) -> str:
        vertex = vertices[place] if vertices else -1
        return "" if vertex < 0 else _value(found.view, attribute, vertex)

    return Grouping(text, value)


def _value(view: View, attribute: str, vertex: int) -> str:
    if attribute.startswith("@"):
        return " ".join(value for key, value in view.features(vertex) if key == attribute[1:])
    if attribute in NUMBERS:
        number = NUMBERS[attribute](view, vertex)
        return "" if number is None else f"{number:g}"
    return text_of(view, attribute, vertex) or ""
