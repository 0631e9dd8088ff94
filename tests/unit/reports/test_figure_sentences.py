"""The sentences of figures: exactly those in which the figure counts something."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crossbranch.evaluation import PARAMETERS
from crossbranch.reports.analysis import Wanted
from crossbranch.reports.figure_sentences import row_name
from crossbranch.reports.file_evaluation import FileEvaluation
from crossbranch.reports.file_report import FileReport, tables_of
from crossbranch.reports.tables import for_terminal, name_sentences

RIGHT = "(ROOT (S (NP (DT 0=a) (NN 1=dog)) (VP (VB 2=sees) (NP (NN 3=cats)))))\n"
OTHER_LABEL = RIGHT.replace("(NP (NN 3=cats))", "(PP (NN 3=cats))")
OTHER_TAG = RIGHT.replace("VB 2", "NN 2")
FLAT = "(ROOT (S (NP (DT 0=a) (NN 1=dog)) (VB 2=sees) (NN 3=cats)))\n"
WANTED = Wanted(by=["label", "length"], confusions=True, error_types=True)


@pytest.fixture
def evaluation(tmp_path: Path) -> FileEvaluation:
    gold, predicted = tmp_path / "gold.discbracket", tmp_path / "predicted.discbracket"
    text = "".join([RIGHT, OTHER_LABEL, OTHER_TAG, FLAT])
    gold.write_text(RIGHT * 4)
    predicted.write_text(text)
    return FileEvaluation(
        gold=str(gold),
        predicted=(str(predicted),),
        parameters=PARAMETERS["proper"],
        wanted=WANTED,
    )


def sentences(evaluation: FileEvaluation) -> dict[str, Any]:
    found: dict[str, Any] = FileReport.of(evaluation).to_dict()["predictions"]
    numbers: dict[str, Any] = found[evaluation.predicted[0]]["sentences"]
    return numbers


def test_counts_lead_to_what_they_count_and_shares_to_what_lowers_them(
    evaluation: FileEvaluation,
) -> None:
    found = sentences(evaluation)
    assert found["by label"]["VP"] == {
        "gold": [1, 2, 3, 4],
        "predicted": [1, 2, 3],
        "matching": [1, 2, 3],
        "recall": [4],
        "F1": [4],
    }
    assert found["by label"]["PP"] == {"predicted": [2], "precision": [2], "F1": [2]}
    assert found["by length of the sentence"]["1-10"]["gold"] == [1, 2, 3, 4]
    assert found["scores"]["exact match"]["all"] == [2, 4]
    assert found["scores"]["tag accuracy"]["all"] == [3]


def test_confusions_and_error_types(evaluation: FileEvaluation) -> None:
    found = sentences(evaluation)
    assert found["tag confusions"] == {"VB → NN": {"count": [3]}}
    assert found["label confusions on equal spans"] == {"NP → PP": {"count": [2]}}
    assert found["errors by type"]["different label"]["errors"] == [2]
    numbers = {n for row in found["errors by type"].values() for n in row["errors"]}
    assert numbers == {2, 4}


def test_every_count_has_as_many_sentences_as_it_can_have(evaluation: FileEvaluation) -> None:
    for table in tables_of(FileReport.of(evaluation).results[0]):
        for row, figures in zip(table.rows, table.sentences, strict=True):
            for cell, numbers in zip(row[table.names :], figures, strict=True):
                if isinstance(cell, int):
                    assert len(numbers) <= cell, (table.name, row_name(table, row))
                    assert bool(numbers) == bool(cell)


def test_the_rows_of_tables_name_sentences(evaluation: FileEvaluation) -> None:
    rows = list(FileReport.of(evaluation).table_rows())
    confusion = next(row for row in rows if row["table"] == "tag confusions")
    assert confusion["sentences_of"] == {"count": [3]}


def test_terminals_name_a_few_sentences(evaluation: FileEvaluation) -> None:
    assert name_sentences([1, 5, 7], 2) == "1, 5, …"
    assert name_sentences([1, 5], 2) == "1, 5"
    table = next(iter(tables_of(FileReport.of(evaluation).results[0])))
    assert for_terminal(table, 5) == table
