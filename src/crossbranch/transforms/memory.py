"""What a transform must remember to be undone exactly, kept in the features of what it changed.

Labels alone bring a parser's output back; a treebank's own trees hold more than labels. The values
are JSON, the latest first, so that a transform may be applied twice and undone twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from crossbranch.errors import TransformError
from crossbranch.tree import Features, feature, with_feature


def remember(features: Features, name: str, value: object) -> Features:
    """Return features that remember a value; None is recalled where nothing is remembered."""
    known = _load(features, name)
    if value is None and not known:
        return features
    text = json.dumps([value, *known], ensure_ascii=False, separators=(",", ":"))
    return with_feature(features, name, text)


def recall(features: Features, name: str) -> tuple[Any, Features]:
    """Return the value remembered last, and the features without it."""
    known = _load(features, name)
    if not known:
        return None, features
    value, *rest = known
    text = json.dumps(rest, ensure_ascii=False, separators=(",", ":")) if rest else None
    return value, with_feature(features, name, text)


@contextmanager
def recalling(name: str) -> Iterator[None]:
    """Turn what goes wrong with a memory that does not fit the tree into a TransformError."""
    try:
        yield
    except (LookupError, TypeError, ValueError) as error:
        raise TransformError(
            f"{name} cannot be undone: its features do not fit the tree"
        ) from error


def _load(features: Features, name: str) -> list[Any]:
    text = feature(features, name)
    if not text:
        return []
    try:
        known = json.loads(text)
    except ValueError:
        known = None
    if not isinstance(known, list):
        raise TransformError(f"the feature {name} is {text!r}, expected what its transform wrote")
    return known
