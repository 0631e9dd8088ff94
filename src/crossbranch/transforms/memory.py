"""Store in features what a transform needs to be undone exactly.

A parser's output is undone by labels alone, but the trees of a treebank contain more than labels.
The values are JSON, the latest first, so a transform can be applied twice and undone twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from crossbranch.errors import TransformError
from crossbranch.tree import Features, feature, with_feature


def remember(features: Features, name: str, value: object) -> Features:
    """Return features that store a value; if nothing is stored, None is recalled."""
    known = _load(features, name)
    if value is None and not known:
        return features
    text = json.dumps([value, *known], ensure_ascii=False, separators=(",", ":"))
    return with_feature(features, name, text)


def recall(features: Features, name: str) -> tuple[Any, Features]:
    """Return the value that was stored last, and the features without it."""
    known = _load(features, name)
    if not known:
        return None, features
    value, *rest = known
    text = json.dumps(rest, ensure_ascii=False, separators=(",", ":")) if rest else None
    return value, with_feature(features, name, text)


@contextmanager
def recalling(name: str) -> Iterator[None]:
    """Raise a TransformError if stored values do not fit the tree."""
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
