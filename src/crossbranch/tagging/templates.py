"""Templates of features: which columns of which words, and which tags before.

A template is a list of parts, separated by spaces: a column of the word itself (`word`),
of a word before it (`word-1`) or after it (`word+1`), and the last tag or the last two tags
(`tag-1`, `tag-2 tag-1`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from crossbranch import _core
from crossbranch.errors import UsageError
from crossbranch.features.columns import CLUSTER_COLUMNS

TEMPLATES: tuple[str, ...] = (
    *("word", "lower", "class", "digits", "shape", "kinds"),
    *("prefix1", "prefix2", "prefix3", "prefix4"),
    *("suffix1", "suffix2", "suffix3", "suffix4", "suffix5", "suffix6"),
    *("word-2", "word-1", "word+1", "word+2", "class-2", "class-1", "class+1", "class+2"),
    *("suffix2-1", "suffix3-1", "suffix2+1", "suffix3+1"),
    *("shape-1 shape", "shape shape+1", "word-1 word", "word word+1"),
    *("class-1 class", "class class+1", "class-1 class+1", "class-2 class-1", "class+1 class+2"),
    *("suffix3 class+1", "class-1 suffix3", "shape suffix2"),
    *("tag-1", "tag-1 word", "tag-1 class", "tag-1 suffix3", "tag-1 shape"),
    *("tag-1 class+1", "tag-1 word+1", "tag-1 word-1"),
    *("tag-2 tag-1", "tag-2 tag-1 class", "tag-2 tag-1 class+1"),
    *("lower-2", "lower-1", "lower+1", "lower+2", "lower-1 lower", "lower lower+1"),
    *("tag-1 lower", "tag-1 lower+1"),
)
"""The templates of all taggers."""

CLUSTER_TEMPLATES: tuple[str, ...] = (
    *("cluster4", "cluster6", "cluster10", "cluster", "cluster-1", "cluster+1"),
    *("cluster6-1", "cluster6+1", "cluster6 suffix2", "cluster6-1 cluster6", "cluster6 cluster6+1"),
    *("tag-1 cluster6", "tag-1 cluster6+1", "tag-2 tag-1 cluster6"),
)
"""Additional templates of taggers with clusters."""

CASING_TEMPLATES: tuple[str, ...] = (
    *("casing", "casing shape", "casing-1 shape-1", "casing+1 shape+1", "casing shape class"),
    *("casing shape shape-1", "casing shape shape+1", "tag-1 casing shape"),
)
"""Additional templates of taggers with a dictionary that has casings."""

PARTS_TEMPLATES: tuple[str, ...] = (
    *("parts", "parts-1", "parts+1", "parts-1 parts", "parts parts+1", "parts-1 parts+1"),
    *("parts suffix2", "tag-1 parts", "tag-1 parts+1", "tag-2 tag-1 parts"),
)
"""Additional templates of taggers with a dictionary that has parts of speech."""

WIDE_TEMPLATES: tuple[str, ...] = (
    *("word-3", "word+3", "lower-2 lower-1", "lower+1 lower+2", "lower-1 lower+1"),
    *("lower-2 lower-1 lower", "lower lower+1 lower+2", "lower-1 lower lower+1"),
)
"""Additional templates of wide taggers: three words together, and words three places away."""

WIDE_CLUSTER_TEMPLATES: tuple[str, ...] = ("cluster-2", "cluster+2", "cluster6-2", "cluster6+2")
"""Additional templates of wide taggers with clusters."""

DICTIONARY_COLUMNS = ("casing", "parts")
"""Columns of a dictionary: how a word is usually written, and its parts of speech."""

_PART = re.compile(r"(?P<column>[a-z]+(?:\d+)?)(?P<offset>[-+]\d)?")
_HISTORIES: dict[frozenset[str], int] = {
    frozenset(): 0,
    frozenset({"tag-1"}): 1,
    frozenset({"tag-1", "tag-2"}): 2,
}


class TagTemplate(NamedTuple):
    """The number of tags before the word, and the columns with their offsets."""

    tags: int
    parts: tuple[tuple[int, str], ...]


def parse(text: str) -> TagTemplate:
    """Read a template.

    >>> parse("tag-1 word suffix2+1")
    TagTemplate(tags=1, parts=((0, 'word'), (1, 'suffix2')))
    """
    names = text.split()
    tags = frozenset(name for name in names if name.startswith("tag"))
    if tags not in _HISTORIES or not names:
        raise UsageError(f"the template {text!r}, expected no tags, tag-1, or tag-2 and tag-1")
    return TagTemplate(_HISTORIES[tags], tuple([_part(name) for name in names if name not in tags]))


def _part(name: str) -> tuple[int, str]:
    match = _PART.fullmatch(name)
    if match is None:
        raise UsageError(f"the part {name!r} of a template, expected one such as word or word-1")
    return int(match["offset"] or 0), match["column"]


def compile_templates(templates: Sequence[str], columns: Sequence[str]) -> _core.TagTemplates:
    """Compile templates for the core; `columns` are those of the rows."""
    places = {name: place for place, name in enumerate(columns)}
    compiled = []
    for template in sorted(map(parse, templates), key=lambda template: template.tags):
        unknown = [name for _, name in template.parts if name not in places]
        if unknown:
            raise UsageError(f"a template uses the unknown column {unknown[0]}")
        compiled.append(
            (template.tags, [(offset, places[name]) for offset, name in template.parts])
        )
    try:
        return _core.TagTemplates(compiled, column_count=len(columns))
    except ValueError as error:
        raise UsageError(str(error)) from None


def columns_of(templates: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that templates use, each once."""
    return tuple(dict.fromkeys(name for text in templates for _, name in parse(text).parts))


def needs_clusters(columns: Sequence[str]) -> bool:
    """Return whether there are columns of clusters."""
    return any(name in CLUSTER_COLUMNS for name in columns)


def needs_dictionary(columns: Sequence[str]) -> bool:
    """Return whether there are columns of a dictionary."""
    return any(name in DICTIONARY_COLUMNS for name in columns)
