"""Numbers for each token, from files and functions."""

from __future__ import annotations

import gzip
import math
from pathlib import Path
from typing import Any

import pytest

from crossbranch.errors import InputError
from crossbranch.tasks import (
    Distributions,
    DistributionSettings,
    make_distributions,
    read_distributions,
)

SENTENCES = [["a", "b"], [], ["c"]]
TSV = "0.5\t0.25\n1\t0\n\n\n0.75 -2e-1\n"
JSON = '[[0.5, 0.25], [1, 0]]\n[]\n{"rows": [[0.75, -0.2]], "words": ["c"]}\n'


def read_one(
    folder: Path, text: str, sentences: list[list[str]] = SENTENCES, **settings: Any
) -> tuple[Distributions, list[str]]:
    file = folder / "rows"
    file.write_text(text)
    errors: list[str] = []

    def report(error: InputError) -> None:
        errors.append(str(error).removeprefix(f"{folder}/"))

    found = read_distributions(
        str(file), sentences, DistributionSettings.of(settings), report=report
    )
    return found, errors


@pytest.mark.parametrize("text", [TSV, JSON], ids=["tsv", "json"])
def test_rows_belong_to_the_tokens(tmp_path: Path, text: str) -> None:
    found, errors = read_one(tmp_path, text)
    assert found.width == 2
    assert [len(numbers or ()) for numbers in found.sentences] == [4, 0, 2]
    assert found.rows(0) == [[0.5, 0.25], [1, 0]]
    assert found.rows(1) == []
    assert found.rows(2) == [[0.75, pytest.approx(-0.2)]]
    assert not errors


def test_logarithms_become_probabilities(tmp_path: Path) -> None:
    text = f"{math.log(0.25)} 0\n-inf 0.0001\n\n-1 0.5\n"
    found, errors = read_one(
        tmp_path, text, [["a", "b"], ["c"]], log_probabilities=True, format="tsv"
    )
    assert found.rows(0) == [[0.25, 1], [0, 1]]
    assert found.rows(1) is None
    assert errors == ["rows:4: found 0.5, expected the logarithm of a probability"]


def test_words_are_compared(tmp_path: Path) -> None:
    found, errors = read_one(tmp_path, "a\t1\nb\t2\n\nx\t3\n", words=True)
    assert found.rows(0) == [[1], [2]]
    assert found.sentences[2] is None
    assert errors == ["rows:4: found the word 'x', expected 'c'"]
    _, errors = read_one(tmp_path, JSON.replace('"c"', '"d"'))
    assert errors == ["rows:3: found the word 'd', expected 'c'"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2\n1\n\n1 2\n", "rows:2: found 1 numbers, expected 2"),
        ("1 2\n\n1 2\n", "rows:1: found 1 rows, expected 2, one for each token"),
        ("1 2\n1 x\n\n1 2\n", "rows:2: found 'x', expected a number"),
        ("1 2\nnan 2\n\n1 2\n", "rows:2: found nan, expected a number"),
        ("1 2\n1 1e99\n\n1 2\n", "rows:2: found inf, expected a number"),
        ("[[1], [2, 3]]\n[]\n[[1]]\n", "rows:1: found 2 numbers, expected 1"),
        ("[[1], []]\n[]\n[[1]]\n", "rows:1: found 0 numbers, expected 1"),
    ],
)
def test_rows_that_do_not_fit_cost_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    found, errors = read_one(tmp_path, text)
    assert found.sentences[0] is None
    assert found.rows(2)
    assert errors == [message]


def test_lines_that_are_not_json_cost_one_sentence(tmp_path: Path) -> None:
    found, errors = read_one(tmp_path, '[[1], [2]]\n[]\n[["x"]]\n')
    assert found.rows(0) == [[1], [2]]
    assert found.sentences[2] is None
    assert errors[0].startswith("rows:3: found ")
    assert "expected a list of rows of numbers" in errors[0]
    _, errors = read_one(tmp_path, '[[1], [2]]\n[]\n{"rows": [[1]], "words": []}\n')
    assert errors == ["rows:3: found 0 words, expected 1, one for each row"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\n2\n", "found rows for 1 sentences, expected 2"),
        ("1\n2\n\n3\n\n4\n", "rows:6: found more sentences with rows, expected 2"),
        ("[[1], [2]]\n", "found rows for 1 sentences, expected 3"),
        ("", "found rows for 0 sentences, expected 2"),
        ("x\nx\n\nx\n", "found no sentence whose rows fit"),
    ],
)
def test_files_that_do_not_fit_the_sentences(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_one(tmp_path, text)


def test_the_width_may_be_given(tmp_path: Path) -> None:
    _, errors = read_one(tmp_path, "1 2\n1 2\n\n1\n", width=1)
    assert errors == ["rows:1: found 2 numbers, expected 1"]


def test_compressed_files(tmp_path: Path) -> None:
    (tmp_path / "rows.gz").write_bytes(gzip.compress(JSON.encode()))
    found = read_distributions(
        str(tmp_path / "rows.gz"), SENTENCES, DistributionSettings(), report=lambda _: None
    )
    assert found.width == 2


def test_a_function_gives_the_rows() -> None:
    def lengths(sentences: list[list[str]]) -> list[list[list[float]]]:
        return [[[len(word), 1.0] for word in words] for words in sentences]

    found = make_distributions(lengths, [["ab"], [], ["c", "def"]], report=lambda _: None)
    assert found.width == 2
    assert found.rows(2) == [[1, 1], [3, 1]]


def test_functions_that_give_too_little() -> None:
    errors: list[str] = []

    def bad(sentences: list[list[str]]) -> list[list[list[float]]]:
        return [[[1.0], [2.0]], [[1.0]], [[math.nan]]]

    def report(error: InputError) -> None:
        errors.append(str(error))

    found = make_distributions(bad, [["a", "b"], ["c", "d"], ["e"]], report=report)
    assert [numbers is None for numbers in found.sentences] == [False, True, True]
    assert errors == [
        "<bad>: sentence 2, token 1: found 1 rows, expected 2, one for each token",
        "<bad>: sentence 3, token 1: found nan, expected a number",
    ]
    with pytest.raises(InputError, match="rows for 3 sentences, expected 4"):
        make_distributions(bad, [["a"]] * 4, report=report)
    with pytest.raises(InputError, match="rows for more than 2 sentences, expected 2"):
        make_distributions(bad, [["a"]] * 2, report=report)
