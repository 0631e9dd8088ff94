"""TIGER-XML: terminals and nonterminals as lists, edges from parents to children by id.

    <s id="s1">
    <graph root="s1_501" discontinuous="true">
    <terminals>
    <t id="s1_1" word="Das" lemma="das" pos="PDS" morph="--"/>
    ...
    </terminals>
    <nonterminals>
    <nt id="s1_500" cat="VP">
    <edge label="OA" idref="s1_1"/>
    <secedge label="SB" idref="s1_501"/>
    </nt>
    ...

`--` means that there is no value. Vertices without a parent are children of the virtual root, which
may also be written as the nonterminal VROOT. A secondary edge is inside its child and refers to its
parent. Comments are processing instructions (see xml_text), and so are features whose names cannot
be attributes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from crossbranch.tree import Features, Node, Tree
from crossbranch.treebank.assembly import (
    FIRST_NUMBER,
    has_all_numbers,
    number_nodes,
    with_virtual_root,
)
from crossbranch.treebank.format import ANY, Format, Holds
from crossbranch.treebank.header import Header
from crossbranch.treebank.source import Source
from crossbranch.treebank.tigerxml_header import write_header
from crossbranch.treebank.tigerxml_reader import TigerSentences
from crossbranch.treebank.tigerxml_sentence import ABSENT, VIRTUAL
from crossbranch.treebank.xml_events import read_sentences
from crossbranch.treebank.xml_text import (
    FORBIDDEN,
    attribute_values,
    declaration,
    encode_id,
    feature_attributes,
    first_element,
    instruction,
)

_NUMBER = re.compile(r"s*\d+\Z", re.ASCII)
_OF_TERMINAL = frozenset({"id", "word", "lemma", "pos", "morph"})
_OF_NONTERMINAL = frozenset({"id", "cat"})
_OF_SENTENCE = frozenset({"id", "root", "discontinuous"})
_word = attribute_values()
_field = attribute_values(ABSENT)
_feature = attribute_values(unsafe=rf"{FORBIDDEN}|\A-(?=-\Z)")


class TigerXml(Format):
    """TIGER-XML with header, features and secondary edges."""

    name: ClassVar[str] = "tigerxml"
    summary: ClassVar[str] = "TIGER-XML: <t>, <nt> and <edge>, with header and secondary edges"
    suffixes: ClassVar[tuple[str, ...]] = (".tiger.xml", ".tigerxml", ".xml")
    holds: ClassVar[Holds] = Holds(
        heads=False,
        header=True,
        bare_root=False,
        root_edge_label=False,
        token_features=ANY,
        node_features=ANY,
        tree_features=ANY,
    )

    def looks_like(self, head: str) -> bool:
        """The document is a corpus, a part of one, or a sentence."""
        return first_element(head) in ("corpus", "subcorpus", "s")

    def read(self, source: Source) -> Iterator[Tree]:
        """Yield the sentences `<s>`."""
        return read_sentences(source, TigerSentences(source))

    def write_declaration(self, encoding: str) -> str:
        """Return the XML declaration."""
        return declaration(encoding)

    def write_start(self, header: Header) -> str:
        """Return everything up to the start of the body."""
        return write_header(header)

    def write_tree(self, tree: Tree, number: int) -> str:
        """Return an element `<s>`."""
        return _TigerWriter(with_virtual_root(tree), tree.id or str(number)).text()

    def write_end(self) -> str:
        """Return the end of the document."""
        return "</body>\n</corpus>\n"


class _TigerWriter:
    """Writes one tree."""

    def __init__(self, tree: Tree, id_: str) -> None:
        self._tree = tree
        self._name = f"s{id_}" if _NUMBER.match(id_) else encode_id(id_)
        # Numbers that only some nodes have are written like other features.
        self._has_all_numbers = _has_features(tree) and has_all_numbers(tree)
        self._numbers = number_nodes(tree, own=self._has_all_numbers)
        # Terminals have numbers from 1 on, which must not reach those of nonterminals.
        is_long = len(tree.sentence) >= FIRST_NUMBER
        self._terminal = f"{self._name}_t" if is_long else f"{self._name}_"
        self._has_virtual_root = _needs_virtual_root(tree)
        self._inside = self._secondary_edges() if tree.secondary_edges else {}

    def _id(self, vertex: Node | int) -> str:
        if isinstance(vertex, int):
            return f"{self._terminal}{vertex + 1}"
        number = VIRTUAL if vertex is self._tree.root else self._numbers[id(vertex)]
        return f"{self._name}_{number}"

    def _secondary_edges(self) -> dict[str, str]:
        """Return the secondary edges inside each element."""
        vertices = [*range(len(self._tree.sentence)), *self._tree.nodes]
        inside: dict[str, str] = {}
        for label, child, parent in self._tree.secondary_edges:
            element = self._id(vertices[child])
            edge = f'<secedge label="{_field[label]}" idref="{self._id(vertices[parent])}"/>'
            inside[element] = inside.get(element, "") + edge
        return inside

    def text(self) -> str:
        """Return the element `<s>`."""
        tree = self._tree
        features, instructions = feature_attributes(tree.features, _OF_SENTENCE, _feature)
        lines = [f'<s id="{self._name}"{features}>{instructions}']
        lines += [instruction("comment", comment) for comment in tree.comments]
        lines += [f"<graph{self._graph()}>", "<terminals>"]
        self._write_terminals(lines)
        lines += ["</terminals>", "<nonterminals>"]
        self._write_nonterminals(lines)
        lines.append("</nonterminals>\n</graph>\n</s>\n")
        return "\n".join(lines)

    def _graph(self) -> str:
        """Return the attributes of the graph."""
        root = self._tree.root
        attributes = ""
        if self._has_virtual_root:
            attributes = f' root="{self._id(root)}"'
        elif root.children:
            attributes = f' root="{self._id(root.children[0])}"'
        for node in self._tree.nodes:
            span = node.span
            if span & (span + (span & -span)):  # more than one block
                return f'{attributes} discontinuous="true"'
        return attributes

    def _write_terminals(self, lines: list[str]) -> None:
        word, field, terminal, inside = _word, _field, self._terminal, self._inside
        sentence = self._tree.sentence
        for number, (form, tag, lemma, morphology, _, features, _, _) in enumerate(sentence, 1):
            end = "/>"
            if features or inside:
                attributes, content = feature_attributes(features, _OF_TERMINAL, _feature)
                content += inside.get(f"{terminal}{number}", "")
                end = f"{attributes}>{content}</t>" if content else f"{attributes}/>"
            lines.append(
                f'<t id="{terminal}{number}" word="{word[form]}" lemma="{field[lemma]}"'
                f' pos="{field[tag]}" morph="{field[morphology]}"{end}'
            )

    def _write_nonterminals(self, lines: list[str]) -> None:
        tree, field, name, terminal = self._tree, _field, f"{self._name}_", self._terminal
        sentence, numbers, inside = tree.sentence, self._numbers, self._inside
        nodes = sorted(tree.nodes[1:], key=lambda node: numbers[id(node)])
        if self._has_virtual_root:
            nodes.append(tree.root)
        for node in nodes:
            number = numbers.get(id(node), VIRTUAL)
            attributes, content = "", ""
            if node.features or inside:
                attributes, content = self._node_features(node, number)
                content += inside.get(f"{name}{number}", "")
            label = VIRTUAL if node is tree.root else field[node.label]
            lines.append(f'<nt id="{name}{number}" cat="{label}"{attributes}>{content}')
            for child in node.children:
                if child.__class__ is int:
                    edge_label = field[sentence[child].edge_label]
                    lines.append(f'<edge label="{edge_label}" idref="{terminal}{child + 1}"/>')
                else:
                    lines.append(
                        f'<edge label="{field[child.edge_label]}"'  # type: ignore[union-attr]
                        f' idref="{name}{numbers[id(child)]}"/>'
                    )
            lines.append("</nt>")

    def _node_features(self, node: Node, number: int | str) -> tuple[str, str]:
        """Return the features of a node, without its number if that is in its id."""
        features: Features = node.features
        if self._has_all_numbers and node is not self._tree.root:
            features = tuple(pair for pair in features if pair != ("id", str(number)))
        return feature_attributes(features, _OF_NONTERMINAL, _feature)


def _has_features(tree: Tree) -> bool:
    return any(node.features for node in tree.nodes)


def _needs_virtual_root(tree: Tree) -> bool:
    """Say whether VROOT must be written. Without it, its child cannot have an edge label."""
    root, number = tree.root, len(tree.sentence)
    if len(root.children) > 1 or root.features:
        return True
    if any(number in (edge.child, edge.parent) for edge in tree.secondary_edges):
        return True
    for child in root.children:
        if isinstance(child, int):
            return bool(tree.sentence[child].edge_label)
        return bool(child.edge_label) or child.label == VIRTUAL
    return False
