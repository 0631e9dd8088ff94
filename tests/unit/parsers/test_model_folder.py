"""Model folders: written in one step, checked when opened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.models.folder import ModelParts, open_model, write_model

FILES = {"config.toml": b"beam = 4\n", "labels.json": b'["S"]'}


def write_folder(
    folder: Path, files: dict[str, bytes], about: dict[str, object] | None = None
) -> None:
    write_model(folder, ModelParts(files=files, about=about or {}))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    write_folder(tmp_path / "model", FILES, {"seed": 1})
    return tmp_path / "model"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_is_written_is_found_again(model: Path) -> None:
    opened = open_model(model)
    assert opened.text("config.toml") == "beam = 4\n"
    assert opened.json("labels.json") == ["S"]
    assert opened.manifest.about == {"seed": 1}
    assert names(model) == ["config.toml", "labels.json", "manifest.json"]
    assert names(model.parent) == ["model"]  # nothing is left beside it


def test_a_model_is_replaced_and_files_of_others_stay(model: Path) -> None:
    (model / "notes.txt").write_text("mine")
    (model / "more").mkdir()
    (model / "more" / "x").write_text("also mine")
    (model / "checkpoint").write_text("of the training")
    write_folder(model, {"config.toml": b"beam = 8\n"})
    assert names(model) == ["config.toml", "manifest.json", "more", "notes.txt"]
    assert (model / "more" / "x").read_text() == "also mine"
    assert open_model(model).text("config.toml") == "beam = 8\n"


def test_a_damaged_model_can_be_replaced(model: Path) -> None:
    (model / "manifest.json").write_text("{")
    write_folder(model, FILES)
    assert open_model(model).json("labels.json") == ["S"]


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("dear")
    with pytest.raises(UsageError, match=r"has other files \(dear\.txt\)"):
        write_folder(tmp_path / "letters", FILES)
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="it is a file"):
        write_folder(tmp_path / "file", FILES)


def test_what_is_no_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such folder"):
        open_model(tmp_path / "nothing")
    with pytest.raises(InputError, match=r"found no manifest\.json, expected a finished model"):
        open_model(tmp_path)
    (tmp_path / "checkpoint").write_text("")
    with pytest.raises(InputError, match="found an unfinished training"):
        open_model(tmp_path)


def test_missing_and_damaged_files_are_named(model: Path) -> None:
    path = model / "labels.json"
    path.write_bytes(b'["T"]')
    with pytest.raises(InputError, match=r"labels\.json: found sha256 \w+, expected \w+"):
        open_model(model)
    path.write_bytes(b"[]")
    with pytest.raises(InputError, match=r"labels\.json: found 2 bytes, expected 5"):
        open_model(model)
    path.unlink()
    with pytest.raises(InputError, match=r"labels\.json: found no such file"):
        open_model(model)


def test_a_newer_model_is_named(model: Path) -> None:
    path = model / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps(manifest | {"format": 2, "files": "elsewhere"}))
    with pytest.raises(
        InputError, match=r"manifest\.json: found format version 2, expected at most 1"
    ):
        open_model(model)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"format": 1}',
        '{"format": 1, "crossbranch": "0", "files": {"../x": {"size": 0, "sha256": ""}}}',
        '{"a":' * 100_000,
        "\udcff".encode("utf-8", "surrogateescape").decode("latin-1"),
    ],
)
def test_a_damaged_manifest_is_named(model: Path, text: str) -> None:
    (model / "manifest.json").write_text(text)
    with pytest.raises(InputError, match=r"manifest\.json: found"):
        open_model(model)
