"""Parameter files as users bring them."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.evaluation.parameters import (
    PARAMETERS,
    Parameters,
    find_parameters,
    representatives,
)


def read(tmp_path: Path, text: str) -> Parameters:
    path = tmp_path / "own.prm"
    path.write_text(text)
    return find_parameters(path)


def test_every_key(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "# a comment\nDEBUG 0\nMAX_ERROR 5\nCUTOFF_LEN 30\nLABELED 0\nDISC_ONLY 1\nLA 1\nTED 1\n"
        "DEP 1\nDELETE_ROOT_PRETERMS 1\nDELETE_LABEL TOP\nDELETE_LABEL $,\nDELETE_WORD ...\n"
        "DELETE_LABEL_FOR_LENGTH -NONE-\nEQ_LABEL ADVP PRT\nEQ_WORD -LRB- (\n\n",
    )
    assert found == Parameters(
        name="own.prm",
        cutoff=30,
        most_errors=5,
        labelled=False,
        discontinuous_only=True,
        leaf_ancestor=True,
        tree_distance=True,
        dependencies=True,
        deletes_root_tokens=True,
        deleted_labels=frozenset({"TOP", "$,"}),
        deleted_words=frozenset({"..."}),
        uncounted_tags=frozenset({"-NONE-"}),
        equal_labels=(("PRT", "ADVP"),),
        equal_words=(("(", "-LRB-"),),
    )


def test_trailing_blanks_do_no_harm(tmp_path: Path) -> None:
    found = read(tmp_path, "DELETE_LABEL TOP   \t\nCUTOFF_LEN 12 \n")
    assert found.deleted_labels == {"TOP"}
    assert found.cutoff == 12


def test_unknown_keys_are_named(tmp_path: Path) -> None:
    assert read(tmp_path, "COLOUR 3\nDELETE_LABEL X\n").unknown_keys == ("COLOUR",)


@pytest.mark.parametrize("line", ["CUTOFF_LEN many", "LABELED", "EQ_LABEL ADVP"])
def test_bad_lines_are_errors(line: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"own\.prm:2"):
        read(tmp_path, f"DELETE_LABEL X\n{line}\n")


def test_names() -> None:
    assert find_parameters("proper") is PARAMETERS["proper"]
    with pytest.raises(UsageError, match="proper, spmrl"):
        find_parameters("evalb")


def test_older_encodings(tmp_path: Path) -> None:
    path = tmp_path / "old.prm"
    path.write_bytes("DELETE_WORD \u00ab\n".encode("iso-8859-1"))
    assert find_parameters(path).deleted_words == {"\u00ab"}


def test_equality_is_transitive() -> None:
    found = representatives((("PP", "NP"), ("VP", "PP"), ("X", "Y")))
    assert found["VP"] == found["PP"] == found["NP"]
    assert found["X"] == found["Y"] != found["NP"]


def test_minus_one_allows_any_number_of_errors(tmp_path: Path) -> None:
    most = read(tmp_path, "MAX_ERROR -1\n").most_errors
    assert most is not None
    assert most > 10**9
