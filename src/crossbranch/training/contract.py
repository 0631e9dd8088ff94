"""What a parser supplies to be trained, and what training tells those who look on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from crossbranch.tree import Tree


class Predictor(Protocol):
    """A parser as it stands."""

    def parse_many(self, sentences: Iterable[Tree], *, threads: int = 1) -> Iterator[Tree]:
        """Parse the tokens of trees, in order."""
        ...


Parser = TypeVar("Parser", bound=Predictor)


class Learned(NamedTuple):
    """What learning from some sentences came to."""

    updates: int
    transitions: int  # how many candidates' steps were looked at


class Learner(Protocol[Parser]):
    """A parser that is being trained; everything random in it comes from the order it is given."""

    size: int
    """How many training sentences there are."""
    step: int
    """Sentences are learnt from in multiples of this, but for the last ones of an epoch."""

    digest: str
    """Identifies what is learnt from, in which form."""

    facts: Mapping[str, Any]
    """What a manifest should say of how it learns, beyond the settings."""

    def learn(self, sentences: Sequence[int]) -> Learned:
        """Learn from training sentences, given by number, in this order."""
        ...

    def snapshot(self) -> Parser:
        """Return the parser as it stands; what is learnt later does not change it."""
        ...

    def pack(self, parser: Parser) -> Mapping[str, bytes]:
        """Return all that it takes to have a snapshot again."""
        ...

    def unpack(self, parts: Mapping[str, bytes]) -> Parser:
        """Return the snapshot that was packed."""
        ...

    def state(self) -> Mapping[str, bytes]:
        """Return all that has been learnt, exactly."""
        ...

    def restore(self, state: Mapping[str, bytes]) -> None:
        """Go on from what had been learnt when `state` was called."""
        ...


class Epoch(msgspec.Struct, frozen=True, kw_only=True):
    """One time through the training sentences; scores are None where there are no dev trees."""

    number: int  # from 1
    updates: int
    seconds: float  # of learning
    dev_seconds: float  # of parsing and scoring the dev trees
    f1: float | None = None
    discontinuous_f1: float | None = None


class Watcher:
    """Somebody who looks on; this one is not interested."""

    def stage(self, name: str) -> None:
        """Something that comes before or after the epochs begins."""

    def start(self, sentences: int, resumed: Sequence[Epoch]) -> None:
        """Training begins, or goes on after some epochs."""

    def learnt(self, epoch: int, sentences: int) -> None:
        """So many sentences of an epoch have been learnt from."""

    def finish_epoch(self, epoch: Epoch, is_best: bool) -> None:
        """An epoch is over."""


@dataclass(frozen=True)
class Trained(Generic[Parser]):
    """What came out: the chosen epoch's parser, and the record of all epochs."""

    parser: Parser
    chosen: Epoch
    epochs: tuple[Epoch, ...]
