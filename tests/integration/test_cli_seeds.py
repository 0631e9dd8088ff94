"""crossbranch evaluate --seeds, and the sentences of phenomena, as users run them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from commands import CROSSING, crossbranch

GAPPED = CROSSING.replace("VB ", "VBP ")  # a tag by which the label set is recognised
FLAT = "(ROOT (SBARQ (WP 0=What) (MD 1=should) (PRP 2=I) (VBP 3=do)) (. 4=?))\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {"gold": 8, "mine-1": 8, "mine-2": 6, "yours": 0}
    for name, right in texts.items():
        (tmp_path / f"{name}.discbracket").write_text(GAPPED * right + FLAT * (8 - right))
    return tmp_path


def test_means_deviations_and_significance(folder: Path) -> None:
    call = "evaluate gold.discbracket mine-1.discbracket mine-2.discbracket vs yours.discbracket"
    stdout, _ = crossbranch(*call.split(), "--seeds", cwd=folder)
    rows = [line.split() for line in stdout.splitlines()]
    assert rows[0] == ["seeds"]
    mean = next(row for row in rows if row[:2] == ["mine-1.discbracket", "F1"])
    assert mean[2:] == ["2", "94.44", "7.86", "88.89", "100.00"]
    single = next(row for row in rows if row[:2] == ["yours.discbracket", "F1"])
    assert single[4] == "–"
    assert "comparison of means over seeds" in stdout
    figures = json.loads(crossbranch(*call.split(), "--seeds", "--json", "-", cwd=folder)[0])
    assert len(figures["predictions"]) == 3
    found = figures["seeds"]
    assert found["systems"]["mine-1.discbracket"]["f1"]["mean"] == pytest.approx(0.9444, abs=1e-4)
    assert found["pairs"][0]["tests"]["f1"]["randomization_p"] < 0.05


def test_one_system_has_no_comparison(folder: Path) -> None:
    call = "evaluate gold.discbracket mine-1.discbracket mine-2.discbracket --seeds"
    stdout, _ = crossbranch(*call.split(), cwd=folder)
    assert "comparison" not in stdout
    assert "94.44" in stdout
    stdout, _ = crossbranch(*call.split(), "--errors", cwd=folder)
    assert stdout.count("errors by type") == 2


@pytest.mark.parametrize("files", ["vs mine-1", "mine-1 vs", "mine-1 vs vs yours"])
def test_vs_stands_between_files(folder: Path, files: str) -> None:
    names = [name if name == "vs" else f"{name}.discbracket" for name in files.split()]
    _, stderr = crossbranch("evaluate", "gold.discbracket", *names, "--seeds", cwd=folder, code=2)
    assert "vs has no file before or after it" in stderr


def test_vs_needs_seeds(folder: Path) -> None:
    call = "evaluate gold.discbracket mine-1.discbracket vs yours.discbracket"
    _, stderr = crossbranch(*call.split(), cwd=folder, code=2)
    assert "add --seeds" in stderr


def test_phenomena_name_sentences(folder: Path) -> None:
    call = ["evaluate", "gold.discbracket", "mine-2.discbracket", "--phenomena", "auto"]
    stdout, _ = crossbranch(*call, cwd=folder)
    assert "1, 2, 3, 4, 5, …" in stdout
    stdout, _ = crossbranch(*call, "--sentences", "all", cwd=folder)
    assert "1, 2, 3, 4, 5, 6, 7, 8" in stdout
    stdout, _ = crossbranch(*call, "--sentences", "0", cwd=folder)
    assert "numbers of sentences" not in stdout
    rows = csv.DictReader(crossbranch(*call, "--tables", "-", cwd=folder)[0].splitlines())
    row = next(row for row in rows if row["table"] == "phenomena")
    assert row["phenomenon"] == "wh-extraction"
    assert row["sentences_of.sentences"] == "1 2 3 4 5 6 7 8"
    assert row["sentences_of.recall"] == "7 8"


def test_phenomena_of_treebanks_name_sentences(folder: Path) -> None:
    call = ["stats", "mine-2.discbracket", "--phenomena", "auto", "--number", "3-8"]
    stdout, _ = crossbranch(*call, cwd=folder)
    line = next(line for line in stdout.splitlines() if line.startswith("wh-extraction"))
    assert line.split() == ["wh-extraction", "4", "4", "3,", "4,", "5,", "6"]
    found = json.loads(crossbranch(*call, "--json", "-", cwd=folder)[0])["mine-2.discbracket"]
    assert found["phenomena"]["wh-extraction"]["numbers"] == [3, 4, 5, 6]
    rows = csv.DictReader(crossbranch(*call, "--csv", "-", cwd=folder)[0].splitlines())
    numbers = {row["figure"]: row["value"] for row in rows}
    assert numbers["phenomena.wh-extraction.numbers"] == "3 4 5 6"


@pytest.mark.parametrize("call", ["evaluate gold.discbracket yours.discbracket", "stats gold"])
def test_sentences_need_phenomena(folder: Path, call: str) -> None:
    _, stderr = crossbranch(*call.split(), "--sentences", "3", cwd=folder, code=2)
    assert "--sentences needs --phenomena" in stderr
    _, stderr = crossbranch(*call.split(), "--sentences", "few", cwd=folder, code=2)
    assert "found 'few', expected all or a number" in stderr
