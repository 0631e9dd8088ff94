"""The data of tasks: labelled sentences for training and for scoring."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from crossbranch.doors import door
from crossbranch.errors import InputError, TreeError
from crossbranch.tasks.files import read_parts
from crossbranch.tasks.inventory import Inventory, Labelled
from crossbranch.tasks.kinds import KINDS
from crossbranch.tasks.settings import TaskSettings, check_tasks
from crossbranch.tasks.tree_labels import bad_tree, check_constituents, head_table, labels_of
from crossbranch.tree import Tree
from crossbranch.treebank.source import Report


class TaskData(NamedTuple):
    """The sentences of a task."""

    name: str
    train: list[Labelled]
    dev: list[Labelled]
    is_aligned: bool
    """Whether the training sentences are the parser's training trees, in the same order."""

    @door
    def inventory(self, min_count: int = 1) -> Inventory:
        """Return the labels of the training data that occur at least `min_count` times."""
        return Inventory.of(self.train, min_count=min_count)


@door
def read_task(
    name: str,
    settings: TaskSettings,
    *,
    train: Sequence[Tree] = (),
    dev: Sequence[Tree] = (),
    report: Report,
) -> TaskData:
    """Return the data of a task, from its files or from the trees of the parser.

    A sentence whose labels cannot be found is reported. In data from files, it is left out. In data
    from the trees of the parser, its labels are None, so that sentences keep their numbers.

    Args:
        name: The name of the task, for messages.
        settings: The settings of the task.
        train: The training trees of the parser.
        dev: The dev trees of the parser.
        report: Called with an InputError for each bad sentence. It may raise it.

    Raises:
        UsageError: The settings cannot be used, or a file cannot be opened.
        InputError: There is no label to learn from, or the trees have no constituents.
    """
    check_tasks({name: settings})
    if settings.train:
        parts = [settings.train, settings.dev] if settings.dev else [settings.train]
        found, *others = read_parts(parts, settings, report=report)
        kept = max(len(found) - settings.held_out, 0)
        scored = others[0] if others else found[kept:]
        data = TaskData(name, found[:kept], scored, _are_same(found[:kept], train))
    else:
        check_constituents(train, KINDS[settings.kind], "<train>")
        table = head_table(settings, train or dev)
        data = TaskData(
            name,
            list(_of_trees(train, settings, table, report)),
            list(_of_trees(dev, settings, table, report)),
            True,
        )
    if not any(label is not None for sentence in data.train for label in sentence.labels):
        where = ", ".join(settings.train) or "<train>"
        expected = f"labels for the task {name} (kind {settings.kind})"
        raise InputError("no label to learn from", expected, path=where)
    return data


def _are_same(sentences: Sequence[Labelled], trees: Sequence[Tree]) -> bool:
    """Return whether these are the sentences of the trees, in the same order."""
    return len(sentences) == len(trees) and all(
        list(sentence.forms) == tree.words for sentence, tree in zip(sentences, trees, strict=True)
    )


def _of_trees(
    trees: Iterable[Tree], settings: TaskSettings, table: str, report: Report
) -> Iterator[Labelled]:
    for number, tree in enumerate(trees, 1):
        try:
            yield labels_of(tree, settings, heads=table)
        except TreeError as error:
            report(bad_tree(error, settings, "<trees>", tree.id or str(number)))
            yield Labelled(tuple(tree.words), (None,) * len(tree.sentence))
