"""What disco-dop's evaluator gets wrong, and what is asked of evaluation besides."""

from __future__ import annotations

import json
import pickle

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.evaluation import MainFigures, Parameters, Scores, evaluate
from crossbranch.tree import ROOT, Node, Token, Tree


def tree(root: Node, words: str = "a b c d", *, id: str = "1", tags: str = "") -> Tree:
    forms = words.split()
    names = tags.split() or ["X"] * len(forms)
    return Tree([Token(f, t) for f, t in zip(forms, names, strict=True)], root, id=id)


GOLD = tree(Node(ROOT, [Node("S", [Node("VP", [0, 3]), Node("NP", [1, 2])])]))
FLAT = tree(Node(ROOT, [Node("S", [0, 1, 2, 3])]))


def test_counts_of_a_small_example() -> None:
    column = evaluate([GOLD], [FLAT]).scores.all
    counts = column.all.brackets
    assert (counts.gold, counts.predicted, counts.matched) == (3, 1, 1)
    assert (counts.recall, counts.precision, counts.f1) == (1 / 3, 1, 0.5)
    gaps = column.discontinuous.brackets
    assert (gaps.gold, gaps.predicted, gaps.matched) == (1, 0, 0)
    assert (gaps.recall, gaps.precision, gaps.f1) == (0, 0, 0)


def test_the_main_figures_have_short_names() -> None:
    result = evaluate([GOLD, GOLD], [FLAT, GOLD])
    assert (result.recall, result.precision, result.f1) == (4 / 6, 1, 0.8)
    assert (result.exact_match, result.tag_accuracy) == (0.5, 1)
    assert (result.discontinuous_recall, result.discontinuous_precision) == (0.5, 1)
    assert (result.discontinuous_f1, result.discontinuous_exact_match) == (2 / 3, 0.5)
    names = [name for name in dir(MainFigures) if not name.startswith("_") and name != "main"]
    assert len(names) == 9
    for name in names:  # the same everywhere
        assert getattr(result, name) == getattr(result.scores, name)
        assert getattr(result, name) == getattr(result.scores.all, name)
    assert [row.column.f1 for row in result.sentences] == [0.5, 1]
    assert repr(result) == "<Evaluation of 2 sentences: f1=0.8000, discontinuous_f1=0.6667>"
    assert evaluate([], []).scores.discontinuous_f1 == 1


def test_f1_is_zero_where_nothing_matches() -> None:
    other = tree(Node(ROOT, [Node("X", [0, 1]), 2, 3]))
    assert evaluate([GOLD], [other]).f1 == 0


def test_a_sentence_without_a_parse_counts_against_recall() -> None:
    counted = evaluate([GOLD, GOLD], [GOLD]).scores.all
    assert counted.missing == 1
    assert counted.all.brackets.recall == 0.5
    assert counted.tag_accuracy == 0.5
    ignored = evaluate([GOLD, GOLD], [GOLD], missing="ignore").scores.all
    assert ignored.sentences == 1
    assert ignored.all.brackets.recall == 1
    everything = evaluate([GOLD], [], leaf_ancestor=True, tree_distance=True).scores.all
    assert everything.mean_leaf_ancestor == 0
    assert everything.tree_likeness == 0


def test_unary_chains_are_counted_right() -> None:
    chain = tree(Node(ROOT, [Node("NP", [Node("NP", [0, 1])])]), "a b")
    once = tree(Node(ROOT, [Node("NP", [0, 1])]), "a b")
    counts = evaluate([chain], [once]).scores.all.all.brackets
    assert (counts.gold, counts.predicted, counts.matched) == (2, 1, 1)


def test_a_sentence_of_punctuation_alone_spoils_nothing() -> None:
    dots = tree(Node(ROOT, [Node("X", [0, 1])]), ". .", tags="$. $.")
    column = evaluate([dots, GOLD], [dots, GOLD], leaf_ancestor=True, tree_distance=True).scores.all
    assert column.mean_leaf_ancestor == column.tree_likeness == column.all.brackets.f1 == 1
    assert column.all.brackets.gold == 3


def test_a_gap_made_of_punctuation_is_no_gap() -> None:
    comma = tree(Node(ROOT, [Node("S", [0, 2]), 1]), "a , b", tags="X $, X")
    column = evaluate([comma], [comma]).scores.all
    assert column.all.brackets.gold == 1
    assert column.discontinuous.sentences == 0


def test_other_tokens_are_reported_with_both_words() -> None:
    other = GOLD.replace(sentence=tuple(t._replace(form="z") for t in GOLD.sentence))
    with pytest.raises(InputError, match=r"sentence 2: found the word 'z' as token 1.*'a'"):
        evaluate([GOLD, GOLD], [GOLD, other])
    problems: list[InputError] = []
    result = evaluate([GOLD, GOLD], [GOLD, other], report=problems.append)
    assert len(problems) == 1
    assert result.scores.all.sentences == 1


def test_a_shorter_sentence_and_a_prediction_too_many_are_errors() -> None:
    with pytest.raises(InputError, match="the end of the sentence as token 3"):
        evaluate([GOLD], [tree(Node(ROOT, [0, 1]), "a b")])
    with pytest.raises(InputError, match="found 3 trees, expected 1, one for each gold sentence"):
        evaluate([GOLD], [GOLD, GOLD, GOLD])
    problems: list[InputError] = []
    assert evaluate([GOLD], [GOLD, GOLD, GOLD], report=problems.append).f1 == 1
    assert len(problems) == 1


def test_brackets_in_words_may_be_written_in_two_ways() -> None:
    one = tree(Node(ROOT, [Node("S", [0, 1])]), "( b")
    other = tree(Node(ROOT, [Node("S", [0, 1])]), "-LRB- b")
    assert evaluate([one], [other]).scores.all.sentences == 1


def test_alignment_by_id() -> None:
    gold = [GOLD.replace(id="x"), FLAT.replace(id="y"), GOLD.replace(id="z")]
    result = evaluate(gold, [gold[2], gold[0]], align="id").scores.all
    assert (result.sentences, result.missing) == (3, 1)
    assert result.all.brackets.matched == 6
    with pytest.raises(InputError, match="each id once"):
        evaluate(gold, [gold[0], gold[0]], align="id")
    with pytest.raises(InputError, match="a tree with id 'other', expected the id of a gold"):
        evaluate(gold, [GOLD.replace(id="other")], align="id")
    with pytest.raises(UsageError, match="order, id or text"):
        evaluate(gold, gold, align="size")  # type: ignore[arg-type]


def test_wrong_calls() -> None:
    with pytest.raises(UsageError, match="missing"):
        evaluate([], [], missing="maybe")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="found a list among the predicted trees, expected a Tree"):
        evaluate([GOLD], [[GOLD]])  # type: ignore[list-item]


def test_nothing_at_all_is_fine() -> None:
    column = evaluate([], []).scores.all
    assert column.sentences == 0
    assert column.all.brackets.f1 == column.tag_accuracy == 1


def test_tokens_below_the_root_can_be_deleted() -> None:
    loose = tree(Node(ROOT, [Node("S", [0, 2]), 1, 3]))
    parameters = Parameters(deleted_labels=frozenset({ROOT}), deletes_root_tokens=True)
    column = evaluate([loose], [loose], parameters=parameters).scores.all
    assert column.tags == 2
    assert column.discontinuous.sentences == 0


def test_scores_are_values() -> None:
    scores = evaluate([GOLD], [FLAT]).scores
    assert pickle.loads(pickle.dumps(scores)) == scores
    assert scores + Scores() == scores
    assert sum([scores, scores]) == scores + scores
    assert Scores.from_counts(json.loads(json.dumps(scores.to_counts()))) == scores
    figures = scores.to_dict()["all"]["all"]
    assert figures["f1"] == 50.0
    assert figures["recall"] == 33.33
    assert figures["recall_exact"] == 1 / 3


def test_it_prints_what_people_want_to_know() -> None:
    assert "50.00" in str(evaluate([GOLD], [FLAT]))


def test_observers_see_what_counts() -> None:
    seen: list[int] = []
    evaluate([GOLD, GOLD], [FLAT], observe=lambda aligned, _: seen.append(aligned.number))
    assert seen == [1, 2]


def test_parameters_say_how_many_mismatches_are_too_many() -> None:
    other = GOLD.replace(sentence=tuple(t._replace(form="z") for t in GOLD.sentence))
    problems: list[InputError] = []
    parameters = Parameters(most_errors=1)
    with pytest.raises(InputError, match="sentence 3"):
        evaluate([GOLD] * 3, [GOLD, other, other], parameters=parameters, report=problems.append)
    assert len(problems) == 1
