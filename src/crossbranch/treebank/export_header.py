"""The header of NeGra export: `#FORMAT`, comments, and tables between `#BOT NAME` and `#EOT NAME`.

A row of a table has a number, a name, a flag (in tables of words) and a description, separated by
tabs. Descriptions of the treebank (name, author, ...) are in the table META, an addition of
crossbranch.
"""

from __future__ import annotations

import re

from crossbranch.escape import escaper, unescape
from crossbranch.treebank.header import Header, HeaderTable, HeaderValue
from crossbranch.treebank.source import Source

_KINDS = {
    "ORIGIN": "origin",
    "EDITOR": "editor",
    "WORDTAG": "tag",
    "MORPHTAG": "morphology",
    "NODETAG": "label",
    "EDGETAG": "edge_label",
    "SECEDGETAG": "secondary_edge_label",
}
_META = "META"
_NAMES = {kind: name for name, kind in _KINDS.items()}
_escape_comment = escaper(r"[\x00-\x08\x0a-\x1f\x7f\x85]|\A[ \t]|[ \t]\Z")
_escape_kind = escaper(r"[ \x00-\x1f\x7f\x85]")
_escape_column = escaper(r"[\x00-\x1f\x7f\x85]|\A[ ]|[ ]\Z|\A%(?=%)")


class ExportHeaderParser:
    """Takes the lines before the first sentence."""

    def __init__(self, source: Source) -> None:
        """Report problems to this source."""
        self.version: int | None = None
        self._source = source
        self._comments: list[str] = []
        self._tables: list[HeaderTable] = []
        self._kind: str | None = None
        self._values: list[HeaderValue] = []
        self._complained = False

    def feed(self, number: int, line: str) -> None:
        """Take one line."""
        if not line:
            return
        words = re.findall(r"[^ \t]+", line)
        if words[:1] == ["#EOT"] or (words[:1] == ["#BOT"] and self._kind is not None):
            self._end_table()
        if words[:1] == ["#BOT"]:
            name = unescape(words[1]) if len(words) > 1 else ""
            self._kind = _KINDS.get(name, name)
        elif line.startswith("%%"):
            self._comments.append(unescape(line[2:].strip(" \t")))
        elif self._kind is not None:
            if words:
                self._values.append(_value(self._kind, line))
        elif words[:1] == ["#FORMAT"]:
            self._read_version(number, line, words)
        elif words and words[:1] != ["#EOT"] and not self._complained:
            self._complained = True  # one error for any number of bad lines
            found = repr(line[:60])
            self._source.report(self._source.error(found, "#FORMAT, #BOT or #BOS", line=number))

    def _read_version(self, number: int, line: str, words: list[str]) -> None:
        if words[1:] in (["3"], ["4"]):
            self.version = int(words[1])
        else:
            self._source.report(
                self._source.error(repr(line[:60]), "#FORMAT 3 or #FORMAT 4", line=number)
            )

    def _end_table(self) -> None:
        if self._kind is not None:
            self._tables.append(HeaderTable(self._kind, tuple(self._values)))
        self._kind, self._values = None, []

    def finish(self) -> Header:
        """Return the header."""
        self._end_table()
        return Header(
            comments=tuple(self._comments),
            meta=tuple(
                (value.name, value.description)
                for table in self._tables
                if table.kind == _META
                for value in table.values
            ),
            tables=tuple(table for table in self._tables if table.kind != _META),
        )


def _value(kind: str, line: str) -> HeaderValue:
    columns = [column.strip(" ") for column in line.split("\t") if column.strip(" ")]
    if len(columns) == 1:  # blanks instead of tabs
        columns = re.split(" +", columns[0], maxsplit=3 if kind == "tag" else 2)
    columns = [*map(unescape, columns), "", "", ""]
    if kind == "tag":
        number, name, flag, description = columns[:4]
        return HeaderValue(name, description, number, flag)
    number, name, description = columns[:3]
    return HeaderValue(name, description, number)


def write(header: Header, version: int) -> str:
    """Return the lines before the first sentence."""
    lines = [f"#FORMAT {version}"]
    for comment in header.comments:
        lines.append(f"%% {_escape_comment(comment)}" if comment else "%%")
    meta = HeaderTable(_META, tuple(HeaderValue(name, text) for name, text in header.meta))
    for table in (*([meta] if header.meta else []), *header.tables):
        name = _escape_kind(_NAMES.get(table.kind, table.kind))
        lines.append(f"#BOT {name}")
        for index, value in enumerate(table.values):
            columns = [value.number or str(index), value.name]
            if table.kind == "tag":
                columns.append(value.flag or "N")
            if value.description:
                columns.append(value.description)
            lines.append("\t".join(_escape_column(column) for column in columns))
        lines.append(f"#EOT {name}")
    return "\n".join(lines) + "\n"
