"""Labels of a treebank that look as if a transform had made them, told apart reversibly.

As in the formats, a character that would be misread is written as `&#x` + its code in hexadecimal +
`;`, and what merely looks like such an escape has its `&` escaped in turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

_ESCAPED = re.compile("&#x([0-9a-f]{1,6});")
_LOOKS_ESCAPED = "&(?=#x[0-9a-f]{1,6};)"
_REMEMBERED = 1 << 16  # treebanks have few labels


def escaper(pattern: str) -> Callable[[str], str]:
    """Return a function that escapes every character that matches the pattern in a label.

    >>> escaper("@")("@S")
    '&#x40;S'
    """
    unsafe = re.compile(f"{pattern}|{_LOOKS_ESCAPED}")

    @lru_cache(_REMEMBERED)
    def escape(label: str) -> str:
        return unsafe.sub(lambda match: f"&#x{ord(match[0]):x};", label)

    return escape


@lru_cache(_REMEMBERED)
def unescape(label: str) -> str:
    """Replace all escapes by what they stand for.

    >>> unescape("&#x40;S")
    '@S'
    """
    return _ESCAPED.sub(_character, label)


def _character(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return chr(code) if code <= 0x10FFFF else match[0]
