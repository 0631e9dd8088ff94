"""Random trees by shape."""

from collections import Counter
from typing import Any

import pytest

from crossbranch.errors import UsageError
from crossbranch.grammar.random_trees import SHAPES, RandomSettings, random_trees
from crossbranch.tree import Node, Tree


def one(shape: str, length: int, **settings: Any) -> Tree:
    chosen = RandomSettings(
        shape=shape, min_length=length, max_length=length, labels="X", **settings
    )
    (tree,) = random_trees(1, settings=chosen)
    return tree


def brackets(tree: Tree) -> str:
    """The tree without edge labels and words."""
    bare: dict[int, str] = {}
    for node in tree.root.postorder():
        parts = [str(c) if isinstance(c, int) else bare[id(c)] for c in node.children]
        bare[id(node)] = f"({' '.join(parts)})"
    return bare[id(tree.root)]


@pytest.mark.parametrize(
    ("shape", "length", "expected"),
    [
        ("left", 4, "((((0 1) 2) 3))"),
        ("right", 4, "((0 (1 (2 3))))"),
        ("flat", 4, "((0 1 2 3))"),
        ("cross-serial", 6, "((0 (1 (2 5) 4) 3))"),
        ("cross-serial", 5, "((0 (1 3) 2) 4)"),
        ("comb", 6, "((0 2 4) (1 3 5))"),
        ("comb", 9, "((0 2 4) (1 3 5) 6 7 8)"),
        ("left", 2, "((0 1))"),
        ("right", 2, "((0 1))"),
        ("left", 1, "(0)"),
        ("right", 1, "(0)"),
        ("flat", 1, "((0))"),
        ("cross-serial", 1, "(0)"),
        ("comb", 1, "(0)"),
    ],
)
def test_named_shapes(shape: str, length: int, expected: str) -> None:
    assert brackets(one(shape, length)) == expected


@pytest.mark.parametrize("shape", SHAPES)
def test_empty_and_long_sentences(shape: str) -> None:
    assert str(one(shape, 0)) == "(ROOT) "
    assert len(one(shape, 1000).sentence) == 1000


def test_chains_are_as_deep_as_the_sentence_is_long() -> None:
    for shape in ("left", "right"):
        assert len(one(shape, 1000).nodes) == 1000


def test_many_blocks() -> None:
    assert one("comb", 1000, max_fan_out=20).fan_out == 20
    assert one("random", 1000, max_fan_out=20, discontinuity_rate=0.9).fan_out == 20


def test_what_random_trees_are_like() -> None:
    trees = list(random_trees(500))
    assert {len(tree.sentence) for tree in trees} == set(range(1, 31))
    assert 150 < sum(tree.is_discontinuous for tree in trees) < 350
    assert any(tree.is_ill_nested for tree in trees)
    assert Counter(tree.fan_out for tree in trees).keys() == {1, 2, 3}
    tokens = [token for tree in trees for token in tree.sentence]
    assert len({token.tag for token in tokens}) == 12
    assert len({token.form for token in tokens}) > 500
    nodes = [node for tree in trees for node in tree.nodes[1:]]
    assert max(len(node.children) for node in nodes) == 4
    unary = sum(len(node.children) == 1 for node in nodes)
    assert 0.05 < unary / len(nodes) < 0.4


GOLDEN = [
    "(ROOT (SBAR/HD (SBAR/OA 0 (VP/HD 2 3 4) (SBAR/MO 5)) 1))"
    " 0=w508 1=w29 2=w120 3=w693 4=w1004 5=w598",
    "(ROOT (S/HD (ADVP/HD 0 1 (NP/NK 2 (CNP/HD 8)))"
    " (SBAR/OA 3 (SBAR/NK (SBAR/NK 4 6) (CNP/SB 5 7)))))"
    " 0=w18 1=w222 2=w78 3=w567 4=w389 5=w735 6=w1212 7=w84 8=w994",
    "(ROOT (VP/NK (S/OA 0 1) 2)) 0=w302 1=w740 2=w256",
]


def test_seed_1_gives_the_same_trees_everywhere() -> None:
    settings = RandomSettings(max_length=9, discontinuity_rate=0.5)
    assert [str(tree) for tree in random_trees(3, settings=settings)] == GOLDEN


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"shape": "round"}, "unknown shape 'round'; expected one of random, left"),
        ({"min_length": 5, "max_length": 4}, "lengths from 5 to 4"),
        ({"min_length": -1}, "lengths from -1 to 30"),
        ({"branching": 1}, "branching is 1, expected at least 2"),
        ({"max_fan_out": 0}, "max_fan_out is 0, expected at least 1"),
        ({"tags": 0}, "tags is 0, expected at least 1"),
        ({"discontinuity_rate": 1.5}, "discontinuity_rate is 1.5, expected 0 to 1"),
        ({"unary_rate": -0.1}, "unary_rate is -0.1"),
        ({"unary_rate": 1}, "unary_rate is 1, expected less: trees would never end"),
        ({"labels": ()}, "labels is empty"),
        ({"shape": "cross-serial", "max_fan_out": 1}, "cross-serial trees have two blocks"),
        ({"shape": "comb", "ill_nested": False}, "combs are ill-nested"),
    ],
)
def test_impossible_settings(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        RandomSettings(**settings)


def test_nothing_discontinuous_or_unary_where_none_is_wanted() -> None:
    settings = RandomSettings(discontinuity_rate=0, unary_rate=0, min_length=2)
    for tree in random_trees(200, settings=settings):
        assert not tree.is_discontinuous
        for node in tree.nodes[1:]:
            assert isinstance(node, Node)
            assert len(node.children) > 1
