"""How reliable probabilities are, and how a model stores it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import msgspec

from crossbranch.errors import InputError

_DIGITS = 6


class Reliability(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A comparison of probabilities with outcomes."""

    count: int
    rate: float  # the share of outcomes that were right
    calibration_error: float  # expected calibration error, in ten bins
    brier: float  # mean squared error of the probabilities

    @property
    def base_brier(self) -> float:
        """The Brier score if every probability were the rate."""
        return self.rate * (1.0 - self.rate)


def calibration_errors(trees: Reliability, constituents: Reliability) -> str:
    """Return the calibration errors of trees and constituents as a text."""
    return (
        f"calibration error {trees.calibration_error:.3f} for trees,"
        f" {constituents.calibration_error:.3f} for constituents"
    )


class StoredConfidence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a model stores for its confidence, in the file `calibration.json`."""

    def to_json(self) -> bytes:
        """Return the content of the file."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"

    @classmethod
    def from_json(cls, value: Any, *, path: str) -> Self:
        """Read the content of the file. Errors name `path`."""
        try:
            return msgspec.convert(value, cls)
        except msgspec.ValidationError as error:
            raise InputError(str(error), "a calibration", path=path) from None


class Bin(msgspec.Struct, frozen=True):
    """The probabilities in one range: their number, their mean, and the share that was right."""

    count: int
    stated: float
    right: float


def measure(stated: Sequence[float], outcomes: Sequence[bool]) -> Reliability:
    """Compare probabilities with outcomes. All figures are 0 if there are none."""
    count = len(stated)
    if not count:
        return Reliability(count=0, rate=0.0, calibration_error=0.0, brier=0.0)
    pairs = list(zip(stated, outcomes, strict=True))
    error = sum(each.count * abs(each.stated - each.right) for each in bins(stated, outcomes))
    return Reliability(
        count=count,
        rate=round(sum(outcomes) / count, _DIGITS),
        calibration_error=round(error / count, _DIGITS),
        brier=round(sum((p - outcome) ** 2 for p, outcome in pairs) / count, _DIGITS),
    )


def bins(stated: Sequence[float], outcomes: Sequence[bool], number: int = 10) -> list[Bin]:
    """Group probabilities into ranges of the same width, as in a reliability diagram."""
    groups: list[list[tuple[float, bool]]] = [[] for _ in range(number)]
    for pair in zip(stated, outcomes, strict=True):
        groups[min(int(pair[0] * number), number - 1)].append(pair)
    return [_bin(group) for group in groups if group]


def _bin(group: Sequence[tuple[float, bool]]) -> Bin:
    count = len(group)
    return Bin(count, sum(p for p, _ in group) / count, sum(right for _, right in group) / count)
