"""What the inputs of a job are: texts, files, folders, standard input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crossbranch.errors import UsageError
from crossbranch.jobs.inputs import RAW, Content, JobInput, find_inputs


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files of many names, where the tests run."""
    for name in ("a.txt", "b.export", "c", "d.txt.gz", "e.xml.xz", "f.tagged", "g.tok"):
        (tmp_path / name).write_text("x")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found_in(*sources: str, told: list[str] | None = None, **content: Any) -> list[JobInput]:
    messages = [] if told is None else told
    return find_inputs(sources, Content(**content), messages.append)


def formats(*sources: str, **content: Any) -> list[str | None]:
    return [one.format for one in found_in(*sources, **content)]


def test_names_tell_treebanks_from_raw_text() -> None:
    assert formats("a.txt", "c", "d.txt.gz", "-") == [RAW] * 4
    assert formats("b.export", "e.xml.xz", "f.tagged", "g.tok") == [None] * 4


def test_what_users_say_comes_first() -> None:
    assert formats("a.txt", "b.export", "-", "ein Text", format="tokens") == ["tokens"] * 4
    assert formats("a.txt", "ein/A Text/B", format="tagged") == ["tagged"] * 2
    assert formats("a.txt", "b.export", "ein Text", lines=True) == [RAW] * 3
    assert formats("a.txt", "f.tagged", format="conllu") == ["conllu"] * 2
    with pytest.raises(UsageError, match="format and lines exclude each other"):
        Content(format="tokens", lines=True)


def test_models_that_cannot_read_text_look_at_the_content() -> None:
    assert formats("a.txt", "b.export", "-", reads_text=False) == [None] * 3
    assert formats("Das/X", format="tagged", reads_text=False) == ["tagged"]
    with pytest.raises(UsageError, match=r'no tokenizer: .* give format="tokens"'):
        formats("Das ist gut", reads_text=False)
    with pytest.raises(UsageError, match='no tagger: write word/tag and give format="tagged"'):
        formats("Das ist gut", reads_text=False, needs_tags=True)
    with pytest.raises(UsageError, match="lines needs raw text"):
        Content(lines=True, reads_text=False)


@pytest.mark.parametrize(
    "text", ["Das ist gut.", "Ja", "und/oder ?", "siehe a/b.txt dort", "x" * 5000, "a\0b", ""]
)
def test_texts(text: str) -> None:
    assert found_in(text) == [JobInput(name="<text>", format=RAW, text=text)]


@pytest.mark.parametrize("name", ["nichts.txt", "x.export.gz", "ordner/datei", "X.XML", "a.zip"])
def test_files_that_are_not_there(name: str) -> None:
    with pytest.raises(UsageError, match="no such file"):
        found_in(name)


def test_arguments_that_no_encoding_fits() -> None:
    (found,) = found_in("caf\udce9 da")
    assert found.text == "caf\ufffd da"
    (found,) = found_in("halb \ud83d da")
    assert found.text == "halb \ufffd da"


def test_folders(files: Path) -> None:
    told: list[str] = []
    found = found_in(str(files), told=told)
    names = [Path(one.name).name for one in found]
    assert names == ["b.export", "e.xml.xz", "f.tagged", "g.tok"]  # the others are beside them
    (said,) = told
    assert "read as treebanks: b.export, e.xml.xz, f.tagged...; other files, not read: 3" in said
    assert len(found_in(str(files), lines=True)) == 7
    inner = files / "texts"
    inner.mkdir()
    for name in ("10.txt", "9.txt", ".hidden", "README.txt", "LICENSE"):
        (inner / name).write_text("x")
    found = found_in(str(inner), told=told)
    assert [Path(one.name).name for one in found] == ["9.txt", "10.txt"]
    assert {one.format for one in found} == {RAW}
    assert told == [said]
    (files / "empty").mkdir()
    with pytest.raises(UsageError, match="it is an empty folder"):
        found_in(str(files / "empty"))


def test_standard_input() -> None:
    assert found_in("-") == [JobInput(name="-", format=RAW)]
    with pytest.raises(UsageError, match="only once"):
        found_in("-", "-")
