"""What a parser supplies to be trained, and what training tells those who watch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from crossbranch.tree import Sentence, Tree


class Example(NamedTuple):
    """A pair: what the parser will see, and what is right.

    The tokens of `sentence` have the tags that the parser gets when it is used, for example those
    that a tagger predicts. The tree has the gold tags.
    """

    sentence: Sentence
    tree: Tree

    @property
    def seen(self) -> Tree:
        """The gold tree over the tokens as the parser sees them."""
        return self.tree.replace(sentence=self.sentence)


class Predictor(Protocol):
    """A parser as it stands."""

    def parse_many(self, sentences: Iterable[Tree], *, threads: int = 1) -> Iterator[Tree]:
        """Parse the tokens of trees, in order."""
        ...


TrainedParser = TypeVar("TrainedParser", bound=Predictor)


class Mean(NamedTuple):
    """A metric that is averaged: the sum of some values, and their weight or number."""

    total: float
    weight: float = 1.0

    @property
    def value(self) -> float:
        """The average; 0 if there are no values."""
        return self.total / self.weight if self.weight else 0.0

    def add(self, other: Mean) -> Mean:
        """Return the metric over the values of both."""
        return Mean(self.total + other.total, self.weight + other.weight)


class LearningStep(NamedTuple):
    """What learning from some sentences came to."""

    updates: int
    metrics: Mapping[str, Mean] = {}
    """Anything else to watch, by name: a loss, the accuracy of a task."""


class Learner(ABC, Generic[TrainedParser]):
    """A parser that is being trained; everything random in it comes from the order it is given."""

    size: int
    """How many training sentences there are."""

    digest: str
    """Identifies what is learned from, in which form."""

    step: int = 1
    """Sentences are learned from in multiples of this, but for the last ones of an epoch."""

    facts: Mapping[str, Any] = {}
    """What a manifest should say of how it learns, beyond the settings."""

    @abstractmethod
    def learn(self, sentences: Sequence[int]) -> LearningStep:
        """Learn from training sentences, given by number, in this order."""

    @abstractmethod
    def snapshot(self) -> TrainedParser:
        """Return the parser as it stands; what is learned later does not change it."""

    @abstractmethod
    def pack(self, parser: TrainedParser) -> Mapping[str, bytes]:
        """Return all that it takes to have a snapshot again."""

    @abstractmethod
    def unpack(self, parts: Mapping[str, bytes]) -> TrainedParser:
        """Return the snapshot that was packed."""

    @abstractmethod
    def state(self) -> Mapping[str, bytes]:
        """Return all that has been learned, exactly."""

    @abstractmethod
    def restore(self, state: Mapping[str, bytes]) -> None:
        """Go on from what had been learned when `state` was called."""

    def finish_epoch(self, epoch: Epoch) -> Mapping[str, float]:
        """Act at the end of an epoch, for example change the learning rate.

        The dev trees have been scored, and no checkpoint has been written yet. Metrics that are
        returned are added to the record of the epoch.
        """
        return {}


class Epoch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One time through the training sentences; scores are None if there are no dev trees."""

    number: int  # from 1
    updates: int
    seconds: float  # of learning
    dev_seconds: float  # of parsing and scoring the dev trees
    f1: float | None = None
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
        """Called when something begins that comes before or after the epochs."""

    def start(self, sentences: int, resumed: Sequence[Epoch], *, has_epochs: bool) -> None:
        """Called when training begins, or continues after some epochs."""

    def learned(self, epoch: int, sentences: int) -> None:
        """Called now and then, with the number of sentences of an epoch that are done."""

    def finish_epoch(self, epoch: Epoch, is_best: bool) -> None:
        """Called when an epoch is over."""


@dataclass(frozen=True)
class Trained(Generic[TrainedParser]):
    """The result: the parser of the chosen epoch, and the record of all epochs."""

    parser: TrainedParser
    chosen: Epoch
    epochs: tuple[Epoch, ...]
    has_epochs: bool
    """Whether the sentences were learned from again and again; otherwise just once."""
