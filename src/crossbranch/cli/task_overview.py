"""The tasks of a settings file or of an experiment, with the figures of their data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from crossbranch.cli.tables import Form, plain_table, print_records, print_tables
from crossbranch.errors import UsageError

if TYPE_CHECKING:
    from crossbranch.tasks import TaskSettings
    from crossbranch.tree import Tree
    from crossbranch.treebank.source import Report


class _TaskFile(NamedTuple):
    """What a file says: the tasks by name, and the treebanks of an experiment."""

    tasks: dict[str, TaskSettings]
    train: list[str]
    dev: list[str]


def show_overview(
    file: str,
    tree_files: Sequence[str],
    dev_files: Sequence[str],
    *,
    report: Report,
    form: Form | None,
) -> None:
    """Print a row for each task in a file.

    Args:
        file: The settings of a parser or an experiment, in TOML.
        tree_files: Treebanks with the training trees; empty: those of the experiment.
        dev_files: Treebanks with the dev trees; empty: those of the experiment.
        report: Called with an InputError for each bad sentence.
        form: CSV or JSON; None: a table for people.
    """
    found = _read(file)
    tasks = {name: task for name, task in found.tasks.items() if task.enabled}
    tree_files, dev_files = tree_files or found.train, dev_files or found.dev
    needing = [name for name, task in tasks.items() if not task.train]
    if needing and not tree_files:
        raise UsageError(f"the task {needing[0]} needs the training trees; name them with --trees")
    trees = _read_trees(tree_files if needing else (), report)
    dev_trees = _read_trees(dev_files if needing else (), report)
    _print([_record(name, task, trees, dev_trees, report) for name, task in tasks.items()], form)


def _record(
    name: str,
    settings: TaskSettings,
    trees: Sequence[Tree],
    dev_trees: Sequence[Tree],
    report: Report,
) -> dict[str, Any]:
    from crossbranch.tasks import read_task
    from crossbranch.tasks.report import TaskFigures

    data = read_task(name, settings, train=trees, dev=dev_trees, report=report)
    inventory = data.inventory(settings.min_count)
    train, dev = (TaskFigures.of(some, inventory) for some in (data.train, data.dev))
    return {
        "task": name,
        "kind": settings.kind,
        "data": " ".join(Path(file).name for file in settings.train) or "trees",
        "level": settings.level,
        "sentences": train.sentences,
        "labelled": train.labelled,
        "labels": train.labels,
        "learned": len(inventory),
        "dev_sentences": dev.sentences,
        "dev_coverage": dev.coverage if dev.labelled else None,
    }


def _read(file: str) -> _TaskFile:
    """Read a file. In an experiment, the tasks of a variant have its name before theirs."""
    from crossbranch.config import merged, read_toml
    from crossbranch.tasks import TaskSettings, check_tasks
    from crossbranch.transforms.user_files import read_text

    values = read_toml(read_text(Path(file)), path=file)
    folder = Path(file).parent if {"settings", "variant", "preset"} & {*values} else Path()
    common = _table(file, "settings", values.get("settings", {}))
    own = merged(
        _table(file, "task", values.get("task", {})),
        _table(file, "settings.task", common.get("task", {})),
    )
    tables = {name: (f"task.{name}", table) for name, table in own.items()}
    for variant, settings in _table(file, "variant", values.get("variant", {})).items():
        place = f"variant.{variant}"
        added = _table(file, f"{place}.task", _table(file, place, settings).get("task", {}))
        for name, table in added.items():
            known = _table(file, f"task.{name}", own.get(name, {}))
            changed = merged(known, _table(file, f"{place}.task.{name}", table))
            tables[f"{variant}.{name}"] = f"{place}.task.{name}", changed
    if not tables:
        raise UsageError(f"{file} has no task: there is no table such as [task.chunks]")
    tasks = {}
    for name, (place, table) in tables.items():
        task = TaskSettings.of(_table(file, place, table), within=f"{place}.")
        files = {key: _located(getattr(task, key), folder) for key in ("train", "dev")}
        tasks[name] = task.changed(files)
    check_tasks(tasks)
    return _TaskFile(tasks, _treebanks(values, "train", folder), _treebanks(values, "dev", folder))


def _table(file: str, place: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise UsageError(f"{file}: {place} is {value!r}, expected a table")
    return value


def _treebanks(values: Mapping[str, Any], key: str, folder: Path) -> list[str]:
    found = values.get(key, [])
    named = list(found.values()) if isinstance(found, Mapping) else [found] if found else []
    return list(_located([name for name in named if isinstance(name, str)], folder))


def _located(files: Sequence[str], folder: Path) -> tuple[str, ...]:
    return tuple(str(folder / file) if (folder / file).exists() else file for file in files)


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
