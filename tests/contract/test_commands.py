"""Every kind of parser behind the command line: nothing there knows about a kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from trained_parsers import TEST, each_preset, has_beam, kind_of, trained

from crossbranch.cli import crossbranch as command
from crossbranch.treebank import read, write


def run(*arguments: str | Path, code: int = 0) -> str:
    found = CliRunner().invoke(command, [str(one) for one in arguments])
    assert found.exit_code == code, found.output
    return found.output + str(found.exception or "")  # `main` writes errors of the library


@each_preset
def test_parse_reads_text_and_treebanks(preset: str, tmp_path: Path) -> None:
    trained(preset).save(tmp_path / "model")
    write(TEST, tmp_path / "test.export")
    run("parse", tmp_path / "model", tmp_path / "test.export", "-o", tmp_path / "out.json")
    assert [tree.words for tree in read(tmp_path / "out.json")] == [tree.words for tree in TEST]
    assert "Haus" in run("parse", tmp_path / "model", "Das kleine Haus sah er.")


@each_preset
def test_sentences_without_a_parse_are_counted(preset: str, tmp_path: Path) -> None:
    trained(preset).save(tmp_path / "model")
    write(TEST, tmp_path / "test.export")
    told = run("parse", tmp_path / "model", tmp_path / "test.export", "-o", tmp_path / "out.json")
    limited = "longest" in kind_of(preset).options_type.__struct_fields__
    assert bool(re.search(r"\d+ sentences? ha(s|ve) no parse: ", told)) == limited


@each_preset
def test_options_are_checked_by_the_parser(preset: str, tmp_path: Path) -> None:
    trained(preset).save(tmp_path / "model")
    kind = kind_of(preset)
    if has_beam(kind):
        run("parse", tmp_path / "model", "Das geht.", "--beam", "2")
    else:
        told = run("parse", tmp_path / "model", "Das geht.", "--beam", "2", code=1)
        assert f"a parser of kind {kind.kind} has no option 'beam'" in told
    if "longest" in kind.options_type.__struct_fields__:
        run("parse", tmp_path / "model", "Das geht.", "--set", "longest=3")
    if kind.strategy is None:
        told = run("parse", tmp_path / "model", "Das geht.", "--confidence", "--to", "json", code=1)
        assert "cannot compute confidence" in told


@each_preset
def test_models_and_labels_are_described(preset: str, tmp_path: Path) -> None:
    trained(preset).save(tmp_path / "model")
    assert "S" in trained(preset).labels
    assert "labels" in run("models", tmp_path / "model")
    assert re.search(r"\bS\b", run("labels", tmp_path / "model"))


def test_a_description_of_several_presets_is_a_table(tmp_path: Path) -> None:
    told = run("presets", "--csv")
    assert "small-chart" in told


pytestmark = pytest.mark.filterwarnings("ignore::crossbranch.LossWarning")
