"""What a learner needs of the gold trees: a system, and the oracles of each tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from crossbranch import _core
from crossbranch.errors import InputError, TransformError
from crossbranch.parsers.neural_transition.settings import NeuralTransitionSettings
from crossbranch.parsers.ready_trees import head_table, ready_trees, refused
from crossbranch.transitions import TransitionSystem
from crossbranch.transitions.candidates import CandidateOracle
from crossbranch.tree import Tree


class Oracles(NamedTuple):
    """The oracles of a tree."""

    static: _core.SpanOracle
    dynamic: _core.SpanOracle
    """For sentences in which the parser finds its own way."""


def derived(
    settings: NeuralTransitionSettings,
    trees: Sequence[Tree],
    report: Callable[[InputError], None],
) -> tuple[TransitionSystem, list[Oracles], list[int]]:
    """Return the system, the oracles of each tree that has a derivation, and their numbers."""
    ready = list(ready_trees(settings.system, head_table(settings, trees), trees, report))
    if not ready:
        raise InputError("no tree to learn from", "at least one", path="<train>")
    system = TransitionSystem.open(
        [tree for _, tree in ready], name=settings.system, oracle=settings.oracle
    )
    oracle = system.kind.oracles[system.oracle]
    assert isinstance(oracle, CandidateOracle)
    oracles, kept = [], []
    for number, tree in ready:
        try:
            gold = system.gold(tree)
        except TransformError as error:
            report(refused(error, tree))
            continue
        oracles.append(Oracles(gold.oracle(), gold.oracle(oracle.preference)))
        kept.append(number)
    if not oracles:
        raise InputError("no tree that has a derivation", "at least one", path="<train>")
    return system, oracles, kept
