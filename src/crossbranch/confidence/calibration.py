"""Calibrations: what the evidence on trees and constituents is worth, as learnt from dev trees."""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from crossbranch.confidence.evidence import CONSTITUENT_ROW, TREE_ROW, Row
from crossbranch.confidence.logistic import Weights, probability
from crossbranch.confidence.reliability import Reliability
from crossbranch.errors import InputError

CALIBRATION = "calibration.json"

LEAST_WIDTH = 32
"""How wide the search for other trees is, at least."""

TreeWeights = Annotated[Weights, Meta(min_length=len(TREE_ROW), max_length=len(TREE_ROW))]
ConstituentWeights = Annotated[
    Weights, Meta(min_length=len(CONSTITUENT_ROW), max_length=len(CONSTITUENT_ROW))
]


class BeamCalibration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The calibration for trees that a beam of one size found."""

    beam: Annotated[int, Meta(ge=1)]
    temperature: Annotated[float, Meta(gt=0)]  # how evenly trees share out probability
    best_tree: TreeWeights
    other_trees: TreeWeights  # of k-best lists
    constituents: ConstituentWeights
    tree_reliability: Reliability  # of the best trees; measured on other dev trees than learnt from
    constituent_reliability: Reliability  # of the constituents of the best trees

    def tree(self, row: Row, rank: int) -> float:
        """Return the probability that the tree with this rank is right in every bracket."""
        return probability(self.best_tree if rank == 1 else self.other_trees, row)

    def constituent(self, row: Row) -> float:
        """Return the probability that a constituent is in the right tree."""
        return probability(self.constituents, row)


class Calibration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The calibrations of a parser."""

    sentences: int  # dev trees that were learnt from
    beams: Annotated[tuple[BeamCalibration, ...], Meta(min_length=1)]

    def at(self, beam: int) -> BeamCalibration:
        """Return the calibration for the size that is nearest to this one, in proportion."""
        return min(self.beams, key=lambda one: abs(log(one.beam) - log(beam)))

    def to_json(self) -> bytes:
        """Return the content of a model's file."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"

    @classmethod
    def from_json(cls, value: Any, *, path: str) -> Calibration:
        """Make a calibration of what a model's file holds; `path` is named where it is wrong."""
        try:
            return msgspec.convert(value, cls)
        except msgspec.ValidationError as error:
            raise InputError(str(error), "a calibration", path=path) from None


def wide_beam(beam: int) -> int:
    """Return the size of the beam that looks for other trees."""
    return max(beam, LEAST_WIDTH)


def calibrated_beams(trained: int) -> Iterable[int]:
    """Return the sizes to calibrate for: greedy search, the one of the training, and a wide one."""
    return sorted({1, trained, LEAST_WIDTH})
