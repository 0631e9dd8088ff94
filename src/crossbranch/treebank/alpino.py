"""Alpino XML: nested `<node>` elements. Words have positions, so branches may cross.

    <alpino_ds version="1.3">
      <node begin="0" cat="top" end="2" id="0" rel="top">
        <node begin="0" cat="smain" end="2" id="1" rel="--">
          <node begin="0" end="1" id="2" index="1" lemma="zij" pt="vnw" rel="su" word="Zij"/>
          <node begin="1" end="2" id="3" lemma="willen" pt="ww" rel="hd" word="wil"/>
          <node begin="0" end="1" id="4" index="1" rel="obj1"/>
        </node>
      </node>
      <sentence sentid="1">Zij wil</sentence>
      <comments><comment>a comment</comment></comments>
    </alpino_ds>

A node that has only an index is a secondary edge. It leads from the node with this index to the
node around the empty one. `rel` is the edge label (`--`: none), and cat="top" is the virtual root.
A file has one sentence, or many inside one element.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from crossbranch.span import Span
from crossbranch.tree import Node, SecondaryEdge, Token, Tree
from crossbranch.treebank.alpino_reader import AlpinoSentences
from crossbranch.treebank.alpino_sentence import ABSENT, TOP
from crossbranch.treebank.assembly import with_virtual_root
from crossbranch.treebank.format import ANY, Format, Holds
from crossbranch.treebank.header import Header
from crossbranch.treebank.source import Source
from crossbranch.treebank.xml_events import read_sentences
from crossbranch.treebank.xml_text import (
    attribute_values,
    declaration,
    element_text,
    feature_attributes,
    first_element,
    instruction,
)

_OF_NODE = frozenset({"begin", "cat", "end", "id", "index", "rel", "word"})
_OF_WORD = _OF_NODE | {"lemma", "postag", "pt"}
_INDENTS = ["  " * depth for depth in range(64)]  # deeper nodes are not indented further
_value = attribute_values()
_rel = attribute_values(ABSENT)
_rel_of_root = attribute_values(TOP)


class Alpino(Format):
    """Alpino XML with co-indexed nodes as secondary edges."""

    name: ClassVar[str] = "alpino"
    summary: ClassVar[str] = "Alpino XML: nested <node>, one or many sentences in a file"
    suffixes: ClassVar[tuple[str, ...]] = (".alpino.xml", ".alpino")
    holds: ClassVar[Holds] = Holds(
        heads=False,
        bare_root=False,
        token_features=ANY,
        node_features=ANY,
        tree_features=ANY,
    )

    def looks_like(self, head: str) -> bool:
        """The document is a sentence, or contains sentences."""
        first = first_element(head)
        return first in ("alpino_ds", "alpino", "treebank") or bool(first and "<alpino_ds" in head)

    def read(self, source: Source) -> Iterator[Tree]:
        """Yield the sentences `<alpino_ds>`."""
        return read_sentences(source, AlpinoSentences(source))

    def write_declaration(self, encoding: str) -> str:
        """Return the XML declaration."""
        return declaration(encoding)

    def write_start(self, header: Header) -> str:
        """Return the start of an element for many sentences."""
        return "<treebank>\n"

    def write_tree(self, tree: Tree, number: int) -> str:
        """Return an element `<alpino_ds>`."""
        return _AlpinoWriter(with_virtual_root(tree)).text()

    def write_end(self) -> str:
        """Return the end of the document."""
        return "</treebank>\n"


class _AlpinoWriter:
    """Writes one tree."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._number = 0  # id of the next element
        self._indices: dict[int, int] = {}  # by vertex: index, for ends of secondary edges
        self._empty: dict[int, list[SecondaryEdge]] = {}  # by parent: edges written as nodes
        self._content: dict[int, str] = {}  # by parent: edges written as instructions
        for edge in tree.secondary_edges:
            index = self._indices.setdefault(edge.child, len(self._indices) + 1)
            if self._can_be_a_node(edge):
                self._empty.setdefault(edge.parent, []).append(edge)
            else:
                text = instruction("edge", str(index), edge.label)
                self._content[edge.parent] = self._content.get(edge.parent, "") + text

    def _can_be_a_node(self, edge: SecondaryEdge) -> bool:
        """Say whether an edge can be a node: not in a word, and not in the node it refers to."""
        vertex = edge.parent
        if vertex < len(self._tree.sentence):
            return False
        while vertex not in (edge.child, -1):
            vertex = self._tree.parents[vertex]
        return vertex == -1

    def text(self) -> str:
        """Return the element `<alpino_ds>`."""
        tree = self._tree
        lines = ['<alpino_ds version="1.3">']
        if tree.features:
            lines.append("  <metadata>")
            for name, value in tree.features:
                pair = f'name="{_value[name]}" value="{_value[value]}"'
                lines.append(f'    <meta type="text" {pair}/>')
            lines.append("  </metadata>")
        self._write_nodes(lines)
        id_ = f' sentid="{_value[tree.id]}"' if tree.id else ""
        words = element_text(" ".join([token.form for token in tree.sentence]))
        lines.append(f"  <sentence{id_}>{words}</sentence>")
        if tree.comments:
            lines.append("  <comments>")
            lines += [f"    <comment>{element_text(c)}</comment>" for c in tree.comments]
            lines.append("  </comments>")
        lines.append("</alpino_ds>\n")
        return "\n".join(lines)

    def _write_nodes(self, lines: list[str]) -> None:
        vertex = len(self._tree.sentence)  # of the next node: parents come first, as in the tree
        stack: list[tuple[Node | int | None, int]] = [(self._tree.root, 1)]
        while stack:
            item, depth = stack.pop()
            indent = _INDENTS[depth if depth < len(_INDENTS) else -1]
            if item is None:
                lines.append(f"{indent}</node>")
            elif isinstance(item, int):
                lines.append(f"{indent}{self._word(item)}")
            else:
                lines.append(f"{indent}{self._node(item, vertex)}")
                for edge in self._empty.get(vertex, ()):
                    lines.append(f"{indent}  {self._empty_node(edge)}")
                vertex += 1
                stack.append((None, depth))
                stack.extend([(child, depth + 1) for child in reversed(item.children)])

    def _start(self, span: Span, vertex: int) -> str:
        """Return the first part of a start tag: position, id and index."""
        number = self._number
        self._number += 1
        begin = (span & -span).bit_length() - 1 if span else 0
        index = f' index="{self._indices[vertex]}"' if vertex in self._indices else ""
        return f'<node begin="{begin}" end="{span.bit_length()}" id="{number}"{index}'

    def _node(self, node: Node, vertex: int) -> str:
        """Return the start of a node."""
        is_root = node is self._tree.root
        label = TOP if is_root else _value[node.label]
        rel = (_rel_of_root if is_root else _rel)[node.edge_label]
        attributes, content = "", ""
        if node.features:
            attributes, content = feature_attributes(node.features, _OF_NODE, _value)
        content += self._content.get(vertex, "")
        return f'{self._start(node.span, vertex)} cat="{label}" rel="{rel}"{attributes}>{content}'

    def _empty_node(self, edge: SecondaryEdge) -> str:
        """Return a node that only refers to another one."""
        child = self._tree.vertex(edge.child)
        span = child.span if isinstance(child, Node) else 1 << edge.child
        return f'{self._start(span, edge.child)} rel="{_rel[edge.label]}"/>'

    def _word(self, position: int) -> str:
        """Return a word."""
        token = self._tree.sentence[position]
        attributes, content = "", ""
        if token.features:
            attributes, content = feature_attributes(token.features, _OF_WORD, _value)
        content += self._content.get(position, "")
        return (
            f"{self._start(1 << position, position)}{_analysis(token)}"
            f' rel="{_rel[token.edge_label]}" word="{_value[token.form]}"{attributes}'
            + (f">{content}</node>" if content else "/>")
        )


def _analysis(token: Token) -> str:
    """Return tag, morphology and lemma: as pt, postag and lemma, or the older pos and root.

    If pos or root is a feature, the newer attributes are used, even if they are empty.
    """
    _, tag, lemma, morphology, _, features = token[:6]
    has_pos = has_root = False
    for name, _ in features:
        has_pos = has_pos or name == "pos"
        has_root = has_root or name == "root"
    is_new = has_pos or has_root or morphology
    text = ""
    if lemma or has_root:
        text = f' lemma="{_value[lemma]}"' if is_new else f' root="{_value[lemma]}"'
    if morphology:
        text += f' postag="{_value[morphology]}"'
    if tag or has_pos:
        text += f' pt="{_value[tag]}"' if is_new else f' pos="{_value[tag]}"'
    return text
