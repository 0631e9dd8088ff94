"""JSON: bodies of requests to values, values to bodies of answers."""

from __future__ import annotations

import json
from typing import TypeVar

import msgspec

T = TypeVar("T")

_encode = msgspec.json.Encoder().encode


def to_json(value: object) -> bytes:
    """Return a value as JSON.

    Halves of surrogate pairs, which a treebank may have written as escapes, stay escapes: UTF-8
    has no bytes for them.
    """
    try:
        return _encode(value)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value), separators=(",", ":")).encode("ascii")
