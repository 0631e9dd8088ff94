"""The worked experiment of the page on tasks, with a very small network."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from trained_parsers import DEV, TRAIN

pytest.importorskip("torch")

from crossbranch.experiments import read, run, table
from crossbranch.parsers import NeuralTransitionParser, load
from crossbranch.treebank import write

PAGE = Path(__file__).parents[2] / "docs" / "tasks.md"
CONTROL = "supertags-control"
SMALL = """
epochs = 2
batch = 4
encoder.words = 8
encoder.character_size = 4
encoder.spelling = 4
encoder.hidden = 8
encoder.layers = 1
scorer.hidden = 8
"""


def shown_file(name: str) -> str:
    """Return the content of a file that the page writes."""
    found = re.search(
        rf"^\$ cat > {re.escape(name)} <<END\n(.*?)^> END$",
        PAGE.read_text(),
        re.DOTALL | re.MULTILINE,
    )
    assert found is not None
    return re.sub("^> ?", "", found[1], flags=re.MULTILINE)


def test_the_experiment_of_the_page(tmp_path: Path) -> None:
    for name in ("words.txt", "words-dev.txt"):
        (tmp_path / name).write_text(shown_file(name))
    text = shown_file("animacy.toml")
    text = text.replace("seeds = [1, 2, 3]", "seeds = [1]")
    text = text.replace("[settings]\n", f"[settings]{SMALL}")
    (tmp_path / "animacy.toml").write_text(text)
    write(TRAIN[:12], tmp_path / "train.export")
    write(DEV[:4], tmp_path / "dev.export")
    found = run(read(tmp_path / "animacy.toml"), jobs=0)
    assert not found.failures
    runs = {one.variant: one for one in found.runs}
    metrics = {name: one.training.metrics for name, one in runs.items()}
    assert "animacy dev accuracy" in metrics["animacy"]
    assert "supertags dev accuracy" in metrics["supertags"]
    assert all("tag dev accuracy" in one for one in metrics.values())
    for name in ("plain", "animacy-control", CONTROL):
        assert {one.split()[0] for one in metrics[name]} == {"loss", "tag"}
    full, control = (load(runs[name].folder / "model") for name in ("supertags", CONTROL))
    assert isinstance(full, NeuralTransitionParser)
    last_layer = 8 * len(full.task_labels["supertags"])
    assert control.about["parameters"] == full.about["parameters"] - last_layer
    assert full.settings.network.layers == 2
    assert {row.variant for row in table(found, on="dev").rows} == set(runs)


def test_an_experiment_with_distributions(tmp_path: Path) -> None:
    trees = {"train": TRAIN[:8], "dev": DEV[:3], "test": DEV[3:6]}
    for name, some in trees.items():
        write(some, tmp_path / f"{name}.export")
        rows = ["".join(f"{len(word)}\t1\n" for word in tree.words) for tree in some]
        (tmp_path / f"{name}.tsv").write_text("\n".join(rows))
    (tmp_path / "rows.toml").write_text(
        'preset = "stack-free"\ntrain = "train.export"\ndev = "dev.export"\ntest = "test.export"\n'
        f"seeds = [1]\n[settings]{SMALL}"
        '[variant.rows.distribution.lengths]\ntrain = "train.tsv"\ndev = "dev.tsv"\n'
        'test = "test.tsv"\n'
    )
    found = run(read(tmp_path / "rows.toml"), jobs=0)
    assert not found.failures
    assert set(found.runs[0].scores) == {"dev", "test"}
    settings = (tmp_path / "rows.toml").read_text().replace('test = "test.tsv"\n', "")
    (tmp_path / "rows.toml").write_text(settings)
    (failure,) = run(read(tmp_path / "rows.toml"), jobs=0).failures
    assert "this model needs the distribution lengths" in failure.reason
