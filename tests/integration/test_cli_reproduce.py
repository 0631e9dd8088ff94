"""crossbranch reproduce, as users call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import crossbranch

from crossbranch.grammar.sampling import sample
from crossbranch.tree import Tree
from crossbranch.treebank import write


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, count, seed in (("train", 15, 1), ("dev", 4, 2)):
        write(sample(count, seed=seed, max_length=8), folder / f"{name}.export")
    return folder


def test_a_table_is_made_and_not_made_twice(corpus: Path, tmp_path: Path) -> None:
    call = (
        *("reproduce", "coavoux-crabbe-2017", "--corpus", f"tiger-spmrl={corpus}"),
        *("--out", tmp_path / "out", "--only", "4", "--only", "8", "--train-beam", "1"),
        *("--set", "epochs=1", "--set", "features=baseline", "--set", "heads=negra"),
    )
    stdout, stderr = crossbranch(*call)
    assert "all parsers were trained with beam 1" in stdout
    assert "Table 4, beam sizes on dev sets: F1\n" in stdout
    header = next(line for line in stdout.splitlines() if "tiger-hn08, paper" in line)
    assert header.split("  ")[-3:] == ["tiger-spmrl", "tiger-spmrl, paper", "tiger-hn08, paper"]
    assert "parsing for table 4, beam 128" in stderr
    value = json.loads((tmp_path / "out" / "tables.json").read_text())
    assert [table["name"] for table in value["tables"]] == ["4", "8"]
    assert (tmp_path / "out" / "tables.md").read_text().startswith("# Coavoux & Crabbé (2017)")
    again, stderr = crossbranch(*call)
    assert again == stdout
    assert "parsing" not in stderr
    assert "counting" not in stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("maier", "--out", "out"), "unknown paper 'maier'; expected one of coavoux-crabbe-2017"),
        (("oracles", "--out", "out"), "no corpus is given, expected --corpus DIR"),
        (("oracles", "--out", "out", "--corpus", "nowhere"), "there is no folder nowhere"),
        (("oracles", "--out", "out", "--corpus", "."), "the folder has no train part"),
        (("oracles", "--corpus", "mine", "--out", "o", "--set", "x=1"), "the setting 'x'"),
    ],
)
def test_mistakes_are_explained(
    corpus: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    _, stderr = crossbranch("reproduce", *arguments, code=2, cwd=tmp_path)
    assert message in stderr


def test_damage_is_told(corpus: Path, tmp_path: Path) -> None:
    """Skipped sentences are warnings and notes; a part without trees is an error."""
    train = corpus / "train.export"
    train.write_text(train.read_text() + "#BOS 16\na\tb\tc\td\te\t999\n#EOS 16\n")
    call = ("reproduce", "coavoux-crabbe-2017", "--corpus", corpus, "--out", "out", "--only", "8")
    stdout, stderr = crossbranch(*call, cwd=tmp_path)
    message = f"mine: train.export: 1 sentence was skipped: {train}:"
    assert f"crossbranch: warning: {message}" in stderr
    assert f"- {message}" in stdout
    assert f"- {message}" in (tmp_path / "out" / "tables.md").read_text()
    train.write_text("")
    stdout, stderr = crossbranch(*call[:-1], "6", code=1, cwd=tmp_path)
    assert stdout == ""
    assert f"error: {train}: found no tree, expected at least one" in stderr


def test_tables_are_printed_if_a_training_fails(tmp_path: Path) -> None:
    """Nodes with three children and no heads cannot be binarized."""
    for name, tokens in (("good", "(t 0=a) (u 1=b)"), ("bad", "(t 0=a) (u 1=b) (t 2=c)")):
        (tmp_path / name).mkdir()
        for part in ("train", "dev"):
            tree = Tree.from_string(f"(ROOT (S {tokens}))")
            write([tree, tree], tmp_path / name / f"{part}.export")
    stdout, stderr = crossbranch(
        *("reproduce", "coavoux-crabbe-2017", "--corpus", "bad", "--corpus", "good", "--only", "4"),
        *("--out", "out", "--set", "prepare=binarize", "--set", "epochs=1", "--train-beam", "1"),
        code=1,
        cwd=tmp_path,
    )
    row = next(line.split() for line in stdout.splitlines() if line.startswith("beam 128"))
    assert row == ["beam", "128", "–", "100.00", "84.05", "86.13"]
    assert "| beam 128 | – | 100.00 |" in (tmp_path / "out" / "tables.md").read_text()
    assert "crossbranch: failed: bad: table 4, beam 2, seed 1: " in stderr
    assert "repeat the command to try again what has failed" in stderr


def test_an_output_folder_that_is_a_file(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    call = ("reproduce", "coavoux-crabbe-2017", "--corpus", corpus, "--out", "out", "--only", "4")
    _, stderr = crossbranch(*call, code=2, cwd=tmp_path)
    assert stderr == "crossbranch: error: --out out: not a directory\n"
