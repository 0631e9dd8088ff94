"""Writing trees in formats that cannot hold their crossing branches."""

from __future__ import annotations

import io
import pickle
import warnings
from collections.abc import Callable

import pytest
from hypothesis import given
from strategies import trees

import crossbranch
import crossbranch.treebank
from crossbranch.conversion import convert, make_continuous, write
from crossbranch.errors import LossError, LossWarning, TransformError, UsageError
from crossbranch.transforms import pipeline
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank import FORMATS, read

CONTINUOUS_ONLY = [name for name, format in FORMATS.items() if not format.holds.crossing_branches]


def tree_of(root: Node, *, id: str = "1") -> Tree:
    """A tree over the letters of the alphabet; the third one is a comma."""
    words = [Token(letter, "$," if letter == "," else "T") for letter in "ab,defgh"]
    return Tree(words[: root.span.bit_length()], root, id=id)


def question() -> Tree:
    """A question with a VP of two equal blocks."""
    words = [Token("What", "WP"), Token("should", "MD"), Token("I", "PRP"), Token("do", "VB")]
    vp = Node("VP", [Node("WHNP", [0]), 3])
    return Tree(words, Node(ROOT, [Node("SBARQ", [vp, Node("SQ", [1, Node("NP", [2])])])]))


COMMA = tree_of(Node(ROOT, [Node("S", [Node("NP", [0, 1]), Node("VP", [3, 4])]), 2]))
MOVED = tree_of(Node(ROOT, [Node("S", [Node("VP", [0, 3, 4]), 1, 2])]))


def text(*trees: Tree, format: str) -> tuple[str, dict[str, int]]:
    stream = io.StringIO()
    with pytest.warns(LossWarning):
        lost = write(trees, stream, format=format)
    return stream.getvalue(), dict(lost)


def test_both_continuous_formats_are_known() -> None:
    assert CONTINUOUS_ONLY == ["bracket", "psd"]


def test_punctuation_below_the_virtual_root_does_not_break_constituents() -> None:
    found, lost = text(COMMA, format="bracket")
    assert found == "( (S (NP (T a) (T b)) ($, ,) (VP (T d) (T e))))\n"
    assert lost == {"discontinuous constituents": 1, "discontinuous trees": 1}


def test_the_largest_block_stays_and_the_rest_moves_up() -> None:
    found, _ = text(MOVED, format="bracket")
    assert found == "( (S (T a) (T b) ($, ,) (VP (T d) (T e))))\n"


def test_the_head_decides_where_it_is_marked() -> None:
    headed = tree_of(Node(ROOT, [Node("S", [Node("VP", [0, 3, 4], head=0), 1, 2])]))
    assert make_continuous(headed).root.children[0].children[0] == Node("VP", [0], head=0)  # type: ignore[union-attr]


def test_head_rules_decide_where_no_head_is_marked() -> None:
    found, lost = text(question(), format="bracket")
    assert found == ("( (SBARQ (WHNP (WP What)) (SQ (MD should) (NP (PRP I))) (VP (VB do))))\n")
    assert "heads" not in lost  # those that rules find are not part of the tree


def test_children_of_other_roots_stay_where_they_are() -> None:
    tree = tree_of(Node("S", [Node("VP", [0, 3]), 1, 2]))
    assert make_continuous(tree) == tree_of(Node("S", [Node("VP", [0]), 1, 2, 3]))


@given(tree=trees())
def test_every_tree_can_be_written(tree: Tree) -> None:
    continuous = make_continuous(tree)
    assert not continuous.is_discontinuous
    assert continuous.sentence == tree.sentence
    if tree.root.label == ROOT and tree.is_discontinuous:
        assert continuous == pipeline("attach | raise(auto)").apply(tree)
    if not tree.is_discontinuous:
        assert continuous is tree
    for name in CONTINUOUS_ONLY:
        stream = io.StringIO()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LossWarning)
            write([tree], stream, format=name)
        (found,) = read(io.BytesIO(stream.getvalue().encode()), format=name)
        assert [t.form for t in found.sentence] == [t.form for t in tree.sentence]


@pytest.mark.parametrize("name", CONTINUOUS_ONLY)
def test_strict_forbids_changes(name: str) -> None:
    with pytest.raises(LossError, match=f"sentence 1: {name} cannot hold .*discontinuous"):
        crossbranch.write([MOVED], io.StringIO(), format=name, strict=True)


def test_one_tree_belongs_into_a_list() -> None:
    with pytest.raises(UsageError, match=r"put it into a list: \[tree\]"):
        write(question(), "tree.export")  # type: ignore[arg-type]


def test_another_transform_may_come_first() -> None:
    split = pipeline("split").apply(MOVED)
    stream = io.StringIO()
    assert not crossbranch.write([split], stream, format="bracket")
    assert stream.getvalue() == "( (S (VP*1 (T a)) (T b) ($, ,) (VP*2 (T d) (T e))))\n"


@pytest.mark.parametrize("function", [write, crossbranch.treebank.write])
def test_the_warning_points_to_the_callers_code(function: Callable[..., object]) -> None:
    with pytest.warns(LossWarning) as caught:
        function([COMMA], io.StringIO(), format="tokens")
    assert [warning.filename for warning in caught] == [__file__]


def test_the_warning_counts_what_was_changed() -> None:
    warning = LossWarning(
        "bracket", {"lemmas": 1200, **text(COMMA, MOVED.replace(id="2"), format="bracket")[1]}
    )
    assert str(warning) == (
        "bracket cannot hold everything; dropped: 1,200 lemmas; made continuous: 2 constituents in"
        " 2 trees (the transform split keeps them in parts)"
    )
    assert "1 constituent in 1 tree (" in str(
        LossWarning("bracket", text(MOVED, format="bracket")[1])
    )
    assert str(pickle.loads(pickle.dumps(warning))) == str(warning)


def test_convert_reads_chooses_transforms_and_writes() -> None:
    source = io.BytesIO(b"(ROOT (S (VP (A 0=a) (A 2=c)) (B 1=b)))\n" * 3 + b"(ROOT 0=x\n")
    target = io.StringIO()
    seen: list[Tree] = []
    lost = convert(
        source,
        target,
        target_format="bracket",
        numbers=[range(1, 3)],
        apply="boyd",
        on_error="skip",
        progress=lambda trees: (seen.append(tree) or tree for tree in trees),  # type: ignore[func-returns-value]
    )
    assert not lost
    assert len(seen) == 2
    assert target.getvalue() == "( (S (VP* (A a)) (B b) (VP* (A c))))\n" * 2
    back = io.StringIO()
    convert(io.BytesIO(target.getvalue().encode()), back, target_format="discbracket", undo="boyd")
    assert back.getvalue() == "(ROOT (S (VP (A 0=a) (A 2=c)) (B 1=b)))\n" * 2


def test_convert_reports_what_transforms_do_not_fit() -> None:
    source = b"(ROOT (S (A 0=a) (A 1=b)))\n(ROOT (S (A 0=a) (A 1=b) (A 2=c)))\n"
    errors: list[Exception] = []
    target = io.StringIO()
    convert(
        io.BytesIO(source),
        target,
        target_format="discbracket",
        apply="binarize(head-outward)",
        on_error="skip",
        report=errors.append,
    )
    assert target.getvalue() == "(ROOT (S (A 0=a) (A 1=b)))\n"
    assert [str(error).startswith("sentence 2: ") for error in errors] == [True]
    with pytest.raises(TransformError, match="sentence 2"):
        convert(
            io.BytesIO(source),
            io.StringIO(),
            target_format="discbracket",
            apply="binarize(head-outward)",
        )
    with pytest.raises(UsageError, match="cannot be undone: attach"):
        convert(io.BytesIO(source), io.StringIO(), target_format="discbracket", undo="attach")
