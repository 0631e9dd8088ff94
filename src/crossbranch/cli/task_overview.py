"""The tasks of a settings file, with the figures of their data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crossbranch.cli.tables import Form, plain_table, print_records, print_tables
from crossbranch.errors import UsageError

if TYPE_CHECKING:
    from crossbranch.tasks import TaskSettings
    from crossbranch.tree import Tree
    from crossbranch.treebank.source import Report


def show_overview(
    file: str,
    tree_files: Sequence[str],
    dev_files: Sequence[str],
    *,
    report: Report,
    form: Form | None,
) -> None:
    """Print a row for each task in a settings file.

    Args:
        file: The settings, in TOML.
        tree_files: Treebanks with the training trees of the parser.
        dev_files: Treebanks with its dev trees.
        report: Called with an InputError for each bad sentence.
        form: CSV or JSON; None: a table for people.
    """
    from crossbranch.tasks import read_task
    from crossbranch.tasks.report import TaskFigures

    tasks = _read_settings(file)
    needing = [name for name, task in tasks.items() if task.enabled and not task.train]
    if needing and not tree_files:
        raise UsageError(f"the task {needing[0]} needs the training trees; name them with --trees")
    trees, dev_trees = (_read_trees(files, report) for files in (tree_files, dev_files))
    records: list[dict[str, Any]] = []
    for name, settings in tasks.items():
        if not settings.enabled:
            continue
        data = read_task(name, settings, train=trees, dev=dev_trees, report=report)
        inventory = data.inventory(settings.min_count)
        train = TaskFigures.of(data.train, inventory)
        dev = TaskFigures.of(data.dev, inventory)
        records.append(
            {
                "task": name,
                "kind": settings.kind,
                "data": " ".join(settings.train) or "trees",
                "level": settings.level,
                "sentences": train.sentences,
                "labelled": train.labelled,
                "labels": train.labels,
                "learned": len(inventory),
                "dev_sentences": dev.sentences,
                "dev_coverage": dev.coverage if dev.labelled else None,
            }
        )
    _print(records, form)


def _read_settings(file: str) -> dict[str, TaskSettings]:
    from crossbranch.config import read_toml
    from crossbranch.tasks import TaskSettings, check_tasks
    from crossbranch.transforms.user_files import read_text

    tables = read_toml(read_text(Path(file)), path=file).get("task", {})
    if not tables or not isinstance(tables, Mapping):
        raise UsageError(f"{file} has no task: there is no table such as [task.chunks]")
    found = {}
    for name, table in tables.items():
        if not isinstance(table, Mapping):
            raise UsageError(f"{file}: task.{name} is {table!r}, expected a table")
        found[name] = TaskSettings.of(table, within=f"task.{name}.")
    check_tasks(found)
    return found


def _read_trees(files: Sequence[str], report: Report) -> list[Tree]:
    from crossbranch.treebank import read

    return [tree for file in files for tree in read(file, on_error="skip", report=report)]


def _print(records: Sequence[dict[str, Any]], form: Form | None) -> None:
    if form is not None:
        print_records(records, form)
        return
    from rich.text import Text

    numbers = ("level", "sentences", "labelled", "labels", "learned", "dev_sentences")
    headings = ["level", "sentences", "with label", "labels", "learned", "dev", "known"]
    table = plain_table(["task", "kind", "data"], headings)
    for one in records:
        texts = [Text(one[key]) for key in ("task", "kind", "data")]
        known = "" if one["dev_coverage"] is None else f"{one['dev_coverage']:.1%}"
        table.add_row(*texts, *(f"{one[key]:,}" for key in numbers), known)
    print_tables(table)
