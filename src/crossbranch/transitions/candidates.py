"""The oracles of ML-GAP and stack-free parsing; the core does the work.

These systems build *candidates*: sets of tokens, which may become constituents. A gold constituent
is *reachable* if it can still be built. This is so if its last token is not before that of the
focus, and if each item is a part of it or has no token in common with it (Coavoux & Cohen 2019).

- `static` joins the focus with another part of the same constituent, as soon as there is one, and
  shifts otherwise: Algorithm 3.6 (ML-GAP) and Algorithm 4.1 (stack-free) of Mielczarek (2023). If
  there are several parts, the last one is taken. In the lexicalised system, the part with the head
  is joined with the others, so the oracle waits for the head.
- A dynamic oracle does the same with reachable constituents, so it can answer from every
  configuration. As defined for stack-free parsing (definition 4.13), it looks only at the reachable
  constituent that comes next, and shifts if the focus is not a part of it. `dynamic` of stack-free
  is this one. `dynamic-eager`, and `dynamic` of the other systems, do not wait: as long as there
  was no mistake, they choose as `static` does.

All optimal transitions are those after which as many constituents are reachable as possible. So
they lead to the trees with the best F1. The paper's set for stack-free parsing is a part of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from crossbranch import _core
from crossbranch.errors import TransformError, UsageError
from crossbranch.structure import LabelSet, NaryGold
from crossbranch.transitions.moves import LABEL, Moves, Walk
from crossbranch.transitions.oracle import NOT_ON_THE_WAY, Oracle
from crossbranch.tree import Tree

Preference = Literal["eager", "next"]
"""Which optimal transition an oracle prefers; see `_core.SpanOracle`."""


class CandidateGold(NaryGold):
    """A gold tree with the oracles of the core for it."""

    def __init__(self, tree: Tree, labels: LabelSet, core: _core.System) -> None:
        """Make the arrays. Raises TransformError if the system cannot build this tree."""
        super().__init__(tree, labels)
        self._core = core
        self._oracles: dict[Preference, _core.SpanOracle] = {}
        for number in self.numbers:
            if core.find(LABEL, number) < 0:
                raise TransformError(f"the system has no LABEL-{labels.name(number)}")

    @property
    def heads(self) -> list[int]:
        """The head of vertex n + k: one of its children. Without a head mark, it is the first."""
        return [
            below[node.head or 0] for node, below in zip(self.nodes, self.children, strict=True)
        ]

    def oracle(self, preference: Preference = "eager") -> _core.SpanOracle:
        """Return the oracle of the core for this tree."""
        found = self._oracles.get(preference)
        if found is None:
            found = self._oracles[preference] = _core.SpanOracle(
                self._core, self.size, self.parents, self.numbers, self.heads, preference=preference
            )
        return found


class CandidateGoldMaker:
    """Makes gold trees for one system."""

    def __init__(self, core: _core.System, labels: LabelSet) -> None:
        self._core, self._labels = core, labels

    def __call__(self, tree: Tree) -> CandidateGold:
        """Return a gold tree. Raises TransformError if the system cannot build it."""
        return CandidateGold(tree, self._labels, self._core)


@dataclass(frozen=True, eq=False)
class CandidateOracle(Oracle[CandidateGold]):
    """The static oracle. It answers as long as the gold tree can still be built."""

    preference: Preference = "eager"

    def derive(self, gold: CandidateGold, walk: Walk, moves: Moves) -> None:
        """Take the transitions of the derivation."""
        for transition in gold.oracle(self.preference).derive():
            walk.take(transition)

    def best(
        self, gold: CandidateGold, configuration: _core.Configuration, moves: Moves
    ) -> list[int]:
        """Return the next transition; see `Oracle.best`."""
        if configuration.is_final:
            return []
        oracle = gold.oracle(self.preference)
        if configuration.token_count != gold.size or not oracle.is_on_the_way(configuration):
            raise UsageError(NOT_ON_THE_WAY)
        return [oracle.best(configuration)]


@dataclass(frozen=True, eq=False)
class DynamicCandidateOracle(CandidateOracle):
    """A dynamic oracle. It answers from every configuration."""

    is_dynamic: ClassVar[bool] = True

    def best(
        self, gold: CandidateGold, configuration: _core.Configuration, moves: Moves
    ) -> list[int]:
        """Return all optimal transitions, the preferred one first; see `Oracle.best`."""
        if configuration.is_final:
            return []
        oracle = gold.oracle(self.preference)
        try:
            best = oracle.best(configuration)
            return [best, *(other for other in oracle.optimal(configuration) if other != best)]
        except ValueError as error:
            raise UsageError(str(error)) from None
