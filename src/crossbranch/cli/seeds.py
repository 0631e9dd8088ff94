"""The files of `evaluate --seeds`: seeds of systems, with `vs` between two systems."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from crossbranch.errors import UsageError

VERSUS = "vs"
Systems = tuple[tuple[str, ...], ...]


def read_systems(arguments: tuple[str, ...], *, seeds: bool) -> tuple[tuple[str, ...], Systems]:
    """Return all files, and the files by system; no systems without `--seeds`.

    Raises:
        UsageError: `vs` has no files before or after it, or `--seeds` is missing.
    """
    if not seeds:
        if VERSUS in arguments and not Path(VERSUS).exists():
            raise UsageError("vs stands between the seeds of two systems; add --seeds")
        return arguments, ()
    groups = [
        (is_versus, tuple(group))
        for is_versus, group in groupby(arguments, lambda argument: argument == VERSUS)
    ]
    if any(is_versus and len(group) > 1 for is_versus, group in groups) or (
        groups[0][0] or groups[-1][0]
    ):
        raise UsageError("vs has no file before or after it; give files of both systems")
    systems = tuple(group for is_versus, group in groups if not is_versus)
    return tuple(file for group in systems for file in group), systems
