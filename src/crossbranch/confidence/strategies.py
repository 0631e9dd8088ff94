"""How a kind of parser can tell its confidence: the strategies, and what they have in common.

`CalibratedBeams` searches a second time with a wide beam; how much the answers are worth is
learned from dev trees. `Marginals` takes the probabilities that a parser computes by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from crossbranch.confidence.calibrating import calibrate
from crossbranch.confidence.calibration import Calibration
from crossbranch.confidence.marginals import MarginalConfidence, measure_marginals
from crossbranch.search import Analysis
from crossbranch.tree import Sentence, Tree

Mark = Callable[[list[Tree]], list[Tree]]
"""Writes confidence into the best trees of a sentence."""


class ConfidentParser(Protocol):
    """As much of a parser as strategies need."""

    def options(self, values: dict[str, Any]) -> Any:
        """Return complete search options."""
        ...

    def search(
        self,
        sentences: Sequence[Sentence],
        options: Any,
        *,
        k_best: int = 1,
        probabilities: bool = False,
    ) -> Iterator[list[Analysis]]:
        """Find the best trees of sentences."""
        ...

    def parse_k_best(
        self, sentences: Sequence[Tree], k_best: int, *, threads: int = 1, **options: Any
    ) -> Iterator[Any]:
        """Yield the best trees of each sentence, with their scores."""
        ...


class Confidence(Protocol):
    """What a parser knows about its own reliability; it belongs to one trained model."""

    def judged(
        self, parser: Any, sentences: Sequence[Sentence], options: Any, k_best: int
    ) -> Iterator[tuple[list[Analysis], Mark]]:
        """Search; yield for each sentence its best analyses, and what marks their trees."""
        ...

    def summary(self, options: Any) -> str:
        """Say in a line how far the stated probabilities can be relied on."""
        ...

    def to_json(self) -> bytes:
        """Return the content of a model's file."""
        ...


class Strategy(Protocol):
    """How a kind of parser comes by its confidence."""

    def learn(
        self, parser: ConfidentParser, dev: Sequence[Tree], *, threads: int = 1
    ) -> Confidence:
        """Learn, or measure, on dev trees with the tokens as the parser sees them."""
        ...

    def read(self, value: Any, *, path: str) -> Confidence:
        """Make again what `to_json` wrote; errors name `path`."""
        ...

    def without_dev(self) -> Confidence | None:
        """Return the confidence of a parser that was trained without dev trees, if it has any."""
        ...


class CalibratedBeams:
    """For parsers with an option `beam` and k-best lists."""

    def learn(
        self, parser: ConfidentParser, dev: Sequence[Tree], *, threads: int = 1
    ) -> Confidence:
        """Learn from dev trees what the trees of a wide beam are worth as evidence."""
        return calibrate(parser, dev, threads=threads)

    def read(self, value: Any, *, path: str) -> Confidence:
        """Read a calibration."""
        return Calibration.from_json(value, path=path)

    def without_dev(self) -> Confidence | None:
        """Return None: nothing was learned."""
        return None


class Marginals:
    """For parsers that compute probabilities of constituents by themselves."""

    def learn(
        self, parser: ConfidentParser, dev: Sequence[Tree], *, threads: int = 1
    ) -> Confidence:
        """Measure on dev trees how reliable the probabilities are."""
        return measure_marginals(parser, dev, threads=threads)

    def read(self, value: Any, *, path: str) -> Confidence:
        """Read what was measured."""
        return MarginalConfidence.from_json(value, path=path)

    def without_dev(self) -> Confidence | None:
        """Return the probabilities as they are; how reliable they are is not known."""
        return MarginalConfidence()
