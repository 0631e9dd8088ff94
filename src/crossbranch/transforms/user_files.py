"""Tables that users write: lines with columns, and comments after `#`."""

from __future__ import annotations

import re
from pathlib import Path

from crossbranch.disk import read_file
from crossbranch.errors import InputError, UsageError

_COMMENT = re.compile(r"(?:^|\s)#.*")


def read_text(path: str | Path) -> str:
    """Return the text of a file in UTF-8, with plain line ends. Errors name `path` as given."""
    try:
        return _plain_lines(read_file(path).decode("utf-8-sig"))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"cannot read {path}: {reason.lower()}") from error
    except UnicodeDecodeError as error:
        found = f"the byte 0x{error.object[error.start]:02x}"
        line = _plain_lines(error.object[: error.start].decode("utf-8")).count("\n") + 1
        raise InputError(found, "text in UTF-8", path=str(path), line=line) from error


def _plain_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def columns(text: str) -> list[tuple[int, list[str]]]:
    """Return number and columns of each line that has any.

    A `#` at the start of a line or after a space begins a comment.
    """
    numbered = [
        (number, _COMMENT.sub("", line).split())
        for number, line in enumerate(text.split("\n"), start=1)
    ]
    return [(number, row) for number, row in numbered if row]
