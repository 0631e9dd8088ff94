"""Labels from trees: heads are marked, and the kind of the task does the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crossbranch.doors import door
from crossbranch.errors import InputError, TreeError
from crossbranch.tasks.inventory import Labelled
from crossbranch.tasks.kinds import KINDS, Kind
from crossbranch.tasks.settings import TaskSettings
from crossbranch.transforms.head_choice import choose_head_table
from crossbranch.tree import ROOT, Tree


@door
def labels_of(tree: Tree, settings: TaskSettings, *, heads: str = "") -> Labelled:
    """Return the words and labels of a tree.

    Args:
        tree: The tree. Heads that are marked in it stay.
        settings: The settings of the task.
        heads: The head rules, from `head_table`; empty: those of the settings.

    Raises:
        TreeError: The tree does not have what the task needs, such as heads.
    """
    kind = KINDS[settings.kind]
    if kind.needs_heads:
        tree = tree.mark_heads(heads or settings.heads)
    try:
        labels = kind.of_tree(tree, settings)
    except ValueError as error:
        if isinstance(error, TreeError):
            raise
        raise TreeError(f"{error.args[1]!r} is not a label of the kind {kind.name}") from None
    return Labelled(tuple(tree.words), tuple(labels))


@door
def head_table(settings: TaskSettings, trees: Iterable[Tree]) -> str:
    """Return the head rules of a task: those of the settings, or the table that fits the trees."""
    if not KINDS[settings.kind].needs_heads:
        return ""
    return choose_head_table(trees) if settings.heads == "auto" else settings.heads


def check_constituents(trees: Sequence[Tree], kind: Kind, path: str) -> None:
    """Raise an InputError if a kind needs constituents, but no tree has any."""
    if not kind.needs_constituents or not trees:
        return
    if all(tree.root.label == ROOT and len(tree.nodes) == 1 for tree in trees):
        raise InputError("no constituents", f"trees, for the kind {kind.name}", path=path)


def bad_tree(error: TreeError, settings: TaskSettings, path: str, name: str) -> InputError:
    """Return the error of a tree that a task cannot use."""
    expected = f"a tree with labels of the kind {settings.kind}"
    return InputError(str(error), expected, path=path, sentence=name)
