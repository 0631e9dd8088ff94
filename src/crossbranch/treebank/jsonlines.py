"""JSON lines: one tree a line, everything that a tree holds.

    {"id": "1",
     "tokens": [{"form": "What", "tag": "WP"}, {"form": "should"}, {"form": "I"}, {"form": "do"}],
     "nodes": [{"label": "ROOT", "children": [5]}, {"label": "SBARQ", "children": [6, 7]},
               {"label": "VP", "children": [0, 3]}, {"label": "SQ", "children": [1, 2]}]}

Children are vertices: tokens are 0 .. n-1, nodes n, n+1, ..., the root first and every node before
its children. Fields without a value are left out. A line with the key "header" may stand first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, ClassVar

import msgspec

from crossbranch import json_texts
from crossbranch.errors import InputError, TreeError
from crossbranch.tree import Features, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank.format import ANY, Format, Holds
from crossbranch.treebank.header import Header, Table, Value
from crossbranch.treebank.source import Source

_Features = dict[str, str | list[str]]
"""By name: a value, or several."""
_Offset = Annotated[int, msgspec.Meta(ge=0)]


class _TokenRecord(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    form: str
    tag: str = ""
    lemma: str = ""
    morphology: str = ""
    edge_label: str = ""
    features: _Features = {}
    start: _Offset | None = None
    end: _Offset | None = None


class _NodeRecord(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    label: str
    children: list[int] = []
    edge_label: str = ""
    head: int | None = None
    features: _Features = {}


class _EdgeRecord(msgspec.Struct, forbid_unknown_fields=True):
    label: str
    child: int
    parent: int


class _TreeRecord(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    id: str = ""
    text: str = ""
    tokens: list[_TokenRecord]
    nodes: list[_NodeRecord]
    secondary_edges: list[_EdgeRecord] = []
    comments: list[str] = []
    features: _Features = {}


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


_is_header = re.compile(r'\s*\{\s*"header"\s*:').match
_decode_tree = msgspec.json.Decoder(_TreeRecord).decode
_decode_header = msgspec.json.Decoder(_HeaderLine).decode


class Json(Format):
    """Everything, in a form that every language can read."""

    name: ClassVar[str] = "json"
    summary: ClassVar[str] = "JSON lines: one tree a line, nothing lost"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".json", ".ndjson")
    holds: ClassVar[Holds] = Holds(
        header=True, offsets=True, token_features=ANY, node_features=ANY, tree_features=ANY
    )
    unencodable: ClassVar[str] = "crossbranch.json"

    def looks_like(self, head: str) -> bool:
        """Every line is an object."""
        return head.lstrip().startswith("{")

    def read(self, source: Source) -> Iterator[Tree]:
        """Yield one tree a line."""
        for number, line in enumerate(source.lines(), 1):
            if not line.strip():
                continue
            sentence = ""
            try:
                source.check(number, number)
                if _is_header(line):
                    source.header = _header(_decode_header(line))
                    continue
                record = _read_record(line)
                sentence = record.id
                tree = _tree(record)
            except (ValueError, TreeError, RecursionError) as error:
                found, expected = f"a bad record ({error})", "a tree as documented for JSON lines"
                source.report(source.error(found, expected, line=number, sentence=sentence))
            except InputError as error:
                source.report(error)
            else:
                yield tree

    def write_start(self, header: Header) -> str:
        """Return the line of the header, if there is one."""
        if not header:
            return ""
        tables = [(table.kind, [_ValueRecord(*v) for v in table.values]) for table in header.tables]
        record = _HeaderRecord(list(header.comments), list(header.meta), tables)
        return _text(_HeaderLine(record))

    def write_tree(self, tree: Tree, number: int) -> str:
        """Return the line of a tree."""
        return _text(_record(tree))


def _text(record: msgspec.Struct) -> str:
    """Return a line; halves of surrogate pairs stay what they are, and the file escapes them."""
    return json_texts.encode(record).decode("utf-8", "surrogatepass") + "\n"


def _read_record(line: str) -> _TreeRecord:
    try:
        return _decode_tree(line)
    except msgspec.DecodeError:
        if "\\u" not in line:
            raise
        return json_texts.decode(line.encode("utf-8", "surrogatepass"), _TreeRecord)


def _record(tree: Tree) -> _TreeRecord:
    count = len(tree.sentence)
    vertices = {id(node): count + k for k, node in enumerate(tree.nodes)}
    nodes = [
        _NodeRecord(
            node.label,
            [child if isinstance(child, int) else vertices[id(child)] for child in node.children],
            node.edge_label,
            node.head,
            _by_name(node.features),
        )
        for node in tree.nodes
    ]
    tokens = [_TokenRecord(*token[:5], _by_name(token[5]), *token[6:]) for token in tree.sentence]
    edges = [_EdgeRecord(*edge) for edge in tree.secondary_edges]
    return _TreeRecord(
        id=tree.id,
        text=tree.text,
        tokens=tokens,
        nodes=nodes,
        secondary_edges=edges,
        comments=list(tree.comments),
        features=_by_name(tree.features),
    )


def _tree(record: _TreeRecord) -> Tree:
    sentence = [
        Token(
            t.form,
            t.tag,
            t.lemma,
            t.morphology,
            t.edge_label,
            _features(t.features),
            t.start,
            t.end,
        )
        for t in record.tokens
    ]
    nodes = _nodes(record.nodes, len(sentence))
    tree = Tree(
        sentence,
        nodes[0],
        id=record.id,
        comments=record.comments,
        features=_features(record.features),
        text=record.text,
    )
    if not record.secondary_edges:
        return tree
    return tree.replace(secondary_edges=_edges(record.secondary_edges, tree, nodes))


def _nodes(records: list[_NodeRecord], count: int) -> list[Node]:
    """Build the nodes above so many tokens; all but the first are below another one."""
    nodes: list[Node] = [Node("")] * len(records)
    below: set[int] = set()
    for index in range(len(records) - 1, -1, -1):  # children stand behind their parents
        record = records[index]
        children: list[Node | int] = []
        for child in record.children:
            if 0 <= child < count:
                children.append(child)
            elif count + index < child < count + len(records):
                children.append(nodes[child - count])
                below.add(child)
            else:
                found = f"node {count + index} has child {child}"
                raise TreeError(f"{found}, which is not behind it")
        nodes[index] = Node(
            record.label,
            children,
            edge_label=record.edge_label,
            head=record.head,
            features=_features(record.features),
        )
    if len(below) != len(records) - 1:
        raise TreeError("the nodes are not all below the first one")
    return nodes


def _edges(records: list[_EdgeRecord], tree: Tree, nodes: list[Node]) -> list[SecondaryEdge]:
    """Number the ends as the tree does; the record may have its nodes in another order."""
    numbers = {id(node): vertex for vertex, node in enumerate(tree.nodes, len(tree.sentence))}
    vertices = [*range(len(tree.sentence)), *(numbers[id(node)] for node in nodes)]
    for record in records:
        if not (0 <= record.child < len(vertices) and 0 <= record.parent < len(vertices)):
            raise TreeError(f"a secondary edge from {record.child} to {record.parent}")
    return [SecondaryEdge(r.label, vertices[r.child], vertices[r.parent]) for r in records]


def _by_name(features: Features) -> _Features:
    found: _Features = dict(features) if features else {}
    if len(found) < len(features):  # some names have several values
        return {name: [value for key, value in features if key == name] for name in found}
    return found


def _features(record: _Features) -> Features:
    if not record:
        return ()
    return tuple(
        (name, value)
        for name, values in sorted(record.items())
        for value in ([values] if isinstance(values, str) else values)
    )


def _header(line: _HeaderLine) -> Header:
    record = line.header
    tables = (
        Table(kind, tuple(Value(v.name, v.description, v.number, v.flag) for v in values))
        for kind, values in record.tables
    )
    return Header(tuple(record.comments), tuple(record.meta), tuple(tables))
