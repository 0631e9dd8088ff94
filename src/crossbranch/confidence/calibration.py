"""Calibrations: they turn evidence into probabilities. They are learned from dev trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import log
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from crossbranch.confidence.doubt import KnownWords
from crossbranch.confidence.evidence import (
    CONSTITUENT_ROW,
    OLD_CONSTITUENT_ROW,
    OLD_TREE_ROW,
    TREE_ROW,
    Row,
    with_confidence,
)
from crossbranch.confidence.logistic import Weights, probability
from crossbranch.confidence.reliability import Reliability, StoredConfidence, calibration_errors
from crossbranch.search import Analysis
from crossbranch.tree import Sentence

LEAST_WIDTH = 32
"""The smallest beam for the wide search."""

_TREE_SIZES = (len(OLD_TREE_ROW), len(TREE_ROW))
_CONSTITUENT_SIZES = (len(OLD_CONSTITUENT_ROW), len(CONSTITUENT_ROW))


class BeamCalibration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The calibration for trees that were found with one beam size."""

    beam: Annotated[int, Meta(ge=1)]
    temperature: Annotated[float, Meta(gt=0)]  # higher: trees get more similar weights
    best_tree: Weights
    other_trees: Weights  # of k-best lists
    constituents: Weights
    tree_reliability: Reliability  # of the best trees, on dev trees that it was not learned from
    constituent_reliability: Reliability  # of the constituents of the best trees

    def __post_init__(self) -> None:
        """Check the number of weights. Old calibrations have fewer of them."""
        for weights, sizes in (
            (self.best_tree, _TREE_SIZES),
            (self.other_trees, _TREE_SIZES),
            (self.constituents, _CONSTITUENT_SIZES),
        ):
            if len(weights) not in sizes:
                raise ValueError(
                    f"{len(weights)} weights instead of {' or '.join(map(str, sizes))}"
                )

    def tree(self, row: Row, rank: int) -> float:
        """Return the probability that all brackets of the tree with this rank are right."""
        return probability(self.best_tree if rank == 1 else self.other_trees, row)

    def constituent(self, row: Row) -> float:
        """Return the probability that a constituent is in the gold tree."""
        return probability(self.constituents, row)


class Calibration(StoredConfidence, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The calibrations of a parser, by beam size."""

    sentences: int  # the number of dev trees that it was learned from
    beams: Annotated[tuple[BeamCalibration, ...], Meta(min_length=1)]

    def at(self, beam: int) -> BeamCalibration:
        """Return the calibration for the nearest beam size, by ratio."""
        return min(self.beams, key=lambda one: abs(log(one.beam) - log(beam)))

    def judged(
        self, parser: Any, sentences: Sequence[Sentence], options: Any, k_best: int
    ) -> Iterator[tuple[list[Analysis], Any]]:
        """Search with the given options, then once more with a wide beam for evidence."""
        beam = max(options.beam, k_best)
        wide, chosen = wide_beam(beam), self.at(beam)
        words = parser.known_words
        others = parser.search(sentences, options.changed({"beam": wide}), k_best=wide)
        if wide == beam:  # one search is enough
            return ((kept[:k_best], _marker(kept, chosen, words)) for kept in others)
        found = parser.search(sentences, options.changed({"beam": beam}), k_best=k_best)
        return ((b, _marker(kept, chosen, words)) for b, kept in zip(found, others, strict=True))

    def summary(self, options: Any) -> str:
        """Return one line on how reliable confidence is, as measured with two folds."""
        chosen = self.at(options.beam)
        trees, constituents = chosen.tree_reliability, chosen.constituent_reliability
        errors = calibration_errors(trees, constituents)
        return f"{errors} ({self.sentences:,} dev sentences, beam {chosen.beam})"


def _marker(kept: list[Analysis], chosen: BeamCalibration, known_words: KnownWords | None) -> Any:
    others = [(one.score, one.root) for one in kept]
    return lambda trees: with_confidence(trees, others, chosen, known_words)


def wide_beam(beam: int) -> int:
    """Return the beam size of the wide search."""
    return max(beam, LEAST_WIDTH)


def calibrated_beams(trained: int) -> Iterable[int]:
    """Return the beam sizes to calibrate for: 1, the one used in training, and a wide one."""
    return sorted({1, trained, LEAST_WIDTH})
