"""The labels that a task of a trained parser predicts, compared with those of files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crossbranch.cli.show import write_text
from crossbranch.cli.tables import Form, plain_table, print_records, print_tables, write_json
from crossbranch.errors import InputError, UsageError
from crossbranch.parsers import NeuralParser, load
from crossbranch.tasks import Inventory, Labelled, TaskScore, TaskSettings, read_files, score_labels

_NO_LABEL = "_"


def show_prediction(
    files: Sequence[str],
    model: str | None,
    task: str | None,
    changes: Mapping[str, object],
    *,
    top: int,
    to: str | None,
    report: Callable[[InputError], None],
    form: Form | None,
) -> None:
    """Predict the labels of the words of files, and show how many are right.

    Args:
        files: The files.
        model: The name or the folder of the model.
        task: The name of one of its tasks.
        changes: Settings of the task that are different in these files, such as the format.
        top: How many labels to show; 0: all.
        to: The file for words and labels in columns, instead of the figures.
        report: Called with an InputError for each bad sentence.
        form: The form of the figures.
    """
    if model is None or task is None:
        raise UsageError("--model and --task need each other")
    parser = load(model)
    if not isinstance(parser, NeuralParser):
        raise UsageError(f"a parser of kind {parser.kind} has no tasks")
    own = TaskSettings(kind="tag", level=parser.settings.tag_level)
    settings = parser.settings.task.get(task, own).changed(changes)
    parser.label((), task=task)  # a wrong name is found before files are read
    gold = read_files(files, settings, report=report)
    predicted = parser.label([one.forms for one in gold], task=task)
    if to is not None:
        write_text(to, "".join(map(_columns, gold, predicted)))
        return
    _show(
        _Prediction(Inventory(parser.task_labels[task]), settings, gold, list(predicted)), top, form
    )


def _columns(gold: Labelled, predicted: Labelled) -> str:
    rows = zip(gold.forms, gold.labels, predicted.labels, strict=True)
    lines = [f"{form}\t{one or _NO_LABEL}\t{two or _NO_LABEL}\n" for form, one, two in rows]
    return "".join(lines) + "\n"


class _Prediction:
    """Gold and predicted labels, and how they agree."""

    def __init__(
        self,
        inventory: Inventory,
        settings: TaskSettings,
        gold: Sequence[Labelled],
        predicted: Sequence[Labelled],
    ) -> None:
        self.sentences = len(gold)
        self.score = TaskScore()
        self.tokens: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self.right: Counter[str] = Counter()
        for one, two in zip(gold, predicted, strict=True):
            labels = [label or "" for label in two.labels]
            chunks = settings.kind == "chunk"
            self.score += score_labels(one.labels, labels, inventory, are_chunks=chunks)
            pairs = [pair for pair in zip(one.labels, labels, strict=True) if pair[0] is not None]
            self.tokens.update(label for label, _ in pairs if label)
            self.found.update(label for _, label in pairs)
            self.right.update(label for label, other in pairs if label == other)

    def records(self, top: int) -> list[dict[str, Any]]:
        """Return the figures of the most frequent labels."""
        return [
            {
                "label": label,
                "tokens": count,
                "predicted": self.found[label],
                "right": self.right[label],
            }
            for label, count in self.tokens.most_common(top or None)
        ]


def _show(found: _Prediction, top: int, form: Form | None) -> None:
    from rich.text import Text

    records, score = found.records(top), found.score
    if form == "csv":
        print_records(records, form)
        return
    if form == "json":
        figures = {"sentences": found.sentences, "right": score.right, **score.to_dict()}
        write_json("-", {"figures": figures, "labels": records})
        return
    columns = ["sentences", "with label", "right", "accuracy", "unknown"]
    numbers = [f"{number:,}" for number in (found.sentences, score.tokens, score.right)]
    numbers += [f"{score.accuracy:.1%}", f"{score.unknown:,}"]
    if score.chunks:
        columns.append("chunk F1")
        numbers.append(f"{score.chunk_f1:.1%}")
    figures_table = plain_table([], columns)
    figures_table.add_row(*numbers)
    labels = plain_table(["label"], ["tokens", "predicted", "right"])
    for one in records:
        counts = [f"{one[key]:,}" for key in ("tokens", "predicted", "right")]
        labels.add_row(Text(one["label"]), *counts)
    print_tables(figures_table, "", labels)
