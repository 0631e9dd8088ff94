"""XML that is hostile, broken or strangely encoded, through both formats that are XML."""

from __future__ import annotations

import io
import random
import tracemalloc
from pathlib import Path
from typing import IO, cast

import pytest

from crossbranch.errors import InputError
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS, read, write
from crossbranch.treebank.xml_text import (
    decode_id,
    element_text,
    encode_id,
    first_element,
    instruction,
    instruction_parts,
)

TIGER_SENTENCE = """<s id="s{id}">
<graph root="s{id}_500">
<terminals>
<t id="s{id}_1" word="{word}" pos="NN"/>
</terminals>
<nonterminals>
<nt id="s{id}_500" cat="NP">
<edge label="HD" idref="s{id}_1"/>
</nt>
</nonterminals>
</graph>
</s>
"""
ALPINO_SENTENCE = """<alpino_ds version="1.3" id="{id}">
<node begin="0" cat="top" end="1" id="0" rel="top">
<node begin="0" cat="np" end="1" id="1" rel="--">
<node begin="0" end="1" id="2" pos="noun" rel="hd" word="{word}"/>
</node>
</node>
<sentence>word</sentence>
</alpino_ds>
"""
DOCUMENTS = {
    "tigerxml": ("<corpus>\n<body>\n", TIGER_SENTENCE, "</body>\n</corpus>\n"),
    "alpino": ("<treebank>\n", ALPINO_SENTENCE, "</treebank>\n"),
}
both = pytest.mark.parametrize("name", sorted(DOCUMENTS))


def document(name: str, words: list[str], prolog: str = "") -> str:
    start, sentence, end = DOCUMENTS[name]
    sentences = [sentence.format(id=i, word=word) for i, word in enumerate(words, 1)]
    return prolog + start + "".join(sentences) + end


def words_of(trees: list[Tree]) -> list[str]:
    return [token.form for tree in trees for token in tree.sentence]


def read_text(text: str | bytes, name: str, **options: str) -> list[str]:
    raw = text.encode() if isinstance(text, str) else text
    return words_of(list(read(io.BytesIO(raw), format=name, **options)))  # type: ignore[arg-type]


def read_on(text: str | bytes, name: str) -> tuple[list[str], list[InputError]]:
    """Read what can be read; return the words, and the errors."""
    errors: list[InputError] = []
    raw = text.encode() if isinstance(text, str) else text
    trees = list(read(io.BytesIO(raw), format=name, on_error="skip", report=errors.append))
    return words_of(trees), errors


BOMB = """<!DOCTYPE corpus [
<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
"""


@both
@pytest.mark.parametrize(
    "prolog",
    [
        BOMB,
        '<!DOCTYPE corpus [<!ENTITY c SYSTEM "file:///etc/hostname">]>\n',
        '<!DOCTYPE corpus [<!ENTITY % c SYSTEM "http://localhost/x.dtd"> %c;]>\n',
        '<!DOCTYPE corpus [<!NOTATION n SYSTEM "n"><!ENTITY c SYSTEM "c.gif" NDATA n>]>\n',
    ],
)
def test_entity_declarations_are_refused(name: str, prolog: str) -> None:
    text = document(name, ["&c;", "fine"], prolog)
    with pytest.raises(InputError, match="found an entity declaration"):
        read_text(text, name)
    words, errors = read_on(text, name)
    assert words == ["fine"]
    assert [error.found for error in errors] == [
        "an entity declaration",
        "broken XML (undefined entity)",
    ]


@both
@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE corpus SYSTEM "no-such-file.dtd">\n',
        '<!DOCTYPE corpus PUBLIC "-//x" "http://localhost/x.dtd">\n',
        "<!DOCTYPE corpus [\n<!ELEMENT corpus ANY>\n]>\n",
    ],
)
def test_a_doctype_is_never_fetched(name: str, doctype: str) -> None:
    prolog = f'<?xml version="1.0"?>\n<!-- a > comment -->\n{doctype}'
    assert read_text(document(name, ["a", "b"], prolog), name) == ["a", "b"]
    assert FORMATS[name].looks_like(document(name, ["a"], prolog))
    # Parsers may drop an unknown entity in silence where there is a DTD; that would change a word.
    bad = document(name, ["a", "H&auml;user"], prolog)
    with pytest.raises(InputError, match="undefined entity") as caught:
        read_text(bad, name)
    assert caught.value.line == bad[: bad.index("&auml;")].count("\n") + 1


@both
def test_predefined_entities_and_character_references_are_read(name: str) -> None:
    assert read_text(document(name, ["&lt;&amp;&gt;&quot;&apos;&#228;&#x1F600;"]), name) == [
        "<&>\"'ä\N{GRINNING FACE}"
    ]


@both
@pytest.mark.parametrize(
    ("encoding", "declared", "word"),
    [
        ("iso-8859-1", "ISO-8859-1", "Häuser"),
        ("windows-1250", "windows-1250", "Łódź"),
        ("gb18030", "GB18030", "树"),
        ("utf-16", "UTF-16", "שלום"),
        ("utf-16-le", "UTF-16", "שלום"),
        ("utf-16-be", "UTF-16", "שלום"),
        ("utf-8-sig", "UTF-8", "שלום"),
        ("utf-8", "UTF-16", "שלום"),  # a mistake that is easy to see through
    ],
)
def test_the_declared_encoding_is_used(name: str, encoding: str, declared: str, word: str) -> None:
    prolog = f'<?xml version="1.0" encoding="{declared}"?>\n'
    raw = document(name, [word, "x"], prolog).encode(encoding)
    assert read_text(raw, name) == [word, "x"]


@both
def test_the_given_encoding_wins(name: str) -> None:
    raw = document(name, ["Häuser"], '<?xml version="1.0" encoding="UTF-8"?>\n').encode("latin-1")
    assert read_text(raw, name, encoding="iso-8859-1") == ["Häuser"]
    with pytest.raises(InputError, match="well-formed XML in utf-8"):
        read_text(raw, name)


@both
@pytest.mark.parametrize("encoding", ["no-such-encoding", "hex", "undefined"])
def test_a_strange_encoding_is_an_error(name: str, encoding: str) -> None:
    raw = document(name, ["a"], f'<?xml version="1.0" encoding="{encoding}"?>\n').encode()
    with pytest.raises(InputError, match=encoding):
        read_text(raw, name)


@both
@pytest.mark.parametrize(
    ("encoding", "bad"), [("utf-8", b"\xe4"), ("ascii", b"\xe4"), ("shift_jis", b"\x81\x20")]
)
def test_bytes_outside_the_encoding_cost_one_sentence(name: str, encoding: str, bad: bytes) -> None:
    prolog = f'<?xml version="1.0" encoding="{encoding}"?>\n'
    raw = document(name, ["a", "BAD", "c"], prolog).encode()
    line = raw[: raw.index(b"BAD")].count(b"\n") + 1
    words, errors = read_on(raw.replace(b"BAD", bad), name)
    assert words == ["a", "c"]
    assert [(error.line, error.sentence) for error in errors] == [(line, "2")]


BREAKAGES = [
    ("no end tag", lambda text: text[: text.rindex("</")]),
    ("no start tag", lambda text: text[text.index(">") + 1 :]),
    ("an open quote", lambda text: text.replace('word="', "word=", 1)),
    ("a cut in the middle", lambda text: text[: text.index("word=")]),
    ("a stray <", lambda text: text.replace("</", "<</", 1)),
    ("a stray &", lambda text: text.replace('word="', 'word="&', 1)),
    ("an open comment", lambda text: text.replace(">\n", ">\n<!--", 1)),
    ("an open CDATA section", lambda text: text.replace(">\n", ">\n<![CDATA[", 1)),
    ("an open instruction", lambda text: text.replace(">\n", ">\n<?x", 1)),
    ("an attribute twice", lambda text: text.replace(" word=", ' word="" word=', 1)),
    ("a control character", lambda text: text.replace('word="', 'word="\x01', 1)),
    ("the end of all", lambda text: text.replace(">\n", ">\n</corpus></treebank>", 1)),
]


@both
@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda breakage: breakage[0])
@pytest.mark.parametrize("broken", [1, 2, 40, pytest.param(5999, marks=pytest.mark.no_cover)])
def test_broken_xml_costs_one_sentence(name: str, breakage: tuple, broken: int) -> None:  # type: ignore[type-arg]
    count = 40 if broken <= 40 else 6000  # the latter is longer than one chunk of the source
    words = [f"w{i}" for i in range(1, count + 1)]
    text = document(name, words)
    sentence = DOCUMENTS[name][1].format(id=broken, word=f"w{broken}")
    place = text.index(sentence)
    damaged = text[:place] + breakage[1](sentence) + text[place + len(sentence) :]
    with pytest.raises(InputError) as caught:
        read_text(damaged, name)
    assert caught.value.line is not None
    found, errors = read_on(damaged, name)
    assert found == [word for word in words if word != f"w{broken}"]
    assert 1 <= len(errors) <= 2
    assert caught.value.line == errors[0].line
    if breakage[0] in ("a stray &", "a control character", "an attribute twice"):
        assert errors[0].line == text[: text.index(f'"w{broken}"')].count("\n") + 1
        assert errors[0].sentence == str(broken)


@both
def test_lines_are_right_after_broken_xml(name: str) -> None:
    text = document(name, ["a", "&", "c", "&", "e"])
    lines = [number for number, line in enumerate(text.split("\n"), 1) if '"&"' in line]
    words, errors = read_on(text, name)
    assert words == ["a", "c", "e"]
    assert [error.line for error in errors] == lines


@both
def test_every_truncation_is_an_error_and_keeps_what_was_complete(name: str) -> None:
    raw = document(name, ["a", "b", "c"]).encode()
    end = b"</s>" if name == "tigerxml" else b"</alpino_ds>"
    for size in range(len(raw.rstrip())):
        with pytest.raises(InputError) as caught:
            read_text(raw[:size], name)
        assert caught.value.line is not None
        words, errors = read_on(raw[:size], name)
        assert words == ["a", "b", "c"][: raw[:size].count(end)]
        assert len(errors) == 1


@both
@pytest.mark.parametrize("raw", [b"", b"\0\1\2", b"PK rubbish", b"<", b"<a", b"\xff\xfe", b"a b c"])
def test_rubbish_is_an_error(name: str, raw: bytes) -> None:
    with pytest.raises(InputError, match="XML"):
        read_text(raw, name)
    assert not FORMATS[name].looks_like(raw.decode("latin-1"))


@both
def test_another_kind_of_xml_is_an_error(name: str) -> None:
    with pytest.raises(InputError, match="found <html>, expected <"):
        read_text("<html><body/></html>", name)


@both
def test_an_empty_treebank_is_none(name: str) -> None:
    assert read_text(document(name, []), name) == []


@both
@pytest.mark.no_cover  # which would double its time
def test_reading_takes_constant_memory(name: str) -> None:
    start, sentence, end = (part.encode() for part in DOCUMENTS[name])
    total = 10_000

    class Stream(io.RawIOBase):
        """A file that is made while it is read."""

        left = total
        rest = start

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
            while len(self.rest) < len(buffer) and self.left >= 0:
                self.rest += sentence if self.left else end
                self.left -= 1
            size = min(len(buffer), len(self.rest))
            buffer[:size], self.rest = self.rest[:size], self.rest[size:]
            return size

    tracemalloc.start()
    try:
        count = sum(1 for _ in read(cast("IO[bytes]", Stream()), format=name))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == total
    assert peak < 2_000_000 < total * len(sentence)


@pytest.mark.parametrize(
    ("name", "file"),
    [("tigerxml", "tiger-squoia-lai.xml"), ("alpino", "alpino-single-file.xml")],
)
def test_real_files_with_one_damage_lose_one_sentence(shared: Path, name: str, file: str) -> None:
    raw = (shared / "treebanks" / "originals" / file).read_bytes()
    whole = list(read(io.BytesIO(raw), format=name))
    tag = {"tigerxml": b"</s>", "alpino": b"</alpino_ds>"}[name]
    chance = random.Random(7)
    for _ in range(40):
        damaged = bytearray(raw)
        first = raw.index(tag)
        place = chance.randrange(first, len(raw) - 100)
        damaged[place : place + chance.randrange(20)] = chance.choice(
            [b"", b"<", b'"', b"&", b"\xff", b"<!--", tag, b"<![CDATA["]
        )
        errors: list[InputError] = []
        read_back = set(
            read(io.BytesIO(bytes(damaged)), format=name, on_error="skip", report=errors.append)
        )
        hit = raw[:place].count(tag)
        safe = [tree for i, tree in enumerate(whole) if abs(i - hit) > 1]
        assert [tree for tree in safe if tree not in read_back] == []
        assert all(error.line for error in errors)


def test_ids_are_names() -> None:
    for text in [
        "cdb/12",
        "a b",
        "12",
        "-x",
        "_x002F_",
        "_x_",
        "é",
        "\N{GRINNING FACE}",
        "a:b",
        "_",
    ]:
        name = encode_id(text)
        assert decode_id(name) == text
        assert not set(name) & set(" /:<>&\"'")
        assert not name[0].isdecimal()
    assert decode_id("_xD800_") == "\ud800"  # halves of surrogate pairs come back, too
    assert decode_id("_x110000_") == "_x110000_"  # there is no such character


def test_instructions_keep_their_parts() -> None:
    for parts in [("name", "value"), ("a b", ""), ("", " x "), ("?>", "a?>b?"), ("\n", "a\tb\0")]:
        text = instruction("feature", *parts)
        assert text.startswith("<?crossbranch feature ")
        assert text.count("?>") == 1
        data = text.removeprefix("<?crossbranch ").removesuffix("?>")
        assert tuple(instruction_parts(data, 2)) == parts
    assert instruction_parts("feature", 2) == ["", ""]


def test_text_keeps_its_blanks() -> None:
    assert element_text(" a b\r\n") == "&amp;#x20;a b&#13;&amp;#xa;"


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("<a/>", "a"),
        ("\ufeff<?xml version='1.0'?>\n<!-- <b> --><!DOCTYPE a [<!ELEMENT a ANY>]>\n<a x=''>", "a"),
        ("<?xml version='1.0'?>", ""),
        ("<?" * 5000, ""),
        ("text <a/>", ""),
    ],
)
def test_the_first_element_is_found(head: str, name: str) -> None:
    assert first_element(head) == name


@both
@pytest.mark.parametrize(
    ("encoding", "declared"),
    [
        ("utf-8", "UTF-8"),
        ("latin-1", "ISO-8859-1"),
        ("cp1250", "WINDOWS-1250"),
        ("utf-16", "UTF-16"),
        ("utf-8-sig", "UTF-8"),
        ("ascii", "ASCII"),
    ],
)
def test_writers_declare_the_encoding(name: str, encoding: str, declared: str) -> None:
    trees = list(read(io.BytesIO(document(name, ["Häuser", "树", "Łódź"]).encode()), format=name))
    stream = io.BytesIO()
    write(trees, stream, format=name, encoding=encoding)
    text = stream.getvalue().decode(encoding)
    assert text.startswith(f'<?xml version="1.0" encoding="{declared}"?>\n<')
    assert list(read(io.BytesIO(stream.getvalue()), format=name)) == trees


@both
def test_writers_make_well_formed_documents_of_nothing(name: str) -> None:
    stream = io.StringIO()
    write([], stream, format=name)
    assert read_text(stream.getvalue(), name) == []
    assert read_text(stream.getvalue(), name) == list(read(io.BytesIO(stream.getvalue().encode())))
