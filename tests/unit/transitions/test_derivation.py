import pytest

from crossbranch.errors import UsageError
from crossbranch.structure.forms import CompleteHeads
from crossbranch.transforms import pipeline
from crossbranch.transitions import (
    Derivation,
    TransitionSystem,
    build,
    columns,
    derive,
    make_ready,
    pipeline_for,
    steps,
)
from crossbranch.transitions.swap import UnaryChains
from crossbranch.tree import Node, Token, Tree

TREE = Tree(
    [Token("What", "WP"), Token("should", "MD"), Token("I", "PRP"), Token("do", "VB")],
    Node("ROOT", [Node("SQ", [Node("VP", [0, 3]), 1, Node("NP", [2])])]),
    id="1",
)


def test_the_tree_is_built_binary_or_as_the_treebank_has_it() -> None:
    steps = pipeline_for("gap", "ptb")
    binary = steps.apply(TREE)
    derivation = derive(binary, TransitionSystem.of([binary], name="gap"))
    assert len(derivation) == len(derivation.names) == 11
    assert build(derivation) == binary
    assert build(derivation, steps) == TREE


def test_idle_may_follow_and_nothing_may_be_missing() -> None:
    binary = pipeline_for("gap").apply(TREE)
    system = TransitionSystem.of([binary], name="gap")
    taken = tuple(system.derive(binary))
    idle = next(n for n in range(len(system.transitions)) if system.name_of(n) == "IDLE")
    assert build(Derivation(system, TREE.sentence, (*taken, idle, idle), "1")) == build(
        derive(binary, system)
    )
    with pytest.raises(UsageError, match="sentence 1: the derivation is not complete"):
        build(Derivation(system, TREE.sentence, taken[:-1], "1"))
    with pytest.raises(UsageError, match=r"sentence 1: transition .* is not legal"):
        build(Derivation(system, TREE.sentence, taken[1:], "1"))


def test_pipelines_of_systems() -> None:
    gap = pipeline_for("gap", "negra")
    assert gap.undo(gap.apply(TREE)) == TREE
    assert str(gap.apply(TREE).root) == "(ROOT+SQ (SQ: (VP 0 3) 1) (NP 2))"
    swap = pipeline_for("cswap", "negra")
    assert str(swap.apply(TREE).root) == "(ROOT (SQ (@SQ (VP 0 3) 1) (NP 2)))"
    assert swap.undo(swap.apply(TREE)) == TREE


def test_heads_that_no_rule_finds_are_completed() -> None:
    root = Node("S", [Node("NP", [0, 1, 2], head=2), 3, 4])
    tree = Tree([Token("w")] * 5, root)
    completed = CompleteHeads().apply(tree)
    assert [node.head for node in completed.nodes] == [0, 2]
    assert CompleteHeads().undo(completed) == tree
    assert CompleteHeads().undo(tree) == tree
    steps = pipeline_for("gap")
    assert steps.undo(steps.apply(tree)) == tree
    assert str(steps.apply(tree).root) == "(S (S: (NP 0 (NP: 1 2)) 3) 4)"


def test_a_binary_tree_stays_as_it_is() -> None:
    binary = pipeline_for("gap", "ptb").apply(TREE)
    assert make_ready(binary, "gap", "negra") is binary
    assert make_ready(TREE, "gap", "ptb") == binary
    chained = pipeline("heads(ptb) | binarize").apply(TREE)
    assert make_ready(chained, "gap") == binary
    assert make_ready(chained, "swap").nodes[2].label == "SQ:"  # a label like any other there


def test_configurations_are_shown_part_by_part() -> None:
    binary = pipeline_for("swap").apply(TREE)
    derivation = derive(binary, TransitionSystem.of([binary], name="swap"))
    assert columns(derivation.system) == ["Stack", "Queue", "Transition"]
    shown = list(steps(derivation))
    assert len(shown) == len(derivation) + 1
    assert shown[0].parts == ((), ("What", "should", "I", "do"))
    assert shown[-1].parts == ((), ())
    assert shown[-2].parts == (("ROOT[What]",), ())


def test_unary_chains() -> None:
    assert UnaryChains.of([TREE]) == UnaryChains(3, repeats=False)
    node = Node("NP", [0])
    for _ in range(300):
        node = Node("NP", [node])
    assert UnaryChains.of([Tree([Token("a")], node)]) == UnaryChains(250, repeats=True)
    twice = Tree([Token("a")], Node("NP", [Node("NP", [0])]))
    assert UnaryChains.of([twice]) == UnaryChains(3, repeats=False)  # the root is another label
