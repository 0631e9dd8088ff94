"""Sentences in columns: tab-separated files, CoNLL-U, CoNLL-2000 and files of supertags.

Each reader yields a `Rows` for each sentence. It reports a bad sentence to its source, and
continues with the next one. `to_tsv` writes sentences in columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError
from crossbranch.escape import escaper
from crossbranch.tasks.inventory import Labelled
from crossbranch.treebank.source import Source

CONLLU_COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
_GLOBAL = re.compile(r"#\s*global\.columns\s*=(.*)")
_NOT_A_WORD = re.compile(r"[0-9]+[-.][0-9]+")
_WORD_COLUMNS = ("form", "word")
_UNSAFE = r"[\x00-\x1f\x7f\x85]|\A\s|\s\Z"
_escape_word, _escape_label = escaper(_UNSAFE), escaper(_UNSAFE, absent="_")
_LEAF = re.compile(r"\(<L (.*?)>\)")


class Rows(NamedTuple):
    """The cells of a sentence: a row for each token."""

    cells: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    """The line of each token in the file."""

    names: tuple[str, ...] = ()
    """The names of the columns, if they are known."""

    id: str = ""

    def column(self, column: str, source: Source) -> list[str]:
        """Return the cells of a column.

        Args:
            column: A number from 1, or from -1 backwards; or a name. A name with a period, such as
                feats.Case, is one of the pairs in a cell; a token without it has an empty text.
            source: Where the rows are from, for messages.

        Raises:
            UsageError: There is no such column.
        """
        place, key = self._find(column, source)
        count = len(self.cells[0])
        if not -count <= place < count:
            raise UsageError(f"{source.path} has no column {column}: it has {_counted(count)}")
        return [_value(cells[place], key) if key else cells[place] for cells in self.cells]

    def words(self, column: str, source: Source) -> list[str]:
        """Return the words: the cells of a column, or of the usual one if its name is empty."""
        usual = next((name for name in _WORD_COLUMNS if name in self.names), "1")
        words = self.column(column or usual, source)
        for word, line in zip(words, self.lines, strict=True):
            if not word:
                raise source.error("an empty word", "a word", line=line, sentence=self.id)
        return words

    def _find(self, column: str, source: Source) -> tuple[int, str]:
        if re.fullmatch("-?[0-9]+", column) and int(column):
            return int(column) - (int(column) > 0), ""
        name, _, key = column.partition(".")
        if name.lower() in self.names:
            return self.names.index(name.lower()), key
        names = f", or one of {', '.join(self.names)}" if self.names else ": they have no names"
        raise UsageError(
            f"{source.path} has no column {column!r}; expected the number of a column{names}"
        )


def _value(cell: str, key: str) -> str:
    """Return the value of one of the pairs in a cell such as Case=Nom|Number=Sing."""
    for pair in cell.split("|"):
        name, _, value = pair.partition("=")
        if name.lower() == key.lower():
            return value
    return ""


def _counted(number: int) -> str:
    return "1 column" if number == 1 else f"{number} columns"


def read_columns(source: Source, *, header: bool = False) -> Iterator[Rows]:
    """Read a token on each line, and an empty line after each sentence.

    Columns are separated by tabs if the first line has one, and by blanks otherwise. All lines must
    have as many columns as the first. In files with tabs, a line that begins with # and has no tab
    is a comment. `# global.columns = FORM TAG` gives names to the columns, and so does the first
    line if there is a `header`.
    """
    names: tuple[str, ...] = ()
    separator, count = "", 0
    for block in _blocks(source):
        lines: list[tuple[int, str]] = []
        for number, line in block:
            if match := _GLOBAL.fullmatch(line):
                names = tuple(match[1].lower().split())
            elif line.startswith("#") and "\t" not in line and (names or separator != " "):
                continue
            else:
                separator = separator or ("\t" if "\t" in line or names else " ")
                if header and not names:
                    names = tuple(name.strip().lower() for name in _cells(line, separator))
                else:
                    lines.append((number, line))
        if lines:
            count = count or len(names) or len(_cells(lines[0][1], separator))
            yield from _checked(source, lines, separator, count, names, "")


def read_conllu(source: Source) -> Iterator[Rows]:
    """Read CoNLL-U. Contractions and empty nodes are left out."""
    for block in _blocks(source):
        lines: list[tuple[int, str]] = []
        name = ""
        for number, line in block:
            if line.startswith("#"):
                key, _, value = line[1:].partition("=")
                name = value.strip() if key.strip() == "sent_id" else name
            elif not _NOT_A_WORD.fullmatch(line.partition("\t")[0]):
                lines.append((number, line))
        if lines:
            yield from _checked(source, lines, "\t", 10, CONLLU_COLUMNS, name)


def read_supertags(source: Source) -> Iterator[Rows]:
    """Read `word|tag|category` items: a line for each sentence, blanks between the items."""
    names = ("word", "tag", "category")
    for number, line in enumerate(source.lines(), 1):
        if not line.strip() or line.startswith("# "):
            continue
        try:
            source.check(number, number)
            cells = [tuple(item.rsplit("|", 2)) for item in line.split()]
            for item in cells:
                if len(item) != 3 or not all(item):
                    raise source.error(repr("|".join(item)), "word|tag|category", line=number)
        except InputError as error:
            source.report(error)
            continue
        yield Rows(tuple(cells), (number,) * len(cells), names)


def read_ccgbank(source: Source) -> Iterator[Rows]:
    """Read derivations of CCGbank (.auto): a line with the id, and one with the derivation."""
    names = ("category", "modified_tag", "tag", "word", "predicate")
    name = ""
    for number, line in enumerate(source.lines(), 1):
        text = line.strip()
        if text.startswith("ID="):
            name = text[3:].split()[0] if text[3:].split() else ""
            continue
        if not text:
            continue
        try:
            source.check(number, number, name)
            rows = _leaves(source, text, number, name)
        except InputError as error:
            source.report(error)
        else:
            yield Rows(rows, (number,) * len(rows), names, name)
        name = ""


def _leaves(source: Source, text: str, line: int, name: str) -> tuple[tuple[str, ...], ...]:
    cells = tuple(tuple(leaf.split(" ")) for leaf in _LEAF.findall(text))
    rest = _LEAF.sub("", text)
    if not text.startswith("(<") or not cells or rest.count("(") != rest.count(")"):
        expected = "a whole derivation, such as (<T NP 0 1> (<L N NN NN word N>) )"
        raise source.error(repr(text[:60]), expected, line=line, sentence=name)
    for cell in cells:
        if len(cell) != 5 or not all(cell):
            expected = "category, two tags, word and category with indices"
            raise source.error(f"the leaf {' '.join(cell)!r}", expected, line=line, sentence=name)
    return cells


def read_spinal(source: Source) -> Iterator[Rows]:
    """Read the LTAG-spinal treebank: `#3 failed` and `spine: a_( S ( VP VBD^ ) )` for each word.

    A sentence begins with a line such as `root 3`. All other lines are left out.
    """
    block: list[tuple[int, str]] = []
    for number, line in enumerate(source.lines(), 1):
        if line.startswith("root "):
            yield from _spines(source, block)
            block = []
        block.append((number, line.strip()))
    yield from _spines(source, block)


def _spines(source: Source, block: Sequence[tuple[int, str]]) -> Iterator[Rows]:
    words = [place for place, (_, line) in enumerate(block) if line.startswith("#")]
    rows = []
    try:
        for place in words:
            number, line = block[place]
            source.check(number, number + 1)
            _, _, word = line.partition(" ")
            key, _, spine = (*block, (0, ""))[place + 1][1].partition(" ")
            if not word or key != "spine:" or not spine:
                expected = "a word, and its spine on the next line"
                raise source.error(repr(line), expected, line=number)
            rows.append((word, spine.strip()))
    except InputError as error:
        source.report(error)
        return
    if rows:
        lines = tuple(block[place][0] for place in words)
        yield Rows(tuple(rows), lines, ("word", "spine"))


def _blocks(source: Source) -> Iterator[list[tuple[int, str]]]:
    """Yield the lines between empty lines, each with its number."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate(source.lines(), 1):
        if line.strip():
            block.append((number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _cells(line: str, separator: str) -> tuple[str, ...]:
    return tuple(line.split(None if separator == " " else separator))


def _checked(
    source: Source,
    lines: Sequence[tuple[int, str]],
    separator: str,
    count: int,
    names: tuple[str, ...],
    name: str,
) -> Iterator[Rows]:
    """Yield the rows of a sentence, or report it if a line has a wrong number of columns."""
    rows = [_cells(line, separator) for _, line in lines]
    numbers = tuple(number for number, _ in lines)
    try:
        source.check(numbers[0], numbers[-1], name)
        for row, number in zip(rows, numbers, strict=True):
            if len(row) != count:
                raise source.error(_counted(len(row)), _counted(count), line=number, sentence=name)
    except InputError as error:
        source.report(error)
        return
    yield Rows(tuple(rows), numbers, names, name)


@door
def to_tsv(sentence: Labelled) -> str:
    """Return a sentence in two columns, word and label, and the empty line after it.

    A token without a label has `_`. What would be misread, such as a tab in a word, is escaped;
    `read_files` reads it back.
    """
    lines = [
        f"{_escape_word(word)}\t{_escape_label(label or '')}\n"
        for word, label in zip(sentence.forms, sentence.labels, strict=True)
    ]
    return "".join([*lines, "\n"])
