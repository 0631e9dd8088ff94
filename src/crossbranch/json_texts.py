"""JSON of any texts, halves of surrogate pairs too, which UTF-8 has no bytes for.

Where there are none, this is what msgspec writes and reads. Halves are written as Python's
"surrogatepass" does it, since escapes would make one character of two halves in a row.
"""

from __future__ import annotations

import json
import re
from typing import TypeVar

import msgspec

T = TypeVar("T")

# As bytes (no other character has these), or as escapes, which others may have written.
_HALF = re.compile(rb"\xed[\xa0-\xbf]|\\u[dD][89a-fA-F]")


def encode(value: object, *, is_indented: bool = False) -> bytes:
    """Return a value as JSON, on one line or one value a line."""
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
    """Return the value that JSON holds.

    Raises:
        ValueError: It is no JSON, or holds something else; those of msgspec are ValueErrors.
        RecursionError: It is nested too deeply.
    """
    if _HALF.search(data) is None:
        return msgspec.json.decode(data, type=kind)
    return msgspec.convert(json.loads(data.decode("utf-8", "surrogatepass")), kind)
