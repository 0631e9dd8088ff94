"""An index of a treebank: an SQLite file with all trees, and in which trees each value occurs.

A search reads the trees in which everything that the query needs occurs, and searches only these.
So it finds the same with and without an index.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from crossbranch.errors import CrossbranchError
from crossbranch.query.packing import LAYOUT, PackedView, pack
from crossbranch.query.syntax import Values
from crossbranch.query.values import Memo, Vocabulary, fits_any
from crossbranch.tree import Tree

KINDS = ("word", "tag", "lemma", "morphology", "function", "label", "discontinuous")
"""What the index knows about the trees: which have this value of an attribute, or a gap."""

_SCHEMA = """
create table facts (name text primary key, value text);
create table texts (number integer primary key, text blob unique);
create table trees (number integer primary key, columns blob, rest blob);
create table places (kind integer, value integer, part integer, numbers blob,
                     primary key (kind, value, part)) without rowid;
"""
_MOST_WAITING = 400_000  # places that are kept in memory while an index is made
_MOST_TEXTS = 300_000
_AT_ONCE = 500
_MANY = 4  # if more than one tree in four is wanted, it is quicker to read all


class IndexDamageError(CrossbranchError):
    """An index that cannot be read."""


class TextNumbers(dict[str, int]):
    """Numbers of texts, kept in the index; the most recent ones are also in memory."""

    def __init__(self, database: sqlite3.Connection) -> None:
        super().__init__()
        self._database, self._count = database, 0

    def __missing__(self, text: str) -> int:
        data = text.encode("utf-8", "surrogatepass")
        number = None
        if len(self) < self._count:  # it may have been forgotten
            row = self._database.execute("select number from texts where text = ?", (data,))
            number = next((one for (one,) in row), None)
        if number is None:
            number = self._count
            self._database.execute("insert into texts values (?, ?)", (number, data))
            self._count += 1
        if len(self) >= _MOST_TEXTS:
            self.clear()
        self[text] = number
        return number


def write_index(path: Path, trees: Iterable[Tree], facts: dict[str, str]) -> None:
    """Write an index of these trees. The memory that it needs does not grow with their number."""
    database = sqlite3.connect(path, isolation_level=None)
    try:
        database.execute("pragma journal_mode = off")
        database.execute("pragma synchronous = off")
        database.executescript(_SCHEMA)
        database.execute("begin")
        _Writer(database).write(trees, facts)
        database.execute("commit")
    finally:
        database.close()


class _Writer:
    def __init__(self, database: sqlite3.Connection) -> None:
        self.database, self.numbers = database, TextNumbers(database)
        self.waiting: dict[tuple[int, int], array[int]] = {}
        self.waiting_count = self.part = 0

    def write(self, trees: Iterable[Tree], facts: dict[str, str]) -> None:
        insert = self.database.execute
        number = 0
        for number, tree in enumerate(trees, 1):
            columns, rest = pack(tree, self.numbers)
            insert("insert into trees values (?, ?, ?)", (number, columns, rest))
            self.add_places(number, tree, columns)
            if self.waiting_count > _MOST_WAITING:
                self.flush()
        self.flush()
        everything = facts | {"layout": LAYOUT, "trees": str(number), "complete": "yes"}
        self.database.executemany("insert into facts values (?, ?)", everything.items())

    def add_places(self, number: int, tree: Tree, columns: bytes) -> None:
        view = PackedView(columns, b"", str)
        waiting = self.waiting
        for kind, name in enumerate(KINDS):
            if name == "discontinuous":
                values = {0} if tree.is_discontinuous else set()
            else:
                values = set(view.column(name))
            for value in values:
                places = waiting.get((kind, value))
                if places is None:
                    places = waiting[kind, value] = array("I")
                places.append(number)
            self.waiting_count += len(values)

    def flush(self) -> None:
        rows = ((*key, self.part, places.tobytes()) for key, places in sorted(self.waiting.items()))
        self.database.executemany("insert into places values (?, ?, ?, ?)", rows)
        self.waiting.clear()
        self.part += 1
        self.waiting_count = 0


class PackedTree(NamedTuple):
    """A tree of an index and its number."""

    number: int
    view: PackedView


class Index(Vocabulary):
    """An index that is read."""

    def __init__(self, path: Path) -> None:
        """Open an index.

        Raises:
            IndexDamageError: The file is not a complete index.
        """
        self.path = path
        with _damage(path):
            place = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
            self._database = sqlite3.connect(place, uri=True)
            self.facts: dict[str, str] = dict(
                self._database.execute("select name, value from facts")
            )
            if self.facts.get("layout") != LAYOUT or self.facts.get("complete") != "yes":
                raise ValueError("an incomplete index, or an old one")
            self.count = int(self.facts["trees"])
        self._texts: dict[int, str] = {}

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def text_of(self, number: int) -> str:
        """Return the text with a number."""
        text = self._texts.get(number)
        if text is None:
            if len(self._texts) >= _MOST_TEXTS:
                self._texts.clear()
            with _damage(self.path):
                rows = self._database.execute("select text from texts where number = ?", (number,))
                text = self._texts[number] = _decoded(next(rows)[0])
        return text

    def memo(self, values: Values) -> Memo:
        """Return whether the text with a number fits."""
        accepted = fits_any(values)
        if any(value.is_regex or value.ignores_case for value in values):
            return Memo(lambda number: accepted(self.text_of(number)))
        numbers = {self._number_of(value.text) for value in values}
        return Memo(numbers.__contains__)

    def _number_of(self, text: str) -> int:
        data = text.encode("utf-8", "surrogatepass")
        with _damage(self.path):
            row = self._database.execute("select number from texts where text = ?", (data,))
            return next((int(number) for (number,) in row), -1)

    def trees_with(self, kind: str, values: Values) -> set[int]:
        """Return the numbers of the trees that have such a value."""
        accepted = fits_any(values)
        wanted: Iterable[int]
        with _damage(self.path):
            if any(value.is_regex or value.ignores_case for value in values):
                rows = self._database.execute(
                    "select distinct value, text from places join texts on value = number"
                    " where kind = ?",
                    (KINDS.index(kind),),
                )
                wanted = [n for n, text in rows if accepted(_decoded(text))]
            else:
                wanted = {self._number_of(value.text) for value in values}
            found: set[int] = set()
            for value in wanted:
                found |= self._places(kind, value)
            return found

    def discontinuous_trees(self) -> set[int]:
        """Return the numbers of the trees with a gap."""
        with _damage(self.path):
            return self._places("discontinuous", 0)

    def _places(self, kind: str, value: int) -> set[int]:
        numbers = array("I")
        query = "select numbers from places where kind = ? and value = ?"
        for (data,) in self._database.execute(query, (KINDS.index(kind), value)):
            numbers.frombytes(data)
        return set(numbers)

    def read(self, numbers: set[int] | None = None) -> Iterator[PackedTree]:
        """Yield trees in order: all, or those with these numbers.

        Raises:
            IndexDamageError: A tree cannot be read.
        """
        with _damage(self.path):
            for number, columns, rest in self._rows(numbers):
                yield PackedTree(number, PackedView(columns, rest, self.text_of))

    def _rows(self, numbers: set[int] | None) -> Iterator[tuple[int, bytes, bytes]]:
        select = "select number, columns, rest from trees"
        if numbers is None or len(numbers) * _MANY > self.count:
            for row in self._database.execute(f"{select} order by number"):
                if numbers is None or row[0] in numbers:
                    yield row
            return
        wanted = sorted(numbers)
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            yield from self._database.execute(
                f"{select} where number in ({marks}) order by number", some
            )


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "surrogatepass")


@contextmanager
def _damage(path: Path) -> Iterator[None]:
    """Report what SQLite and wrong bytes raise as damage."""
    try:
        yield
    except (sqlite3.Error, ValueError, TypeError, StopIteration) as error:
        raise IndexDamageError(f"{path}: {error}") from error
