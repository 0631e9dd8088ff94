"""crossbranch evaluate, as users run it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from commands import CROSSING, crossbranch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import crossbranch as crossbranch_package
from crossbranch.cli import crossbranch as command
from crossbranch.errors import CrossbranchError

FLAT = "(ROOT (SBARQ (WP 0=What) (MD 1=should) (PRP 2=I) (VB 3=do)) (. 4=?))\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    gold, predicted = tmp_path / "gold.discbracket", tmp_path / "flat.discbracket"
    gold.write_text(CROSSING * 4)
    predicted.write_text(CROSSING * 2 + FLAT * 2)
    return gold, predicted


def test_figures_in_every_output(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, predicted = files
    outputs: list[str | Path] = ["--json", tmp_path / "s.json", "--csv", tmp_path / "s.csv"]
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


def k_best_lists(flat_first: int) -> str:
    """Lists of two trees for four sentences, as `parse --k-best` writes them, without ids."""
    right, wrong = CROSSING.rstrip(), FLAT.rstrip()
    lists = [(wrong, right)] * flat_first + [(right, wrong)] * (4 - flat_first)
    return "".join(f"{one}\tscore 2\n{other}\tscore 1.5\n" for one, other in lists)


def test_k_best_lists(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, _ = files
    lists = tmp_path / "lists.discbracket"
    lists.write_text(k_best_lists(2))
    stdout, stderr = crossbranch("evaluate", gold, lists)
    assert not stderr
    rows = [line.split() for line in stdout.splitlines()]
    assert ["F1", "75.00", "75.00", "66.67", "66.67"] in rows  # the best trees
    assert rows[-2:] == [
        ["1", "60.00", "100.00", "75.00", "50.00", "66.67"],
        ["2", "100.00", "100.00", "100.00", "100.00", "100.00"],
    ]
    stdout, _ = crossbranch("evaluate", gold, lists, "--json", "-")
    figures = json.loads(stdout)["predictions"][str(lists)]
    assert figures["all"]["all"]["f1"] == 75.0
    assert figures["k_best"]["trees"] == 8
    assert [row["f1"] for row in figures["k_best"]["oracle"].values()] == [75.0, 100.0]
    stdout, _ = crossbranch("evaluate", gold, lists, "--csv", "-")
    found = list(csv.DictReader(stdout.splitlines()))
    assert [row["oracle_rank"] for row in found] == ["2", "2", "1", "1"]
    assert {(row["trees"], row["oracle_f1"]) for row in found} == {("2", "100.00")}
    stdout, _ = crossbranch("evaluate", gold, lists, "--tables", "-")
    table = [r for r in csv.DictReader(stdout.splitlines()) if r["table"].startswith("oracle")]
    assert [(row["k"], row["F1"]) for row in table] == [("1", "75.0"), ("2", "100.0")]
    page = tmp_path / "page.html"
    crossbranch("evaluate", gold, lists, "--html", page)
    assert page.read_text().count("<details") == 4
    assert "the best tree among the first k" in page.read_text()


def test_k_best_lists_with_ids(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, bare, lists = files[0], tmp_path / "lists.discbracket", tmp_path / "lists.conllu"
    bare.write_text(k_best_lists(2))
    crossbranch("convert", bare, lists)
    text = lists.read_text()
    for number in range(8, 0, -1):  # the last sentence comes first
        text = text.replace(f"sent_id = {number}\n", f"sent_id = {5 - (number + 1) // 2}.RANK\n")
    for rank in "12121212":
        text = text.replace("RANK", rank, 1)
    lists.write_text(text)
    assert "sent_id = 4.1" in text
    stdout, _ = crossbranch("evaluate", gold, lists, "--align", "id", "--json", "-")
    assert json.loads(stdout)["predictions"][str(lists)]["k_best"]["oracle"]["2"]["f1"] == 100.0
    _, stderr = crossbranch("evaluate", gold, lists, "--align", "text")
    assert "only the first tree of each k-best list is scored" in stderr


def test_several_breakdowns(files: tuple[Path, Path]) -> None:
    stdout, _ = crossbranch("evaluate", *files, "--by", "label,length", "--by", "gap, label")
    titles = [line for line in stdout.splitlines() if line.startswith("by ")]
    assert titles == ["by label", "by length of the sentence", "by gap degree"]
    _, stderr = crossbranch("evaluate", *files, "--by", "label,colour", code=2)
    assert "'colour' is not one of label, length, gap" in stderr


def test_tables_in_a_pipe_are_whole(files: tuple[Path, Path], tmp_path: Path) -> None:
    long = tmp_path / ("very-" * 20 + "long.discbracket")
    long.write_text(CROSSING * 4)
    stdout, _ = crossbranch("evaluate", *files, long)
    assert f"{files[1].name} / {long.name}" in stdout
    assert "…" not in stdout
    stdout, _ = crossbranch("evaluate", *files, long, "--tables", "-")
    rows = list(csv.DictReader(stdout.splitlines()))
    assert {row["table"] for row in rows} == {"scores", "comparison", "exact in one only"}
    assert [row["all"] for row in rows if row["name"] == "F1"] == ["75.0", "100.0"]


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
    assert "1 gold sentence has no parse" in stderr
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


def test_scores_like_those_of_the_shared_task(tmp_path: Path) -> None:
    """One option does what would otherwise be done with both files by hand."""
    folder = Path(__file__).parents[1] / "golden" / "evaluation"
    files = [folder / f"punctuation.{name}.discbracket" for name in ("gold", "predicted")]
    moved = [tmp_path / file.name for file in files]
    for file, target in zip(files, moved, strict=True):
        crossbranch("convert", file, target, "--apply", "punctuation(root)")

    def figures(*arguments: str | Path) -> Any:
        stdout, _ = crossbranch("evaluate", *arguments, "--json", "-")
        (found,) = json.loads(stdout)["predictions"].values()
        return found

    found = figures(*files, "--like", "spmrl")
    assert found == figures(*moved, "--params", "spmrl")
    assert found != figures(*files, "--params", "spmrl")


def test_wrong_calls(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, predicted = files
    crossbranch("evaluate", gold, code=2)
    crossbranch("evaluate", gold, predicted, "--params", "nonsense", code=2)
    crossbranch("evaluate", gold, predicted, "--like", "nonsense", code=2)
    _, stderr = crossbranch(
        "evaluate", gold, predicted, "--like", "spmrl", "--params", "proper", code=2
    )
    assert "--like spmrl has its own parameters; leave out --params proper" in stderr
    crossbranch("evaluate", gold, predicted, "--by", "unseen", code=2)
    crossbranch("evaluate", gold, "-", "--html", tmp_path / "x.html", code=2)
    crossbranch("evaluate", gold, tmp_path / "missing", code=2)
    crossbranch("evaluate", gold, predicted, "--json", "-", "--tables", "-", code=2)


def test_what_is_no_prediction(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, _ = files
    more = tmp_path / "more.discbracket"
    more.write_text(CROSSING * 6)
    _, stderr = crossbranch("evaluate", gold, more, code=1)
    assert f"{more}: found 6 trees, expected 4, one for each gold sentence" in stderr
    _, stderr = crossbranch("evaluate", gold, "en", code=2)
    assert "en is a model, not a treebank; to parse a file with it: crossbranch parse en" in stderr
    model = Path(crossbranch_package.__file__).parent / "models" / "en"
    _, stderr = crossbranch("evaluate", gold, model, code=2)
    assert "is a model, not a treebank" in stderr


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from([CROSSING, FLAT, "\n", "(S", "rubbish\n", "(ROOT (X 0=What))\n", "\x00\n"]),
        max_size=5,
    )
)
def test_mismatched_inputs_never_give_a_traceback(tmp_path: Path, lines: list[str]) -> None:
    (tmp_path / "gold.discbracket").write_text(CROSSING * 2)
    (tmp_path / "any.discbracket").write_text("".join(lines))
    files = [str(tmp_path / "gold.discbracket"), str(tmp_path / "any.discbracket")]
    for skip in ("stop", "skip"):
        run = CliRunner().invoke(command, ["evaluate", *files, "--on-error", skip])
        assert run.exception is None or isinstance(run.exception, CrossbranchError | SystemExit)


def test_a_bad_line_shifts_no_other(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, _ = files
    bad = tmp_path / "bad.discbracket"
    bad.write_text(CROSSING + "(ROOT (S\n" + CROSSING * 2)
    gold.write_text(CROSSING + FLAT.replace("What", "Where") + CROSSING * 2)
    stdout, stderr = crossbranch("evaluate", gold, bad, "--on-error", "skip", "--json", "-")
    figures = json.loads(stdout)["predictions"][str(bad)]["all"]
    assert (figures["sentences"], figures["missing"]) == (4, 1)
    assert "1 sentence was skipped" in stderr


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


def test_functions_and_dependencies(tmp_path: Path) -> None:
    # "sie sah ihn ." Wrong: the object is taken for a subject, and forms a phrase with the verb.
    words = "sie\tPPER\t--\t{}\nsah\tVVFIN\t--\tHD\t{}\nihn\tPPER\t--\t{}\n.\t$.\t--\t--\t0\n"
    gold, predicted = tmp_path / "gold.export", tmp_path / "predicted.export"
    rows = words.format("SB\t500", "500", "OA\t500")
    gold.write_text(f"#FORMAT 3\n#BOS 1\n{rows}#500\tS\t--\t--\t0\n#EOS 1\n")
    rows = words.format("SB\t500", "501", "SB\t501")
    nodes = "#500\tS\t--\t--\t0\n#501\tVP\t--\tOC\t500\n"
    predicted.write_text(f"#FORMAT 3\n#BOS 1\n{rows}{nodes}#EOS 1\n")
    target = tmp_path / "scores.json"
    stdout, _ = crossbranch("evaluate", gold, predicted, "--functions", "--heads", "auto")
    assert "brackets with functions" in stdout
    crossbranch("evaluate", gold, predicted, "--functions", "--heads", "auto", "--json", target)
    found = json.loads(target.read_text())
    functions, dependencies = _find(found, "functions"), _find(found, "dependencies")
    assert functions["token_accuracy"] == pytest.approx(66.67)  # SB and HD are right, OA is not
    assert [functions["brackets"][name] for name in ("gold", "predicted", "matched")] == [1, 2, 1]
    # All three words have the right head: sah is the head of S and VP. One relation is wrong.
    assert (dependencies["tokens"], dependencies["unlabelled"]) == (3, 100)
    assert dependencies["labelled"] == pytest.approx(66.67)


def _find(values: object, name: str) -> dict[str, Any]:
    """The part with this name, wherever it is in the JSON."""
    if isinstance(values, dict):
        if name in values:
            return values[name]  # type: ignore[no-any-return]
        values = list(values.values())
    found = [_find(value, name) for value in values if value] if isinstance(values, list) else []
    return next((part for part in found if part), {})
