"""crossbranch experiment in processes of its own, killed ones and failing ones among them."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from commands import HEED_INTERRUPTS, MAIN, crossbranch

from crossbranch import experiments
from crossbranch.cli import crossbranch as commands
from crossbranch.errors import UsageError
from crossbranch.grammar.sampling import sample
from crossbranch.treebank import write

HEAD = """\
preset = "sr-gap"
dev = "dev.export"
test = "test.export"

[train]
trees = "train.export"

[settings]
epochs = 2
features = "baseline"
tags = "gold"
"""
FAILING = "[variant.failing]\nsource.trees.teaches = 'lemmas'\n"  # and nothing teaches the parser
REASON = "train.export: found no constituents for the parser to learn from, expected trees"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Treebanks, an experiment file, and its results: one variant fails."""
    place = tmp_path_factory.mktemp("experiment")
    for name, count, seed in (("train", 40, 1), ("dev", 10, 2), ("test", 10, 3)):
        write(sample(count, seed=seed, max_length=12), place / f"{name}.export")
    text = f"{HEAD}[variant.plain]\n[variant.greedy]\nbeam = 1\n{FAILING}"
    (place / "beams.toml").write_text(text)
    stdout, stderr = crossbranch("experiment", place / "beams.toml", "--jobs", "2", code=1)
    (place / "stdout.txt").write_text(stdout)
    (place / "stderr.txt").write_text(stderr)
    return place


def printed(*arguments: str | Path) -> str:
    """Return what the command prints, without a process of its own: that would take longer."""
    return CliRunner().invoke(commands, list(map(str, arguments)), catch_exceptions=False).stdout


def test_one_failed_run_is_reported(folder: Path) -> None:
    stderr = (folder / "stderr.txt").read_text()
    assert re.search(r"plain, seed 1: F1 \d\d\.\d\d on dev, \d\d\.\d\d on test \(\d of 3\)", stderr)
    assert f"crossbranch: failing, seed 1: failed: {REASON} (" in stderr
    assert f"crossbranch: failed: failing, seed 1: {REASON}\n" in stderr


def test_the_table_is_printed(folder: Path) -> None:
    stdout = (folder / "stdout.txt").read_text()
    caption, head, plain, greedy, failing, empty, *others = stdout.splitlines()
    assert caption == "dev: one seed; Δ: difference to plain"
    assert head.split() == [
        *("variant", "seeds", "F1", "disc.", "F1", "tokens/s", "training"),
        *("Δ", "F1", "p", "Δ", "disc.", "F1", "p"),
    ]
    assert plain.split()[:4] == ["plain", "1", "of", "1"]
    assert greedy.split()[0] == "greedy"
    assert failing.split() == ["failing", "0", "of", "1"]
    assert empty == ""
    assert others[0].startswith("test: ")


def test_tables_are_made_again_without_training(folder: Path, tmp_path: Path) -> None:
    call = ("experiment", folder / "beams.toml", "--report-only")
    stdout = printed(*call, "--plot", tmp_path / "curves.png")
    assert stdout == (folder / "stdout.txt").read_text()
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
    markdown = printed(*call, "--to", "markdown", "--on", "test")
    assert markdown.startswith("test: one seed")
    assert "| greedy | 1 of 1 | " in markdown
    (found,) = json.loads(printed(*call, "--to", "json", "--on", "dev"))
    saved = json.loads((folder / "beams" / "results.json").read_text())
    assert found["rows"][0]["f1"]["values"] == [saved["runs"][0]["f1"]]
    assert len(printed(*call, "--to", "tsv").splitlines()) == 1 + 2 * 3
    rows = printed(*call, "--to", "tsv", "--only", "greedy", "--on", "dev").splitlines()[1:]
    assert [row.split("\t")[1] for row in rows] == ["plain", "greedy"]  # with the baseline


def test_an_edited_file(folder: Path, tmp_path: Path) -> None:
    """What is done under another name stays done; the settings of an old name may change."""
    path = folder / "edited.toml"
    path.write_text(f"{HEAD}[variant.narrow]\nbeam = 1\n[variant.greedy]\nbeam = 2\n")
    call = ("experiment", path, "--out", folder / "beams")
    rows = [line.split() for line in printed(*call, "--dry-run").splitlines()[1:]]
    assert [row[:3] for row in rows] == [["narrow", "1", "done"], ["greedy", "1", "new"]]
    assert [row[4:] for row in rows] == [[], ["beam=2"]]
    stdout, stderr = crossbranch(*call, "--only", "narrow")
    assert "1 of 1 runs were done before" in stderr
    assert [line.split()[0] for line in stdout.splitlines()[2:4]] == ["narrow", "greedy"]


def test_a_killed_experiment_goes_on(folder: Path, tmp_path: Path) -> None:
    write(sample(60, seed=4, max_length=12), folder / "more.export")
    text = HEAD.replace("train.export", "more.export").replace("epochs = 2", "epochs = 5")
    text = text.replace('dev = "dev.export"\n', "")  # to be quicker
    (folder / "killed.toml").write_text(text)
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    experiments.run(experiments.read(folder / "killed.toml", out=whole), jobs=0)
    call = ["experiment", str(folder / "killed.toml"), "--out", str(killed)]
    for kill in (signal.SIGKILL, signal.SIGINT):
        code = run_and_stop(call, killed, kill)
        assert code == (130 if kill == signal.SIGINT else -signal.SIGKILL)
        assert printed(*call, "--dry-run").splitlines()[1].split()[2] == "started"
    printed(*call)
    one, other = (next(place.glob("runs/*")) for place in (whole, killed))
    assert one.name == other.name
    for name in ("model/weights.bin", "test.discbracket", "test.tsv", "config.toml"):
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def run_and_stop(arguments: list[str], out: Path, kill: signal.Signals) -> int:
    """Stop an experiment after its next checkpoint; return its exit code."""

    def seen() -> int:
        return sum(path.stat().st_mtime_ns for path in out.glob("runs/*/model/checkpoint"))

    before = seen()
    command = [sys.executable, "-c", HEED_INTERRUPTS + MAIN, *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        while process.poll() is None and seen() == before:
            time.sleep(0.002)
        process.send_signal(kill)
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read().decode()
    after = seen()
    time.sleep(0.3)
    assert seen() == after  # no process of a run has outlived it
    return process.returncode


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing.toml",), "cannot read nothing.toml: no such file"),
        (("beams.toml", "--only", "wide"), "no variant has the name 'wide'"),
        (("beams.toml", "--on", "train"), "there is no set 'train'; expected one of dev, test"),
        (("beams.toml", "--plot", "x.txt"), "cannot save a plot as 'x.txt'"),
        (("beams.toml", "--dry-run", "--to", "tsv"), "--to has no effect with --dry-run"),
        (("beams.toml", "--report-only", "--jobs", "2"), "--jobs has no effect with --report-only"),
        (("beams.toml", "--out", "dev.export"), "cannot write results to dev.export"),
    ],
)
def test_what_is_wrong_with_a_call_is_said(
    folder: Path, arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(UsageError, match=message):
        printed("experiment", *arguments)


def test_a_wrong_file_is_refused_before_anything_is_trained(folder: Path) -> None:
    (folder / "wrong.toml").write_text(f"{HEAD}[variant.a]\n[variant.b]\nbeems = 3\n")
    _, stderr = crossbranch("experiment", "wrong.toml", code=2, cwd=folder)
    assert "error: wrong.toml: [variant.b]: unknown setting 'beems'; expected one of" in stderr
    assert not (folder / "wrong").exists()
