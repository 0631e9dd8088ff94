"""The header of a treebank: information before its first sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class HeaderValue(NamedTuple):
    """One value of a tag set. Number and flag are those of NeGra's tables."""

    name: str
    description: str = ""
    number: str = ""
    flag: str = ""


class HeaderTable(NamedTuple):
    """A tag set or another list of values.

    All formats know these kinds: tag, lemma, morphology, label, edge_label, secondary_edge_label,
    origin, editor.
    """

    kind: str
    values: tuple[HeaderValue, ...]


@dataclass(frozen=True, slots=True)
class Header:
    """Comments, descriptions (such as name, author, date) and tag sets."""

    comments: tuple[str, ...] = ()
    meta: tuple[tuple[str, str], ...] = ()
    tables: tuple[HeaderTable, ...] = ()

    def __bool__(self) -> bool:
        """Whether the header is not empty."""
        return bool(self.comments or self.meta or self.tables)
