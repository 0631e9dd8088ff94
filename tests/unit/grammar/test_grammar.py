"""The grammar file format: what rules mean, and what is said of bad ones."""

from collections import Counter
from itertools import repeat
from pathlib import Path

import pytest

from crossbranch.errors import InputError
from crossbranch.grammar.expansion import build_tree, expand
from crossbranch.grammar.grammar import Grammar, read_grammar
from crossbranch.grammar.sampling import sample
from crossbranch.tree import SecondaryEdge, Tree

WORDS = "paradigm a a\n  A a\nparadigm b b\n  B b\n"


def read(folder: Path, text: str) -> Grammar:
    path = folder / "test.lcfrs"
    path.write_text(text, encoding="utf-8")
    return read_grammar(path)


def trees(folder: Path, text: str, count: int = 1, max_length: int = 60) -> list[Tree]:
    read(folder, text)
    return list(sample(count, grammar=folder / "test.lcfrs", max_length=max_length))


def first(folder: Path, text: str) -> Tree:
    return trees(folder, text)[0]


# ---- what rules mean


def test_blocks_are_arranged_as_the_rule_says(tmp_path: Path) -> None:
    tree = first(
        tmp_path,
        "top S\n1 S -> V(x,y,z) A/SB(a) B(b) : y a z b x\n"
        f"1 V -> A/OA(p) B/HD(q) A(r) : q , p , r\n{WORDS}",
    )
    assert str(tree) == "(S (V 0 2 4) 1 3) 0=a 1=a 2=a 3=b 4=b"
    assert [token.edge_label for token in tree.sentence] == ["OA", "SB", "", "", "HD"]


def test_symbols_with_a_dot_or_an_underscore(tmp_path: Path) -> None:
    tree = first(
        tmp_path, f"top S.x\n1 S.x -> _P/SB NP.y/OA\n1 _P -> A B/MO\n1 NP.y -> _P _P/NK\n{WORDS}"
    )
    assert str(tree) == "(S 0 1 (NP/OA 2 3 4 5)) 0=a 1=b 2=a 3=b 4=a 5=b"
    labels = ["SB", "MO", "", "MO", "NK", "MO"]  # a label of one's own goes before the one above
    assert [token.edge_label for token in tree.sentence] == labels


def test_features_agree(tmp_path: Path) -> None:
    text = (
        "values N : sg*3 pl\n"
        "top S\n1 S -> NP[N] V[N]\n1 NP[N] -> D[N] W[N]\n"
        "paradigm d d\n  D[sg] a\n  D[pl] some\n"
        "paradigm v @ {1}\n  V[sg] @s\n  V[pl] @\nwords v : sleep\n"
        "paradigm w @ {1}.x\n  W[sg] @\n  W[pl] @2s\nwords w : dog wolf/wolve\n"
    )
    found = Counter(" ".join(t.form for t in tree.sentence) for tree in trees(tmp_path, text, 1000))
    assert set(found) == {
        "a dog sleeps",
        "a wolf sleeps",
        "some dogs sleep",
        "some wolves sleep",
    }
    singular = found["a dog sleeps"] + found["a wolf sleeps"]
    assert 700 < singular < 800  # three in four
    assert found["a dog sleeps"] > found["a wolf sleeps"]  # by rank
    (tree,) = trees(tmp_path, text)
    assert tree.sentence[1].morphology in ("sg.x", "pl.x")
    assert tree.sentence[2].lemma == "sleep"


def test_choices_without_words_are_left_out_and_weights_kept(tmp_path: Path) -> None:
    text = f"values X : p q r s\ntop S\n1 S -> A\n1 S -> C[X]\nparadigm c c\n  C[q] c\n{WORDS}"
    text = text.replace("paradigm b b\n  B b\n", "")
    found = Counter(tree.sentence[0].form for tree in trees(tmp_path, text, 1000))
    assert 450 < found["a"] < 550
    assert found["a"] + found["c"] == 1000


def test_optional_children(tmp_path: Path) -> None:
    text = f"top S\n1 S -> A(x)?0.25 T(y,z) : x y z\n1 T -> B(x) A(y)?0.5 B(z) : x y , z\n{WORDS}"
    found = Counter(
        " ".join(token.form for token in tree.sentence) for tree in trees(tmp_path, text, 2000)
    )
    assert set(found) == {"b b", "a b b", "b a b", "a b a b"}
    assert 0.2 < (found["a b b"] + found["a b a b"]) / 2000 < 0.3


def test_secondary_edges(tmp_path: Path) -> None:
    text = (
        "top S\n1 S -> _NP/SB(x) T(y) U(z) : x y z ; x also SB of y, y/OA also OA of z\n"
        f"1 _NP -> A\n1 T -> B A/OA\n1 U -> B B\n{WORDS}"
    )
    tree = first(tmp_path, text)
    assert str(tree) == "(S 0 (T 1 2) (U 3 4)) 0=a 1=b 2=a 3=b 4=b"
    assert tree.secondary_edges == (SecondaryEdge("SB", 0, 6), SecondaryEdge("OA", 2, 7))


def test_edges_to_what_is_not_there_are_left_out(tmp_path: Path) -> None:
    text = (
        "top S\n1 S -> A?0.5 T B ; 1 also SB of 2, 2/XX also OA of 2, 2 also OA of 3\n"
        f"1 T -> B B\n{WORDS}"
    )
    for tree in trees(tmp_path, text, 20):
        edges = [SecondaryEdge("SB", 0, 5)] if len(tree.sentence) == 4 else []
        assert list(tree.secondary_edges) == edges


def test_style(tmp_path: Path) -> None:
    text = (
        "top S\nraise P\nabsorb , before , .\nrespell a as an before e\ncapitalize first\n"
        "1 S -> NP K E K P\n1 NP -> K D E K\n"
        "paradigm k , tag=P\n  K ,\nparadigm p . tag=P\n  P .\n"
        "paradigm d a\n  D a\nparadigm e egg\n  E egg\n"
    )
    tree = first(tmp_path, text)
    assert str(tree) == "(S (NP 0 1) 2 3 4) 0=An 1=egg 2=, 3=egg 4=."
    assert tree.sentence[0].lemma == "a"


def test_a_phrase_that_was_absorbed_is_gone(tmp_path: Path) -> None:
    text = "top S\nabsorb , before .\ncapitalize first\n1 S -> P T P\n1 T -> K\n"
    text += "paradigm k ,\n  K ,\nparadigm p .\n  P .\n"
    assert str(first(tmp_path, text)) == "(S 0 1) 0=. 1=."


def test_a_sentence_of_commas_keeps_one(tmp_path: Path) -> None:
    text = "top S\nabsorb , before ,\n1 S -> T K\n1 T -> K K\nparadigm k ,\n  K ,\n"
    assert len(first(tmp_path, text).sentence) == 1


def test_compounds(tmp_path: Path) -> None:
    text = (
        "top S\nvalues G : m f\n1 S -> N[G]\nlist first : Stadt Wald\n"
        "paradigm n @\n  N[G] @2e\nwords n G=m : Hof/Höf\n"
        "compound n G=m 0.5 : <first> + ~\ncompound n G=f 1 : Haus + ~Tür\n"
    )
    found = {(tree.sentence[0].form, tree.sentence[0].lemma) for tree in trees(tmp_path, text, 200)}
    assert found == {
        ("Höfe", "Hof"),
        ("Stadthöfe", "Stadthof"),
        ("Waldhöfe", "Waldhof"),
        ("Haustüre", "Haustür"),
    }


def test_comments_continued_lines_and_files(tmp_path: Path) -> None:
    (tmp_path / "words.lcfrs").write_text(WORDS + "paradigm hash #1\n    H #1 # as a word\n")
    text = (
        "# a comment\n\ntop S\n1 S -> A  # here too\n    B\n    # and here\n    H\n"
        "include words.lcfrs\n"
    )
    assert str(first(tmp_path, text)) == "(S 0 1 2) 0=a 1=b 2=#1"


def test_lengths_are_bounded_even_where_rules_explode(tmp_path: Path) -> None:
    text = (
        "top S\n9 S -> S S\n9 S -> T(x,y) : x y\n9 T -> T(x,y) T(u,v) : x u , v y\n"
        f"1 T -> A(x) B(y) : x , y\n1 S -> A\n{WORDS}"
    )
    found = trees(tmp_path, text, 100, max_length=50)
    assert max(len(tree.sentence) for tree in found) == 50
    (long,) = trees(tmp_path, text, 1, max_length=3000)
    assert len(long.sentence) <= 3000


def test_the_random_numbers_decide(tmp_path: Path) -> None:
    grammar = read(tmp_path, f"top S\n1 S -> A\n3 S -> B\n{WORDS}")
    forms = [
        build_tree(expand(grammar, repeat(number).__next__, 9), grammar.style, "").sentence[0].form
        for number in (0.0, 0.24, 0.26, 0.999999999)
    ]
    assert forms == ["a", "a", "b", "b"]


# ---- what is said of bad files

BAD = {
    "no top": ("1 S -> A\n" + WORDS, "test.lcfrs: found no top symbol"),
    "nothing": ("", "test.lcfrs: found no top symbol"),
    "two tops": ("top S\ntop S\n", "2: found a second top symbol"),
    "unknown top": ("top T\n1 S -> A\n" + WORDS, "1: found the top symbol T"),
    "hidden top": ("top _S\n1 _S -> A\n" + WORDS, "1: found the top symbol _S"),
    "split top": ("top S\n1 S -> A(x) B(y) : x , y\n" + WORDS, "1: found the top symbol S"),
    "top of words": ("top A\n" + WORDS, "1: found the top symbol A"),
    "keyword": ("topp S\n", "1: found 'topp', expected a weight or one of absorb"),
    "indented": ("  top S\n", "1: found an indented line"),
    "weight": ("0 S -> A\n", "1: found the weight 0, expected a positive number"),
    "negative": ("-1 S -> A\n", "1: found the weight -1"),
    "word as weight": ("1x S -> A\n", "1: found the weight 1x"),
    "no arrow": ("1 S = A\n", "1: found '1 S = A', expected WEIGHT SYMBOL"),
    "no children": ("1 S ->\n", "1: found '1 S ->'"),
    "two left": ("1 S T -> A\n", "1: found '1 S T -> A'"),
    "symbol": ("1 S -> A[x\n", "1: found the symbol A[x, expected NAME"),
    "left label": ("1 S/SB -> A\n", "1: found more than a symbol left of the arrow"),
    "chance": ("1 S -> A?2 B\n", "1: found the chance 2, expected a positive number of at most 1"),
    "no arrangement": ("1 S -> A(x) B(y)\n", "1: found the variables of A and no arrangement"),
    "no variables": ("1 S -> A(x) B : x\n", "1: found the child B without variables"),
    "same variable": ("1 S -> A(x) B(x) : x\n", "1: found the variable x on two blocks"),
    "erasing": ("1 S -> A(x) B(y) : x\n", "1: found an arrangement without y"),
    "copying": ("1 S -> A(x) B(y) : x y x\n", "1: found the variable x twice"),
    "unknown variable": ("1 S -> A(x) : x y\n", "1: found the variable y in the arrangement"),
    "empty block": ("1 S -> A(x) B(y) : x y ,\n", "1: found a block that can be empty"),
    "optional block": ("1 S -> A(x) B(y)?0.5 : x , y\n", "1: found a block that can be empty"),
    "also": ("1 S -> A B ; 1 is SB of 2\n", "1: found '1 is SB of 2'"),
    "also variable": (
        "1 S -> A B ; 1 also SB of 3\n",
        "1: found the variable 3 in a secondary edge",
    ),
    "unknown symbol": (
        "top S\n1 S -> C\n" + WORDS,
        "2: found the symbol C, expected a symbol with",
    ),
    "fan-out": (
        "top S\n1 S -> T(x,y) : x y\n1 T -> A(x) B(y) : x , y\n1 T -> A\n" + WORDS,
        "4: found T with 1 blocks, expected 2, as in test.lcfrs:3",
    ),
    "fan-out of a child": (
        "top S\n1 S -> T B\n1 T -> A(x) B(y) : x , y\n" + WORDS,
        "2: found T with 1 variables, expected 2, one for each block, as in test.lcfrs:3",
    ),
    "features": ("top S\n1 S -> A[x]\n" + WORDS, "2: found A with 1 features, expected 0"),
    "features left": (
        "top S\n1 S -> T\n1 T -> A\n1 T[x] -> A\n" + WORDS,
        "4: found T with 1 features, expected 0, as in test.lcfrs:3",
    ),
    "rules and words": ("top S\n1 S -> A\n1 A -> B\n" + WORDS, "found A with both rules and words"),
    "no words": (
        "values X : p q\ntop S\n1 S -> T[X]\n1 T[X] -> C[X]\nparadigm c c\n  C[r] c\n" + WORDS,
        "4: found the symbol C[p], expected a symbol with rules or words",
    ),
    "no end": (
        "top S\n1 S -> A\n1 S -> T A\n1 T -> A T\n" + WORDS,
        "found the symbol T, expected a symbol with rules that end in words",
    ),
    "unreachable": ("top S\n1 S -> A B\n1 T -> A\n" + WORDS, "3: found a rule for T that is never"),
    "unused words": ("top S\n1 S -> A\n" + WORDS, "5: found words that are never used"),
    "circle": (
        "top S\n1 S -> A\n1 S -> T\n1 T -> S B?0.5\n" + WORDS,
        "found T as nothing but S, in a circle",
    ),
    "values": ("values N :\n", "1: found 'values N :'"),
    "raise": ("raise\n", "1: found 'raise', expected raise and some words"),
    "absorb": ("absorb , ;\n", "1: found 'absorb , ;', expected absorb FORM before FORM"),
    "respell": ("respell a an before e\n", "1: found 'respell a an before e'"),
    "capitalize": ("capitalize last\n", "1: found 'capitalize last'"),
    "include": ("include other.lcfrs\n", "other.lcfrs: found no such file"),
    "include itself": ("include test.lcfrs\n", "1: found test.lcfrs a second time"),
    "list": ("list x\n", "1: found 'list x', expected NAME : STEM"),
    "list twice": ("list x : a\nlist x : b\n", "2: found the list 'x', expected a new name"),
    "unknown list": (WORDS + "list x : <y>\n", "5: found the list <y>"),
    "paradigm": ("paradigm a\n", "1: found 'paradigm a', expected paradigm NEW_NAME"),
    "paradigm twice": (WORDS + WORDS, "5: found 'paradigm a a'"),
    "no forms": ("paradigm a a\n", "1: found the paradigm a without forms"),
    "form": ("paradigm a a\n  A\n", "2: found 'A', expected SYMBOL FORM"),
    "form symbol": ("paradigm a a\n  A[ a\n", "2: found the symbol A["),
    "no stems": ("top S\n1 S -> A\nparadigm a @\n  A @\n", "3: found the paradigm a without words"),
    "unknown paradigm": ("words c : d\n", "1: found the paradigm 'c'"),
    "binding": (
        "paradigm a @\n  A[G] @\nwords a G : x\n",
        "3: found 'G', expected VARIABLE=VALUE with a variable of the paradigm a",
    ),
    "binding nothing": ("paradigm a @\n  A[G] @\nwords a H=m : x\n", "3: found 'H=m'"),
    "words twice": (
        "paradigm a @\n  A @\nwords a : x\nwords a : y\n",
        "4: found words for a a sec",
    ),
    "words weight": ("paradigm a @\n  A @\nwords a *0 : x\n", "3: found the weight 0"),
    "share": ("paradigm a @\n  A @\ncompound a x : y\n", "3: found the share x"),
    "share too large": (
        "paradigm a @\n  A @\nwords a : x\ncompound a 0.7 : y\ncompound a 0.7 : z\n",
        "5: found compounds with a share of 1.4",
    ),
    "share too small": (
        "paradigm a @\n  A @\ncompound a 0.5 : y\n",
        "3: found compounds with a sha",
    ),
    "empty part": ("paradigm a @\n  A @\ncompound a 1 : y + ~\n", "3: found an empty part"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files(tmp_path: Path, name: str) -> None:
    text, message = BAD[name]
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert message in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_grammar(tmp_path / "missing.lcfrs")
    (tmp_path / "latin.lcfrs").write_bytes(b"# \xe4\n")
    with pytest.raises(InputError, match="UTF-8"):
        read_grammar(tmp_path / "latin.lcfrs")
    with pytest.raises(InputError, match="a readable grammar file"):
        read_grammar(tmp_path)
