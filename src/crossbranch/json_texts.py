"""JSON for any text, even with halves of surrogate pairs, which UTF-8 cannot encode.

Without such halves, this is the JSON of msgspec. Halves are written as Python's error handler
"surrogatepass" writes them. Escapes would not do: two halves in a row would be read as one
character.
"""

from __future__ import annotations

import json
import re
from typing import TypeVar

import msgspec

T = TypeVar("T")

# Halves as bytes (no other character has these bytes), or as escapes written by other programs.
_HALF = re.compile(rb"\xed[\xa0-\xbf]|\\u[dD][89a-fA-F]")


def encode(value: object, *, is_indented: bool = False) -> bytes:
    """Return a value as JSON, on one line or indented with one value per line."""
    try:
        data = msgspec.json.encode(value)
    except UnicodeEncodeError:
        return json.dumps(
            msgspec.to_builtins(value),
            ensure_ascii=False,
            indent=1 if is_indented else None,
            separators=(",", ": ") if is_indented else (",", ":"),
        ).encode("utf-8", "surrogatepass")
    return msgspec.json.format(data, indent=1) if is_indented else data


def decode(data: bytes, kind: type[T]) -> T:
    """Return the value of a JSON text.

    Raises:
        ValueError: The text is not JSON, or its value has another type. Errors of msgspec are
            ValueErrors, too.
        RecursionError: The value is nested too deeply.
    """
    if _HALF.search(data) is None:
        return msgspec.json.decode(data, type=kind)
    return msgspec.convert(json.loads(data.decode("utf-8", "surrogatepass")), kind)
