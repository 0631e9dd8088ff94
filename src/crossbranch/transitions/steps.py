"""A derivation as a table with one row for each configuration, as in the papers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from crossbranch import _core
from crossbranch.transitions.derivation import Derivation
from crossbranch.transitions.moves import FINISH, GAP
from crossbranch.transitions.system import TransitionSystem


class Step(NamedTuple):
    """The parts of a configuration, and the transition that led to it (empty at the start)."""

    parts: tuple[tuple[str, ...], ...]
    transition: str


def columns(system: TransitionSystem) -> list[str]:
    """Return the headings of the table: the parts of a configuration, and the transition."""
    if system.kind.move == GAP:
        return ["S", "D", "B", "Action"]
    return ["Stack", "Queue", "Transition"]


def steps(derivation: Derivation) -> Iterator[Step]:
    """Yield the configurations of a derivation. Nodes are written `NP[head]`."""
    system, sentence = derivation.system, derivation.sentence
    words = [token.form for token in sentence]
    configuration = _core.Configuration(system.core, len(sentence))

    def texts(vertices: list[int]) -> tuple[str, ...]:
        return tuple(_text(vertex, configuration, words, system) for vertex in vertices)

    yield Step(tuple(map(texts, _parts(configuration, system))), "")
    for transition in derivation.transitions:
        configuration.apply(transition)
        parts = _parts(configuration, system)
        if system.transitions[transition][0] == FINISH:
            parts = [[] for _ in parts]  # FINISH removes the tree from the stack
        yield Step(tuple(map(texts, parts)), system.name_of(transition))


def _parts(configuration: _core.Configuration, system: TransitionSystem) -> list[list[int]]:
    stack, aside = configuration.stack, configuration.aside
    focus = [configuration.focus] if configuration.focus >= 0 else []
    waiting: list[int] = []
    while (item := configuration.queue_item(len(waiting))) >= 0:
        waiting.append(item)
    if system.kind.move == GAP:
        return [stack, aside + focus, waiting]
    return [stack + focus, waiting]


def _text(
    vertex: int, configuration: _core.Configuration, words: list[str], system: TransitionSystem
) -> str:
    label, _, _, head = configuration.node(vertex)
    return words[head] if label < 0 else f"{system.labels.name(label)}[{words[head]}]"
