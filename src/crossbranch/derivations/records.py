"""Derivations as plain data, one record for each configuration or item."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crossbranch.derivations.shows import Choice, Show
from crossbranch.doors import door


@door
def records(show: Show) -> Iterator[dict[str, Any]]:
    """Yield a record for each configuration: its parts, the last transition, and what is next.

    For a chart, there is a record for each item that is shown.
    """
    if show.has_rules:
        yield from _items(show)
        return
    heading = show.wording.columns[-1]
    for frame in show.frames:
        yield {
            "sentence": show.id,
            "step": frame.number,
            **{part.name: [item.text for item in part.items] for part in frame.parts},
            heading: frame.transition,
            "explanation": frame.explanation,
            "next": frame.taken,
            "legal": list(frame.legal),
            "scores": [_choice(choice) for choice in frame.choices if choice.score is not None],
        }


def _items(show: Show) -> Iterator[dict[str, Any]]:
    """The items, without the frame of the start."""
    for frame in show.frames[1:]:
        yield {
            "sentence": show.id,
            "step": frame.number,
            "item": frame.transition,
            "words": frame.words,
            "rule": frame.rule,
            **{part.name.lower(): [item.text for item in part.items] for part in frame.parts[1:]},
            "explanation": frame.explanation,
            "in tree": frame.in_tree,
            "scores": [_choice(choice, "item") for choice in frame.choices],
        }


def _choice(choice: Choice, name: str = "transition") -> dict[str, Any]:
    found: dict[str, Any] = {name: choice.name, "score": choice.score}
    if choice.probability is not None:
        found["probability"] = choice.probability
    return found | {"taken": choice.is_taken}
