"""Clauses of sentences in four languages: who did what to whom."""

from __future__ import annotations

import pytest

from crossbranch.clause import Clause
from crossbranch.transforms import pipeline
from crossbranch.tree import Node, SecondaryEdge, Tree

SPLIT = pipeline("add-functions(tokens=true)")

SHOWN = {
    "objects": "what",
    "indirect_objects": "whom",
    "predicatives": "is",
    "complements": "that",
    "agents": "by",
    "modifiers": "how",
    "negations": "not",
}


def tree(text: str) -> Tree:
    """The tree that is written in brackets; what follows a hyphen in a label is a function."""
    return SPLIT.undo(Tree.from_string(text))


def show(clause: Clause) -> str:
    """The clause as one line: subject, predicate, and the other parts with their names."""
    subject = "-" if clause.subject is None else clause.subject.text
    line = f"{subject} {'<=' if clause.is_passive else '=>'} {clause.predicate}"
    for field, name in SHOWN.items():
        if parts := getattr(clause, field):
            line += f", {name}: " + "; ".join(part.text for part in parts)
    return line


ENGLISH = {
    "(SBARQ (SQ (VP (WHNP (WP 0=What)) (VB 3=do)) (MD 1=should) (NP (PRP 2=I))) (. 4=?))": [
        "I => should do, what: What"
    ],
    "(S (NP-SBJ (PRP She)) (VP (VP (VBD gave) (NP (PRP him)) (NP (DT a) (NN book))) (CC and)"
    " (VP (VBD left) (NP-TMP (NN today)))))": [
        "She => gave, what: a book, whom: him",
        "She => left, how: today",
    ],
    "(S (NP (DT The) (NN cake)) (VP (VBZ has) (RB not) (VP (VBN been) (VP (VBN eaten)"
    " (PRT (RP up)) (PP (IN by) (NP (DT the) (NN dog)))))))": [
        "The cake <= has been eaten up, by: by the dog, not: not"
    ],
    "(S (NP (PRP They)) (VP (VBP want) (S (VP (TO to) (VP (VB see) (NP (NNP Rome)))))) (. .))": [
        "They => want, that: to see Rome",
        "- => see, what: Rome",
    ],
    "(NP (NP (DT 0=the) (NN 1=man)) (SBAR (S (VP (WHNP (WP 2=whom)) (VBD 4=saw))"
    " (NP (PRP 3=I)))))": ["I => saw, what: whom"],
    "(S (NP (PRP He)) (VP (VBZ is) (ADJP (JJ ill))))": ["He => is, is: ill"],
    "(SQ (VBZ Is) (NP (PRP she)) (NP (DT a) (NN doctor)) (. ?))": ["she => Is, is: a doctor"],
    "(NP (NP (DT a) (NN letter)) (VP (VBN written) (PP (IN by) (NP (NNP Mary)))))": [
        "- <= written, by: by Mary"
    ],
    "(S (NP (NN Yesterday)) (NP (PRP he)) (VP (VBD sang) (CC and) (VBD danced)))": [
        "he => sang, how: Yesterday",
        "he => danced, how: Yesterday",
    ],
    "(SBARQ (WHNP (WP Who)) (SQ (VP (VBD left))) (. ?))": ["Who => left"],
    "(SINV (`` x) (S (NP (PRP It)) (VP (VBZ works))) (VP (VBD said)) (NP (NNP Ann)))": [
        "It => works",
        "Ann => said, that: It works",
    ],
}

GERMAN = {
    "(S (VP-OC (NP-OA 0=Das 1=Buch) (VVPP-HD 4=gelesen)) (VAFIN-HD 2=hat) (PPER-SB 3=er))": [
        "er => hat gelesen, what: Das Buch"
    ],
    "(S (PPER-SB Er) (VVFIN-HD versucht) ($, x) (VP-OC (NP-OA (ART-NK das) (NN-NK Problem))"
    " (VZ-HD (PTKZU-PM zu) (VVINF-HD lösen))))": [
        "Er => versucht, that: das Problem zu lösen",
        "- => lösen, what: das Problem",
    ],
    "(S (NP-SB (ART-NK Das) (NN-NK Haus)) (VAFIN-HD wird) (VP-OC (PP-SBP (APPR-AC von)"
    " (PPER-NK ihm)) (PTKNEG-NG nicht) (VVPP-HD verkauft)))": [
        "Das Haus <= wird verkauft, by: von ihm, not: nicht"
    ],
    "(S (VP-OC (VP-OC (PPER-OA 2=es) (VVPP-HD 3=gekauft)) (VAINF-HD 4=haben)) (VAFIN-HD 1=würde)"
    " (PPER-SB 0=Er))": ["Er => würde gekauft haben, what: es"],
    "(S (VVIMP-HD Ruf) (PPER-OA mich) (PTKVZ-SVP an))": ["- => Ruf an, what: mich"],
    "(CS (S-CJ (PPER-SB Er) (VVFIN-HD kam)) (KON-CD und) (S-CJ (VVFIN-HD gab) (PPER-DA mir)"
    " (PPER-OA es)))": ["Er => kam", "Er => gab, what: es, whom: mir"],
    "(S (NP (ART Die) (NN Frau)) (VVFIN sieht) (NP (ART den) (NN Mann)))": [
        "Die Frau => sieht, what: den Mann"
    ],
    "(S (PPER-SB Ich) (VVFIN-HD weiß) (S-OC (KOUS-CP dass) (PPER-SB sie) (ADJD-PD krank)"
    " (VAFIN-HD ist)))": ["Ich => weiß, that: dass sie krank ist", "sie => ist, is: krank"],
}

DUTCH = {
    "(SMAIN (PPART-vc (vnw-obj1 0=Dat) (ww-hd 4=gezegd)) (ww-hd 1=heeft)"
    " (NP-su (vnw-det 2=mijn) (n-hd 3=zus)))": ["mijn zus => heeft gezegd, what: Dat"],
    "(SMAIN (vnw-su 0=Ze) (ww-hd 1=wil) (INF-vc (NP-obj1 (lid-det 2=het) (n-hd 3=boek))"
    " (ww-hd 5=lezen)) (bw-mod 4=niet))": ["Ze => wil lezen, what: het boek, not: niet"],
    "(NP (lid-det de) (n-hd man) (REL-mod (vnw-rhd die) (SSUB-body (NP-obj1 (lid-det het)"
    " (n-hd boek)) (ww-hd schreef))))": ["die => schreef, what: het boek"],
    "(SMAIN (NP-su (lid-det 0=Het) (n-hd 1=huis)) (ww-hd 2=wordt) (PPART-vc (PP-mod (vz-hd 3=door)"
    " (spec-obj1 4=Jan)) (ww-hd 5=verkocht)))": ["Het huis <= wordt verkocht, by: door Jan"],
    "(SMAIN (vnw-su Hij) (ww-hd hoopt) (TI-vc (vz-cmp te) (INF-body (ww-hd winnen))))": [
        "Hij => hoopt, that: te winnen",
        "- => winnen",
    ],
    "(SMAIN (vnw Ik) (ww bel) (vnw je))": ["Ik => bel, what: je"],
    "(CONJ (SMAIN-cnj (vnw-su Hij) (ww-hd kwam)) (vg-crd en) (SMAIN-cnj (ww-hd belde)"
    " (vnw-obj1 haar) (vz-svp op)))": ["Hij => kwam", "Hij => belde op, what: haar"],
}

ICELANDIC = {
    "(IP (NP (PRO Hann)) (VBDI gaf) (NP (PRO mér)) (NP (N bók)))": [
        "Hann => gaf, what: bók, whom: mér"
    ],
    "(IP (NP (PRO Þeir)) (HVDI höfðu) (NEG ekki) (VBN séð) (NP (PRO hann)))": [
        "Þeir => höfðu séð, what: hann, not: ekki"
    ],
    "(IP (NP (PRO Hún)) (VBDI tók) (IP (TO að) (VB syngja) (NP (N lag))))": [
        "Hún => tók, that: að syngja lag",
        "- => syngja, what: lag",
    ],
    "(IP (NP (N Bókin)) (BEDI var) (VAN seld))": ["Bókin <= var seld"],
    "(IP (NP-SBJ (PRO Hún)) (BEPI er) (ADJP (ADJ góð)) (CONJP (CONJ og) (IP (VBPI syngur))))": [
        "Hún => er, is: góð",
        "Hún => syngur",
    ],
}


@pytest.mark.parametrize(
    ("text", "expected"), [*ENGLISH.items(), *GERMAN.items(), *DUTCH.items(), *ICELANDIC.items()]
)
def test_who_did_what_to_whom(text: str, expected: list[str]) -> None:
    assert [show(clause) for clause in tree(text).clauses()] == expected


def with_edge(tree: Tree, label: str, child: str, parent: str) -> Tree:
    """Add a secondary edge between two nodes or words with these labels or forms."""
    count = len(tree.sentence)
    names = [*tree.words, *(node.label for node in tree.nodes)]
    assert len(names) == count + len(tree.nodes)
    return tree.replace(
        secondary_edges=[SecondaryEdge(label, names.index(child), names.index(parent))]
    )


def test_secondary_edges_say_what_a_relative_pronoun_is() -> None:
    plain = tree(
        "(NP (lid-det het) (n-hd boek) (REL-mod (vnw-rhd dat) (SSUB-body (vnw-su jij)"
        " (ww-hd leest))))"
    )
    assert [show(c) for c in with_edge(plain, "obj1", "dat", "SSUB").clauses()] == [
        "jij => leest, what: dat"
    ]


def test_secondary_edges_say_the_subject_of_an_infinitive() -> None:
    plain = tree("(SMAIN (vnw-su Hij) (ww-hd hoopt) (TI-vc (vz-cmp te) (INF-body (ww-hd winnen))))")
    assert show(with_edge(plain, "su", "Hij", "INF").clauses()[1]) == "Hij => winnen"


def test_secondary_edges_tell_passives_from_perfects() -> None:
    plain = tree("(SMAIN (NP-su (lid-det Het) (n-hd huis)) (ww-hd is) (PPART-vc (ww-hd verkocht)))")
    assert [show(c) for c in plain.clauses()] == ["Het huis => is verkocht"]
    passive = with_edge(plain, "obj1", "NP", "PPART").clauses()
    assert [show(c) for c in passive] == ["Het huis <= is verkocht"]


def test_cases_say_more_than_the_order() -> None:
    plain = tree("(S (NP (ART Den) (NN Mann)) (VVFIN sieht) (NP (ART die) (NN Frau)))")
    cases = ["", "Acc.Sg", "", "", "Nom.Sg"]
    sentence = [t._replace(morphology=m) for t, m in zip(plain.sentence, cases, strict=True)]
    assert [show(c) for c in plain.replace(sentence=sentence).clauses()] == [
        "die Frau => sieht, what: Den Mann"
    ]


def test_deep_trees_have_clauses() -> None:
    node: Node | int = 0
    for _ in range(3000):
        node = Node("VP", [node])
    (clause,) = Tree.from_string("(VP (VB go))").replace(root=Node("S", [node])).clauses()
    assert clause.predicate == "go"
