"""Every kind of parser can be part of an experiment."""

from __future__ import annotations

from pathlib import Path

import pytest
from trained_parsers import DEV, QUICK_SETTINGS, TRAIN, each_preset, has_epochs, kind_of

from crossbranch import experiments
from crossbranch.config import to_toml
from crossbranch.parsers.training import recipe_of
from crossbranch.treebank import write


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Very small treebanks: what parsers learn from them does not matter."""
    place = tmp_path_factory.mktemp("experiments")
    write(TRAIN[:12], place / "train.export")
    write(DEV[:4], place / "test.export")
    return place


@each_preset
def test_an_experiment_trains_and_scores(preset: str, folder: Path) -> None:
    kind = kind_of(preset)
    quick = {**QUICK_SETTINGS.get(kind.kind, {}), **({"epochs": 1} if has_epochs(kind) else {})}
    (folder / f"{preset}-quick.toml").write_text(to_toml(recipe_of(preset, quick).settings))
    file = folder / f"{preset}.toml"
    file.write_text(
        f'preset = "{preset}-quick.toml"\ntrain = "train.export"\ntest = "test.export"\n'
        "[variant.plain]\n[variant.other]\ncasing = false\n"
    )
    experiment = experiments.read(file)
    found = experiments.run(experiment, jobs=0)
    assert found.failures == ()
    rows = experiments.table(found).rows
    assert [row.variant for row in rows] == ["plain", "other"]
    for row in rows:
        assert row.f1 is not None
        assert row.tag_accuracy is not None  # by a tagger, or by the parser itself
        assert row.training_seconds is not None
    assert rows[1].to_baseline is not None
    assert rows[1].to_baseline.f1_test is not None
    assert {experiments.state_of(run) for run in experiments.plan(experiment)} == {"done"}
