from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from crossbranch import InputError, Node, Token, Tree, evaluate
from crossbranch.evaluation.text_alignment import align_by_text
from crossbranch.tree import ROOT


def tree(words: str, root: Node) -> Tree:
    return Tree([Token(word) for word in words.split()], root)


def test_the_same_sentences_stay_as_they_are() -> None:
    one = tree("a b", Node(ROOT, [Node("S", [0, 1])]))
    ((gold, predicted),) = align_by_text([one], [one], "p")
    assert gold is one
    assert predicted is one


def test_sentences_are_gathered_and_tokens_split_until_both_sides_agree() -> None:
    gold = [
        tree("It 's", Node(ROOT, [Node("S", [Node("NP", [0]), 1])])),
        tree("gone away", Node(ROOT, [Node("VP", [0, 1])])),
        tree("Fine", Node(ROOT, [Node("S", [0])])),
    ]
    predicted = [
        tree("It's gone", Node(ROOT, [Node("S", [Node("NP", [0]), 1])])),
        tree("away", Node(ROOT, [Node("VP", [0])])),
        tree("Fine", Node(ROOT, [Node("S", [0])])),
    ]
    (one, other), last = align_by_text(gold, predicted, "p")
    assert str(one.root) == "(ROOT (S (NP 0) 1) (VP 2 3))"
    assert other is not None
    assert str(other.root) == "(ROOT (S (NP 0 1) 2) (VP 3))"
    assert [token.form for token in one.sentence] == ["It", "'s", "gone", "away"]
    assert last == (gold[2], predicted[2])
    scores = evaluate(gold, predicted, align="text").scores.all.all.brackets
    assert (scores.gold, scores.predicted, scores.matched) == (4, 4, 1)


def test_offsets_say_what_stands_in_the_text() -> None:
    """A treebank may write a token otherwise than the text does."""
    sentence = [Token("-LRB-", start=4, end=5), Token("a", start=5, end=6)]
    gold = Tree(sentence, Node(ROOT, [0, 1]), text="(a")
    ((one, other),) = align_by_text([gold], [tree("(a", Node(ROOT, [0]))], "p")
    assert other is not None
    assert len(one.sentence) == len(other.sentence) == 2


def test_what_was_not_predicted_counts_against_recall() -> None:
    gold = [tree("a b", Node(ROOT, [Node("S", [0, 1])]))] * 2
    scores = evaluate(gold, gold[:1], align="text").scores.all.all.brackets
    assert (scores.gold, scores.predicted, scores.matched) == (2, 1, 1)


@pytest.mark.parametrize("words", ["a c", "a b c"])
def test_another_text_is_refused(words: str) -> None:
    gold = [tree("a b", Node(ROOT, [0, 1]))]
    count = len(words.split())
    with pytest.raises(InputError, match="as in gold"):
        evaluate(gold, [tree(words, Node(ROOT, range(count)))], align="text")


with_tokens = trees(rich=False).filter(lambda tree: bool(tree.sentence))


@given(st.lists(with_tokens, min_size=2, max_size=4))
def test_brackets_survive_whatever_is_joined(found: list[Tree]) -> None:
    """Sentences that one side has as one tree: every bracket is found again."""
    sizes = list(accumulate([len(tree.sentence) for tree in found], initial=0))
    tokens = [token for tree in found for token in tree.sentence]
    flat = Tree(tokens, Node(ROOT, range(len(tokens))))
    ((gold, predicted),) = align_by_text(found, [flat], "p")
    assert predicted is not None
    assert gold.sentence == predicted.sentence == tuple(tokens)
    expected = [
        (bracket.label, bracket.span << start)
        for tree, start in zip(found, sizes, strict=False)
        for bracket in tree.brackets
        if bracket.label != ROOT or bracket.span != tree.root.span
    ]
    found_again = [(label, span) for label, span in gold.brackets[1:]]
    assert sorted(found_again) == sorted(expected)
