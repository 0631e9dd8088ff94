"""Derivations: the transitions that build a tree, and the tree that they build."""

from __future__ import annotations

from dataclasses import dataclass

from crossbranch import _core
from crossbranch.errors import UsageError
from crossbranch.transforms import Pipeline
from crossbranch.transitions.moves import CANDIDATE
from crossbranch.transitions.system import TransitionSystem
from crossbranch.tree import Node, Sentence, Tree


@dataclass(frozen=True)
class Derivation:
    """A sentence, and the numbers of the transitions that build its tree."""

    system: TransitionSystem
    sentence: Sentence
    transitions: tuple[int, ...]
    id: str = ""

    def __len__(self) -> int:
        return len(self.transitions)

    @property
    def names(self) -> list[str]:
        """The names of the transitions, as in the paper on the system."""
        return [self.system.name_of(transition) for transition in self.transitions]


def derive(tree: Tree, system: TransitionSystem) -> Derivation:
    """Return the derivation of a tree in the form that the system needs; see `pipeline_for`.

    If a node has no head mark, its head is its temporary child, or else its first child.

    Raises:
        TransformError: The system cannot build this tree, or it lacks a label or transition.
    """
    return Derivation(system, tree.sentence, tuple(system.derive(tree)), tree.id)


def build(derivation: Derivation, pipeline: Pipeline | None = None) -> Tree:
    """Return the tree that a derivation builds.

    Args:
        derivation: A complete derivation. IDLE may follow its end.
        pipeline: The transforms that gave the tree the form of the system. They are undone; without
            them, the tree keeps this form.
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
        raise UsageError(f"{place}the derivation is not complete")
    root = _nodes(configuration, len(derivation.sentence), system)
    tree = Tree(derivation.sentence, root, id=derivation.id)
    return tree if pipeline is None else pipeline.undo(tree)


def _nodes(configuration: _core.Configuration, size: int, system: TransitionSystem) -> Node:
    """Return the node that was built last: the root."""
    parts: dict[int, Node | int] = {token: token for token in range(size)}
    heads = list(range(size))
    joined: dict[int, list[int]] = {}  # the vertices below a candidate
    node = Node("")
    for vertex in range(size, configuration.node_count):
        label, left, right, token = configuration.node(vertex)
        pair = (left,) if right < 0 else (left, right)
        below = [part for child in pair for part in joined.get(child, [child])]
        heads.append(token)
        if label == CANDIDATE:
            joined[vertex] = below
            continue
        has_head = system.kind.form.has_heads and len(below) > 1
        head = [heads[part] for part in below].index(token) if has_head else None
        node = Node(system.labels.name(label), [parts[part] for part in below], head=head)
        parts[vertex] = node
    return node
