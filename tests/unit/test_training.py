"""The training loop, with a learner whose every step is known."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from crossbranch.config import EpochSettings, Settings
from crossbranch.errors import InputError, UsageError
from crossbranch.grammar.sampling import sample
from crossbranch.parsers import train
from crossbranch.training import (
    CheckpointFile,
    Epoch,
    Example,
    Learner,
    LearningStep,
    Mean,
    Watcher,
    learn,
)
from crossbranch.training.sampling import epoch_order
from crossbranch.tree import ROOT, Node, Token, Tree

TREES = list(sample(4, seed=7, max_length=12))
DEV = [Example(tree.sentence, tree) for tree in TREES]


@dataclass
class FakeParser:
    """Knows the first `known` dev trees."""

    known: int
    trace: tuple[int, ...]

    def parse_many(self, sentences: Iterable[Tree], *, threads: int = 1) -> Iterator[Tree]:
        for number, tree in enumerate(sentences):
            flat = Tree(tree.sentence, Node(ROOT, range(len(tree.sentence))))
            yield tree if number < self.known else flat


class FakeLearner(Learner[FakeParser]):
    """Remembers all sentences in order; `quality` says how good it is after each epoch."""

    size = 200
    in_epoch = 200  # sentences
    digest = "fake"

    def __init__(self, quality: Sequence[int] = (1, 2, 3, 4), *, step: int = 1) -> None:
        self.quality = quality
        self.step = step
        self.trace: list[int] = []

    def learn(self, sentences: Sequence[int]) -> LearningStep:
        done = len(self.trace) % self.in_epoch + len(sentences)
        assert done <= self.in_epoch
        assert len(sentences) % self.step == 0 or done == self.in_epoch
        self.trace += sentences
        metrics = {"loss": Mean(sum(sentences), len(sentences))}
        return LearningStep(len(sentences) // 2, metrics)

    def snapshot(self) -> FakeParser:
        return FakeParser(self.quality[len(self.trace) // self.in_epoch - 1], tuple(self.trace))

    def pack(self, parser: FakeParser) -> Mapping[str, bytes]:
        return {"all": json.dumps([parser.known, parser.trace]).encode()}

    def unpack(self, parts: Mapping[str, bytes]) -> FakeParser:
        known, trace = json.loads(parts["all"])
        return FakeParser(known, tuple(trace))

    def state(self) -> Mapping[str, bytes]:
        return {"trace": json.dumps(self.trace).encode()}

    def restore(self, state: Mapping[str, bytes]) -> None:
        self.trace = json.loads(state["trace"])


class KilledError(Exception):
    pass


class Killer(Watcher):
    """Stops the training at some point, like a signal would."""

    def __init__(self, after: int) -> None:
        self.after = after

    def learned(self, epoch: int, sentences: int, metrics: Mapping[str, float]) -> None:
        self.after -= 1
        if not self.after:
            raise KilledError


def settings(**values: object) -> EpochSettings:
    return EpochSettings.of({"epochs": 4, **values})


def scores(epochs: Sequence[Epoch]) -> list[tuple[int, float | None, float | None, int]]:
    return [(e.number, e.f1, e.discontinuous_f1, e.updates) for e in epochs]


def test_every_epoch_goes_through_all_sentences_in_another_order() -> None:
    orders = [epoch_order([1.0] * 50, 1, epoch) for epoch in (1, 2, 3)]
    assert all(sorted(order) == list(range(50)) for order in orders)
    assert len({tuple(order) for order in orders}) == 3
    assert epoch_order([1.0] * 50, 1, 2) == orders[1]
    assert epoch_order([1.0] * 50, 2, 2) != orders[1]


def test_the_best_epoch_is_kept() -> None:
    trained = learn(FakeLearner([1, 4, 2, 4]), settings(), dev=DEV)
    assert trained.chosen.number == 2  # the first of equals
    assert trained.parser.known == 4
    assert len(trained.parser.trace) == 400
    assert [epoch.number for epoch in trained.epochs] == [1, 2, 3, 4]
    assert trained.chosen.f1 == 1.0
    assert all(epoch.updates == 100 for epoch in trained.epochs)


def test_the_last_epoch_is_kept_where_that_is_wanted() -> None:
    assert learn(FakeLearner([4, 1, 1, 2]), settings(choose="last"), dev=DEV).parser.known == 2


def test_without_dev_trees_the_last_epoch_is_kept() -> None:
    trained = learn(FakeLearner([4, 1, 1, 2]), settings())
    assert trained.parser.known == 2
    assert trained.chosen.f1 is None
    assert trained.chosen.discontinuous_f1 is None


@pytest.mark.parametrize(("patience", "epochs"), [(0, 4), (1, 2), (2, 4), (3, 4)])
def test_patience_ends(patience: int, epochs: int) -> None:
    trained = learn(FakeLearner([2, 1, 3, 3]), settings(patience=patience), dev=DEV)
    assert len(trained.epochs) == epochs


def test_learning_goes_on_in_whole_steps() -> None:
    learner = FakeLearner(step=7)
    learn(learner, settings(epochs=2), dev=DEV)
    assert learner.trace[:200] == epoch_order([1.0] * 200, 1, 1)


@pytest.mark.parametrize("interval", [0.0, 1e9], ids=["always", "between epochs"])
@pytest.mark.parametrize("after", [1, 3, 4, 5, 9, 16])
def test_a_killed_training_ends_like_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int, interval: float
) -> None:
    monkeypatch.setattr("crossbranch.training.loop._INTERVAL", interval)
    monkeypatch.setattr("crossbranch.training.loop._SHARE", 0)
    quality = [2, 1, 3, 1]
    whole = learn(FakeLearner(quality), settings(), dev=DEV)
    file = CheckpointFile(tmp_path / "checkpoint", {"seed": 1})
    with pytest.raises(KilledError):
        learn(FakeLearner(quality), settings(), dev=DEV, checkpoint=file, watcher=Killer(after))
    learner = FakeLearner(quality)
    again = learn(learner, settings(), dev=DEV, checkpoint=file)
    assert again.parser == whole.parser
    assert scores(again.epochs) == scores(whole.epochs)
    assert again.chosen.number == whole.chosen.number == 3
    if interval == 0.0 and after > 1:  # it did go on, and did not begin anew
        assert learner.trace[:64] == epoch_order([1.0] * 200, 1, 1)[:64]


def test_a_finished_training_is_not_repeated(tmp_path: Path) -> None:
    file = CheckpointFile(tmp_path / "checkpoint", {"seed": 1})
    learn(FakeLearner(), settings(), dev=DEV, checkpoint=file)
    seen: list[int] = []

    class Observer(Watcher):
        def start(self, sentences: int, resumed: Sequence[Epoch], *, has_epochs: bool) -> None:
            seen.extend(epoch.number for epoch in resumed)

    learn(FakeLearner(), settings(), dev=DEV, checkpoint=file, watcher=Observer())
    assert seen[:1] == [1]


def test_metrics_of_a_learner_are_averaged_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossbranch.training.loop._SHARE", 0)  # every epoch has a checkpoint

    class Careful(FakeLearner):
        rate = 1.0

        def finish_epoch(self, epoch: Epoch) -> Mapping[str, float]:
            assert epoch.f1 is not None
            self.rate /= 2
            return {"rate": self.rate}

    file = CheckpointFile(tmp_path / "checkpoint", {"seed": 1})
    trained = learn(Careful(), settings(), dev=DEV, checkpoint=file)
    assert [epoch.metrics["loss"] for epoch in trained.epochs] == [pytest.approx(99.5)] * 4
    assert [epoch.metrics["rate"] for epoch in trained.epochs] == [0.5, 0.25, 0.125, 0.0625]
    assert trained.epochs[0].to_dict()["metrics"]["rate"] == 0.5
    again = learn(Careful(), settings(), dev=DEV, checkpoint=file)
    assert again.epochs == trained.epochs


def test_a_learner_without_epochs_sees_every_sentence_once() -> None:
    learner = FakeLearner([3])
    trained = learn(learner, Settings(), dev=DEV)
    assert learner.trace == list(range(200))
    assert not trained.has_epochs
    assert len(trained.epochs) == 1
    assert trained.parser.known == 3


class ChoosyLearner(FakeLearner):
    """Skips the first ten of 210 examples. With WEIGHTS, its epochs have 150 sentences."""

    kept = range(10, 210)
    in_epoch = 150


WEIGHTS = [9.0] * 10 + [0.5] * 100 + [1.0] * 100


def test_the_loop_follows_the_weights_of_the_examples_that_are_learned_from() -> None:
    learner = ChoosyLearner()
    trained = learn(learner, settings(), dev=DEV, weights=WEIGHTS)
    assert len(trained.epochs) == 4
    counts = Counter(learner.trace)
    assert [counts[number] for number in range(200)] == [2] * 100 + [4] * 100


def test_a_learner_without_epochs_follows_weights_too() -> None:
    learner = ChoosyLearner()
    learn(learner, Settings(), weights=WEIGHTS)
    assert learner.trace == sorted(learner.trace)
    assert len(learner.trace) == 150


@pytest.mark.parametrize("after", [1, 2, 5, 11])
def test_a_killed_training_with_weights_ends_like_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    monkeypatch.setattr("crossbranch.training.loop._INTERVAL", 0.0)
    monkeypatch.setattr("crossbranch.training.loop._SHARE", 0)
    file = CheckpointFile(tmp_path / "checkpoint", {})
    options: dict[str, Any] = {"dev": DEV, "weights": WEIGHTS}
    whole = learn(ChoosyLearner(), settings(), **options)
    with pytest.raises(KilledError):
        learn(ChoosyLearner(), settings(), **options, checkpoint=file, watcher=Killer(after))
    again = learn(ChoosyLearner(), settings(), **options, checkpoint=file)
    assert again.parser == whole.parser


def test_the_mean_of_all_dev_sources_chooses_the_epoch() -> None:
    """A large source does not drown a small one."""

    class OnlyFirst(FakeParser):
        """Knows the small source in its first epoch, and then only the large one."""

        def parse_many(self, sentences: Iterable[Tree], *, threads: int = 1) -> Iterator[Tree]:
            trees = list(sentences)
            for tree in trees:
                knows = len(trees) == 1 or self.known > 1
                flat = Tree(tree.sentence, Node(ROOT, range(len(tree.sentence))))
                yield tree if knows and (len(trees) > 1 or self.known == 1) else flat

    class Specialist(FakeLearner):
        def snapshot(self) -> FakeParser:
            found = super().snapshot()
            return OnlyFirst(found.known, found.trace)

    dev = {"small": DEV[:1], "large": DEV * 10}
    trained = learn(Specialist([1, 2, 2, 2]), settings(), dev=dev)
    first, second = trained.epochs[:2]
    assert (first.metrics["F1 on small"], second.metrics["F1 on large"]) == (1.0, 1.0)
    assert first.metrics["F1 on large"] < 1.0
    for epoch in (first, second):
        parts = [epoch.metrics[f"F1 on {name}"] for name in dev]
        assert epoch.f1 == pytest.approx(sum(parts) / 2)
    assert trained.chosen.f1 == max(epoch.f1 or 0 for epoch in trained.epochs)
    alone = learn(FakeLearner(), settings(), dev={"only": DEV})
    assert list(alone.chosen.metrics) == ["loss"]
    assert scores(alone.epochs) == scores(learn(FakeLearner(), settings(), dev=DEV).epochs)


def test_epochs_are_scored_against_gold_tags() -> None:
    """Tags decide what is punctuation: predicted ones must not stand in for gold."""
    gold = Tree(
        [Token("a", "X"), Token("b", "X"), Token(".", "$.")],
        Node(ROOT, [Node("S", [Node("A", [0]), 1]), 2]),
    )
    wrong = tuple(token._replace(tag="$.") for token in gold.sentence)  # all punctuation

    class Echo:
        def parse_many(self, sentences: Iterable[Tree], *, threads: int = 1) -> Iterator[Tree]:
            return iter(sentences)

    class EchoLearner(FakeLearner):
        def snapshot(self) -> Any:
            return Echo()

    trained = learn(EchoLearner(), settings(epochs=1), dev=[Example(wrong, gold)])
    assert trained.chosen.f1 == 1.0


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    learn(FakeLearner(), settings(), checkpoint=CheckpointFile(path, {"seed": 1, "beam": 4}))
    other = CheckpointFile(path, {"seed": 1, "beam": 8})
    assert not other.is_usable()
    with pytest.raises(UsageError, match="different training run: beam was 4 and is now 8"):
        other.read()
    other.remove()
    assert other.is_usable()
    assert other.read() is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"something else",
        lambda data: data[:30],
        lambda data: data[:-1],
        lambda data: data[:-5] + b"x" + data[-4:],
        lambda data: data.replace(b'"parts":', b'"parsed":'),
    ],
)
def test_a_damaged_checkpoint_is_named(tmp_path: Path, damage: Any) -> None:
    file = CheckpointFile(tmp_path / "checkpoint", {"seed": 1})
    learn(FakeLearner(), settings(), checkpoint=file)
    file.path.write_bytes(damage(file.path.read_bytes()))
    with pytest.raises(InputError, match="delete it to start again"):
        file.read()


def test_dev_sentences_in_one_case_are_scored_although_they_are_read_in_another() -> None:

    trees = sample(40, seed=3, max_length=10)
    shouted = [
        tree.replace(sentence=[token._replace(form=token.form.upper()) for token in tree.sentence])
        for tree in sample(5, seed=4, max_length=10)
    ]
    parser = train("sr-gap", train=list(trees), dev=shouted, epochs=1, beam=1, tags="gold")
    assert parser.front_end.casing is not None
    assert parser.about["dev"]["f1"] > 0
