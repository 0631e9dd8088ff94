"""Queries of Tregex and TIGERSearch in our language."""

from __future__ import annotations

import pytest

from crossbranch import QueryError, Tree, UsageError, find
from crossbranch.query.translation import translate

TREE = Tree.from_string(
    "(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (NP (DT the) (NN dog)) (PP (IN of) (NP Ann)))))"
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("NP", "NP"),
        ("NP|VP", "NP|VP"),
        ("__", "[]"),
        ("NP < NN", "NP[> NN]"),
        ("NP > VP", "NP[< VP]"),
        ("S << NN >> X", "S[>> NN and << X]"),
        ("NP < (PP $ S)", "NP[> PP[sibling-of S]]"),
        ("(NP < PP)", "NP[> PP]"),
        ("NP=n < (PP=p << of) !<< S", '#n:NP[> #p:PP[>> "of"] and not >> S]'),
        ("NP=n < (PP $ =n)", "#n:NP[> PP[sibling-of #n]]"),
        ("NN < dog", 'NN[word="dog"]'),
        ("NN < /ing$/", "NN[word=/.*ing/]"),
        ("NN !< dog", 'NN[not word="dog"]'),
        ("VP << /^s/", "VP[>> [word=/s.*/]]"),
        ("NP <, DT <- NN", "NP[> DT[first-child] and > NN[last-child]]"),
        ("NP <: NN", "NP[> NN[only-child]]"),
        ("NP !>- VP", "NP[not (last-child and < VP)]"),
        (
            "NP <2 PP <-3 DT",
            "NP[> PP[count(sibling-after []) = 1] and > DT[count(sibling-before []) = 2]]",
        ),
        ("VP <# VB", "VP[> VB[head]]"),
        ("NP <<, DT <<- NN", "NP[begins-with DT and ends-with NN]"),
        ("/^VB/ . NP", "/VB.*/[right-before NP]"),
        ("/A|B/", "/.*(?:A|B).*/"),
        ("NP .. VP ,, DT , X", "NP[before VP and after DT and right-after X]"),
        (
            "NP $++ VP $-- X $+ Y $- Z",
            "NP[sibling-before VP and sibling-after X and "
            "sibling-right-before Y and sibling-right-after Z]",
        ),
        ("S < VP & < NP | < PP", "S[(> VP and > NP or > PP)]"),
        ("VP [ < NP | !< PP ]", "VP[(> NP or not > PP)]"),
        ("!NP < PP", "[not category=NP and > PP]"),
        ("@NP", "/NP(?:[-=].*)?/"),
        ("NP : S", "NP and S"),
        ("PRP$ . -LRB-", "PRP$[right-before -LRB-]"),
    ],
)
def test_tregex(query: str, expected: str) -> None:
    assert translate(query, "tregex").query == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('[cat="NP"]', "[label=NP]"),
        ("[]", "[]"),
        ("[T]", "[token]"),
        ('[cat="NP"] > [pos="NN"]', "[label=NP] > [tag=NN]"),
        (
            '#n:[cat="NP"] >SB #m:[word="x" & pos!="ART"] & #n >* [NT]',
            "#n:[label=NP] >{SB} #m:[word=x and tag!=ART] and #n >> [constituent]",
        ),
        (
            '[cat=("NP"|"PP") & !(lemma="a" | morph=/N.*/)]',
            "[label=NP|PP and not (lemma=a or morphology=/N.*/)]",
        ),
        ('[pos=!"$,"]', "[tag!='$,']"),
        ('[case="nom"]', "[@case=nom]"),
        ('[cat="NP"] !> #a', "#n1:[label=NP] and #a and not #n1 > #a"),
        ("#n1:[] !.* [T]", "#n1:[] and #n2:[token] and not #n1 starts-before #n2"),
        (
            "#n:[] & arity(#n,2,3) & tokenarity(#n,4)",
            "#n:[] and #n.children >= 2 and #n.children <= 3 and #n.length = 4",
        ),
        (
            "root(#n) & discontinuous(#n) & continuous(#m)",
            "#n:[root] and #n:[discontinuous] and #m:[not discontinuous]",
        ),
        ('[cat="S"] >@l [pos="ART"]', "[label=S] begins-with [tag=ART]"),
        ("#a:[] >~ #b:[] | #a >~SB #b", "#a:[] ~> #b:[] or #a ~>{SB} #b"),
        ("[] $ [] & #a $.* #b", "[] sibling-of [] and #a sibling-before #b"),
        ("[] >2,3 [] & [] >2 []", "[] >{2,3} [] and [] >{2} []"),
        ('([cat="S"] | [cat="VP"]) & #x:[] // a remark', "([label=S] or [label=VP]) and #x:[]"),
        ("[T] . [T] & [T] .2 [T]", "[token] right-before [token] and [token] before{2} [token]"),
    ],
)
def test_tiger(query: str, expected: str) -> None:
    assert translate(query, "tiger").query == expected


@pytest.mark.parametrize(
    ("language", "query", "position", "expected"),
    [
        ("tregex", "NP <<# NN", 3, "a relation that can be translated"),
        ("tregex", "NP ?< PP", 3, "optional ones cannot be translated"),
        ("tregex", "NP <", 4, "a node"),
        ("tregex", "NP < =x", 5, "the name of a node before it"),
        ("tregex", "NP < (PP", 8, "')'"),
        ("tregex", "NP PP", 3, "a relation"),
        ("tregex", "NP < #", 5, "a name, a relation or a bracket"),
        ("tiger", "[cat=NP]", 5, "a text"),
        ("tiger", "foo(#n)", 0, "one of root"),
        ("tiger", "[foo]", 4, "= or !="),
        ("tiger", '[cat="NP"', 9, "']'"),
        ("tiger", "arity(#n)", 0, "one or two numbers"),
        ("tiger", "root(n)", 5, "a variable"),
        ("tiger", "[] []", 3, "a relation, & or |"),
        ("tiger", "[] ? []", 3, "a node, a relation or a bracket"),
    ],
)
def test_what_cannot_be_translated_is_said(
    language: str, query: str, position: int, expected: str
) -> None:
    with pytest.raises(QueryError) as caught:
        translate(query, language)
    assert caught.value.position == position
    assert expected in caught.value.expected


def test_notes_say_what_is_read_in_another_way() -> None:
    assert translate("NN < dog << dog", "tregex").notes == ["dog is read as a word"]
    assert "first words of nodes" in translate("[T] . [T]", "tiger").notes[0]


def test_an_unknown_language() -> None:
    with pytest.raises(UsageError, match="tregex, tiger"):
        translate("NP", "sql")


@pytest.mark.parametrize(
    ("query", "language", "count"),
    [
        ("NP < (NN < dog)", "tregex", 1),
        ("NP << dog", "tregex", 2),
        ("NP <, DT", "tregex", 2),
        ("NP !< DT", "tregex", 2),
        ("NP <2 PP", "tregex", 1),
        ('[cat="NP"] > [word="dog"]', "tiger", 1),
        ('#a:[cat="NP"] & #b:[cat="PP"] & #a > #b', "tiger", 1),
        ('[word="the"] . [pos="NN"]', "tiger", 2),
    ],
)
def test_translations_find_what_they_should(query: str, language: str, count: int) -> None:
    assert len(list(find(TREE, translate(query, language).query))) == count
