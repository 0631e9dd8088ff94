"""Experiment files: variants, grids, controls, paths, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec
import pytest
from small_parsers.greedy import GreedyParser, GreedySettings

from crossbranch.errors import InputError, UsageError
from crossbranch.experiments import Experiment, read
from crossbranch.experiments.variants import combinations, without
from crossbranch.parsers import PARSERS
from crossbranch.parsers.linear_transition import LinearTransitionSettings
from crossbranch.tasks import TaskSettings, active_tasks, levels_needed

Make = Callable[..., Experiment]
LINEAR = 'preset = "sr-gap"\ntrain = "train.export"\ndev = "dev.export"\n'


def linear(experiment: Experiment, name: str) -> LinearTransitionSettings:
    found = experiment.variant(name).settings
    assert isinstance(found, LinearTransitionSettings)
    return found


def test_variants_change_some_settings(make: Make, folder: Path) -> None:
    found = make(
        "seeds = [5, 7]\nbaseline = 'wide'\n[settings]\nbeam = 2\nepochs = 3\n"
        "[variant.plain]\n[variant.wide]\nbeam = 16\n[variant.other]\npreset = 'sr-swap'\n"
        "[variant.short]\nwithout = 'epochs'\n",
        head=LINEAR,
    )
    assert [variant.name for variant in found.variants] == ["plain", "wide", "other", "short"]
    assert [linear(found, name).beam for name in ("plain", "wide", "other")] == [2, 16, 2]
    assert [linear(found, name).system for name in ("plain", "other")] == ["gap", "swap"]
    assert [linear(found, name).epochs for name in ("plain", "short")] == [3, 8]
    assert found.variant("wide").with_seed(7).seed == 7
    assert (found.seeds, found.baseline) == ((5, 7), "wide")
    assert found.sets == {"dev": folder / "dev.export"}
    assert found.out == folder / "mine"


def test_how_variants_differ(make: Make, folder: Path) -> None:
    found = make(
        "[variant.a]\n[variant.b]\nbeam = 16\naugment.lower_first = 0.5\n"
        "[variant.c]\ntrain = 'dev.export'\n",
        head=LINEAR,
    )
    one, other, third = found.variants
    assert other.differences(one) == {"beam": 16, "augment.lower_first": 0.5}
    assert one.differences(other) == {"beam": 4, "augment": None}
    assert third.differences(one) == {"train": folder / "dev.export"}
    assert [variant.name for variant in found.restricted(["c"]).variants] == ["a", "c"]


def test_a_grid_has_all_combinations(make: Make) -> None:
    found = make(
        "[grid]\nfeatures = ['baseline', ['baseline', 'spans']]\nbeam = [1, 4]\n", head=LINEAR
    )
    names = [variant.name for variant in found.variants]
    assert names == [
        *("features=baseline beam=1", "features=baseline beam=4"),
        *("features=baseline+spans beam=1", "features=baseline+spans beam=4"),
    ]
    assert found.baseline == names[0]
    assert linear(found, names[3]).features == ("baseline", "spans")
    assert linear(found, names[3]).beam == 4


def test_a_grid_of_presets_and_data(make: Make, folder: Path) -> None:
    found = make(
        "[grid]\npreset = ['sr-gap', 'sr-swap']\ntrain = ['train.export', 'dev.export']\n",
        head='dev = "dev.export"\n',
    )
    assert found.variants[3].name == "preset=sr-swap train=dev.export"
    assert linear(found, found.variants[3].name).system == "swap"
    assert found.variants[3].train == folder / "dev.export"


def test_tables_in_a_grid() -> None:
    grid = {"source": {"a": {"weight": [1, 2]}, "b": {"weight": [3]}}, "beam": [True]}
    assert combinations(grid, ValueError) == {
        "source.a.weight=1 source.b.weight=3 beam=true": {
            "source": {"a": {"weight": 1}, "b": {"weight": 3}},
            "beam": True,
        },
        "source.a.weight=2 source.b.weight=3 beam=true": {
            "source": {"a": {"weight": 2}, "b": {"weight": 3}},
            "beam": True,
        },
    }


def test_without_leaves_no_empty_table() -> None:
    changes = {"beam": 4, "task": {"ccg": {"level": 1}, "pos": {}}}
    assert without(changes, ["task.ccg"]) == {"beam": 4, "task": {"pos": {}}}
    assert without(changes, ["task.ccg", "task.pos"]) == {"beam": 4}
    assert without(changes, ["task", "beam.size", "epochs"]) == {"beam": 4}


def test_the_only_variant_has_the_name_of_the_preset(make: Make) -> None:
    assert [variant.name for variant in make().variants] == ["quick"]


def test_one_switch_gives_each_variant_its_control(make: Make) -> None:
    found = make(
        "control = 'augment'\n[variant.plain]\n[variant.copies]\naugment.lower_first = 0.5\n"
        "[variant.wide]\nbeam = 8\naugment.lower_first = 0.5\n"
        "[variant.wider]\nbeam = 8\naugment.lower_first = 0.7\n",
        head=LINEAR,
    )
    controls = {variant.name: variant.control for variant in found.variants}
    assert controls == {
        "plain": "",
        "copies": "plain",  # has the same settings as the control would have
        "wide": "wide-control",
        "wider": "wide-control",  # is the same for both
        "wide-control": "",
    }
    control = linear(found, "wide-control")
    assert control.augment is None
    assert control.beam == 8


class TaskSettingsParser(GreedyParser):
    """A parser with the settings of auxiliary tasks."""

    kind = "with-tasks"

    class Settings(GreedySettings, frozen=True, kw_only=True):
        parser: Annotated[str, "kind"] = "with-tasks"
        auxiliary: Annotated[bool, "learn auxiliary tasks"] = True
        task: Annotated[dict[str, TaskSettings], "tasks"] = msgspec.field(default_factory=dict)

    settings_type = Settings


def test_control_models_have_no_auxiliary_tasks(
    make: Make, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PARSERS, "with-tasks", TaskSettingsParser)
    (folder / "tasks.toml").write_text('parser = "with-tasks"\n')
    (folder / "tags.conllu").write_text("1\tNo\n")
    head = LINEAR.replace("sr-gap", "tasks.toml")
    found = make(
        "control = true\n[settings.task.pos]\ncontrol = true\nlevel = 1\n[variant.plain]\n"
        "[variant.low.task.low]\n[variant.chunks.task.chunks]\nkind = 'chunk'\nlevel = 2\n"
        "[variant.own.task.own]\ntrain = 'tags.conllu'\nlevel = 2\n"
        "[variant.both]\neager = false\n[variant.both.task.own]\nlevel = 2\n",
        head=head,
    )
    controls = {variant.name: variant.control for variant in found.variants}
    assert controls == {
        "plain": "",  # its only task is learned by control models, too
        "low": "low-control",
        "chunks": "chunks-control",
        "own": "chunks-control",  # the network has the same size
        "both": "both-control",
        "low-control": "",
        "chunks-control": "",
        "both-control": "",
    }
    own = found.variant("own").settings.to_dict()
    assert own["task"]["own"]["train"] == (str(folder / "tags.conllu"),)
    low, control, other = (
        found.variant(f"{name}-control").settings for name in ("low", "chunks", "both")
    )
    assert [one.auxiliary for one in (low, control, other)] == [False] * 3  # type: ignore[attr-defined]
    assert set(low.to_dict()["task"]) == {"pos"}
    tasks = control.task  # type: ignore[attr-defined]
    assert levels_needed(tasks) == 2
    assert set(active_tasks(tasks, auxiliary=False)) == {"pos"}
    assert control.changed({"eager": False}) == other


def test_a_control_keeps_what_the_preset_says(make: Make, folder: Path) -> None:
    (folder / "mine-preset.toml").write_text(
        'parser = "linear-transition"\n[augment]\nlower_first = 0.1\n'
    )
    head = LINEAR.replace("sr-gap", "mine-preset.toml")
    found = make("control = 'augment'\n[variant.more]\naugment.lower_first = 0.5\n", head=head)
    control = linear(found, "more-control")
    assert control.augment is not None
    assert control.augment.lower_first == 0.1


def test_files_in_settings_are_relative_to_the_file(make: Make, folder: Path) -> None:
    (folder / "mine.txt").write_text("s0.label\n")
    (folder / "spans").mkdir()  # is still the name of a feature set
    found = make("[settings]\nfeatures = ['spans', 'mine.txt']\n", head=LINEAR)
    assert linear(found, "sr-gap").features == ("spans", str(folder / "mine.txt"))


def test_sources_by_name(make: Make, folder: Path) -> None:
    found = make(
        "[train]\na = 'train.export'\nb = 'dev.export'\n[test]\nx = 'test.export'\n"
        "[variant.less]\nsource.b.weight = 0.5\n[variant.alone]\ntrain = 'train.export'\n",
        head="preset = 'small-grammar'\ndev = 'dev.export'\n",
    )
    assert found.variant("less").train == {
        "a": folder / "train.export",
        "b": folder / "dev.export",
    }
    assert found.variant("alone").train == folder / "train.export"
    assert list(found.sets) == ["dev", "test-x"]


def test_variants_are_chosen_by_name(make: Make) -> None:
    found = make("[grid]\nbeam = [1, 2]\nmin_update = [1, 2]\n", head=LINEAR)
    chosen = found.chosen(["beam=1*", "beam=2 min_update=1"])
    assert len(chosen) == 3
    assert len(found.chosen([])) == 4
    with pytest.raises(UsageError, match=r"no variant has the name 'x'; the variants are beam=1"):
        found.chosen(["x"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sedes = [1]", "found the key 'sedes', expected one of preset, train"),
        ("seeds = [1, 1]", r"found seeds = \[1, 1\], expected a list of different whole numbers"),
        ("seeds = []", "different whole numbers"),
        ("seeds = 3", "different whole numbers"),
        ("out = 3", "the name of a folder"),
        ("baseline = 'x'", "found baseline = 'x', expected one of quick"),
        ("control = 'task'", "found control = 'task', expected settings that a variant has"),
        ("control = 3", "the name of a setting"),
        ("control = true", "found control = True, expected auxiliary tasks that a variant has"),
        ("[settings]\nbeam = 3", r"mine.toml: \[settings\]: unknown setting 'beam'"),
        ("[settings]\nseed = 3", r"seed = 3, expected seeds = \[...\]"),
        ("[variant.a]\nfolds = 1", r"\[variant.a\]: the setting folds is 1, expected a whole"),
        ("[variant.a]\npreset = 'x'", "found preset = 'x', expected a file, or one of"),
        ("[variant.a]\ntrain = 'x.export'", "found train = 'x.export', expected a file or folder"),
        ("[variant.a]\ntrain = 'empty.export'", "a treebank with at least one sentence"),
        ("[variant.a]\nwithout = 'folds'", "names of settings in"),
        ("[variant.a]\nheads = 'x'", r"\[variant.a\]: cannot read x"),
        ("[variant.a]\nprepare = 'x'", r"\[variant.a\]: unknown transform 'x'"),
        ("[variant.a]\ntags = 'own'", r"\[variant.a\]: the setting tags is \"own\", but"),
        ("[variant.a]\nsource.b.weight = 1", "no training data with this name"),
        ("[variant]\na = 3", "found variant.a = 3, expected a table"),
        ('[variant."a\\u0007"]', "printed characters"),
        ("grid = 3", "found grid = 3, expected a table"),
        ("[grid]\nfolds = 3", "found grid.folds = 3, expected a list of values"),
        ("[grid]\nfolds = [3, 3]", "different values"),
        ("[grid]\nfolds = [3]\n[variant.a]", r"both \[variant\] and \[grid\], expected one"),
        ("x = ", "TOML"),
    ],
)
def test_what_is_wrong_is_said(make: Make, folder: Path, text: str, message: str) -> None:
    (folder / "empty.export").write_text("")
    with pytest.raises((UsageError, InputError), match=message) as caught:
        make(text)
    assert "mine.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("train = 'train.export'\ndev = 'dev.export'", "found no preset for the variant"),
        ("preset = 'sr-gap'\ndev = 'dev.export'", "found no training data for 'sr-gap'"),
        ("preset = 'sr-gap'\ntrain = 'train.export'", "found neither dev nor test"),
        (LINEAR.replace("sr-gap", "gap"), "found preset = 'gap', expected a file, or one of "),
        (LINEAR.replace("train.export", "no.export"), "found train = 'no.export', expected a file"),
        ("preset = 'sr-gap'\ndev = 3", "found dev = 3, expected a file, or a table of files"),
        ("dev.'a b' = 'dev.export'", "a source has the name 'a b'"),
        ("dev.a = 3", "found dev.a = 3, expected a file"),
    ],
)
def test_what_is_missing_is_said(make: Make, head: str, message: str) -> None:
    with pytest.raises((UsageError, InputError), match=message) as caught:
        make(head=head)
    assert "mine.toml" in str(caught.value)


def test_settings_that_only_the_kind_can_check(make: Make) -> None:
    with pytest.raises(UsageError, match=r"mine.toml: \[variant.a\]: .*nonsense"):
        make("[variant.a]\nfeatures = 'nonsense'\n", head=LINEAR)
    with pytest.raises(UsageError, match=r"\[variant.a\]: the setting patience needs dev trees"):
        make("[variant.a]\npatience = 3\n", head=LINEAR.replace("dev =", "test ="))


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read .*nothing.toml: no such file"):
        read(tmp_path / "nothing.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"bytes.toml: found bytes that are not UTF-8"):
        read(tmp_path / "bytes.toml")


def test_results_can_be_read_without_data(make: Make, folder: Path) -> None:
    (folder / "train.export").unlink()
    with pytest.raises(InputError, match="expected a file or folder that is there"):
        make()
    assert make(needs_data=False).variants
