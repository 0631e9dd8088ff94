"""The core reads and writes plain trees exactly as the Python code does, errors included."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from crossbranch import _core
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS, discbracket, export, export_reader, jsonlines, read
from crossbranch.treebank.format import Format

NAMES = ("discbracket", "export", "export3", "json")
SIGNS = (
    "",
    " ",
    "\t",
    "\n",
    "(",
    ")",
    "#",
    "5",
    "0",
    "0=",
    "%%",
    "--",
    "\x00",
    '"',
    "\\",
    ",",
    "]",
)
INSERTED = st.sampled_from(SIGNS)


class _Refusing:
    """Takes the place of the core: everything is left to the Python code."""

    def discbracket(self, *_: object) -> None:
        return None

    def export_rows(self, *_: object, **__: object) -> None:
        return None

    def json(self, *_: object) -> None:
        return None


@contextmanager
def without_core() -> Iterator[None]:
    """Read and write with Python code only."""
    with (
        patch.object(discbracket, "_plain_reader", _Refusing()),
        patch.object(discbracket, "_plain_writer", _Refusing()),
        patch.object(export, "_plain_writer", _Refusing()),
        patch.object(export_reader, "_plain_reader", _Refusing()),
        patch.object(jsonlines, "_plain_reader", _Refusing()),
        patch.object(jsonlines, "_plain_writer", _Refusing()),
    ):
        yield


def all_of(text: str, name: str) -> tuple[list[Tree], list[str]]:
    """Return the trees of a text and the messages about bad sentences."""
    messages: list[str] = []
    stream = io.BytesIO(text.encode("utf-8", "surrogatepass"))
    found = read(
        stream,
        format=name,
        encoding="utf-8",
        on_error="skip",
        report=lambda error: messages.append(str(error)),
    )
    return list(found), messages


def both(action: Callable[[], object]) -> tuple[object, object]:
    """Return the results with and without the core."""
    with_core = action()
    with without_core():
        return with_core, action()


def text_of(format: Format, tree: Tree) -> str:
    """Return a treebank with this tree twice."""
    body = format.write_tree(tree, 1) + format.write_tree(tree.replace(id=""), 2)
    start = "#FORMAT 4\n" if format.name == "export" else "#FORMAT 3\n"
    return (start if format.name.startswith("export") else "") + body


@given(tree=trees(), name=st.sampled_from(NAMES))
def test_trees_are_written_the_same(tree: Tree, name: str) -> None:
    one, other = both(lambda: text_of(FORMATS[name], tree))
    assert one == other


@given(tree=trees(), name=st.sampled_from(NAMES))
def test_trees_are_read_the_same(tree: Tree, name: str) -> None:
    text = text_of(FORMATS[name], tree)
    one, other = both(lambda: all_of(text, name))
    assert one == other


@given(tree=trees(), name=st.sampled_from(NAMES), inserted=INSERTED, data=st.data())
def test_damaged_text_is_read_the_same(
    tree: Tree, name: str, inserted: str, data: st.DataObject
) -> None:
    text = text_of(FORMATS[name], tree)
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, min(start + 3, len(text))))
    damaged = text[:start] + inserted + text[stop:]
    one, other = both(lambda: all_of(damaged, name))
    assert one == other


@given(tree=trees())
def test_nodes_are_counted(tree: Tree) -> None:
    nodes = tree.nodes
    assert _core.count_nodes(tree.root) == (
        len(nodes),
        sum(bool(node.edge_label) for node in nodes),
        sum(node.head is not None for node in nodes),
        sum(bool(node.features) for node in nodes),
    )


def test_plain_trees_are_left_to_the_core() -> None:
    """Otherwise the tests above would compare Python with Python."""
    line = "(S (VP (WP 0=What) (VB 3=do)) (SQ (MD 1=should) (NP (PRP 2=I))))"
    with patch.object(discbracket, "read_carefully", side_effect=AssertionError):
        (tree,), _ = all_of(line + "\n", "discbracket")
    with (
        patch.object(discbracket, "write_carefully", side_effect=AssertionError),
        patch.object(export, "write_rows_carefully", side_effect=AssertionError),
    ):
        assert FORMATS["discbracket"].write_tree(tree, 1) == line + "\n"
        text = "#FORMAT 4\n" + FORMATS["export"].write_tree(tree, 1)
    careful = patch.object(export_reader._Sentence, "tree_read_carefully", None)
    with careful:
        (again,), _ = all_of(text, "export")
    assert again.sentence == tree.sentence


def test_json_is_left_to_the_core() -> None:
    line = (
        '{"id":"1","text":"What I \\"do\\"","tokens":[{"form":"What","tag":"WP","start":0,"end":4},'
        '{"form":"I","start":5,"end":6},{"form":"\\"do\\"","lemma":"do","edge_label":"HD"}],'
        '"nodes":[{"label":"S","children":[4,1]},{"label":"VP","children":[0,2],"head":1}],'
        '"comments":["a","é"]}\n'
    )
    with patch.object(jsonlines, "read_record", side_effect=AssertionError):
        (tree,), messages = all_of(line, "json")
    assert not messages
    assert tree.root.children[0].head == 1  # type: ignore[union-attr]
    assert tree.sentence[1].start == 5
    with patch.object(jsonlines, "write_carefully", side_effect=AssertionError):
        assert FORMATS["json"].write_tree(tree, 1) == line
    with without_core():
        assert all_of(line, "json") == ([tree], [])
        assert FORMATS["json"].write_tree(tree, 1) == line


def test_half_a_surrogate_pair_is_left_to_python() -> None:
    line = "(S 0=\ud800 1=b)"
    tree = discbracket.read_line(line, "1", 0)
    with without_core():
        assert discbracket.read_line(line, "1", 0) == tree
    for name in ("export", "json"):
        format = FORMATS[name]
        one, other = both(lambda format=format: format.write_tree(tree, 1))  # type: ignore[misc]
        assert one == other
