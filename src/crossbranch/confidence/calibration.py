"""Calibrations: what the evidence on trees and constituents is worth, as learned from dev trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import log
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from crossbranch.confidence.evidence import CONSTITUENT_ROW, TREE_ROW, Row, with_confidence
from crossbranch.confidence.logistic import Weights, probability
from crossbranch.confidence.reliability import Reliability
from crossbranch.errors import InputError
from crossbranch.search import Analysis
from crossbranch.tree import Sentence

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
    tree_reliability: Reliability  # of the best trees, on dev trees not learned from
    constituent_reliability: Reliability  # of the constituents of the best trees

    def tree(self, row: Row, rank: int) -> float:
        """Return the probability that the tree with this rank is right in every bracket."""
        return probability(self.best_tree if rank == 1 else self.other_trees, row)

    def constituent(self, row: Row) -> float:
        """Return the probability that a constituent is in the right tree."""
        return probability(self.constituents, row)


class Calibration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The calibrations of a parser."""

    sentences: int  # dev trees that were learned from
    beams: Annotated[tuple[BeamCalibration, ...], Meta(min_length=1)]

    def at(self, beam: int) -> BeamCalibration:
        """Return the calibration for the size that is nearest to this one, in proportion."""
        return min(self.beams, key=lambda one: abs(log(one.beam) - log(beam)))

    def judged(
        self, parser: Any, sentences: Sequence[Sentence], options: Any, k_best: int
    ) -> Iterator[tuple[list[Analysis], Any]]:
        """Search as the options say, and once more with a wide beam for evidence."""
        beam = max(options.beam, k_best)
        wide, chosen = wide_beam(beam), self.at(beam)
        others = parser.search(sentences, options.changed({"beam": wide}), k_best=wide)
        if wide == beam:  # the best trees are among the others
            return ((kept[:k_best], _marker(kept, chosen)) for kept in others)
        found = parser.search(sentences, options.changed({"beam": beam}), k_best=k_best)
        return ((b, _marker(kept, chosen)) for b, kept in zip(found, others, strict=True))

    def summary(self, options: Any) -> str:
        """Say how far confidence can be relied on, as measured on other dev trees."""
        chosen = self.at(options.beam)
        trees, constituents = chosen.tree_reliability, chosen.constituent_reliability
        return (
            f"calibration error {trees.calibration_error:.3f} for trees,"
            f" {constituents.calibration_error:.3f} for constituents"
            f" ({self.sentences:,} dev sentences, beam {chosen.beam})"
        )

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


def _marker(kept: list[Analysis], chosen: BeamCalibration) -> Any:
    others = [(one.score, one.root) for one in kept]
    return lambda trees: with_confidence(trees, others, chosen)


def wide_beam(beam: int) -> int:
    """Return the size of the beam that looks for other trees."""
    return max(beam, LEAST_WIDTH)


def calibrated_beams(trained: int) -> Iterable[int]:
    """Return the sizes to calibrate for: greedy search, the one of the training, and a wide one."""
    return sorted({1, trained, LEAST_WIDTH})
