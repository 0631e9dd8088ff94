"""crossbranch sample, with the options for pieces of treebanks and for random trees."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from crossbranch.cli.sample import sample
from crossbranch.errors import InputError, UsageError
from crossbranch.treebank import read


def trees(folder: Path, *arguments: str) -> list[str]:
    """Run the command in this process; return the trees that it wrote."""
    path = folder / "out.export"
    CliRunner().invoke(sample, [*arguments, "-o", str(path)], catch_exceptions=False)
    return [f"{tree.id} {tree}" for tree in read(path)]


def test_pieces_make_the_whole(tmp_path: Path) -> None:
    whole = trees(tmp_path, "6", "--grammar", "english", "--seed", "3", "--max-length", "20")
    part = trees(
        tmp_path, "4", "--grammar", "english", "--seed", "3", "--max-length", "20", "--first", "3"
    )
    assert whole[2:] == part
    assert max(len(tree.split("=")) for tree in whole) <= 21


def test_random_trees_by_shape(tmp_path: Path) -> None:
    (tree,) = trees(
        tmp_path,
        *("1", "--grammar", "random", "--shape", "cross-serial", "--labels", "X"),
        *("--min-length", "6", "--max-length", "6", "--tags", "1", "--max-fan-out", "2"),
    )
    assert "/" in tree
    bare = " ".join(word.split("/")[0] for word in tree.split(" 0=")[0].split())
    assert bare == "1 (ROOT (X 0 (X 1 (X 2 5) 4) 3))"


def test_random_trees_by_rates(tmp_path: Path) -> None:
    options = (
        "20 --grammar random --discontinuity-rate 0 --unary-rate 0 --branching 2 --well-nested"
    )
    assert len(trees(tmp_path, *options.split())) == 20


def test_options_for_random_trees_are_for_nothing_else(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match="--ill-nested, --tags can be used only with --grammar random"
    ):
        trees(tmp_path, "1", "--ill-nested", "--tags", "3")


def test_a_bad_grammar_file_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "bad.lcfrs").write_text("top S\n1 S -> A A\n")
    with pytest.raises(InputError, match=r"bad\.lcfrs:2: found the symbol A"):
        trees(tmp_path, "1", "--grammar", str(tmp_path / "bad.lcfrs"))
