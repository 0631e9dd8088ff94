"""How long the derivations of a treebank are (Coavoux & Crabbé 2017, table 6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from crossbranch.structure import BinaryForm, NaryForm, TreeForm
from crossbranch.structure.forms import has_unary_chain
from crossbranch.transforms.binarize import Binarize
from crossbranch.transitions.moves import FINISH, IDLE
from crossbranch.transitions.system import TransitionSystem
from crossbranch.transitions.systems import SYSTEMS, system_kind
from crossbranch.tree import Tree

COMPARED: tuple[tuple[str, str], ...] = (
    ("gap", "static"),
    ("cgap", "static"),
    ("swap", "strict"),
    ("cswap", "strict"),
    ("swap", "eager"),
    ("swap", "lazy"),
    ("swap", "lazier"),
    ("ml-gap", "static"),
    ("ml-gap-lex", "static"),
    ("ml-cgap", "static"),
    ("stack-free", "static"),
)
"""Systems and oracles, in the order in which they are compared."""


@dataclass(frozen=True)
class Lengths:
    """Counts for the derivations of a treebank with one system and oracle; they can be added.

    FINISH and IDLE are not counted. A compound GAP or SWAP counts as one transition that moves
    several items, and a COMBINE as one that moves the items above the one that it takes.
    """

    system: str
    oracle: str
    sentences: int = 0
    tokens: int = 0
    transitions: int = 0
    longest: int = 0
    moved: int = 0  # items that were gapped or swapped
    most_in_a_row: int = 0  # items moved without another transition in between

    @classmethod
    def of(cls, tree: Tree, *, system: str, oracle: str) -> Lengths:
        """Count the derivation of a tree that is ready. A tree without tokens has none."""
        if not tree.sentence:
            return cls(system, oracle, sentences=1)
        known = TransitionSystem.open([tree], name=system, oracle=oracle)
        taken = [known.transition(number) for number in known.derive(tree)]
        taken = [(move, argument) for move, argument in taken if move not in (FINISH, IDLE)]
        moves = known.kind.move
        runs = [
            sum(argument for _, argument in run)
            for move, run in groupby(taken, key=lambda transition: transition[0])
            if move == moves
        ]
        return cls(
            system,
            oracle,
            sentences=1,
            tokens=len(tree.sentence),
            transitions=len(taken),
            longest=len(taken),
            moved=sum(runs),
            most_in_a_row=max(runs, default=0),
        )

    def __add__(self, other: Lengths) -> Lengths:
        return Lengths(
            self.system,
            self.oracle,
            sentences=self.sentences + other.sentences,
            tokens=self.tokens + other.tokens,
            transitions=self.transitions + other.transitions,
            longest=max(self.longest, other.longest),
            moved=self.moved + other.moved,
            most_in_a_row=max(self.most_in_a_row, other.most_in_a_row),
        )

    @property
    def average(self) -> float:
        """Transitions per token."""
        return self.transitions / self.tokens if self.tokens else 0.0

    @property
    def bound(self) -> str:
        """The longest derivation that a sentence of n tokens can have, without unary reductions."""
        return system_kind(self.system).longest

    @property
    def title(self) -> str:
        """The name of the system, with the oracle if there are several static ones."""
        kind = SYSTEMS[self.system]
        has_one = len(kind.oracles) - len(kind.dynamic_oracles) == 1
        return kind.title if has_one else f"{kind.title} {self.oracle}"

    def to_dict(self) -> dict[str, object]:
        """Return the figures for JSON."""
        return {
            "system": self.system,
            "oracle": self.oracle,
            "theoretical_longest": self.bound,
            "longest": self.longest,
            "moved": self.moved,
            "most_in_a_row": self.most_in_a_row,
            "transitions": self.transitions,
            "transitions_per_token": self.average,
        }


def compare(
    trees: Iterable[Tree],
    heads: str | None = None,
    *,
    systems: Sequence[tuple[str, str]] = COMPARED,
) -> list[Lengths]:
    """Return how long the derivations of trees are with several systems and oracles.

    All systems derive the same trees: unary chains are joined, also for SR-SWAP, which could make a
    reduction of each of their nodes. So only the node above a single token is a unary reduction.

    Args:
        trees: Trees of a treebank. They may already be binary.
        heads: A head table. Without it, the head marks of the trees are used.
        systems: Pairs of a system and one of its oracles.
    """
    totals = [Lengths(system, oracle) for system, oracle in systems]
    for number, tree in enumerate(trees, 1):
        tree = tree if tree.id else tree.replace(id=str(number))  # for error messages
        ready: dict[TreeForm, Tree] = {}
        for place, (system, oracle) in enumerate(systems):
            form = SYSTEMS[system].form
            if form not in ready:
                ready[form] = _without_chains(tree, form, heads)
            totals[place] += Lengths.of(ready[form], system=system, oracle=oracle)
    return totals


def _without_chains(tree: Tree, form: TreeForm, heads: str | None) -> Tree:
    """Return a tree in a form, with joined unary chains.

    They are joined before the tree is made binary: in SR-SWAP, the label of a temporary node must
    be that of the node that it becomes.
    """
    if not isinstance(form, BinaryForm) or not has_unary_chain(tree):
        return form.shape(tree, heads)
    if form.is_binary(tree):
        tree = Binarize(mark=form.mark).undo(tree)
    return form.shape(NaryForm(has_heads=True).shape(tree, heads))
