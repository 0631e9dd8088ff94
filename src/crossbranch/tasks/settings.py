"""Settings of auxiliary tasks: a table such as `[task.chunks]` for each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Annotated, Literal

from crossbranch.config import Names, SettingsTable
from crossbranch.doors import door
from crossbranch.errors import UsageError
from crossbranch.ranges import Count, Few, NoWidth, Share, Size, Weight

KindName = Literal[
    "tag",
    "morphology",
    "function",
    "column",
    "chunk",
    "supertag",
    "supertag-sketch",
    "spine",
    "relation",
    "dependency",
    "left",
    "right",
    "ccg",
    "ccg-head",
    "ccg-argument",
    "ccg-sketch",
]
"""The names of the built-in tasks."""

Sampling = Literal["proportional", "even"]
"""How often tasks are learned; proportional: as often as they have sentences; even: equally."""


class TaskSettings(SettingsTable, frozen=True, kw_only=True):
    """An auxiliary task: where its labels come from, and where the network learns it."""

    kind: Annotated[KindName, "what is learned; see `crossbranch tasks`"] = "tag"
    enabled: Annotated[bool, "learn this task"] = True
    control: Annotated[bool, "learn this task in control models, too (auxiliary = false)"] = False
    level: Annotated[Few, "layer of the network that the task is attached to, from 1"] = 1
    weight: Annotated[Weight, "factor of the loss of this task"] = 1.0
    train: Annotated[
        Names, "files with training data; empty: the training trees of the parser"
    ] = ()
    dev: Annotated[Names, "files with dev data; empty: the dev trees, if train is empty, too"] = ()
    held_out: Annotated[
        Count, "number of sentences at the end of the train files to use as dev data"
    ] = 0
    format: Annotated[str, "format of the files; empty: guessed"] = ""
    column: Annotated[
        str,
        "column with the labels: a number from 1 (-1: the last one), or a name such as upos or"
        " feats.Case; empty: the usual one of the kind",
    ] = ""
    words: Annotated[str, "column with the words: a number or a name; empty: the usual one"] = ""
    header: Annotated[bool, "the first line of a file with columns has their names"] = False
    missing: Annotated[str, "text in a column that stands for no label"] = "_"
    min_count: Annotated[Size, "learn only labels that occur at least this often"] = 1
    heads: Annotated[
        str, "head rules for labels from trees: a name or a file; auto: by the labels"
    ] = "auto"
    farthest: Annotated[
        Count | None,
        "largest distance in labels of dependency (usually 3), left and right (5); 0: no limit",
    ] = None
    subtypes: Annotated[bool, "keep subtypes of relations, such as :poss in nmod:poss"] = False
    above: Annotated[bool, "add the label of the node above to supertags and spines"] = False
    category_features: Annotated[bool, "keep features of CCG categories, such as [dcl]"] = True


class DistributionSettings(SettingsTable, frozen=True, kw_only=True):
    """Numbers for each token from elsewhere, as additional input of a parser."""

    train: Annotated[str, "file with the rows of the training trees"] = ""
    dev: Annotated[str, "file with the rows of the dev trees"] = ""
    test: Annotated[str, "file with the rows of the test trees of an experiment"] = ""
    format: Annotated[
        Literal["auto", "tsv", "json"],
        "format of the files; tsv: a line for each token, an empty line after each sentence;"
        " json: a line for each sentence; auto: by the content",
    ] = "auto"
    width: Annotated[NoWidth, "how many numbers each token has; 0: as many as in the first row"] = 0
    log_probabilities: Annotated[bool, "the files have natural logarithms of probabilities"] = False
    words: Annotated[bool, "each line of a tsv file starts with the word"] = False
    size: Annotated[NoWidth, "size of both layers of the network for them; 0: the width"] = 0
    dropout: Annotated[Share, "dropout between the two layers"] = 0.1


@door
def active_tasks(tasks: Mapping[str, TaskSettings], *, auxiliary: bool) -> dict[str, TaskSettings]:
    """Return the tasks that a model learns.

    Args:
        tasks: All tasks of the settings, by name.
        auxiliary: With False, only the tasks of control models are left.
    """
    return {
        name: task for name, task in tasks.items() if task.enabled and (auxiliary or task.control)
    }


@door
def levels_needed(tasks: Mapping[str, TaskSettings]) -> int:
    """Return how many layers of the network the enabled tasks need.

    Control models need the same number, so that they have the same size: do not leave out tasks
    with `active_tasks` before.
    """
    return max((task.level for task in tasks.values() if task.enabled), default=0)


@door
def check_tasks(tasks: Mapping[str, TaskSettings], *, layers: int | None = None) -> None:
    """Raise a UsageError that names the setting if a task cannot be learned.

    Args:
        tasks: All tasks of the settings, by name.
        layers: The number of layers of the network, if it is known.
    """
    for name, task in tasks.items():
        place = f"the setting task.{name}"
        if task.dev and not task.train:
            raise UsageError(f"{place}.dev has files, but task.{name}.train has none")
        if task.held_out and task.dev:
            raise UsageError(f"{place}.held_out is {task.held_out}, but task.{name}.dev has files")
        if task.held_out and not task.train:
            raise UsageError(
                f"{place}.held_out is {task.held_out}, but task.{name}.train has no files"
            )
        if task.kind == "column" and not task.column:
            raise UsageError(f"{place}.column is empty; the kind column needs one")
        if task.kind.startswith("ccg") and not (task.train or task.column):
            raise UsageError(
                f"{place}.train is empty; the kind {task.kind} needs files with CCG categories"
            )
        if layers is not None and task.enabled and task.level > layers:
            raise UsageError(
                f"{place}.level is {task.level}, expected at most {layers}: the number of layers"
            )


@door
def draw(sizes: Sequence[int], how: Sampling, count: int, rng: Random) -> list[int]:
    """Return the numbers of the tasks to learn in the next `count` steps, in random order.

    With "proportional", each task occurs as often as its share of all sentences says. So with as
    many steps as there are sentences, each task has one step for each of its sentences. With
    "even", all tasks occur equally often. Rounding never makes a difference of more than one.

    Args:
        sizes: The number of sentences of each task. Tasks without sentences never occur.
        how: "proportional" or "even".
        count: The number of steps.
        rng: Makes the choice. With the same state it gives the same result.

    >>> sorted(draw([6, 2], "proportional", 4, Random(1)))
    [0, 0, 0, 1]
    """
    if how not in ("proportional", "even"):
        raise UsageError(f"how is {how!r}, expected proportional or even")
    shares = [float(size if how == "proportional" else size > 0) for size in sizes]
    total = sum(shares)
    if not total:
        return []
    exact = [count * share / total for share in shares]
    counts = list(map(int, exact))
    # What rounding left over goes to the tasks that lost most by it; ties are drawn.
    left = count - sum(counts)
    order = sorted(
        (number for number, share in enumerate(shares) if share),
        key=lambda number: (counts[number] - exact[number], rng.random()),
    )
    for number in order[:left]:
        counts[number] += 1
    steps = [number for number, times in enumerate(counts) for _ in range(times)]
    rng.shuffle(steps)
    return steps
