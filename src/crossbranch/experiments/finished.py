"""The results of an experiment: what its finished runs have found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from crossbranch.disk import read_file
from crossbranch.errors import InputError
from crossbranch.evaluation.counts import MatchCounts
from crossbranch.experiments.experiment import Experiment
from crossbranch.experiments.planning import plan
from crossbranch.experiments.runs import (
    Run,
    SetScores,
    Training,
    read_record,
    read_scores,
    write_bytes,
    write_json,
)

_COUNTS = slice(3, 9)


class SentenceCounts(NamedTuple):
    """The counts of one sentence: all brackets, and discontinuous ones."""

    all: MatchCounts
    discontinuous: MatchCounts


@dataclass(frozen=True)
class RunResult:
    """A finished run."""

    variant: str
    seed: int
    folder: Path
    training: Training
    scores: Mapping[str, SetScores]
    """The scores by set: dev, test."""


class Failure(NamedTuple):
    """A run that has failed."""

    variant: str
    seed: int
    reason: str
    folder: Path


@dataclass(frozen=True)
class Results:
    """The results of an experiment so far."""

    experiment: Experiment
    runs: tuple[RunResult, ...]
    failures: tuple[Failure, ...]

    @cached_property
    def sets(self) -> list[str]:
        """The names of the sets that there are scores for."""
        return [name for name in self.experiment.sets if any(name in r.scores for r in self.runs)]

    def of(self, variant: str) -> list[RunResult]:
        """Return the finished runs of a variant, by seed."""
        return [run for run in self.runs if run.variant == variant]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one row for each run and set, with raw figures."""
        for run in self.runs:
            for name, scores in run.scores.items():
                figures = asdict(scores)
                del figures["sha256"]
                yield {
                    "variant": run.variant,
                    "seed": run.seed,
                    "set": name,
                    **figures,
                    "training_seconds": run.training.seconds,
                    "epoch": run.training.epoch,
                    "folder": run.folder.name,
                }


def results(experiment: Experiment) -> Results:
    """Return what the finished runs of an experiment have found. Nothing is trained.

    The runs may be of another version of crossbranch, and the data need not be here.
    """
    return collect(experiment, plan(experiment, for_report=True))


def collect(experiment: Experiment, runs: Sequence[Run]) -> Results:
    """Return what these runs have found."""
    done, failures = [], []
    for run in runs:
        if (found := _result(run)) is not None:
            done.append(found)
        elif (record := read_record(Path(run.folder))) is not None and record.error:
            failures.append(Failure(run.variant, run.seed, record.error, Path(run.folder)))
    return Results(experiment, tuple(done), tuple(failures))


def write_results(found: Results) -> None:
    """Write `results.json` and `results.tsv`: one entry for each run and set."""
    folder = found.experiment.out
    folder.mkdir(parents=True, exist_ok=True)
    rows = list(found.rows())
    metrics = [
        {"variant": run.variant, "seed": run.seed, **run.training.metrics} for run in found.runs
    ]
    value = {
        "experiment": found.experiment.path.name,
        "baseline": found.experiment.baseline,
        "seeds": found.experiment.seeds,
        "variants": [
            {"name": one.name, "control": one.control, "changes": one.changes}
            for one in found.experiment.variants
        ],
        "runs": rows,
        "metrics": metrics if any(run.training.metrics for run in found.runs) else [],
        "failures": [
            {"variant": one.variant, "seed": one.seed, "reason": one.reason}
            for one in found.failures
        ],
    }
    write_json(folder / "results.json", value)
    write_bytes(folder / "results.tsv", tsv(rows).encode())


def tsv(rows: list[dict[str, Any]]) -> str:
    """Return rows as tab-separated text; the first line names the columns."""
    if not rows:
        return ""
    lines = [list(rows[0]), *(row.values() for row in rows)]
    return "".join("\t".join(map(_cell, line)) + "\n" for line in lines)


def read_counts(path: Path) -> list[SentenceCounts]:
    """Read the counts of each sentence from the file `SET.tsv` of a run.

    Raises:
        InputError: The file is damaged.
    """
    found = []
    for number, line in enumerate(read_file(path).decode("utf-8").splitlines()[1:], 2):
        try:
            one = list(map(int, line.split("\t")[_COUNTS]))
            found.append(SentenceCounts(MatchCounts(*one[:3]), MatchCounts(*one[3:6])))
        except ValueError:
            raise InputError(line, "counts of a sentence", path=str(path), line=number) from None
    return found


def _cell(value: object) -> str:
    return "" if value is None else " ".join(str(value).split())


def _result(run: Run) -> RunResult | None:
    folder = Path(run.folder)
    record = read_record(folder)
    if record is None or record.training is None:
        return None
    scores = {name: read_scores(folder, name, wanted) for name, wanted in run.sets.items()}
    known = {name: one for name, one in scores.items() if one is not None}
    if len(known) < len(scores):
        return None
    return RunResult(run.variant, run.seed, folder, record.training, known)
