"""Plain text: one sentence a line, tokens with or without tags."""

from __future__ import annotations

import io
import warnings

import pytest

from crossbranch.errors import InputError, LossWarning
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank import FORMATS, read, write


def flat(*tokens: Token, id: str = "1") -> Tree:
    return Tree(tokens, Node(ROOT, range(len(tokens))), id=id)


def parse(text: str, format: str) -> list[Tree]:
    return list(read(io.StringIO(text), format=format))


def text_of(format: str, *trees: Tree) -> str:
    stream = io.StringIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LossWarning)
        write(trees, stream, format=format)
    return stream.getvalue()


def test_tokens() -> None:
    trees = parse("What should\tI   do\n  \n\n a/b \n", "tokens")
    assert trees == [
        flat(*map(Token, ["What", "should", "I", "do"])),
        flat(id="2"),
        flat(id="3"),
        flat(Token("a/b"), id="4"),
    ]
    assert text_of("tokens", *trees) == "What should I do\n\n\na/b\n"


@pytest.mark.parametrize(
    ("word", "form", "tag"),
    [
        ("cat/NN", "cat", "NN"),
        ("1/2/CD", "1/2", "CD"),
        ("//SYM", "/", "SYM"),
        ("cat", "cat", ""),
        ("/", "/", ""),
        ("and/", "and/", ""),
        ("/or", "/or", ""),
    ],
)
def test_the_last_slash_separates_the_tag(word: str, form: str, tag: str) -> None:
    (tree,) = parse(word, "tagged")
    assert tree.sentence == (Token(form, tag),)
    assert parse(text_of("tagged", tree), "tagged") == [tree]


@pytest.mark.parametrize(
    ("token", "tokens", "tagged"),
    [
        (Token("two words", "N"), "two&#x20;words", "two&#x20;words/N"),
        (Token("", ""), "&#x;", "&#x;"),
        (Token("", "N"), "&#x;", "&#x;/N"),
        (Token("a/b", ""), "a/b", "a&#x2f;b"),
        (Token("a", "V/N"), "a", "a/V&#x2f;N"),
        (Token("\u00a0", "x y"), "\u00a0", "\u00a0/x&#x20;y"),
        (Token("\n\r\x00"), "&#xa;&#xd;&#x0;", "&#xa;&#xd;&#x0;"),
    ],
)
def test_escapes(token: Token, tokens: str, tagged: str) -> None:
    assert text_of("tokens", flat(token)) == f"{tokens}\n"
    assert text_of("tagged", flat(token)) == f"{tagged}\n"
    assert parse(tokens, "tokens") == [flat(Token(token.form))]
    assert parse(tagged, "tagged") == [flat(token)]


def test_bad_bytes_cost_one_line() -> None:
    data = "ä\nö\nbad \n".encode().replace(b"bad ", b"\xff") + "ü\n".encode()
    for format in ("tokens", "tagged"):
        with pytest.raises(InputError, match="<stream>:3: found the byte 0xff"):
            list(read(io.BytesIO(data), format=format))
        trees = list(read(io.BytesIO(data), format=format, on_error="skip"))
        assert [tree.id for tree in trees] == ["1", "2", "4"]


@pytest.mark.parametrize(
    ("text", "tagged", "tokens"),
    [
        ("a/X b/Y\n", True, True),
        ("a/X b/Y\nc/Z", True, True),
        ("a/X b/Y", True, True),
        ("a/X b\n", False, True),
        ("a/X /b\n", False, True),
        ("a/X b/\n", False, True),
        ("", False, True),
        ("\n \n", False, True),
        ("a/X\x00\n", False, False),
        ("\x02", False, False),
    ],
)
def test_what_looks_like_text(text: str, tagged: bool, tokens: bool) -> None:
    assert FORMATS["tagged"].looks_like(text) is tagged
    assert FORMATS["tokens"].looks_like(text) is tokens
