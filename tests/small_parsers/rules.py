"""Rules of binary, continuous trees: what the chart and the grammar parser have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from crossbranch.errors import TransformError
from crossbranch.structure import BinaryForm
from crossbranch.transforms import Pipeline
from crossbranch.transforms.raising import Raise
from crossbranch.tree import Node, Tree

FORM = BinaryForm(mark=":", joiner="+")
_CONTINUOUS = Pipeline((Raise(),))


NOTHING = "\0"  # the right symbol of a rule that has none; a label may be empty


class Rule(NamedTuple):
    """A label over one or two symbols; the symbol of a token is its tag after a slash."""

    label: str
    left: str
    right: str = NOTHING


def shaped(tree: Tree) -> Tree:
    """Make a tree continuous and binary."""
    try:
        return FORM.shape(_CONTINUOUS.apply(tree))
    except TransformError as error:
        raise AssertionError("every tree can be raised") from error


def rules_of(tree: Tree) -> Iterator[Rule]:
    """Yield the rules of a binary tree."""
    for node in tree.nodes:
        yield Rule(node.label, *(_symbol(child, tree) for child in node.children))


def _symbol(child: Node | int, tree: Tree) -> str:
    return child.label if isinstance(child, Node) else tag_symbol(tree.sentence[child].tag)


def tag_symbol(tag: str) -> str:
    return f"/{tag}"


def unshaped(root: Node, tree: Tree) -> Node:
    """Return the n-ary root of a binary one."""
    return FORM.pipeline().undo(Tree(tree.sentence, root)).root
