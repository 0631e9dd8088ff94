"""One run: trains a parser and scores it, or does what is left of an interrupted run."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from crossbranch.errors import InputError, LossWarning, UsageError
from crossbranch.evaluation import Evaluation, evaluate
from crossbranch.experiments.runs import (
    MODEL,
    RECORD,
    Run,
    RunRecord,
    ScoredSet,
    SetScores,
    Training,
    read_record,
    read_scores,
    state_of,
    write_bytes,
    write_json,
)
from crossbranch.models.folder import is_model
from crossbranch.parsers import Parser, load, train
from crossbranch.parsers.data import TrainingTrees
from crossbranch.tasks import DistributionSettings
from crossbranch.training import Epoch, Watcher
from crossbranch.transforms import pipeline
from crossbranch.tree import Tree
from crossbranch.treebank import write

CONFIG = "config.toml"
COLUMNS = (
    *("number", "id", "tokens", "gold", "predicted", "matched"),
    *("discontinuous_gold", "discontinuous_predicted", "discontinuous_matched"),
    *("tags", "right_tags"),
)
"""The columns of the file with the counts of each sentence."""
_PAUSE = 0.2  # seconds between two steps that are reported
_WARM_UP = 10  # sentences that are parsed before the clock starts


@dataclass(frozen=True)
class Step:
    """How far a run has come."""

    stage: str
    """What it does now, such as "learning to tag" or "epoch 3"."""
    epoch: int = 0
    """The number of the current epoch; 0 before and after the epochs."""
    sentences: int = 0
    size: int = 0
    """How many sentences of the epoch are done, and how many there are."""
    f1: float | None = None
    """The best dev F1 so far."""


class RunIsTakenError(UsageError):
    """Another process works on the same run."""


class Steps(Watcher):
    """Turns the progress of training into steps, and keeps the records of epochs."""

    def __init__(self, tell: Callable[[Step], None]) -> None:
        self._tell = tell
        self._size = 0
        self._due = 0.0
        self.epochs: list[Epoch] = []

    def stage(self, name: str) -> None:
        """Tell what the run does now."""
        self._tell(Step(name, f1=self._best))

    def start(self, sentences: int, resumed: Sequence[Epoch], *, has_epochs: bool) -> None:
        """Keep the epochs of the run that is resumed."""
        self._size = sentences
        self.epochs = list(resumed)

    def learned(self, epoch: int, sentences: int, metrics: Mapping[str, float]) -> None:
        """Tell the progress of the epoch, but not too often."""
        if (now := time.monotonic()) >= self._due:
            self._due = now + _PAUSE
            self._tell(Step(f"epoch {epoch}", epoch, sentences, self._size, self._best))

    def finish_epoch(self, epoch: Epoch, is_best: bool) -> None:
        """Keep the record of an epoch."""
        self.epochs.append(epoch)
        self._tell(Step(f"epoch {epoch.number}", epoch.number, self._size, self._size, self._best))

    @property
    def _best(self) -> float | None:
        return max((epoch.f1 for epoch in self.epochs if epoch.f1 is not None), default=None)


def carry_out(
    run: Run,
    *,
    device: str = "cpu",
    tell: Callable[[Step], None] = lambda _: None,
    report: Callable[[InputError], None] = lambda _: None,
) -> None:
    """Train and score a run. What is done already is not done again.

    Args:
        run: The run.
        device: The device for parsing.
        tell: Called for each step.
        report: Called with an InputError for each skipped sentence.

    Raises:
        RunIsTakenError: Another process works on this run.
        UsageError: A setting is wrong.
        InputError: The data are wrong.
    """
    folder = Path(run.folder)
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        if state_of(run) == "done":
            return
        found = read_record(folder) or RunRecord(run.variant, run.seed, run.identity)
        record = replace(found, error="")
        write_json(folder / RECORD, record)
        steps = Steps(tell)
        if record.training is None or not is_model(folder / MODEL):
            training = _train(run, steps, report)
            record = replace(record, training=training)
            write_json(folder / RECORD, record)
        parser = load(folder / MODEL, device=device)
        for name, wanted in run.sets.items():
            if read_scores(folder, name, wanted) is None:
                steps.stage(f"scoring on {name}")
                _score(parser, folder, name, wanted, report)


def note_failure(run: Run, message: str) -> None:
    """Write down why a run failed."""
    folder = Path(run.folder)
    found = read_record(folder) or RunRecord(run.variant, run.seed, run.identity)
    write_json(folder / RECORD, replace(found, error=message))


def _train(run: Run, steps: Steps, report: Callable[[InputError], None]) -> Training:
    folder = Path(run.folder)
    skipped: list[InputError] = []

    def note(error: InputError) -> None:
        skipped.append(error)
        report(error)

    if is_model(folder / MODEL):  # the process was killed just after training
        about = load(folder / MODEL).about
    else:
        write_bytes(folder / CONFIG, run.config.encode())
        parser = train(
            folder / CONFIG,
            train=run.train,
            dev=run.dev,
            out=folder / MODEL,
            overwrite=True,  # a checkpoint that cannot be used is of no use to anybody
            report=note,
            watcher=steps,
        )
        about = parser.about
    epochs: list[dict[str, Any]] = list(about.get("epochs", ()))
    epochs = epochs or [epoch.to_dict() for epoch in steps.epochs]
    number = about.get("epoch")
    chosen = about if number is None else epochs[number - 1]
    return Training(
        seconds=sum(epoch["seconds"] for epoch in epochs) if epochs else None,
        epoch=number,
        epochs=[] if number is None else epochs,
        metrics=dict(chosen.get("metrics", {})),
        skipped=len(skipped),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _score(
    parser: Parser,
    folder: Path,
    name: str,
    wanted: ScoredSet,
    report: Callable[[InputError], None],
) -> None:
    """Parse a set as users would, and write scores, counts and trees."""
    steps = pipeline(parser.settings.prepare)
    files = parser.settings.tags_from
    tags = {"dev": files.dev, "test": files.test}.get(name, "") if files else ""
    gold = TrainingTrees.of(wanted.path, prepare=steps, report=report, name=name, tags_from=tags)
    if not gold.trees:
        raise InputError("no tree", "trees to score the parser on", path=wanted.path)
    predicts = parser.tags_by_itself or parser.tagger is not None
    has_tags = predicts or bool(tags)
    options: dict[str, Any] = {
        "tags": "predict" if predicts else "keep",
        "functions": False,
        "threads": parser.settings.threads,
    }
    _read_rows(parser, name, gold.trees, report)
    for _ in parser.parse_many(gold.seen[:_WARM_UP], **options):
        pass
    seen = gold.seen
    before = time.perf_counter()
    predicted = list(parser.parse_many(seen, **options))
    seconds = time.perf_counter() - before
    found = evaluate(gold.trees, predicted)
    tokens = sum(len(tree.sentence) for tree in gold.trees)
    scores = SetScores(
        sha256=gold.sha256,
        sentences=len(gold.trees),
        tokens=tokens,
        f1=found.f1,
        discontinuous_f1=found.discontinuous_f1,
        exact_match=found.exact_match,
        tag_accuracy=found.main.tag_accuracy if has_tags and found.main.tags else None,
        tokens_per_second=tokens / seconds,
    )
    _write_trees(folder / f"{name}.discbracket", predicted)
    write_bytes(folder / f"{name}.tsv", "".join(_lines(found)).encode())
    write_json(folder / f"{name}.json", scores)  # the last one: now the set is done


def _read_rows(
    parser: Parser, name: str, trees: Sequence[Tree], report: Callable[[InputError], None]
) -> None:
    """Read the rows of the distributions that a parser needs, for the trees of a set."""
    tables: Mapping[str, DistributionSettings] = getattr(parser.settings, "distribution", {})
    files = {key: {"dev": one.dev, "test": one.test}.get(name) for key, one in tables.items()}
    if tables:
        parser.read_rows({key: file for key, file in files.items() if file}, trees, report)


def _write_trees(path: Path, trees: Sequence[Tree]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LossWarning)
        write(trees, path, format="discbracket")


def _lines(found: Evaluation) -> Iterator[str]:
    yield "\t".join(COLUMNS) + "\n"
    for row in found.sentences:
        column = row.column
        counts = [
            count
            for figures in (column.all, column.discontinuous)
            for count in (
                *(figures.brackets.gold, figures.brackets.predicted, figures.brackets.matched),
            )
        ]
        id = " ".join(row.id.split())
        cells = [row.number, id, row.length, *counts, column.tags, column.right_tags]
        yield "\t".join(map(str, cells)) + "\n"


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let only one process work on a run. A lock ends with its process, even if that is killed."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # on Windows
        yield
        return
    with (folder / ".lock").open("w") as file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            raise RunIsTakenError("another process works on this run") from None
        except OSError:  # a file system without locks
            pass
        yield
