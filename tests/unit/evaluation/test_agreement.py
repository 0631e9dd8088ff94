"""Agreement of trees with dependencies."""

import pytest
from hypothesis import given, settings
from strategies import trees

from crossbranch import Node, Tree, UsageError
from crossbranch.dependencies import Arc, dependencies
from crossbranch.evaluation.agreement import Agreement, agreement
from crossbranch.punctuation import is_punctuation


def arcs_of(tree: Tree, **heads: str) -> list[Arc]:
    """The dependencies of a sentence, as word="relation head"; the head of the sentence: root."""
    words = [word.rstrip(".?,") or "stop" for word in tree.words]
    found = []
    for word in words:
        relation, _, head = heads[word].partition(" ")
        found.append((words.index(head) if head else -1, relation))
    return found


HE_IS_TALL = {"he": "nsubj tall", "is": "cop tall", "very": "advmod tall", "tall": "root"}
I_SAW = {
    "I": "nsubj saw",
    "saw": "root",
    "a": "det man",
    "man": "obj saw",
    "with": "case glasses",
    "glasses": "nmod man",
}
HIGH = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS glasses)))))"
LOW = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS glasses))))))"


def test_the_dependencies_choose_the_heads_of_constituents() -> None:
    tree = Tree.from_string("(S (NP (PRP he)) (VP (VBZ is) (ADJP (RB very) (JJ tall))))")
    assert agreement(tree, arcs_of(tree, **HE_IS_TALL)) == Agreement(3, 3)
    functional = {**HE_IS_TALL, "he": "nsubj is", "is": "root", "tall": "prd is"}
    assert agreement(tree, arcs_of(tree, **functional)) == Agreement(3, 3)


def test_a_wrong_attachment_is_one_word_that_does_not_fit() -> None:
    low, high = Tree.from_string(LOW), Tree.from_string(HIGH)
    arcs = arcs_of(low, **I_SAW)
    assert agreement(low, arcs) == Agreement(5, 5)
    assert agreement(high, arcs) == Agreement(5, 4)
    assert agreement(high, arcs).share == 0.8
    verbal = arcs_of(low, **{**I_SAW, "glasses": "obl saw"})
    assert agreement(low, verbal).agreed == 4
    assert agreement(high, verbal).agreed == 5


def test_a_constituent_that_crosses_the_dependencies_does_not_fit() -> None:
    tree = Tree.from_string(
        "(S (X (PRP I) (VBD saw) (DT a)) (NP (NN man) (IN with) (NNS glasses)))"
    )
    assert agreement(tree, arcs_of(tree, **I_SAW)).agreed < 4


def test_crossing_branches_fit_long_dependencies() -> None:
    arcs = [(5, "obj"), (3, "aux"), (3, "nsubj"), (-1, "root"), (5, "nsubj"), (3, "ccomp")]
    clause = "(S (NP 4=he) (VP (WHNP 0=What) 5=said))"
    crossing = Tree.from_string(f"(SBARQ (SQ 1=did (NP 2=you) (VP 3=think {clause})))")
    clause = "(S (NP 4=he) (VP 5=said))"
    continuous = f"(SBARQ (WHNP 0=What) (SQ 1=did (NP 2=you) (VP 3=think {clause})))"
    assert agreement(crossing, arcs) == Agreement(5, 5)
    assert agreement(Tree.from_string(continuous), arcs) == Agreement(5, 4)


def test_sisters_may_depend_on_each_other_in_a_clause_only() -> None:
    arcs = [(-1, "root"), (0, "obj"), (3, "mark"), (0, "xcomp")]  # want him to go
    clause = Tree.from_string("(VP (VB want) (S (NP (PRP him)) (VP (TO to) (VP (VB go)))))")
    phrase = Tree.from_string("(VP (VB want) (NP (NP (PRP him)) (VP (TO to) (VP (VB go)))))")
    assert agreement(clause, arcs) == Agreement(3, 3)
    assert agreement(phrase, arcs) == Agreement(3, 2)


def test_a_clause_may_belong_to_its_expletive() -> None:
    arcs = [(2, "expl"), (2, "cop"), (-1, "root"), (4, "mark"), (2, "csubj")]
    tree = Tree.from_string("(S (NP 0=it (S 3=to 4=go)) (VP 1=is 2=nice))")
    assert agreement(tree, arcs) == Agreement(4, 4)
    assert agreement(tree, [(2, "nsubj"), *arcs[1:]]) == Agreement(4, 3)


def test_some_relations_are_not_compared() -> None:
    tree = Tree.from_string("(NP (NP (NNS cats)) (CC and) (NP (NNS dogs)))")
    arcs = [(-1, "root"), (2, "cc:more"), (0, "conj")]
    assert agreement(tree, arcs) == Agreement(1, 1)
    assert agreement(tree, arcs, not_compared=()) == Agreement(2, 1)


def test_one_word_agrees() -> None:
    assert agreement(Tree.from_string("(INTJ (UH Yes))"), [(-1, "root")]).share == 1.0


@pytest.mark.parametrize("arcs", [[], [(-1, "")] * 3, [(1, ""), (0, "")], [(-1, ""), (7, "")]])
def test_bad_dependencies_are_refused(arcs: list[Arc]) -> None:
    with pytest.raises(UsageError):
        agreement(Tree.from_string("(NP (DT a) (NN man))"), arcs)


@given(trees(heads=True))
@settings(max_examples=50)
def test_a_tree_agrees_with_the_dependencies_of_its_heads(tree: Tree) -> None:
    found = dependencies(tree)
    if found is not None and len(tree.nodes) > 1:
        arcs = [
            (head, "punct" if is_punctuation(token) else relation)  # may depend on a near word
            for token, (head, relation) in zip(tree.sentence, found, strict=True)
        ]
        assert agreement(tree, arcs).share == 1.0


@given(trees(heads=True))
@settings(max_examples=50)
def test_a_flat_tree_agrees_with_the_dependents_of_the_head_only(tree: Tree) -> None:
    arcs = dependencies(tree)
    if arcs is not None:
        flat = tree.replace(root=Node("X", range(len(arcs))), secondary_edges=())
        roots = [token for token, (head, _) in enumerate(arcs) if head < 0]
        expected = sum(head in roots for head, _ in arcs)
        assert agreement(flat, arcs, not_compared=()).agreed == expected
