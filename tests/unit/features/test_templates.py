"""Feature sets: those that ship, those of users, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.features import feature_sets, load
from crossbranch.features.atoms import FAMILY_OF, PATHS
from crossbranch.features.columns import COLUMNS
from crossbranch.features.templates import parse

PAPERS = {"gap": {"baseline", "extended", "spans"}, "swap": {"baseline", "extended", "separator"}}


@pytest.mark.parametrize("system", FAMILY_OF)
def test_all_sets_that_ship_can_be_compiled(system: str) -> None:
    names = feature_sets(system)
    assert PAPERS[FAMILY_OF[system]] <= set(names)
    for name in names:
        templates = load([name], system)
        assert templates.templates == templates.distinct  # no set says anything twice
        assert len(templates.atoms(templates.columns)) == len(templates.templates)
        templates.compile(templates.columns)


def test_users_files_are_named_by_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("# mine\n\ns0.word d0.suffix2  # a comment\n  b0.tag\n", encoding="utf-8")
    templates = load(["baseline", str(path)], "gap")
    assert len(templates.templates) == 42
    mine = templates.templates[-2]
    assert (str(mine), mine.source, mine.line) == ("s0.word d0.suffix2", str(path), 3)
    assert templates.columns == ("word", "tag", "suffix2")


def test_only_columns_that_are_used_are_asked_for() -> None:
    assert load(["baseline", "extended", "spans"], "gap").columns == ("word", "tag")
    assert load(["separator"], "swap").columns == ("word", "tag", "separator")
    assert "cluster6" in load(["clusters"], "gap").columns
    every = load(feature_sets("gap"), "gap").columns
    assert list(every) == sorted(every, key=COLUMNS.index)


def test_order_of_atoms_does_not_make_another_template(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("s0.word d0.tag\nd0.tag s0.word\ns0.word d0.word\n", encoding="utf-8")
    templates = load([str(path), str(path)], "gap")
    assert [str(template) for template in templates.distinct] == [
        *("s0.word d0.tag", "s0.word d0.word"),
    ]
    assert templates.atoms(("word", "tag")) == [
        [(1, 0, 1, 0), (0, 0, 1, 1)],
        [(1, 0, 1, 0), (0, 0, 1, 0)],
    ]


def test_columns_are_numbered_as_they_come(tmp_path: Path) -> None:
    templates = load(["separator"], "swap")
    with pytest.raises(UsageError, match="more columns: separator"):
        templates.atoms(("word", "tag"))
    atoms = parse("s0.suffix3 s0.tag", "swap")[0].atoms
    assert [atom.compile(("tag", "suffix3")) for atom in atoms] == [(0, 0, 1, 1), (0, 0, 1, 0)]


def test_errors_name_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("s0.word\n\ns0.word d0.wort\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.txt:3: found 'wort' in 'd0\.wort', expected one"):
        load([str(path)], "gap")
    with pytest.raises(InputError, match=r"mine\.txt:3"):
        load([str(path)], "cgap")


def test_an_atom_twice_in_a_template_is_a_slip() -> None:
    with pytest.raises(InputError, match=r"<input>:1: found 's0\.word' twice, expected different"):
        parse("s0.word d0.word s0.word", "gap")


def test_a_template_has_a_bounded_number_of_atoms() -> None:
    paths = [f"{one}.{two}" for one in PATHS["gap"] for two in PATHS["gap"]]
    atoms = [f"{item}.{path}.word" for item in ("s0", "d0") for path in paths]
    assert len(parse(" ".join(atoms[:16]), "gap")) == 1
    with pytest.raises(InputError, match="<input>:1: found 17 atoms, expected at most 16"):
        parse(" ".join(atoms[:17]), "gap")


def test_unknown_sets_are_told_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"cannot read basline: .*of gap are affixes, baseline"):
        load(["basline"], "gap")
    with pytest.raises(UsageError, match="unknown transition system 'arc-eager'"):
        load(["baseline"], "arc-eager")


def test_nothing_is_no_feature_set(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(UsageError, match="no template"):
        load([str(path)], "gap")
    with pytest.raises(UsageError, match="no template"):
        load([], "gap")


def test_files_that_are_not_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(b"s0.word \xff\n")
    with pytest.raises(InputError, match="0xff"):
        load([str(path)], "gap")
