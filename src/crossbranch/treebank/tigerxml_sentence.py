"""One sentence of TIGER-XML. Its elements are collected first, and connected at its end."""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import itemgetter
from typing import NoReturn

from crossbranch.errors import InputError, TreeError
from crossbranch.escape import Memo, unescape, unescaper
from crossbranch.tree import Features, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank.assembly import FIRST_NUMBER, ParentRows, renumber_edges
from crossbranch.treebank.xml_events import Sentences
from crossbranch.treebank.xml_text import decode_id, instruction_parts

ABSENT = "--"
VIRTUAL = "VROOT"
_NUMBERED = re.compile(r"s+\d+\Z", re.ASCII)
_STRUCTURE = frozenset({"id", "root", "discontinuous"})
_UNCONNECTED = -2  # a vertex without a parent: it goes below the virtual root
_OUTSIDE = -1
_VIRTUAL = -1 << 40  # stays negative if the number of tokens is added
_word = Memo(unescape)
_field = Memo(unescaper(absent=ABSENT))


class TigerSentence:
    """The elements of one sentence.

    `present` is the latest element: k for the k-th nonterminal, -2 - k for the k-th terminal, and
    -1 for the sentence itself.
    """

    def __init__(self, reader: Sentences, attributes: dict[str, str]) -> None:
        self._reader = reader
        self._line = reader.line
        name = attributes.get("id", "")
        self.id = name[1:] if _NUMBERED.match(name) else decode_id(name)
        self.attributes = attributes
        self.root: str | None = None
        self.has_terminals = False
        self.present = _OUTSIDE
        self.tokens: list[dict[str, str]] = []
        self.nodes: list[dict[str, str]] = []
        self.token_lines: list[int] = []
        self.node_lines: list[int] = []
        self.edges: list[dict[str, str]] = []
        self.owners: list[int] = []
        self.secondary: list[tuple[dict[str, str], int]] = []
        self._virtual_name: str | None = None
        self._comments: list[str] = []
        self._extras: dict[int, list[tuple[str, str]]] = {}  # by element

    def error(self, found: str, expected: str, line: int) -> InputError:
        """Return an error that names this sentence."""
        return self._reader.source.error(found, expected, line=line, sentence=self.id)

    def instruction(self, data: str) -> None:
        """Take one of our processing instructions."""
        keyword = data.partition(" ")[0]
        if keyword == "comment":
            self._comments += instruction_parts(data, 1)
        elif keyword == "feature":
            name, value = instruction_parts(data, 2)
            self._extras.setdefault(self.present, []).append((name, value))

    def tree(self) -> Tree:
        """Connect the elements and return the tree."""
        if not self.has_terminals:
            raise self.error("a sentence without terminals", "<terminals>", self._line)
        count = len(self.tokens)
        root_features = self._take_virtual_root()
        names, words = self._names()
        vertices = {name: vertex for vertex, name in enumerate(names)}
        if len(vertices) < len(names):
            self._complain_about_twins(names)
        parents, edge_labels = self._parents(vertices)
        extras = self._extras
        rows = ParentRows(
            count,
            parents,
            [_field[attributes.pop("cat", ABSENT)] for attributes in self.nodes],
            [_field[label] for label in edge_labels[count:]],
            [
                _features(attributes, extras.get(k, ())) if attributes or extras else ()
                for k, attributes in enumerate(self.nodes)
            ],
            _numbers(names[count:]),
        )
        try:
            root = rows.connect()
        except TreeError as error:
            raise self._misfit(error, names) from None
        if root_features:
            root = root.replace(features=root_features)
        return Tree(
            self._sentence(words, edge_labels),
            root,
            id=self.id,
            comments=self._comments,
            features=self._tree_features(),
            secondary_edges=self._secondary_edges(vertices, root, rows),
        )

    def _take_virtual_root(self) -> Features:
        """Remove the nonterminal that is the virtual root, if there is one; return its features."""
        row = self._virtual_row()
        if row is None:
            return ()
        self._virtual_name = self.nodes[row].pop("id", None)
        attributes = self.nodes.pop(row)
        self.node_lines.pop(row)
        del attributes["cat"]

        def renumber(element: int) -> int:
            return _VIRTUAL if element == row else element - (element > row)

        self.owners = [renumber(owner) for owner in self.owners]
        self.secondary = [(edge, renumber(child)) for edge, child in self.secondary]
        self._extras = {renumber(k): pairs for k, pairs in self._extras.items()}
        return _features(attributes, self._extras.get(_VIRTUAL, ()))

    def _virtual_row(self) -> int | None:
        """Choose a VROOT without a parent; if there are several, the root of the graph."""
        rows = [k for k, node in enumerate(self.nodes) if node.get("cat") == VIRTUAL]
        if not rows:
            return None
        names = {k: self.nodes[k].get("id") for k in rows}
        below = {edge.get("idref") for edge in self.edges}
        named = [k for k in rows if names[k] == self.root]
        return next((k for k in [*named, *rows] if names[k] not in below), None)

    def _names(self) -> tuple[list[str], list[str]]:
        """Return the ids of all vertices and the words of the terminals."""
        names: list[str] = []
        words: list[str] = []
        try:
            for attributes in self.tokens:
                names.append(attributes.pop("id"))
                words.append(attributes.pop("word"))
            for attributes in self.nodes:
                names.append(attributes.pop("id"))
        except KeyError as error:
            in_terminals = len(words) < len(self.tokens)
            found = f"{'<t>' if in_terminals else '<nt>'} without {error.args[0]}"
            line = self._line_of(len(words) if in_terminals else len(names))
            raise self.error(found, f"the attribute {error.args[0]}", line) from None
        return names, words

    def _parents(self, vertices: dict[str, int]) -> tuple[list[int], list[str]]:
        """Return parent and edge label of each vertex."""
        count = len(self.tokens)
        parents = [_UNCONNECTED] * len(vertices)
        labels = [ABSENT] * len(vertices)
        for edge, owner in zip(self.edges, self.owners, strict=True):
            try:
                child = vertices[edge["idref"]]
            except KeyError:
                raise self._dangling(edge, owner) from None
            if parents[child] != _UNCONNECTED or owner < 0:
                self._check_edge(edge, owner, parents[child])
            parents[child] = count + owner
            labels[child] = edge.get("label", ABSENT)
        if self.root is not None and self.root != self._virtual_name and self.root not in vertices:
            raise self.error(f"the root {self.root!r}", "the id of a <t> or <nt>", self._line)
        return parents, labels

    def _check_edge(self, edge: dict[str, str], owner: int, known: int) -> None:
        """Raise an error if the child has a parent, or the edge is not inside a nonterminal."""
        if known != _UNCONNECTED:
            found = f"a second parent for {edge['idref']}"
            raise self.error(found, "one parent for each <t> and <nt>", self._element_line(owner))
        if owner != _VIRTUAL:
            raise self.error("<edge> outside a nonterminal", "<nt>", self._element_line(owner))

    def _dangling(self, edge: dict[str, str], element: int) -> InputError:
        name = edge.get("idref")
        found = "an edge without idref" if name is None else f"an edge to {name!r}"
        return self.error(found, "the id of a <t> or <nt>", self._element_line(element))

    def _complain_about_twins(self, names: list[str]) -> NoReturn:
        vertex = next(vertex for vertex, name in enumerate(names) if names.index(name) < vertex)
        found = f"the id {names[vertex]!r} a second time"
        raise self.error(found, "a different id for each <t> and <nt>", self._line_of(vertex))

    def _misfit(self, error: TreeError, names: list[str]) -> InputError:
        vertex = error.vertex or 0
        found = f"{error} ({names[vertex]})"
        return self.error(found, "nodes that form a tree", self._line_of(vertex))

    def _line_of(self, vertex: int) -> int:
        return self._reader.lines_before + [*self.token_lines, *self.node_lines][vertex]

    def _element_line(self, element: int) -> int:
        if element >= 0:
            return self._line_of(len(self.tokens) + element)
        return self._line if element in (_OUTSIDE, _VIRTUAL) else self._line_of(-2 - element)

    def _sentence(self, words: list[str], edge_labels: list[str]) -> list[Token]:
        field = _field
        extras = self._extras
        return [
            Token(
                _word[word],
                field[attributes.pop("pos", ABSENT)],
                field[attributes.pop("lemma", ABSENT)],
                field[attributes.pop("morph", ABSENT)],
                field[label],
                _features(attributes, extras.get(-2 - k, ())) if attributes or extras else (),
            )
            for k, (word, attributes, label) in enumerate(
                zip(words, self.tokens, edge_labels, strict=False)
            )
        ]

    def _tree_features(self) -> Features:
        attributes = {k: v for k, v in self.attributes.items() if k not in _STRUCTURE}
        return _features(attributes, self._extras.get(_OUTSIDE, ()))

    def _secondary_edges(
        self, vertices: dict[str, int], root: Node, rows: ParentRows
    ) -> list[SecondaryEdge]:
        if not self.secondary:
            return []
        if self._virtual_name is not None:
            vertices[self._virtual_name] = -1
        edges = []
        for attributes, element in self.secondary:
            if element == _OUTSIDE:
                raise self.error("<secedge> outside <t> and <nt>", "<t> or <nt>", self._line)
            try:
                parent = vertices[attributes["idref"]]
            except KeyError:
                raise self._dangling(attributes, element) from None
            if element >= 0:
                child = len(self.tokens) + element
            else:
                child = -1 if element == _VIRTUAL else -2 - element
            edges.append(SecondaryEdge(_field[attributes.get("label", ABSENT)], child, parent))
        return sorted(renumber_edges(edges, root, rows), key=lambda edge: edge.child)


def _features(attributes: dict[str, str], extras: Iterable[tuple[str, str]]) -> Features:
    """Return the other attributes, and the features from instructions."""
    pairs = [(name, _word[value]) for name, value in attributes.items() if value != ABSENT]
    return tuple(sorted([*pairs, *extras], key=itemgetter(0)))  # values keep their order


def _numbers(names: list[str]) -> list[int]:
    """Return the numbers in ids such as s1_500. If they cannot be used, return 500, 501, ..."""
    try:
        numbers = [int(name.rpartition("_")[2]) for name in names]
    except ValueError:
        numbers = []
    if len(set(numbers)) == len(names) and min(numbers, default=0) >= FIRST_NUMBER:
        return numbers
    return list(range(FIRST_NUMBER, FIRST_NUMBER + len(names)))
