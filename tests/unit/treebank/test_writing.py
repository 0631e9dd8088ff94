"""Writing: losses are counted, nothing written is lost, words are never reordered."""

from __future__ import annotations

import gzip
import io
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from crossbranch.errors import (
    CrossbranchError,
    InputError,
    LossError,
    LossWarning,
    TransformError,
    UsageError,
)
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank import FORMATS, Header, read, write
from crossbranch.treebank.format import count_losses


def plain(id: str = "1") -> Tree:
    return Tree([Token("a", "T"), Token("b", "T")], Node(ROOT, [Node("S", [0, 1])]), id=id)


def crossing(id: str = "1") -> Tree:
    words = [Token(w, "T", "lemma") for w in "abc"]
    return Tree(words, Node(ROOT, [Node("S", [Node("X", [0, 2]), 1])]), id=id)


def rich() -> Tree:
    """A tree with two of everything that can get lost."""
    token = Token("a", "T", "l", "m", "e", (("comment", "c"), ("genus", "g")))
    s = Node("S", [0, 1], edge_label="E", head=0, features=(("x", "1"),))
    root = Node(ROOT, [s], edge_label="R", head=0, features=(("comment", "2"),))
    return Tree(
        [token, token],
        root,
        id="s1",
        secondary_edges=[SecondaryEdge("X", 0, 3), SecondaryEdge("Y", 0, 1)],
        comments=["c", "d"],
        features=(("editor", "e"), ("new", "n")),
    )


@pytest.mark.parametrize(
    ("format", "losses"),
    [
        ("json", {}),
        (
            "export",
            {
                "heads": 2,
                "secondary edges": 1,
                "token features": 2,
                "node features": 1,
                "tree features": 1,
                "features of the root": 2,
            },
        ),
        (
            "tokens",
            {
                "tags": 2,
                "lemmas": 2,
                "morphology": 2,
                "edge labels": 4,
                "heads": 2,
                "secondary edges": 2,
                "ids": 1,
                "comments": 2,
                "constituents": 1,
                "token features": 4,
                "node features": 2,
                "tree features": 2,
            },
        ),
    ],
)
def test_losses_are_counted_returned_and_warned_about(format: str, losses: dict[str, int]) -> None:
    assert count_losses(rich(), FORMATS[format]) == losses
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = write([rich(), rich()], io.StringIO(), format=format)
    assert found == {part: 2 * count for part, count in losses.items()}
    assert [str(w.message) for w in caught] == ([str(LossWarning(format, found))] if losses else [])
    assert all(w.filename == __file__ for w in caught)  # the place of the call
    if losses:
        with pytest.raises(LossError, match=f"sentence s1: {format} cannot hold"):
            write([rich()], io.StringIO(), format=format, strict=True)


def test_a_bare_root_counts_as_a_constituent() -> None:
    tree = Tree([Token("a")], Node("S", [0]))
    assert count_losses(tree, FORMATS["tokens"]) == {"constituents": 1}
    assert count_losses(tree, FORMATS["json"]) == {}
    assert sum(count_losses(tree, FORMATS["export"]).values()) == 1


def test_places_in_the_raw_text_are_counted() -> None:
    words = [Token("a", "T", start=3, end=4), Token("b", "T", start=5, end=6), Token("c", "T")]
    tree = Tree(words, Node(ROOT, [Node("S", [0, 1, 2])]), id="1", text="a b")
    for name, format in FORMATS.items():
        known = {} if name in ("json", "conllu") else {"offsets": 2, "texts": 1}
        lost = count_losses(tree, format)
        assert {part: lost[part] for part in ("offsets", "texts") if part in lost} == known
        assert not {"offsets", "texts"} & count_losses(plain(), format).keys()


def test_conllu_knows_a_text_by_the_places_of_its_words() -> None:
    tree = plain().replace(text="a b")
    assert count_losses(tree, FORMATS["conllu"]) == {"texts": 1}
    assert count_losses(tree, FORMATS["json"]) == {}


def test_headers_are_counted_as_well(tmp_path: Path) -> None:
    header = Header(comments=("c",))
    with pytest.warns(LossWarning, match="dropped: 1 headers"):
        assert write([], io.StringIO(), format="bracket", header=header) == {"headers": 1}
    path = tmp_path / "a.mrg"
    with pytest.raises(LossError, match="the header: bracket cannot hold 1 headers"):
        write([], path, header=header, strict=True)
    assert not path.exists()


def test_words_are_never_reordered() -> None:
    target = io.StringIO()
    with pytest.raises(TransformError, match="sentence 2: bracket cannot hold crossing branches"):
        write([plain(), crossing("2"), plain("3")], target, format="bracket")
    assert target.getvalue().count("\n") == 1  # the first is written


def test_what_cannot_be_written_can_be_skipped() -> None:
    problems: list[CrossbranchError] = []
    target = io.StringIO()
    with pytest.warns(LossWarning, match="dropped: 2 ids"):  # and none of the skipped tree
        write(
            [plain("a"), crossing("b"), plain("c")],
            target,
            format="bracket",
            on_error="skip",
            report=problems.append,
        )
    assert target.getvalue().count("\n") == 2
    assert [type(problem) for problem in problems] == [TransformError]


def test_skipping_needs_no_listener() -> None:
    target = io.StringIO()
    write([crossing(), plain("2")], target, format="bracket", on_error="skip")
    assert target.getvalue().count("\n") == 1


def test_an_id_that_is_only_the_number_is_no_loss() -> None:
    assert write([plain(), plain("2")], io.StringIO(), format="bracket") == {}
    with pytest.warns(LossWarning, match="dropped: 1 ids"):
        write([plain(), plain("3")], io.StringIO(), format="bracket")


def test_wrong_calls(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown format 'word'"):
        write([], io.StringIO(), format="word")
    with pytest.raises(UsageError, match="cannot recognise the format by the name"):
        write([], io.StringIO())
    with pytest.raises(UsageError, match=r"cannot recognise the format by the name 'a\.docx'"):
        write([], tmp_path / "a.docx")
    with pytest.raises(UsageError, match="expected 'stop' or 'skip'"):
        write([], io.StringIO(), format="export", on_error="never")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="unknown encoding"):
        write([], tmp_path / "a.export", encoding="klingon")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format", ["export", "tigerxml", "alpino", "json"])
def test_an_error_on_the_way_leaves_a_well_formed_file(format: str, tmp_path: Path) -> None:
    def failing() -> Iterator[Tree]:
        yield plain()
        yield plain("2")
        raise InputError("rubbish", "a tree")

    path = tmp_path / "a.gz"
    with pytest.raises(InputError, match="rubbish"):
        write(failing(), path, format=format)
    assert [tree.id for tree in read(path)] == ["1", "2"]


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz", ".zip"])
def test_compressed_files_are_told_by_their_names(suffix: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.export{suffix}" for name in ("a", "b")]
    for path in paths:
        write([plain()], str(path))
        assert list(read(path)) == [plain()]
    if suffix != ".zip":  # whose member has the name
        assert paths[0].read_bytes() == paths[1].read_bytes()


def test_open_files_tell_the_format_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.export"
    with path.open("w", encoding="utf-8") as stream:
        write([plain()], stream)
    assert list(read(path)) == [plain()]


def test_other_encodings(tmp_path: Path) -> None:
    tree = Tree([Token("Käse č \N{GRINNING FACE}", "T")], Node(ROOT, [0]), id="1")
    for format in ("export", "json", "conllu", "tagged"):
        for encoding in ("iso-8859-1", "ascii", "utf-16"):
            path = tmp_path / f"{format}.{encoding}"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", LossWarning)
                write([tree], path, format=format, encoding=encoding)
            (found,) = read(path, format=format, encoding=encoding)
            assert found.sentence == tree.sentence
            (found,) = read(path)
            assert found.sentence == tree.sentence


def test_trees_without_an_id_are_numbered() -> None:
    target = io.StringIO()
    write([plain(""), plain(""), plain("x")], target, format="export")
    assert [tree.id for tree in read(io.StringIO(target.getvalue()))] == ["1", "2", "x"]


def test_writing_streams(tmp_path: Path) -> None:
    """Each tree is asked for only after the one before has been written."""
    written = io.StringIO()
    sizes: list[int] = []

    def trees() -> Iterator[Tree]:
        for number in range(3):
            sizes.append(len(written.getvalue()))
            yield plain(str(number))

    write(trees(), written, format="export")
    assert sizes == sorted(set(sizes))
    assert len(sizes) == 3


def test_gzip_files_have_no_time_and_no_name_inside(tmp_path: Path) -> None:
    path = tmp_path / "secret-name.export.gz"
    write([plain()], path)
    data = path.read_bytes()
    assert data[4:8] == b"\0\0\0\0"
    assert b"secret" not in data
    assert gzip.decompress(data).startswith(b"#FORMAT 4\n")
