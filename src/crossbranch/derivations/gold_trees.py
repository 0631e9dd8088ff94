"""The derivation of a gold tree: how a transition system builds it."""

from __future__ import annotations

from collections.abc import Sequence

from crossbranch.derivations.frames import show
from crossbranch.derivations.shows import Show
from crossbranch.transforms.head_choice import choose_head_table
from crossbranch.transitions import TransitionSystem, derive, make_ready
from crossbranch.tree import Tree


def head_table(heads: str, trees: Sequence[Tree]) -> str | None:
    """Return the head table for a name, "auto" or "none". None: marked heads are used."""
    if heads == "none":
        return None
    return choose_head_table(trees) if heads == "auto" else heads


def show_tree(tree: Tree, system: str, *, oracle: str, heads: str | None) -> Show:
    """Return the derivation of a tree with all its frames.

    Args:
        tree: The tree. It is binarized if the system needs that.
        system: The name of the transition system.
        oracle: The name of the oracle, as `SystemKind.oracle` returns it.
        heads: The head table, or None if the heads of the tree are marked.

    Raises:
        TransformError: The system cannot build this tree.
    """
    ready = make_ready(tree, system, heads)
    return show(derive(ready, TransitionSystem.open([ready], name=system, oracle=oracle)))
