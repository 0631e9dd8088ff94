"""What models say about themselves, without being loaded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import crossbranch
from crossbranch import models
from crossbranch.errors import InputError, UsageError
from crossbranch.models import describe, find_model, shipped


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "mine"
    crossbranch.train(
        "sr-gap",
        train=crossbranch.sample(40),
        dev=crossbranch.sample(10, seed=2),
        out=folder,
        epochs=1,
        tags="gold",
        licence="CC0-1.0",
        attribution="nobody",
    )
    return folder


def changed(model: Path, target: Path, *, is_old: bool = False, **about: Any) -> Path:
    """A copy of a model that says something else about itself.

    The manifest of an old one lists neither labels nor tags.
    """
    target.mkdir()
    for path in model.iterdir():
        (target / path.name).write_bytes(path.read_bytes())
    manifest = json.loads((model / "manifest.json").read_text())
    manifest["about"] |= about
    if is_old:
        del manifest["labels"], manifest["tags"]
    (target / "manifest.json").write_text(json.dumps(manifest))
    return target


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir() if path.name != "manifest.json")


def test_a_card_of_a_model(model: Path) -> None:
    card = describe(model)
    assert card.name == "mine"
    assert (card.licence, card.attribution) == ("CC0-1.0", "nobody")
    assert card.trained_on.startswith("train: 40 sentences, ")
    assert card.size == size_of(model)
    f1 = card.score("gold tags", "f1")
    assert f1 is not None
    assert 0 < f1 <= 1
    assert card.score("raw text", "nonsense") is None
    assert card.score("nonsense", "f1") is None
    assert json.loads(json.dumps(card.to_dict()))["labels"] == list(card.labels)


def test_labels_are_those_of_the_treebank(model: Path) -> None:
    card = describe(model)
    trees = list(crossbranch.sample(40))
    assert set(card.labels) == {node.label for tree in trees for node in tree.nodes}
    assert set(card.tags) <= {token.tag for tree in trees for token in tree.sentence}
    assert card.labels[-1] == "ROOT"
    assert set(card.functions) <= {node.edge_label for tree in trees for node in tree.nodes} | {
        token.edge_label for tree in trees for token in tree.sentence
    }
    assert {"SB", "OA"} <= set(card.functions)


def test_the_manifest_has_the_last_word(model: Path, tmp_path: Path) -> None:
    scores = {"raw text": {"f1": 0.5, "tokens": 0.99}, "gold tags": {"f1": 0.75}}
    folder = changed(
        model,
        tmp_path / "nl",
        name="Nederlands",
        trained_on="a book",
        labels="alpino",
        scores=scores,
    )
    card = describe(folder)
    assert (card.name, card.language) == ("Nederlands", "Dutch")
    assert (card.trained_on, card.label_set) == ("a book", "alpino")
    assert card.score("raw text", "tokens") == 0.99
    assert card.score("gold tags", "f1") == 0.75


def test_old_models_list_labels_and_tags_elsewhere(model: Path, tmp_path: Path) -> None:
    old, new = describe(changed(model, tmp_path / "old", is_old=True)), describe(model)
    assert (old.labels, old.tags) == (new.labels, new.tags)


def test_tags_of_the_tagger_come_first(model: Path, tmp_path: Path) -> None:
    folder = changed(model, tmp_path / "tagged", is_old=True)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"]["tagger-settings.json"] = {"size": 20, "sha256": ""}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "tagger-settings.json").write_text('{"tags": ["B", "A"]}')
    card = describe(folder)
    assert card.tags == ("A", "B")
    assert card.has_tagger


def test_tags_may_be_halves_of_surrogate_pairs(model: Path, tmp_path: Path) -> None:
    for is_old in (True, False):
        folder = changed(model, tmp_path / f"halves-{is_old}", is_old=is_old)
        file = "vocabulary.json" if is_old else "manifest.json"
        found = json.loads((folder / file).read_text())
        (found["vocabularies"]["tag"] if is_old else found["tags"]).append("\udfff")
        (folder / file).write_text(json.dumps(found))
        assert describe(folder).tags[-1] == "\udfff"


def test_models_of_such_tags_are_written(tmp_path: Path) -> None:
    words = [crossbranch.Token("a", "\udfff"), crossbranch.Token("b", "B")]
    tree = crossbranch.Tree(words, crossbranch.Node("ROOT", [crossbranch.Node("S", [0, 1])]))
    folder = tmp_path / "odd"
    crossbranch.train("sr-gap", train=[tree] * 3, out=folder, epochs=1, tags="gold", heads="none")
    assert describe(folder).tags == ("B", "\udfff")
    assert crossbranch.load(folder).parse(words).sentence[0].tag == "\udfff"


def test_a_manifest_that_says_little(model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bare"
    folder.mkdir()
    (folder / "manifest.json").write_text(
        '{"format": 1, "crossbranch": "", "files": {}, "about": {"dev": 3, "train": "x"}}'
    )
    card = describe(folder)
    assert (card.labels, card.tags, card.scores, card.trained_on) == ((), (), {}, "")


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("manifest.json", b"{"),
        ("manifest.json", b"[]"),
        ("labels.json", b'{"labels": {}}'),
        ("labels.json", b"\xff"),
        ("vocabulary.json", b'{"vocabularies": {"tag": [1]}}'),
        ("vocabulary.json", None),
    ],
)
def test_damage_is_named(model: Path, tmp_path: Path, file: str, content: bytes | None) -> None:
    folder = changed(model, tmp_path / "bad", is_old=True)
    if content is None:
        (folder / file).unlink()
    else:
        (folder / file).write_bytes(content)
    with pytest.raises(InputError, match="bad"):
        describe(folder)


def test_what_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        describe(tmp_path / "absent")
    with pytest.raises(InputError, match="a finished model"):
        describe(tmp_path)


def test_models_are_found_by_name(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "_FOLDER", model.parent)
    assert shipped() == {"mine": model}
    assert find_model("mine") == model
    assert find_model(model) == model
    with pytest.raises(UsageError, match=r"expected a folder, a .zip archive, or one of mine"):
        find_model("yours")


def test_shipped_models_have_cards() -> None:
    for name, path in shipped().items():
        card = describe(path)
        assert card.name
        assert card.language, name
        assert card.licence, name
        assert card.attribution, name
        assert models.label_set_of(card.labels, card.tags, name=card.label_set) is not None, name


def test_a_name_may_have_a_second_part(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = tmp_path / "shipped"
    places.mkdir()
    described: dict[str, Any] = {
        "text": "biomedical articles",
        "scores_on": {"letters": {"raw text": {"f1": 0.5}}},
    }
    folder = changed(model, places / "en-bio", **described)
    monkeypatch.setattr(models, "_FOLDER", places)
    assert shipped() == {"en-bio": folder}
    assert crossbranch.load("en-bio").folder is not None
    card = describe("en-bio")
    assert (card.name, card.language, card.text) == ("en-bio", "English", "biomedical articles")
    assert card.scores_on == {"letters": {"raw text": {"f1": 0.5}}}
    assert card.to_dict()["scores_on"] == described["scores_on"]
    for odd in (3, {"letters": 3}, {"letters": {"raw text": "x"}}):
        strange = changed(model, tmp_path / f"odd {len(str(odd))}", scores_on=odd)
        assert not any(
            figures for by in describe(strange).scores_on.values() for figures in by.values()
        )
