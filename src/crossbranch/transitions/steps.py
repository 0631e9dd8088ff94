"""A derivation as a table with one row for each configuration, as in the papers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from crossbranch import _core
from crossbranch.transitions.derivation import Derivation
from crossbranch.transitions.moves import CANDIDATE, COMBINE, FINISH, GAP
from crossbranch.transitions.system import TransitionSystem


class Step(NamedTuple):
    """The parts of a configuration, and the transition that led to it (empty at the start)."""

    parts: tuple[tuple[str, ...], ...]
    transition: str


def columns(system: TransitionSystem) -> list[str]:
    """Return the headings of the table: the parts of a configuration, and the transition."""
    if system.kind.move == GAP:
        return ["S", "D", "B", "Action"]
    if system.kind.move == COMBINE:
        return ["Memory", "Focus", "Buffer", "Action"]
    return ["Stack", "Queue", "Transition"]


def steps(derivation: Derivation) -> Iterator[Step]:
    """Yield the configurations of a derivation.

    Nodes are written `NP[head]`, or with all their words if the system has no heads: `NP{a b}`.
    Items that are joined, but have no label, are written `{a b}`.
    """
    system, sentence = derivation.system, derivation.sentence
    words = [token.form for token in sentence]
    configuration = _core.Configuration(system.core, len(sentence))

    def texts(vertices: list[int]) -> tuple[str, ...]:
        return tuple(item_text(vertex, configuration, words, system) for vertex in vertices)

    yield Step(tuple(map(texts, parts_of(configuration, system))), "")
    for transition in derivation.transitions:
        configuration.apply(transition)
        parts = parts_of(configuration, system)
        if system.transition(transition)[0] == FINISH:
            parts = [[] for _ in parts]  # FINISH removes the tree from the stack
        yield Step(tuple(map(texts, parts)), system.name_of(transition))


def parts_of(configuration: _core.Configuration, system: TransitionSystem) -> list[list[int]]:
    """Return the vertices in each part of a configuration, in the order of `columns`."""
    stack, aside = configuration.stack, configuration.aside
    focus = [configuration.focus] if configuration.focus >= 0 else []
    waiting: list[int] = []
    while (item := configuration.queue_item(len(waiting))) >= 0:
        waiting.append(item)
    if system.kind.move == GAP:
        return [stack, aside + focus, waiting]
    if system.kind.move == COMBINE:
        return [stack, focus, waiting]
    return [stack + focus, waiting]


def item_text(
    vertex: int, configuration: _core.Configuration, words: list[str], system: TransitionSystem
) -> str:
    """Return an item as `steps` writes it."""
    label, left, _, head = configuration.node(vertex)
    if left < 0:
        return words[head]
    name = "" if label == CANDIDATE else system.labels.name(label)
    if name and system.kind.form.has_heads:
        return f"{name}[{words[head]}]"
    below = (word for start, stop in configuration.blocks(vertex) for word in words[start:stop])
    return f"{name}{{{' '.join(below)}}}"
