"""LabelMeanings: the meanings of the labels, tags and functions of a treebank, with examples."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from crossbranch.doors import door
from crossbranch.errors import UsageError
from crossbranch.models.composition import Composition, Meaning, combined

__all__ = ["LABEL_SETS", "LabelMeanings", "Meaning", "label_set", "label_set_of"]

LABEL_SETS = ("alpino", "craft", "icepahc", "masc", "squoia")
"""The treebanks whose labels, tags and functions are explained: labels/*.toml."""

ENOUGH = 0.8
"""A label set is used for a model if it explains at least this share of its labels and tags."""

_KINDS = ("phrases", "tags", "functions")  # the tables of a label set

ABSENT = "--"  # no tag, in export files


@dataclass(frozen=True)
class LabelMeanings:
    """Explains the labels, tags and functions of a treebank."""

    name: str
    title: str
    language: str
    phrases: Mapping[str, Meaning]
    tags: Mapping[str, Meaning]
    functions: Mapping[str, Meaning]
    """The meanings of edge labels. Empty if the treebank has none."""

    composition: Composition

    @door
    def phrase(self, label: str) -> Meaning | None:
        """Explain the label of a phrase; None if it is unknown."""
        if label in self.phrases:
            return self.phrases[label]
        meaning = self.tag(label)
        return meaning and self.composition.group(label, meaning)

    @door
    def tag(self, tag: str) -> Meaning | None:
        """Explain a tag; None if it is unknown."""
        found = self.tags.get(tag or ABSENT)
        return found or self.composition.explain(tag, self.tag)

    @door
    def function(self, label: str) -> Meaning | None:
        """Explain a function, such as SBJ or LOC-PRD; None if it is unknown."""
        if label in self.functions:
            return self.functions[label]
        parts = [self.functions.get(part) for part in dict.fromkeys(label.split("-"))]
        return combined([part for part in parts if part]) if all(parts) else None

    @door
    def share(self, labels: Collection[str], tags: Collection[str]) -> float:
        """Return the share of these labels and tags that have an explanation, from 0 to 1."""
        known = [self.phrases.get(label) for label in labels] + [self.tag(tag) for tag in tags]
        return sum(meaning is not None for meaning in known) / max(len(known), 1)


@cache
def label_set(name: str) -> LabelMeanings:
    """Return the label set of a treebank.

    Raises:
        UsageError: There are no explanations for it.
    """
    if name not in LABEL_SETS:
        raise UsageError(f"unknown label set {name!r}; expected one of {', '.join(LABEL_SETS)}")
    tables = _tables(name)
    phrases, tags, functions = (
        {label: Meaning(*entry) for label, entry in tables.get(kind, {}).items()} for kind in _KINDS
    )
    return LabelMeanings(
        name, tables["title"], tables["language"], phrases, tags, functions, Composition(tables)
    )


def _tables(name: str) -> dict[str, Any]:
    """Read a label set, together with the one that it includes. Its own entries come first."""
    path = resources.files("crossbranch.models") / "labels" / f"{name}.toml"
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    if "include" in tables:
        included = _tables(tables["include"])
        tables |= {kind: included.get(kind, {}) | tables.get(kind, {}) for kind in _KINDS}
    return tables


@door
def label_set_of(
    labels: Collection[str], tags: Collection[str], *, name: str = ""
) -> LabelMeanings | None:
    """Return the label set that fits the labels and tags of a model; None if none fits.

    Args:
        labels: The labels of phrases.
        tags: The tags.
        name: The name of the label set, if the model has it.
    """
    if name in LABEL_SETS:
        return label_set(name)
    if not labels and not tags:
        return None
    best = max(map(label_set, LABEL_SETS), key=lambda one: one.share(labels, tags))
    return best if best.share(labels, tags) >= ENOUGH else None
