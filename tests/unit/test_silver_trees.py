"""Silver trees: the trees of a parser that agree with known dependencies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

import pytest
from trained_parsers import TEST, trained

from crossbranch import (
    ROOT,
    InputError,
    Node,
    SilverCounts,
    SilverTree,
    Token,
    Tree,
    UsageError,
    evaluate,
    silver,
)
from crossbranch.dependencies import dependencies
from crossbranch.evaluation.agreement import agreement
from crossbranch.parsers import Parser, ScoredTree
from crossbranch.parsers.sentences import request_for
from crossbranch.silver_trees import arcs_of
from crossbranch.transforms.heads import Heads

PARSER = "sr-gap"


def with_dependencies(tree: Tree) -> Tree:
    """A sentence whose tokens have the dependencies of the tree as features."""
    arcs = dependencies(Heads("negra").apply(tree))
    assert arcs is not None
    pairs = zip(tree.sentence, arcs, strict=True)
    return flat([_dependent(token, *arc) for token, arc in pairs], id=tree.id)


def flat(tokens: list[Token], id: str = "") -> Tree:
    return Tree(tokens, Node(ROOT, range(len(tokens))), id=id)


def _dependent(token: Token, head: int, relation: str) -> Token:
    features = (("deprel", relation or "dep"), ("head", str(head + 1)), *token.features)
    return token._replace(features=features)


SENTENCES = [with_dependencies(tree) for tree in TEST]


def made(**options: object) -> tuple[list[SilverTree], SilverCounts]:
    counts = SilverCounts()
    return list(silver(trained(PARSER), SENTENCES, counts=counts, **options)), counts  # type: ignore[arg-type]


def test_the_chosen_trees_agree_better_and_are_better() -> None:
    best, _ = made(k_best=1)
    chosen, counts = made(k_best=8, beam=8)
    one, other = (sum(s.agreement.agreed for s in some) for some in (best, chosen))
    assert other > one
    scores = [
        evaluate(TEST, [s.tree for s in some]).main.all.brackets.f1 for some in (best, chosen)
    ]
    assert scores[1] > scores[0]
    assert counts.kept == counts.sentences == len(TEST)
    assert counts.agreed == other
    assert counts.reranked == sum(found.rank > 1 for found in chosen) > 0
    assert counts.share > counts.share_before


def test_the_agreement_is_that_of_the_tree() -> None:
    for found, sentence in zip(made(k_best=4)[0], SENTENCES, strict=True):
        assert found.agreement == agreement(found.tree, arcs_of(sentence.sentence))
        assert found.tree.comments[-1] == f"agreement = {found.agreement.share:.4f}"


def test_tokens_are_those_of_the_sentence_without_the_dependencies() -> None:
    found, _ = made()
    for one, tree in zip(found, TEST, strict=True):
        assert one.tree.sentence == tuple(t._replace(edge_label="") for t in tree.sentence)
    assert [one.tree.id for one in found] == [tree.id for tree in TEST]


class FlatParser:
    """Finds trees without constituents, which lose the given dependencies."""

    @staticmethod
    def parse_k_best(
        sentences: Iterable[Tree], _: int, **options: object
    ) -> Iterator[list[ScoredTree]]:
        for tree in list(sentences):  # a parser reads ahead
            yield [ScoredTree(request_for(tree).parsed(tree.root), 1.0)]


def test_trees_without_constituents_are_compared_too() -> None:
    for one, sentence in zip(silver(cast("Parser", FlatParser), SENTENCES), SENTENCES, strict=True):
        assert one.agreement == agreement(sentence, arcs_of(sentence.sentence))
        assert not any(token.features for token in one.tree.sentence)


def test_only_trees_that_agree_well_are_kept() -> None:
    found, counts = made(at_least=0.9)
    assert 0 < len(found) == counts.kept < counts.sentences == len(TEST)
    assert min(one.agreement.share for one in found) >= 0.9
    assert counts.words > sum(one.agreement.words for one in found)


@pytest.mark.parametrize("head", ["", "x", "99", "-1"])
def test_a_sentence_without_usable_dependencies_is_reported(head: str) -> None:
    bad = SENTENCES[1].replace(
        sentence=[t._replace(features=(("head", head),)) for t in SENTENCES[1].sentence], id="bad"
    )
    errors: list[InputError] = []
    sentences = [SENTENCES[0], bad, flat([]), SENTENCES[2]]
    found = list(silver(trained(PARSER), sentences, report=errors.append))
    assert [one.tree.words for one in found] == [SENTENCES[0].words, SENTENCES[2].words]
    assert [error.sentence for error in errors] == ["bad", "3"]
    with pytest.raises(InputError, match=r"sentence bad: found .* expected .*head"):
        list(silver(trained(PARSER), sentences))


def test_options_are_checked() -> None:
    with pytest.raises(UsageError, match="at_least is 7"):
        silver(trained(PARSER), SENTENCES, at_least=7)
    with pytest.raises(UsageError, match="no option 'bean'"):
        silver(trained(PARSER), SENTENCES, bean=7)
