"""Traces to crossing branches: one small sentence for each rule, and three real treebanks."""

from __future__ import annotations

import io
import lzma
import re
from collections import Counter
from pathlib import Path

import pytest

from crossbranch.transforms.traces import Traces
from crossbranch.tree import Token, Tree
from crossbranch.treebank import read


def apply(text: str, format: str = "bracket") -> Tree:
    (tree,) = read(io.BytesIO(text.encode()), format=format)
    return Traces().apply(tree)


def test_topicalization() -> None:
    tree = apply(
        "( (S (NP-TPC-1 (NN Rain)) (, ,) (NP-SBJ (PRP she))"
        " (VP (VBZ likes) (NP (-NONE- *T*-1))) (. .)))"
    )
    assert str(tree.root) == "(ROOT (S (VP (NP/TPC 0) 3) 1 (NP/SBJ 2) 4))"


def test_a_fronted_quotation_goes_below_the_verb_of_saying() -> None:
    tree = apply(
        "( (S (S-TPC-1 (NP-SBJ (PRP It)) (VP (VBZ rains))) (, ,) (NP-SBJ (PRP she))"
        " (VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))) (. .)))"
    )
    assert str(tree.root) == ("(ROOT (S (VP (SBAR (S/TPC (NP/SBJ 0) (VP 1))) 4) 2 (NP/SBJ 3) 5))")


def test_a_question_word_gets_the_function_of_its_trace() -> None:
    tree = apply(
        "( (SBARQ (WHNP-1 (WP Who)) (SQ (VBZ does) (NP-SBJ (PRP she))"
        " (VP (VB help) (NP-PRD (-NONE- *T*-1)))) (. ?)))"
    )
    assert str(tree.root) == "(ROOT (SBARQ (SQ (VP (WHNP/PRD 0) 3) 1 (NP/SBJ 2)) 4))"


def test_a_relative_clause_without_a_word_for_its_filler() -> None:
    tree = apply(
        "( (NP (NP (DT the) (NN rain)) (SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ (PRP she))"
        " (VP (VBZ likes) (NP (-NONE- *T*-1)))))))"
    )
    assert str(tree.root) == "(ROOT (NP (NP 0 1) (SBAR (S (NP/SBJ 2) (VP 3)))))"


def test_right_node_raising_goes_to_the_nearest_of_two_traces() -> None:
    tree = apply(
        "( (S (S (NP-SBJ (PRP She)) (VP (VBZ sees) (NP (-NONE- *RNR*-1)))) (CC and)"
        " (S (NP-SBJ (PRP he)) (VP (VBZ hears) (NP (-NONE- *RNR*-1)))) (NP-1 (DT the) (NN rain))"
        " (. .)))"
    )
    assert str(tree.root) == ("(ROOT (S (S (NP/SBJ 0) (VP 1)) 2 (S (NP/SBJ 3) (VP 4 (NP 5 6))) 7))")


def test_a_question_about_two_verbs_goes_to_the_first() -> None:
    tree = apply(
        "( (SBARQ (WHNP-1 (WP What)) (SQ (VBZ does) (NP-SBJ (PRP she)) (VP (VP (VB see)"
        " (NP (-NONE- *T*-1))) (CC and) (VP (VB hear) (NP (-NONE- *T*-1)))))))"
    )
    assert str(tree.root) == "(ROOT (SBARQ (SQ (VP (VP (WHNP 0) 3) 4 (VP 5)) 1 (NP/SBJ 2))))"


def test_it_extraposition() -> None:
    tree = apply(
        "( (S (NP-SBJ (NP (PRP It)) (SBAR (-NONE- *EXP*-1))) (VP (VBZ helps)"
        " (SBAR-1 (IN that) (S (NP-SBJ (PRP it)) (VP (VBZ rains))))) (. .)))"
    )
    assert str(tree.root) == ("(ROOT (S (NP/SBJ (NP 0) (SBAR 2 (S (NP/SBJ 3) (VP 4)))) (VP 1) 5))")


def test_extraposition_from_a_noun_phrase() -> None:
    tree = apply(
        "( (S (NP-SBJ (NP (NN Someone)) (SBAR (-NONE- *ICH*-2))) (VP (VBD came)"
        " (SBAR-2 (WHNP-1 (WP who)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBZ knows))))) (. .)))"
    )
    assert str(tree.root) == ("(ROOT (S (NP/SBJ (NP 0) (SBAR (S (WHNP/SBJ 2) (VP 3)))) (VP 1) 4))")


def test_a_quotation_around_the_verb_of_saying() -> None:
    """The parenthetical changes places with the quotation, and its commas go down."""
    tree = apply(
        "( (S-1 (NP-SBJ (NN Rain)) (PRN (, ,) (S (NP-SBJ (PRP she)) (VP (VBZ says)"
        " (SBAR (-NONE- 0) (S (-NONE- *T*-1))))) (, ,)) (VP (VBZ helps)) (. .)))"
    )
    assert str(tree.root) == ("(ROOT (S (VP (SBAR (S (NP/SBJ 0) (VP 5) 6)) 3 4) 1 (NP/SBJ 2)))")


def test_neighbouring_quotation_marks_go_down_together() -> None:
    tree = apply(
        "( (S-1 (`` ``) (NP-SBJ (NN Rain)) (PRN (, ,) ('' '') (S (NP-SBJ (PRP she)) (VP (VBZ says)"
        " (S (-NONE- *T*-1)))) (, ,)) (`` ``) (VP (VBZ helps)) (. .) ('' '')))"
    )
    assert str(tree.root) == ("(ROOT (S (VP (S 0 (NP/SBJ 1) 7 (VP 8) 9 10) 5 6) 2 3 (NP/SBJ 4)))")


def test_a_parenthetical_with_more_in_it_stays() -> None:
    tree = apply(
        "( (S-1 (NP-SBJ (NN Rain)) (PRN (, ,) (ADVP (RB so)) (S (NP-SBJ (PRP she)) (VP (VBZ says)"
        " (S (-NONE- *T*-1)))) (, ,)) (VP (VBZ helps)) (. .)))"
    )
    assert str(tree.root) == (
        "(ROOT (PRN (S (VP (S (NP/SBJ 0) (VP 6) 7) 4 5) (NP/SBJ 3)) 1 (ADVP 2)))"
    )


def test_punctuation_at_the_end_stays_in_the_parenthetical() -> None:
    tree = apply(
        "( (S-1 (NP-SBJ (NN Rain)) (VP (VBZ helps)) (PRN (, ,) (S (NP-SBJ (PRP she))"
        " (VP (VBZ says) (S (-NONE- *T*-1)))) (. .))))"
    )
    assert str(tree.root) == ("(ROOT (PRN (S (VP (S (NP/SBJ 0) (VP 1)) 4) 2 (NP/SBJ 3)) 5))")


def test_a_filler_around_its_trace_without_a_parenthetical() -> None:
    tree = apply(
        "( (S-1 (NP-SBJ (NN Rain)) (S (, ,) (NP-SBJ (PRP she)) (VP (VBZ says)"
        " (S (-NONE- *T*-1))) (, ,)) (VP (VBZ helps)) (. .)))"
    )
    assert str(tree.root) == ("(ROOT (S (VP (S (NP/SBJ 0) (VP 5) 6) 3) 1 (NP/SBJ 2) 4))")


@pytest.mark.parametrize(
    "text",
    [
        "( (S-1 (S (NP-SBJ (PRP She)) (VP (VBZ says) (S (-NONE- *T*-1))))))",
        "( (S-1 (NP-SBJ (PRP She)) (VP (VBZ says)) (-NONE- *T*-1)))",
        "(S-1 (NP-SBJ (PRP She)) (VP (VBZ says) (S (-NONE- *T*-1))))",
    ],
)
def test_a_filler_that_would_be_left_empty_stays(text: str) -> None:
    tree = apply(text)
    assert [node.label for node in tree.nodes if node.label == "S"]
    assert not tree.is_discontinuous
    assert [token.form for token in tree.sentence] == ["She", "says"]


def test_of_two_with_one_index_the_filler_does_not_hold_the_trace() -> None:
    tree = apply(
        "( (S (NP-SBJ-3 (NP (NN Rain)) (, ,) (SBAR (WHNP-3 (WDT which)) (S (NP-SBJ (PRP she))"
        " (VP (VBZ likes) (NP (-NONE- *T*-3)))))) (VP (VBD was) (VP (VBN seen)"
        " (NP (-NONE- *-3))))))"
    )
    assert str(tree.root) == (
        "(ROOT (S (NP/SBJ (NP 0) 1 (SBAR (S (VP (WHNP 2) 4) (NP/SBJ 3)))) (VP 5 (VP 6))))"
    )


def test_traces_without_a_filler_and_other_empty_elements_go() -> None:
    tree = apply(
        "( (S (NP-SBJ-1 (NN Rain)) (VP (VBD was) (VP (VBN seen) (NP (-NONE- *-1))"
        " (PP (-NONE- *ICH*-7)) (SBAR (-NONE- 0) (S (-NONE- *?*))))) (NP=2 (-NONE- *U*))))"
    )
    assert str(tree.root) == "(ROOT (S (NP/SBJ 0) (VP 1 (VP 2))))"


def test_a_filler_may_hold_the_trace_of_another() -> None:
    tree = apply(
        "( (S (S-TPC-1 (NP-SBJ (PRP she)) (VP (VBZ knows) (SBAR (-NONE- *ICH*-2)))) (, ,)"
        " (NP-SBJ (PRP he)) (VP (VBZ says) (S (-NONE- *T*-1))) (SBAR-2 (IN that)"
        " (S (NP-SBJ (PRP it)) (VP (VBZ rains))))))"
    )
    assert str(tree.root) == (
        "(ROOT (S (VP (S/TPC (NP/SBJ 0) (VP 1 (SBAR 5 (S (NP/SBJ 6) (VP 7))))) 4) 2 (NP/SBJ 3)))"
    )


def test_functions_and_indices_leave_the_labels() -> None:
    tree = apply(r"( (S (NP-LOC-CLR-4 (NN a)) (NP=5 (CD 1\/2)) (X-=6 (SYM \*)) (-LRB- -LRB-)))")
    assert [(node.label, node.edge_label) for node in tree.nodes] == [
        ("ROOT", ""),
        ("S", ""),
        ("NP", "LOC-CLR"),
        ("NP", ""),
        ("X-=6", ""),
    ]
    assert [token.form for token in tree.sentence] == ["a", "1/2", "*", "-LRB-"]


def test_craft_has_the_index_on_the_phrase() -> None:
    tree = apply(
        "( (CAPTION (SBARQ (WHNP-1 (WP What)) (SQ (VBZ does) (NP-SBJ-2 (PRP she))"
        " (VP (VB try) (S (NP-SBJ-2 (-NONE- *PRO*)) (VP (TO to) (VP (VB see)"
        " (NP-OBJ-1 (-NONE- *T*))))))))))"
    )
    assert tree.comments == ("CAPTION",)
    assert str(tree.root) == (
        "(ROOT (SBARQ (SQ (VP (S (VP (VP (WHNP/OBJ 0) 5) 4)) 3) 1 (NP/SBJ 2))))"
    )


def test_icepahc_has_traces_for_words() -> None:
    tree = apply(
        "( (IP-MAT (CODE <P_1>) (NP-OB1 (N-A regn-regn) (CP-REL *ICH*-1)) (VBDI sá-sjá)"
        " (NP-SBJ (PRO-N hann-hann)) (, <dash/>-<dash/>) (CP-REL-1 (WNP-2 0) (C sem-sem)"
        " (IP-SUB (NP-SBJ *T*-2) (VBDI féll-falla))) (. .-.)) (ID 1883.STORY,.7))",
        "psd",
    )
    assert tree.id == "1883.STORY,.7"
    assert str(tree.root) == ("(ROOT (IP/MAT (NP/OB1 0 (CP/REL 4 (IP/SUB 5))) 1 (NP/SBJ 2) 3 6))")
    assert tree.sentence[0] == Token("regn", "N", "regn", "N-A")
    assert tree.sentence[3] == Token("-", ",", "-")


def test_icepahc_moves_single_words() -> None:
    tree = apply(
        "( (IP-MAT (RP-1 upp-upp) (VBDI stóð-standa)"
        " (IP-SUB (RP-DIR *ICH*-1) (VB fara-fara))) (ID 1))",
        "psd",
    )
    assert str(tree.root) == "(ROOT (IP/MAT (IP/SUB 0 2) 1))"
    assert tree.sentence[0] == Token("upp", "RP", "upp", "RP-1", "DIR")


def test_a_tree_of_mark_up_is_left_empty() -> None:
    tree = apply("( (CODE <P_1>) (META (NP {a})) (ID 1))", "psd")
    assert (tree.sentence, str(tree.root)) == ((), "(ROOT)")


def brackets(tree: Tree, *, functions: bool = False) -> Counter[tuple[str, int, str]]:
    return Counter(
        (node.label, node.span, node.edge_label if functions else "") for node in tree.nodes[1:]
    )


def sentences(path: Path, name: str) -> dict[str, Tree]:
    """The trees of a large file whose comment begins with a name, by their comment."""
    text = lzma.decompress(path.read_bytes()).decode("utf-8")
    found = re.findall(
        rf"^#BOS \d+ %% {re.escape(name)}.*?^#EOS \d+$", text, re.DOTALL | re.MULTILINE
    )
    stream = io.BytesIO("\n".join(["#FORMAT 4", *found, ""]).encode())
    return {tree.comments[0].split()[0]: tree for tree in read(stream)}


def converted(path: Path) -> list[Tree]:
    trees = map(Traces().apply, read(path))
    return [tree for tree in trees if tree.sentence]


def test_the_sample_of_the_penn_treebank(shared: Path) -> None:
    folder = shared / "treebanks"
    found = converted(folder / "originals" / "wsj-sample.mrg")
    gold = sentences(folder / "wsj-sample" / "with-functions" / "train.export.xz", "wsj_000")
    assert len(found) == 53
    for tree, (name, wanted) in zip(found, gold.items(), strict=False):
        assert tree.sentence == wanted.sentence, name
        assert brackets(tree, functions=True) == brackets(wanted, functions=True), name


def test_an_article_of_craft(shared: Path) -> None:
    """Its conversion is among the test data, which are kept aside."""
    path = shared / "treebanks" / "originals" / "craft-15018652.mrg"
    annotated = list(read(path))
    found = converted(path)
    for before, after in zip(annotated, found, strict=True):
        words = [token.form for token in before.sentence if token.tag != "-NONE-"]
        assert [token.form for token in after.sentence] == words
    assert [tree.id for tree in found if tree.is_discontinuous] == ["19", "80"]
    assert Counter(tree.comments for tree in found)[("TITLE",)] == 1


def test_the_sample_of_icepahc(shared: Path) -> None:
    folder = shared / "treebanks"
    gold: dict[str, Tree] = {}
    for part in ("train", "dev"):
        gold |= sentences(folder / "icepahc" / f"{part}.export.xz", "1883.VOGGUR")
    found = converted(folder / "originals" / "icepahc-sample.psd")
    compared = [(tree, gold[tree.id]) for tree in found if tree.id in gold]
    assert len(compared) == 117
    for tree, wanted in compared:
        assert brackets(tree) == brackets(wanted), tree.id
        # There, a dash without a lemma is its own lemma.
        words = [token._replace(lemma=token.lemma or "-") for token in tree.sentence]
        assert words == list(wanted.sentence), tree.id
