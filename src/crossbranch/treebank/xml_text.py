"""Writing text inside XML: shared by TIGER-XML and Alpino XML.

XML cannot hold some characters. They are escaped (see `escape`). Some parts of a tree have no place
in these formats. They are written as processing instructions, which other programs skip:

    <?crossbranch comment a comment on the sentence?>
    <?crossbranch feature name value?>
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection

from crossbranch.escape import Memo, escaper, unescape
from crossbranch.tree import Features

TARGET = "crossbranch"
"""The name of our processing instructions."""

FORBIDDEN = r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"
"""A pattern for the characters that XML 1.0 cannot hold."""

_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_IN_ATTRIBUTE = _IN_TEXT | str.maketrans({'"': "&quot;", "\t": "&#9;", "\n": "&#10;"})
_escape_text = escaper(rf"{FORBIDDEN}|\A[ \t\r\n]|[ \t\r\n]\Z", absent="")
# `?>` ends an instruction, and blanks at its beginning are ignored.
_escape_instruction = escaper(
    r"[\x00-\x1f\ud800-\udfff\ufffe\uffff]|\A[ ]|[ ]\Z|\?(?=>|\Z)", absent=""
)
_escape_word = escaper(r"[\x00-\x20\ud800-\udfff\ufffe\uffff]|\?(?=>|\Z)")
# Expat and the standard disagree about letters beyond ASCII; names with "xml" first are reserved.
_ATTRIBUTE_NAME = re.compile(r"(?![xX][mM][lL])[A-Za-z_][A-Za-z0-9_.-]*\Z")
_NO_NAME_START = r"\A[^A-Za-z_\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff]"
_NO_NAME = r"[^A-Za-z0-9_.\-\xb7\xc0-\xd6\xd8-\xf6\xf8-\u037d\u037f-\u1fff]"
_UNSAFE_IN_ID = re.compile(rf"{_NO_NAME_START}|{_NO_NAME}|_(?=x[0-9A-F]{{4,6}}_)")
_ESCAPED_IN_ID = re.compile("_x([0-9A-F]{4,6})_")
_BEFORE_ELEMENTS = {"<?": "?>", "<!--": "-->", "<!": ">"}


def first_element(head: str) -> str:
    """Return the name of the first element of a document, if there is one in this text."""
    rest = head.lstrip("\ufeff \t\r\n")
    while opening := next((o for o in _BEFORE_ELEMENTS if rest.startswith(o)), None):
        rest = rest.partition(_BEFORE_ELEMENTS[opening])[2].lstrip("]> \t\r\n")
    name = re.match(r"<([\w:.-]+)", rest)
    return name[1] if name else ""


def declaration(encoding: str) -> str:
    """Return the XML declaration. Python and XML have different names for some encodings."""
    name = codecs.lookup(encoding).name.removesuffix("-sig").replace("iso8859", "iso-8859")
    name = re.sub(r"\Acp125", "windows-125", name)
    return f'<?xml version="1.0" encoding="{name.upper()}"?>\n'


def attribute_values(absent: str = "", *, unsafe: str = FORBIDDEN) -> Memo:
    """Return a table from text to attribute values. Empty text is written as `absent`."""
    escape = escaper(unsafe, absent=absent)
    return Memo(lambda text: escape(text).translate(_IN_ATTRIBUTE))


def element_text(text: str) -> str:
    """Return the content of an element. Readers remove blanks around it."""
    return _escape_text(text).translate(_IN_TEXT)


def instruction(keyword: str, *parts: str) -> str:
    """Return a processing instruction. Only the last part may contain blanks."""
    *words, last = parts
    text = " ".join([keyword, *map(_escape_word, words), _escape_instruction(last)])
    return f"<?{TARGET} {text}?>"


def instruction_parts(data: str, count: int) -> list[str]:
    """Return `count` parts of an instruction, after the keyword. Missing parts are empty."""
    parts = data.split(" ", count)[1:]
    return [unescape(part) for part in parts] + [""] * (count - len(parts))


def feature_attributes(
    features: Features, reserved: Collection[str], values: Memo
) -> tuple[str, str]:
    """Return features as attributes, or as instructions if a name cannot be an attribute."""
    attributes, instructions = [], []
    taken = set(reserved)
    for name, value in features:
        if name not in taken and _ATTRIBUTE_NAME.match(name):
            taken.add(name)
            attributes.append(f' {name}="{values[value]}"')
        else:
            instructions.append(instruction("feature", name, value))
    return "".join(attributes), "".join(instructions)


def encode_id(text: str) -> str:
    """Return an XML name for any text that is not empty. Other characters become `_xHHHH_`.

    >>> encode_id("cdb/12")
    'cdb_x002F_12'
    """
    return _UNSAFE_IN_ID.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def decode_id(name: str) -> str:
    """Return the text of a name that `encode_id` made.

    >>> decode_id("cdb_x002F_12")
    'cdb/12'
    """
    return _ESCAPED_IN_ID.sub(_character, name) if "_x" in name else name


def _character(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return chr(code) if code <= 0x10FFFF else match[0]
