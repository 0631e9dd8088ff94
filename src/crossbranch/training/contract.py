"""What the training loop needs from a parser, and what it reports about its progress."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from crossbranch.tree import Sentence, Tree


class Example(NamedTuple):
    """A training example: the tokens that the parser will see, and the gold tree.

    The tokens of `sentence` have a form, and the tag that the parser gets when it is used, for
    example the one that a tagger predicts. The tree has the gold tags and everything else.
    """

    sentence: Sentence
    tree: Tree

    @property
    def seen(self) -> Tree:
        """The gold tree over the tokens as the parser sees them."""
        return self.tree.replace(sentence=self.sentence)

    @property
    def retagged(self) -> Tree:
        """The gold tree with the forms and tags that the parser sees; everything else is gold."""
        pairs = zip(self.tree.sentence, self.sentence, strict=True)
        changed = [gold._replace(form=one.form, tag=one.tag) for gold, one in pairs]
        return self.tree.replace(sentence=changed)

    @property
    def scored(self) -> Tree:
        """The gold tree with the forms that the parser sees, which may be in another case."""
        pairs = zip(self.tree.sentence, self.sentence, strict=True)
        return self.tree.replace(sentence=[gold._replace(form=one.form) for gold, one in pairs])


class Predictor(Protocol):
    """A parser that can be scored on dev trees."""

    def parse_many(self, sentences: Iterable[Tree], *, threads: int = 1) -> Iterator[Tree]:
        """Parse the tokens of trees, in order."""
        ...


TrainedParser = TypeVar("TrainedParser", bound=Predictor)


class Mean(NamedTuple):
    """An average: the sum of values, and the sum of their weights (or their number)."""

    total: float
    weight: float = 1.0

    @property
    def value(self) -> float:
        """The average; 0 if there are no values."""
        return self.total / self.weight if self.weight else 0.0

    def add(self, other: Mean) -> Mean:
        """Return the average over the values of both."""
        return Mean(self.total + other.total, self.weight + other.weight)


ACCURACY, DEV_ACCURACY = " accuracy", " dev accuracy"
"""What follows the name of a task in the names of its metrics."""


class LearningStep(NamedTuple):
    """The result of learning from some sentences."""

    updates: int
    metrics: Mapping[str, Mean] = {}
    """Metrics by name, such as a loss or the accuracy of a task."""


class Learner(ABC, Generic[TrainedParser]):
    """A parser that is being trained.

    The order of the sentences is the only thing that may be random: with the same order, the result
    is the same.
    """

    size: int
    """The number of training sentences."""

    digest: str
    """A checksum of the training data, in the form in which they are learned from."""

    kept: Sequence[int] | None = None
    """The numbers of the examples that it learns from; None if it learns from all of them."""

    step: int = 1
    """`learn` gets a multiple of this number of sentences, except at the end of an epoch."""

    facts: Mapping[str, Any] = {}
    """Facts about the training for the manifest, besides the settings."""

    @abstractmethod
    def learn(self, sentences: Sequence[int]) -> LearningStep:
        """Learn from the training sentences with these numbers, in this order."""

    @abstractmethod
    def snapshot(self) -> TrainedParser:
        """Return the current parser. Later learning does not change it."""

    @abstractmethod
    def pack(self, parser: TrainedParser) -> Mapping[str, bytes]:
        """Return a snapshot as bytes, for a checkpoint."""

    @abstractmethod
    def unpack(self, parts: Mapping[str, bytes]) -> TrainedParser:
        """Return the snapshot that `pack` was given."""

    @abstractmethod
    def state(self) -> Mapping[str, bytes]:
        """Return the complete state of the learner as bytes, for a checkpoint."""

    @abstractmethod
    def restore(self, state: Mapping[str, bytes]) -> None:
        """Continue from the state that `state` returned."""

    def finish_epoch(self, epoch: Epoch) -> Mapping[str, float]:
        """Do what is needed at the end of an epoch, for example change the learning rate.

        This is called after the dev trees are scored and before a checkpoint is written. The
        returned metrics are added to the record of the epoch.
        """
        return {}


class Epoch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The record of one pass over the training sentences."""

    number: int  # counted from 1
    updates: int
    seconds: float  # for learning
    dev_seconds: float  # for parsing and scoring the dev trees
    f1: float | None = None  # on the dev trees; None if there are none
    discontinuous_f1: float | None = None
    metrics: dict[str, float] = {}  # of the learner, by name

    def to_dict(self) -> dict[str, Any]:
        """Return the record for a manifest."""
        found = {name: getattr(self, name) for name in self.__struct_fields__}
        if not self.metrics:
            del found["metrics"]
        return found


class Watcher:
    """Callbacks for progress. This base class ignores them."""

    def stage(self, name: str) -> None:
        """Called when a stage before or after the epochs begins, such as "learning to tag"."""

    def start(self, sentences: int, resumed: Sequence[Epoch], *, has_epochs: bool) -> None:
        """Called when the epochs begin; `resumed` are the epochs of an earlier, interrupted run."""

    def learned(self, epoch: int, sentences: int, metrics: Mapping[str, float]) -> None:
        """Called now and then: how many sentences of an epoch are done, and metrics so far."""

    def finish_epoch(self, epoch: Epoch, is_best: bool) -> None:
        """Called at the end of an epoch."""


@dataclass(frozen=True)
class Trained(Generic[TrainedParser]):
    """The result of training: the parser of the chosen epoch, and the records of all epochs."""

    parser: TrainedParser
    chosen: Epoch
    epochs: tuple[Epoch, ...]
    has_epochs: bool
    """Whether the parser learns in epochs; otherwise it sees each sentence once."""
