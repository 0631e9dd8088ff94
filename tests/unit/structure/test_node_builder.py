"""Nodes straight from what the core finds are the nodes that undoing all transforms gives."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from crossbranch.structure import PLAIN, ROOT_LABEL, TEMPORARY, NodeBuilder
from crossbranch.transitions import SYSTEMS, TransitionSystem, build, derive, pipeline_for
from crossbranch.tree import Node, Token, Tree


def codes_of(tree: Tree, system: TransitionSystem) -> list[int]:
    """A binary tree as the core writes it, by the description of the format alone."""
    codes: list[int] = []

    def is_temporary(child: Node | int) -> bool:
        return isinstance(child, Node) and system.labels.find(child.label, TEMPORARY) is not None

    def visit(node: Node, kind: int) -> None:
        children: list[Node | int] = list(node.children)
        while any(map(is_temporary, children)):
            children = [
                part
                for child in children
                for part in (child.children if is_temporary(child) else [child])  # type: ignore[union-attr]
            ]
        ordered = sorted(children, key=lambda c: c if isinstance(c, int) else c.tokens[0])
        for child in ordered:
            if isinstance(child, int):
                codes.append(child)
            else:
                visit(child, PLAIN)
        codes.extend([~system.labels.id_of(node.label, kind), len(ordered)])

    visit(tree.root, ROOT_LABEL)
    return codes


@pytest.mark.parametrize("name", sorted(SYSTEMS))
@given(data=st.data())
def test_building_from_labels_is_building_and_undoing(name: str, data: st.DataObject) -> None:
    tree = data.draw(trees(rich=False, min_size=1))
    steps = pipeline_for(name)
    binary = steps.apply(tree)
    system = TransitionSystem.of([binary], name=name)
    expected = build(derive(binary, system), steps)
    chains = map(system.labels.chain, range(len(system.labels)))
    found = NodeBuilder(chains).build(codes_of(binary, system))
    assert Tree(tree.sentence, found).brackets == expected.brackets
    assert found == Node(expected.root.label, without_heads(expected.root).children)
    assert found == without_heads(tree.root)


def without_heads(root: Node) -> Node:
    made: dict[int, Node] = {}
    for node in root.postorder():
        children = [c if isinstance(c, int) else made[id(c)] for c in node.children]
        made[id(node)] = Node(node.label, children)
    return made[id(root)]


def test_a_label_may_stand_for_a_chain() -> None:
    builder = NodeBuilder([("S", "VP"), ("NP",)])
    root = builder.build([0, ~1, 1, 1, 2, ~1, 2, ~0, 2])
    assert str(Tree([Token("a")] * 3, root).root) == "(S (VP (NP 0) (NP 1 2)))"


def test_numbers_may_be_bytes() -> None:
    builder = NodeBuilder([("S",)])
    data = array("i", [0, 1, ~0, 2]).tobytes()
    assert builder.build(data) == Node("S", [0, 1])
    for bad in (b"", data[:-4], data[:-1], data + data):
        with pytest.raises(ValueError, match="not those of"):
            builder.build(bad)


@pytest.mark.parametrize("gap", [0, 3])
@pytest.mark.parametrize("size", [1, 63, 64, 65, 200])
def test_spans_have_any_size(size: int, gap: int) -> None:
    outer = [0, *range(gap + 1, size + gap)]
    inner = list(range(1, gap + 1))
    codes = [*outer[:1], *([*inner, ~1, gap] if gap else []), *outer[1:]]
    root = NodeBuilder([("S",), ("NP",)]).build([*codes, ~0, size + (gap > 0)])
    between = [Node("NP", inner)] if gap else []
    assert root == Node("S", [0, *between, *outer[1:]])
    assert (root.edge_label, root.head, root.features) == ("", None, ())
    assert root.span == (1 << (size + gap)) - 1


@pytest.mark.parametrize(
    "codes",
    [
        [],
        [0],
        [0, 1],
        [0, ~0],
        [0, ~0, 2],
        [0, ~0, 0],
        [0, ~1, 1],
        [0, ~0, 1, 1],
        [~0, 1],
        [0, ~2, 1],
    ],
)
def test_other_numbers_are_refused(codes: list[int]) -> None:
    with pytest.raises(ValueError, match="not those of"):
        NodeBuilder([("S",), ()]).build(codes)
