"""Settings: typed, checked, written and read again."""

from __future__ import annotations

import re
import tomllib
from typing import Annotated

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbranch.config import (
    Settings,
    SettingsTable,
    meanings,
    missing_tables,
    read_assignments,
    read_toml,
    to_toml,
)
from crossbranch.errors import InputError, UsageError
from crossbranch.parsers.linear_transition import LinearTransitionSettings
from crossbranch.ranges import Size
from crossbranch.toml_texts import toml_value


def test_settings_have_defaults_and_meanings() -> None:
    settings = LinearTransitionSettings.of({"beam": 8})
    assert (settings.beam, settings.epochs, settings.features) == (8, 15, ("baseline",))
    assert set(meanings(LinearTransitionSettings)) == set(settings.to_dict())
    assert all(meanings(LinearTransitionSettings).values())


def test_texts_stand_for_what_they_spell() -> None:
    settings = LinearTransitionSettings().changed(
        {"beam": "8", "features": "baseline, mine.txt,", "prune": "0.5", "seed": "-3"}
    )
    assert settings.beam == 8
    assert settings.features == ("baseline", "mine.txt")
    assert settings.prune == 0.5
    assert settings.seed == -3


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"bem": 4}, "unknown setting 'bem'; expected one of augment, batch, beam, ca"),
        ({"beam": 0}, "the setting beam is 0, expected a whole number of at least 1"),
        ({"beam": "many"}, "the setting beam is 'many', expected a whole number"),
        ({"beam": True}, "the setting beam is True"),
        ({"beam": 1.5}, "the setting beam is 1.5"),
        (
            {"update": "late"},
            "the setting update is 'late', expected one of early, restart, max-violation",
        ),
        ({"features": 3}, "the setting features is 3, expected names, separated by commas"),
        ({"system": 3}, "the setting system is 3, expected a text"),
        ({"prune": -1}, "the setting prune is -1, expected a number of at least 0"),
        ({"min_update": 256}, "expected a whole number of at least 0 and at most 255"),
    ],
)
def test_bad_settings_say_what_is_possible(values: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        LinearTransitionSettings.of(values)


def test_settings_cannot_be_changed_in_place() -> None:
    with pytest.raises(AttributeError):
        Settings().seed = 3  # type: ignore[misc]


def test_assignments() -> None:
    assert read_assignments(["beam=4", " min-update = 3", "prepare=a=b"]) == {
        "beam": "4",
        "min_update": "3",
        "prepare": "a=b",
    }
    for bad in ("beam", "=4"):
        with pytest.raises(UsageError, match="expected key=value"):
            read_assignments([bad])


def test_bad_toml_names_file_and_line() -> None:
    with pytest.raises(InputError, match=r"my\.toml:2: found invalid value, expected TOML"):
        read_toml("beam = 4\nepochs =\n", path="my.toml")


TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.booleans() | st.integers(-(2**60), 2**60) | st.floats() | TEXT | st.lists(TEXT))
def test_values_survive_toml(value: object) -> None:
    found = tomllib.loads(f"x = {toml_value(value)}")["x"]
    assert found == value or (found != found and value != value)


@given(
    st.builds(
        LinearTransitionSettings,
        beam=st.integers(1, 99),
        features=st.lists(TEXT, max_size=3).map(tuple),
        prune=st.floats(0, 1e9),
        prepare=TEXT,
        choose=st.sampled_from(["f1", "last"]),
    )
)
def test_settings_survive_toml(settings: LinearTransitionSettings) -> None:
    assert LinearTransitionSettings.of(read_toml(to_toml(settings), path="x")) == settings


class TaskSettings(SettingsTable, frozen=True, kw_only=True):
    level: Annotated[Size, "layer that it is attached to"] = 1
    is_weighted: Annotated[bool, "whether it has a weight"] = False


class ManySettings(Settings, frozen=True, kw_only=True):
    residual: Annotated[bool, "whether layers are skipped"] = False
    limit: Annotated[Size | None, "no longer sentences; none: any length"] = None
    encoder: Annotated[TaskSettings, "the encoder"] = TaskSettings()
    task: Annotated[dict[str, TaskSettings], "other tasks, by name"] = msgspec.field(
        default_factory=dict
    )


def test_tables_that_users_may_add_are_shown() -> None:
    places = ("[tags_from]", "[source.NAME]", "[augment]", "[task.NAME]")
    for settings, count in ((ManySettings(), 4), (ManySettings(task={"pos": TaskSettings()}), 3)):
        found = missing_tables(settings)
        assert [text.splitlines()[1] for text in found] == [*places[:count]]
    assert missing_tables(ManySettings())[3].startswith("# other tasks, by name\n[task.NAME]\n")


def test_long_meanings_have_several_lines() -> None:
    class LongSettings(SettingsTable, frozen=True, kw_only=True):
        size: Annotated[Size, "word " * 40] = 3

    lines = to_toml(LongSettings()).splitlines()
    assert [len(line) <= 100 for line in lines] == [True] * 4
    assert [line[:6] for line in lines] == ["# word"] * 3 + ["size ="]


@pytest.mark.parametrize(("text", "value"), [("true", True), ("No", False), ("on", True)])
def test_booleans(text: str, value: bool) -> None:
    assert ManySettings.of({"residual": text}).residual is value
    assert ManySettings.of({"residual": value}).residual is value
    with pytest.raises(UsageError, match="the setting residual is 1, expected true or false"):
        ManySettings.of({"residual": 1})


def test_tables() -> None:
    settings = ManySettings.of({"task": {"pos": {"level": 2}, "morph": {}}, "limit": "40"})
    assert settings.task == {"pos": TaskSettings(level=2), "morph": TaskSettings()}
    assert settings.limit == 40
    assert ManySettings.of(read_toml(to_toml(settings), path="x")) == settings
    assert "\n[task.pos]\n" in to_toml(settings)
    assert "\n# the encoder\n[encoder]\n" in to_toml(settings)
    changed = settings.changed(
        read_assignments(["task.pos.is-weighted=true", "task.edges.level=3", "encoder.level=4"])
    )
    assert changed.task["pos"] == TaskSettings(level=2, is_weighted=True)
    assert changed.task["edges"] == TaskSettings(level=3)
    assert changed.encoder.level == 4


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"task": {"pos": {"layer": 1}}},
            "unknown setting 'task.pos.layer'; expected one of task.pos.is_",
        ),
        ({"task": {"pos": {"level": 0}}}, "the setting task.pos.level is 0, expected a whole"),
        ({"task": {"pos": 3}}, "the setting task.pos is 3, expected a table"),
        ({"task": 3}, "the setting task is 3, expected a table"),
        ({"encoder": 3}, "the setting encoder is 3, expected a table"),
        ({"limit": 0}, "the setting limit is 0, expected a whole number of at least 1"),
    ],
)
def test_bad_tables_say_where(values: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        ManySettings.of(values)
