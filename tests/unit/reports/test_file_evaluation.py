"""Files of predictions, evaluated by programs: nothing is printed, everything is returned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.evaluation import find_parameters
from crossbranch.reports.analysis import Wanted
from crossbranch.reports.conventions import CONVENTIONS
from crossbranch.reports.file_evaluation import FileEvaluation, short_names
from crossbranch.reports.file_report import FileReport
from crossbranch.tree import Tree

RIGHT = "(ROOT (S (VP (X 0=a) (X 2=c)) (X 1=b)))"
FLAT = "(ROOT (S (X 0=a) (X 1=b) (X 2=c)))"
BAD = "(ROOT (S"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.discbracket").write_text(f"{RIGHT}\n" * 3)
    (tmp_path / "one.discbracket").write_text(f"{RIGHT}\n{FLAT}\n{RIGHT}\n")
    (tmp_path / "bad.discbracket").write_text(f"{RIGHT}\n{BAD}\n{RIGHT}\n")
    lists = "".join(f"{FLAT}\tscore 5\n{RIGHT}\tscore 4\n" for _ in range(3))
    (tmp_path / "lists.discbracket").write_text(lists)
    return tmp_path


def request(folder: Path, *names: str, **options: object) -> FileEvaluation:
    return FileEvaluation(
        gold=str(folder / "gold.discbracket"),
        predicted=tuple(str(folder / f"{name}.discbracket") for name in names),
        parameters=find_parameters("proper"),
        **options,  # type: ignore[arg-type]
    )


def test_one_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = FileReport.of(request(folder, "one"))
    (result,) = found.results
    assert (result.evaluation.recall, result.evaluation.precision) == (5 / 6, 1)
    assert result.analysis is None
    assert found.comparison is None
    assert [table.heading for table in found.tables()] == [result.path]
    rows = list(found.table_rows())
    assert {(row["prediction"], row["table"]) for row in rows} == {(result.path, "scores")}
    assert {"name": "recall", "all": 83.33}.items() <= rows[4].items()
    assert [row["f1"] for row in found.sentence_rows()] == ["100.00", "66.67", "100.00"]
    assert "k_best" not in found.to_dict()["predictions"][result.path]
    assert capsys.readouterr() == ("", "")


def test_trees_are_prepared_on_both_sides(folder: Path) -> None:
    """With the convention spmrl, it does not matter where punctuation is, nor who has a root."""
    outside = "(ROOT (S (NP (X 0=a) (X 2=b)) (X 3=c)) ($, 1=,) ($. 4=.))"
    inside = "(S (NP (X 0=a) (XY 1=,) (X 2=b)) (X 3=c) ($. 4=.))"  # a wrong tag
    wrong = "(S (X 0=a) ($, 1=,) (NP (X 2=b) (X 3=c)) ($. 4=.))"
    (folder / "gold.discbracket").write_text(f"{outside}\n" * 2)
    (folder / "one.discbracket").write_text(f"{inside}\n{wrong}\n")
    spmrl = CONVENTIONS["spmrl"]
    plain = replace(request(folder, "one"), parameters=find_parameters(spmrl.parameters))
    (before,), (after,) = plain.results(), replace(plain, prepare=spmrl.prepare).results()
    assert before.evaluation.recall == 0
    assert (after.evaluation.recall, after.evaluation.precision) == (3 / 4, 3 / 4)
    assert after.evaluation.scores.all.discontinuous.brackets.gold == 4  # the comma is a gap
    assert before.evaluation.parameters.cutoff == 70


def test_bad_sentences(folder: Path) -> None:
    with pytest.raises(InputError):
        request(folder, "bad").results()
    problems: list[InputError] = []
    (result,) = request(folder, "bad", on_error="skip", report=problems.append).results()
    assert len(problems) == 1
    assert result.evaluation.main.missing == 1


def test_lists_and_a_comparison(folder: Path) -> None:
    watched: list[str] = []

    def watch(trees: Iterable[Tree | None], what: str) -> Iterable[Tree | None]:
        watched.append(what)
        return trees

    found = FileReport.of(request(folder, "lists", "one", wanted=Wanted(by=["gap"]), watch=watch))
    assert [what.split("/")[-1] for what in watched] == ["lists.discbracket", "one.discbracket"]
    headings = [table.heading for table in found.tables()]
    oracle = "oracle: the best tree among the first k"
    assert headings[1:3] == [oracle, "by gap degree"]
    assert headings[4:] == ["by gap degree", "comparison", "exact in one only"]
    rows = list(found.sentence_rows())
    assert [row["oracle_rank"] for row in rows] == [2, 2, 2, 1, 1, 1]
    assert [row["trees"] for row in rows] == [2, 2, 2, 1, 1, 1]


def test_lists_are_not_aligned_by_text(folder: Path) -> None:
    (result,) = request(folder, "lists", align="text").results()
    assert result.lists.largest == 1
    assert result.ignored_trees == 3
    assert result.evaluation.recall == 0.5


def test_what_pages_show(folder: Path) -> None:
    records = list(request(folder, "lists").records(str(folder / "lists.discbracket")))
    assert [record.number for record in records] == [1, 2, 3]
    assert all(record.f1 < 1 for record in records)  # the best trees, not the oracle


def test_words_and_labels(folder: Path) -> None:
    asked = request(folder, "one")
    assert asked.read_words(asked.gold) == {"a", "b", "c"}
    with pytest.raises(UsageError, match="cannot detect phenomena without the labels of NeGra"):
        asked.find_scheme()


def test_short_names() -> None:
    assert short_names(["a/x.export", "b/y.export"]) == ["x.export", "y.export"]
    assert short_names(["a/x.export", "b/x.export"]) == ["a/x.export", "b/x.export"]
