"""Limits of what is read, so that a small hostile file cannot fill the memory or run for hours.

No ordinary treebank comes near them. Who trusts a file can raise them:

    crossbranch --limits line=1G,vertices=none convert big.tok.gz big.export
    CROSSBRANCH_LIMITS=none crossbranch convert big.tok.gz big.export
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import NoReturn, Self

from crossbranch.doors import door
from crossbranch.errors import LimitError, UsageError

VARIABLE = "CROSSBRANCH_LIMITS"
"""The environment variable with other limits than the default ones."""

NONE = sys.maxsize
"""No limit."""

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_VALUE = re.compile(r"([0-9]{1,15})([KMGT]?)", re.IGNORECASE)
_FREE = 4 << 20  # unpacked bytes that any file may have: small files can have any ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a file may have of each. Sizes are bytes."""

    line: int = 16 << 20  # one line
    sentence: int = 16 << 20  # the lines or the XML of one sentence
    vertices: int = 50_000  # tokens and nodes of one sentence
    ratio: int = 250  # unpacked bytes for each packed one, after the first 4 MB
    total: int = 64 << 30  # unpacked bytes of one file or archive
    members: int = 100_000  # files in an archive
    depth: int = 3  # archives inside archives

    def __post_init__(self) -> None:
        """Check the values."""
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise UsageError(f"the limit {field.name} is {value!r}, expected at least 1")

    @classmethod
    @door
    def parse(cls, text: str) -> Self:
        """Return the limits in a text such as `line=1G,vertices=none`, or `none` for no limits.

        Raises:
            UsageError: A name or a value is wrong.
        """
        names = [field.name for field in fields(cls)]
        values: dict[str, int] = {}
        for item in filter(None, (part.strip() for part in text.split(","))):
            name, equals, value = (part.strip() for part in item.partition("="))
            if item == "none":
                values = dict.fromkeys(names, NONE)
            elif name not in names or not equals:
                raise UsageError(f"unknown limit {item!r}; expected {', '.join(names)}, or none")
            else:
                values[name] = _size(name, value)
        return cls(**values)

    def refuse(
        self,
        name: str,
        found: str,
        *,
        path: str,
        line: int | None = None,
        sentence: str = "",
    ) -> NoReturn:
        """Raise a LimitError: `found` is above the limit with this name."""
        limit = getattr(self, name)
        raised = f"{name}={_shown(limit * 10)}"
        expected = (
            f"at most {_shown(limit)} (a limit against hostile files; if you trust this one:"
            f" crossbranch --limits {raised} COMMAND, or {VARIABLE}={raised})"
        )
        raise LimitError(found, expected, path=path, line=line, sentence=sentence)


def _size(name: str, value: str) -> int:
    if value == "none":
        return NONE
    match = _VALUE.fullmatch(value)
    if match is None:
        raise UsageError(f"the limit {name} is {value!r}, expected a number, such as 500K or 2G")
    return min(int(match[1]) * _UNITS[match[2].upper()], NONE)


def _shown(value: int) -> str:
    """Return a number with its largest unit."""
    unit = max((u for u, size in _UNITS.items() if value % size == 0), key=_UNITS.__getitem__)
    return f"{value // _UNITS[unit]}{unit}"


def current_limits() -> Limits:
    """Return the limits in the environment variable, or else the default ones.

    Raises:
        UsageError: The variable cannot be understood.
    """
    return _parsed(os.environ.get(VARIABLE, ""))


@lru_cache(1)
def _parsed(text: str) -> Limits:
    try:
        return Limits.parse(text)
    except UsageError as error:
        raise UsageError(f"{VARIABLE}: {error}") from None


class Budget:
    """Counts what comes out of one packed file or archive."""

    def __init__(self, path: str, limits: Limits) -> None:
        """Errors name `path`."""
        self.limits = limits
        self.is_spent = False
        self._path = path
        self._packed = 0
        self._unpacked = 0

    def take(self, count: int) -> None:
        """Count packed bytes."""
        self._packed += count

    def restart(self) -> None:
        """Forget the packed bytes up to now."""
        self._packed = 0

    def spend(self, count: int) -> None:
        """Count unpacked bytes.

        Raises:
            LimitError: There are too many.
        """
        self._unpacked += count
        limits = self.limits
        if self._unpacked > limits.total:
            self.is_spent = True
            limits.refuse("total", f"more than {limits.total:,} unpacked bytes", path=self._path)
        if self._unpacked > _FREE + limits.ratio * self._packed:
            self.is_spent = True
            found = f"{self._unpacked:,} bytes, unpacked from {self._packed:,}"
            limits.refuse("ratio", found, path=self._path)
