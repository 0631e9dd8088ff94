"""Indexes in the cache folder: made once, never stale, rebuilt if they are damaged."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from crossbranch import sample, write
from crossbranch.query import cache, index
from crossbranch.query.index import Index, IndexDamageError
from crossbranch.query.matching import Query
from crossbranch.query.searching import (
    Numbers,
    open_index,
    search_index,
    search_indexed,
    search_trees,
)
from crossbranch.tree import Tree
from crossbranch.treebank import read

QUERY = "VP[discontinuous] > NP"


@pytest.fixture
def treebank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "german.export"
    write(sample(60, grammar="german", seed=3), path)
    return path


class Counting:
    """Reads a treebank, and counts how often."""

    def __init__(self, path: Path) -> None:
        self.path, self.count = path, 0

    def __call__(self) -> Iterator[Tree]:
        self.count += 1
        return read(self.path)


def found(some: Index, query: str = QUERY) -> list[object]:
    return [(one.number, one.assignments, one.tree) for one in search_index(some, query)]


def direct(path: Path, query: str = QUERY) -> list[object]:
    searched = search_trees(read(path), Query(query))
    return [(one.number, one.assignments, one.tree) for one in searched]


def test_an_index_is_made_once_and_finds_the_same(treebank: Path) -> None:
    source = Counting(treebank)
    for _ in range(2):
        opened = open_index(treebank, "", source)
        assert opened is not None
        assert found(opened) == direct(treebank) != []
        opened.close()
    assert source.count == 1
    assert [path.suffix for path in cache.cache_folder().iterdir()] == [".sqlite"]


@pytest.mark.parametrize("query", ["[word=/D.*/]", '"die"i', "[]", "not NE", "NP >{AG} []"])
def test_queries_with_and_without_an_index(treebank: Path, query: str) -> None:
    opened = open_index(treebank, "", lambda: read(treebank))
    assert opened is not None
    assert found(opened, query) == direct(treebank, query)


def test_rare_values_are_looked_up(treebank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "_AT_ONCE", 2)
    monkeypatch.setattr(index, "_MANY", 1)
    opened = open_index(treebank, "", lambda: read(treebank))
    assert opened is not None
    assert found(opened) == direct(treebank)


def test_memory_has_limits(treebank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "_MOST_WAITING", 50)
    monkeypatch.setattr(index, "_MOST_TEXTS", 20)
    opened = open_index(treebank, "", lambda: read(treebank))
    assert opened is not None
    assert found(opened) == direct(treebank)
    assert found(opened, "[lemma=/.*e/] < NP") == direct(treebank, "[lemma=/.*e/] < NP")


def test_a_changed_treebank_gets_a_new_index(treebank: Path) -> None:
    source = Counting(treebank)
    open_index(treebank, "", source)
    times = treebank.stat()
    text = treebank.read_text(encoding="utf-8")
    treebank.write_text(text.replace("\tVP\t", "\tXP\t"), encoding="utf-8")
    os.utime(treebank, ns=(times.st_atime_ns, times.st_mtime_ns))  # same size, same time
    opened = open_index(treebank, "", source)
    assert opened is not None
    assert (source.count, found(opened)) == (2, [])
    assert len(list(cache.cache_folder().iterdir())) == 1


def test_other_ways_of_reading_have_their_own_index(treebank: Path) -> None:
    source = Counting(treebank)
    open_index(treebank, "export utf-8", source)
    open_index(treebank, "export latin-1", source)
    assert source.count == 2


def test_parts_of_large_files_are_compared(treebank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_WHOLE", 10)
    monkeypatch.setattr(cache, "_CHUNK", 100)
    before = cache.fingerprint_of(treebank)
    assert cache.fingerprint_of(treebank) == before
    os.utime(treebank, ns=(1, 1))
    assert cache.fingerprint_of(treebank) != before


def test_a_folder_has_an_index(treebank: Path) -> None:
    folder = treebank.parent / "parts"
    folder.mkdir()
    write(sample(10, seed=1), folder / "1.export")
    source = Counting(folder)
    assert open_index(folder, "", source) is not None
    write(sample(10, seed=2), folder / "2.export")
    opened = open_index(folder, "", source)
    assert opened is not None
    assert (source.count, opened.count) == (2, 20)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def overwrite(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def replace(path: Path) -> None:
    path.write_text("no database")


@pytest.mark.parametrize("damage", [cut, overwrite, replace])
def test_a_damaged_index_is_made_again(treebank: Path, damage: Callable[[Path], None]) -> None:
    source = Counting(treebank)
    first = open_index(treebank, "", source)
    assert first is not None
    first.close()
    damage(first.path)
    again = open_index(treebank, "", source)
    assert again is not None
    assert (source.count, found(again)) == (2, direct(treebank))


def test_damage_during_a_search(treebank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search goes on with the treebank, and nothing is found twice."""
    opened = open_index(treebank, "", lambda: read(treebank))
    assert opened is not None
    rows = opened._rows

    def break_off(numbers: set[int] | None) -> Iterator[tuple[int, bytes, bytes]]:
        for turn, row in enumerate(rows(numbers)):
            if turn == 4:
                yield row[0], b"123", b""
            yield row

    monkeypatch.setattr(opened, "_rows", break_off)
    some = list(search_indexed(opened, QUERY, lambda: read(treebank)))
    assert [(one.number, one.assignments, one.tree) for one in some] == direct(treebank)
    assert not opened.path.exists()


def test_an_incomplete_index_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "empty.sqlite").touch()
    with pytest.raises(IndexDamageError):
        Index(tmp_path / "empty.sqlite")


def test_there_is_no_index_of_what_has_errors(treebank: Path) -> None:
    with treebank.open("a", encoding="utf-8") as file:
        file.write("#BOS 99\nword\n#EOS 99\n")
    assert open_index(treebank, "", lambda: read(treebank)) is None
    assert list(cache.cache_folder().iterdir()) == []


def test_there_is_no_index_without_a_place_for_it(
    treebank: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(treebank))  # a file, not a folder
    assert open_index(treebank, "", lambda: read(treebank)) is None


def test_a_missing_treebank_has_no_index(tmp_path: Path) -> None:
    assert open_index(tmp_path / "missing.export", "", lambda: read("missing")) is None


def test_a_treebank_that_changes_while_it_is_read(treebank: Path) -> None:
    def change() -> Iterator[Tree]:
        yield from read(treebank)
        with treebank.open("a", encoding="utf-8") as file:
            file.write("%% more\n")

    assert open_index(treebank, "", change) is None


def test_old_indexes_are_thrown_away(treebank: Path) -> None:
    folder = cache.cache_folder()
    folder.mkdir(parents=True)
    for name in ("old.sqlite", "old.tmp", "new.sqlite"):
        (folder / name).touch()
        if name.startswith("old"):
            os.utime(folder / name, (1, 1))
    assert open_index(treebank, "", lambda: read(treebank)) is not None
    assert {path.name for path in folder.iterdir()} >= {"new.sqlite"}
    assert not (folder / "old.sqlite").exists()
    assert not (folder / "old.tmp").exists()


def test_numbers_of_sentences(treebank: Path) -> None:
    opened = open_index(treebank, "", lambda: read(treebank))
    assert opened is not None
    ranges = (range(5, 30), range(50, 99999))
    one, other = Numbers(ranges), Numbers(ranges)
    with_index = [found.number for found in search_index(opened, "NP", one)]
    without = [found.number for found in search_trees(read(treebank), Query("NP"), other)]
    assert with_index == without
    assert all(5 <= number < 30 or 50 <= number <= 60 for number in without)
    assert one.count == other.count == 36


def test_the_default_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache.cache_folder() == Path.home() / ".cache" / "crossbranch" / "find"
