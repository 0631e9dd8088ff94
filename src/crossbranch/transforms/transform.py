"""The contract of a transform, and pipelines of them.

A transform turns a tree into a tree. `undo` restores it: if there is an inverse, `undo(apply(tree))
== tree` is always true. On trees that a parser made, `undo` uses the labels alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from crossbranch.doors import check_call, door, doors_in
from crossbranch.errors import TransformError
from crossbranch.tree import Tree


class Transform(ABC):
    """Tree -> tree. A new one is one frozen dataclass in one file and one line in TRANSFORMS.

    The fields of the dataclass are the options, which pipelines give by position or name. They have
    the type str, int or bool, and a default unless they are required. Bad values raise UsageError.
    """

    name: ClassVar[str]
    has_inverse: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        doors_in(cls, "apply", "undo")

    def __new__(cls, *values: Any, **options: Any) -> Self:
        """Check the types of the options."""
        check_call(cls.__init__, None, *values, **options)
        return super().__new__(cls)

    @abstractmethod
    def apply(self, tree: Tree) -> Tree:
        """Return the transformed tree."""

    def undo(self, tree: Tree) -> Tree:
        """Return the tree that `apply` made this one from."""
        raise TransformError(f"{self.name} has no inverse: it cannot be undone")


@dataclass(frozen=True)
class Pipeline(Transform):
    """Several transforms, applied in order and undone in reverse order."""

    name: ClassVar[str] = "pipeline"
    steps: Sequence[Transform] = ()

    def apply(self, tree: Tree) -> Tree:
        """Apply the steps in order."""
        for step in self.steps:
            tree = step.apply(tree)
        return tree

    def undo(self, tree: Tree) -> Tree:
        """Undo the steps, the last one first."""
        for step in reversed(self.steps):
            tree = step.undo(tree)
        return tree

    def without_inverse(self) -> list[str]:
        """Return the names of the steps that cannot be undone."""
        return [step.name for step in self.steps if not step.has_inverse]


@door
def transform_each(
    trees: Iterable[Tree],
    step: Callable[[Tree], Tree],
    *,
    report: Callable[[TransformError], None] | None = None,
) -> Iterator[Tree]:
    """Yield what a step, such as `pipeline.apply`, makes of each tree.

    Args:
        trees: The trees; errors name them by their ids, or else by their numbers.
        step: What to do with each of them.
        report: Is told about each tree that the step does not fit, which is then left out. Without
            it, the first such tree is an error.
    """
    for number, tree in enumerate(trees, 1):
        try:
            changed = step(tree)
        except TransformError as error:
            name = f"sentence {tree.id or number}: "
            named = TransformError(name + str(error).removeprefix(name))
            if report is None:
                raise named from error
            report(named)
        else:
            yield changed
