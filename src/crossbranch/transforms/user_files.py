"""Tables that users write: lines with columns, and comments after `#`."""

from __future__ import annotations

import re
from pathlib import Path

from crossbranch.disk import read_file
from crossbranch.errors import InputError, UsageError

_COMMENT = re.compile(r"(?:^|\s)#.*")


def read_text(path: Path) -> str:
    """Return the text of a file in UTF-8."""
    try:
        return read_file(path).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"cannot read {path}: {reason.lower()}") from error
    except UnicodeDecodeError as error:
        found = f"the byte 0x{error.object[error.start]:02x}"
        raise InputError(found, "text in UTF-8", path=str(path), byte=error.start) from error


def columns(text: str) -> list[tuple[int, list[str]]]:
    """Return number and columns of each line that has any.

    A `#` at the start of a line or after a space begins a comment.
    """
    numbered = [
        (number, _COMMENT.sub("", line).split())
        for number, line in enumerate(text.splitlines(), start=1)
    ]
    return [(number, row) for number, row in numbered if row]
