"""An experiment: variants of a parser, each trained with several seeds on the same data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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

    def differences(self, other: Variant) -> dict[str, Any]:
        """Return the settings that are not as in another variant. Names may have dots."""
        mine, yours = dict(_flat(self.settings.to_dict())), dict(_flat(other.settings.to_dict()))
        found = {
            name: value
            for name, value in mine.items()
            # In a table that the other variant does not have, what is empty or 0 says nothing.
            if (value != yours[name] if name in yours else bool(value))
        }
        tables = {name.rpartition(".")[0] for name in mine}
        for name in [one for one in yours if one not in mine and one not in tables]:
            table = name.partition(".")[0]
            found[table if table in mine else name] = None
        return found if self.train == other.train else {"train": self.train, **found}

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

    def restricted(self, patterns: Sequence[str]) -> Experiment:
        """Return an experiment with some of the variants, and with what they are compared with.

        Raises:
            UsageError: A name fits no variant.
        """
        chosen = self.chosen(patterns)
        names = {self.baseline, *(one.name for one in chosen), *(one.control for one in chosen)}
        return replace(self, variants=tuple(one for one in self.variants if one.name in names))

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


def _flat(values: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _fits(name: str, pattern: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern)
