"""Phenomena: classes from lists and from trees, and the scores of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import tree_pairs, trees

from crossbranch import read, sample
from crossbranch.errors import InputError, UsageError
from crossbranch.evaluation.pairs import Pair
from crossbranch.evaluation.parameters import PARAMETERS
from crossbranch.evaluation.phenomena import (
    Phenomena,
    PhenomenonScores,
    find_phenomena,
    guess_scheme,
    read_classes,
)
from crossbranch.evaluation.phenomena_rules import PHENOMENA, RULES
from crossbranch.punctuation import is_punctuation
from crossbranch.span import fan_out
from crossbranch.tree import ROOT, Node, Token, Tree


def tree(text: str, *children: Node | int, id: str = "") -> Tree:
    """Make a tree over word/TAG pairs."""
    pairs = (word.rsplit("/", 1) for word in text.split())
    sentence = [Token(form, tag) for form, tag in pairs]
    return Tree(sentence, Node(ROOT, children), id=id)


def names(found: Tree, scheme: str) -> list[str]:
    """The classes found in a tree."""
    return [finding.phenomenon for finding in find_phenomena(found, scheme)]


def counted(treebank: Iterable[Tree], scheme: str) -> Counter[str]:
    """The classes found in a treebank."""
    return Counter(name for one in treebank for name in names(one, scheme))


# ---- detection


@pytest.mark.parametrize(
    ("grammar", "scheme", "expected"),
    [
        (
            "german",
            "negra",
            "wh-extraction extraposition topicalization it-extraposition inversion",
        ),
        (
            "dutch",
            "alpino",
            "extraposition topicalization cross-serial te-infinitive stranding",
        ),
        (
            "english",
            "penn",
            "wh-extraction extraposition topicalization it-extraposition fronted_quotation"
            " circumpositioned_quotation",
        ),
    ],
)
def test_sampled_treebanks_show_what_they_were_made_for(
    grammar: str, scheme: str, expected: str
) -> None:
    treebank = list(sample(600, grammar=grammar))
    assert guess_scheme(treebank) == scheme
    assert set(counted(treebank, scheme)) == {n.replace("_", " ") for n in expected.split()}


SENTENCES = {
    "wh-extraction": tree(
        "What/WP did/VBD she/PRP see/VB",
        Node("SBARQ", [Node("SQ", [1, Node("NP", [2]), Node("VP", [Node("WHNP", [0]), 3])])]),
    ),
    "fronted quotation": tree(
        "It/PRP rains/VBZ ,/, he/PRP said/VBD",
        Node("S", [Node("VP", [Node("S", [0, 1]), 4]), 2, Node("NP", [3])]),
    ),
    "circumpositioned quotation": tree(
        "Rain/NN ,/, he/PRP said/VBD ,/, falls/VBZ",
        Node("S", [Node("VP", [Node("SBAR", [Node("S", [0, 5])]), 3]), 1, Node("NP", [2]), 4]),
    ),
    "it-extraposition": tree(
        "It/PRP is/VBZ clear/JJ that/IN she/PRP sang/VBD",
        Node("S", [Node("NP", [Node("NP", [0]), Node("SBAR", [3, 4, 5])]), Node("VP", [1, 2])]),
    ),
    "inversion": tree(
        "Never/RB had/VBD she/PRP sung/VBN",
        Node("SINV", [1, Node("NP", [2]), Node("VP", [Node("ADVP", [0]), 3])]),
    ),
    "topicalization": tree(
        "Books/NNS she/PRP reads/VBZ",
        Node("S", [Node("VP", [Node("NP", [0]), 2]), Node("NP", [1])]),
    ),
    "extraposition": tree(
        "A/DT man/NN came/VBD who/WP sang/VBD",
        Node("S", [Node("NP", [Node("NP", [0, 1]), Node("SBAR", [3, 4])]), Node("VP", [2])]),
    ),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_penn(name: str) -> None:
    assert names(SENTENCES[name], "penn") == [name]


def test_quotation_with_a_relative_clause_is_no_wh_extraction() -> None:
    quotation = Node("S", [0, Node("SBAR", [1, 2]), 3])
    sentence = tree(
        "Rain/NN which/WDT falls/VBZ helps/VBZ ,/, he/PRP said/VBD",
        Node("S", [Node("VP", [quotation, 6]), 4, Node("NP", [5])]),
    )
    assert names(sentence, "penn") == ["fronted quotation"]


def test_german_quotations() -> None:
    fronted = tree(
        "Es/PPER regne/VVFIN ,/$, hat/VAFIN er/PPER gesagt/VVPP",
        Node("S", [Node("VP", [Node("S", [0, 1]), 5]), 3, 4]),
        2,
    )
    around = tree(
        "Das/PDS ,/$, sagt/VVFIN er/PPER ,/$, stimmt/VVFIN",
        Node("S", [Node("S", [0, 5]), 2, 3]),
        1,
        4,
    )
    assert names(fronted, "negra") == ["fronted quotation"]
    assert names(around, "negra") == ["circumpositioned quotation"]


NEGRA = {
    "wh-extraction": tree(
        "Und/KON was/PWS hat/VAFIN sie/PPER gesehen/VVPP",
        Node("S", [0, Node("VP", [1, 4]), 2, 3]),
    ),
    "it-extraposition": tree(
        "Es/PPER freut/VVFIN mich/PPER ,/$, dass/KOUS du/PPER singst/VVFIN",
        Node("S", [Node("NP", [0, Node("S", [4, 5, 6])]), 1, 2]),
        3,
    ),
    "topicalization": tree(
        "Was/PWS er/PPER sah/VVFIN ,/$, hat/VAFIN sie/PPER gesagt/VVPP",
        Node("S", [Node("VP", [Node("S", [0, 1, 2]), 6]), 4, 5]),
        3,
    ),
    "extraposition": tree(
        "Ein/ART Mann/NN kam/VVFIN ,/$, der/PRELS sang/VVFIN",
        Node("S", [Node("NP", [0, 1, Node("S", [4, 5])]), 2]),
        3,
    ),
    "inversion": tree(
        "Heute/ADV hat/VAFIN ihn/PPER Anna/NE gesehen/VVPP",
        Node("S", [0, 1, Node("VP", [2, 4]), 3]),
    ),
    "shared in co-ordination": tree(
        "Häuser/NN und/KON Gärten/NN mit/APPR Bäumen/NN",
        Node("CNP", [Node("NP", [0, Node("PP", [3, 4])]), 1, 2]),
    ),
}


@pytest.mark.parametrize("name", NEGRA)
def test_negra(name: str) -> None:
    assert names(NEGRA[name], "negra") == [name]


ALPINO = {
    "wh-extraction": tree(
        "Wat/vnw heeft/ww Jan/n gelezen/ww",
        Node("SMAIN", [Node("PPART", [0, 3]), 1, 2]),
    ),
    "circumpositioned quotation": tree(
        "Regen/n ,/let zegt/ww hij/vnw ,/let valt/ww",
        Node("DU", [Node("SMAIN", [0, 5]), Node("SV1", [2, 3])]),
        1,
        4,
    ),
    "stranding": tree(
        "Hij/vnw denkt/ww er/vnw vaak/bw over/vz", Node("SMAIN", [0, 1, Node("PP", [2, 4]), 3])
    ),
    "topicalization": tree(
        "Dat/vnw boek/n heeft/ww Jan/n gelezen/ww",
        Node("SMAIN", [Node("PPART", [Node("NP", [0, 1]), 4]), 2, 3]),
    ),
    "te-infinitive": tree(
        "Hij/vnw probeert/ww boeken/n te/vz lezen/ww",
        Node("SMAIN", [0, 1, Node("TI", [Node("INF", [2, 4]), 3])]),
    ),
    "cross-serial": tree(
        "dat/vg Jan/n Marie/n het/lid boek/n zag/ww lezen/ww",
        Node("CP", [0, Node("SSUB", [1, 2, Node("INF", [Node("NP", [3, 4]), 6]), 5])]),
    ),
    "extraposition": tree(
        "Een/lid man/n kwam/ww die/vnw zong/ww",
        Node("SMAIN", [Node("NP", [0, 1, Node("REL", [3, Node("SSUB", [4])])]), 2]),
    ),
    "inversion": tree(
        "dat/vg er/vnw drie/tw kinderen/n zullen/ww zingen/ww",
        Node("CP", [0, Node("SSUB", [Node("INF", [1, 5]), Node("NP", [2, 3]), 4])]),
    ),
}


@pytest.mark.parametrize("name", ALPINO)
def test_alpino(name: str) -> None:
    assert names(ALPINO[name], "alpino") == [name]


def test_gaps_of_punctuation_are_none() -> None:
    sentence = tree("A/NN ,/, b/NN c/VBD", Node("S", [Node("NP", [0, 2]), 3]), 1)
    assert names(sentence, "penn") == []


def test_nodes_above_inherit() -> None:
    inner = Node("PP", [Node("WHNP", [0]), 4])
    sentence = tree(
        "What/WP did/VBD she/PRP look/VB at/IN",
        Node("SQ", [1, 2, Node("VP", [3, inner])]),
    )
    findings = find_phenomena(sentence, "penn")
    assert [(f.phenomenon, f.node.label) for f in findings] == [
        ("wh-extraction", "PP"),
    ]
    # The VP has a gap of its own words: did she; the PP has look as well.
    assert [node.label for node in findings[0].inherited] == ["VP"]


@given(trees(), st.sampled_from([*RULES, ""]))
def test_every_discontinuity_has_a_class(found: Tree, scheme: str) -> None:
    findings = find_phenomena(found, scheme)
    covered = [id(node) for f in findings for node in (f.node, *f.inherited)]
    assert len(covered) == len(set(covered))
    assert {f.phenomenon for f in findings} <= set(PHENOMENA)
    if not any(map(is_punctuation, found.sentence)):
        assert set(covered) == {id(n) for n in found.nodes if fan_out(n.span) > 1}


def test_unknown_schemes() -> None:
    assert guess_scheme([tree("a/X b/Y", Node("Z", [0, 1]))]) == ""
    assert guess_scheme([]) == ""
    assert names(tree("a/X b/Y c/X", Node("Z", [0, 2]), 1), "") == ["other"]
    with pytest.raises(UsageError, match="penn"):
        find_phenomena(tree("a/X", 0), "klingon")


def counts_in_the_docs() -> dict[str, dict[str, int]]:
    """The table of findings: for each treebank its counts, without empty cells."""
    page = Path(__file__).parents[3] / "docs" / "evaluation" / "phenomena.md"
    lines = page.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if "sampled German" in line)
    header, _, _, *body = (
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in lines[start:]
        if line.startswith("|")
    )
    return {
        name: {row[0]: int(row[column]) for row in body if row[column]}
        for column, name in enumerate(header)
        if column > 0
    }


@pytest.mark.parametrize("language", ["German", "Dutch", "English"])
def test_documented_counts_of_sampled_treebanks(language: str) -> None:
    treebank = list(sample(1000, grammar=language.lower()))
    found = counted(treebank, guess_scheme(treebank))
    assert counts_in_the_docs()[f"sampled {language}"] == found


@pytest.mark.parametrize(
    ("folder", "name", "scheme"),
    [
        ("alpino", "Alpino", "alpino"),
        ("squoia", "SQUOIA (German)", "negra"),
        ("wsj-sample", "WSJ sample", "penn"),
        ("craft", "CRAFT", "penn"),
    ],
)
def test_documented_counts_of_real_treebanks(
    shared: Path, folder: str, name: str, scheme: str
) -> None:
    treebank = list(read(shared / "treebanks" / folder / "dev.export.xz"))
    assert guess_scheme(treebank) == scheme
    assert counts_in_the_docs()[name] == counted(treebank, scheme)


# ---- lists


def test_lists_of_classes(tmp_path: Path) -> None:
    path = tmp_path / "classes.txt"
    path.write_text("# id class\n12\twh-extraction\n\n7 fronted quotation # sure\n12 inversion\n")
    assert read_classes(path) == {
        "12": ["wh-extraction", "inversion"],
        "7": ["fronted quotation"],
    }


def test_lists_without_class_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "classes.txt"
    path.write_text("1 a\n2\n")
    with pytest.raises(InputError, match=r"classes.txt:2.*'2'.*a class"):
        read_classes(path)


def test_lists_in_other_encodings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "classes.txt"
    path.write_bytes("1 caf\u00e9\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"classes.txt.*byte 5.*0xe9.*UTF-8"):
        read_classes(path)


# ---- scores


def pair(gold: Node, predicted: Node | None) -> Pair:
    sentence = [Token(word, "NN") for word in "abcd"]
    parse = None if predicted is None else Tree(sentence, Node(ROOT, [predicted]))
    return Pair(Tree(sentence, Node(ROOT, [gold])), parse, PARAMETERS["proper"])


GOLD = Node("S", [Node("VP", [Node("NP", [0, 2]), 3]), 1])


def test_exact_and_partial_match() -> None:
    right = pair(GOLD, GOLD)
    half = pair(GOLD, Node("S", [Node("NP", [0, 2]), 1, 3]))
    label = pair(GOLD, Node("S", [Node("XP", [Node("NP", [0, 2]), 3]), 1]))
    none = pair(GOLD, None)
    total = PhenomenonScores()
    for one in (right, half, label, none):
        total = total + PhenomenonScores.of(one)
    assert total.sentences == 4
    assert (total.labelled.exact, total.labelled.partial) == (1, 3)
    assert (total.unlabelled.exact, total.unlabelled.partial) == (2, 3)
    counts = total.labelled.brackets
    assert (counts.gold, counts.predicted, counts.matched) == (8, 5, 4)
    assert total.unlabelled.brackets.matched == 5
    figures = total.to_dict()
    assert figures["labelled"]["exact_match"] == 25.0
    assert figures["unlabelled"]["partial_match"] == 75.0
    assert figures["labelled"]["precision"] == 80.0
    assert figures["labelled"]["recall"] == 50.0


def test_combinations_count_apart() -> None:
    one = Phenomena.of(pair(GOLD, GOLD), ["b", "a"])
    other = Phenomena.of(pair(GOLD, None), ["a"])
    total = one + other + one + Phenomena.of(pair(GOLD, GOLD), [])
    assert [(name, scores.sentences) for name, scores in total.rows()] == [("a+b", 2), ("a", 1)]
    assert total.to_dict()["a"]["labelled"]["f1"] == 0.0


@given(tree_pairs(), tree_pairs())
def test_phenomena_add(one: tuple[Tree, Tree | None], other: tuple[Tree, Tree | None]) -> None:
    found = [Phenomena.detected(Pair(*trees, PARAMETERS["proper"]), "") for trees in (one, other)]
    assert (found[0] + found[1]).to_dict() == (found[1] + found[0]).to_dict()
    total = sum(scores.sentences for _, scores in (found[0] + found[1]).rows())
    assert total == sum(len(part.rows()) for part in found)
