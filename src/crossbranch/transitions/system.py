"""TransitionSystem: a system with the labels and transitions of a treebank."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from crossbranch import _core
from crossbranch.errors import CrossbranchError, InputError, TransformError, UsageError
from crossbranch.structure import LabelSet
from crossbranch.transitions.moves import LABELLED, Moves, Walk
from crossbranch.transitions.swap import UnaryChains
from crossbranch.transitions.systems import GoldMaker, SystemKind, system_kind
from crossbranch.tree import Tree


@dataclass(frozen=True)
class TransitionSystem:
    """A transition system of the core for one treebank, with labels, names and an oracle.

    The number of a transition is its position in `transitions`.
    """

    name: str  # one of SYSTEMS
    oracle: str  # one of the system's oracles
    labels: LabelSet
    seen: tuple[tuple[int, int], ...]  # (move, argument); the core adds those that parsing needs
    unary_limit: int = 3  # swap: the longest unary chain, without the root
    repeats_unaries: bool = False  # swap: whether a node may have an only child of the same label
    is_continuous: bool = False  # gap, swap: whether the system has neither of these moves

    @classmethod
    def of(
        cls, trees: Iterable[Tree], *, name: str = "gap", oracle: str | None = None
    ) -> TransitionSystem:
        """Collect the labels and transitions of trees that `make_ready` returned.

        Trees without tokens are skipped.
        """
        trees = [tree for tree in trees if tree.sentence]
        wide = cls.open(trees, name=name, oracle=oracle)
        if wide.kind.builds_candidates:
            return wide  # labels are all that it depends on
        transitions = wide.transitions
        used = {number for tree in trees for number in wide.derive(tree)}
        return cls(
            wide.name,
            wide.oracle,
            wide.labels,
            tuple(transitions[number] for number in sorted(used)),
            wide.unary_limit,
            wide.repeats_unaries,
        )

    @classmethod
    def open(
        cls,
        trees: Iterable[Tree],
        *,
        name: str = "gap",
        oracle: str | None = None,
        is_continuous: bool = False,
    ) -> TransitionSystem:
        """Collect the labels of trees that `make_ready` returned, and allow all transitions.

        With `is_continuous`, there is no GAP or SWAP: all trees must be continuous.
        """
        kind = system_kind(name)
        trees = [tree for tree in trees if tree.sentence]
        labels = kind.form.label_set(trees)
        seen = kind.inventory(labels, max(len(tree.sentence) for tree in trees))
        chains = UnaryChains() if kind.form.joiner else UnaryChains.of(trees)
        return cls(
            name,
            kind.oracle(oracle),
            labels,
            tuple(seen),
            chains.limit,
            chains.repeats,
            is_continuous,
        )

    @cached_property
    def kind(self) -> SystemKind:
        """The properties of the system."""
        return system_kind(self.name)

    @cached_property
    def core(self) -> _core.System:
        """The system in the core."""
        return _core.System(
            self.name,
            self.labels.kinds,
            self.labels.bases,
            list(self.seen),
            unary_limit=self.unary_limit,
            repeats_unaries=self.repeats_unaries,
            swaps_nonterminals=self.kind.oracles[self.oracle].swaps_nodes,
            is_continuous=self.is_continuous,
        )

    @cached_property
    def transitions(self) -> list[tuple[int, int]]:
        """All transitions: each is a move and its argument, which is a label or an amount.

        An open move has no largest argument. Its transitions are not listed, and their numbers
        follow after the listed ones; see `transition`.
        """
        return self.core.transitions

    def transition(self, number: int) -> tuple[int, int]:
        """Return the move and the argument of a transition, also of an open move."""
        return self.core.transition(number)

    @cached_property
    def moves(self) -> Moves:
        """The transitions without a label."""
        return Moves.of(self.core, self.kind.move, is_compound=self.kind.is_compound)

    @property
    def largest_amount(self) -> int:
        """The largest number of items that a single GAP or SWAP can move."""
        return len(self.moves.amounts) - 1

    def name_of(self, transition: int) -> str:
        """Return the name of a transition, as in the paper on the system."""
        try:
            move, argument = self.transition(transition)
        except ValueError:
            return "a transition that the system does not have"
        value = self.labels.name(argument) if move in LABELLED else argument
        return self.kind.names[move].format(value)

    @cached_property
    def gold(self) -> GoldMaker:
        """Makes the gold tree that `best` needs from a tree in the form of the system."""
        return self.kind.gold_maker(self.core, self.labels)

    def start(self, token_count: int) -> _core.Configuration:
        """Return the first configuration of a sentence."""
        return _core.Configuration(self.core, token_count)

    def batch(self, token_counts: Iterable[int]) -> _core.Batch:
        """Return the first configurations of many sentences, which are advanced together."""
        return _core.Batch(self.core, array("i", token_counts))

    def best(self, gold: Any, configuration: _core.Configuration) -> list[int]:
        """Return the best transitions from a configuration, as the oracle chooses them.

        Args:
            gold: A gold tree, made by `gold`.
            configuration: The current configuration. A static oracle can only answer on its own
                derivation of the gold tree; see `Oracle`.
        """
        return self.kind.oracles[self.oracle].best(gold, configuration, self.moves)

    def derive(self, tree: Tree) -> list[int]:
        """Return the transitions that build a tree in the form of the system."""
        walk: Walk | None = None
        place = f"sentence {tree.id}: " if tree.id else ""
        try:
            gold = self.gold(tree)
            walk = Walk(self.core, gold.size)
            self.kind.oracles[self.oracle].derive(gold, walk, self.moves)
        except CrossbranchError as error:
            raise TransformError(f"{place}{error}") from None
        except ValueError:
            assert walk is not None
            refused = self.name_of(walk.taken[-1])
            raise TransformError(
                f"{place}{self.kind.title} cannot build this tree: {refused} is not "
                f"legal after {len(walk.taken) - 1} transitions; was it made binary with "
                "pipeline_for?"
            ) from None
        return walk.taken

    def to_json(self) -> dict[str, Any]:
        """Return lists, numbers and strings for JSON."""
        return {
            "system": self.name,
            "oracle": self.oracle,
            "labels": self.labels.to_json(),
            "transitions": [list(pair) for pair in self.transitions],
            "unary_limit": self.unary_limit,
            "repeats_unaries": self.repeats_unaries,
            **({"is_continuous": True} if self.is_continuous else {}),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any], *, path: str = "") -> TransitionSystem:
        """Read what `to_json` returned. Errors name `path`."""
        try:
            kind = system_kind(value["system"])
            system = cls(
                kind.name,
                kind.oracle(value["oracle"]),
                LabelSet.from_json(value["labels"], path=path),
                tuple((move, argument) for move, argument in value["transitions"]),
                value["unary_limit"],
                value["repeats_unaries"],
                value.get("is_continuous", False),
            )
            same = system.transitions == list(system.seen)
        except (KeyError, TypeError, ValueError, UsageError) as error:
            raise InputError(f"{type(error).__name__}: {error}", "a system", path=path) from None
        if not same:
            raise InputError("transitions in another order", "the order of the system", path=path)
        return system
