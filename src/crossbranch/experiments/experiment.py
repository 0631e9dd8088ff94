"""An experiment: variants of a parser, each trained with several seeds on the same data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from crossbranch.config import Description, Settings
from crossbranch.errors import UsageError

Files = Path | dict[str, Path]
"""One file, or several files by name."""


@dataclass(frozen=True)
class Variant:
    """One way to train the parser. Its runs differ only in the seed."""

    name: str
    settings: Settings
    description: Description
    train: Files
    changes: Mapping[str, Any]
    """What the file says about this variant."""
    control: str = ""
    """The name of its control: the same variant without the settings that are tested."""

    def with_seed(self, seed: int) -> Settings:
        """Return the settings of a run."""
        return self.settings.changed({"seed": seed})


@dataclass(frozen=True)
class Experiment:
    """What an experiment file says; everything is checked."""

    path: Path
    out: Path
    """The folder for models, predictions and results."""
    variants: tuple[Variant, ...]
    seeds: tuple[int, ...]
    baseline: str
    """The name of the variant that the others are compared with."""
    dev: Files | None
    sets: Mapping[str, Path]
    """The treebanks that every run is scored on: `dev`, `test`; of several, `test-NAME`."""

    def variant(self, name: str) -> Variant:
        """Return the variant with this name."""
        return next(variant for variant in self.variants if variant.name == name)

    def chosen(self, patterns: Sequence[str]) -> list[Variant]:
        """Return the variants with these names, or all; `*` stands for any characters.

        Raises:
            UsageError: A name fits no variant.
        """
        for pattern in patterns:
            if not any(_fits(variant.name, pattern) for variant in self.variants):
                known = ", ".join(variant.name for variant in self.variants)
                raise UsageError(f"no variant has the name {pattern!r}; the variants are {known}")
        return [
            variant
            for variant in self.variants
            if not patterns or any(_fits(variant.name, pattern) for pattern in patterns)
        ]


def _fits(name: str, pattern: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern)
