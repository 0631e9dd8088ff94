"""Reading NeGra export: from lines to rows, and from rows with parents to trees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NoReturn

from crossbranch import _core
from crossbranch.errors import InputError, TreeError
from crossbranch.escape import Memo, unescape, unescaper
from crossbranch.tree import Features, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank import export_header
from crossbranch.treebank.assembly import NUMBER, ParentRows, renumber_edges
from crossbranch.treebank.source import Source

ABSENT = "--"
_is_node = re.compile(f"#(?:{NUMBER.pattern})").fullmatch
_is_command = re.compile(r"#[BE]OS(?![^ \t])").match
_BLANKS = re.compile(r"[ \t]+")
_COMMENT = re.compile(r"(?:^|[ \t])%%")
_make_token = partial(tuple.__new__, Token)  # like Token._make, without counting the fields again
_unescape_word = Memo(unescape)
_unescape_field = Memo(unescaper(absent=ABSENT))
# Plain sentences go through the core. What it refuses is read by the Python code below.
_plain_reader = _core.TreeReader(Token, Node, _unescape_word, _unescape_field)


class ExportReader:
    """Reads one source."""

    def __init__(self, source: Source) -> None:
        """Prepare to read this source."""
        self._source = source
        self._lines = enumerate(source.lines(), 1)
        self._version: int | None = None
        self._bos: tuple[int, str] | None = None  # a #BOS line that ended the sentence before it

    def read(self) -> Iterator[Tree]:
        """Yield the sentences between #BOS and #EOS."""
        source = self._source
        comments: list[str] = []
        source.begin_sentence()
        self._read_header()
        while self._bos is not None:
            first, bos = self._bos
            self._bos = None
            rows: list[str] = []
            eos = None
            source.begin_sentence()
            for number, line in self._lines:
                if line[2:4] == "OS" and _is_command(line):
                    if line[1] == "E":
                        eos = line
                    else:
                        self._bos = (number, line)
                    break
                rows.append(line)
            try:
                sentence = _Sentence(self, first, bos, rows, eos)
                source.check_size(len(rows), line=first, sentence=sentence.id)
                source.check(first, first + len(rows), sentence.id)
                tree = sentence.tree(comments)
            except InputError as error:
                source.report(error)
            else:
                yield tree
            comments = [] if self._bos is not None else self._seek(first + len(rows) + 2)

    def _read_header(self) -> None:
        header = export_header.ExportHeaderParser(self._source)
        number = 0
        for number, line in self._lines:
            if line[:4] == "#BOS" and _is_command(line):
                self._bos = (number, line)
                break
            header.feed(number, line)
        self._source.header = header.finish()
        self._version = header.version
        self._check(1, number - (self._bos is not None))

    def _check(self, first: int, last: int) -> None:
        try:
            self._source.check(first, last)
        except InputError as error:
            self._source.report(error)

    def _seek(self, first: int) -> list[str]:
        """Skip to the next #BOS after this line, and return the comments before it."""
        comments = []
        complained = False
        number = first
        for number, line in self._lines:
            if line[:4] == "#BOS" and _is_command(line):
                self._bos = (number, line)
                break
            if line.startswith("%%"):
                comments.append(unescape(line[2:].strip(" \t")))
            elif line.strip() and not complained:
                complained = True
                self._source.report(self._source.error(_quote(line), "#BOS", line=number))
        self._check(first, number - (self._bos is not None))
        return comments

    @property
    def columns(self) -> int | None:
        """The number of columns up to the parent. Without #FORMAT, the first row decides it."""
        return None if self._version is None else self._version + 2

    @columns.setter
    def columns(self, columns: int) -> None:
        self._version = columns - 2

    def error(self, found: str, expected: str, line: int, sentence: str) -> InputError:
        """Return an error in this source."""
        return self._source.error(found, expected, line=line, sentence=sentence)


class _Sentence:
    """The lines of one sentence, turned into a tree."""

    def __init__(
        self, reader: ExportReader, first: int, bos: str, rows: list[str], eos: str | None
    ) -> None:
        self._reader = reader
        self._first = first
        self._rows = rows
        text, _, comment = bos[4:].partition("%%")
        fields = _BLANKS.split(text.strip(" \t")) if text.strip(" \t") else []
        self.id = unescape(fields[0]) if fields else ""
        self.features = tuple(
            (name, unescape(value))
            for name, value in sorted(zip(("editor", "date", "origin"), fields[1:4], strict=False))
            if value != ABSENT
        )
        self.comments = [unescape(comment.strip(" \t"))] if comment.strip(" \t") else []
        if not fields or len(fields) > 4:
            raise self._error(
                _quote(bos), "#BOS and a number, and perhaps editor, date, origin", -1
            )
        if eos is None:
            raise self._error("no #EOS", f"#EOS {fields[0]}", len(rows))
        if _BLANKS.split(eos.strip(" \t"))[1:2] not in ([], fields[:1]):
            raise self._error(_quote(eos), f"#EOS {fields[0]}", len(rows))
        self._line_of: list[int] = []
        self._edges: list[tuple[int, str, str]] = []  # vertex among tokens or ~row, label, parent

    def _error(self, found: str, expected: str, row: int) -> InputError:
        return self._reader.error(found, expected, self._first + 1 + row, self.id)

    def tree(self, comments: list[str]) -> Tree:
        plain = _plain_reader.export_rows(self._rows, self._reader.columns or 0)
        if plain is None:
            return self.tree_read_carefully(comments)
        return Tree(
            *plain, id=self.id, comments=[*comments, *self.comments], features=self.features
        )

    def tree_read_carefully(self, comments: list[str]) -> Tree:
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
        rows = ParentRows(
            count,
            parents,
            [_unescape_field[fields[-4]] for fields in nodes],
            [_unescape_field[fields[-2]] for fields in nodes],
            self._node_features(nodes, extras),
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
        """Return the columns of tokens and nodes, their rows, and the comments after lines."""
        tokens: list[list[str]] = []
        nodes: list[list[str]] = []
        token_rows: list[int] = []
        node_rows: list[int] = []
        extras: dict[int, Features] = {}  # by token, or by ~k for the k-th node
        columns = self._reader.columns
        for row, line in enumerate(self._rows):
            fields = line.split("\t")
            if len(fields) != columns or "" in fields or " " in line:
                line = line.strip(" \t")
                if not line or line.startswith("%%"):
                    self._note_comment(line)
                    continue
                fields, edges, extra = self._fields(line, row)
                columns = self._reader.columns
                vertex = ~len(nodes) if _is_node(fields[0]) else len(tokens)
                self._edges += [(vertex, label, parent) for label, parent in edges]
                if extra:
                    extras[vertex] = extra
            mark = line[0]
            if mark == "#" and _is_node(fields[0]):
                nodes.append(fields)
                node_rows.append(row)
            elif mark == "%" and line.startswith("%%"):
                self._note_comment(line)
            else:
                tokens.append(fields)
                token_rows.append(row)
        return tokens, nodes, token_rows, node_rows, extras

    def _note_comment(self, line: str) -> None:
        if line:
            self.comments.append(unescape(line[2:].strip(" \t")))

    def _sentence(
        self, rows: list[list[str]], columns: int, extras: dict[int, Features]
    ) -> Iterable[Token]:
        if not rows:
            return ()
        by_column = list(zip(*rows, strict=True))
        count = len(rows)
        nowhere = [None] * count  # positions in the raw text are not known
        field = _unescape_field.__getitem__
        return map(
            _make_token,
            zip(
                map(_unescape_word.__getitem__, by_column[0]),
                map(field, by_column[-4]),
                map(field, by_column[1]) if columns == 6 else [""] * count,
                map(field, by_column[-3]),
                map(field, by_column[-2]),
                [extras.get(i, ()) for i in range(count)] if extras else [()] * count,
                nowhere,
                nowhere,
                strict=True,
            ),
        )

    def _node_features(self, nodes: list[list[str]], extras: dict[int, Features]) -> list[Features]:
        """Return the features in the lines of the nodes; usually, there are none."""
        features: list[Features] = [extras.get(~k, ()) for k in range(len(nodes))]
        for name, column in (("lemma", -5), ("morphology", -3)):
            if column + len(nodes[0] if nodes else ()) > 0:  # version 3 has no lemmas
                for k, fields in enumerate(nodes):
                    if fields[column] != ABSENT:
                        features[k] = (*features[k], (name, _unescape_field[fields[column]]))
        return features

    def _fields(self, line: str, row: int) -> tuple[list[str], list[tuple[str, str]], Features]:
        """Split a line that has padding, secondary edges or a comment."""
        mark = _COMMENT.search(line)
        body = line[: mark.start()] if mark else line
        comment = line[mark.end() :].strip(" \t") if mark else ""
        fields = [field for field in (f.strip(" ") for f in body.split("\t")) if field]
        if not self._fits(len(fields)):
            fields = _BLANKS.split(body.strip(" \t"))
        if not self._fits(len(fields)):
            wanted = self._reader.columns or "5 or 6"
            raise self._error(
                f"{len(fields)} columns in {_quote(line)}",
                f"{wanted} columns, then label and parent of each secondary edge",
                row,
            )
        columns = self._reader.columns
        if columns is None:
            columns = self._reader.columns = 6 - len(fields) % 2
        edges = list(zip(fields[columns::2], fields[columns + 1 :: 2], strict=True))
        return fields[:columns], edges, (("comment", unescape(comment)),) if comment else ()

    def _fits(self, count: int) -> bool:
        columns = self._reader.columns
        return count >= 5 and (columns is None or (count >= columns and (count - columns) % 2 == 0))

    def _secondary_edges(
        self, vertices: dict[str, int], count: int, root: Node, rows: ParentRows
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
        expected = "a node with children, connected to the root"
        return self._error(f"#{name}: {error}", expected, self._line_of[vertex])


def _quote(text: str) -> str:
    """Return the beginning of a text, safe to print."""
    text = text if len(text) <= 60 else text[:60] + "…"
    return repr(text)
