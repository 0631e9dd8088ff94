"""What `crossbranch derive` and `parse --derivation` write, by --to and the name of the output."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbranch.cli.derivation_target import TABLE, kind_of, meanings_of
from crossbranch.errors import UsageError


@pytest.mark.parametrize(
    ("output", "kind", "expected"),
    [
        (None, None, TABLE),
        ("-", None, TABLE),
        ("-", "html", "html"),
        ("steps.HTML", None, "html"),
        ("steps.txt", None, "drawn"),
        ("steps.txt", "json", "json"),
        ("steps.json", None, "json"),
        ("steps/", None, "svg"),
        ("steps", "svg", "svg"),
    ],
)
def test_the_kind_follows_from_the_options(
    output: str | None, kind: str | None, expected: str
) -> None:
    assert kind_of(output, kind) == expected


@pytest.mark.parametrize(
    ("output", "kind", "message"),
    [
        (None, "svg", "give a folder"),
        ("step.svg", "svg", "give a folder"),
        ("step.svg", None, "cannot write a derivation as step.svg"),
        ("steps", None, "cannot write a derivation as steps; expected --to drawn, json, svg, html"),
        ("-", "export", "cannot write a derivation as export"),
        ("steps/", "html", "steps/ is a folder"),
    ],
)
def test_what_does_not_fit_is_refused(output: str | None, kind: str | None, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        kind_of(output, kind)


def test_a_folder_that_exists_needs_no_slash(tmp_path: Path) -> None:
    assert kind_of(str(tmp_path), None) == "svg"


def test_labels_of_known_treebanks_have_meanings() -> None:
    assert "verb" in meanings_of(["VP", "NP"], ["NN"], "masc")["VP"]
    assert meanings_of(["VP", "NP"], ["nonsense", "other nonsense"]) == {}
