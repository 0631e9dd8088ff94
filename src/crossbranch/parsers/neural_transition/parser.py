"""Parsers that build a tree by transitions, with a neural scorer.

Besides the files of all neural parsers, a model folder has labels.json: the system with its labels
and transitions.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Self

import msgspec

from crossbranch import _core
from crossbranch.confidence.strategies import CalibratedBeams
from crossbranch.doors import door
from crossbranch.errors import InputError
from crossbranch.models.folder import ModelFolder
from crossbranch.parsers.contract import Capabilities
from crossbranch.parsers.neural_shared.parser import Learned, NeuralParser, TaskClasses
from crossbranch.parsers.neural_shared.settings import Precision
from crossbranch.parsers.neural_transition.checks import check_settings
from crossbranch.parsers.neural_transition.engine import CoreEngine, Engine, Found
from crossbranch.parsers.neural_transition.settings import (
    NeuralTransitionOptions,
    NeuralTransitionSettings,
)
from crossbranch.parsers.tracing import TransitionParser
from crossbranch.search import Analysis, Trace
from crossbranch.structure import NodeBuilder
from crossbranch.training import Example, Learner
from crossbranch.transitions import TransitionSystem
from crossbranch.tree import Sentence

LABELS = "labels.json"


class NeuralTransitionParser(NeuralParser, TransitionParser):
    """A parser with a transition system and a neural scorer."""

    kind: ClassVar[str] = "neural-transition"
    settings_type: ClassVar[type[NeuralTransitionSettings]] = NeuralTransitionSettings
    options_type: ClassVar[type[NeuralTransitionOptions]] = NeuralTransitionOptions
    can: ClassVar[Capabilities] = Capabilities(
        k_best=True, own_tags=True, teams=True, devices=("cpu", "cuda")
    )
    strategy: ClassVar[CalibratedBeams] = CalibratedBeams()
    scores_are_logarithms: ClassVar[bool] = True
    settings: NeuralTransitionSettings

    @door
    def __init__(
        self, settings: NeuralTransitionSettings, *, system: TransitionSystem, learned: Learned
    ) -> None:
        """Take the system, and what was learned."""
        super().__init__(settings, learned)
        self.system = system
        self.writer = _core.ChoiceWriter(system.core, gaps=settings.scorer.gaps)
        self._builder = NodeBuilder(map(system.labels.chain, range(len(system.labels))))

    def default_options(self) -> NeuralTransitionOptions:
        """Return the beam of the settings."""
        return NeuralTransitionOptions(beam=self.settings.beam)

    def _core_engine(self, precision: Precision) -> Engine:
        return CoreEngine(self, precision)

    def _torch_engine(self, precision: Precision) -> Engine:
        from crossbranch.parsers.neural_transition.torch_engine import TorchEngine

        return TorchEngine(self, self.device, precision)

    def _task_classes(
        self, sentences: Sequence[Sentence], features: array[float] | None
    ) -> TaskClasses:
        found: Found = self.engine().parse(sentences, beam=1, k_best=1, features=features)
        return found[1]

    def search(
        self,
        sentences: Sequence[Sentence],
        options: NeuralTransitionOptions,
        *,
        k_best: int = 1,
        probabilities: bool = False,
    ) -> Iterator[list[Analysis]]:
        """Find the best trees and the tags of sentences."""
        engine: Engine = self.engine(options.precision)
        beam = max(options.beam, k_best)

        def find(
            some: Sequence[Sentence], features: array[float] | None
        ) -> Iterator[list[Analysis]]:
            found = engine.parse(some, beam=beam, k_best=k_best, features=features)
            return self._analyses(some, found)

        return self._with_rows(sentences, find)

    def traces(
        self, sentences: Sequence[Sentence], options: NeuralTransitionOptions
    ) -> Iterator[Trace | None]:
        """Yield the steps of the best derivations. A score is the logarithm of a probability."""
        engine: Engine = self.engine(options.precision)

        def find(some: Sequence[Sentence], features: array[float] | None) -> Iterator[list[Trace]]:
            found = engine.trace(some, beam=options.beam, features=features)
            return iter([[one] for one in found])

        return (one[0] if one else None for one in self._with_rows(sentences, find))

    def _analyses(self, sentences: Sequence[Sentence], found: Found) -> Iterator[list[Analysis]]:
        build = self._builder.build
        trees, classes = found
        for own, some in zip(self._own_tags(sentences, classes), trees, strict=True):
            yield [Analysis(build(codes), score, own) for score, codes in some]

    def files(self) -> dict[str, bytes]:
        """Return the system, and the files of all neural parsers."""
        return {LABELS: msgspec.json.encode(self.system.to_json()), **super().files()}

    @classmethod
    def from_folder(cls, settings: NeuralTransitionSettings, folder: ModelFolder) -> Self:
        """Load the system, and what all neural parsers have."""
        system = TransitionSystem.from_json(folder.json(LABELS), path=folder.where(LABELS))
        parser = cls(settings, system=system, learned=cls._read_learned(settings, folder))
        return parser._loaded_from(folder)

    @classmethod
    def check_settings(cls, settings: NeuralTransitionSettings) -> None:
        """Check the system, its oracle, the sizes of layers, and the tasks."""
        check_settings(settings)

    @classmethod
    def learner(
        cls,
        settings: NeuralTransitionSettings,
        examples: Sequence[Example],
        report: Callable[[InputError], None],
        *,
        dev: Sequence[Example] = (),
    ) -> Learner[Self]:
        """Return a learner that needs torch."""
        cls.check_installed(settings)
        from crossbranch.parsers.neural_transition.learner import NeuralTransitionLearner

        return NeuralTransitionLearner(cls, settings, examples, report, dev=dev)
