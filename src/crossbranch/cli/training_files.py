"""The files of `crossbranch train`: one FILE, several FILEs, or several NAME=FILE."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from itertools import count
from pathlib import Path

from crossbranch.errors import UsageError
from crossbranch.parsers.sources import check_source_name


def one_or_named(option: str, files: Sequence[str]) -> str | dict[str, str] | None:
    """Return one FILE as it is, and several by name; None if there is no file.

    A FILE without a name is called like the file, without its folder and endings. If this name is
    taken, it gets a number: `train`, `train-2`.

    Args:
        option: The name of the option, for messages.
        files: The values of the option.
    """
    pairs = list(map(_pair, files))
    if len(pairs) == 1 and not pairs[0][0]:
        return files[0]
    found = named(option, [one for one, (name, _) in zip(files, pairs, strict=True) if name])
    plain = [file for name, file in pairs if not name]
    for place, file in enumerate(plain):
        if file in plain[:place]:
            raise UsageError(f"{option} {file}: the file is given twice")
        found[_free_name(file, found)] = file
    return found or None


def check_apart(train: Sequence[str], scored: Sequence[str]) -> None:
    """Raise a UsageError if a folder to learn from contains a file to score on."""
    for folder in (file for _, file in map(_pair, train) if Path(file).is_dir()):
        for file in (file for _, file in map(_pair, scored)):
            if Path(file).resolve().is_relative_to(Path(folder).resolve()):
                found = f"this folder contains {file}"
                raise UsageError(f"--train {folder}: {found}, which the parser is scored on")


def named(option: str, files: Sequence[str]) -> dict[str, str]:
    """Return NAME=FILE by name."""
    found: dict[str, str] = {}
    for name, file in map(_pair, files):
        if not name:
            raise UsageError(f"{option} {file}: expected NAME=FILE")
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


def _free_name(file: str, taken: Container[str]) -> str:
    """Return a name for a file that no other source has."""
    stem = Path(file).name.partition(".")[0]
    name = re.sub(r"[^\w-]+", "-", stem).strip("-") or "source"
    numbered = (f"{name}-{number}" for number in count(2))
    return name if name not in taken else next(one for one in numbered if one not in taken)
