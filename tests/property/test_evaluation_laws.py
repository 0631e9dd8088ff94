"""Laws of evaluation, on random pairs of trees over one sentence."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from strategies import structures, tree_pairs, trees

from crossbranch.confidence.evidence import Counted
from crossbranch.evaluation import PARAMETERS, Pair, Parameters, Scores, evaluate
from crossbranch.evaluation.counted_nodes import compress, counted_nodes
from crossbranch.evaluation.plain_counts import count_plainly
from crossbranch.evaluation.scores import count_carefully
from crossbranch.evaluation.structure import edit_distance
from crossbranch.evaluation.working_tree import WorkingTree, WorkingVertex
from crossbranch.span import fan_out, span_of, tokens_of
from crossbranch.tree import Bracket, Node, Token, Tree

PROPER = replace(PARAMETERS["proper"], leaf_ancestor=True, tree_distance=True)
CHAINED = Parameters(
    deleted_labels=frozenset({"ROOT", "$,"}), equal_labels=(("VP", "NP"), ("PP", "VP"))
)


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


@st.composite
def chains(draw: st.DrawFn, node: Node) -> Node:
    """Put nodes above some nodes of a tree that have the same tokens, and often the same label."""
    children = [c if isinstance(c, int) else draw(chains(c)) for c in node.children]
    node = node.replace(children=children)
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        if node.label != "ROOT":
            node = Node(draw(st.sampled_from([node.label, "NP", "PP", "ADVP", "PRT"])), [node])
    return node


def vertices(top: WorkingVertex) -> list[Bracket]:
    """The brackets of the nodes in a tree that is being repaired; the top is none."""
    found, stack = [], list(top.children)
    while stack:
        vertex = stack.pop()
        stack.extend(vertex.children)
        if not vertex.is_word:
            found.append(vertex.bracket)
    return found


@given(pairs(), st.data(), st.sampled_from([PARAMETERS["proper"], CHAINED, Parameters()]))
def test_all_agree_which_nodes_count(
    pair: tuple[Tree, Tree], data: st.DataObject, parameters: Parameters
) -> None:
    gold, predicted = (tree.replace(root=data.draw(chains(tree.root))) for tree in pair)
    compared = Pair(gold, predicted, parameters)
    for tree, brackets in (
        (gold, compared.gold_brackets),
        (predicted, compared.predicted_brackets),
    ):
        assert Counter(b for _, b, _ in counted_nodes(compared, tree)) == brackets
        assert Counter(vertices(WorkingTree(Pair(gold, tree, parameters)).top)) == brackets
        if parameters.name == "proper":
            keys = Counted(tree.sentence).keys(tree.root)
            assert Counter(Bracket(label, span) for label, span, _ in keys) == brackets


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


EVERYTHING = (*PARAMETERS.values(), CHAINED, replace(PARAMETERS["proper"], labelled=False))


@given(st.one_of(pairs(), tree_pairs()), st.sampled_from(EVERYTHING))
def test_the_core_counts_as_the_python_code(
    trees: tuple[Tree, Tree | None], parameters: Parameters
) -> None:
    pair = Pair(*trees, parameters)
    found = count_plainly(pair)
    assert found == (None if pair.predicted is None else count_carefully(pair))


@given(st.integers(60, 70), st.sampled_from(EVERYTHING), st.data())
def test_the_core_counts_long_sentences_up_to_64_tokens(
    length: int, parameters: Parameters, data: st.DataObject
) -> None:
    marks = data.draw(st.sets(st.integers(0, length - 1)))
    sentence = [Token(",", "$,") if i in marks else Token("a", "B") for i in range(length)]
    gold, predicted = (
        Tree(sentence, Node("ROOT", [Node("NP", sorted(part)), *rest]))
        for part in data.draw(st.tuples(*[st.sets(st.integers(0, length - 1), min_size=1)] * 2))
        for rest in [[i for i in range(length) if i not in part]]
    )
    pair = Pair(gold, predicted, parameters)
    assert count_plainly(pair) == (count_carefully(pair) if length <= 64 else None)
