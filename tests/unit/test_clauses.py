"""Clauses: their records, their tables, and the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import crossbranch
from hypothesis import given
from strategies import trees

from crossbranch.clauses.rules import ROLES, SETTINGS, load_clause_table, parse_table
from crossbranch.constituent import Constituent, Word
from crossbranch.errors import InputError, TreeError
from crossbranch.transforms.head_choice import SHIPPED
from crossbranch.transforms.head_table import HeadItem
from crossbranch.tree import ROOT, Node, Token, Tree

RAW = "Oh. The cat saw me."


def placed() -> Tree:
    words = [
        ("The", "DT", 4),
        ("cat", "NN", 8),
        ("saw", "VBD", 12),
        ("me", "PRP", 16),
        (".", ".", 18),
    ]
    sentence = [Token(w, tag, start=start, end=start + len(w)) for w, tag, start in words]
    vp = Node("VP", [2, Node("NP", [3])])
    return Tree(sentence, Node(ROOT, [Node("S", [Node("NP", [0, 1]), vp, 4])]), text=RAW[4:])


def test_a_clause_knows_its_parts_and_their_places() -> None:
    (clause,) = placed().clauses()
    assert str(clause) == "The cat | saw | me"
    assert clause.text == "The cat saw me."
    assert isinstance(clause.subject, Constituent)
    assert isinstance(clause.verb, Word)
    found = clause.to_dict()
    assert json.loads(json.dumps(found)) == found
    assert found["subject"] == {
        "text": "The cat",
        "label": "NP",
        "function": "",
        "tokens": [0, 1],
        "offsets": [[4, 11]],
    }
    assert found["verb"]["offsets"] == [[12, 15]]
    assert (found["predicate"], found["is_passive"]) == ("saw", False)
    assert [part["text"] for part in found["objects"]] == ["me"]
    assert found["modifiers"] == []


def test_words_in_their_place() -> None:
    tree = placed()
    word = Word(tree, 3)
    assert (word.text, word.label, word.function, word.tokens, word.words) == (
        "me",
        "PRP",
        "",
        [3],
        ["me"],
    )
    assert (word.head_word, word.head_token, str(word)) == ("me", 3, "me")
    assert (word.offsets, word.parent.label) == ([(16, 18)], "NP")
    assert repr(word) == "<Word PRP: me>"
    assert word == Word(placed(), 3)
    assert word != Word(tree, 2)
    assert word != "me"
    assert len({word, Word(placed(), 3)}) == 1
    without = Word(Tree.from_string("(S (A a) (B b))"), 1)
    assert (without.text, without.offsets) == ("b", [])


def test_labels_that_no_table_knows_are_an_error() -> None:
    with pytest.raises(TreeError, match="sentence s: clauses can only be found with labels in the"):
        Tree.from_string("(@@ (@ a) (@ b))").replace(id="s").clauses()
    with pytest.raises(TreeError, match="the root has the label 'SENT'"):
        Tree.from_string("(SENT (VN (V dort)) (NP (DET le) (NC chat)))").clauses()


def test_a_tree_without_constituents_has_no_clauses() -> None:
    assert Tree([Token("Ja"), Token(".")], Node(ROOT, [0, 1])).clauses() == []


@given(trees(rich=False, min_size=1))
def test_every_verb_is_the_main_verb_of_some_clause_or_an_auxiliary(tree: Tree) -> None:
    verbs = tree.replace(sentence=[token._replace(tag="VBD") for token in tree.sentence])
    clauses = verbs.clauses()
    seen = {word.index for c in clauses for word in (c.verb, *c.auxiliaries)}
    below = {t for node in tree.nodes if node.label in ("S", "VP") for t in node.children}
    assert seen == {t for t in below if isinstance(t, int)}


# --- tables


def test_the_tables_that_ship_are_whole() -> None:
    for name in SHIPPED:
        table = load_clause_table(name)
        assert (table is None) == (name == "french")
        if table is not None:
            assert {"subject", "object", "modifier"} <= {rule.what for rule in table.roles}


@pytest.mark.parametrize(
    ("line", "found", "expected"),
    [
        ("subject all *", "3 columns", "4 columns"),
        ("subjekt all * NP", "'subjekt'", "one of subject"),
        ("subject some * NP", "'some'", "one of all"),
        ("subject all * a/b/c", "'a/b/c'", "LABEL"),
        ("words verbs be", "'verbs'", "one of auxiliary"),
    ],
)
def test_errors_in_a_table_name_the_line(line: str, found: str, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_table(f"# a comment\n{line}\n", "my.clauses")
    assert str(caught.value).startswith("my.clauses:2: ")
    assert found in caught.value.found
    assert expected in caught.value.expected


def test_words_of_a_table_ignore_case() -> None:
    table = parse_table("words copula be\nwords copula Is\nclause all * S")
    assert table.has_word("copula", "IS")
    assert table.has_word("copula", "Be")
    assert not table.has_word("negation", "not")
    assert table.rule("clause", HeadItem("S-TPC", ""), HeadItem("", "")) is not None
    assert table.rule("verb", HeadItem("V", ""), HeadItem("", "")) is None
    assert not set(ROLES) & set(SETTINGS)


# --- the command


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "in.mrg"
    path.write_text(
        "(S (NP (PRP She)) (VP (VBD gave) (NP (PRP him)) (NP (DT a) (NN book))))\n"
        "(S (NP (PRP It)) (VP (VBD was) (RB n't) (VP (VBN seen))))\n",
        encoding="utf-8",
    )
    return path


def test_the_table_of_clauses(treebank: Path) -> None:
    out, _ = crossbranch("clauses", treebank)
    rows = [line.split() for line in out.splitlines()]
    assert rows[0][:3] == ["sentence", "subject", "predicate"]
    assert rows[1:] == [
        ["1", "She", "gave", "a", "book", "him"],
        ["2", "It", "was", "seen", "[n't]"],
    ]


def test_csv_and_json(treebank: Path) -> None:
    out, _ = crossbranch("clauses", treebank, "--csv", "--number", "1")
    assert out == (
        "sentence,subject,predicate,objects,indirect objects,complements\n1,She,gave,a book,him,\n"
    )
    out, _ = crossbranch("clauses", treebank, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [(line["sentence"], line["is_passive"]) for line in lines] == [("1", False), ("2", True)]


def test_sentences_with_unknown_labels_are_skipped_if_wanted() -> None:
    text = b"(@@ (@ a) (@ b))\n(S (NP (PRP I)) (VP (VBP go)))\n"
    _, told = crossbranch("clauses", "-", "--from", "bracket", stdin=text, code=1)
    assert "clauses can only be found with labels in the style of Penn" in told
    out, told = crossbranch("clauses", "-", "--from", "bracket", "--on-error", "skip", stdin=text)
    assert "1 bad sentence was skipped" in told
    assert out.splitlines()[1].split() == ["2", "I", "go"]
