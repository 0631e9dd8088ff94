"""The recipes of the models that ship: their settings are right, and their data can be found."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from crossbranch.parsers.training import recipe_of

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "model_recipe.py"
RECIPES = sorted((ROOT / "scripts" / "models").glob("*.toml"))


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("model_recipe", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_recipes_have_settings_and_data(script: ModuleType, recipe: Path, tmp_path: Path) -> None:
    settings, data = script.split_recipe(recipe.read_text(encoding="utf-8"))
    (tmp_path / "settings.toml").write_text(settings, encoding="utf-8")
    found = recipe_of(tmp_path / "settings.toml", {})
    assert found.description.licence
    named = data["train"] if isinstance(data["train"], dict) else {}
    given = {name for name in found.settings.source if name not in named}  # as an option
    assert all(name.endswith("silver") for name in given)
    assert "dev" in data


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_the_data_of_recipes_exist(script: ModuleType, recipe: Path, shared: Path) -> None:
    _, data = script.split_recipe(recipe.read_text(encoding="utf-8"))
    assert [path for _, _, path in script.files(data, shared) if not path.is_file()] == []


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_teachers_ship_or_have_a_recipe(script: ModuleType, recipe: Path) -> None:
    _, data = script.split_recipe(recipe.read_text(encoding="utf-8"))
    known = {path.stem for path in RECIPES} - {recipe.stem}
    assert {teacher for _, _, teacher, _ in script.silver(data, ROOT)} <= known


def run(*arguments: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_options_are_printed_and_missing_files_are_named(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        'beam = 2\n[data]\ndev = "dev.export"\n[data.train]\na = "a b.export"\nb-c = "b.conllu"\n'
        '[source.a]\nweight = 2\n[data.check]\nx = "x.export"\n[description]\nlicence = "CC0"\n'
    )
    wrong = run(recipe, tmp_path, tmp_path / "out.toml")
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("error: there is no ")
    assert "b.conllu, no " in wrong.stderr
    for name in ("dev.export", "a b.export", "b.conllu", "x.export"):
        (tmp_path / name).touch()
    done = run(recipe, tmp_path, tmp_path / "out.toml")
    assert done.stdout.splitlines() == [
        *("--train", f"a={tmp_path / 'a b.export'}", "--train", f"b-c={tmp_path / 'b.conllu'}"),
        *("--dev", str(tmp_path / "dev.export"), "--check", f"x={tmp_path / 'x.export'}"),
    ]
    settings = (tmp_path / "out.toml").read_text()
    assert settings == 'beam = 2\n[source.a]\nweight = 2\n[description]\nlicence = "CC0"\n'


def test_silver_trees_come_before_the_data(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        'beam = 2\n[data]\ntrain = "a.export"\n[data.silver.mail]\nteacher = "big"\n'
        'text = "b.conllu"\nk_best = 5\n[description]\nlicence = "CC0"\n'
    )
    (tmp_path / "a.export").touch()
    silver, *data = run(recipe, tmp_path, tmp_path / "out.toml").stdout.splitlines()
    made = "build/mail-big.export.xz"
    assert silver.split("\t") == ["silver", made, "big", f"{tmp_path}/b.conllu", "--k-best", "5"]
    assert data == ["--train", f"mail={made}", "--train", str(tmp_path / "a.export")]


def test_recipes_without_data_are_refused(script: ModuleType) -> None:
    with pytest.raises(ValueError, match="data for nothing; expected train, dev, check"):
        script.split_recipe("beam = 2\n")
    with pytest.raises(ValueError, match="data for train, test"):
        script.split_recipe('[data]\ntrain = "a"\ntest = "b"\n')
