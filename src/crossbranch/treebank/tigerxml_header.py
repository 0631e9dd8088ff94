"""The header of TIGER-XML: descriptions of the corpus, and the features with their values.

    <head>
      <meta><name>Corpus</name><author>Ann</author></meta>
      <annotation>
        <feature name="pos" domain="T"><value name="NN">noun</value></feature>
        <edgelabel><value name="SB">subject</value></edgelabel>
      </annotation>
    </head>

A table of an unknown kind is named by domain and feature, such as `T:case`. Processing instructions
hold everything else:

    <?crossbranch comment text?>              a comment
    <?crossbranch meta key text?>             a description without an element of its own
    <?crossbranch row number flag?>           in a value: columns of NeGra's tables
    <?crossbranch table kind?>                a table that is not a feature, and its values:
    <?crossbranch value name number flag description?>
    <?crossbranch tables kind kind ...?>      the order of the tables; others are only declared
"""

from __future__ import annotations

import re

from crossbranch.escape import unescape
from crossbranch.treebank.header import Header, HeaderTable, HeaderValue
from crossbranch.treebank.xml_text import (
    attribute_values,
    decode_id,
    element_text,
    encode_id,
    instruction,
    instruction_parts,
)

_META = frozenset({"name", "author", "date", "description", "format", "history"})
_DECLARED = {
    "T:word": "T:word",
    "lemma": "T:lemma",
    "tag": "T:pos",
    "morphology": "T:morph",
    "label": "NT:cat",
    "edge_label": "edgelabel",
    "secondary_edge_label": "secedgelabel",
}
"""The features that every file declares, by kind of table."""
_KINDS = {name: kind for kind, name in _DECLARED.items()}
_FEATURE = re.compile(r"(?:T|NT|FREC):.", re.DOTALL)
_UNNAMED = "crossbranch"
_value = attribute_values()


class HeaderReader:
    """Takes the XML events before the first sentence."""

    def __init__(self) -> None:
        self._comments: list[str] = []
        self._meta: list[tuple[str, str]] = []
        self._tables: list[tuple[str, list[HeaderValue]]] = []
        self._order: list[str] | None = None
        self._in_meta = False
        self._value = HeaderValue("")
        self._text: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take a start tag."""
        self._text.clear()
        if name == "corpus" and attributes.get("id", _UNNAMED) != _UNNAMED:
            self._meta.append(("corpus", decode_id(attributes["id"])))
        elif name == "meta":
            self._in_meta = True
        elif name == "feature":
            feature = f"{attributes.get('domain', 'T')}:{unescape(attributes.get('name', ''))}"
            self._tables.append((_KINDS.get(feature, feature), []))
        elif name in _KINDS:
            self._tables.append((_KINDS[name], []))
        elif name == "value":
            self._value = HeaderValue(unescape(attributes.get("name", "")))

    def text(self, data: str) -> None:
        """Take the text of an element."""
        self._text.append(data)

    def end(self, name: str) -> None:
        """Take an end tag."""
        text = unescape("".join(self._text).strip(" \t\r\n"))
        self._text.clear()
        if name == "meta":
            self._in_meta = False
        elif self._in_meta:
            self._meta.append((name, text))
        elif name == "value" and self._tables:
            self._tables[-1][1].append(self._value._replace(description=text))

    def instruction(self, data: str) -> None:
        """Take one of our processing instructions."""
        keyword = data.partition(" ")[0]
        if keyword == "comment":
            self._comments += instruction_parts(data, 1)
        elif keyword == "meta":
            key, text = instruction_parts(data, 2)
            self._meta.append((key, text))
        elif keyword == "row":
            number, flag = instruction_parts(data, 2)
            self._value = self._value._replace(number=number, flag=flag)
        elif keyword == "table":
            self._tables.append((instruction_parts(data, 1)[0], []))
        elif keyword == "value" and self._tables:
            name, number, flag, description = instruction_parts(data, 4)
            self._tables[-1][1].append(HeaderValue(name, description, number, flag))
        elif keyword == "tables":
            self._order = [unescape(kind) for kind in data.split(" ")[1:] if kind]

    def header(self) -> Header:
        """Return the header that was read."""
        tables = [HeaderTable(kind, tuple(values)) for kind, values in self._tables]
        if self._order is None:
            tables = [table for table in tables if table.values or table.kind not in _DECLARED]
        else:
            tables = _pick(tables, self._order)
        return Header(tuple(self._comments), tuple(self._meta), tuple(tables))


def _pick(tables: list[HeaderTable], kinds: list[str]) -> list[HeaderTable]:
    """Return for each kind the next table of that kind."""
    left = list(tables)
    picked = []
    for kind in kinds:
        table = next((table for table in left if table.kind == kind), None)
        if table is not None:
            left.remove(table)
            picked.append(table)
    return picked


def write_header(header: Header) -> str:
    """Return everything up to the start of the body."""
    meta = list(header.meta)
    name = _UNNAMED
    if meta and meta[0][0] == "corpus" and meta[0][1] not in ("", _UNNAMED):
        name = encode_id(meta.pop(0)[1])
    lines = [f'<corpus id="{name}">', "<head>"]
    lines += [instruction("comment", comment) for comment in header.comments]
    lines.append("<meta>")
    for key, text in meta:
        if key in _META:
            lines.append(f"<{key}>{element_text(text)}</{key}>")
        else:
            lines.append(instruction("meta", key, text))
    lines += ["</meta>", "<annotation>", *_write_tables(header.tables)]
    lines += ["</annotation>", "</head>", "<body>\n"]
    return "\n".join(lines)


def _write_tables(tables: tuple[HeaderTable, ...]) -> list[str]:
    """Return the features in the order of the schema: of terminals, nonterminals, and edges."""
    elements: dict[str, HeaderTable] = {}
    others = []
    for table in tables:
        kind = table.kind
        is_element = kind in _DECLARED or (_FEATURE.match(kind) and kind not in _KINDS)
        if is_element and kind not in elements:
            elements[kind] = table
        else:
            others.append(table)
    declared = {kind: HeaderTable(kind, ()) for kind in _DECLARED}
    ordered = sorted((declared | elements).values(), key=_schema_order)
    lines = [line for table in ordered for line in _write_element(table)]
    lines += [line for table in others for line in _write_instructions(table)]
    plain = [t.kind for t in ordered if t.values or t.kind not in _DECLARED]
    if [table.kind for table in tables] != plain:
        lines.append(instruction("tables", *[table.kind for table in tables], ""))
    return lines


def _schema_order(table: HeaderTable) -> int:
    name = _DECLARED.get(table.kind, table.kind)
    if ":" not in name:
        return 2
    return 1 if name.startswith("NT:") else 0


def _write_element(table: HeaderTable) -> list[str]:
    domain, _, name = _DECLARED.get(table.kind, table.kind).partition(":")
    element, attributes = domain, ""
    if name:
        element, attributes = "feature", f' name="{_value[name]}" domain="{domain}"'
    if not table.values:
        return [f"<{element}{attributes}/>"]
    lines = [f"<{element}{attributes}>"]
    for value in table.values:
        row = instruction("row", value.number, value.flag) if value.number or value.flag else ""
        text = element_text(value.description)
        lines.append(f'<value name="{_value[value.name]}">{row}{text}</value>')
    return [*lines, f"</{element}>"]


def _write_instructions(table: HeaderTable) -> list[str]:
    rows = [
        instruction("value", value.name, value.number, value.flag, value.description)
        for value in table.values
    ]
    return [instruction("table", table.kind), *rows]
