"""The runs of an experiment: one training each, and what its folder says about it.

The folder of a run has these files:

run.json            what the run depends on, and the facts about its training
config.toml         all settings
model/              the model, or the checkpoint of an unfinished training
log.txt             messages of the process
SET.json            the scores on a set (dev, test), with the checksum of its trees
SET.tsv             the counts of each sentence, for significance tests
SET.discbracket     the predicted trees
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from crossbranch.disk import beside, read_file, replace_file, steps
from crossbranch.models.folder import CHECKPOINT

RUNS = "runs"
RECORD = "run.json"
MODEL = "model"
LOG = "log.txt"
State = Literal["done", "failed", "started", "new"]
"""What there is of a run; "started": it will be continued, "failed": it will be tried again."""


@dataclass(frozen=True)
class ScoredSet:
    """Trees that a run is scored on. Without a checksum, any old scores are taken."""

    path: str
    sha256: str | None


@dataclass(frozen=True)
class Run:
    """One training of a variant with one seed. It can be written as JSON."""

    variant: str
    seed: int
    folder: str
    identity: dict[str, Any]
    """What the result depends on. None stands for something that is not known."""
    config: str
    """All settings, as TOML."""
    train: str | dict[str, str]
    dev: str | dict[str, str] | None
    sets: dict[str, ScoredSet]
    epochs: int | None
    """The most epochs that the training can have; None if it has no epochs."""

    @property
    def name(self) -> str:
        """The name for people."""
        return f"{self.variant}, seed {self.seed}"


@dataclass(frozen=True)
class Training:
    """The facts about a finished training."""

    seconds: float | None
    """For learning, without dev scores and without the tagger; None if it is not known."""
    epoch: int | None
    """The number of the chosen epoch."""
    epochs: list[dict[str, Any]]
    """The records of all epochs."""
    metrics: dict[str, float]
    """The metrics of the learner in the chosen epoch, such as the accuracy of its tasks."""
    skipped: int
    date: str


@dataclass(frozen=True)
class RunRecord:
    """What `run.json` says."""

    variant: str
    seed: int
    identity: dict[str, Any]
    training: Training | None = None
    error: str = ""
    """Why the last attempt failed."""


@dataclass(frozen=True)
class SetScores:
    """What `SET.json` says: the scores of a run on one set."""

    sha256: str
    sentences: int
    tokens: int
    f1: float
    discontinuous_f1: float
    exact_match: float
    tag_accuracy: float | None
    """None if the parser does not predict tags."""
    tokens_per_second: float


def state_of(run: Run) -> State:
    """Return what there is of a run."""
    folder = Path(run.folder)
    record = read_record(folder)
    if record is None:
        return "new"
    if record.training is not None and all(
        read_scores(folder, name, wanted) is not None for name, wanted in run.sets.items()
    ):
        return "done"
    if record.error:
        return "failed"
    is_begun = record.training is not None or (folder / MODEL / CHECKPOINT).exists()
    return "started" if is_begun else "new"


def read_record(folder: Path) -> RunRecord | None:
    """Return what is known about the run in a folder; None if there is none, or it is damaged."""
    found: RunRecord | None = _decoded(folder / RECORD, RunRecord)
    return found


def read_scores(folder: Path, name: str, wanted: ScoredSet) -> SetScores | None:
    """Return the scores of a run on a set; None if it was not scored on the same trees."""
    found: SetScores | None = _decoded(folder / f"{name}.json", SetScores)
    if found is None or not (folder / f"{name}.tsv").exists():
        return None
    return found if wanted.sha256 in (None, found.sha256) else None


def forget_training(folder: Path) -> None:
    """Remove the model of a run and its record, so that it is trained again."""
    steps.remove_folder(folder / MODEL)
    steps.remove(folder / RECORD)


def write_json(path: Path, value: object) -> None:
    """Write a file in one step."""
    write_bytes(path, msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file in one step, so that it is complete even if the process is killed."""
    replace_file(path, data, work=beside(path, "new"))


def _decoded(path: Path, kind: Any) -> Any:
    try:
        return msgspec.json.decode(read_file(path), type=kind)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
