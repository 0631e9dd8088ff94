"""The bindings of the core, compared with straightforward Python."""

from __future__ import annotations

from itertools import combinations, groupby
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crossbranch import _core

Blocks = list[tuple[int, int]]


@st.composite
def shapes(draw: st.DrawFn, max_tokens: int = 12) -> tuple[int, list[int]]:
    """Draw the number of tokens and the parents of all vertices, nodes in any order."""
    token_count = draw(st.integers(0, max_tokens))
    loose = list(range(token_count))
    parents: dict[int, int] = {}
    node = token_count + 1
    for _ in range(draw(st.integers(0, token_count + 3)) if loose else 0):
        chosen = draw(st.sets(st.sampled_from(loose), min_size=1, max_size=4))
        parents |= dict.fromkeys(chosen, node)
        loose = [vertex for vertex in loose if vertex not in chosen] + [node]
        node += 1
    parents |= dict.fromkeys(loose, token_count)
    order = draw(st.permutations(range(token_count + 1, node)))
    new = dict(zip(range(token_count + 1, node), order, strict=True))
    numbered = {new.get(v, v): new.get(p, p) for v, p in parents.items()} | {token_count: -1}
    return token_count, [numbered[vertex] for vertex in range(node)]


def tokens_below(token_count: int, parents: list[int]) -> list[set[int]]:
    """The tokens of every node, by walking up from each token."""
    tokens: list[set[int]] = [set() for _ in parents[token_count:]]
    for token in range(token_count):
        vertex = parents[token]
        while vertex != -1:
            tokens[vertex - token_count].add(token)
            vertex = parents[vertex]
    return tokens


def blocks_of(tokens: set[int]) -> Blocks:
    runs = groupby(enumerate(sorted(tokens)), key=lambda pair: pair[1] - pair[0])
    found = [[token for _, token in run] for _, run in runs]
    return [(run[0], run[-1] + 1) for run in found]


def delete(tokens: set[int], ignored: set[int]) -> set[int]:
    """The tokens that are left, renumbered."""
    return {token - sum(gone < token for gone in ignored) for token in tokens - ignored}


def cross(a: set[int], b: set[int]) -> bool:
    """Whether a1 < b1 < a2 < b2 or the reverse exist in disjoint sets."""
    merged = sorted([(token, "a") for token in a] + [(token, "b") for token in b])
    turns = [owner for owner, _ in groupby(owner for _, owner in merged)]
    return not a & b and len(turns) >= 4


@given(shapes())
def test_spans_blocks_and_fan_outs(drawn: tuple[int, list[int]]) -> None:
    token_count, parents = drawn
    shape = _core.TreeShape(token_count, parents)
    expected = tokens_below(token_count, parents)
    assert shape.token_count == token_count
    assert shape.node_count == len(expected)
    assert shape.spans() == [sum(1 << token for token in tokens) for tokens in expected]
    assert [shape.blocks(node) for node in range(shape.node_count)] == list(
        map(blocks_of, expected)
    )
    assert shape.fan_outs() == [len(blocks_of(tokens)) for tokens in expected]


@given(shapes(), st.data())
def test_ignored_tokens_are_deleted_first(
    drawn: tuple[int, list[int]], data: st.DataObject
) -> None:
    token_count, parents = drawn
    ignored = data.draw(st.sets(st.sampled_from(range(token_count)))) if token_count else set()
    shape = _core.TreeShape(token_count, parents)
    left = [delete(tokens, ignored) for tokens in tokens_below(token_count, parents)]
    crossing = [
        (a, b) for (a, one), (b, other) in combinations(enumerate(left), 2) if cross(one, other)
    ]
    order = data.draw(st.permutations(sorted(ignored)))
    assert shape.fan_outs(order) == [len(blocks_of(tokens)) for tokens in left]
    assert shape.ill_nested_pairs(order) == crossing
    assert shape.is_ill_nested(order) == bool(crossing)


def test_spans_of_any_length() -> None:
    for count in (1, 63, 64, 65, 128, 129, 1000):
        assert _core.TreeShape(count, [count] * count + [-1]).spans() == [(1 << count) - 1]


def test_a_tree_deeper_than_any_stack() -> None:
    depth = 100_000
    shape = _core.TreeShape(1, [depth, -1, *range(1, depth)])
    assert set(shape.fan_outs()) == {1}


@pytest.mark.parametrize(
    ("token_count", "parents", "message"),
    [
        (-1, [], "token_count is -1"),
        (2, [2, 2], "vertex 2 is missing"),
        (2, [2, 2, 0], "vertex 2 has parent 0, but it is the root"),
        (2, [2, -1, -1], "vertex 1 has parent -1, expected a node from 2 to 2"),
        (2, [1, 2, -1], "vertex 0 has parent 1, which is a token"),
        (2, [2, 2, -1, 2], "vertex 3 is a node without children"),
        (2, [2, 2, -1, 4, 3], "vertex 3 is its own ancestor"),
    ],
)
def test_what_is_no_tree_is_refused(token_count: int, parents: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _core.TreeShape(token_count, parents)


@given(st.integers(0, 4), st.lists(st.integers(-2, 9), max_size=9))
@example(1, [1, -1, 1 << 40])
def test_any_numbers_give_a_tree_or_a_message(token_count: int, parents: list[int]) -> None:
    try:
        shape = _core.TreeShape(token_count, parents)
    except ValueError as error:
        assert "vertex" in str(error)
    else:
        assert shape.blocks(0) == ([(0, token_count)] if token_count else [])


def test_nodes_and_tokens_that_do_not_exist() -> None:
    shape = _core.TreeShape(2, [2, 2, -1])
    with pytest.raises(ValueError, match="node 1 is not in a tree of 1 nodes"):
        shape.blocks(1)
    with pytest.raises(ValueError, match="node is -1"):
        shape.blocks(-1)
    with pytest.raises(ValueError, match="ignored token 2 is not in a sentence of 2 tokens"):
        shape.fan_outs([2])
    with pytest.raises(ValueError, match="an ignored token is -1"):
        shape.is_ill_nested([-1])


@st.composite
def children_blocks(draw: st.DrawFn) -> list[Blocks]:
    """Draw the blocks of the children of one node; some tokens belong to none of them."""
    owners = draw(st.lists(st.integers(0, 6), min_size=1, max_size=14))
    children = [{i for i, owner in enumerate(owners) if owner == child} for child in range(6)]
    return [blocks_of(tokens) for tokens in children if tokens]


def joined(a: Blocks, b: Blocks) -> Blocks:
    return blocks_of({token for start, stop in a + b for token in range(start, stop)})


def cost(children: list[Blocks], merges: list[tuple[int, int]]) -> tuple[int, int]:
    """The largest fan-out of an intermediate item and the sum of their fan-outs."""
    items = list(children)
    for left, right in merges:
        items.append(joined(items[left], items[right]))
    fan_outs = [len(item) for item in items[len(children) : -1]]
    return max(fan_outs, default=0), sum(fan_outs)


@given(children_blocks())
def test_binarization_is_a_binary_tree_over_the_children(children: list[Blocks]) -> None:
    merges, exact = _core.optimal_binarization(children)
    assert exact
    parts = [part for merge in merges for part in merge]
    assert sorted(parts) == list(range(max(0, 2 * len(children) - 2)))
    assert all(max(merge) < len(children) + number for number, merge in enumerate(merges))


@given(children_blocks(), st.randoms(use_true_random=False))
def test_no_other_binarization_is_better(children: list[Blocks], random: Random) -> None:
    merges, _ = _core.optimal_binarization(children)
    best = cost(children, merges)
    greedy, _ = _core.optimal_binarization(children, subset_limit=0)
    assert best <= cost(children, greedy)
    for _ in range(5):
        loose = list(range(len(children)))
        other = []
        while len(loose) > 1:
            random.shuffle(loose)
            other.append((loose.pop(), loose.pop()))
            loose.append(len(children) + len(other) - 1)
        assert best <= cost(children, other)


def test_binarization_beyond_the_limit_says_so() -> None:
    children = [[(2 * child, 2 * child + 1)] for child in range(40)]
    merges, exact = _core.optimal_binarization(children)
    assert not exact
    assert len(merges) == 39


@pytest.mark.parametrize(
    ("children", "message"),
    [
        ([[(0, 1)], []], "child 1 has no blocks"),
        ([[(0, 1)], [(2, 2)]], r"child 1 has the empty block \(2, 2\)"),
        ([[(0, 2)], [(1, 3)]], "child 1 shares token 1 with child 0"),
        ([[(-1, 2)]], "a block's start is -1"),
    ],
)
def test_bad_children_are_refused(children: list[Blocks], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _core.optimal_binarization(children)
