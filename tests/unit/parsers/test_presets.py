"""Presets: complete, explained, and open to users' own files."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbranch.config import Description, to_toml
from crossbranch.errors import InputError, UsageError
from crossbranch.parsers import PARSERS, PRESETS, find_preset
from crossbranch.parsers.linear_transition import LinearTransitionParser, LinearTransitionSettings
from crossbranch.parsers.neural_transition import (
    NeuralTransitionParser,
    NeuralTransitionSettings,
)
from crossbranch.parsers.training import recipe_of
from crossbranch.transitions import SYSTEMS


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_presets_are_explained_and_right(name: str) -> None:
    preset = PRESETS[name]
    assert preset.name == name
    assert all([preset.summary, preset.paper, preset.use])
    settings = recipe_of(name, {}).settings
    kind = PARSERS[settings.parser]
    assert isinstance(settings, kind.settings_type)
    kind.check_settings(settings)


def test_the_papers_systems_have_presets() -> None:
    variants = {"ml-gap-lex", "ml-cgap"}  # `--set system=...` makes a parser of them
    found = {preset.settings.get("system") for preset in PRESETS.values()}
    assert found - {None} == set(SYSTEMS) - variants


OF_BOTH: dict[str, object] = {
    "tags": "gold",
    "heads": "negra-2017",
    "casing": False,
    "discontinuous": True,
    "update": "early",
    "choose": "last",
    "min_update": 0,
    "voters": 1,
    "prune": 0.0,
    "batch": 1,
    "patience": 0,
}
OF_2017: dict[str, object] = {
    "features": ("baseline", "extended", "spans"),
    "beam": 4,
    "stop": "all",
    "epochs": 30,
    "importance": 1,
    "unknown_below": 2,
    "oracle": "auto",
}
OF_2015: dict[str, object] = {
    "oracle": "strict",
    "beam": 8,
    "stop": "first",
    "epochs": 20,
    "unknown_below": 1,
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sr-gap-2017", OF_2017),
        ("sr-cgap-2017", OF_2017),
        ("sr-swap-2015", {**OF_2015, "features": ("baseline",), "importance": 1}),
        (
            "sr-cswap-2015",
            {**OF_2015, "features": ("baseline", "extended", "disco"), "importance": 2},
        ),
    ],
)
def test_presets_of_papers_have_their_settings(name: str, expected: dict[str, object]) -> None:
    settings = recipe_of(name, {}).settings
    assert isinstance(settings, LinearTransitionSettings)
    expected = OF_BOTH | expected | {"system": name.split("-")[1]}
    assert {key: getattr(settings, key) for key in expected} == expected


def test_linear_parsers_refuse_systems_that_they_cannot_score() -> None:
    for name, kind in SYSTEMS.items():
        settings = LinearTransitionSettings(system=name)
        if not kind.builds_candidates:
            LinearTransitionParser.check_settings(settings)
            continue
        with pytest.raises(UsageError) as caught:
            LinearTransitionParser.check_settings(settings)
        assert str(caught.value) == (
            f"linear parsers cannot score the transition system {name}; "
            "expected one of gap, cgap, swap, cswap"
        )


def test_neural_parsers_refuse_what_they_cannot_do() -> None:
    for values, message in (
        (
            {"system": "gap"},
            "neural parsers cannot score the transition system gap",
        ),
        ({"oracle": "lazy"}, "stack-free has no oracle 'lazy'; expected one of static, dynamic"),
        (
            {"encoder": {"hidden": 401}},
            "the setting encoder.hidden is 401, expected an even",
        ),
        ({"tag_level": 3}, "the setting tag_level is 3, expected at most 2: the number of layers"),
    ):
        settings = NeuralTransitionSettings.of(values)
        with pytest.raises(UsageError) as caught:
            NeuralTransitionParser.check_settings(settings)
        assert str(caught.value).startswith(message)


def test_a_file_can_be_a_preset(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('system = "swap"\nbeam = 8\n[about]\nsummary = "mine"\n')
    assert find_preset(path).summary == "mine"
    settings = LinearTransitionSettings(system="swap", beam=8, seed=3)
    assert recipe_of(path, {"seed": 3}) == (settings, Description())


def test_what_describes_a_model_stands_apart(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('beam = 8\n[description]\nlanguage = "Dutch"\nlicence = "none"\n')
    recipe = recipe_of(path, {"licence": "CC BY 4.0", "seed": 3})
    assert recipe.description == Description(language="Dutch", licence="CC BY 4.0")
    assert recipe.settings == LinearTransitionSettings(beam=8, seed=3)


def test_old_names_are_still_read(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('parser = "transition"\nlanguage = "Dutch"\n')
    recipe = recipe_of(path, {})
    assert recipe.settings.parser == "linear-transition"
    assert recipe.description.language == "Dutch"


def test_the_settings_of_a_model_can_be_a_preset(tmp_path: Path) -> None:
    settings = recipe_of("sr-cgap", {"epochs": 3}).settings
    path = tmp_path / "config.toml"
    path.write_text(to_toml(settings))
    assert recipe_of(path, {}).settings == settings


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown preset 'gap'; expected one of ml-gap, "):
        find_preset("gap")
    with pytest.raises(
        UsageError, match="unknown parser 'oracle'; expected one of linear-transition"
    ):
        recipe_of("sr-gap", {"parser": "oracle"})
    path = tmp_path / "mine.toml"
    path.write_text("[about]\nbeam = 4\n")
    with pytest.raises(InputError, match=r"mine\.toml: found about = .*a table of texts: summary"):
        find_preset(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"mine\.toml: found bytes that are not UTF-8"):
        find_preset(path)
