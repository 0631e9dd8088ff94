"""NeGra export, versions 3 and 4: one vertex a line, nodes numbered from 500, parent 0 for the root.

    #FORMAT 4
    #BOS 1 2 899973978 1 %% a comment
    Das       das     PDS    --  OA  500
    wollen    wollen  VMFIN  --  HD  501
    #500      --      VP     --  OC  501
    ...
    #EOS 1

Version 3 has no column for lemmas. Behind the parent come pairs of secondary edges (label, parent)
and a comment after `%%`. The `#BOS` line may name editor, date and origin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar, NoReturn

from crossbranch.errors import InputError, TreeError
from crossbranch.tree import ROOT, Features, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank import export_header
from crossbranch.treebank.assembly import (
    NUMBER,
    Rows,
    number_nodes,
    renumber_edges,
    with_virtual_root,
)
from crossbranch.treebank.escape import Memo, escaper, unescape, unescaper
from crossbranch.treebank.format import Format, Holds
from crossbranch.treebank.header import Header
from crossbranch.treebank.source import Source

_is_node = re.compile(f"#(?:{NUMBER.pattern})").fullmatch
_is_command = re.compile(r"#[BE]OS(?![^ \t])").match
_BLANKS = re.compile(r"[ \t]+")
_COMMENT = re.compile(r"(?:^|[ \t])%%")
_ABSENT = "--"
_BLANK = r"[ \x00-\x1f\x7f\x85]"
# A word may not look like a node, a comment or a command of the format.
_COMMAND = rf"#(?=(?:{NUMBER.pattern})\Z|BO[ST]|EO[ST]|FORMAT)"
_escape_word = Memo(escaper(rf"{_BLANK}|\A{_COMMAND}|%(?=%)"))
_escape_field = Memo(escaper(rf"{_BLANK}|%(?=%)", absent=_ABSENT))
_escape_value = escaper(rf"{_BLANK}|%(?=%)|\A-(?=-\Z)")  # of a feature, which may be empty
_escape_comment = escaper(r"[\x00-\x08\x0a-\x1f\x7f\x85]|\A[ \t]|[ \t]\Z")
_unescape_word = Memo(unescape)
_unescape_field = Memo(unescaper(absent=_ABSENT))


class Export(Format):
    """Version 4, with lemmas. The reader takes both versions."""

    name: ClassVar[str] = "export"
    summary: ClassVar[str] = "NeGra export 4: word lemma tag morphology edge parent"
    suffixes: ClassVar[tuple[str, ...]] = (".export", ".negra", ".export4")
    holds: ClassVar[Holds] = Holds(
        heads=False,
        header=True,
        bare_root=False,
        token_features=frozenset({"comment"}),
        node_features=frozenset({"comment", "id", "lemma", "morphology"}),
        tree_features=frozenset({"date", "editor", "origin"}),
    )
    version: ClassVar[int] = 4

    def looks_like(self, head: str) -> bool:
        """Commands of the format start lines with `#`, comments with `%%`."""
        lines = (line for line in head.split("\n") if line.strip() and not line.startswith("%%"))
        return re.match(r"#(FORMAT|BOT|BOS)(\s|$)", next(lines, "")) is not None

    def holds_edge(self, tree: Tree, edge: SecondaryEdge) -> bool:
        """The child needs a line of its own, and the parent a number."""
        root = len(tree.sentence)
        return edge.parent >= root and (edge.child != root or tree.root.label != ROOT)

    def read(self, source: Source) -> Iterator[Tree]:
        """Yield the sentences between #BOS and #EOS."""
        return _Export(source).read()

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
        token_features=Export.holds.token_features,
        node_features=frozenset({"comment", "id", "morphology"}),
        tree_features=Export.holds.tree_features,
    )
    version: ClassVar[int] = 3


class _Export:
    """Reads one source."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lines = enumerate(source.lines(), 1)
        self._version: int | None = None
        self._bos: tuple[int, str] | None = None  # a #BOS line that ended the sentence before it

    def read(self) -> Iterator[Tree]:
        source = self._source
        comments = self._read_header()
        while self._bos is not None:
            first, bos = self._bos
            self._bos = None
            rows: list[str] = []
            eos = None
            for number, line in self._lines:
                if line[:1] == "#" and _is_command(line):
                    if line[1] == "E":
                        eos = line
                    else:
                        self._bos = (number, line)
                    break
                rows.append(line)
            try:
                sentence = _Sentence(self, first, bos, rows, eos)
                source.check(first, first + len(rows), sentence.id)
                tree = sentence.tree(comments)
            except InputError as error:
                source.report(error)
            else:
                yield tree
            comments = [] if self._bos is not None else self._seek()

    def _read_header(self) -> list[str]:
        header = export_header.Parser(self._source)
        for number, line in self._lines:
            if line[:4] == "#BOS":
                self._bos = (number, line)
                break
            header.feed(number, line)
        self._source.header = header.finish()
        self._version = header.version
        return []

    def _seek(self) -> list[str]:
        """Go to the next #BOS; return the comments on the way."""
        comments = []
        complained = False
        for number, line in self._lines:
            if line[:4] == "#BOS":
                self._bos = (number, line)
                break
            if line.startswith("%%"):
                comments.append(unescape(line[2:].strip(" \t")))
            elif line.strip() and not complained:
                complained = True
                self._source.report(self._source.error(_quote(line), "#BOS", line=number))
        return comments

    @property
    def columns(self) -> int | None:
        """The number of columns up to the parent; unknown before the first row without #FORMAT."""
        return None if self._version is None else self._version + 2

    @columns.setter
    def columns(self, columns: int) -> None:
        self._version = columns - 2

    def error(self, found: str, expected: str, line: int, sentence: str) -> InputError:
        return self._source.error(found, expected, line=line, sentence=sentence)


class _Sentence:
    """The lines of one sentence, turned into a tree."""

    def __init__(
        self, reader: _Export, first: int, bos: str, rows: list[str], eos: str | None
    ) -> None:
        self._reader = reader
        self._first = first
        self._rows = rows
        text, _, comment = bos[4:].partition("%%")
        fields = text.split()
        self.id = unescape(fields[0]) if fields else ""
        self.features = tuple(
            (name, unescape(value))
            for name, value in sorted(zip(("editor", "date", "origin"), fields[1:4], strict=False))
            if value != _ABSENT
        )
        self.comments = [unescape(comment.strip(" \t"))] if comment.strip(" \t") else []
        if not fields or len(fields) > 4:
            raise self._error(_quote(bos), "#BOS and a number, or number, editor, date, origin", -1)
        if eos is None:
            raise self._error("no #EOS", f"#EOS {fields[0]}", len(rows))
        if eos.split()[1:2] not in ([], fields[:1]):
            raise self._error(_quote(eos), f"#EOS {fields[0]}", len(rows))
        self._line_of: list[int] = []
        self._edges: list[tuple[int, str, str]] = []  # vertex among tokens or ~row, label, parent

    def _error(self, found: str, expected: str, row: int) -> InputError:
        return self._reader.error(found, expected, self._first + 1 + row, self.id)

    def tree(self, comments: list[str]) -> Tree:
        tokens, nodes, token_rows, node_rows, extras = self._split_rows()
        self._line_of = token_rows + node_rows
        count = len(tokens)
        columns = self._reader.columns or 6
        names = [fields[0][1:] for fields in nodes]
        vertices = {name: count + row for row, name in enumerate(names)}
        if len(vertices) < len(names):
            self._complain_about_twins(names)
        vertices["0"] = -1
        parent_names = [fields[-1] for fields in tokens] + [fields[-1] for fields in nodes]
        try:
            parents = [vertices[name] for name in parent_names]
        except KeyError:
            self._complain_about_parents(parent_names, vertices)
        rows = Rows(
            count,
            parents,
            [_unescape_field[fields[-4]] for fields in nodes],
            [_unescape_field[fields[-2]] for fields in nodes],
            [self._node_features(fields, extras.get(~k, ())) for k, fields in enumerate(nodes)],
            [int(name) for name in names],
        )
        try:
            root = rows.connect()
        except TreeError as error:
            raise self._misfit(error, names, count) from None
        return Tree(
            self._sentence(tokens, columns, extras),
            root,
            id=self.id,
            comments=[*comments, *self.comments] if comments else self.comments,
            features=self.features,
            secondary_edges=self._secondary_edges(vertices, count, root, rows),
        )

    def _split_rows(
        self,
    ) -> tuple[list[list[str]], list[list[str]], list[int], list[int], dict[int, Features]]:
        """Return the columns of tokens and of nodes, their rows, and the comments behind lines."""
        tokens: list[list[str]] = []
        nodes: list[list[str]] = []
        token_rows: list[int] = []
        node_rows: list[int] = []
        extras: dict[int, Features] = {}  # by token, or by ~k for the k-th node
        columns = self._reader.columns
        for row, line in enumerate(self._rows):
            fields = line.split("\t")
            if len(fields) != columns or "" in fields or " " in line:
                if not line.strip(" \t"):
                    continue
                if line.startswith("%%"):
                    self.comments.append(unescape(line[2:].strip(" \t")))
                    continue
                vertex = ~len(nodes) if _NODE.match(line.split(None, 1)[0]) else len(tokens)
                fields, extra = self._fields(line, row, vertex)
                columns = self._reader.columns
                if extra:
                    extras[vertex] = extra
            if line[0] == "#" and _NODE.match(fields[0]):
                nodes.append(fields)
                node_rows.append(row)
            else:
                tokens.append(fields)
                token_rows.append(row)
        return tokens, nodes, token_rows, node_rows, extras

    def _sentence(
        self, rows: list[list[str]], columns: int, extras: dict[int, Features]
    ) -> Iterable[Token]:
        if not rows:
            return ()
        by_column = list(zip(*rows, strict=True))
        count = len(rows)
        field = _unescape_field.__getitem__
        return map(
            Token._make,
            zip(
                map(_unescape_word.__getitem__, by_column[0]),
                map(field, by_column[-4]),
                map(field, by_column[1]) if columns == 6 else [""] * count,
                map(field, by_column[-3]),
                map(field, by_column[-2]),
                [extras.get(i, ()) for i in range(count)] if extras else [()] * count,
                strict=True,
            ),
        )

    def _node_features(self, fields: list[str], extra: Features) -> Features:
        """Return what else a node's line says; most often nothing."""
        if len(fields) == 6 and fields[1] != _ABSENT:
            extra = (*extra, ("lemma", _unescape_field[fields[1]]))
        if fields[-3] != _ABSENT:
            extra = (*extra, ("morphology", _unescape_field[fields[-3]]))
        return extra

    def _fields(self, line: str, row: int, vertex: int) -> tuple[list[str], Features]:
        """Take apart a line with padding, secondary edges or a comment."""
        body, mark, comment = line.partition("%%")
        if mark and body and body[-1] not in " \t":
            body, mark, comment = line, "", ""
        fields = [field for field in (f.strip(" ") for f in body.split("\t")) if field]
        if not self._fits(len(fields)):
            fields = _BLANKS.split(body.strip(" \t"))
        if not self._fits(len(fields)):
            wanted = self._reader.columns or "5 or 6"
            raise self._error(
                f"{len(fields)} columns in {_quote(line)}",
                f"{wanted} columns, and pairs of secondary edges behind them",
                row,
            )
        columns = self._reader.columns
        if columns is None:
            columns = self._reader.columns = 6 - len(fields) % 2
        for label, parent in zip(fields[columns::2], fields[columns + 1 :: 2], strict=True):
            self._edges.append((vertex, label, parent))
        comment = comment.strip(" \t")
        return fields[:columns], (("comment", unescape(comment)),) if mark and comment else ()

    def _fits(self, count: int) -> bool:
        columns = self._reader.columns
        return count >= 5 and (columns is None or (count >= columns and (count - columns) % 2 == 0))

    def _secondary_edges(
        self, vertices: dict[str, int], count: int, root: Node, rows: Rows
    ) -> list[SecondaryEdge]:
        if not self._edges:
            return []
        edges = []
        for vertex, label, parent in self._edges:
            child = vertex if vertex >= 0 else count + ~vertex
            if parent not in vertices:
                found = f"a secondary edge to {parent}"
                raise self._error(found, "a node of this sentence", self._line_of[child])
            edges.append(SecondaryEdge(_unescape_field[label], child, vertices[parent]))
        return renumber_edges(edges, root, rows)

    def _complain_about_twins(self, names: list[str]) -> NoReturn:
        twin = next(i for i, name in enumerate(names) if name in names[:i])
        row = self._line_of[len(self._line_of) - len(names) + twin]
        found = f"node #{names[twin]} a second time"
        raise self._error(found, "each node once, with one parent", row)

    def _complain_about_parents(self, parents: list[str], vertices: dict[str, int]) -> NoReturn:
        bad = next(i for i, parent in enumerate(parents) if parent not in vertices)
        found = f"parent {_quote(parents[bad])}"
        raise self._error(found, "0 or the number of a node of this sentence", self._line_of[bad])

    def _misfit(self, error: TreeError, names: list[str], count: int) -> InputError:
        vertex = error.vertex if error.vertex is not None else count
        name = names[vertex - count]
        expected = "a node with children below the root"
        return self._error(f"#{name}: {error}", expected, self._line_of[vertex])


def _quote(text: str) -> str:
    """Return the beginning of a text, safe to show."""
    text = text if len(text) <= 60 else text[:60] + "…"
    return repr(text)


def _write(tree: Tree, number: int, *, lemmas: bool) -> str:
    numbers = number_nodes(tree)
    numbers[id(tree.root)] = 0
    parents: list[int] = [0] * len(tree.sentence)
    above: dict[int, int] = {}
    nodes = tree.nodes
    for node in nodes:
        own = numbers[id(node)]
        for child in node.children:
            if child.__class__ is int:
                parents[child] = own  # type: ignore[index]
            else:
                above[id(child)] = own
    tails = _tails(tree, numbers) if tree.secondary_edges else {}
    word, field = _escape_word, _escape_field
    id_ = _escape_word[tree.id] if tree.id else str(number)
    lines = [_bos(tree, id_)]
    lines.extend(f"%% {_escape_comment(comment)}" for comment in tree.comments[1:])
    for index, (form, tag, lemma, morphology, edge_label, features) in enumerate(tree.sentence):
        middle = f"{field[lemma]}\t{field[tag]}" if lemmas else field[tag]
        tail = _tail(tails.get(index, ""), features)
        lines.append(
            f"{word[form]}\t{middle}\t{field[morphology]}\t{field[edge_label]}\t{parents[index]}{tail}"
        )
    rows = [(numbers[id(node)], node) for node in nodes[1:]]
    rows.sort(key=lambda row: row[0])
    for own, node in rows:
        morphology, lemma, tail = _ABSENT, _ABSENT, ""
        if node.features or tails:
            morphology = _value(node.features, "morphology")
            lemma = _value(node.features, "lemma")
            tail = _tail(tails.get(~own, ""), node.features)
        middle = f"{lemma}\t{field[node.label]}" if lemmas else field[node.label]
        lines.append(
            f"#{own}\t{middle}\t{morphology}\t{field[node.edge_label]}\t{above[id(node)]}{tail}"
        )
    lines.append(f"#EOS {id_}\n")
    return "\n".join(lines)


def _bos(tree: Tree, id_: str) -> str:
    parts = ["#BOS", id_]
    if tree.features:
        values = [_value(tree.features, name) for name in ("editor", "date", "origin")]
        if any(value != _ABSENT for value in values):
            parts.extend(values)
    if tree.comments:
        parts.append(f"%% {_escape_comment(tree.comments[0])}")
    return " ".join(parts)


def _tails(tree: Tree, numbers: dict[int, int]) -> dict[int, str]:
    """Return the secondary edges behind each line: by token, or ~number of a node."""
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
    return _ABSENT if value is None else _escape_value(value)
