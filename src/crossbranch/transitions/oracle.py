"""Oracles: which transitions are right.

An oracle says which transitions are best from a configuration. A *static* oracle knows one
derivation of the gold tree, and can only answer on this derivation. A *dynamic* oracle can answer
from every configuration, also after mistakes: its transitions lead to the best tree that can still
be built.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Generic, NamedTuple, TypeVar

from crossbranch import _core
from crossbranch.errors import UsageError
from crossbranch.structure import GoldTree
from crossbranch.transitions.gold import BinaryGold
from crossbranch.transitions.moves import Moves, Walk

Gold = TypeVar("Gold", bound=GoldTree)

NOT_ON_THE_WAY = (
    "this configuration is not on the oracle's derivation of the gold tree; "
    "only a dynamic oracle can answer here"
)
"""What a static oracle says after a mistake."""


class Oracle(ABC, Generic[Gold]):
    """Chooses transitions for a gold tree."""

    is_dynamic: ClassVar[bool] = False
    """Whether it can answer from every configuration."""

    swaps_nodes: bool = False
    """Whether it needs a system that swaps more than single tokens."""

    @abstractmethod
    def best(self, gold: Gold, configuration: _core.Configuration, moves: Moves) -> list[int]:
        """Return the best transitions from here, the preferred one first; none at the end.

        Raises:
            UsageError: The oracle is static, and the configuration is not on its derivation.
        """

    def derive(self, gold: Gold, walk: Walk, moves: Moves) -> None:
        """Take transitions until the gold tree is complete."""
        while best := self.best(gold, walk.configuration, moves):
            walk.take(best[0])


Schema = Callable[[BinaryGold, Walk, Moves], None]
"""A function that takes the transitions that build a gold tree."""


@dataclass(frozen=True, eq=False)
class StaticOracle(Oracle[BinaryGold]):
    """An oracle that knows one derivation of each tree."""

    schema: Schema
    swaps_nodes: bool = False

    def derive(self, gold: BinaryGold, walk: Walk, moves: Moves) -> None:
        """Take the transitions of the derivation."""
        self.schema(gold, walk, moves)

    def best(self, gold: BinaryGold, configuration: _core.Configuration, moves: Moves) -> list[int]:
        """Return the next transition of the derivation; see `Oracle.best`."""
        if configuration.is_final:
            return []
        path = gold.paths.get(self)
        if path is None:
            walk = Walk(configuration.system, gold.size)
            self.derive(gold, walk, moves)
            path = gold.paths[self] = DerivationPath(walk)
        transition = path.after(configuration)
        if transition is None or not configuration.is_legal(transition):
            raise UsageError(NOT_ON_THE_WAY)
        return [transition]


class _Place(NamedTuple):
    """A configuration as a place on a derivation. Items have the numbers of the derivation."""

    last: int
    next: int
    focus: int
    stack: tuple[int, ...]
    aside: tuple[int, ...]


class DerivationPath:
    """The configurations of a derivation, and the transition that follows each of them."""

    def __init__(self, walk: Walk) -> None:
        """Follow the transitions of a walk from the beginning."""
        size = walk.configuration.token_count
        again = _core.Configuration(walk.configuration.system, size)
        self._size = size
        self._vertices = {
            walk.configuration.node(vertex): vertex
            for vertex in range(size, walk.configuration.node_count)
        }
        self._following: dict[_Place, int] = {}
        for transition in walk.taken:
            place = self._place(again)
            assert place is not None
            self._following[place] = transition
            again.apply(transition)

    def after(self, configuration: _core.Configuration) -> int | None:
        """Return the transition that follows a configuration; None if it is not on the path."""
        if configuration.token_count != self._size:
            return None
        place = self._place(configuration)
        return None if place is None else self._following.get(place)

    def _place(self, configuration: _core.Configuration) -> _Place | None:
        """Return the place of a configuration; None if it has a node that is not on the path.

        Two nodes are the same if they have the same label, children and head.
        """
        numbers = [*range(self._size), -1]  # the last stands for "no vertex"
        for vertex in range(self._size, configuration.node_count):
            label, left, right, head = configuration.node(vertex)
            number = self._vertices.get((label, numbers[left], numbers[right], head))
            if number is None:
                return None
            numbers.insert(-1, number)
        return _Place(
            configuration.last,
            configuration.next,
            numbers[configuration.focus],
            tuple(numbers[vertex] for vertex in configuration.stack),
            tuple(numbers[vertex] for vertex in configuration.aside),
        )
