"""Derivations as plain data, one record for each configuration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crossbranch.derivations.frames import Choice, Show
from crossbranch.transitions import columns


def records(show: Show) -> Iterator[dict[str, Any]]:
    """Yield a record for each configuration: its parts, the last transition, and what is next."""
    heading = columns(show.derivation.system)[-1]
    for frame in show.frames:
        yield {
            "sentence": show.derivation.id,
            "step": frame.number,
            **{part.name: [item.text for item in part.items] for part in frame.parts},
            heading: frame.transition,
            "explanation": frame.explanation,
            "next": frame.taken,
            "legal": list(frame.legal),
            "scores": [_choice(choice) for choice in frame.choices if choice.score is not None],
        }


def _choice(choice: Choice) -> dict[str, Any]:
    found: dict[str, Any] = {"transition": choice.name, "score": choice.score}
    if choice.probability is not None:
        found["probability"] = choice.probability
    return found | {"taken": choice.is_taken}
