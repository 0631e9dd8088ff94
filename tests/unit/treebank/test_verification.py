"""What was written is read back and compared; only what was counted as lost may be missing."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path

import pytest

from crossbranch.conversion import convert, write
from crossbranch.errors import VerificationError
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank import FORMATS
from crossbranch.treebank.comparison import compare


def example(id: str = "a/1") -> Tree:
    words = [Token("What", "WP", "what", "Sg", "OA", (("x", "1"),)), Token("do", "VB"), Token("I")]
    vp = Node("VP", [0, 2], edge_label="OC", head=1)
    return Tree(
        words,
        Node(ROOT, [Node("S", [vp, 1], features=(("y", "2"),))]),
        id=id,
        comments=["c"],
        secondary_edges=[SecondaryEdge("SB", 1, 4)],
    )


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.filterwarnings("ignore::crossbranch.errors.LossWarning")
def test_every_format_is_verified(name: str, tmp_path: Path) -> None:
    trees = [example(), example("b"), Tree([], Node(ROOT), id="c")]
    plain, text, data = io.StringIO(), io.StringIO(), io.BytesIO()
    lost = write(trees, plain, format=name)
    for target in (tmp_path / "a.gz", text, data):
        assert write(trees, target, format=name, verify=True) == lost
    assert text.getvalue() == data.getvalue().decode() == plain.getvalue()


def damaged(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """Let the writer of JSON make a mistake."""
    format = type(FORMATS["json"])
    right = format.write_tree

    def wrong(self: object, tree: Tree, number: int) -> str:
        text = right(self, tree, number)  # type: ignore[arg-type]
        return text.replace(old, new) if tree.id == "b" else text

    monkeypatch.setattr(format, "write_tree", wrong)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("What", "Who", "the words are 'Who do I', expected 'What do I'"),
        ('"VP"', '"NP"', r"the constituent .*, expected \(VP/OC 0 2\)"),
        ('"lemma":"what",', "", "1 lemmas are missing, expected 0"),
        ('"what"', '"who"', "lemmas of token 1: 'who', expected 'what'"),
        ('"head":1', '"head":0', "the head of VP is 0, expected 1"),
        ('["c"]', "[]", "1 comments are missing, expected 0"),
        ('"SB"', '"OA"', "SecondaryEdge.* is new"),
        ('"b"', '"x"', "the id is 'x', expected 'b'"),
        ('"tokens"', '"tokenz"', "it cannot be read: .*tokenz"),
        ("\n", "\n\n", ""),
        ('{"id"', '{"header":{"comments":["h"]}}\n{"id"', "the header is not as it was written"),
    ],
)
def test_the_first_difference_is_named(
    old: str, new: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged(monkeypatch, old, new)
    path = tmp_path / "a.jsonl"
    if not message:
        write([example("a"), example("b")], path, verify=True)
        return
    with pytest.raises(VerificationError, match=message) as caught:
        write([example("a"), example("b")], path, verify=True)
    assert str(caught.value).startswith(f"{path}: ")
    assert path.exists()
    stream = io.BytesIO()
    with pytest.raises(VerificationError):
        write([example("a"), example("b")], stream, format="json", verify=True)
    assert not stream.getvalue()  # nothing wrong is handed on


def test_missing_and_new_sentences_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    format = type(FORMATS["json"])
    right = format.write_tree
    monkeypatch.setattr(format, "write_tree", lambda *_: "")
    with pytest.raises(VerificationError, match="sentence a: not as it was written: it is missing"):
        write([example("a")], path, verify=True)
    monkeypatch.setattr(format, "write_tree", lambda *given: right(*given) * 2)
    with pytest.raises(VerificationError, match=r"sentence 2: .* a sentence that was not written"):
        write([example("a")], path, verify=True)


def test_convert_verifies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = tmp_path / "a.jsonl", tmp_path / "b.jsonl.xz"
    write([example("a"), example("b")], source)
    assert convert(source, target, verify=True) == Counter()
    damaged(monkeypatch, "What", "Who")
    with pytest.raises(VerificationError, match="sentence b"):
        convert(source, target, verify=True)


def test_values_of_a_feature_keep_their_order() -> None:
    one = example().replace(features=(("a", "2"), ("a", "1")))
    two = one.replace(features=(("a", "1"), ("a", "2")))
    format = FORMATS["json"]
    assert "in another place" in compare(one, two, format=format, number=1).change
    assert compare(one, one, format=format, number=1).fits(Counter())
