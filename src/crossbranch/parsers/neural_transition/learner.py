"""Training of neural transition parsers: likelihood of the right transitions."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

import msgspec
import torch
from torch import Tensor

from crossbranch import _core
from crossbranch.errors import InputError
from crossbranch.neural.encoder import TaskShape
from crossbranch.neural.network import Levels, ParserNetwork
from crossbranch.parsers.neural_shared.learner import NeuralLearner
from crossbranch.parsers.neural_shared.parser import Learned
from crossbranch.parsers.neural_transition.gold import derived
from crossbranch.parsers.neural_transition.losses import ChoiceLoss, LabelMasks
from crossbranch.parsers.neural_transition.parser import NeuralTransitionParser
from crossbranch.parsers.neural_transition.searching import ChoiceScorer, explored
from crossbranch.parsers.neural_transition.settings import NeuralTransitionSettings
from crossbranch.parsers.neural_transition.torch_engine import make_network
from crossbranch.training import Epoch, Example

_Kind = TypeVar("_Kind", bound=NeuralTransitionParser)
_EXPLORED = 512  # sentences that are explored together
_WAYS = "ways"


class NeuralTransitionLearner(NeuralLearner[_Kind, NeuralTransitionSettings, ParserNetwork]):
    """Trains a neural transition parser; see `training.Learner` for the methods."""

    def __init__(
        self,
        kind: type[_Kind],
        settings: NeuralTransitionSettings,
        examples: Sequence[Example],
        report: Callable[[InputError], None],
        *,
        dev: Sequence[Example] = (),
    ) -> None:
        """Make oracles for the trees, and a network. Trees without a derivation are reported."""
        super().__init__(kind, settings, examples, report, dev=dev)
        masks = LabelMasks.of(self._system.labels, self._device)
        self._loss = ChoiceLoss(masks, len(self._writer.moves), settings.optimizer.smoothing)
        self._ways: dict[int, list[int]] | None = None
        """What the parser did itself in some sentences; None: to be found before the next step."""

    def _read_trees(
        self,
        settings: NeuralTransitionSettings,
        examples: Sequence[Example],
        report: Callable[[InputError], None],
    ) -> list[int]:
        trees = [example.tree for example in examples]
        self._system, self._oracles, kept = derived(settings, trees, report)
        self._writer = _core.ChoiceWriter(self._system.core, gaps=settings.scorer.gaps)
        return kept

    def _tree_facts(self) -> Mapping[str, Any]:
        return {"oracle": self._settings.oracle}

    def _tree_identity(self) -> Iterator[bytes]:
        yield repr(self._system.transitions).encode()
        for oracle in self._oracles:
            yield array("i", oracle.static.derive()).tobytes()

    def _make_network(self, tasks: Mapping[str, TaskShape]) -> ParserNetwork:
        return make_network(
            self._settings, self._vocabulary, self._writer, tasks, self._inputs.network_input
        )

    def _make_parser(self, learned: Learned) -> _Kind:
        return self._kind(self._settings, system=self._system, learned=learned)

    def _before_trees(self) -> None:
        if self._ways is None:
            self._ways = self._explored()

    def _scorer(self, levels: list[Tensor]) -> ChoiceScorer:
        prepared: Levels = self._network.prepare(levels)
        return ChoiceScorer(self._network, prepared, self._writer, self._device)

    def _tree_loss(self, batch: list[int], levels: list[Tensor]) -> Tensor:
        taken = [(self._ways or {}).get(number, []) for number in batch]
        oracles = [
            self._oracles[number].dynamic if way else self._oracles[number].static
            for number, way in zip(batch, taken, strict=True)
        ]
        at = self._writer.derive(oracles, taken)
        scorer = self._scorer(levels)
        loss = torch.zeros((), device=self._device)
        if at.structure_count:
            loss = loss + self._loss.structure(scorer, at, self._device)
        if at.label_count:
            loss = loss + self._loss.labels(scorer, at, self._device)
        return loss / len(batch)

    def _explored(self) -> dict[int, list[int]]:
        """Let the parser find its own way through some of the sentences, with dropout.

        As in the paper, this happens before each epoch but the first. Then the ways of many
        sentences are found together.
        """
        settings = self._settings
        if settings.oracle == "static" or not self._epochs:
            return {}
        random = Random(f"explore {settings.seed} {self._epochs}")
        chosen = [number for number in range(self.size) if random.random() < settings.explore]
        chosen.sort(key=lambda number: len(self._sentences[number]))
        found: dict[int, list[int]] = {}
        torch.manual_seed(self._moment())
        self._network.train()
        for start in range(0, len(chosen), _EXPLORED):
            batch = chosen[start : start + _EXPLORED]
            with torch.no_grad(), self._precision():
                ways = explored(
                    self._scorer(self._network.encode(self._encoded_trees(batch))),
                    self._writer,
                    [self._oracles[number].dynamic for number in batch],
                    array("i", [len(self._sentences[number]) for number in batch]),
                    chance=settings.explore_steps,
                    seed=random.getrandbits(40),
                )
            found |= zip(batch, ways, strict=True)
        return found

    def finish_epoch(self, epoch: Epoch) -> Mapping[str, float]:
        """Count the epoch, and return the accuracy of tasks on their dev data."""
        self._ways = None
        return super().finish_epoch(epoch)

    def state(self) -> Mapping[str, bytes]:
        """Return what all neural learners need to go on, and the ways of the parser itself."""
        return {**super().state(), _WAYS: msgspec.json.encode(self._ways)}

    def restore(self, state: Mapping[str, bytes]) -> None:
        """Continue from what `state` returned."""
        super().restore(state)
        self._ways = msgspec.json.decode(state[_WAYS], type=dict[int, list[int]] | None)
