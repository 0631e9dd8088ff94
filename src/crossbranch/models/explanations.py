"""Labels, tags and functions of a model, explained: what `crossbranch labels` and servers tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from crossbranch.errors import UsageError
from crossbranch.models import (
    LABEL_SETS,
    LabelMeanings,
    Meaning,
    ModelCard,
    describe,
    find_model,
    label_set,
    label_set_of,
    shipped,
)


class FoundLabels(NamedTuple):
    """The labels, tags and functions to explain, and their known meanings."""

    name: str
    phrases: tuple[str, ...]
    tags: tuple[str, ...]
    functions: tuple[str, ...]
    known: LabelMeanings | None


class Explained(NamedTuple):
    """A label, and what it means; None if that is not known."""

    kind: str  # "phrase", "tag" or "function"
    label: str
    meaning: Meaning | None


def find_labels(model: str) -> FoundLabels:
    """Return the labels of a model, given by name or path, or of a label set.

    Raises:
        UsageError: There is no such model.
    """
    if model in LABEL_SETS and model not in shipped():
        known = label_set(model)
        tags = {*known.tags, *known.composition.listed}
        return FoundLabels(
            model,
            tuple(sorted(known.phrases)),
            tuple(sorted(tags)),
            tuple(sorted(known.functions)),
            known,
        )
    return labels_of(describe(find_model(model)))


def labels_of(card: ModelCard) -> FoundLabels:
    """Return the labels of a model, and their known meanings."""
    known_by = label_set_of(card.labels, card.tags, name=card.label_set)
    return FoundLabels(card.name, card.labels, card.tags, card.functions, known_by)


def explain(found: FoundLabels, wanted: tuple[str, ...] = ()) -> list[Explained]:
    """Return the meanings of the wanted labels, or of all labels if none is named.

    Raises:
        UsageError: There is no such label, tag or function.
    """
    known = found.known
    kinds: tuple[tuple[str, tuple[str, ...], Callable[[str], Meaning | None]], ...] = (
        ("phrase", found.phrases, known.phrase if known else _unknown),
        ("tag", found.tags, known.tag if known else _unknown),
        ("function", found.functions, known.function if known else _unknown),
    )
    if not wanted:
        return [Explained(k, label, meaning(label)) for k, all, meaning in kinds for label in all]
    explained = []
    for label in wanted:
        here = [Explained(k, label, meaning(label)) for k, all, meaning in kinds if label in all]
        here = here or _elsewhere(label, known)
        if not here:
            raise UsageError(
                f"{found.name} has no label, tag or function {label!r}; to list them all: "
                f"crossbranch labels {found.name}"
            )
        explained += here
    return explained


def _elsewhere(label: str, known: LabelMeanings | None) -> list[Explained]:
    """Explain a label that the label set knows, but this model does not have."""
    if known is None:
        return []
    kinds = (
        ("phrase", known.phrases.get(label)),
        ("tag", known.tag(label)),
        ("function", known.function(label)),
    )
    return [Explained(kind, label, meaning) for kind, meaning in kinds if meaning][:1]


def _unknown(label: str) -> Meaning | None:
    return None


def label_records(explained: Iterable[Explained]) -> list[dict[str, str | None]]:
    """Return what is known of labels as plain dicts."""
    return [
        {
            "label": label,
            "kind": kind,
            "meaning": meaning.text if meaning else None,
            "example": meaning.example if meaning else None,
        }
        for kind, label, meaning in explained
    ]
