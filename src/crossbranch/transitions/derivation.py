"""Derivations: the transitions that build a tree, and the tree that they build."""

from __future__ import annotations

from dataclasses import dataclass

from crossbranch import _core
from crossbranch.errors import UsageError
from crossbranch.transforms import Pipeline
from crossbranch.transitions.system import TransitionSystem
from crossbranch.tree import Node, Sentence, Tree


@dataclass(frozen=True)
class Derivation:
    """A sentence and the transitions that build its tree, by their numbers."""

    system: TransitionSystem
    sentence: Sentence
    transitions: tuple[int, ...]
    id: str = ""

    def __len__(self) -> int:
        return len(self.transitions)

    @property
    def names(self) -> list[str]:
        """The transitions as the system's paper prints them."""
        return [self.system.name_of(transition) for transition in self.transitions]


def derive(tree: Tree, system: TransitionSystem) -> Derivation:
    """Return the derivation of a binary tree; see `pipeline_for` for how to get one.

    A node without a head mark is given a head: its temporary child, or else its first child.

    Raises:
        TransformError: The system cannot build this tree, or has not all that it takes.
    """
    return Derivation(system, tree.sentence, tuple(system.derive(tree)), tree.id)


def build(derivation: Derivation, pipeline: Pipeline | None = None) -> Tree:
    """Return the tree that a derivation builds.

    Args:
        derivation: It must reach the end; IDLE may follow.
        pipeline: What made the tree binary, to be undone; without it, the tree stays binary.
    """
    system = derivation.system
    place = f"sentence {derivation.id}: " if derivation.id else ""
    configuration = _core.Configuration(system.core, len(derivation.sentence))
    try:
        for transition in derivation.transitions:
            configuration.apply(transition)
    except ValueError as error:
        raise UsageError(f"{place}{error}") from None
    if not configuration.is_final:
        raise UsageError(f"{place}the derivation does not reach the end")
    root = _nodes(configuration, len(derivation.sentence), system)
    tree = Tree(derivation.sentence, root, id=derivation.id)
    return tree if pipeline is None else pipeline.undo(tree)


def _nodes(configuration: _core.Configuration, size: int, system: TransitionSystem) -> Node:
    """Return the node made last, which is the root."""
    parts: list[Node | int] = list(range(size))
    heads = list(range(size))
    node = Node("")
    for vertex in range(size, configuration.node_count):
        label, left, right, head = configuration.node(vertex)
        name = system.labels.name(label)
        if right < 0:
            node = Node(name, [parts[left]])
        else:
            node = Node(name, [parts[left], parts[right]], head=int(head != heads[left]))
        parts.append(node)
        heads.append(head)
    return node
