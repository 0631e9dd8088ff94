"""Training of neural transition parsers: likelihood of the right transitions, by batches.

Nothing depends on chance but what the seed and the number of the update say. So training that was
interrupted goes on in the same way.
"""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

import msgspec
import torch
from torch import Tensor

from crossbranch import _core
from crossbranch.errors import InputError
from crossbranch.neural.network import Levels
from crossbranch.neural.optimizing import Optimizer
from crossbranch.neural.team import Team
from crossbranch.neural.tokens import TokenBatch
from crossbranch.parsers.neural_transition.devices import short_numbers, training_device
from crossbranch.parsers.neural_transition.distributions import LearnedRows, in_one
from crossbranch.parsers.neural_transition.gold import derived
from crossbranch.parsers.neural_transition.inputs import Inputs
from crossbranch.parsers.neural_transition.losses import (
    ChoiceLoss,
    LabelMasks,
    Metrics,
    task_loss,
)
from crossbranch.parsers.neural_transition.parser import NeuralTransitionParser
from crossbranch.parsers.neural_transition.searching import ChoiceScorer, explored, numbers
from crossbranch.parsers.neural_transition.settings import NeuralTransitionSettings
from crossbranch.parsers.neural_transition.tasks import LearnedTask, TaskReader, TaskUpdates
from crossbranch.parsers.neural_transition.torch_engine import make_network
from crossbranch.parsers.neural_transition.weights import pack, unpack
from crossbranch.tasks import MISSING
from crossbranch.training import (
    ACCURACY,
    DEV_ACCURACY,
    Epoch,
    Example,
    Learner,
    LearningStep,
    Mean,
)
from crossbranch.training.team import local_rank, rank, team_size
from crossbranch.tree import Sentence

_Kind = TypeVar("_Kind", bound=NeuralTransitionParser)
_BUCKETS = 16  # batches that are sorted by length together
_DEV_BATCH = 64
_EXPLORED = 512  # sentences that are explored together
_STATE, _COUNTS, _WAYS, _WEIGHTS = "optimizer", "counts", "ways", "weights"


class NeuralTransitionLearner(Learner[_Kind]):
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
        self._kind = kind
        self._device = training_device(settings.device, local_rank())
        self._team = Team(rank(), team_size(), self._device)
        torch.set_num_threads(settings.threads)
        torch.manual_seed(settings.seed)
        trees = [example.tree for example in examples]
        self._system, self._oracles, self.kept = derived(settings, trees, report)
        self._sentences: list[Sentence] = [examples[number].sentence for number in self.kept]
        self.size = len(self._sentences)
        self._rows = LearnedRows.read(settings, examples, dev, report)
        self._train_rows = [self._rows.train[number] for number in self.kept]
        settings = msgspec.structs.replace(settings, distribution=self._rows.settings)
        self._settings = settings
        self._tasks = TaskReader(settings, examples, self.kept, dev).read(report)
        own = [task for task in self._tasks.values() if not task.is_aligned]
        of_tasks = [sentence for task in own for sentence in task.train.sentences]
        self._inputs = Inputs(settings, [*self._sentences, *of_tasks], self._device)
        self._vocabulary = self._inputs.vocabulary
        self._writer = _core.ChoiceWriter(self._system.core, gaps=settings.scorer.gaps)
        shapes = {name: task.shape for name, task in self._tasks.items()}
        network = self._inputs.start(
            make_network(
                settings, self._vocabulary, self._writer, shapes, self._inputs.network_input
            )
        )
        self._network = network.to(self._device)
        self._aligned = [task for task in self._tasks.values() if task.is_aligned]
        batches = math.ceil(self.size / settings.batch)
        self._task_updates = TaskUpdates(own, settings, batches)
        in_batch = 1 + len(self._aligned) if settings.apart else 1
        updates = settings.epochs * (batches * in_batch + self._task_updates.in_epoch)
        self._optimizer = Optimizer(
            self._network, settings.optimizer, updates, rates=self._inputs.rates
        )
        masks = LabelMasks.of(self._system.labels, self._device)
        self._loss = ChoiceLoss(masks, len(self._writer.moves), settings.optimizer.smoothing)
        self._epochs = 0  # that are finished
        self._ways: dict[int, list[int]] | None = None
        """What the parser did itself in some sentences; None: to be found before the next step."""
        self.step = settings.batch * _BUCKETS
        self.facts: Mapping[str, Any] = {
            "oracle": settings.oracle,
            "learned_from": self.size,
            "parameters": sum(one.numel() for one in network.parameters()),
            "tasks": {name: task.to_dict() for name, task in self._tasks.items()},
            **self._inputs.facts,
        }
        self.digest = self._checksum()

    def _checksum(self) -> str:
        identity = hashlib.sha256(self._vocabulary.to_json())
        identity.update(self._inputs.identity)
        identity.update(repr(self._system.transitions).encode())
        for sentence, oracle in zip(self._sentences, self._oracles, strict=True):
            identity.update("\t".join(token.form for token in sentence).encode())
            identity.update(array("i", oracle.static.derive()).tobytes())
        for rows in self._train_rows:
            identity.update(rows or b"-")
        for task in self._tasks.values():
            identity.update(task.digest())
        return identity.hexdigest()

    def learn(self, sentences: Sequence[int]) -> LearningStep:
        """Learn from these sentences, in batches of sentences of about the same length.

        Between them, learn the tasks that have sentences of their own.
        """
        if self._ways is None:
            self._ways = self._explored()
        metrics = Metrics()
        before = self._optimizer.updates
        for batch in self._batches(sentences):
            self._update(batch, metrics)
            for task, some in self._task_updates.after_trees():
                self._update_task(task, some, metrics)
        return LearningStep(self._optimizer.updates - before, metrics.means())

    def _batches(self, sentences: Sequence[int]) -> list[list[int]]:
        size = self._settings.batch
        order = sorted(sentences, key=lambda number: len(self._sentences[number]))
        if size == 1:
            order = list(sentences)
        found = [order[start : start + size] for start in range(0, len(order), size)]
        if size > 1:
            Random(f"{self._settings.seed} {self._optimizer.updates}").shuffle(found)
        return found

    def _update(self, batch: list[int], metrics: Metrics) -> None:
        """Change the weights once, or with `apart` once for trees and once for each task."""
        mine, share = self._begin(batch)
        tokens = self._encoded_trees(mine)
        with self._precision():
            levels = self._network.encode(tokens)
            loss = self._tree_loss(mine, levels)
        metrics.add("loss", loss * len(mine), len(tokens.words))
        for task in self._aligned:
            if self._settings.apart:
                self._step(share * loss)
            with self._precision():
                if self._settings.apart:
                    levels = self._network.encode(tokens)
                    loss = torch.zeros((), device=self._device)
                loss = loss + self._task_loss(task, mine, levels, metrics)
        self._step(share * loss)

    def _update_task(self, task: LearnedTask, batch: list[int], metrics: Metrics) -> None:
        """Change the weights once, by what a task says about some of its own sentences."""
        mine, share = self._begin(batch)
        sentences = [task.train.sentences[number] for number in mine]
        tokens = self._encoded(sentences, [None] * len(mine))
        with self._precision():
            loss = self._task_loss(task, mine, self._network.encode(tokens), metrics)
        self._step(share * loss)

    def _begin(self, batch: list[int]) -> tuple[list[int], float]:
        """Return the sentences of this process, and how much of the batch they are.

        Chance depends on the seed, the number of the update and the process alone.
        """
        torch.manual_seed(self._moment() + 500_009 * self._team.rank)
        self._network.train()
        mine = self._team.share(batch)
        return mine or batch[:1], len(mine) / len(batch)

    def _moment(self) -> int:
        return self._settings.seed * 1_000_003 + self._optimizer.updates

    def _precision(self) -> torch.autocast:
        return short_numbers(self._device, self._settings.precision == "bfloat16")

    def _step(self, loss: Tensor) -> None:
        if loss.requires_grad:  # trees of one word may have no choices
            loss.backward()  # type: ignore[no-untyped-call]
        self._team.add_gradients(self._optimizer.weights)
        torch.manual_seed(self._moment())  # noise on gradients is the same in all processes
        self._optimizer.step()

    def _encoded_trees(self, batch: Sequence[int]) -> TokenBatch:
        sentences = [self._sentences[number] for number in batch]
        return self._encoded(sentences, [self._train_rows[number] for number in batch])

    def _encoded(
        self, sentences: Sequence[Sentence], rows: Sequence[array[float] | None]
    ) -> TokenBatch:
        features = in_one(rows, sentences, self._rows.width)
        return self._inputs.batch(sentences, features)

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

    def _task_loss(
        self, task: LearnedTask, batch: list[int], levels: list[Tensor], metrics: Metrics
    ) -> Tensor:
        flat = array("q", [number for one in batch for number in task.train.numbers[one]])
        scores = self._network.encoder.task_scores(task.name, levels)
        loss, right = task_loss(scores, numbers(flat, self._device, torch.int64))
        metrics.add(f"{task.name}{ACCURACY}", right, sum(number >= 0 for number in flat))
        return task.settings.weight * loss / len(batch)

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
        self._epochs = epoch.number
        self._ways = None
        scored = [task for task in self._tasks.values() if task.dev.sentences]
        if not scored:
            return {}
        self._network.eval()
        with self._optimizer.using_averages(), torch.no_grad():
            found = {f"{task.name}{DEV_ACCURACY}": self._dev_accuracy(task) for task in scored}
        return {name: mean.value for name, mean in found.items() if mean.weight}

    def _dev_accuracy(self, task: LearnedTask) -> Mean:
        """Return the share of right labels. Those that cannot be predicted are errors."""
        mean = Mean(0.0, 0.0)
        sentences, numbers = task.dev
        order = sorted(range(len(sentences)), key=lambda number: len(sentences[number]))
        order = [number for number in order if sentences[number]]
        for start in range(0, len(order), _DEV_BATCH):
            batch = order[start : start + _DEV_BATCH]
            some = [sentences[number] for number in batch]
            has_rows = not task.settings.train  # files of tasks have none
            rows = self._rows.find_dev(some) if has_rows else [None] * len(some)
            levels = self._network.encode(self._encoded(some, rows))
            predicted = self._network.encoder.task_scores(task.name, levels).argmax(1).cpu()
            gold = torch.tensor([number for one in batch for number in numbers[one]])
            right, count = int((predicted == gold).sum()), int((gold != MISSING).sum())
            mean = mean.add(Mean(right, count))
        return mean

    def snapshot(self) -> _Kind:
        """Return a parser with the averaged weights so far, rounded as they will be stored."""
        weights = self._inputs.completed(self._optimizer.averaged(), self._network)
        return self._parser(pack(weights, self._settings.storage))

    def _parser(self, weights: bytes) -> _Kind:
        parser = self._kind(
            self._settings,
            system=self._system,
            vocabulary=self._inputs.final_vocabulary,
            tasks={name: task.labels for name, task in self._tasks.items()},
            weights=weights,
            pretrained=self._inputs.stored,
        )
        parser.distributions = dict(self._rows.dev)
        if self._device != "cpu":
            parser.move_to(self._device)
        return parser

    def pack(self, parser: _Kind) -> Mapping[str, bytes]:
        """Return the weights of a parser. Everything else is the same for all snapshots."""
        return {_WEIGHTS: parser.weights}

    def unpack(self, parts: Mapping[str, bytes]) -> _Kind:
        """Return the parser with these weights."""
        return self._parser(parts[_WEIGHTS])

    def state(self) -> Mapping[str, bytes]:
        """Return the weights, their averages and moments, and the number of updates and epochs."""
        counts = {"updates": self._optimizer.updates, "epochs": self._epochs}
        counts |= self._task_updates.state()
        return {
            _STATE: pack(self._optimizer.state()),
            _COUNTS: msgspec.json.encode(counts),
            _WAYS: msgspec.json.encode(self._ways),
        }

    def restore(self, state: Mapping[str, bytes]) -> None:
        """Continue from what `state` returned."""
        counts = msgspec.json.decode(state[_COUNTS], type=dict[str, int])
        self._epochs = counts["epochs"]
        self._task_updates.restore(counts)
        found = {name: one.to(self._device) for name, one in unpack(state[_STATE]).items()}
        self._optimizer.restore(found, updates=counts["updates"])
        self._ways = msgspec.json.decode(state[_WAYS], type=dict[int, list[int]] | None)
