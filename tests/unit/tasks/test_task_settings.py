"""Settings of tasks: checks that name the setting, control models, levels. Scores and labels."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import pytest

from crossbranch.config import read_toml, to_toml
from crossbranch.errors import UsageError
from crossbranch.tasks import (
    KINDS,
    Inventory,
    KindName,
    TaskScore,
    TaskSettings,
    active_tasks,
    check_tasks,
    draw,
    levels_needed,
    score_labels,
)
from crossbranch.tasks.ccg import read_category
from crossbranch.tasks.dependents import read_relative_tags

TASKS = {
    "pos": TaskSettings(kind="tag", level=1, control=True),
    "chunks": TaskSettings(kind="chunk", level=2),
    "off": TaskSettings(kind="spine", level=4, enabled=False),
}


def test_control_models_have_the_same_size_and_fewer_tasks() -> None:
    assert list(active_tasks(TASKS, auxiliary=True)) == ["pos", "chunks"]
    assert list(active_tasks(TASKS, auxiliary=False)) == ["pos"]
    assert levels_needed(TASKS) == 2
    assert levels_needed({}) == 0


def test_every_kind_is_built_in() -> None:
    assert list(KINDS) == list(get_args(KindName))


def test_settings_survive_toml() -> None:
    settings = TaskSettings(kind="ccg-head", train=("a.auto", "b.auto"), weight=0.5, farthest=0)
    values = read_toml(to_toml(settings), path="x")
    assert TaskSettings.of(values) == settings
    assert TaskSettings.of({"train": "a.auto, b.auto"}).train == ("a.auto", "b.auto")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"kind": "tags"}, "the setting task.x.kind is 'tags', expected one of tag, morphology"),
        ({"level": 0}, "the setting task.x.level is 0, expected a whole number of at least 1"),
        ({"levels": 1}, "unknown setting 'task.x.levels'"),
        ({"weight": -1}, "task.x.weight is -1"),
        ({"dev": ["a"]}, "task.x.dev has files, but task.x.train has none"),
        ({"held_out": 3}, "task.x.held_out is 3, but task.x.train has no files"),
        ({"held_out": 3, "train": ["a"], "dev": ["b"]}, "held_out is 3, but task.x.dev has files"),
        ({"kind": "column"}, "task.x.column is empty"),
        ({"kind": "ccg"}, "task.x.train is empty; the kind ccg needs files"),
        ({"level": 3}, "task.x.level is 3, expected at most 2: the number of layers"),
    ],
)
def test_wrong_settings(values: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        check_tasks({"x": TaskSettings.of(values, within="task.x.")}, layers=2)


def test_the_right_settings_pass() -> None:
    check_tasks(TASKS, layers=2)  # a task that is not enabled needs no layer


def test_as_many_steps_as_sentences() -> None:
    steps = draw([3, 0, 5], "proportional", 8, Random(1))
    assert sorted(steps) == [0, 0, 0, 2, 2, 2, 2, 2]
    assert steps != sorted(steps)
    assert sorted(draw([300, 0, 5], "even", 4, Random(1))) == [0, 0, 2, 2]
    assert draw([0, 0], "even", 4, Random(1)) == []
    with pytest.raises(UsageError, match="how is 'odd'"):
        draw([1], "odd", 1, Random(1))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    ["", "/", "S/", "/NP", "(S", "S)", "(S)(NP)", "()/N", "S NP", "NP(S)/N", ")S(", "S//N", "S[x"],
)
def test_texts_that_are_not_categories(text: str) -> None:
    with pytest.raises(ValueError, match="not a category"):
        read_category(text)


def test_categories_with_superfluous_brackets() -> None:
    category = read_category(r"((S[b]\NP)/NP)")
    assert category.text == r"(S[b]\NP)/NP"
    assert read_category(r"S\NP/NP").argument == "+NP"
    assert read_category("N[num]").sketch == "X"


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("N_1_obj", (2, "obj")),
        ("N_2_obj", (3, "obj")),
        ("N_3_obj", (None, "obj")),
        ("V_-1_obl:x", (0, "obl:x")),
        ("A_B_1_x", (4, "x")),
        ("root_-1_root", (-1, "root")),
        ("Q_1_x", (None, "")),
        ("N_0_x", (None, "")),
        ("nonsense", (None, "")),
    ],
)
def test_relative_tags_are_read(label: str, expected: tuple[int | None, str]) -> None:
    tags = ["V", "D", "N", "N", "A_B"]
    assert read_relative_tags(["", label], tags)[1] == expected


def test_scores_add() -> None:
    inventory = Inventory(("N", "V"))
    one = score_labels(["N", None, "Q", "V"], ["N", "V", "N", "N"], inventory)
    assert one == TaskScore(right=1, tokens=3, unknown=1)
    both = one + score_labels(["N"], ["N"], inventory)
    assert both.accuracy == 0.5
    assert both.to_dict() == {"accuracy": 0.5, "tokens": 4, "unknown": 1}
    assert TaskScore().accuracy == 0.0
    with pytest.raises(UsageError, match="1 predicted labels, expected 2"):
        score_labels(["N", "N"], ["N"], inventory)


def test_chunks_are_compared_as_a_whole() -> None:
    gold = ["B-NP", "I-NP", "O", "B-VP", None]
    predicted = ["B-NP", "I-NP", "B-NP", "I-VP", "O"]
    score = score_labels(gold, predicted, Inventory(()), are_chunks=True)
    assert (score.chunks, score.predicted_chunks, score.right_chunks) == (2, 3, 2)
    assert score.to_dict()["chunk_f1"] == score.chunk_f1 == 0.8
    assert TaskScore().chunk_f1 == 0.0
