"""Strategies for confidence: how a kind of parser computes it.

`CalibratedBeams` searches a second time with a wide beam, and learns from dev trees how to turn the
result into probabilities. `Marginals` takes the probabilities that a parser computes itself, and
learns from dev trees how to correct them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from crossbranch.confidence.calibrating import calibrate
from crossbranch.confidence.calibration import Calibration
from crossbranch.confidence.doubt import KnownWords
from crossbranch.confidence.marginals import MarginalConfidence, measure_marginals
from crossbranch.search import Analysis
from crossbranch.tagging import Tagger
from crossbranch.tree import Sentence, Tree

Mark = Callable[[list[Tree]], list[Tree]]
"""Writes confidence into the best trees of a sentence."""


class ConfidentParser(Protocol):
    """The part of a parser that strategies use."""

    @property
    def known_words(self) -> KnownWords | None:
        """Counts unknown words; None if it is not known which words the model knows."""
        ...

    @property
    def tagger(self) -> Tagger | None:
        """The tagger, if there is one."""
        ...

    @property
    def takes_any_sentence(self) -> bool:
        """Whether it can parse any sentence."""
        ...

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
    """Computes confidence for one trained model."""

    def judged(
        self, parser: Any, sentences: Sequence[Sentence], options: Any, k_best: int
    ) -> Iterator[tuple[list[Analysis], Mark]]:
        """Search; yield for each sentence its best analyses, and a function to mark the trees."""
        ...

    def summary(self, options: Any) -> str:
        """Return one line on how reliable the probabilities are."""
        ...

    def to_json(self) -> bytes:
        """Return the content of the file `calibration.json` of a model."""
        ...


class Strategy(Protocol):
    """How a kind of parser computes confidence."""

    def learn(
        self, parser: ConfidentParser, dev: Sequence[Tree], *, threads: int = 1
    ) -> Confidence:
        """Learn from dev trees, or measure on them; their tokens are as the parser sees them."""
        ...

    def read(self, value: Any, *, path: str) -> Confidence:
        """Read what `to_json` wrote. Errors name `path`."""
        ...

    def without_dev(self) -> Confidence | None:
        """Return the confidence of a parser trained without dev trees; None if there is none."""
        ...


class CalibratedBeams:
    """For parsers with an option `beam` and k-best lists."""

    def learn(
        self, parser: ConfidentParser, dev: Sequence[Tree], *, threads: int = 1
    ) -> Confidence:
        """Learn from dev trees how to turn the results of a wide beam into probabilities."""
        return calibrate(parser, dev, threads=threads)

    def read(self, value: Any, *, path: str) -> Confidence:
        """Read a calibration."""
        return Calibration.from_json(value, path=path)

    def without_dev(self) -> Confidence | None:
        """Return None: a calibration is learned from dev trees."""
        return None


class Marginals:
    """For parsers that compute probabilities of constituents themselves."""

    def learn(
        self, parser: ConfidentParser, dev: Sequence[Tree], *, threads: int = 1
    ) -> Confidence:
        """Learn from dev trees how to correct the probabilities, and measure the result."""
        return measure_marginals(parser, dev, threads=threads)

    def read(self, value: Any, *, path: str) -> Confidence:
        """Read the corrections and the measured reliability."""
        return MarginalConfidence.from_json(value, path=path)

    def without_dev(self) -> Confidence | None:
        """Return the probabilities as they are."""
        return MarginalConfidence()
