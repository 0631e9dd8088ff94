"""Keys, values and comments as TOML writes them."""

from __future__ import annotations

import json
import re
from textwrap import wrap


def toml_comment(text: str) -> str:
    """Return a text as lines of comment."""
    return "".join(f"# {line}\n" for line in wrap(text, 98, break_on_hyphens=False))


def toml_key(name: str) -> str:
    """Return a key as TOML writes it."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml_value(name)


def toml_value(value: object) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):  # JSON strings are TOML strings, except for one character
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    assert isinstance(value, list | tuple)
    return f"[{', '.join(map(toml_value, value))}]"
