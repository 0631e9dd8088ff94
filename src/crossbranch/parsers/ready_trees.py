"""Training trees in the form that a transition system needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from crossbranch.config import Settings
from crossbranch.errors import InputError, TransformError
from crossbranch.transforms.head_choice import choose_head_table
from crossbranch.transitions import pipeline_for
from crossbranch.tree import Tree


def head_table(settings: Settings, trees: Sequence[Tree]) -> str | None:
    """Return the head table; None if the head marks of the trees are used."""
    if settings.heads == "none":
        return None
    return choose_head_table(trees) if settings.heads == "auto" else settings.heads


def ready_trees(
    system: str, heads: str | None, trees: Iterable[Tree], report: Callable[[InputError], None]
) -> Iterator[tuple[int, Tree]]:
    """Yield the trees in the form of a system, with their numbers. Others are reported."""
    steps = pipeline_for(system, heads)
    for number, tree in enumerate(trees):
        try:
            yield number, steps.apply(tree)
        except TransformError as error:
            report(refused(error, tree))


def refused(error: TransformError, tree: Tree) -> InputError:
    """Return the error for a tree that a parser cannot learn from."""
    return InputError(str(error), "a tree with a derivation", path="<train>", sentence=tree.id)
