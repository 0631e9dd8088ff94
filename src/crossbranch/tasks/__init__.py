"""Auxiliary tasks: what a parser may learn besides trees, one label for each token.

A task has a kind (`KINDS`), its settings (`TaskSettings`) and its sentences (`TaskData`), which
come from the trees of the parser or from files of its own. `Distributions` are numbers for each
token from another program. Nothing here needs a network.
"""

from crossbranch.tasks.data import TaskData, read_task
from crossbranch.tasks.distributions import Distributions, make_distributions, read_distributions
from crossbranch.tasks.files import TASK_FORMATS, read_files, read_parts
from crossbranch.tasks.inventory import (
    MISSING,
    UNKNOWN,
    Inventory,
    Labelled,
    Labels,
    count_labels,
)
from crossbranch.tasks.kinds import KINDS, Kind
from crossbranch.tasks.rows import to_tsv
from crossbranch.tasks.scores import TaskScore, score_labels
from crossbranch.tasks.settings import (
    DistributionSettings,
    KindName,
    Sampling,
    TaskSettings,
    active_tasks,
    check_tasks,
    draw,
    levels_needed,
)
from crossbranch.tasks.tree_labels import head_table, labels_of

__all__ = [
    "KINDS",
    "MISSING",
    "TASK_FORMATS",
    "UNKNOWN",
    "DistributionSettings",
    "Distributions",
    "Inventory",
    "Kind",
    "KindName",
    "Labelled",
    "Labels",
    "Sampling",
    "TaskData",
    "TaskScore",
    "TaskSettings",
    "active_tasks",
    "check_tasks",
    "count_labels",
    "draw",
    "head_table",
    "labels_of",
    "levels_needed",
    "make_distributions",
    "read_distributions",
    "read_files",
    "read_parts",
    "read_task",
    "score_labels",
    "to_tsv",
]
