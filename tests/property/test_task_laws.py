"""Laws of auxiliary tasks: labels can be turned back into what they were made from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import combinations, product
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from strategies import TEXT, tokens, trees

from crossbranch.dependencies import dependencies
from crossbranch.escape import unescape
from crossbranch.span import first_of
from crossbranch.tasks import Labelled, draw, to_tsv
from crossbranch.tasks.chunks import beginnings, chunk_labels, chunks_of
from crossbranch.tasks.dependents import read_relative_tags, relative_tags
from crossbranch.tasks.rows import read_columns
from crossbranch.tasks.supertags import (
    Rule,
    Supertag,
    read_supertag,
    supertag_labels,
    supertags_of,
)
from crossbranch.tree import Node, Sentence, Tree
from crossbranch.treebank.source import Source

WITH_HEADS = trees(heads=True, min_size=1, max_size=7)


def arcs_of(tree: Tree) -> list[int]:
    """The head of each token by the heads of the nodes alone."""
    leaders = {id(node): node.head_token for node in tree.nodes}
    heads = [-1] * len(tree.sentence)
    for node in tree.nodes:
        for child in node.children:
            word = child if isinstance(child, int) else leaders[id(child)]
            if word != leaders[id(node)]:
                assert word is not None
                heads[word] = leaders[id(node)]  # type: ignore[assignment]
    return heads


def assemble(sentence: Sentence, supertags: Sequence[Supertag], heads: Sequence[int]) -> list[Node]:
    """All trees in which each word has its supertag and its head."""

    def items_of(word: int) -> list[Node | int]:
        below = [items_of(other) for other, head in enumerate(heads) if head == word]
        return [
            top
            for items in product(*below)
            for top in grow(word, word, supertags[word], sorted(items, key=first))
        ]

    def grow(
        word: int, top: Node | int, rules: Supertag, items: list[Node | int]
    ) -> Iterator[Node | int]:
        if not rules:
            if not items:
                yield top
            return
        rule, *rest = rules
        for slots in combinations(items, len(rule.slots)):
            node = Node(rule.label, [top, *slots], head=0)
            if rule_of(node, word, sentence) == rule:
                left = [item for item in items if item not in slots]
                yield from grow(word, node, tuple(rest), left)

    [root] = [word for word, head in enumerate(heads) if head < 0]
    return [top for top in items_of(root) if isinstance(top, Node)]


def rule_of(node: Node, word: int, sentence: Sentence) -> Rule:
    """The rule of a node for its head word, from the supertags of a tree around it."""
    inside = [sentence[token] for token in range(len(sentence))]
    rest = [token for token in range(len(sentence)) if not node.span >> token & 1]
    above = Node("above", [node, *rest], head=None if not rest else 0)
    position = above.children.index(node)
    tree = Tree(inside, above.replace(head=position))
    depth = len([one for one in node.preorder() if one.head_token == word])
    return supertags_of(tree)[word][depth - 1]


def first(item: Node | int) -> int:
    return item if isinstance(item, int) else first_of(item.span)


def shape(item: Node | int) -> Any:
    if isinstance(item, int):
        return item
    return item.label, [shape(child) for child in item.children]


@given(WITH_HEADS)
def test_supertags_and_heads_determine_the_tree(tree: Tree) -> None:
    texts = supertag_labels(tree)
    supertags = supertags_of(tree)
    assert list(map(read_supertag, texts)) == supertags
    assert not any(text.split() != [text] for text in texts)
    found = assemble(tree.sentence, supertags, arcs_of(tree))
    assert list(map(shape, found)) == [shape(tree.root)]


@given(WITH_HEADS)
def test_supertags_show_every_fan_out(tree: Tree) -> None:
    shown = [rule.fan_out for supertag in supertags_of(tree) for rule in supertag]
    assert sorted(shown) == sorted(node.fan_out for node in tree.nodes)


@given(trees(heads=True, min_size=1, rich=False))
def test_relative_tags_give_the_dependencies_back(tree: Tree) -> None:
    arcs = dependencies(tree)
    assert arcs is not None
    heads = [head for head, _ in arcs]
    names = ["root" if head < 0 else f"r_{word}" for word, head in enumerate(heads)]
    labels = relative_tags(tree.tags, heads, names, farthest=0)
    assert read_relative_tags(labels, tree.tags) == list(zip(heads, names, strict=True))


@given(trees(min_size=1, rich=False))
def test_chunks_do_not_overlap_and_have_labels_of_nodes(tree: Tree) -> None:
    labels = chunk_labels(tree)
    assert beginnings(labels) == labels
    found = chunks_of(labels)
    covered = [word for start, stop, _ in found for word in range(start, stop)]
    assert covered == [word for word, label in enumerate(labels) if label != "O"]
    assert {name for _, _, name in found} <= {node.label for node in tree.nodes}


@given(st.lists(st.lists(st.tuples(tokens(), st.none() | TEXT), min_size=1), max_size=3))
def test_columns_are_read_as_they_were_written(sentences: list[list[Any]]) -> None:
    texts = [
        Labelled(
            tuple(token.form for token, _ in pairs), tuple(label or None for _, label in pairs)
        )
        for pairs in sentences
    ]
    source = Source("x", BytesIO("".join(map(to_tsv, texts)).encode()))
    found = [
        Labelled(
            tuple(map(unescape, rows.words("", source))),
            tuple(None if cell == "_" else unescape(cell) for cell in rows.column("2", source)),
        )
        for rows in read_columns(source)
    ]
    assert found == texts


@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=5),
    st.sampled_from(["proportional", "even"]),
    st.integers(0, 60),
    st.integers(),
)
def test_drawn_tasks_have_their_shares(sizes: list[int], how: Any, count: int, seed: int) -> None:
    steps = draw(sizes, how, count, Random(seed))
    assert steps == draw(sizes, how, count, Random(seed))
    shares = [float(size if how == "proportional" else size > 0) for size in sizes]
    if not sum(shares):
        assert steps == []
        return
    assert len(steps) == count
    for task, share in enumerate(shares):
        assert abs(steps.count(task) - count * share / sum(shares)) < 1
        assert share or task not in steps
