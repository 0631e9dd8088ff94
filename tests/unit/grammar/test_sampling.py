"""Treebanks from the grammars that come with the package."""

import itertools
import re
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from crossbranch.errors import UsageError
from crossbranch.grammar.expansion import expand
from crossbranch.grammar.grammar import read_grammar
from crossbranch.grammar.sampling import grammar_names, sample
from crossbranch.span import Span, fan_out, first_of, last_of
from crossbranch.tree import ROOT, Node, Token, Tree

GRAMMARS = ("dutch", "english", "german")
PUNCTUATION = {"$,", "$.", "$(", "let", ",", ".", "``", "''", "-LRB-", "-RRB-"}


@cache
def treebank(grammar: str) -> tuple[Tree, ...]:
    return tuple(sample(2000, grammar=grammar))


def words(tree: Tree, span: Span) -> Span:
    """A span without punctuation, which closes the gaps that are only punctuation."""
    kept = [i for i, token in enumerate(tree.sentence) if token.tag not in PUNCTUATION]
    return sum((span >> i & 1) << place for place, i in enumerate(kept))


def has_gap(tree: Tree, node: Node) -> bool:
    return fan_out(words(tree, node.span)) > 1


def children(tree: Tree, node: Node, label: str, edge_label: str = "") -> list[Node | int]:
    """The children with a label or tag and, if it is given, an edge label."""
    found: list[Node | int] = []
    for child in node.children:
        vertex: Node | Token = tree.sentence[child] if isinstance(child, int) else child
        name = vertex.tag if isinstance(vertex, Token) else vertex.label
        if name == label and edge_label in ("", vertex.edge_label):
            found.append(child)
    return found


def span(child: Node | int) -> Span:
    return 1 << child if isinstance(child, int) else child.span


def is_after_gap(tree: Tree, node: Node, child: Node | int) -> bool:
    """Whether a child stands at the end of a node, behind a gap."""
    whole, part = words(tree, node.span), words(tree, span(child))
    return has_gap(tree, node) and fan_out(whole) > fan_out(whole & ~part) and part > whole & ~part


def families(tree: Tree) -> Iterator[tuple[Node, Node]]:
    """Every node with every node below it."""
    for node in tree.nodes:
        for child in node.children:
            if isinstance(child, Node):
                yield node, child


# ---- the interface


def test_names() -> None:
    assert grammar_names() == (*GRAMMARS, "random")


@pytest.mark.parametrize("grammar", [*GRAMMARS, "random"])
def test_pieces_can_be_made_apart(grammar: str) -> None:
    whole = list(sample(20, grammar=grammar, seed=5))
    assert [tree.id for tree in whole] == [str(i) for i in range(1, 21)]
    assert list(sample(8, grammar=grammar, seed=5, first=13)) == whole[12:]
    assert whole != list(sample(20, grammar=grammar, seed=6))


@pytest.mark.parametrize("grammar", [*GRAMMARS, "random"])
@pytest.mark.parametrize("length", [12, 25])
def test_no_sentence_is_longer_than_wanted(grammar: str, length: int) -> None:
    lengths = [len(tree.sentence) for tree in sample(400, grammar=grammar, max_length=length)]
    assert max(lengths) <= length
    assert max(lengths) > length - 5


def test_wrong_calls() -> None:
    with pytest.raises(UsageError, match="unknown grammar 'klingon'"):
        sample(3, grammar="klingon")
    with pytest.raises(UsageError, match="shortest sentence of this grammar has 3 tokens"):
        sample(3, grammar="german", max_length=1)
    with pytest.raises(UsageError, match="-1 trees"):
        sample(-1)
    with pytest.raises(UsageError, match="from number 0"):
        sample(1, first=0)
    with pytest.raises(UsageError, match="from number 0"):
        sample(1, grammar="random", first=0)
    with pytest.raises(UsageError, match="lengths from 1 to 0"):
        sample(1, grammar="random", max_length=0)


def test_a_grammar_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "my.lcfrs"
    path.write_text(
        "top S\n1 S -> A(x) B(y,z) : y x z\n1 B -> A(x) A(y) : x , y\nparadigm a a\n  A a\n"
    )
    (tree,) = sample(1, grammar=path)
    assert str(tree) == "(S (B 0 2) 1) 0=a 1=a 2=a"
    assert list(sample(1, grammar=str(path))) == [tree]


def test_memory_stays_small() -> None:
    trees = sample(10**9, grammar="english")
    for _ in itertools.islice(trees, 500):
        pass
    tracemalloc.start()
    for _ in itertools.islice(trees, 500):
        pass
    assert tracemalloc.get_traced_memory()[0] < 500_000
    tracemalloc.stop()


GOLDEN = {
    "dutch": [
        "(ROOT (SMAIN (NP/su 0 1 2 (PP/mod 6 (NP/obj1 7 8))) 3 (NP/obj1 4 5)) 9) 0=Het "
        "1=onvriendelijke 2=gebouw 3=kiest 4=de 5=kinderlepel 6=naast 7=een 8=plaats 9=.",
        "(ROOT (DU 0 (SMAIN/nucl (NP/mod 1 2) 3 (NP/su 4 5) (ADVP/mod 6 7) (NP/obj1 8 9 "
        "(PP/mod 10 11)))) 12) 0=Maar 1=iedere 2=maand 3=zien 4=de 5=meisjes 6=juist "
        "7=toen 8=de 9=stoel 10=door 11=liederen 12=.",
        "(ROOT (SMAIN (CONJ/su 0 1 (NP/cnj 2 3)) 4 (NP/predc 5 6 (REL/mod 7 (SSUB/body 8 "
        "9)))) 10) 0=Kees 1=of 2=de 3=konijntjes 4=zijn 5=geen 6=studenten 7=die 8=mij "
        "9=bedanken 10=.",
    ],
    "english": [
        "(ROOT (S (NP/SBJ 0 1 2) (VP 3 (NP (NP 4 5) 6)) 7)) 0=The 1=rusty 2=teachers "
        "3=stole 4=Emma 5='s 6=snowwalker 7=.",
        "(ROOT (SINV 0 (VP (S (NP/SBJ 1) (VP 2 (VP 3 (NP (NP 4 5) (PP 6 (NP 7))) (NP/TMP "
        "8 9)))) 12) 10 11 (NP/SBJ 13) 14)) 0=`` 1=He 2=had 3=washed 4=the 5=witch "
        "6=about 7=Woodfield 8=every 9=summer 10=, 11='' 12=answers 13=it 14=.",
        "(ROOT (S (NP/SBJ (NP 0) (SBAR (S (VP (PP/CLR (WHNP 3) 6) 5) (NP/SBJ 4)))) (VP 1 "
        "(NP/TMP 2)) 7)) 0=Doors 1=talk 2=today 3=that 4=it 5=looked 6=at 7=.",
    ],
    "german": [
        "(ROOT (S (NP/SB 0 1 2 (PP/MNR 9 10 (AP/NK 11 12) 13)) 3 (NP/DA 4 5 6) 7 8) 14) "
        "0=Die 1=historische 2=Uhr 3=gab 4=einem 5=historischen 6=Filmgründer 7=gern "
        "8=vieles 9=außerhalb 10=der 11=fast 12=feierlichen 13=Kraft 14=.",
        "(ROOT (NP 0 1 2) 3) 0=Die 1=schwarze 2=Sommerwand 3=.",
        "(ROOT (S (S/SB 0 (NP/SB 1 2 (PP/MNR 3 4)) (VP/OC (PP/MO 5 6 (CAP/NK 7 8 9) 10) "
        "11) 12) 14 (NP/OA 15 16)) 13 17) 0=Dass 1=die 2=Kinder 3=in 4=Dresden 5=nach "
        "6=der 7=sonnigen 8=oder 9=kleinen 10=Maschine 11=gesucht 12=wurden 13=, "
        "14=beruhigte 15=das 16=Zimmermädchen 17=.",
    ],
}


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_seed_1_gives_the_same_trees_everywhere(grammar: str) -> None:
    assert [str(tree) for tree in sample(3, grammar=grammar)] == GOLDEN[grammar]


# ---- what the treebanks are like


@pytest.mark.parametrize(
    ("grammar", "low", "high"), [("german", 25, 40), ("dutch", 25, 40), ("english", 15, 25)]
)
def test_figures(grammar: str, low: int, high: int) -> None:
    trees = treebank(grammar)
    lengths = [len(tree.sentence) for tree in trees]
    assert 12 <= sum(lengths) / len(trees) <= 18
    assert max(lengths) <= 60
    crossing = sum(any(has_gap(tree, node) for node in tree.nodes) for tree in trees)
    assert low <= 100 * crossing / len(trees) <= high
    assert 0.2 <= 100 * sum(tree.is_ill_nested for tree in trees) / len(trees) <= 3
    assert max(fan_out(words(tree, node.span)) for tree in trees for node in tree.nodes) <= 3
    assert any(tree.fan_out >= 3 for tree in trees)


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_the_vocabulary_is_open_and_ambiguous(grammar: str) -> None:
    counts = Counter(token.form for tree in treebank(grammar) for token in tree.sentence)
    assert sum(count == 1 for count in counts.values()) > 0.2 * len(counts)
    tags: dict[str, set[str]] = {}
    for tree in treebank(grammar):
        for token in tree.sentence:
            tags.setdefault(token.form, set()).add(token.tag)
    assert sum(len(found) > 1 for found in tags.values()) > 20
    more = Counter(
        token.form for tree in sample(500, grammar=grammar, seed=2) for token in tree.sentence
    )
    unknown = sum(count for form, count in more.items() if form not in counts)
    assert 0.005 < unknown / more.total() < 0.2


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_every_token_and_edge_is_described(grammar: str) -> None:
    for tree in treebank(grammar):
        assert tree.root.label == ROOT
        for token in tree.sentence:
            assert token.form
            assert token.tag
            assert token.lemma
            assert not re.search(
                r"[\s@{}~<>]", token.form + token.tag + token.lemma + token.morphology
            )
        for node in tree.nodes[1:]:
            assert "." not in node.label
            assert not node.label.startswith("_")
        first = next(token.form for token in tree.sentence if token.form[0].isalnum())
        assert not first[0].islower()


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_no_two_commas_meet_and_none_is_at_an_end(grammar: str) -> None:
    for tree in treebank(grammar):
        text = " ".join(token.form for token in tree.sentence)
        assert not re.search(r"^,|, [,.!?]", text)


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_every_rule_is_used(grammar: str) -> None:
    rules = read_grammar(grammar)
    used: set[int] = set()
    tokens = 0
    for number in itertools.count(1):
        for item in expand(rules, Random(f"1 {number}").random, 60):
            tokens += item.rule is None
            if item.rule is not None:
                used.add(item.rule.line.statement.line)
        if tokens > 25_000:
            break
    unused = [line.statement.text for line in rules.lines if line.statement.line not in used]
    assert not unused


# ---- agreement


def test_german_nouns_agree_with_their_articles_and_adjectives() -> None:
    pairs = Counter[bool]()
    for tree in treebank("german"):
        for node in tree.nodes:
            tokens = [tree.sentence[c] for c in node.children if isinstance(c, int)]
            nouns = [t for t in tokens if t.tag == "NN" and t.edge_label == "NK"]
            for token in tokens if nouns else []:
                if token.tag in ("ART", "PPOSAT", "PDAT", "APPRART"):
                    pairs[token.morphology == nouns[-1].morphology] += 1
                elif token.tag == "ADJA":
                    pairs[token.morphology == f"Pos.{nouns[-1].morphology}"] += 1
    assert pairs[True] > 3000
    assert not pairs[False]


def test_german_verbs_agree_with_their_subjects() -> None:
    pairs = Counter[bool]()
    for tree in treebank("german"):
        for node in tree.nodes:
            tokens = [tree.sentence[c] for c in node.children if isinstance(c, int)]
            verbs = [t for t in tokens if t.tag in ("VVFIN", "VAFIN", "VMFIN")]
            subjects = [t for t in tokens if t.tag == "PPER" and t.edge_label == "SB"]
            for verb, subject in zip(verbs, subjects, strict=False):
                person, case, number, _ = subject.morphology.split(".")
                pairs[case == "Nom" and verb.morphology.startswith(f"{person}.{number}.")] += 1
    assert pairs[True] > 300
    assert not pairs[False]


def test_english_articles_fit_the_next_word() -> None:
    for tree in treebank("english"):
        for token, after in itertools.pairwise(tree.sentence):
            if token.lemma == "a":
                vowel = after.form[0].lower() in "aeiou"
                assert token.form.lower() == ("an" if vowel else "a")


def test_dutch_adjectives_and_articles_agree() -> None:
    for tree in treebank("dutch"):
        for node in tree.nodes:
            tokens = [tree.sentence[c] for c in node.children if isinstance(c, int)]
            nouns = [t.morphology for t in tokens if t.tag == "n" and t.edge_label == "hd"]
            for token in tokens if nouns else []:
                neuter = "ev" in nouns[0] and "onz" in nouns[0]
                if token.tag == "lid" and token.lemma in ("de", "het"):
                    assert token.lemma == ("het" if neuter else "de")


# ---- phenomena: each occurs among 2,000 sentences, seen in the trees


def is_topicalized(tree: Tree, parent: Node, node: Node) -> bool:
    """The node begins its clause and goes on behind the finite verb."""
    return has_gap(tree, node) and first_of(node.span) == first_of(parent.span)


def german_topicalization(tree: Tree) -> bool:
    return any(
        parent.label == "S" and node.label == "VP" and is_topicalized(tree, parent, node)
        for parent, node in families(tree)
    )


def german_relative_extraposition(tree: Tree) -> bool:
    return any(
        is_after_gap(tree, node, clause)
        for node in tree.nodes
        if node.label == "NP"
        for clause in children(tree, node, "S", "RC")
    )


def german_phrase_extraposition(tree: Tree) -> bool:
    return any(
        is_after_gap(tree, node, phrase)
        for node in tree.nodes
        if node.label == "NP"
        for phrase in children(tree, node, "PP", "MNR")
    )


def german_scrambling(tree: Tree) -> bool:
    """An object in a VP is before the subject, both behind the finite verb or a complementizer."""
    for parent, node in families(tree):
        if parent.label == "S" and node.label == "VP" and not is_topicalized(tree, parent, node):
            objects = [c for c in children(tree, node, "NP", "OA") if isinstance(c, Node)]
            subjects = [c for c in children(tree, parent, "NP", "SB") if isinstance(c, Node)]
            if any(o.span < s.span for o in objects for s in subjects) and has_gap(tree, node):
                return True
    return False


def german_placeholder(tree: Tree) -> bool:
    return any(
        has_gap(tree, node)
        and children(tree, node, "PPER", "PH")
        and children(tree, node, "S", "RE")
        for node in tree.nodes
    )


def german_separable(tree: Tree) -> bool:
    return any(children(tree, node, "PTKVZ", "SVP") for node in tree.nodes)


def has_edge(*labels: str) -> Callable[[Tree], bool]:
    """Whether some node has the first label and the others as edge labels."""
    return lambda tree: any(
        node.label == labels[0] and node.edge_label in labels[1:] for node in tree.nodes
    )


def has_label(label: str) -> Callable[[Tree], bool]:
    return lambda tree: any(node.label == label for node in tree.nodes)


def has_punctuation(tag: str) -> Callable[[Tree], bool]:
    def found(tree: Tree) -> bool:
        places = [i for i, token in enumerate(tree.sentence) if token.tag == tag]
        assert all(place in tree.root.children for place in places)
        return bool(places)

    return found


def dutch_cross_serial(tree: Tree) -> bool:
    """Objects in one block and verbs in another, each verb behind the one that governs it."""
    return any(
        parent.label == "INF"
        and node.label == "INF"
        and node.edge_label == "vc"
        and has_gap(tree, node)
        and first_of(node.span) < first_of(span(head)) < last_of(node.span)
        for parent, node in families(tree)
        for head in children(tree, parent, "ww", "hd")
    )


def dutch_verb_cluster(tree: Tree) -> bool:
    return any(
        parent.label == "SSUB"
        and node.label == "PPART"
        and has_gap(tree, node)
        and first_of(node.span) < first_of(span(head)) < last_of(node.span)
        for parent, node in families(tree)
        for head in children(tree, parent, "ww", "hd")
    )


def dutch_topicalization(tree: Tree) -> bool:
    return any(
        parent.label == "SMAIN" and node.edge_label == "vc" and is_topicalized(tree, parent, node)
        for parent, node in families(tree)
    )


def dutch_stranding(tree: Tree) -> bool:
    return any(node.label == "PP" and has_gap(tree, node) for node in tree.nodes)


def dutch_extraposition(tree: Tree) -> bool:
    return any(
        is_after_gap(tree, node, clause)
        for node in tree.nodes
        for clause in children(tree, node, "REL", "mod")
    )


def dutch_separable(tree: Tree) -> bool:
    return any(children(tree, node, "vz", "svp") for node in tree.nodes)


def with_filler(*labels: str) -> Callable[[Tree], bool]:
    """Whether a VP with a gap begins with such a child."""
    return lambda tree: any(
        node.label == "VP"
        and node.is_discontinuous
        and isinstance(node.children[0], Node)
        and node.children[0].label in labels
        for node in tree.nodes
    )


def english_it_extraposition(tree: Tree) -> bool:
    return any(
        tree.sentence[first_of(node.span)].lemma == "it" and is_after_gap(tree, node, clause)
        for node in tree.nodes
        if node.label == "NP"
        for clause in children(tree, node, "SBAR")
    )


def english_relative_extraposition(tree: Tree) -> bool:
    return any(
        is_after_gap(tree, node, clause) and tree.sentence[first_of(node.span)].lemma != "it"
        for node in tree.nodes
        if node.label == "NP"
        for clause in children(tree, node, "SBAR")
    )


def english_circumposition(tree: Tree) -> bool:
    return any(node.label == "S" and has_gap(tree, node) for node in tree.nodes)


def phrase_in(label: str) -> Callable[[Tree], bool]:
    """Whether a PP follows an NP as its sister below such a node."""
    return lambda tree: any(
        parent.label == label
        and [getattr(c, "label", "") for c in parent.children[-2:]] == ["NP", "PP"]
        for parent in tree.nodes
    )


PHENOMENA: dict[str, dict[str, Callable[[Tree], bool]]] = {
    "german": {
        "topicalization": german_topicalization,
        "extraposed relative clause": german_relative_extraposition,
        "extraposed PP": german_phrase_extraposition,
        "scrambling": german_scrambling,
        "subject clause": has_edge("S", "SB"),
        "object clause": has_edge("S", "OC"),
        "es and its clause": german_placeholder,
        "separable verb": german_separable,
        "coordinated NP": has_label("CNP"),
        "comma": has_punctuation("$,"),
        "full stop": has_punctuation("$."),
        "quotation mark or bracket": has_punctuation("$("),
        "secondary edge": lambda tree: bool(tree.secondary_edges),
        "three blocks": lambda tree: any(
            fan_out(words(tree, node.span)) == 3 for node in tree.nodes
        ),
        "ill-nested": lambda tree: tree.is_ill_nested,
    },
    "dutch": {
        "cross-serial verbs": dutch_cross_serial,
        "verb cluster": dutch_verb_cluster,
        "topicalization": dutch_topicalization,
        "stranded preposition": dutch_stranding,
        "extraposed relative clause": dutch_extraposition,
        "question": has_label("WHQ"),
        "embedded question": has_label("WHSUB"),
        "separable verb": dutch_separable,
        "infinitive with te": has_label("TI"),
        "coordination": has_label("CONJ"),
        "punctuation": has_punctuation("let"),
        "secondary edge": lambda tree: bool(tree.secondary_edges),
        "three blocks": lambda tree: any(
            fan_out(words(tree, node.span)) == 3 for node in tree.nodes
        ),
        "ill-nested": lambda tree: tree.is_ill_nested,
    },
    "english": {
        "wh-extraction": with_filler("WHNP", "WHADVP"),
        "extraction from a PP": with_filler("PP"),
        "topicalization": with_filler("NP"),
        "fronted quotation": with_filler("S", "SBAR"),
        "inverted quotation": has_label("SINV"),
        "circumpositioned quotation": english_circumposition,
        "it-extraposition": english_it_extraposition,
        "extraposed relative clause": english_relative_extraposition,
        "PP in VP": phrase_in("VP"),
        "PP in NP": phrase_in("NP"),
        "bracket": lambda tree: any(token.form == "-LRB-" for token in tree.sentence),
        "ill-nested": lambda tree: tree.is_ill_nested,
    },
}


@pytest.mark.parametrize(
    ("grammar", "name"), [(grammar, name) for grammar in PHENOMENA for name in PHENOMENA[grammar]]
)
def test_the_phenomenon_occurs(grammar: str, name: str) -> None:
    occurs = PHENOMENA[grammar][name]
    count = sum(bool(occurs(tree)) for tree in treebank(grammar))
    assert count >= 3


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_some_strings_are_ambiguous(grammar: str) -> None:
    """The same tags occur with and without a gap: words alone do not tell."""
    shapes: dict[tuple[str, ...], set[bool]] = {}
    for tree in treebank(grammar):
        tags = tuple(token.tag for token in tree.sentence)
        crossing = any(has_gap(tree, node) for node in tree.nodes)
        shapes.setdefault(tags, set()).add(crossing)
    assert sum(len(found) == 2 for found in shapes.values()) >= 3
