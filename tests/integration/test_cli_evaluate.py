"""crossbranch evaluate, as users run it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from commands import CROSSING, crossbranch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FLAT = "(ROOT (SBARQ (WP 0=What) (MD 1=should) (PRP 2=I) (VB 3=do)) (. 4=?))\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    gold, predicted = tmp_path / "gold.discbracket", tmp_path / "flat.discbracket"
    gold.write_text(CROSSING * 4)
    predicted.write_text(CROSSING * 2 + FLAT * 2)
    return gold, predicted


def test_figures_in_every_output(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, predicted = files
    outputs = ["--json", tmp_path / "s.json", "--csv", tmp_path / "s.csv"]
    stdout, _ = crossbranch("evaluate", gold, predicted, *outputs, "--by", "label")
    assert "75.00" in stdout
    figures = json.loads((tmp_path / "s.json").read_text())["predictions"][str(predicted)]
    assert figures["all"]["all"]["f1"] == 75.0
    assert figures["all"]["discontinuous"]["recall"] == 50.0
    assert figures["by"]["label"]["VP"]["gold"] == 4
    rows = list(csv.DictReader((tmp_path / "s.csv").read_text().splitlines()))
    assert [row["f1"] for row in rows] == ["100.00", "100.00", "33.33", "33.33"]
    stdout, _ = crossbranch("evaluate", gold, predicted, "--json", "-")
    assert json.loads(stdout)


def test_doubled_ids_name_the_file(files: tuple[Path, Path], tmp_path: Path) -> None:
    twice = tmp_path / "twice.conllu"
    crossbranch("convert", files[0], twice)
    twice.write_text(twice.read_text().replace("# sent_id = 2", "# sent_id = 1"))
    _, stderr = crossbranch("evaluate", files[0], twice, "--align", "id", code=1)
    assert f"{twice}: found two predictions with id '1', expected each id once" in stderr


def test_everything_at_once(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, predicted = files
    page = tmp_path / "page.html"
    classes = tmp_path / "classes.txt"
    classes.write_text("1 wh-extraction\n")
    stdout, _ = crossbranch(
        "evaluate", gold, predicted, gold, "--unlabelled", "--la", "--ted", "--confusions",
        "--functions", "--errors", "--phenomena", classes, "--heads", "ptb", "--by", "unseen",
        "--train", gold, "--by", "gap", "--html", page,
    )  # fmt: skip
    for heading in ("leaf-ancestor", "tree distance", "attachment errors", "dependencies"):
        assert heading in stdout
    assert "comparison" in stdout
    assert "exact in one only" in stdout
    assert "wh-extraction" in stdout
    assert "SBARQ" in (tmp_path / "page-1-flat.html").read_text()
    assert (tmp_path / "page-2-gold.html").exists()


def test_phenomena_are_detected(tmp_path: Path) -> None:
    sampled = tmp_path / "english.export"
    crossbranch("sample", "60", "--grammar", "english", "-o", sampled)
    stdout, _ = crossbranch("evaluate", sampled, sampled, "--phenomena", "auto")
    assert "extraposition" in stdout


def test_formats_may_differ(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, predicted = files
    crossbranch("convert", gold, tmp_path / "gold.export")
    stdout, _ = crossbranch("evaluate", tmp_path / "gold.export", predicted)
    assert "75.00" in stdout


def test_missing_parses_are_reported(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, _ = files
    short = tmp_path / "short.discbracket"
    short.write_text(CROSSING * 3)
    stdout, stderr = crossbranch("evaluate", gold, short)
    assert "1 gold sentences have no parse" in stderr
    assert "75.00" in stdout
    stdout, stderr = crossbranch("evaluate", gold, short, "--missing", "ignore")
    assert not stderr


def test_other_tokens_stop_or_are_skipped(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, _ = files
    other = tmp_path / "other.discbracket"
    other.write_text(CROSSING * 3 + CROSSING.replace("do", "did"))
    _, stderr = crossbranch("evaluate", gold, other, code=1)
    assert "sentence 4" in stderr
    assert "'did'" in stderr
    assert "'do'" in stderr
    _, stderr = crossbranch("evaluate", gold, other, "--on-error", "skip")
    assert "skipped" in stderr


def test_own_parameters(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, predicted = files
    own = tmp_path / "own.prm"
    own.write_text("DELETE_LABEL ROOT \nDISC_ONLY 1\nWHATEVER 3\n")
    stdout, stderr = crossbranch("evaluate", gold, predicted, "--params", own)
    assert "unknown key WHATEVER" in stderr
    assert "all" not in stdout.splitlines()[1]


def test_wrong_calls(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, predicted = files
    crossbranch("evaluate", gold, code=2)
    crossbranch("evaluate", gold, predicted, "--params", "nonsense", code=2)
    crossbranch("evaluate", gold, predicted, "--by", "unseen", code=2)
    crossbranch("evaluate", gold, "-", "--html", tmp_path / "x.html", code=2)
    crossbranch("evaluate", gold, tmp_path / "missing", code=2)


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from([CROSSING, FLAT, "\n", "(S", "rubbish\n", "(ROOT (X 0=What))\n", "\x00\n"]),
        max_size=5,
    )
)
def test_mismatched_inputs_never_give_a_traceback(tmp_path: Path, lines: list[str]) -> None:
    (tmp_path / "gold.discbracket").write_text(CROSSING * 2)
    (tmp_path / "any.discbracket").write_text("".join(lines))
    for skip in ("stop", "skip"):
        try:
            crossbranch(
                "evaluate", tmp_path / "gold.discbracket", tmp_path / "any.discbracket",
                "--on-error", skip,
            )  # fmt: skip
        except AssertionError as error:
            assert "Traceback" not in str(error)


def test_a_bad_line_shifts_no_other(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, _ = files
    bad = tmp_path / "bad.discbracket"
    bad.write_text(CROSSING + "(ROOT (S\n" + CROSSING * 2)
    gold.write_text(CROSSING + FLAT.replace("What", "Where") + CROSSING * 2)
    stdout, stderr = crossbranch("evaluate", gold, bad, "--on-error", "skip", "--json", "-")
    figures = json.loads(stdout)["predictions"][str(bad)]["all"]
    assert (figures["sentences"], figures["missing"]) == (4, 1)
    assert "1 sentences were left out" in stderr


def test_a_share_of_nothing_is_absent(tmp_path: Path) -> None:
    flat = tmp_path / "flat.discbracket"
    flat.write_text(FLAT)
    own = tmp_path / "own.prm"
    own.write_text("CUTOFF_LEN 1\nLA 1\nTED 1\nDELETE_LABEL ROOT\n")
    stdout, _ = crossbranch("evaluate", flat, flat, "--params", own)
    assert "–" in stdout
    stdout, _ = crossbranch("evaluate", flat, flat, "--params", own, "--json", "-")
    figures = json.loads(stdout)["predictions"][str(flat)]
    assert figures["all"]["leaf_ancestor"] == figures["all"]["tree_distance"] == 100.0
    assert figures["cutoff"]["all"]["f1"] is None


def test_standard_input_is_read_once(files: tuple[Path, Path]) -> None:
    gold, predicted = files
    crossbranch("evaluate", "-", "-", code=2)
    crossbranch("evaluate", "-", gold, predicted, code=2)
    crossbranch("evaluate", "-", gold, "--phenomena", "auto", code=2)
    crossbranch("evaluate", gold, gold, gold, code=2)
    stdout, _ = crossbranch("evaluate", gold, "-", stdin=predicted.read_bytes())
    assert "F1" in stdout
