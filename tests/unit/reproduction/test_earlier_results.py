"""Results of earlier calls that are lost, damaged or incomplete are made again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from reproductions import Diary, run, small_paper

from crossbranch.reproduction import Corpus, Options, find_corpus, in_words, reproduce
from crossbranch.reproduction.description import Row, Table

OPTIONS = {"only": ["1", "3"], "train_beam": 1}


@pytest.fixture
def out(mine: Path, tmp_path: Path) -> Path:
    """Return an output folder in which everything is done."""
    run(mine, tmp_path / "out", **OPTIONS)
    return tmp_path / "out"


def test_an_interrupted_call_goes_on(mine: Path, out: Path, tmp_path: Path) -> None:
    """What is done already is not done again, and the tables are the same."""

    class Impatient(Diary):
        def parsing(self, corpus: Corpus, table: Table, row: Row) -> None:
            if row.name == "beam 2":
                raise KeyboardInterrupt

    corpora, options = [find_corpus(str(mine))], Options(jobs=0, train_beam=1)
    place = tmp_path / "interrupted"
    with pytest.raises(KeyboardInterrupt):
        reproduce(small_paper(), corpora, place, only=["1"], options=options, watcher=Impatient())
    again, done = without_speed(mine, place)
    assert done == ["mine: parsing beam 2", "mine: counting 3"]
    assert again == without_speed(mine, out)[0]


def only_run(out: Path) -> Path:
    (folder,) = (out / "mine" / "runs").iterdir()
    return folder


def without_speed(corpus: Path, out: Path) -> tuple[list[list[str]], list[str]]:
    found, done = run(corpus, out, **OPTIONS)
    assert not found.failures
    shown = [table for table in in_words(found) if "speed" not in table.caption]
    return [row for table in shown for row in table.rows], done


def remove_model(folder: Path) -> None:
    shutil.rmtree(folder / "model")


def cut_weights(folder: Path) -> None:
    (folder / "model" / "weights.bin").write_bytes(b"")


@pytest.mark.parametrize("spoil", [remove_model, cut_weights])
def test_a_model_is_trained_again(mine: Path, out: Path, spoil: Callable[[Path], None]) -> None:
    """But only if it is needed."""
    before, _ = without_speed(mine, out)
    spoil(only_run(out))
    assert without_speed(mine, out) == (before, [])
    (only_run(out) / "test-beam1.json").unlink()
    again, done = without_speed(mine, out)
    assert again == before
    warning, parsing = done
    assert warning.startswith("warning: mine: ")
    assert str(only_run(out) / "model") in warning
    assert warning.endswith("; the model is trained again")
    assert parsing == "mine: parsing beam 1"
    assert without_speed(mine, out) == (before, [])


@pytest.mark.parametrize("content", [None, "", "damaged\n", "no\ttrees\n" * 5])
def test_trees_are_predicted_again(mine: Path, out: Path, content: str | None) -> None:
    before, _ = without_speed(mine, out)
    trees = only_run(out) / "test-beam2.discbracket"
    (only_run(out) / "test-beam2-scores.json").unlink()
    trees.unlink()
    if content is not None:
        trees.write_text(content)
    again, done = without_speed(mine, out)
    assert again == before
    assert done == [
        f"warning: mine: {trees} is lost or damaged; its sentences are parsed again",
        "mine: parsing beam 2",
    ]
    assert without_speed(mine, out) == (before, [])


def test_figures_are_measured_again(mine: Path, out: Path) -> None:
    before, _ = without_speed(mine, out)
    path = only_run(out) / "test-beam1-scores.json"
    for wrong in ({}, {"f1": "text"}, {"recall": 1.0}):
        known = json.loads(path.read_text())
        path.write_text(json.dumps(dict.fromkeys(known, wrong)))
        assert without_speed(mine, out) == (before, [])
    counts = out / "mine-counts.json"
    for rows in ("[]", "[{}, {}]", '[{"sentences": 5}]', "damaged"):
        known = json.loads(counts.read_text())
        counts.write_text("{" + ", ".join(f'"{key}": {rows}' for key in known) + "}")
        assert without_speed(mine, out) == (before, ["mine: counting 3"])
