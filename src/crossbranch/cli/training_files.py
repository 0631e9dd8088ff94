"""The files of `crossbranch train`: FILE, or several NAME=FILE."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from crossbranch.errors import UsageError
from crossbranch.parsers.sources import check_source_name


def one_or_named(option: str, files: Sequence[str]) -> str | dict[str, str] | None:
    """Return one FILE as it is, and NAME=FILE by name; None if there is no file.

    Args:
        option: The name of the option, for messages.
        files: The values of the option.
    """
    if len(files) == 1 and not _pair(files[0])[0]:
        return files[0]
    return named(option, files, why=", because there are several") or None


def named(option: str, files: Sequence[str], *, why: str = "") -> dict[str, str]:
    """Return NAME=FILE by name."""
    found: dict[str, str] = {}
    for name, file in map(_pair, files):
        if not name:
            raise UsageError(f"{option} {file}: expected NAME=FILE{why}")
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
