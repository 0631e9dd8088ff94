"""SYSTEMS: the transition systems and their properties."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from crossbranch import _core
from crossbranch.errors import UsageError
from crossbranch.structure import TEMPORARY, BinaryForm, LabelSet, NaryForm, TreeForm
from crossbranch.transforms import Pipeline
from crossbranch.transitions import gap, swap, swap_online
from crossbranch.transitions.candidates import (
    CandidateGoldMaker,
    CandidateOracle,
    DynamicCandidateOracle,
)
from crossbranch.transitions.gold import BinaryGoldMaker
from crossbranch.transitions.moves import (
    COMBINE,
    FINISH,
    GAP,
    GHOST,
    IDLE,
    LABEL,
    LABELLED,
    LEFT,
    MERGE,
    MERGE_LEFT,
    MERGE_RIGHT,
    NO_LABEL,
    RIGHT,
    SHIFT,
    SWAP,
    UNARY,
)
from crossbranch.transitions.oracle import Oracle, StaticOracle
from crossbranch.tree import Tree

GoldMaker = Callable[[Tree], Any]
"""Makes the arrays that the oracles of a system need from a tree."""


@dataclass(frozen=True)
class SystemKind:
    """The properties of a transition system. The core has its transitions."""

    name: str
    title: str  # its name in the papers
    summary: str
    move: int  # the move for discontinuous trees: GAP, SWAP or COMBINE
    is_compound: bool  # whether one GAP or SWAP can move several items
    form: TreeForm  # of the trees it builds; without a joiner, unary nodes are reductions
    gold_maker: Callable[[_core.System, LabelSet], GoldMaker]
    oracles: Mapping[str, Oracle[Any]]  # the first is the default
    longest: str  # the longest derivation for n tokens, without unary reductions
    names: Mapping[int, str]  # of the moves, as in the papers
    is_open: bool = False  # whether `move` takes any number, whatever was seen in training

    def oracle(self, name: str | None) -> str:
        """Return the name of an oracle: the given one, or for None the default.

        Raises:
            UsageError: The system has no such oracle.
        """
        if name is not None and name not in self.oracles:
            some = ", ".join(self.oracles)
            raise UsageError(f"{self.name} has no oracle {name!r}; expected one of {some}")
        return next(iter(self.oracles)) if name is None else name

    def inventory(self, labels: LabelSet, longest: int) -> list[tuple[int, int]]:
        """Return all transitions with a label or an amount, as pairs of a move and its argument.

        Args:
            labels: The labels of the treebank.
            longest: The number of tokens in the longest sentence.
        """
        found = [
            (move, label)
            for move, may_be_temporary in LABELLED.items()
            if move in self.names
            for label in range(len(labels))
            if may_be_temporary or labels.kind(label) != TEMPORARY
        ]
        if self.is_compound and not self.is_open:
            found += [(self.move, amount) for amount in range(1, longest)]
        return found

    @property
    def builds_candidates(self) -> bool:
        """Whether labels are apart from structure: items are joined first and labelled then."""
        return LABEL in self.names

    @property
    def dynamic_oracles(self) -> tuple[str, ...]:
        """The oracles that can answer from every configuration."""
        return tuple(name for name, oracle in self.oracles.items() if oracle.is_dynamic)


_GAP_ORACLES = {"static": StaticOracle(gap.static)}
_GAP_NAMES = {SHIFT: "SH", UNARY: "RU({})", LEFT: "RL({})", RIGHT: "RR({})", IDLE: "IDLE"}
_SWAP_ORACLES = {
    "strict": StaticOracle(swap.strict),
    "eager": StaticOracle(swap_online.eager, swaps_nodes=True),
    "lazy": StaticOracle(swap_online.lazy, swaps_nodes=True),
    "lazier": StaticOracle(swap_online.lazier, swaps_nodes=True),
}
_SWAP_NAMES = {
    SHIFT: "SHIFT",
    UNARY: "UNARY-{}",
    LEFT: "BINARY-{}-L",
    RIGHT: "BINARY-{}-R",
    FINISH: "FINISH",
    IDLE: "IDLE",
}
_ML_ORACLES = {"static": CandidateOracle(), "dynamic": DynamicCandidateOracle()}
_ML_NAMES = {SHIFT: "SHIFT", LABEL: "LABEL-{}", NO_LABEL: "NO-LABEL", IDLE: "IDLE"}

SYSTEMS: dict[str, SystemKind] = {
    "gap": SystemKind(
        name="gap",
        title="SR-GAP",
        summary="a reduction may take any item of the stack (Coavoux & Crabbé 2017)",
        move=GAP,
        is_compound=False,
        form=BinaryForm(":", "+"),
        gold_maker=BinaryGoldMaker,
        oracles=_GAP_ORACLES,
        longest="(n²+n)/2",
        names={**_GAP_NAMES, GAP: "GAP"},
    ),
    "cgap": SystemKind(
        name="cgap",
        title="SR-CGAP",
        summary="SR-GAP with derivations of 4n-2 transitions (Coavoux & Crabbé 2017)",
        move=GAP,
        is_compound=True,
        form=BinaryForm(":", "+"),
        gold_maker=BinaryGoldMaker,
        oracles=_GAP_ORACLES,
        longest="4n-2",
        names={**_GAP_NAMES, GAP: "GAP_{}", GHOST: "GH"},
    ),
    "swap": SystemKind(
        name="swap",
        title="SR-SWAP",
        summary="items between two children of a node go back to the queue (Maier 2015)",
        move=SWAP,
        is_compound=False,
        form=BinaryForm("@"),
        gold_maker=BinaryGoldMaker,
        oracles=_SWAP_ORACLES,
        longest="n²-n+1",
        names={**_SWAP_NAMES, SWAP: "SINGLESWAP"},
    ),
    "cswap": SystemKind(
        name="cswap",
        title="SR-CSWAP",
        summary="SR-SWAP with several items in one swap (Maier 2015)",
        move=SWAP,
        is_compound=True,
        form=BinaryForm("@"),
        gold_maker=BinaryGoldMaker,
        oracles=_SWAP_ORACLES,
        longest="(n²+3n-4)/2",
        names={**_SWAP_NAMES, SWAP: "COMPOUNDSWAP_{}"},
    ),
    "ml-gap": SystemKind(
        name="ml-gap",
        title="ML-GAP",
        summary="SR-GAP with labels apart from structure (Coavoux, Crabbé & Cohen 2019)",
        move=GAP,
        is_compound=False,
        form=NaryForm(),
        gold_maker=CandidateGoldMaker,
        oracles=_ML_ORACLES,
        longest="(n²+5n-2)/2",
        names={**_ML_NAMES, MERGE: "MERGE", GAP: "GAP"},
    ),
    "ml-gap-lex": SystemKind(
        name="ml-gap-lex",
        title="ML-GAP-LEX",
        summary="ML-GAP with heads (Coavoux, Crabbé & Cohen 2019)",
        move=GAP,
        is_compound=False,
        form=NaryForm(has_heads=True),
        gold_maker=CandidateGoldMaker,
        oracles=_ML_ORACLES,
        longest="(n²+5n-2)/2",
        names={**_ML_NAMES, MERGE_LEFT: "MERGE-LEFT", MERGE_RIGHT: "MERGE-RIGHT", GAP: "GAP"},
    ),
    "ml-cgap": SystemKind(
        name="ml-cgap",
        title="ML-CGAP",
        summary="ML-GAP with derivations of 5n-3 transitions (Mielczarek 2023)",
        move=GAP,
        is_compound=True,
        form=NaryForm(),
        gold_maker=CandidateGoldMaker,
        oracles=_ML_ORACLES,
        longest="5n-3",
        names={**_ML_NAMES, MERGE: "MERGE", GAP: "COMPOUNDGAP_{}"},
        is_open=True,
    ),
    "stack-free": SystemKind(
        name="stack-free",
        title="stack-free",
        summary="the focus is joined with any item of a memory (Coavoux & Cohen 2019)",
        move=COMBINE,
        is_compound=False,
        form=NaryForm(),
        gold_maker=CandidateGoldMaker,
        oracles={
            "static": CandidateOracle(),
            "dynamic": DynamicCandidateOracle("next"),
            "dynamic-eager": DynamicCandidateOracle(),
        },
        longest="4n-2",
        names={**_ML_NAMES, COMBINE: "COMBINE-{}"},
        is_open=True,
    ),
}


def system_kind(name: str) -> SystemKind:
    """Return the system with this name."""
    if name not in SYSTEMS:
        known = ", ".join(SYSTEMS)
        raise UsageError(f"unknown transition system {name!r}; expected one of {known}")
    return SYSTEMS[name]


def pipeline_for(system: str, heads: str | None = None) -> Pipeline:
    """Return the transforms that make trees ready for a transition system.

    Args:
        system: One of SYSTEMS. In gap and cgap, only single tokens have unary nodes above them;
            other unary chains are joined into one node. In swap and cswap, every unary node is a
            reduction. In the others, trees are not binary, and unary chains are joined.
        heads: A head table. Without it, the head marks of the trees are used. If a node still has
            no head, its first child becomes the head.
    """
    return system_kind(system).form.pipeline(heads)


def make_ready(tree: Tree, system: str, heads: str | None = None) -> Tree:
    """Return a tree ready for a transition system, as `pipeline_for` makes it.

    If a tree has temporary labels and no node has more than two children, it is already binary: its
    heads and temporary nodes are kept.
    """
    return system_kind(system).form.shape(tree, heads)
