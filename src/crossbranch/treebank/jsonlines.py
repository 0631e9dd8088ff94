"""JSON lines: one tree per line, with everything that a tree has.

    {"id": "1",
     "tokens": [{"form": "What", "tag": "WP"}, {"form": "should"}, {"form": "I"}, {"form": "do"}],
     "nodes": [{"label": "ROOT", "children": [5]}, {"label": "SBARQ", "children": [6, 7]},
               {"label": "VP", "children": [0, 3]}, {"label": "SQ", "children": [1, 2]}]}

`treebank/records.py` describes the fields. The first line may be a header, with the key "header".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

import msgspec

from crossbranch import _core, json_texts
from crossbranch.errors import InputError, TreeError
from crossbranch.escape import Memo
from crossbranch.tree import Node, Token, Tree
from crossbranch.treebank.format import ANY, Format, Holds
from crossbranch.treebank.header import Header, HeaderTable, HeaderValue
from crossbranch.treebank.records import TreeRecord, record_of, tree_of
from crossbranch.treebank.source import Source


class _ValueRecord(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    name: str
    description: str = ""
    number: str = ""
    flag: str = ""


class _HeaderRecord(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    comments: list[str] = []
    meta: list[tuple[str, str]] = []
    tables: list[tuple[str, list[_ValueRecord]]] = []


class _HeaderLine(msgspec.Struct, forbid_unknown_fields=True):
    header: _HeaderRecord


_LARGE = 1 << 20  # characters
_is_header = re.compile(r'\s*\{\s*"header"\s*:').match
_decode_tree = msgspec.json.Decoder(TreeRecord).decode
_decode_header = msgspec.json.Decoder(_HeaderLine).decode


def _quote(text: str) -> str:
    return json_texts.encode(text).decode("utf-8", "surrogatepass")


# Plain trees go through the core. What it refuses is read and written by the Python code below.
_same = Memo(str)  # one object for equal texts
_quoted = Memo(_quote)
_plain_reader = _core.TreeReader(Token, Node, _same, _same)
_plain_writer = _core.TreeWriter(Node, _quoted, _quoted)


class Json(Format):
    """Everything that a tree has, in a form that every programming language can read."""

    name: ClassVar[str] = "json"
    summary: ClassVar[str] = "JSON lines: one tree per line, nothing lost"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".json", ".ndjson")
    holds: ClassVar[Holds] = Holds(
        header=True, offsets=True, token_features=ANY, node_features=ANY, tree_features=ANY
    )
    unencodable: ClassVar[str] = "crossbranch.json"

    def looks_like(self, head: str) -> bool:
        """Every line is a JSON object."""
        return head.lstrip().startswith("{")

    def read(self, source: Source) -> Iterator[Tree]:
        """Yield the tree of each line."""
        for number, line in enumerate(source.lines(), 1):
            if not line.strip():
                continue
            sentence = ""
            try:
                source.check(number, number)
                if _is_header(line):
                    source.header = _header(_decode_header(line))
                    continue
                source.check_size(_least_size(line), line=number)
                tree = _read_plainly(line)
                if tree is None:
                    record = read_record(line)
                    sentence = record.id
                    size = len(record.tokens) + len(record.nodes)
                    source.check_size(size, line=number, sentence=sentence)
                    tree = tree_of(record)
                elif len(line) > source.limits.vertices:  # each takes some characters
                    source.check_size(len(tree.sentence) + len(tree.nodes), line=number)
            except (ValueError, TreeError, RecursionError) as error:
                found, expected = f"a bad record ({error})", "a tree in the JSON-lines format"
                source.report(source.error(found, expected, line=number, sentence=sentence))
            except InputError as error:
                source.report(error)
            else:
                yield tree

    def write_start(self, header: Header) -> str:
        """Return the line with the header, if there is one."""
        if not header:
            return ""
        tables = [(table.kind, [_ValueRecord(*v) for v in table.values]) for table in header.tables]
        record = _HeaderRecord(list(header.comments), list(header.meta), tables)
        return _text(_HeaderLine(record))

    def write_tree(self, tree: Tree, number: int) -> str:
        """Return the line of a tree."""
        return _write_plainly(tree) or write_carefully(tree)


def _read_plainly(line: str) -> Tree | None:
    plain = _plain_reader.json(line)
    if plain is None:
        return None
    sentence, root, id_, text, comments = plain
    return Tree(sentence, root, id=id_, comments=comments, text=text)


def _write_plainly(tree: Tree) -> str | None:
    if tree.secondary_edges or tree.features:
        return None
    plain = _plain_writer.json(tree.sentence, tree.root)
    if plain is None:
        return None
    start = f'"id":{_quote(tree.id)},' if tree.id else ""
    if tree.text:
        start = f'{start}"text":{_quote(tree.text)},'
    end = f',"comments":[{",".join(map(_quote, tree.comments))}]' if tree.comments else ""
    return f"{{{start}{plain}{end}}}\n"


def write_carefully(tree: Tree) -> str:
    """Return the line of any tree."""
    return _text(record_of(tree))


def _text(record: msgspec.Struct) -> str:
    """Return a line. Halves of surrogate pairs are kept; they are escaped in the file."""
    return json_texts.encode(record).decode("utf-8", "surrogatepass") + "\n"


def _least_size(line: str) -> int:
    """Return at most the number of tokens and nodes, to refuse very large lines early."""
    return line.count("{") // 3 if len(line) > _LARGE else 0  # features and edges have {, too


def read_record(line: str) -> TreeRecord:
    """Return the record of any line, or say what is wrong with it."""
    try:
        return _decode_tree(line)
    except msgspec.DecodeError:
        if "\\u" not in line:
            raise
        return json_texts.decode(line.encode("utf-8", "surrogatepass"), TreeRecord)


def _header(line: _HeaderLine) -> Header:
    record = line.header
    tables = (
        HeaderTable(
            kind, tuple(HeaderValue(v.name, v.description, v.number, v.flag) for v in values)
        )
        for kind, values in record.tables
    )
    return Header(tuple(record.comments), tuple(record.meta), tuple(tables))
