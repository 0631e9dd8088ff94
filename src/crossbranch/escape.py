"""Reversible escapes for characters that a format cannot write directly.

A character that would be misread is written as `&#x` + its code in hexadecimal + `;`. If a text
looks like an escape, its `&` is escaped, too. `&#x;` is the empty text. A text without escapes does
not change, so files of other programs are read unchanged.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from functools import cache

_ESCAPED = re.compile("&#x([0-9a-f]{0,8});")
# Text that would be read as an escape, and the byte order mark.
_NEVER_SAFE = "&(?=#x[0-9a-f]{0,8};)|\ufeff"
_MEMO_LIMIT = 200_000


class Memo(dict[str, str]):
    """Remembers the results of a function of texts: treebanks repeat the same texts."""

    def __init__(self, function: Callable[[str], str]) -> None:
        """Remember the results of this function."""
        super().__init__()
        self._function = function

    def __missing__(self, text: str) -> str:
        if len(self) >= _MEMO_LIMIT:  # constant memory
            self.clear()
        result = self[text] = self._function(text)
        return result


def escaper(pattern: str, *, absent: str | None = None) -> Callable[[str], str]:
    """Return a function that escapes the first character of each match of the pattern.

    `absent` is how the format writes an empty text. By default, that is `&#x;`.
    """
    unsafe = re.compile(f"{pattern}|{_NEVER_SAFE}")

    def escape(text: str) -> str:
        if not text:
            return "&#x;" if absent is None else absent
        if text == absent:
            return f"{_code(text[0])}{text[1:]}"
        return unsafe.sub(lambda match: _code(match[0][0]) + match[0][1:], text)

    return escape


@cache
def label_escaper(pattern: str) -> Callable[[str], str]:
    """Return an escaper for labels. It remembers results, and does not change the empty label."""
    return Memo(escaper(pattern, absent="")).__getitem__


def unescaper(*, absent: str | None = None) -> Callable[[str], str]:
    """Return the inverse of an escaper with the same `absent`."""
    if absent is None:
        return unescape
    return lambda text: "" if text == absent else unescape(text)


def unescape(text: str) -> str:
    """Replace all escapes by their characters."""
    return _ESCAPED.sub(_character, text) if "&#x" in text else text


def _code(character: str) -> str:
    return f"&#x{ord(character):x};"


def _character(match: re.Match[str]) -> str:
    if not match[1]:
        return ""
    code = int(match[1], 16)
    return match[0] if code > 0x10FFFF else chr(code)  # halves of surrogate pairs come back, too


def _unencodable(escape: Callable[[str], str]) -> Callable[[UnicodeError], tuple[str, int]]:
    def handle(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeEncodeError)
        return "".join(map(escape, error.object[error.start : error.end])), error.end

    return handle


def _json_code(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


# For characters outside the encoding that a file is written in.
codecs.register_error("crossbranch.escape", _unencodable(_code))
codecs.register_error("crossbranch.json", _unencodable(_json_code))
