"""JSON lines: one tree a line, everything that a tree holds.

    {"id": "1",
     "tokens": [{"form": "What", "tag": "WP"}, {"form": "should"}, {"form": "I"}, {"form": "do"}],
     "nodes": [{"label": "ROOT", "children": [5]}, {"label": "SBARQ", "children": [6, 7]},
               {"label": "VP", "children": [0, 3]}, {"label": "SQ", "children": [1, 2]}]}

Children are vertices: tokens are 0 .. n-1, nodes n, n+1, ... in preorder, the root first. Fields without a value are left
out. A line with the key "header" instead may stand first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec

from crossbranch.errors import InputError, TreeError
from crossbranch.tree import Features, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank.format import ANY, Format, Holds
from crossbranch.treebank.header import Header, Table, Value
from crossbranch.treebank.source import Source


class _TokenRecord(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    form: str
    tag: str = ""
    lemma: str = ""
    morphology: str = ""
    edge_label: str = ""
    features: dict[str, str] = {}


class _NodeRecord(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    label: str
    children: list[int] = []
    edge_label: str = ""
    head: int | None = None
    features: dict[str, str] = {}


class _EdgeRecord(msgspec.Struct, forbid_unknown_fields=True):
    label: str
    child: int
    parent: int


class _TreeRecord(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    tokens: list[_TokenRecord]
    nodes: list[_NodeRecord]
    id: str = ""
    secondary_edges: list[_EdgeRecord] = []
    comments: list[str] = []
    features: dict[str, str] = {}


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


_decode_tree = msgspec.json.Decoder(_TreeRecord).decode
_decode_header = msgspec.json.Decoder(_HeaderLine).decode
_encode = msgspec.json.Encoder().encode


class Json(Format):
    """Everything, in a form that every language can read."""

    name: ClassVar[str] = "json"
    summary: ClassVar[str] = "JSON lines: one tree a line, nothing lost"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".json", ".ndjson")
    holds: ClassVar[Holds] = Holds(
        header=True, token_features=ANY, node_features=ANY, tree_features=ANY
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
            try:
                source.check(number, number)
                if line.startswith('{"header"'):
                    source.header = _header(_decode_header(line))
                    continue
                tree = _tree(_decode_tree(line))
            except (msgspec.MsgspecError, TreeError, RecursionError) as error:
                found = f"a bad record ({error})"
                source.report(source.error(found, "a tree as documented for JSON lines", line=number))
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
        return _encode(_HeaderLine(record)).decode() + "\n"

    def write_tree(self, tree: Tree, number: int) -> str:
        """Return the line of a tree."""
        return _encode(_record(tree)).decode() + "\n"


def _record(tree: Tree) -> _TreeRecord:
    count = len(tree.sentence)
    vertices = {id(node): count + k for k, node in enumerate(tree.nodes)}
    nodes = [
        _NodeRecord(
            node.label,
            [child if isinstance(child, int) else vertices[id(child)] for child in node.children],
            node.edge_label,
            node.head,
            dict(node.features),
        )
        for node in tree.nodes
    ]
    tokens = [_TokenRecord(*token[:5], dict(token.features)) for token in tree.sentence]
    edges = [_EdgeRecord(*edge) for edge in tree.secondary_edges]
    return _TreeRecord(tokens, nodes, tree.id, edges, list(tree.comments), dict(tree.features))


def _tree(record: _TreeRecord) -> Tree:
    sentence = [
        Token(t.form, t.tag, t.lemma, t.morphology, t.edge_label, _features(t.features))
        for t in record.tokens
    ]
    count = len(sentence)
    built: list[Node | None] = [None] * len(record.nodes)
    # Preorder: the children of a node stand behind it, so build from the end.
    for index in range(len(record.nodes) - 1, -1, -1):
        node = record.nodes[index]
        built[index] = Node(
            node.label,
            [v if 0 <= v < count else _child(v, count + index, count, built) for v in node.children],
            edge_label=node.edge_label,
            head=node.head,
            features=_features(node.features),
        )
    if not built or sum(len(node.children) for node in record.nodes) != count + len(built) - 1:
        raise TreeError("the nodes are not all below the first one")
    return Tree(
        sentence,
        built[0],  # type: ignore[arg-type]
        id=record.id,
        secondary_edges=[SecondaryEdge(e.label, e.child, e.parent) for e in record.secondary_edges],
        comments=record.comments,
        features=_features(record.features),
    )


def _child(vertex: int, parent: int, count: int, built: list[Node | None]) -> Node:
    if not parent < vertex < count + len(built):
        raise TreeError(f"node {parent} has child {vertex}, which is not behind it")
    return built[vertex - count]  # type: ignore[return-value]


def _features(pairs: dict[str, str]) -> Features:
    return tuple(sorted(pairs.items())) if pairs else ()


def _header(line: _HeaderLine) -> Header:
    record = line.header
    tables = (
        Table(kind, tuple(Value(v.name, v.description, v.number, v.flag) for v in values))
        for kind, values in record.tables
    )
    return Header(tuple(record.comments), tuple(record.meta), tuple(tables))
