"""What fails late does not take the rest with it; wrong names and folders are errors at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from reproductions import run, small_paper

from crossbranch import experiments
from crossbranch.errors import ArgumentError, InputError, UsageError
from crossbranch.experiments import Experiment, Results
from crossbranch.parsers import Parser
from crossbranch.reproduction import Options, find_corpus, in_words, reproduce
from crossbranch.reproduction.predictions import Prediction
from crossbranch.reproduction.work import Failed


@pytest.mark.parametrize("stage", ["training", "table 1, beam 1"])
def test_other_corpora_have_their_figures(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    train, parse = experiments.run, Prediction.parse

    def fail_to_train(experiment: Experiment, **options: object) -> Results:
        if stage == "training" and experiment.path.name == "bad":
            raise OSError("the disk is full")
        return train(experiment, **options)  # type: ignore[arg-type]

    def fail_to_parse(one: Prediction, parser: Parser, threads: int) -> None:
        if stage != "training" and "bad" in one.path.parts and "beam1" in one.path.name:
            raise InputError("nothing", "something", path="model")
        parse(one, parser, threads)

    monkeypatch.setattr(experiments, "run", fail_to_train)
    monkeypatch.setattr(Prediction, "parse", fail_to_parse)
    corpora = [find_corpus(f"{name}={mine}") for name in ("bad", "good")]
    options = Options(jobs=0, train_beam=1)
    found = reproduce(small_paper(), corpora, tmp_path / "out", only=["1", "3"], options=options)
    reasons = {"training": "the disk is full"}
    reason = reasons.get(stage, "model: found nothing, expected something")
    assert found.failures == (Failed("bad", stage, reason),)
    f1, *_, sizes = in_words(found)
    assert f1.columns[1:3] == ["bad", "good"]
    assert [row[1] == "–" for row in f1.rows] == [True, stage == "training"]
    assert "–" not in [row[2] for row in f1.rows]
    assert sizes.rows[0][1:] == ["20", "20"]


def test_the_output_folder_is_tried_first(mine: Path, tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("")
    (mine / "train.export").write_text("")  # is looked at later
    for out in (place, place / "below"):
        with pytest.raises(UsageError, match=f"^--out {out}: not a directory$"):
            run(mine, out, only=["3"])


def test_the_folders_of_all_corpora_are_tried_first(mine: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "second").write_text("")
    corpora = [find_corpus(f"{name}={mine}") for name in ("first", "second")]
    with pytest.raises(UsageError, match="out/second: it is a file"):
        reproduce(small_paper(), corpora, tmp_path / "out", options=Options(jobs=0))
    assert not (tmp_path / "out" / "first").exists()


@pytest.mark.parametrize("name", ["tiger 2.2", "eq=x"])
def test_folders_whose_names_cannot_be_those_of_corpora(mine: Path, name: str) -> None:
    folder = mine.rename(mine.parent / name)
    message = f"--corpus {folder}: found the name {name!r}, expected letters, digits, - and _; "
    with pytest.raises(UsageError) as error:
        find_corpus(str(folder))
    assert str(error.value) == f"{message}give the corpus a name: --corpus NAME={folder}"
    assert find_corpus(f"mine={folder}").name == "mine"
    with pytest.raises(UsageError, match=r"'my own', expected letters, digits, - and _$"):
        find_corpus(f"my own={folder}")


def test_wrong_types_end_at_the_door(mine: Path) -> None:
    wrong: Any = 1
    with pytest.raises(ArgumentError, match="find_corpus: text is 1, expected a text"):
        find_corpus(wrong)
    with pytest.raises(
        ArgumentError, match="corpora is 'mine', expected several of these: a Corpus"
    ):
        reproduce(small_paper(), "mine", "out")  # type: ignore[arg-type]
