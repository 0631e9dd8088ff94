"""crossbranch models and crossbranch labels: what there is, in words."""

from __future__ import annotations

import dataclasses
import io
import json
import shutil
from pathlib import Path

import pytest
from commands import crossbranch
from rich.console import Console

import crossbranch as library
from crossbranch.cli.models import _list
from crossbranch.models import describe, shipped


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model of TIGER-style trees."""
    folder = tmp_path_factory.mktemp("models") / "mine"
    library.train(
        "sr-gap",
        train=library.sample(40),
        dev=library.sample(10, seed=2),
        out=folder,
        epochs=1,
        tags="gold",
        licence="CC0-1.0",
        attribution="nobody in particular",
        text="made-up sentences",
    )
    return folder


def test_models_are_listed() -> None:
    stdout, _ = crossbranch("models")
    for name in shipped():
        assert f"\n{name} " in stdout
    found = json.loads(crossbranch("models", "--json")[0])
    assert [card["path"] for card in found] == [str(path) for path in shipped().values()]


@pytest.mark.parametrize("width", [80, 100])
def test_the_list_fits_a_terminal(model: Path, width: int) -> None:
    scores = {given: {"f1": 1.0, "discontinuous_f1": 0.999} for given in ("gold tags", "raw text")}
    card = dataclasses.replace(
        describe(model),
        name="xx",
        language="Icelandic",
        scores=scores,
        text="sagas, sermons and modern narratives",
        size=46_200_000,
        licence="CC BY-SA 4.0",
    )
    console = Console(width=width, file=io.StringIO())
    for part in _list([card]):
        console.print(part)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    heading, *lines = text.partition("\n\n")[0].splitlines()
    assert heading.split()[:3] == ["model", "language", "for"]
    assert heading.split()[-2:] == ["MB", "licence"]
    assert lines[0].split()[:3] == ["xx", "Icelandic", "sagas,"]
    assert lines[0].split()[-8:] == ["100.0", "99.9", "100.0", "99.9", "46.2", "CC", "BY-SA", "4.0"]
    assert " ".join(" ".join(lines).split()).count("narratives") == 1  # on a line of its own
    assert all(len(line) <= width for line in text.splitlines())


def test_a_model_is_described(model: Path) -> None:
    stdout, _ = crossbranch("models", model)
    for expected in ("mine", "CC0-1.0", "nobody in particular", "gold tags", "disc. F1", "ROOT"):
        assert expected in stdout
    assert "\nfor          made-up sentences\n" in stdout
    found = json.loads(crossbranch("models", model, "--json")[0])
    assert found["licence"] == "CC0-1.0"
    assert found["text"] == "made-up sentences"
    assert 0 < found["scores"]["gold tags"]["f1"] <= 1


def test_scores_on_other_text_are_shown(model: Path, tmp_path: Path) -> None:
    other = shutil.copytree(model, tmp_path / "en-mine")
    manifest = json.loads((other / "manifest.json").read_text())
    del manifest["about"]["text"]
    on_letters = {"predicted tags": {"f1": 0.6236, "tags": 0.7938}, "raw text": {"f1": 0.5}}
    manifest["about"]["scores_on"] = {"letters": on_letters, "news": {"raw text": {"f1": 0.25}}}
    (other / "manifest.json").write_text(json.dumps(manifest))
    table = crossbranch("models", other)[0].partition("\non dev trees of")[2].splitlines()
    assert [line.split() for line in table] == [
        ["from", "F1", "tags"],
        ["letters", "predicted", "tags", "62.4", "79.4"],
        ["letters", "raw", "text", "50.0"],
        ["news", "raw", "text", "25.0"],
    ]
    found = json.loads(crossbranch("models", other, "--json")[0])
    assert found["scores_on"]["letters"] == on_letters
    assert (found["name"], found["language"], found["text"]) == ("en-mine", "English", "")


def test_labels_of_a_model_are_explained(model: Path) -> None:
    stdout, _ = crossbranch("labels", model)
    assert "(German)" in stdout
    assert "coordinated noun phrases" in stdout
    assert "[Äpfel und Birnen]" in stdout
    assert "finite full verb" in stdout
    headings = ("labels of phrases", "tags of words", "functions of phrases and words")
    assert sorted(map(stdout.index, headings)) == list(map(stdout.index, headings))
    found = json.loads(crossbranch("labels", model, "--json")[0])
    assert found["label_set"] == "squoia"
    kinds = [one["kind"] for one in found["labels"]]
    assert list(dict.fromkeys(kinds)) == ["phrase", "tag", "function"]
    assert all(one["meaning"] and one["example"] for one in found["labels"])


def test_some_labels(model: Path) -> None:
    stdout, _ = crossbranch("labels", model, "VP", "ART")
    assert "[Diesen Brief]" in stdout
    assert "article" in stdout
    assert "noun phrase" not in stdout
    stdout, _ = crossbranch("labels", model, "CAC")  # not in this model, but known
    assert "coordinated prepositions" in stdout
    stdout, _ = crossbranch("labels", "craft", "-LRB-", "NP")  # no option
    assert "-LRB- " in stdout
    _, stderr = crossbranch("labels", model, "QQ", code=2)
    assert "mine has no label, tag or function 'QQ'" in stderr


def test_functions_are_explained(model: Path) -> None:
    stdout, _ = crossbranch("labels", model, "OA", "OG")  # the model does not have the second one
    assert "Sie liest [einen Brief]." in stdout
    assert "Wir gedenken [der Opfer]." in stdout
    everything = json.loads(crossbranch("labels", model, "--json")[0])["labels"]
    assert "OG" not in {one["label"] for one in everything}
    stdout, _ = crossbranch("labels", "masc", "SBJ", "LOC-PRD")
    assert "subject" in stdout
    assert "several functions at once: place" in stdout
    found = json.loads(crossbranch("labels", "masc", "PRP", "--json")[0])
    assert [one["kind"] for one in found["labels"]] == ["tag", "function"]


def test_label_sets_are_explained_without_a_model() -> None:
    found = json.loads(crossbranch("labels", "icepahc", "--json")[0])
    tags = {one["label"] for one in found["labels"] if one["kind"] == "tag"}
    assert {"NS", "VBDI", "HVPS", "ONE+Q"} <= tags
    stdout, _ = crossbranch("labels", "icepahc", "VBDI", "N21")
    assert "past tense, indicative" in stdout
    assert "[borð] stofa" in stdout


def test_labels_nobody_knows(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    trees = [
        library.Tree(
            [library.Token("a", "T1"), library.Token("b", "T2"), library.Token("c", "T1")],
            library.Node("ROOT", [library.Node("QQ", [0, 2]), 1]),
        )
    ] * 4
    library.train("sr-gap", train=trees, out=folder, epochs=1, tags="gold", heads="none")
    stdout, _ = crossbranch("labels", folder)
    assert "no explanation is known for its labels and tags" in stdout
    assert "QQ" in stdout
    found = json.loads(crossbranch("labels", folder, "--json")[0])
    assert found["label_set"] is None
    assert {one["label"] for one in found["labels"]} == {"QQ", "ROOT", "T1", "T2"}
    assert all(one["meaning"] is None for one in found["labels"])


def test_an_archive_is_a_model_like_its_folder(tmp_path: Path) -> None:
    library.load("nl").save(tmp_path / "mine.zip")
    for command in ("models", "labels"):
        archive = json.loads(crossbranch(command, tmp_path / "mine.zip", "--json")[0])
        shipped = json.loads(crossbranch(command, "nl", "--json")[0])
        assert archive["labels"] == shipped["labels"]


@pytest.mark.parametrize("command", ["models", "labels"])
def test_wrong_names(command: str, tmp_path: Path) -> None:
    _, stderr = crossbranch(command, "nonsense", code=2)
    assert "unknown model nonsense; expected a folder, a .zip archive, or one of" in stderr
    _, stderr = crossbranch(command, tmp_path, code=1)
    assert "a finished model" in stderr
