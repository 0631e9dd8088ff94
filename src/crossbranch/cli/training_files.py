"""The files of `crossbranch train`: FILE, or several NAME=FILE."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from crossbranch.errors import UsageError
from crossbranch.parsers.sources import check_source_name


def named_files(option: str, files: Sequence[str]) -> str | dict[str, str]:
    """Return one FILE as it is, and NAME=FILE by name.

    Args:
        option: The name of the option, for messages.
        files: The values of the option, at least one.
    """
    pairs = [_pair(text) for text in files]
    if len(files) == 1 and not pairs[0][0]:
        return files[0]
    found: dict[str, str] = {}
    for name, file in pairs:
        if not name:
            raise UsageError(f"{option} {file}: expected NAME=FILE, because there are several")
        if name in found:
            raise UsageError(f"{option} {name}={file}: the name {name} is given twice")
        check_source_name(name)
        found[name] = file
    return found


def _pair(text: str) -> tuple[str, str]:
    name, equals, file = text.partition("=")
    if not equals or Path(text).exists():
        return "", text
    return name, file
