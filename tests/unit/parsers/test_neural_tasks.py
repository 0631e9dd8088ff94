"""Tasks that neural parsers learn besides trees."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from trained_parsers import DEV, QUICK_SETTINGS, TRAIN

pytest.importorskip("torch")

from crossbranch.cli.models import models
from crossbranch.cli.tasks import tasks as tasks_command
from crossbranch.config import merged
from crossbranch.errors import InputError, UsageError
from crossbranch.models import describe
from crossbranch.parsers import NeuralTransitionParser, train
from crossbranch.parsers.neural_shared.tasks import TaskReader, TaskUpdates
from crossbranch.parsers.neural_transition import NeuralTransitionSettings
from crossbranch.parsers.neural_transition.learner import NeuralTransitionLearner
from crossbranch.tasks import TaskSettings, labels_of
from crossbranch.training import Epoch, Example, Watcher, loop
from crossbranch.tree import Token, Tree
from crossbranch.treebank import write

QUICK = merged(
    QUICK_SETTINGS["neural-transition"], {"epochs": 2, "encoder": {"layers": 1, "hidden": 16}}
)
FEW = TRAIN[:24]
CHUNKS = {"kind": "chunk", "level": 2}
SPINES = {"kind": "spine", "level": 2, "min_count": 2}


@pytest.fixture
def words(tmp_path: Path) -> str:
    """Return a file with a column of labels; some tokens have none."""
    file = tmp_path / "words.txt"
    text = ""
    for number in range(10):
        text += f"the X\nword{number} {number % 2}\nquux _\n\n"
    file.write_text(text)
    return str(file)


def column(words: str, **values: Any) -> dict[str, Any]:
    return {"kind": "column", "column": "2", "train": [words], **values}


def settings_of(**values: Any) -> NeuralTransitionSettings:
    return NeuralTransitionSettings.of(merged(QUICK, {"oracle": "static", **values}))


def examples(trees: Any = TRAIN) -> list[Example]:
    return [Example(tuple([Token(token.form) for token in tree.sentence]), tree) for tree in trees]


def learner_of(**values: Any) -> NeuralTransitionLearner[NeuralTransitionParser]:
    dev = examples(DEV)
    return NeuralTransitionLearner(
        NeuralTransitionParser, settings_of(**values), examples(FEW), _raise, dev=dev
    )


def _raise(error: InputError) -> None:
    raise error


def test_several_tasks_are_learned_and_scored(words: str, tmp_path: Path) -> None:
    some = {
        "chunks": CHUNKS,
        "spines": SPINES,
        "values": column(words, held_out=2),  # the name of a method of torch containers
    }
    parser = train("stack-free", train=TRAIN, dev=DEV[:8], **merged(QUICK, {"task": some}))
    assert isinstance(parser, NeuralTransitionParser)
    assert set(parser.task_labels) == {"tag", "chunks", "spines", "values"}
    assert parser.task_labels["values"] == ("X", "0", "1")
    epochs = parser.about["epochs"]
    for name in parser.task_labels:
        assert 0 < epochs[-1]["metrics"][f"{name} accuracy"] <= 1
        assert 0 <= epochs[-1]["metrics"][f"{name} dev accuracy"] <= 1
    assert epochs[-1]["metrics"]["chunks dev accuracy"] > 0.2
    about = parser.about["tasks"]
    assert about["values"] | {"labels": 3, "sentences": 8, "dev_sentences": 2} == about["values"]
    assert "quux" in parser.words
    parser.save(tmp_path / "model")
    card = describe(tmp_path / "model")
    accuracy = epochs[parser.about["epoch"] - 1]["metrics"]["chunks dev accuracy"]
    assert card.tasks["chunks"]["accuracy"] == accuracy
    shown = CliRunner().invoke(models, [str(tmp_path / "model")]).output
    assert re.search(rf"^chunks +chunk +2 +\d+ +60 +{100 * accuracy:.1f}$", shown, re.MULTILINE)
    assert [tree.words for tree in parser.parse_many(DEV)] == [tree.words for tree in DEV]


def test_labels_of_a_task_are_predicted(tmp_path: Path) -> None:
    learner = learner_of(task={"chunks": CHUNKS})
    for _ in range(3):
        learner.learn(range(learner.size))
    parser = learner.snapshot()
    parser.save(tmp_path / "model")
    words = [[], *examples_words(DEV)]
    found = list(parser.label(words, task="chunks"))
    assert [list(one.forms) for one in found] == words
    assert found == list(parser.label(words, task="chunks", threads=2))
    epoch = Epoch(number=1, updates=1, seconds=0, dev_seconds=0)
    accuracy = learner.finish_epoch(epoch)["chunks dev accuracy"]
    gold = [labels_of(tree, TaskSettings(kind="chunk")).labels for tree in DEV]
    flat = [label for labels in gold for label in labels]
    predicted = [label for one in found for label in one.labels]
    right = sum(one == two for one, two in zip(flat, predicted, strict=True))
    assert right / len(flat) == pytest.approx(accuracy)
    tags = [[token.tag for token in tree.sentence] for tree in parser.parse_many(words[1:3])]
    assert [list(one.labels) for one in parser.label(words[1:3], task="tag")] == tags
    with pytest.raises(UsageError, match="no task 'x'; expected one of tag, chunks"):
        parser.label(words, task="x")

    write(DEV, tmp_path / "dev.export")
    arguments = [str(tmp_path / "dev.export"), "--model", str(tmp_path / "model")]
    shown = json.loads(
        CliRunner().invoke(tasks_command, [*arguments, "--task", "chunks", "--json"]).output
    )
    assert shown["figures"]["accuracy"] == pytest.approx(accuracy)
    table = CliRunner().invoke(tasks_command, [*arguments, "--task", "chunks"]).output
    assert f"{accuracy:.1%}" in table
    columns = (
        CliRunner().invoke(tasks_command, [*arguments, "--task", "chunks", "--to", "tsv"]).output
    )
    first = "\t".join((words[1][0], str(gold[0][0]), str(found[1].labels[0])))
    assert columns.splitlines()[0] == first
    assert isinstance(CliRunner().invoke(tasks_command, arguments).exception, UsageError)


def test_dev_accuracy_is_that_of_the_model() -> None:
    learner = learner_of(tags="own")
    learner.learn(range(learner.size))
    parser = learner.snapshot()
    before = learner.state()
    epoch = Epoch(number=1, updates=1, seconds=0, dev_seconds=0)
    found = learner.finish_epoch(epoch)["tag dev accuracy"]
    pairs = [
        (token.tag, predicted.tag)
        for tree, parsed in zip(DEV, parser.parse_many(examples_words(DEV)), strict=True)
        for token, predicted in zip(tree.sentence, parsed.sentence, strict=True)
    ]
    assert found == pytest.approx(sum(gold == tag for gold, tag in pairs) / len(pairs))
    assert learner.state()["optimizer"] == before["optimizer"]


def examples_words(trees: Any) -> list[list[str]]:
    return [list(tree.words) for tree in trees]


def test_labels_of_skipped_sentences_are_left_out() -> None:
    some = examples(TRAIN[:6])
    kept = [0, 2, 5]
    settings = settings_of(task={"chunks": CHUNKS})
    tasks = TaskReader(settings, some, kept, ()).read(_raise)
    for place, number in enumerate(kept):
        labels = labels_of(TRAIN[number], TaskSettings(kind="chunk")).labels
        found = [tasks["chunks"].labels[one] for one in tasks["chunks"].train.numbers[place]]
        assert tuple(found) == labels
        assert tasks["chunks"].train.sentences[place] is some[number].sentence


def test_files_with_the_training_sentences_are_aligned(tmp_path: Path) -> None:
    file = tmp_path / "aligned.txt"
    file.write_text("".join("".join(f"{w} {w[0]}\n" for w in t.words) + "\n" for t in TRAIN[:4]))
    copy = Tree.from_string("(S (NP (PRP They)) (VP (VBD sang)))")
    task = {"letters": column(str(file))}
    tasks = TaskReader(settings_of(task=task), examples(TRAIN[:4]), [1, 3], ()).read(_raise)
    letters = tasks["letters"]
    assert letters.is_aligned
    assert [letters.labels[one] for one in letters.train.numbers[1]] == [
        word[0] for word in TRAIN[3].words
    ]
    changed = settings_of(task=task, augment={"no_final_mark": 0.5})
    with_copy = TaskReader(changed, examples([*TRAIN[:4], copy]), [0, 1, 2, 3, 4], ())
    letters = with_copy.read(_raise)["letters"]
    assert letters.is_aligned
    assert letters.train.numbers[4] == [-1, -1]
    others = TaskReader(settings_of(task=task), examples(TRAIN[4:8]), [0, 1, 2, 3], ())
    assert not others.read(_raise)["letters"].is_aligned


def test_changed_copies_have_labels() -> None:
    parser = train(
        "stack-free",
        train=FEW[:10],
        **merged(QUICK, {"epochs": 1, "augment": {"no_final_mark": 1.0}, "task": {"c": CHUNKS}}),
    )
    assert parser.about["tasks"]["c"]["sentences"] == parser.about["learned_from"] > 10


@pytest.mark.parametrize(("how", "updates"), [("proportional", [3, 5]), ("even", [4, 4])])
def test_tasks_are_drawn_as_often_as_the_setting_says(
    tmp_path: Path, how: str, updates: list[int]
) -> None:
    task = {}
    for name, count in (("one", 9), ("two", 18)):
        (tmp_path / name).write_text("".join(f"w{number} X\n\n" for number in range(count)))
        task[name] = column(str(tmp_path / name))
    settings = settings_of(task=task, task_sampling=how, tags="none")
    tasks = list(TaskReader(settings, examples(TRAIN[:16]), range(16), ()).read(_raise).values())
    stream = TaskUpdates(tasks, settings, tree_batches=4)
    found = [list(stream.after_trees()) for _ in range(4)]
    assert max(map(len, found)) - min(map(len, found)) <= 1  # spread evenly between the trees
    flat = [one for some in found for one in some]
    counts = Counter(one.task.name for one in flat)
    assert [counts["one"], counts["two"]] == updates
    if how == "proportional":  # each sentence once
        for task_, size in zip(tasks, (9, 18), strict=True):
            seen = [number for one in flat if one.task is task_ for number in one.batch]
            assert sorted(seen) == list(range(size))
    again = TaskUpdates(tasks, settings, tree_batches=4)
    again.restore(stream.state())
    for _ in range(5):
        assert list(again.after_trees()) == list(stream.after_trees())


@pytest.mark.parametrize("apart", [True, False])
def test_resumed_training_has_the_same_weights(words: str, apart: bool) -> None:
    values: dict[str, Any] = {
        "apart": apart,
        "oracle": "dynamic",
        "task": {"chunks": CHUNKS, "animacy": column(words)},
    }
    one, other = learner_of(**values), learner_of(**values)
    one.learn(range(10))
    state = {name: bytes(data) for name, data in one.state().items()}
    one.learn(range(10, 24))
    other.restore(state)
    other.learn(range(10, 24))
    assert one.state() == other.state()
    assert one.snapshot().weights == other.snapshot().weights


class Kill(Watcher):
    """Kills the training in the middle of the second epoch."""

    def learned(self, epoch: int, sentences: int, metrics: Mapping[str, float]) -> None:
        if epoch == 2 and sentences > 16:
            raise KeyboardInterrupt


def test_killed_training_goes_on_to_the_same_model(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "_CHUNK", 1)
    monkeypatch.setattr(loop, "_INTERVAL", -1.0)  # a checkpoint after each part of an epoch
    changes = merged(QUICK, {"batch": 1, "task": {"chunks": CHUNKS, "animacy": column(words)}})
    whole = train("stack-free", train=FEW, **changes)
    with pytest.raises(KeyboardInterrupt):
        train("stack-free", train=FEW, out=tmp_path / "model", watcher=Kill(), **changes)
    resumed = train("stack-free", train=FEW, out=tmp_path / "model", **changes)
    assert isinstance(whole, NeuralTransitionParser)
    assert isinstance(resumed, NeuralTransitionParser)
    assert resumed.weights == whole.weights


def test_apart_has_updates_for_each_task(words: str) -> None:
    task = {"chunks": CHUNKS, "animacy": column(words)}
    together = learner_of(task=task).learn(range(24)).updates
    apart = learner_of(task=task, apart=True).learn(range(24)).updates
    assert together == 24 / 4 + 3
    assert apart == 3 * 24 / 4 + 3


def test_control_models_have_the_same_size() -> None:
    def shapes(**values: Any) -> dict[str, tuple[int, ...]]:
        network = learner_of(**values)._network
        return {name: tuple(one.shape) for name, one in network.named_parameters()}

    task = {"chunks": CHUNKS, "kept": {"kind": "spine", "level": 1, "control": True}}
    full, control = shapes(task=task), shapes(task=task, auxiliary=False)
    assert full.keys() - control.keys() == {"encoder.tasks.chunks.weight"}
    assert all(full[name] == shape for name, shape in control.items())
    assert "encoder.levels.1.lstm.weight_ih_l0" in control
    off = {"chunks": {**CHUNKS, "enabled": False}}
    assert "encoder.levels.1.lstm.weight_ih_l0" not in shapes(task=off)


def test_a_weight_changes_what_is_learned() -> None:
    found = set()
    for weight in (0.1, 1.0):
        learner = learner_of(task={"chunks": {**CHUNKS, "weight": weight}})
        learner.learn(range(8))
        found.add(learner.snapshot().weights)
    assert len(found) == 2


def test_bad_tasks_are_refused(words: str) -> None:
    with pytest.raises(UsageError, match="the name of the parser's own tags"):
        train("stack-free", train=TRAIN, task={"tag": {"kind": "tag"}})
    with pytest.raises(UsageError, match="other characters"):
        train("stack-free", train=TRAIN, task={"a.b": {"kind": "tag"}})
    with pytest.raises(InputError, match="no label that is frequent enough"):
        learner_of(task={"animacy": column(words, min_count=50)})


def test_a_task_named_tag_without_own_tags_gives_no_tags() -> None:
    learner = learner_of(tags="none", task={"tag": {"kind": "tag"}})
    (tree,) = learner.snapshot().parse_many([["a", "b"]])
    assert [token.tag for token in tree.sentence] == ["", ""]
