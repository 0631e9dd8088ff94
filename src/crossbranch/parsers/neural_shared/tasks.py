"""What a network learns besides trees: the labels of tasks as numbers, and when they are learned.

The labels of an aligned task are those of the training sentences, so they are learned together with
the trees. Other tasks have sentences of their own, and updates of their own between those of trees.
"""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from crossbranch.errors import InputError
from crossbranch.neural.encoder import TaskShape
from crossbranch.parsers.neural_shared.engine import TAG
from crossbranch.parsers.neural_shared.settings import NeuralSettings
from crossbranch.tasks import (
    Inventory,
    Labelled,
    TaskData,
    TaskSettings,
    active_tasks,
    draw,
    read_task,
)
from crossbranch.training import Example
from crossbranch.tree import Sentence, Token

Report = Callable[[InputError], None]
_TREES, _UPDATES = "tree batches", "updates of "


class Targets(NamedTuple):
    """Sentences, and the numbers of their labels: below 0 for tokens without a known label."""

    sentences: Sequence[Sentence]
    numbers: list[list[int]]


class LearnedTask(NamedTuple):
    """A task as the network learns it."""

    name: str
    settings: TaskSettings
    labels: tuple[str, ...]
    train: Targets
    dev: Targets
    is_aligned: bool
    """Whether the training sentences are those of the parser, in the same order."""

    @property
    def shape(self) -> TaskShape:
        """Where the task is in the network, and how many labels it has."""
        return TaskShape(self.settings.level, len(self.labels))

    def to_dict(self) -> dict[str, Any]:
        """Return the facts for a manifest."""
        return {
            "kind": self.settings.kind,
            "level": self.settings.level,
            "labels": len(self.labels),
            "sentences": len(self.train.sentences),
            "dev_sentences": len(self.dev.sentences),
        }

    def digest(self) -> bytes:
        """Return a checksum of the labels and of the training sentences."""
        found = hashlib.sha256("\n".join((self.name, *self.labels)).encode())
        for sentence, numbers in zip(*self.train, strict=True):
            found.update("\t".join(token.form for token in sentence).encode())
            found.update(array("i", numbers).tobytes())
        return found.digest()


class TaskReader:
    """Reads the tasks of a parser that learns from some of its training examples."""

    def __init__(
        self,
        settings: NeuralSettings,
        examples: Sequence[Example],
        kept: Sequence[int],
        dev: Sequence[Example],
    ) -> None:
        self._settings = settings
        self._examples = examples
        self._kept = kept
        self._dev = dev

    def read(self, report: Report) -> dict[str, LearnedTask]:
        """Return all tasks of the settings, that of the parser's own tags first.

        Raises:
            InputError: A task has no label to learn.
        """
        settings = self._settings
        found = []
        if settings.tags == "own" and (tags := self._own_tags()):
            found.append(tags)
        active = active_tasks(settings.task, auxiliary=settings.auxiliary)
        found += [self._read(name, task, report) for name, task in active.items()]
        return {task.name: task for task in found}

    def _own_tags(self) -> LearnedTask | None:
        train, dev = (
            [
                Labelled(tuple(tree.words), tuple(token.tag or None for token in tree.sentence))
                for tree in trees
            ]
            for trees in (
                [self._examples[number].tree for number in self._kept],
                [example.tree for example in self._dev],
            )
        )
        inventory = Inventory.of(train)
        if not len(inventory):
            return None
        settings = TaskSettings(kind="tag", level=self._settings.tag_level)
        return self._learned(settings, TaskData(TAG, train, dev, True), inventory)

    def _read(self, name: str, settings: TaskSettings, report: Report) -> LearnedTask:
        trees = [example.tree for example in self._examples]
        if not settings.train:
            trees = [trees[number] for number in self._kept]
        dev = [example.tree for example in self._dev]
        data = read_task(name, settings, train=trees, dev=dev, report=report)
        if settings.train:
            data = self._with_alignment(data)
        inventory = data.inventory(settings.min_count)
        if not len(inventory):
            expected = f"one for the task {name}; its min_count is {settings.min_count}"
            where = ", ".join(settings.train) or "<train>"
            raise InputError("no label that is frequent enough", expected, path=where)
        return self._learned(settings, data, inventory)

    def _with_alignment(self, data: TaskData) -> TaskData:
        """Leave out the sentences that the parser does not learn from, if files are aligned.

        Changed copies of training sentences come after all others. Files do not have them.
        """
        examples = self._examples
        is_aligned = data.is_aligned or (
            self._settings.augment is not None
            and len(data.train) <= len(examples)
            and all(
                list(found.forms) == example.tree.words
                for found, example in zip(data.train, examples, strict=False)
            )
        )
        if not is_aligned:
            return data._replace(is_aligned=False)
        train = [
            data.train[number] if number < len(data.train) else _unlabelled(examples[number])
            for number in self._kept
        ]
        return data._replace(train=train, is_aligned=True)

    def _learned(self, settings: TaskSettings, data: TaskData, inventory: Inventory) -> LearnedTask:
        sentences: Sequence[Sentence] = [self._examples[number].sentence for number in self._kept]
        dev: Sequence[Sentence] = [example.sentence for example in self._dev]
        if not data.is_aligned:
            sentences = [_sentence(one) for one in data.train]
        if settings.train:
            dev = [_sentence(one) for one in data.dev]
        return LearnedTask(
            data.name,
            settings,
            inventory.labels,
            Targets(sentences, [inventory.numbers(one.labels) for one in data.train]),
            Targets(dev, [inventory.numbers(one.labels) for one in data.dev]),
            data.is_aligned,
        )


def _sentence(found: Labelled) -> Sentence:
    return tuple([Token(form) for form in found.forms])


def _unlabelled(example: Example) -> Labelled:
    return Labelled(tuple(example.tree.words), (None,) * len(example.sentence))


class TaskUpdate(NamedTuple):
    """A task to learn, and the numbers of its sentences to learn from."""

    task: LearnedTask
    batch: list[int]


class TaskUpdates:
    """Says which task with sentences of its own is learned when.

    Its updates are spread evenly between those of trees. It depends on the seed and on how many
    updates there were, and on nothing else.
    """

    def __init__(
        self, tasks: Sequence[LearnedTask], settings: NeuralSettings, tree_batches: int
    ) -> None:
        """Take tasks with sentences of their own, and how many batches of trees an epoch has."""
        self._tasks = tasks
        self._settings = settings
        self._tree_batches = tree_batches
        self._sizes = [math.ceil(len(task.train.sentences) / settings.batch) for task in tasks]
        is_even = settings.task_sampling == "even"
        self.in_epoch = tree_batches * len(tasks) if is_even else sum(self._sizes)
        """The number of updates in an epoch."""
        self._trees = 0  # batches so far
        self._counts = {task.name: 0 for task in tasks}
        self._plan = lru_cache(maxsize=1)(self._planned)
        self._order = lru_cache(maxsize=max(len(tasks), 1))(self._ordered)

    def state(self) -> dict[str, int]:
        """Return how many updates there were, for trees and for each task."""
        counts = {f"{_UPDATES}{name}": count for name, count in self._counts.items()}
        return {_TREES: self._trees, **counts}

    def restore(self, state: Mapping[str, int]) -> None:
        """Go on from what `state` returned."""
        self._trees = state[_TREES]
        self._counts = {name: state[f"{_UPDATES}{name}"] for name in self._counts}

    def after_trees(self) -> Iterator[TaskUpdate]:
        """Yield the updates that follow a batch of trees."""
        self._trees += 1
        due = self._trees * self.in_epoch // self._tree_batches
        for number in range(sum(self._counts.values()), due):
            epoch, place = divmod(number, self.in_epoch)
            yield self._next(self._plan(epoch)[place])

    def _planned(self, epoch: int) -> list[int]:
        """Return the number of the task of each update in an epoch."""
        random = Random(f"tasks {self._settings.seed} {epoch}")
        return draw(self._sizes, self._settings.task_sampling, self.in_epoch, random)

    def _next(self, number: int) -> TaskUpdate:
        task, size = self._tasks[number], self._settings.batch
        times, place = divmod(self._counts[task.name], self._sizes[number])
        self._counts[task.name] += 1
        return TaskUpdate(task, self._order(number, times)[place * size : (place + 1) * size])

    def _ordered(self, number: int, times: int) -> list[int]:
        """Return the order of the sentences of a task when it has seen all of them some times."""
        task = self._tasks[number]
        order = list(range(len(task.train.sentences)))
        Random(f"{task.name} {self._settings.seed} {times}").shuffle(order)
        return order
