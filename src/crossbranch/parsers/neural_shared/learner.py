"""Training of neural parsers, by batches: what is the same for all kinds of them.

Nothing depends on chance but what the seed and the number of the update say. So training that was
interrupted goes on in the same way.
"""

from __future__ import annotations

import hashlib
import math
from abc import abstractmethod
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Generic, TypeVar

import msgspec
import torch
from torch import Tensor

from crossbranch.errors import InputError
from crossbranch.neural.encoder import TaskShape
from crossbranch.neural.network import TokenNetwork
from crossbranch.neural.optimizing import Optimizer
from crossbranch.neural.team import Team
from crossbranch.neural.tokens import TokenBatch
from crossbranch.parsers.neural_shared.devices import (
    keep_memory,
    numbers,
    seed_chance,
    short_numbers,
    training_device,
)
from crossbranch.parsers.neural_shared.distributions import LearnedRows, in_one
from crossbranch.parsers.neural_shared.inputs import Inputs
from crossbranch.parsers.neural_shared.losses import Metrics, task_loss
from crossbranch.parsers.neural_shared.parser import Learned, NeuralParser
from crossbranch.parsers.neural_shared.settings import NeuralSettings
from crossbranch.parsers.neural_shared.tasks import LearnedTask, TaskReader, TaskUpdates
from crossbranch.parsers.neural_shared.weights import pack, unpack
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

_Kind = TypeVar("_Kind", bound=NeuralParser)
_Settings = TypeVar("_Settings", bound=NeuralSettings)
_Network = TypeVar("_Network", bound=TokenNetwork)
_BUCKETS = 16  # batches that are sorted by length together
_DEV_BATCH = 64
_STATE, _COUNTS, _WEIGHTS = "optimizer", "counts", "weights"


class NeuralLearner(Learner[_Kind], Generic[_Kind, _Settings, _Network]):
    """Trains a neural parser; see `training.Learner` for the methods.

    A kind of parser says how it reads trees, makes its network, and computes the loss of trees.
    """

    def __init__(
        self,
        kind: type[_Kind],
        settings: _Settings,
        examples: Sequence[Example],
        report: Callable[[InputError], None],
        *,
        dev: Sequence[Example] = (),
    ) -> None:
        """Read the trees, and make a network. Trees that cannot be learned from are reported."""
        self._kind = kind
        self._device = training_device(settings.device, local_rank())
        self._team = Team(rank(), team_size(), self._device)
        if self._device == "cpu":
            keep_memory()
        torch.set_num_threads(settings.threads)
        torch.manual_seed(settings.seed)
        self.kept = self._read_trees(settings, examples, report)
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
        shapes = {name: task.shape for name, task in self._tasks.items()}
        network = self._inputs.start(self._make_network(shapes))
        self._network = network.to(self._device)
        is_alone = self._device == "cpu" and self._team.size == 1
        network.learn_by_rows(is_alone and settings.optimizer.method == "asgd")
        self._aligned = [task for task in self._tasks.values() if task.is_aligned]
        batches = math.ceil(self.size / settings.batch)
        self._task_updates = TaskUpdates(own, settings, batches)
        in_batch = 1 + len(self._aligned) if settings.apart else 1
        updates = settings.epochs * (batches * in_batch + self._task_updates.in_epoch)
        self._optimizer = Optimizer(
            self._network,
            settings.optimizer,
            updates,
            rates=self._inputs.rates,
            seed=settings.seed,
        )
        self._epochs = 0  # that are finished
        self.step = settings.batch * _BUCKETS
        self.facts: Mapping[str, Any] = {
            **self._tree_facts(),
            "learned_from": self.size,
            "parameters": sum(one.numel() for one in network.parameters()),
            "tasks": {name: task.to_dict() for name, task in self._tasks.items()},
            **self._inputs.facts,
        }
        self.digest = self._checksum()

    @abstractmethod
    def _read_trees(
        self, settings: _Settings, examples: Sequence[Example], report: Callable[[InputError], None]
    ) -> list[int]:
        """Read the gold trees; return the numbers of the examples that can be learned from."""

    @abstractmethod
    def _tree_facts(self) -> Mapping[str, Any]:
        """Return facts about the trees, for the manifest."""

    @abstractmethod
    def _tree_identity(self) -> Iterator[bytes]:
        """Yield something of all trees, then of each tree: the same when training is resumed."""

    @abstractmethod
    def _make_network(self, tasks: Mapping[str, TaskShape]) -> _Network:
        """Return a network with random weights."""

    @abstractmethod
    def _tree_loss(self, batch: list[int], levels: list[Tensor]) -> Tensor:
        """Return the loss of some trees, divided by their number."""

    @abstractmethod
    def _make_parser(self, learned: Learned) -> _Kind:
        """Return a parser with what was learned."""

    def _divisor(self, sentences: int, tokens: int) -> int:
        """Return what the sum of a task's losses is divided by, so that it fits that of trees."""
        return sentences

    def _add_loss(self, metrics: Metrics, loss: Tensor, sentences: int, tokens: int) -> None:
        """Add the loss of a batch of trees to the metrics, as a mean over tokens."""
        metrics.add("loss", loss * sentences, tokens)

    def _before_trees(self) -> None:
        """Prepare for the next sentences."""

    def _checksum(self) -> str:
        identity = hashlib.sha256(self._vocabulary.to_json())
        identity.update(self._inputs.identity)
        trees = self._tree_identity()
        identity.update(next(trees))
        for sentence, tree in zip(self._sentences, trees, strict=True):
            identity.update("\t".join(token.form for token in sentence).encode())
            identity.update(tree)
        for rows in self._train_rows:
            identity.update(rows or b"-")
        for task in self._tasks.values():
            identity.update(task.digest())
        return identity.hexdigest()

    def learn(self, sentences: Sequence[int]) -> LearningStep:
        """Learn from these sentences, in batches of sentences of about the same length.

        Between them, learn the tasks that have sentences of their own.
        """
        self._before_trees()
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
        self._add_loss(metrics, loss, len(mine), len(tokens.words))
        for task in self._aligned:
            if self._settings.apart:
                self._step(share * loss)
            with self._precision():
                if self._settings.apart:
                    levels = self._network.encode(tokens, count=task.shape.level)
                    loss = torch.zeros((), device=self._device)
                loss = loss + self._task_loss(task, mine, levels, metrics)
        self._step(share * loss)

    def _update_task(self, task: LearnedTask, batch: list[int], metrics: Metrics) -> None:
        """Change the weights once, by what a task says about some of its own sentences."""
        mine, share = self._begin(batch)
        sentences = [task.train.sentences[number] for number in mine]
        tokens = self._encoded(sentences, [None] * len(mine))
        with self._precision():
            levels = self._network.encode(tokens, count=task.shape.level)
            loss = self._task_loss(task, mine, levels, metrics)
        self._step(share * loss)

    def _begin(self, batch: list[int]) -> tuple[list[int], float]:
        """Return the sentences of this process, and how much of the batch they are.

        Chance depends on the seed, the number of the update and the process alone.
        """
        seed_chance(self._moment() + 500_009 * self._team.rank, self._device)
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
        self._optimizer.step()

    def _encoded_trees(self, batch: Sequence[int]) -> TokenBatch:
        sentences = [self._sentences[number] for number in batch]
        return self._encoded(sentences, [self._train_rows[number] for number in batch])

    def _encoded(
        self, sentences: Sequence[Sentence], rows: Sequence[array[float] | None]
    ) -> TokenBatch:
        features = in_one(rows, sentences, self._rows.width)
        return self._inputs.batch(sentences, features)

    def _task_loss(
        self, task: LearnedTask, batch: list[int], levels: list[Tensor], metrics: Metrics
    ) -> Tensor:
        flat = array("q", [number for one in batch for number in task.train.numbers[one]])
        scores = self._network.encoder.task_scores(task.name, levels)
        loss, right = task_loss(scores, numbers(flat, self._device, torch.int64))
        metrics.add(f"{task.name}{ACCURACY}", right, sum(number >= 0 for number in flat))
        return task.settings.weight * loss / self._divisor(len(batch), len(flat))

    def finish_epoch(self, epoch: Epoch) -> Mapping[str, float]:
        """Count the epoch, and return the accuracy of tasks on their dev data."""
        self._epochs = epoch.number
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
        parser = self._make_parser(
            Learned(
                vocabulary=self._inputs.final_vocabulary,
                tasks={name: task.labels for name, task in self._tasks.items()},
                weights=weights,
                pretrained=self._inputs.stored,
            )
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
        return {_STATE: pack(self._optimizer.state()), _COUNTS: msgspec.json.encode(counts)}

    def restore(self, state: Mapping[str, bytes]) -> None:
        """Continue from what `state` returned."""
        counts = msgspec.json.decode(state[_COUNTS], type=dict[str, int])
        self._epochs = counts["epochs"]
        self._task_updates.restore(counts)
        found = {name: one.to(self._device) for name, one in unpack(state[_STATE]).items()}
        self._optimizer.restore(found, updates=counts["updates"])
