"""Brown clusters: tables in text and JSON, what a model keeps of them, what is wrong with them."""

from __future__ import annotations

import bz2
import gzip
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.features import Clusters
from crossbranch.features.clusters import first_bits

LINES = "0010\thond\t12\n0011\tkat\t30\n1\tde\t900\n"


def test_lines_with_counts_come_most_frequent_first(tmp_path: Path) -> None:
    path = tmp_path / "paths"
    path.write_text(LINES, encoding="utf-8")
    table = Clusters.read(str(path))
    assert list(table.paths.items()) == [("de", "1"), ("kat", "0011"), ("hond", "0010")]
    assert table.name == str(path)
    assert len(table) == 3


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress])
def test_tables_may_be_compressed(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "paths.any"
    path.write_bytes(compress(LINES.encode()))
    assert Clusters.read(str(path)).find("kat") == "0011"


def test_lines_without_counts_keep_their_order(tmp_path: Path) -> None:
    path = tmp_path / "paths"
    path.write_bytes("01\tz\r\n\n00\ta\n11\tz\n10\tänderung".encode())
    assert list(Clusters.read(str(path)).paths.items()) == [
        *[("z", "01"), ("a", "00"), ("änderung", "10")],
    ]


def test_numbers_are_paths_with_the_lowest_bit_first(tmp_path: Path) -> None:
    path = tmp_path / "de_lexeme_cluster.json.gz"
    path.write_bytes(gzip.compress(json.dumps({"und": 26, "die": 31, "?!": 0}).encode()))
    table = Clusters.read(str(path))
    assert table.paths == {"und": "01011", "die": "11111"}  # 0 is no cluster
    assert table.find("?!") == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("01\ta\n01 b\n", r"paths:2: found '01 b', expected bits, a word and optionally a count"),
        ("01\t\n", "expected bits, a word"),
        ("01\ta\t1\t2\n", "expected bits, a word"),
        ("012\ta\n", "paths:1: found the path '012', expected a path of 0 and 1"),
        ("\ta\n", "found the path ''"),
        ("01\ta\tmany\n", "found the count 'many', expected a whole number"),
        ("01\ta\t²\n", "found the count"),
        ("{", "expected JSON with a number for each word"),
        ('{"a": "b"}', "expected JSON with a number for each word"),
        ('{"a": -1}', "found the number -1"),
    ],
)
def test_bad_tables_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "paths"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        Clusters.read(str(path))


def test_badly_encoded_and_damaged_tables_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "paths"
    path.write_bytes("01\tä\n01\tö\n".encode() + b"01\t\xff\n")
    with pytest.raises(InputError, match="paths:3: found the byte 0xff"):
        Clusters.read(str(path))
    path.write_bytes(gzip.compress(LINES.encode() * 99)[:-12])
    with pytest.raises(InputError, match="unreadable data"):
        Clusters.read(str(path))


def test_a_missing_table_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read .*nowhere"):
        Clusters.read(str(tmp_path / "nowhere"))


def test_small_letters_help_where_the_word_is_not_there() -> None:
    table = Clusters({"der": "1", "Der": "0", "hund": "01"})
    assert [table.find(form) for form in ("Der", "DER", "HUND", "Katze")] == ["0", "1", "01", ""]


def test_a_model_keeps_frequent_words_and_those_of_its_data() -> None:
    table = Clusters({"a": "0", "b": "10", "c": "110", "d": "111"}, name="t")
    assert list(table.keep(["D", "e"], limit=2).paths) == ["a", "b", "d"]
    assert table.keep(limit=0).paths == {}
    assert table.keep() == table
    assert table.keep(limit=1).name == "t"


def test_tables_survive_saving() -> None:
    table = Clusters({"a\nb": "0", "😀": "10", "": "10", '"': "0110"}, name="spacy:xx")
    assert Clusters.from_json(table.to_json()) == table
    assert Clusters.from_json(Clusters({}).to_json()) == Clusters({})


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"name":"","paths":["0"],"words":["a"],"places":[1]}',
        b'{"name":"","paths":["0"],"words":["a"],"places":[-1]}',
        b'{"name":"","paths":["0"],"words":["a","b"],"places":[0]}',
        b'{"name":"","paths":["0"],"words":["a","a"],"places":[0,0]}',
        b'{"name":"","paths":["2"],"words":["a"],"places":[0]}',
        b'{"name":"","paths":[""],"words":["a"],"places":[0]}',
        b'{"name":"","paths":["0"],"words":["a"],"places":[0],"more":1}',
    ],
)
def test_damaged_files_are_named(damage: bytes) -> None:
    with pytest.raises(InputError, match=r"^model/clusters\.json: found .*a table of clusters"):
        Clusters.from_json(damage, path="model/clusters.json")


@pytest.mark.parametrize(
    ("path", "size", "expected"),
    [("0110", 2, "01"), ("01", 4, "0100"), ("01", None, "01"), ("011011", 6, "011011")],
)
def test_first_bits(path: str, size: int | None, expected: str) -> None:
    assert first_bits(path, size) == expected


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of the optional package's name and form."""
    folder = tmp_path / "spacy_lookups_data" / "data"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    (folder / "xx_lemma_lookup.json.gz").write_bytes(gzip.compress(b"{}"))
    (folder / "xx_lexeme_cluster.json.gz").write_bytes(gzip.compress(b'{"la": 6}'))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "spacy_lookups_data", raising=False)
    yield folder
    sys.modules.pop("spacy_lookups_data", None)


@pytest.mark.usefixtures("package")
def test_the_tables_of_the_optional_package_have_short_names() -> None:
    table = Clusters.read("spacy:xx")
    assert (table.name, table.paths) == ("spacy:xx", {"la": "011"})
    with pytest.raises(UsageError, match="unknown clusters 'spacy:nl'; expected one of spacy:xx"):
        Clusters.read("spacy:nl")


def test_the_optional_package_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy_lookups_data", None)
    with pytest.raises(UsageError, match="pip install spacy-lookups-data"):
        Clusters.read("spacy:de")
