"""The files that an experiment names: their places, and their checksums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crossbranch.config import Settings
from crossbranch.experiments.experiment import Files
from crossbranch.parsers.data import digest_files

CHECKSUM = "sha256 "
"""Begins the text that stands for a file where only its content counts."""


@dataclass
class Checksums:
    """Checksums of files, each computed once; None if there is no such file."""

    _found: dict[str, str | None] = field(default_factory=dict)

    def of(self, path: str | Path) -> str | None:
        """Return the checksum of a file or folder."""
        key = str(path)
        if key not in self._found:
            self._found[key] = digest_files(Path(path)) if Path(path).exists() else None
        return self._found[key]

    def of_files(self, files: Files | None) -> str | dict[str, str | None] | None:
        """Return one checksum, or several by name; an empty text if there are no files."""
        if files is None:
            return ""
        if isinstance(files, Path):
            return self.of(files)
        return {name: self.of(path) for name, path in files.items()}


def located(settings: Settings, folder: Path) -> Settings:
    """Return settings in which the names of files in the folder are complete paths."""
    return type(settings).of(_complete(settings.to_dict(), folder))


def _complete(value: Any, folder: Path) -> Any:
    if isinstance(value, Mapping):
        return {key: _complete(each, folder) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_complete(each, folder) for each in value)
    return str(folder / value) if names_file(value, folder) else value


def names_file(value: object, folder: Path) -> bool:
    """Return whether a value is the name of a file or folder: with a dot or slash, and there."""
    if not isinstance(value, str) or not any(sign in value for sign in "./\\"):
        return False
    try:
        return (folder / value).exists()
    except (OSError, ValueError):  # too long for a name, or with a NUL
        return False


def by_content(value: Any, checksums: Checksums) -> Any:
    """Return a setting in which the checksums of files are in place of their names."""
    if isinstance(value, Mapping):
        return {key: by_content(each, checksums) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [by_content(each, checksums) for each in value]
    is_file = names_file(value, Path()) and Path(value).is_absolute()
    return f"{CHECKSUM}{checksums.of(value)}" if is_file else value
