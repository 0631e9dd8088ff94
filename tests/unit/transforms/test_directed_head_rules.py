"""Head-rule files of rparse and disco-dop."""

from pathlib import Path

import pytest

from crossbranch.errors import InputError
from crossbranch.transforms import pipeline
from crossbranch.transforms.directed_head_rules import DirectedRule, table_rows
from crossbranch.transforms.head_lines import rule_lines
from crossbranch.transforms.head_rules import is_directed, load_table, parse_table
from crossbranch.transforms.head_table import HeadItem
from crossbranch.tree import Node, Token, Tree


def find(text: str, label: str, children: str) -> int | None:
    """Find a head; children in parentheses are punctuation, LABEL/FUNCTION has a function."""
    items = []
    for part in children.split():
        name, _, function = part.strip("()").partition("/")
        items.append(HeadItem(name, function, part.startswith("(")))
    return parse_table(text).find(HeadItem(label, ""), items)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("% comment\nnp left nn", True),
        ("# comment\nnp right-to-left nn\n", True),
        ("\n  np left-to-right nn\n", True),
        ("np LEFTDIS nn", True),
        ("np\tlike\tpp", True),
        ("np lefft nn\nvp left vb", True),
        ("% table\nNP first NN", False),
        ("# comment\nNP last left-to-right", False),
        ("NP\nNP frist NN\nNP last-mark NN\nNP left NN", False),
    ],
)
def test_the_first_rule_with_a_known_word_shows_the_format(text: str, answer: bool) -> None:
    assert is_directed(rule_lines(text)) is answer


@pytest.mark.parametrize(
    ("text", "children", "expected"),
    [
        ("np left-to-right nn", "ART NN NN", 1),
        ("np right-to-left nn", "ART NN NN", 2),
        ("NP RIGHT NN", "ART NN NN", 2),
        # labels are tried in their order, and lines, too
        ("np left nn art", "ART NN", 1),
        ("np left xy\nnp left art\nnp left nn", "NN ART", 1),
        # ... but not those of the directions with DIS
        ("np leftdis nn art", "ART NN", 0),
        ("np rightdis nn ne", "NN NE ART", 1),
        ("np leftdis , nn", "(,) NN", 0),
        ("np leftdis , nn", "NN (,)", 0),
        ("np rightdis nn ,", "NN (,)", 1),
        # nothing fits: the direction of the last line decides, and punctuation does not count
        ("np left xy", "(,) ART NN", 1),
        ("np right xy", "ART NN (,)", 1),
        ("np right xy\nnp left xz", "ART NN", 0),
        ("np right", "ART NN", 1),
        ("pp left nn", "ART NN", 0),
        ("np right xy", "(,) (.)", 1),
        # punctuation can be named
        ("np left $. $,", "NN ($,) ($.)", 2),
        ("np left xy $, nn", "NN ($,)", 1),
        ("np left xy nn $,", "($,) NN", 1),
        ("np right let", "NN (LET) (LET) NN", 2),
        # a function comes before all rules; tags may have features
        ("np left nn", "NN ART/HD", 1),
        ("np left nn", "NN ART/HD-X", 1),
        ("np left n", "LID N[soort,ev]", 1),
        ("np left n", "LID NN", 0),
        ("np left nn", "NN (,)/HD", 1),
        # a label with functions has the rules of its category
        ("vp left np", "NP-SBJ-1 NP", 0),
        # coordination in English: only heads that a rule has found, and directly after CC
        ("np right nn", "NN CC NN", 0),
        ("np right nn", "NN (,) CONJP NN", 0),
        ("np right nn", "CC NN", 1),
        ("np right nn", "(,) CC NN", 2),
        ("np right nn", "NN CC NN/HD", 2),
        ("np right xy", "NN CC NN", 2),
        ("np right nn", "NN CC (,) NN", 3),
        # the same rules as another label
        ("pp right nn\nnp like pp", "NN NN ART", 1),
        ("pp right xy\nnp like pp\nnp left art", "NN ART ART", 1),
        # characters that mean something in tables
        ("np left a|b", "A B A|B", 2),
        ("np left wp$ *", "A *", 1),
        (r"np left \# \%", "A % #", 2),
        # comments, and lines without candidates
        ("# comment\nnp right nn\n # another\n%one more\nnp left xy", "NN NN ART", 1),
        ("np right nn #comment nx\nnp right nx %xy", "NX ART", 0),
    ],
)
def test_rules(text: str, children: str, expected: int) -> None:
    assert find(text, "NP", children) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("% x\n\nnp\nnp left nn", "mine:3: found 'np', expected a label, a direction, and labels"),
        (
            "np left nn # or np",
            "mine:1: found '#', expected \\# for a label, or a comment on a line",
        ),
        ("np left nn % np", "mine:1: found '%', expected \\% for a label, or a comment on a line"),
        (
            "np left nn\n* left nn",
            "mine:2: found '*', expected a label: rules with directions have",
        ),
        ("np left nn\nvp up vb", "mine:2: found 'up', expected one of left-to-right, right-to-"),
        ("np left nn\nvp first vb", "mine:2: found 'first', expected one of left-to-right, "),
        ("np like vp", "mine:1: found 'like VP', expected like and a label with rules above"),
        ("np left a\nvp like", "mine:2: found 'like', expected like and a label with rules above"),
        ("np left a\nvp like np np", "mine:2: found 'like NP NP', expected like and a label"),
    ],
)
def test_errors_name_file_and_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_table(text, "mine")
    assert str(caught.value).startswith(message)


def test_the_core_gets_rows_of_a_table() -> None:
    rules = {
        "NP": [DirectedRule(True, ["NN", "$,", "NE"], True)],
        "S": [DirectedRule(False, ["$.", "VP", "NP"], False)],
        "ROOT": [DirectedRule(False, [], True)],
    }
    assert [" ".join(row) for row in table_rows(rules)] == [
        "* first /HD|/HD-*|/*-HD|/*-HD-*",
        "* across CC|CONJP",
        "NP last NN|NN[*",
        "NP last-mark $,|$,[*",
        "NP last NE|NE[*",
        "NP last *",
        "S first VP|VP[*|NP|NP[*",
        "S first-mark $.|$.[*",
        "S first *",
        "ROOT first *",
        "* first *",
    ]


def test_files_are_used_like_tables(tmp_path: Path) -> None:
    path = tmp_path / "mine.headrules"
    path.write_text("% mine\nnp right-to-left nn\n", encoding="utf-8")
    tree = Tree([Token("a", "NN"), Token("b", "NN"), Token("c", "XY")], Node("NP", [0, 1, 2]))
    assert pipeline(f'heads("{path}")').apply(tree).root.head == 1
    assert tree.mark_heads(str(path)).root.head == 1


@pytest.mark.parametrize(
    ("label", "children", "expected"),
    [
        ("S", "NP VAFIN VP", 2),
        ("S", "NP VVFIN NP", 1),
        ("S", "NP VMFIN NP", 1),
        ("S", "NP VVPP VAFIN", 2),
        ("S", "NP VVFIN ($.)", 1),
        ("NP", "PPER NP", 1),
        ("NP", "PIS NP", 1),
        ("NP", "PPER S", 1),
        ("NP", "ART NN NN PP", 2),
        ("NP", "NN NE", 0),
        ("NP", "NP PN", 0),
        ("NP", "PN CARD", 0),
        ("NP", "ART ADJA CARD ($,)", 2),
        ("CNP", "NP KON NP", 2),
        ("CO", "AP KON PP", 0),
        ("PN", "NE NE", 0),
        ("PN", "NN NE", 0),
        ("MPN", "NE NE", 1),
        ("CH", "FM FM ($,)", 1),
        ("NM", "CARD NN", 0),
        ("AP", "ADJD ADJA", 0),
        ("AP", "ADV CARD", 0),
        ("PP", "ADV APPR NN", 1),
        ("PP", "KOKOM APPR NN", 0),
        ("VP", "PP VVPP VAINF", 1),
        ("VP", "VP VAPP", 1),
        ("ROOT", "S ($.)", 1),
        ("ROOT", "S ($.) S ($.)", 1),
        ("ROOT", "($() S ($,) S ($()", 2),
        ("ROOT", "($() NP S", 1),
    ],
)
def test_the_table_of_2017(label: str, children: str, expected: int) -> None:
    items = [HeadItem(p.strip("()"), "", p.startswith("(")) for p in children.split()]
    assert load_table("negra-2017").find(HeadItem(label, ""), items) == expected
