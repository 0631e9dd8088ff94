"""What arguments of `crossbranch parse` are: texts, files, folders, standard input."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from crossbranch.cli.parse_input import RAW, Input, Kind, find_inputs
from crossbranch.errors import UsageError


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files of many names, where the tests run."""
    for name in ("a.txt", "b.export", "c", "d.txt.gz", "e.xml.xz", "f.tagged", "g.tok"):
        (tmp_path / name).write_text("x")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def formats(*sources: str, **kind: object) -> list[str | None]:
    found = find_inputs(sources, Kind(**kind))  # type: ignore[arg-type]
    return [one.format for one in found]


def test_names_tell_treebanks_from_raw_text() -> None:
    assert formats("a.txt", "c", "d.txt.gz", "-") == [RAW] * 4
    assert formats("b.export", "e.xml.xz", "f.tagged", "g.tok") == [None] * 4


def test_what_users_say_comes_first() -> None:
    assert formats("a.txt", "b.export", "-", "ein Text", tokenized=True) == ["tokens"] * 4
    assert formats("a.txt", "ein/A Text/B", tagged=True) == ["tagged"] * 2
    assert formats("a.txt", "b.export", "ein Text", lines=True) == [RAW] * 3
    assert formats("a.txt", "f.tagged", format="conllu") == ["conllu"] * 2
    with pytest.raises(UsageError, match="--tokenized and --lines exclude each other"):
        Kind(tokenized=True, lines=True)


def test_models_that_cannot_read_text_look_at_the_content() -> None:
    assert formats("a.txt", "b.export", "-", reads_text=False) == [None] * 3
    assert formats("Das/X", tagged=True, reads_text=False) == ["tagged"]
    with pytest.raises(UsageError, match=r"no tokenizer and tagger: give --tokenized"):
        formats("Das ist gut", reads_text=False)
    with pytest.raises(UsageError, match="--lines is for raw text"):
        Kind(lines=True, reads_text=False)


@pytest.mark.parametrize(
    "text", ["Das ist gut.", "Ja", "und/oder ?", "siehe a/b.txt dort", "x" * 5000, "a\0b", ""]
)
def test_texts(text: str) -> None:
    assert find_inputs([text], Kind()) == [Input(name="<text>", format=RAW, text=text)]


@pytest.mark.parametrize("name", ["nichts.txt", "x.export.gz", "ordner/datei", "X.XML", "a.zip"])
def test_files_that_are_not_there(name: str) -> None:
    with pytest.raises(UsageError, match="there is no such file"):
        find_inputs([name], Kind())


def test_arguments_that_no_encoding_fits() -> None:
    (found,) = find_inputs(["caf\udce9 da"], Kind())
    assert found.text == "caf\ufffd da"


def test_folders(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = find_inputs([str(files)], Kind())
    names = [Path(one.name).name for one in found]
    assert names == ["b.export", "e.xml.xz", "f.tagged", "g.tok"]  # the others are beside them
    said = capsys.readouterr().err
    assert "read as treebanks: b.export, e.xml.xz, f.tagged...; files left out: 3" in said
    assert len(find_inputs([str(files)], Kind(lines=True))) == 7
    inner = files / "texts"
    inner.mkdir()
    for name in ("10.txt", "9.txt", ".hidden", "README.txt", "LICENSE"):
        (inner / name).write_text("x")
    found = find_inputs([str(inner)], Kind())
    assert [Path(one.name).name for one in found] == ["9.txt", "10.txt"]
    assert {one.format for one in found} == {RAW}
    assert capsys.readouterr().err == ""
    (files / "empty").mkdir()
    with pytest.raises(UsageError, match="it is an empty folder"):
        find_inputs([str(files / "empty")], Kind())


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_inputs([], Kind()) == [Input(name="-", format=RAW)]
    with pytest.raises(UsageError, match="only once"):
        find_inputs(["-", "-"], Kind())

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal())
    with pytest.raises(UsageError, match="nothing to parse"):
        find_inputs([], Kind())
