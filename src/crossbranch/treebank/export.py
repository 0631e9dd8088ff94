"""NeGra export, versions 3 and 4: one token or node per line. Nodes have numbers from 500 on.

    #FORMAT 4
    #BOS 1 2 899973978 1 %% a comment
    Das       das     PDS    --  OA  500
    wollen    wollen  VMFIN  --  HD  501
    #500      --      VP     --  OC  501
    ...
    #EOS 1

The last column is the parent; 0 is the root. After it, there may be secondary edges (label and
parent of each) and a comment after `%%`. The `#BOS` line may have editor, date and origin. Version
3 has no column for lemmas.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from crossbranch import _core
from crossbranch.escape import Memo, escaper
from crossbranch.tree import ROOT, Features, Node, SecondaryEdge, Tree
from crossbranch.treebank import export_header
from crossbranch.treebank.assembly import NUMBER, count_numbers, number_nodes, with_virtual_root
from crossbranch.treebank.export_reader import ABSENT, ExportReader
from crossbranch.treebank.format import Format, Holds
from crossbranch.treebank.header import Header
from crossbranch.treebank.source import Source

_BLANK = r"[ \x00-\x1f\x7f\x85]"
# A word must not look like a node, a comment or a command of the format.
_COMMAND = rf"#(?=(?:{NUMBER.pattern})\Z|BO[ST]|EO[ST]|FORMAT)"
_escape_word = Memo(escaper(rf"{_BLANK}|\A{_COMMAND}|%(?=%)"))
_escape_field = Memo(escaper(rf"{_BLANK}|%(?=%)", absent=ABSENT))
_escape_value = escaper(rf"{_BLANK}|%(?=%)|\A-(?=-\Z)")  # of a feature, which may be empty
# Plain trees go through the core. What it refuses is written by the Python code below.
_plain_writer = _core.TreeWriter(Node, _escape_word, _escape_field)
_escape_comment = escaper(r"[\x00-\x08\x0a-\x1f\x7f\x85]|\A[ \t]|[ \t]\Z")


class Export(Format):
    """Version 4, with lemmas. The reader reads both versions."""

    name: ClassVar[str] = "export"
    summary: ClassVar[str] = "NeGra export 4: word lemma tag morphology edge parent"
    suffixes: ClassVar[tuple[str, ...]] = (".export", ".negra", ".export4")
    holds: ClassVar[Holds] = Holds(
        heads=False,
        header=True,
        bare_root=False,
        root_features=False,
        token_features=frozenset({"comment"}),
        node_features=frozenset({"comment", "id", "lemma", "morphology"}),
        tree_features=frozenset({"date", "editor", "origin"}),
    )
    version: ClassVar[int] = 4

    def looks_like(self, head: str) -> bool:
        """The first line is a command, which starts with `#`, or a comment, with `%%`."""
        lines = (line for line in head.split("\n") if line.strip() and not line.startswith("%%"))
        return re.match(r"#(FORMAT|BOT|BOS)(\s|$)", next(lines, "")) is not None

    def holds_edge(self, tree: Tree, edge: SecondaryEdge) -> bool:
        """The child must have a line of its own, and the parent a number."""
        root = len(tree.sentence)
        return edge.parent >= root and (edge.child != root or tree.root.label != ROOT)

    def count_more(self, tree: Tree, lost: Counter[str]) -> None:
        """Numbers of nodes must be numbers of the format, and not the canonical ones."""
        if tree.sentence and any(node.features for node in tree.nodes):
            count_numbers(tree, lost)

    def read(self, source: Source) -> Iterator[Tree]:
        """Yield the sentences between #BOS and #EOS."""
        return ExportReader(source).read()

    def write_start(self, header: Header) -> str:
        """Return the version and the tables."""
        return export_header.write(header, self.version)

    def write_tree(self, tree: Tree, number: int) -> str:
        """Return a sentence from #BOS to #EOS."""
        return _write(with_virtual_root(tree), number, lemmas=self.version == 4)


class Export3(Export):
    """Version 3, without lemmas."""

    name: ClassVar[str] = "export3"
    summary: ClassVar[str] = "NeGra export 3: word tag morphology edge parent"
    suffixes: ClassVar[tuple[str, ...]] = (".export3",)
    holds: ClassVar[Holds] = Holds(
        lemmas=False,
        heads=False,
        header=True,
        bare_root=False,
        root_features=False,
        token_features=Export.holds.token_features,
        node_features=frozenset({"comment", "id", "morphology"}),
        tree_features=Export.holds.tree_features,
    )
    version: ClassVar[int] = 3


def _write(tree: Tree, number: int, *, lemmas: bool) -> str:
    id_ = _escape_word[tree.id] if tree.id else str(number)
    rows = None
    if not tree.secondary_edges:
        rows = _plain_writer.export_rows(tree.sentence, tree.root, lemmas=lemmas)
    if rows is None:
        rows = write_rows_carefully(tree, lemmas=lemmas)
    head = [_bos(tree, id_), *(f"%% {_escape_comment(text)}" for text in tree.comments[1:]), ""]
    return "\n".join(head) + f"{rows}#EOS {id_}\n"


def write_rows_carefully(tree: Tree, *, lemmas: bool) -> str:
    """Return the lines of tokens and nodes of any tree with a virtual root."""
    numbers = number_nodes(tree)
    numbers[id(tree.root)] = 0
    parents: list[int] = [0] * len(tree.sentence)
    above: dict[int, int] = {}
    nodes = tree.nodes
    for node in nodes:
        own = numbers[id(node)]
        for child in node.children:
            if child.__class__ is int:
                parents[child] = own
            else:
                above[id(child)] = own
    tails = _tails(tree, numbers) if tree.secondary_edges else {}
    word, field = _escape_word, _escape_field
    lines: list[str] = []
    for index, (form, tag, lemma, morphology, edge_label, features, _, _) in enumerate(
        tree.sentence
    ):
        middle = f"{field[lemma]}\t{field[tag]}" if lemmas else field[tag]
        tail = _tail(tails.get(index, ""), features) if tails or features else ""
        lines.append(
            f"{word[form]}\t{middle}\t{field[morphology]}\t{field[edge_label]}\t{parents[index]}{tail}"
        )
    rows = [(numbers[id(node)], node) for node in nodes[1:]]
    rows.sort(key=lambda row: row[0])
    for own, node in rows:
        morphology, lemma, tail = ABSENT, ABSENT, ""
        if node.features or tails:
            morphology = _value(node.features, "morphology")
            lemma = _value(node.features, "lemma")
            tail = _tail(tails.get(~own, ""), node.features)
        middle = f"{lemma}\t{field[node.label]}" if lemmas else field[node.label]
        lines.append(
            f"#{own}\t{middle}\t{morphology}\t{field[node.edge_label]}\t{above[id(node)]}{tail}"
        )
    return "".join([f"{line}\n" for line in lines])


def _bos(tree: Tree, id_: str) -> str:
    parts = ["#BOS", id_]
    if tree.features:
        values = [_value(tree.features, name) for name in ("editor", "date", "origin")]
        if any(value != ABSENT for value in values):
            parts.extend(values)
    if tree.comments:
        parts.append(f"%% {_escape_comment(tree.comments[0])}")
    return " ".join(parts)


def _tails(tree: Tree, numbers: dict[int, int]) -> dict[int, str]:
    """Return the secondary edges at the end of each line, by token, or by ~number of a node."""
    tails: dict[int, str] = {}
    for edge in tree.secondary_edges:
        child, parent = tree.vertex(edge.child), tree.vertex(edge.parent)
        if isinstance(parent, Node) and child is not tree.root:
            key = ~numbers[id(child)] if isinstance(child, Node) else edge.child
            pair = f"\t{_escape_field[edge.label]}\t{numbers[id(parent)]}"
            tails[key] = tails.get(key, "") + pair
    return tails


def _tail(edges: str, features: Features) -> str:
    comment = dict(features).get("comment") if features else None
    return edges if comment is None else f"{edges}\t%% {_escape_comment(comment)}"


def _value(features: Features, name: str) -> str:
    value = dict(features).get(name)
    return ABSENT if value is None else _escape_value(value)
