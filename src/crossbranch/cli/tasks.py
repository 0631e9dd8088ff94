"""crossbranch tasks: the kinds of auxiliary tasks, and the labels that they find in files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from crossbranch.cli.options import in_range, report
from crossbranch.cli.show import say_left_out, write_text
from crossbranch.cli.tables import Form, form_options, plain_table, print_records, print_tables
from crossbranch.errors import CrossbranchError, InputError, UsageError
from crossbranch.ranges import Count, Size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from crossbranch.tasks import Labelled, TaskSettings
    from crossbranch.tasks.report import LabelFigures, TaskFigures

_KINDS = click.Choice(
    [
        *("tag", "morphology", "function", "column", "chunk", "supertag", "supertag-sketch"),
        *("spine", "relation", "dependency", "left", "right"),
        *("ccg", "ccg-head", "ccg-argument", "ccg-sketch"),
    ]
)


@click.command(short_help="Show the labels of auxiliary tasks.")
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option("--kind", type=_KINDS, metavar="KIND", help="Find labels of this kind.")
@click.option(
    "--from",
    "source_format",
    metavar="FORMAT",
    help="Set the format: columns, ccgbank, supertags, spinal, parg or one of treebanks"
    " (default: guessed).",
)
@click.option(
    "--column",
    metavar="COLUMN",
    help="Take labels from this column: a number, or a name such as upos or feats.Case.",
)
@click.option(
    "--heads",
    metavar="TABLE",
    help="Choose head rules for labels from trees: a table, a file, or auto (best table).",
)
@click.option(
    "--set",
    "assignments",
    metavar="KEY=VALUE",
    multiple=True,
    help="Change any other setting of a task, such as farthest; repeatable.",
)
@click.option(
    "--dev",
    "dev_files",
    metavar="FILE",
    multiple=True,
    help="Count how many labels of this file occur in the others; repeatable.",
)
@click.option(
    "--trees",
    "tree_files",
    metavar="FILE",
    multiple=True,
    help="Name the training trees for the tasks of a settings file; repeatable.",
)
@click.option(
    "--model",
    metavar="MODEL",
    help="Predict the labels with this neural model, and compare them with those of FILEs.",
)
@click.option("--task", metavar="NAME", help="Name the task of MODEL, such as tag.")
@click.option(
    "--min-count",
    type=in_range(Size),
    default=1,
    show_default=True,
    metavar="N",
    help="Count a label as known if it occurs at least N times.",
)
@click.option(
    "--top",
    type=in_range(Count),
    default=20,
    show_default=True,
    metavar="N",
    help="Show only the N most frequent labels; 0 shows all.",
)
@click.option(
    "--to",
    "target_format",
    type=click.Choice(["tsv"]),
    help="Write all words and labels in two columns instead of the figures.",
)
@click.option(
    *("--output", "-o", "target"),
    default="-",
    metavar="FILE",
    help="Write the columns to this file (default: standard output).",
)
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="Stop at a bad sentence, or skip it: report it and continue with the next one.",
)
@form_options
def tasks(
    files: tuple[str, ...],
    *,
    kind: str | None,
    source_format: str | None,
    column: str | None,
    heads: str | None,
    assignments: tuple[str, ...],
    dev_files: tuple[str, ...],
    tree_files: tuple[str, ...],
    model: str | None,
    task: str | None,
    min_count: int,
    top: int,
    target_format: str | None,
    target: str,
    on_error: Literal["stop", "skip"],
    form: Form | None,
) -> None:
    """Show the labels that an auxiliary task finds in FILEs: one label for each word.

    A neural parser can learn such labels besides trees. Labels come from trees (tags, chunks,
    supertags, dependencies), from CoNLL-U, from files with columns, or from CCGbank. Without FILE,
    this lists the kinds of tasks. With --to tsv, words and labels are written in columns, for
    other programs or for your own eyes.

    If FILE has the settings of a parser or of an experiment (.toml), its tasks are listed with
    figures of their data. So you can check them before training.

    With --model and --task, a trained parser predicts the labels of one of its tasks for the words
    of FILEs. The figures show how many are right. With --to tsv, there are three columns: words,
    labels of FILEs, and predicted labels.

    \b
    Examples:
      crossbranch tasks
      crossbranch tasks train.export --kind supertag --dev dev.export --min-count 2
      crossbranch tasks train.conllu --kind column --column feats.Case
      crossbranch tasks wsj.auto wsj.parg --kind right --to tsv -o right.tsv
      crossbranch tasks my-parser.toml --trees train.export --dev dev.export
      crossbranch tasks dev.export --model my-model --task chunks
    """  # noqa: D301 - click reads \b
    from crossbranch.tasks import Inventory, read_parts
    from crossbranch.tasks.report import TaskFigures, label_figures

    if not files:
        _refuse_without_files(kind, dev_files)
        _list_kinds(form)
        return
    if target != "-" and target_format is None:
        raise UsageError("--output needs --to tsv")
    skipped: list[CrossbranchError] = []

    def note(error: InputError) -> None:
        if on_error == "stop":
            raise error
        skipped.append(error)
        report(error)

    if model is not None or task is not None:
        from crossbranch.cli.task_prediction import show_prediction

        if kind is not None or dev_files or tree_files:
            raise UsageError("--model knows its tasks; it needs no --kind, no --dev and no --trees")
        changes = _changes(source_format, column, heads, assignments)
        to = None if target_format is None else target
        show_prediction(files, model, task, changes, top=top, to=to, report=note, form=form)
        say_left_out(skipped)
        return
    if files[0].endswith(".toml"):
        from crossbranch.cli.task_overview import show_overview

        if len(files) > 1 or kind is not None or target_format is not None:
            raise UsageError(f"{files[0]} must be the only FILE; it needs no --kind and no --to")
        show_overview(files[0], tree_files, dev_files, report=note, form=form)
        say_left_out(skipped)
        return
    if tree_files:
        raise UsageError("--trees is for the tasks of a settings file (.toml)")
    settings = _settings(kind, source_format, column, heads, assignments)
    parts = [files, dev_files] if dev_files else [files]
    found, *dev = read_parts(parts, settings, report=note)
    if target_format is not None:
        _write(found, target)
    else:
        inventory = Inventory.of(found, min_count=min_count)
        figures = {"train": TaskFigures.of(found, inventory)}
        if dev:
            figures["dev"] = TaskFigures.of(dev[0], inventory)
        _show(figures, label_figures(found), top, form)
    say_left_out(skipped)


def _refuse_without_files(kind: str | None, dev_files: tuple[str, ...]) -> None:
    if kind is not None or dev_files:
        raise UsageError("there is no FILE to find labels in")


def _settings(
    kind: str | None,
    source_format: str | None,
    column: str | None,
    heads: str | None,
    assignments: tuple[str, ...],
) -> TaskSettings:
    from crossbranch.tasks import TaskSettings

    if kind is None:
        raise UsageError("give --kind; `crossbranch tasks` lists the kinds")
    if kind == "column" and not column:
        raise UsageError("--kind column needs --column")
    changes = _changes(source_format, column, heads, assignments)
    return TaskSettings.of({**changes, "kind": kind})


def _changes(
    source_format: str | None,
    column: str | None,
    heads: str | None,
    assignments: tuple[str, ...],
) -> dict[str, object]:
    """Return the settings of a task that options give."""
    from crossbranch.config import read_assignments

    given = {"format": source_format, "column": column, "heads": heads}
    found: dict[str, object] = dict(read_assignments(assignments))
    return found | {name: value for name, value in given.items() if value is not None}


def _list_kinds(form: Form | None) -> None:
    from rich.text import Text

    from crossbranch.tasks import KINDS

    records: list[dict[str, Any]] = [
        {
            "kind": kind.name,
            "summary": kind.summary,
            "from_trees": not kind.name.startswith("ccg"),
            "from_columns": kind.of_cells is not None,
        }
        for kind in KINDS.values()
    ]
    if form is not None:
        print_records(records, form)
        return
    table = plain_table(["kind", "labels", "from trees", "from columns"])
    for one in records:
        answers = ["yes" if one[key] else "no" for key in ("from_trees", "from_columns")]
        table.add_row(one["kind"], Text(one["summary"]), *answers)
    print_tables(table)


def _write(sentences: Sequence[Labelled], target: str) -> None:
    from crossbranch.tasks import to_tsv

    write_text(target, "".join(map(to_tsv, sentences)))


def _show(
    figures: dict[str, TaskFigures], labels: Sequence[LabelFigures], top: int, form: Form | None
) -> None:
    shown = labels[: top or None]
    records = [one._asdict() for one in shown]
    if form == "csv":
        print_records(records, form)
    elif form == "json":
        from crossbranch.cli.tables import write_json

        by_name = {name: one.to_dict() for name, one in figures.items()}
        write_json("-", {"figures": by_name, "labels": records})
    else:
        print_tables(_figures_table(figures), "", _labels_table(shown))


def _figures_table(figures: dict[str, TaskFigures]) -> Any:
    table = plain_table(
        ["data"], ["sentences", "tokens", "with label", "labels", "seen once", "known"]
    )
    for name, one in figures.items():
        numbers = (one.sentences, one.tokens, one.labelled, one.labels, one.once)
        table.add_row(name, *(f"{number:,}" for number in numbers), f"{one.coverage:.1%}")
    return table


def _labels_table(labels: Sequence[LabelFigures]) -> Any:
    from rich.text import Text

    table = plain_table(["label"], ["tokens", "share"])
    table.add_column("words")
    for one in labels:
        words = " ".join(one.words)
        table.add_row(Text(one.label), f"{one.tokens:,}", f"{one.share:.1%}", Text(words))
    return table
