"""The header of export files: version, comments, tables."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import TEXT

from crossbranch.errors import InputError
from crossbranch.treebank import Header, read, write
from crossbranch.treebank.header import HeaderTable, HeaderValue

NEGRA = """\
#FORMAT 3
%% a treebank of our own
#BOT ORIGIN
0\t--\tunknown
1\tnews.txt\tnewspaper
#EOT ORIGIN
#BOT EDITOR
0\t--
7\tann\tAnn Editor
#EOT EDITOR
#BOT WORDTAG
-1\tUNKNOWN\tN\tunknown tag
1\t$,\tY\tcomma
2\tNN\tN
#EOT WORDTAG
#BOT MORPHTAG
#EOT MORPHTAG
#BOT NODETAG
0\tS\tsentence
#EOT NODETAG
#BOT EDGETAG
0\tSB\tsubject
#EOT EDGETAG
#BOT SECEDGETAG
0\tOA\taccusative object
#EOT SECEDGETAG
"""
SENTENCE = "#BOS 1\na\tNN\t--\tSB\t0\n#EOS 1\n"


def header_of(text: str) -> Header:
    return read(io.StringIO(text), format="export").header


def text_of(header: Header) -> str:
    stream = io.StringIO()
    write([], stream, format="export3", header=header)
    return stream.getvalue()


def test_tables() -> None:
    header = header_of(NEGRA + SENTENCE)
    assert header.comments == ("a treebank of our own",)
    assert [table.kind for table in header.tables] == [
        "origin",
        "editor",
        "tag",
        "morphology",
        "label",
        "edge_label",
        "secondary_edge_label",
    ]
    assert header.tables[1].values == (
        HeaderValue("--", "", "0"),
        HeaderValue("ann", "Ann Editor", "7"),
    )
    assert header.tables[2].values[1:] == (
        HeaderValue("$,", "comma", "1", "Y"),
        HeaderValue("NN", "", "2", "N"),
    )


def test_headers_come_out_as_they_went_in() -> None:
    stream = io.StringIO()
    write(read(io.StringIO(NEGRA + SENTENCE)), stream, format="export3")
    assert stream.getvalue() == NEGRA + SENTENCE


def test_tables_padded_with_blanks() -> None:
    header = header_of("#BOT WORDTAG\n0 NN  Y a common noun\n#EOT WORDTAG\n#BOT X\n1  a  b c\n")
    assert header.tables == (
        HeaderTable("tag", (HeaderValue("NN", "a common noun", "0", "Y"),)),
        HeaderTable("X", (HeaderValue("a", "b c", "1"),)),
    )


def test_comments_in_tables_are_comments() -> None:
    header = header_of("#BOT EDGETAG\n%% functions\n0\tSB\tsubject\n#EOT EDGETAG\n%% end\n")
    assert header.comments == ("functions", "end")
    assert header.tables == (HeaderTable("edge_label", (HeaderValue("SB", "subject", "0"),)),)


@pytest.mark.parametrize(
    "text",
    [
        "#BOT EDGETAG\n0\tSB\n#BOT NODETAG\n0\tS\n#EOT NODETAG\n",
        "#BOT EDGETAG\n0\tSB\n\n#EOT\n#BOT NODETAG\n0\tS\n",
    ],
)
def test_tables_whose_end_is_missing(text: str) -> None:
    assert header_of(text + SENTENCE).tables == (
        HeaderTable("edge_label", (HeaderValue("SB", "", "0"),)),
        HeaderTable("label", (HeaderValue("S", "", "0"),)),
    )


def test_values_without_numbers_are_numbered() -> None:
    tables = (
        HeaderTable("tag", (HeaderValue("NN", "noun"), HeaderValue("VB"))),
        HeaderTable("label", (HeaderValue("S"),)),
    )
    found = header_of(text_of(Header(tables=tables)))
    assert found.tables == (
        HeaderTable("tag", (HeaderValue("NN", "noun", "0", "N"), HeaderValue("VB", "", "1", "N"))),
        HeaderTable("label", (HeaderValue("S", "", "0"),)),
    )


def test_an_empty_header_is_one_line() -> None:
    assert text_of(Header()) == "#FORMAT 3\n"


LINE = TEXT | st.sampled_from(["%%", "#EOT", "a b", " x ", "\t", "two\nlines", "&#x20;", ""])
NUMBER = st.integers(-1, 999).map(str)


@given(
    st.lists(LINE, max_size=3),
    st.lists(st.tuples(LINE, LINE), max_size=3),
    st.lists(
        st.builds(
            HeaderTable,
            st.sampled_from(["tag", "label", "origin", "T:case", "two words", "Ökonomie", ""]),
            st.lists(st.builds(HeaderValue, LINE, LINE, NUMBER, st.just("")), max_size=3).map(
                tuple
            ),
        ),
        max_size=3,
    ),
)
def test_every_header_survives(
    comments: list[str], meta: list[tuple[str, str]], tables: list[HeaderTable]
) -> None:
    flagged = tuple(
        table._replace(values=tuple(value._replace(flag="Y") for value in table.values))
        if table.kind == "tag"
        else table
        for table in tables
    )
    header = Header(tuple(comments), tuple(meta), flagged)
    assert header_of(text_of(header)) == header
    assert header_of(text_of(header) + SENTENCE) == header


def test_rubbish_gives_one_complaint() -> None:
    problems: list[InputError] = []
    text = "#FORMAT 3\nrubbish\nmore\n\n%% fine\n" + SENTENCE
    reader = read(io.StringIO(text), format="export", on_error="skip", report=problems.append)
    assert len(list(reader)) == 1
    assert [problem.line for problem in problems] == [2]
    assert reader.header.comments == ("fine",)
