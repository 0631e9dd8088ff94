"""Trees as records: everything that a tree has, as lists and dicts for JSON.

    {"tokens": [{"form": "What", "tag": "WP"}, {"form": "should"}, {"form": "I"}, {"form": "do"}],
     "nodes": [{"label": "ROOT", "children": [5]}, {"label": "SBARQ", "children": [6, 7]},
               {"label": "VP", "children": [0, 3]}, {"label": "SQ", "children": [1, 2]}]}

Children are vertices: tokens are 0 .. n-1, and nodes are n, n+1, ... The root is the first node,
and every node comes before its children. Nodes are a flat list, so that trees can have any depth.
Fields without a value are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, cast

import msgspec

from crossbranch.errors import TreeError
from crossbranch.tree import Features, Node, SecondaryEdge, Token, Tree

_Features = dict[str, str | list[str]]
"""One value or several values for each name."""
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


class TreeRecord(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Everything that a tree has: one line of JSON."""

    id: str = ""
    text: str = ""
    tokens: list[_TokenRecord]
    nodes: list[_NodeRecord]
    secondary_edges: list[_EdgeRecord] = []
    comments: list[str] = []
    features: _Features = {}


def tree_to_dict(tree: Tree) -> dict[str, Any]:
    """Return a tree as plain dicts and lists, without the fields that have no value."""
    return cast("dict[str, Any]", msgspec.to_builtins(record_of(tree)))


def tree_from_dict(values: Mapping[str, Any]) -> Tree:
    """Return the tree of a dict that `tree_to_dict` made.

    Raises:
        TreeError: A field is missing or wrong, or the nodes and tokens do not form a tree.
    """
    try:
        record = msgspec.convert(values, TreeRecord)
    except msgspec.ValidationError as error:
        raise TreeError(f"not the dict of a tree: {error}") from None
    return tree_of(record)


def record_of(tree: Tree) -> TreeRecord:
    """Return a tree as a record."""
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
    return TreeRecord(
        id=tree.id,
        text=tree.text,
        tokens=tokens,
        nodes=nodes,
        secondary_edges=edges,
        comments=list(tree.comments),
        features=_by_name(tree.features),
    )


def tree_of(record: TreeRecord) -> Tree:
    """Return the tree of a record.

    Raises:
        TreeError: The nodes and tokens of the record do not form a tree.
    """
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
    """Build the nodes above `count` tokens. Every node but the first is below another one."""
    if not records:
        raise TreeError("there are no nodes, expected at least a root")
    nodes: list[Node] = [Node("")] * len(records)
    below: set[int] = set()
    for index in range(len(records) - 1, -1, -1):  # children come after their parents
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
                raise TreeError(f"{found}, which does not come after it")
        nodes[index] = Node(
            record.label,
            children,
            edge_label=record.edge_label,
            head=record.head,
            features=_features(record.features),
        )
    if len(below) != len(records) - 1:
        raise TreeError("some nodes are not below the first one")
    return nodes


def _edges(records: list[_EdgeRecord], tree: Tree, nodes: list[Node]) -> list[SecondaryEdge]:
    """Convert the ends to vertices of the tree. Nodes of the record may be in another order."""
    numbers = {id(node): vertex for vertex, node in enumerate(tree.nodes, len(tree.sentence))}
    vertices = [*range(len(tree.sentence)), *(numbers[id(node)] for node in nodes)]
    for record in records:
        if not (0 <= record.child < len(vertices) and 0 <= record.parent < len(vertices)):
            raise TreeError(
                f"a secondary edge from {record.child} to {record.parent}: no such vertex"
            )
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
