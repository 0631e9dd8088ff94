"""The training loop: epochs, dev F1, patience, the best model. It can be resumed at any moment.

The result depends only on the settings, the training trees and the dev trees. It is the same if
training is interrupted and resumed. If the settings have no epochs, for example for a grammar that
counts rules, the learner sees every sentence once.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, Generic, NamedTuple

import msgspec

from crossbranch.config import EpochSettings, Settings
from crossbranch.evaluation import evaluate
from crossbranch.training.checkpoint import CheckpointFile, Progress
from crossbranch.training.contract import (
    Epoch,
    Example,
    Learner,
    LearningStep,
    Mean,
    Predictor,
    Trained,
    TrainedParser,
    Watcher,
)
from crossbranch.training.sampling import draw, epoch_order

_CHUNK = 64  # sentences; after each chunk, the clock is checked
_INTERVAL = 180.0  # seconds between checkpoints within an epoch
_SHARE = 20  # writing checkpoints takes at most 1/20 of the time
_STATE, _BEST = "state.", "best."


class _Schedule(NamedTuple):
    """How often, and in which order, the learner sees the sentences."""

    seed: int
    weights: Sequence[float]  # of the sentences of the learner
    has_epochs: bool = False
    epochs: int = 1
    patience: int = 0
    takes_last: bool = True

    @classmethod
    def of(cls, settings: Settings, weights: Sequence[float], *, has_dev: bool) -> _Schedule:
        if not isinstance(settings, EpochSettings):
            return cls(settings.seed, weights)
        takes_last = settings.choose == "last" or not has_dev
        return cls(settings.seed, weights, True, settings.epochs, settings.patience, takes_last)

    def order(self, epoch: int) -> list[int]:
        """Return the numbers of the sentences of an epoch, in their order."""
        if self.has_epochs:
            return epoch_order(self.weights, self.seed, epoch)
        return draw(self.weights, self.seed, epoch)


def learn(
    learner: Learner[TrainedParser],
    settings: Settings,
    *,
    dev: Sequence[Example] | Mapping[str, Sequence[Example]] = (),
    weights: Sequence[float] | None = None,
    checkpoint: CheckpointFile | None = None,
    watcher: Watcher | None = None,
) -> Trained[TrainedParser]:
    """Train for all epochs, or until patience runs out; return the parser of the chosen epoch.

    Args:
        learner: The parser to train.
        settings: Its settings.
        dev: The examples to score each epoch on. Of several sources by name, the mean F1 counts.
        weights: How often an epoch has each of the examples that the learner was given; see
            `draw`. None: once.
        checkpoint: The file from which training continues.
        watcher: Callbacks for progress.
    """
    parts = dev if isinstance(dev, Mapping) else {"dev": dev} if dev else {}
    schedule = _Schedule.of(settings, _weights(learner, weights), has_dev=bool(parts))
    scoring = _Scoring(parts, settings.threads)
    return _Loop(learner, schedule, scoring, checkpoint, watcher or Watcher()).run()


def _weights(learner: Learner[Any], weights: Sequence[float] | None) -> Sequence[float]:
    """Return the weight of each sentence of a learner, which may have skipped some examples."""
    if weights is None:
        return [1.0] * learner.size
    kept = range(len(weights)) if learner.kept is None else learner.kept
    found = [weights[number] for number in kept]
    assert len(found) == learner.size, "a learner that skips examples must say which it has kept"
    return found


class _Scoring:
    """Scores the parsers of the epochs on the dev trees of all sources."""

    def __init__(self, dev: Mapping[str, Sequence[Example]], threads: int) -> None:
        self._gold = {name: [one.scored for one in part] for name, part in dev.items()}
        self._seen = {name: [one.seen for one in part] for name, part in dev.items()}
        self._threads = threads

    def score(self, parser: Predictor) -> tuple[float | None, float | None, dict[str, float]]:
        """Return the mean of F1 and of discontinuous F1, and F1 for each of several sources."""
        if not self._gold:
            return None, None, {}
        found = {
            name: evaluate(gold, parser.parse_many(self._seen[name], threads=self._threads))
            for name, gold in self._gold.items()
        }
        f1 = fmean(one.f1 for one in found.values())
        discontinuous_f1 = fmean(one.discontinuous_f1 for one in found.values())
        each = {f"F1 on {name}": one.f1 for name, one in found.items()}
        return f1, discontinuous_f1, each if len(each) > 1 else {}


class _Loop(Generic[TrainedParser]):
    def __init__(
        self,
        learner: Learner[TrainedParser],
        schedule: _Schedule,
        scoring: _Scoring,
        checkpoint: CheckpointFile | None,
        watcher: Watcher,
    ) -> None:
        self._learner = learner
        self._schedule = schedule
        self._scoring = scoring
        self._checkpoint = checkpoint
        self._watcher = watcher
        self._progress = Progress()
        self._best: TrainedParser | None = None
        self._written = time.monotonic()
        self._cost = 0.0  # seconds that the last checkpoint took

    def run(self) -> Trained[TrainedParser]:
        self._resume()
        has_epochs = self._schedule.has_epochs
        size = len(self._schedule.order(self._progress.epoch))
        self._watcher.start(size, self._progress.epochs, has_epochs=has_epochs)
        while not self._is_over():
            self._learn_epoch()
            self._finish_epoch()
        assert self._best is not None
        done = self._progress
        return Trained(self._best, done.epochs[done.best - 1], done.epochs, has_epochs)

    def _is_over(self) -> bool:
        done = self._progress
        if len(done.epochs) >= self._schedule.epochs:
            return True
        since = len(done.epochs) - self._best_scored()
        return bool(0 < self._schedule.patience <= since)

    def _best_scored(self) -> int:
        """Return the number of the epoch with the best F1 so far; of equal ones, the first."""
        scores = [epoch.f1 or 0.0 for epoch in self._progress.epochs]
        return scores.index(max(scores)) + 1 if scores else 0

    def _learn_epoch(self) -> None:
        step = self._learner.step
        chunk = -(-_CHUNK // step) * step
        order = self._schedule.order(self._progress.epoch)
        size = len(order)
        for start in range(self._progress.sentences, size, chunk):
            before = time.perf_counter()
            learned = self._learner.learn(order[start : start + chunk])
            self._count(learned, min(start + chunk, size), time.perf_counter() - before)
            done = self._progress
            self._watcher.learned(done.epoch, done.sentences, _values(done.metrics))
            if time.monotonic() - self._written > _INTERVAL:
                self._save()

    def _count(self, learned: LearningStep, sentences: int, seconds: float) -> None:
        done = self._progress
        metrics = dict(done.metrics)
        for name, mean in learned.metrics.items():
            metrics[name] = metrics.get(name, Mean(0.0, 0.0)).add(mean)
        self._progress = msgspec.structs.replace(
            done,
            sentences=sentences,
            updates=done.updates + learned.updates,
            seconds=done.seconds + seconds,
            metrics=metrics,
        )

    def _finish_epoch(self) -> None:
        before = time.perf_counter()
        parser = self._learner.snapshot()
        f1, discontinuous_f1, by_source = self._scoring.score(parser)
        done = self._progress
        epoch = Epoch(
            number=done.epoch,
            updates=done.updates,
            seconds=done.seconds,
            dev_seconds=time.perf_counter() - before,
            f1=f1,
            discontinuous_f1=discontinuous_f1,
            metrics=_values(done.metrics) | by_source,
        )
        if added := self._learner.finish_epoch(epoch):
            epoch = msgspec.structs.replace(epoch, metrics={**epoch.metrics, **added})
        epochs = (*done.epochs, epoch)
        self._progress = Progress(epoch=done.epoch + 1, epochs=epochs, best=done.best)
        is_best = self._schedule.takes_last or self._best_scored() == epoch.number
        if is_best:
            self._best = parser
            self._progress = msgspec.structs.replace(self._progress, best=epoch.number)
        self._watcher.finish_epoch(epoch, is_best)
        if time.monotonic() - self._written > _SHARE * self._cost:
            self._save()

    def _save(self) -> None:
        if self._checkpoint is None:
            return
        before = time.monotonic()
        parts = {_STATE + name: data for name, data in self._learner.state().items()}
        if self._best is not None:
            packed = self._learner.pack(self._best)
            parts |= {_BEST + name: data for name, data in packed.items()}
        self._checkpoint.write(self._progress, parts)
        self._written = time.monotonic()
        self._cost = self._written - before

    def _resume(self) -> None:
        found = self._checkpoint.read() if self._checkpoint is not None else None
        if found is None:
            return
        self._progress, parts = found
        self._learner.restore(_with_prefix(parts, _STATE))
        if best := _with_prefix(parts, _BEST):
            self._best = self._learner.unpack(best)


def _values(metrics: Mapping[str, Mean]) -> dict[str, float]:
    return {name: mean.value for name, mean in metrics.items()}


def _with_prefix(parts: Mapping[str, bytes], prefix: str) -> dict[str, bytes]:
    return {
        name.removeprefix(prefix): data for name, data in parts.items() if name.startswith(prefix)
    }
