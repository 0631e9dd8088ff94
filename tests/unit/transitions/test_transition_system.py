import json
from dataclasses import replace
from typing import Any

import pytest

from crossbranch.errors import InputError, TransformError, UsageError
from crossbranch.structure import BinaryForm
from crossbranch.transforms.raising import Raise
from crossbranch.transitions import SYSTEMS, TransitionSystem, build, derive, pipeline_for
from crossbranch.transitions.moves import COMBINE, GAP, SHIFT, SWAP, UNARY
from crossbranch.transitions.systems import system_kind
from crossbranch.tree import Node, Token, Tree

CASES = [(name, oracle) for name, kind in SYSTEMS.items() for oracle in kind.oracles]


def crossing(label: str = "VP") -> Tree:
    """The VP covers the first and the last of four tokens."""
    inner = Node("NP", [Node("NP", [1, 2], head=0)])
    root = Node("ROOT", [Node("S", [Node(label, [0, 3], head=1), inner], head=1)])
    return Tree([Token(word) for word in "abcd"], root, id="17")


def system_of(name: str, oracle: str | None = None) -> TransitionSystem:
    binary = pipeline_for(name).apply(crossing())
    return TransitionSystem.of([binary], name=name, oracle=oracle)


@pytest.mark.parametrize(("name", "oracle"), CASES)
def test_json_and_back(name: str, oracle: str) -> None:
    system = system_of(name, oracle)
    again = TransitionSystem.from_json(json.loads(json.dumps(system.to_json())))
    assert again.transitions == system.transitions
    assert again.labels == system.labels
    assert again.to_json() == system.to_json()
    binary = pipeline_for(name).apply(crossing())
    assert again.derive(binary) == system.derive(binary)


def test_only_what_was_seen_is_there_with_what_parsing_needs() -> None:
    system = system_of("gap")
    names = " ".join(map(system.name_of, range(len(system.transitions))))
    assert names == "SH RU(ROOT+S) RL(NP+NP) RL(ROOT+S) RR(VP) RR(ROOT+S) GAP IDLE"


def test_the_largest_amount_is_what_was_seen() -> None:
    assert system_of("gap").largest_amount == 1
    assert system_of("cgap").largest_amount == 1
    assert system_of("cswap").largest_amount == 2
    amounts = [argument for move, argument in system_of("cswap").transitions if move == SWAP]
    assert amounts == [1, 2]
    assert [a for move, a in system_of("cgap").transitions if move == GAP] == [0, 1]


def test_names_are_the_papers() -> None:
    cgap = system_of("cgap")
    names = [cgap.name_of(number) for number in range(len(cgap.transitions))]
    assert {"SH", "GH", "GAP_0", "GAP_1", "IDLE", "RR(VP)"} <= set(names)
    cswap = system_of("cswap")
    names = [cswap.name_of(number) for number in range(len(cswap.transitions))]
    assert {"SHIFT", "UNARY-NP", "BINARY-VP-R", "COMPOUNDSWAP_2", "FINISH", "IDLE"} <= set(names)
    assert cswap.name_of(-1) == "a transition that the system does not have"
    assert cswap.name_of(999) == "a transition that the system does not have"
    lexicalised = system_of("ml-gap-lex")
    names = [lexicalised.name_of(number) for number in range(len(lexicalised.transitions))]
    assert " ".join(names) == (
        "SHIFT GAP IDLE MERGE-LEFT MERGE-RIGHT LABEL-NP+NP LABEL-VP LABEL-ROOT+S NO-LABEL"
    )


def test_open_moves_have_any_argument() -> None:
    for name, move, title in (
        ("stack-free", COMBINE, "COMBINE-{}"),
        ("ml-cgap", GAP, "COMPOUNDGAP_{}"),
    ):
        system = system_of(name)
        assert system.core.open_move == move
        assert move not in {listed for listed, _ in system.transitions}
        for argument in (0, 1, 500):
            number = system.core.find(move, argument)
            assert number == len(system.transitions) + argument
            assert system.transition(number) == (move, argument)
            assert system.name_of(number) == title.format(argument)
    assert system_of("gap").core.open_move is None


def test_unary_nodes_are_reductions_of_swap() -> None:
    system = system_of("swap")
    assert system.repeats_unaries
    assert (UNARY, system.labels.id_of("NP", 0)) in system.transitions
    node = Node("X", [0])
    for label in "ABCDE":
        node = Node(label, [node])
    tree = pipeline_for("swap").apply(Tree([Token("a")], Node("ROOT", [node])))
    long = TransitionSystem.of([tree], name="swap")
    assert (long.unary_limit, long.repeats_unaries) == (6, False)
    assert build(derive(tree, long)) == tree


def refused(tree: Tree, system: TransitionSystem) -> str:
    with pytest.raises(TransformError) as caught:
        derive(tree, system)
    assert str(caught.value).startswith(f"sentence {tree.id}: ")
    return str(caught.value)


@pytest.mark.parametrize(("name", "oracle"), CASES)
def test_what_cannot_be_derived_is_named(name: str, oracle: str) -> None:
    system = system_of(name, oracle)
    assert "the sentence has no tokens" in refused(Tree([], Node("ROOT"), id="1"), system)
    other = pipeline_for(name).apply(crossing("XP"))
    assert "unknown label XP" in refused(other, system)
    words = [Token("a")] * 3
    root = next(label for kind, label in system.labels.labels if kind == 2)
    if isinstance(system.kind.form, BinaryForm):
        wide = Tree(words, Node(root, [0, 1, 2]), id="2")
        assert f"{root} has 3 children, expected 1 or 2" in refused(wide, system)
    else:
        chain = Tree(words, Node(root, [Node("VP", [0, 1, 2])]), id="2")
        assert f"{root} is a unary node above another" in refused(chain, system)
        narrow = replace(system, seen=())
        assert "the system has no LABEL-VP" in refused(pipeline_for(name).apply(crossing()), narrow)


def test_unary_nodes_above_nodes_need_to_be_collapsed_for_gap() -> None:
    tree = Tree([Token("a"), Token("b")], Node("S", [Node("NP", [0, 1])]), id="3")
    system = TransitionSystem.open([tree], name="gap")
    assert "S is a unary node above another" in refused(tree, system)


def test_other_binarizations_are_refused() -> None:
    """A temporary node must be the head: RR(S) over S: on the left is not legal."""
    words = [Token(word) for word in "abc"]
    tree = Tree(words, Node("S", [Node("S:", [0, 1], head=0), 2], head=1), id="4")
    system = TransitionSystem.open([tree], name="gap")
    assert "SR-GAP cannot build this tree: RR(S) is not legal after 4" in refused(tree, system)


def test_amounts_beyond_those_seen_are_refused() -> None:
    far = Node("S", [Node("VP", [0, 5], head=1), Node("NP", [1, 2, 3, 4])], head=1)
    for name, root, count in (
        ("cswap", far, 4),
        ("cgap", Node("S", [Node("VP", [0, 5]), 1, 2, 3, 4], head=0), 4),
    ):
        tree = pipeline_for(name).apply(Tree([Token("a")] * 6, root, id="5"))
        wide = TransitionSystem.open([tree], name=name)
        assert build(derive(tree, wide)).brackets == tree.brackets
        few = [pair for pair in wide.transitions if pair[0] not in (GAP, SWAP) or pair[1] < 2]
        narrow = replace(wide, seen=tuple(few))
        assert f"{count} items must be moved at once, but the system moves at most 1" in refused(
            tree, narrow
        )


@pytest.mark.parametrize("name", ["gap", "cgap", "swap", "cswap"])
def test_continuous_systems_refuse_discontinuous_trees(name: str) -> None:
    gapped = pipeline_for(name).apply(crossing())
    plain = pipeline_for(name).apply(Raise().apply(crossing()))
    system = TransitionSystem.open([gapped, plain], name=name, is_continuous=True)
    assert system.largest_amount == 0
    assert TransitionSystem.from_json(system.to_json()).transitions == system.transitions
    assert build(derive(plain, system)).brackets == plain.brackets
    assert "discontinuous, but the system is continuous" in refused(gapped, system)


def test_heads_that_are_not_marked_are_the_temporary_or_the_first_child() -> None:
    words = [Token(word) for word in "abc"]
    right = Tree(words, Node("S", [0, Node("S:", [1, 2])]))
    built = build(derive(right, TransitionSystem.of([right], name="gap")))
    assert [node.head for node in built.nodes] == [1, 0]
    left = Tree(words, Node("S", [Node("S:", [0, 1]), 2]))
    built = build(derive(left, TransitionSystem.of([left], name="gap")))
    assert [node.head for node in built.nodes] == [0, 0]


def test_damaged_json_is_an_error_that_names_the_file() -> None:
    good = system_of("gap").to_json()
    changes: list[dict[str, Any]] = [
        {"system": "nonsense"},
        {"system": 7},
        {"oracle": "strict"},
        {"transitions": [[SHIFT, 0]]},
        {"transitions": [[99, 0]]},
        {"transitions": [[UNARY, 99]]},
        {"transitions": [7]},
        {"transitions": "x"},
        {"unary_limit": "x"},
        {"labels": {}},
    ]
    for change in changes:
        with pytest.raises(InputError, match=r"^labels\.json: found"):
            TransitionSystem.from_json(good | change, path="labels.json")
    for key in good:
        rest = {name: value for name, value in good.items() if name != key}
        with pytest.raises(InputError, match=r"^labels\.json: found"):
            TransitionSystem.from_json(rest, path="labels.json")


def test_unknown_systems_and_oracles() -> None:
    with pytest.raises(
        UsageError, match="unknown transition system 'x'; expected one of gap, cgap"
    ):
        system_kind("x")
    with pytest.raises(UsageError, match="gap has no oracle 'lazy'; expected one of static"):
        TransitionSystem.of([crossing()], name="gap", oracle="lazy")
    with pytest.raises(UsageError, match="no tree with tokens"):
        TransitionSystem.of([], name="swap")
