"""Laws of evaluation, on random pairs of trees over one sentence."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from strategies import structures, trees

from crossbranch.evaluation import PARAMETERS, Pair, Scores, evaluate
from crossbranch.evaluation.pairs import compress
from crossbranch.evaluation.structure import edit_distance
from crossbranch.span import fan_out, span_of, tokens_of
from crossbranch.tree import Token, Tree

PROPER = replace(PARAMETERS["proper"], leaf_ancestor=True, tree_distance=True)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Tree, Tree]:
    gold = draw(trees(rich=False, min_size=1, max_size=7))
    sentence = [token if draw(st.booleans()) else Token(",", "$,") for token in gold.sentence]
    predicted = draw(structures(len(sentence), rich=False))
    gold = gold.replace(sentence=tuple(sentence))
    return gold, gold.replace(root=predicted)


def scores(found: list[tuple[Tree, Tree]]) -> Scores:
    gold, predicted = [one for one, _ in found], [other for _, other in found]
    return evaluate(gold, predicted, parameters=PROPER).scores


@given(st.lists(pairs(), min_size=1, max_size=4), st.lists(pairs(), min_size=1, max_size=4))
def test_scores_add(one: list[tuple[Tree, Tree]], other: list[tuple[Tree, Tree]]) -> None:
    whole, parts = scores(one + other), scores(one) + scores(other)
    assert whole.all.all == parts.all.all
    assert whole.all.discontinuous == parts.all.discontinuous
    assert whole.all.longest == parts.all.longest
    assert whole.cutoff.tags == parts.cutoff.tags
    assert abs(whole.all.leaf_ancestor - parts.all.leaf_ancestor) < 1e-9
    assert whole.all.distance == parts.all.distance


@given(st.lists(pairs(), min_size=1, max_size=4), st.randoms())
def test_the_order_of_sentences_means_nothing(
    found: list[tuple[Tree, Tree]], random: object
) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert scores(found).all.all == scores(shuffled).all.all


@given(pairs())
def test_gold_against_itself_is_perfect(pair: tuple[Tree, Tree]) -> None:
    column = scores([(pair[0], pair[0])]).all
    assert column.all.brackets.f1 == column.all.brackets.recall == 1
    assert column.discontinuous.brackets.f1 == 1
    assert column.all.exact_match == column.tag_accuracy == 1
    assert column.mean_leaf_ancestor == column.tree_likeness == 1


@given(pairs())
def test_swapping_the_trees_swaps_precision_and_recall(pair: tuple[Tree, Tree]) -> None:
    gold, predicted = pair
    there, back = scores([(gold, predicted)]).all, scores([(predicted, gold)]).all
    for one, other in ((there.all, back.all), (there.discontinuous, back.discontinuous)):
        assert one.brackets.recall == other.brackets.precision
        assert one.brackets.f1 == other.brackets.f1
    assert there.distance == back.distance
    assert there.mean_leaf_ancestor == back.mean_leaf_ancestor


@given(pairs())
def test_no_bracket_covers_a_deleted_token(pair: tuple[Tree, Tree]) -> None:
    gold, predicted = pair
    compared = Pair(gold, predicted, PROPER)
    kept = len(gold.sentence) - len(compared.deleted)
    for bracket in [*compared.gold_brackets, *compared.predicted_brackets]:
        assert 0 < bracket.span < 1 << kept
    assert len(compared.tags) == kept


@given(st.sets(st.integers(0, 30)), st.sets(st.integers(0, 30)))
def test_compressing_is_deleting_and_renumbering(span: set[int], deleted: set[int]) -> None:
    kept = [token for token in range(31) if token not in deleted]
    expected = [new for new, old in enumerate(kept) if old in span]
    assert tokens_of(compress(span_of(span), sorted(deleted))) == expected
    assert fan_out(compress(span_of(span), [])) == fan_out(span_of(span))


@given(st.text("ab", max_size=5), st.text("ab", max_size=5), st.text("ab", max_size=5))
def test_the_edit_distance_is_a_distance(one: str, two: str, three: str) -> None:
    assert edit_distance(one, two) == edit_distance(two, one)
    assert (edit_distance(one, two) == 0) == (one == two)
    assert edit_distance(one, three) <= edit_distance(one, two) + edit_distance(two, three)
