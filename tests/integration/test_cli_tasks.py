"""`crossbranch tasks` in a process of its own: the kinds, figures, and words with their labels."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from commands import CROSSING, crossbranch

from crossbranch.cli import crossbranch as command
from crossbranch.errors import CrossbranchError
from crossbranch.tasks import KINDS, TaskSettings, read_files

SHARED = Path(__file__).parents[3] / "shared"
EWT = SHARED / "tagged" / "ewt" / "dev.conllu.xz"


SETTINGS = """
parser = "neural-transition"

[task.spines]
kind = "spine"
level = 2

[task.words]
kind = "column"
column = "2"
train = ["words.txt"]
held_out = 1

[task.off]
kind = "ccg"
train = ["nowhere.auto"]
enabled = false
"""


@pytest.fixture
def crossing(tmp_path: Path) -> Path:
    (tmp_path / "crossing.txt").write_text(CROSSING * 2)
    return tmp_path / "crossing.txt"


def run(*arguments: str | Path) -> str:
    """Run the command in this process, which is quicker."""
    found = CliRunner().invoke(command, [str(one) for one in arguments])
    assert found.exit_code == 0, found.exception or found.output
    return found.output


def test_the_kinds_are_listed() -> None:
    out = run("tasks")
    assert [line.split()[0] for line in out.splitlines()[1:]] == list(KINDS)
    out = run("tasks", "--json")
    assert [one["kind"] for one in json.loads(out)] == list(KINDS)


def test_every_kind_can_be_asked_for() -> None:
    from crossbranch.cli.tasks import tasks

    [option] = [one for one in tasks.params if one.name == "kind"]
    assert list(option.type.choices) == list(KINDS)  # type: ignore[attr-defined]


def test_figures_of_supertags(crossing: Path) -> None:
    out, errors = crossbranch("tasks", crossing, "--kind", "supertag", "--top", "2")
    assert run("tasks", crossing, "--kind", "supertag", "--top", "2") == out
    lines = [line.split() for line in out.splitlines()]
    assert lines[1] == ["train", "2", "10", "10", "5", "0", "100.0%"]
    assert lines[3] == ["label", "tokens", "share", "words"]
    assert lines[4:] == [["*", "2", "20.0%", "?"], ["NP(*)", "2", "20.0%", "I"]]
    assert not errors


def test_dev_data_and_rare_labels(crossing: Path, tmp_path: Path) -> None:
    (tmp_path / "dev.txt").write_text("(ROOT (SQ (MD 0=Do) (NP (PRP 1=I))) (. 2=?))\n")
    arguments = ("--kind", "spine", "--dev", tmp_path / "dev.txt", "--json")
    figures = json.loads(run("tasks", crossing, *arguments))["figures"]
    assert figures["train"]["labels"] == 5
    assert figures["dev"]["labelled"] == 3
    assert figures["dev"]["known"] == 2
    rare = json.loads(run("tasks", crossing, *arguments, "--min-count", "3"))
    assert rare["figures"]["dev"]["known"] == 0
    out = run("tasks", crossing, "--kind", "tag", "--csv", "--top", "0")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert rows[0] == {"label": ".", "tokens": "2", "share": "0.2", "words": "?"}
    assert len(rows) == 5


def test_words_and_labels_in_columns(crossing: Path, tmp_path: Path) -> None:
    out, _ = crossbranch("tasks", crossing, "--kind", "chunk", "--to", "tsv")
    sentence = "What\tB-WHNP\nshould\tB-SQ\nI\tB-NP\ndo\tB-VP\n?\tO\n\n"
    assert out == sentence * 2
    target = tmp_path / "chunks.tsv"
    run("tasks", crossing, "--kind", "chunk", "--to", "tsv", "-o", target)
    assert target.read_text() == out
    assert run("tasks", target, "--kind", "chunk", "--to", "tsv") == out


def test_standard_input_and_any_column(tmp_path: Path) -> None:
    text = b"a\tX\tP\nb\tY\t_\n"
    out, _ = crossbranch(
        "tasks", "-", "--kind", "column", "--column", "3", "--to", "tsv", stdin=text
    )
    assert out == "a\tP\nb\t_\n\n"
    out, _ = crossbranch(
        *("tasks", "-", "--kind", "tag", "--set", "missing=Y", "--to", "tsv"),
        *("--column", "2"),
        stdin=text,
    )
    assert out == "a\tX\nb\t_\n\n"


def test_bad_sentences_stop_or_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "bad.tsv").write_text("a\tX\n\nb\n\nc\tX\n")
    _, errors = crossbranch("tasks", "bad.tsv", "--kind", "tag", cwd=tmp_path, code=1)
    assert errors == "crossbranch: error: bad.tsv:3: found 1 column, expected 2 columns\n"
    out, errors = crossbranch(
        *("tasks", "bad.tsv", "--kind", "tag", "--on-error", "skip", "--to", "tsv"), cwd=tmp_path
    )
    assert out == "a\tX\n\nc\tX\n\n"
    assert errors.splitlines() == [
        "crossbranch: skipped: bad.tsv:3: found 1 column, expected 2 columns",
        "crossbranch: 1 bad sentence was skipped",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["crossing.txt"], "give --kind"),
        (["--kind", "tag"], "there is no FILE"),
        (["crossing.txt", "--kind", "column"], "--kind column needs --column"),
        (["crossing.txt", "--kind", "tags"], "'tags' is not one of 'tag'"),
        (["crossing.txt", "--kind", "tag", "-o", "x"], "--output needs --to tsv"),
        (["crossing.txt", "--kind", "tag", "--from", "xls"], "unknown format 'xls'"),
        (["crossing.txt", "--kind", "tag", "--set", "x=1"], "unknown setting 'x'"),
        (["crossing.txt", "--kind", "spine", "--heads", "x"], "cannot read x"),
        (["crossing.txt", "--kind", "tag", "--trees", "x"], "--trees is for the tasks"),
        (["my.toml"], "the task spines needs the training trees; name them with --trees"),
        (["my.toml", "--kind", "tag"], "my.toml must be the only FILE"),
        (["bad.toml"], "the setting task.x.level is 0, expected a whole number"),
        (["none.toml"], "none.toml has no task"),
        (["nowhere.txt", "--kind", "tag"], "cannot read nowhere.txt"),
        (["empty.txt", "--kind", "tag"], "found no sentence with labels"),
    ],
)
def test_wrong_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crossing.txt").write_text(CROSSING)
    (tmp_path / "empty.txt").touch()
    (tmp_path / "none.toml").touch()
    (tmp_path / "bad.toml").write_text("[task.x]\nlevel = 0\n")
    (tmp_path / "my.toml").write_text(SETTINGS)
    found = CliRunner().invoke(command, ["tasks", *arguments])
    assert found.exit_code != 0
    assert message in found.output + str(found.exception)
    assert found.exception is None or isinstance(found.exception, CrossbranchError | SystemExit)


def test_exit_codes_of_errors(crossing: Path) -> None:
    _, errors = crossbranch("tasks", crossing, code=2)
    assert errors == "crossbranch: error: give --kind; `crossbranch tasks` lists the kinds\n"


def test_the_tasks_of_a_settings_file(
    crossing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my.toml").write_text(SETTINGS)
    (tmp_path / "words.txt").write_text("a X\n\nb Y\n\nc Y\n")
    monkeypatch.chdir(tmp_path)
    arguments = ("tasks", "my.toml", "--trees", crossing, "--dev", crossing)
    out = run(*arguments)
    rows = [line.split() for line in out.splitlines()]
    assert rows[1:] == [
        *[["spines", "spine", "trees", "2", "2", "10", "5", "5", "2", "100.0%"]],
        *[["words", "column", "words.txt", "1", "2", "2", "2", "2", "1", "100.0%"]],
    ]
    out = run(*arguments, "--json")
    assert [one["learned"] for one in json.loads(out)] == [5, 2]


def test_the_tasks_of_an_experiment(crossing: Path, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("a X\n\nb Y\n\nc Y\n")
    (tmp_path / "my.toml").write_text(
        f"preset = 'x'\ntrain = '{crossing.name}'\ndev = '{crossing.name}'\n"
        "[settings.task.words]\ntrain = ['words.txt']\n"
        "[variant.plain]\n[variant.rare.task.words]\nmin_count = 2\n"
        "[variant.tree.task.spine]\nkind = 'spine'\n"
    )
    found = CliRunner().invoke(command, ["tasks", str(tmp_path / "my.toml"), "--csv"])
    rows = list(csv.DictReader(io.StringIO(found.output)))
    assert [(row["task"], row["data"], row["learned"], row["dev_sentences"]) for row in rows] == [
        ("words", "words.txt", "2", "0"),
        ("rare.words", "words.txt", "1", "0"),
        ("tree.spine", "trees", "5", "2"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("task = 1", "task is 1, expected a table"),
        ("[task]\nx = 1", "task.x is 1, expected a table"),
        ("[variant]\nx = 1", "variant.x is 1, expected a table"),
        ("[variant.x.task.y]\nlevel = 0", "variant.x.task.y.level is 0"),
        ("x = ", "expected TOML"),
    ],
)
def test_bad_settings_files(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "my.toml").write_text(text)
    found = CliRunner().invoke(command, ["tasks", str(tmp_path / "my.toml")])
    assert isinstance(found.exception, CrossbranchError)
    assert message in str(found.exception)


def test_a_treebank_of_dependencies() -> None:
    if not EWT.exists():
        pytest.skip("there is no shared/tagged/ewt beside the repository")
    errors: list[object] = []
    found = read_files([str(EWT)], TaskSettings(kind="dependency"), report=errors.append)
    assert len(found) == 2001
    assert not errors
    assert sum(sentence.labels.count("root_-1_root") for sentence in found) == 2001
