"""Laws of transition systems, for every system and oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from strategies import scrambled_trees, trees

from crossbranch import read
from crossbranch._core import Configuration
from crossbranch.structure import PLAIN, ROOT_LABEL, TEMPORARY, BinaryForm
from crossbranch.transforms.binarize import Binarize
from crossbranch.transforms.head_choice import choose_head_table
from crossbranch.transforms.raising import Raise
from crossbranch.transforms.transform import Pipeline, Transform
from crossbranch.transforms.unaries import Unaries
from crossbranch.transitions import (
    SYSTEMS,
    Derivation,
    TransitionSystem,
    build,
    derive,
    pipeline_for,
)
from crossbranch.transitions.moves import COMBINE, FINISH, GAP, RIGHT, SWAP, UNARY
from crossbranch.tree import Node, Token, Tree

CASES = [(name, oracle) for name, kind in SYSTEMS.items() for oracle in kind.oracles]
BINARY = [case for case in CASES if isinstance(SYSTEMS[case[0]].form, BinaryForm)]
PIPELINES = {name: pipeline_for(name) for name in SYSTEMS}
LABELS = ["S", "NP", "VP", "ROOT", "S:", "@S", "A+B", "", "&#x3a;"]
TREES = scrambled_trees() | trees(rich=False, min_size=1, max_size=9, heads=True, labels=LABELS)
MOST_TREES = 300  # of a treebank
SMALL = trees(rich=False, min_size=1, max_size=7, heads=True, labels=LABELS)


def binary_form(name: str) -> BinaryForm:
    """The form of the trees that a system of BINARY builds."""
    form = SYSTEMS[name].form
    assert isinstance(form, BinaryForm)
    return form


def without_unary_heads(tree: Tree, *, has_heads: bool = True) -> Tree:
    """What a derivation keeps: an only child need not be marked as the head."""
    built: dict[int, Node] = {}
    for node in tree.root.postorder():
        children = [c if isinstance(c, int) else built[id(c)] for c in node.children]
        head = node.head if has_heads and len(children) > 1 else None
        built[id(node)] = node.replace(children=children, head=head, features=())
    return tree.replace(root=built[id(tree.root)])


def counted(derivation: Derivation) -> Counter[int]:
    """How often each move is in a derivation."""
    return Counter(derivation.system.transition(number)[0] for number in derivation.transitions)


def test_the_strategy_reaches_what_is_hard() -> None:
    quick = settings(phases=[Phase.generate], database=None, derandomize=True)
    find(TREES, lambda tree: tree.fan_out >= 6, settings=quick)
    find(TREES, lambda tree: tree.is_ill_nested, settings=quick)
    find(TREES, lambda tree: any(len(node.children) > 4 for node in tree.nodes), settings=quick)


@given(TREES)
def test_build_undoes_derive(tree: Tree) -> None:
    tree = without_unary_heads(tree)
    for name, oracle in CASES:
        pipeline, has_heads = PIPELINES[name], SYSTEMS[name].form.has_heads
        binary = pipeline.apply(tree)
        for system in (
            TransitionSystem.open([binary], name=name, oracle=oracle),
            TransitionSystem.of([binary], name=name, oracle=oracle),
        ):
            derivation = derive(binary, system)
            expected = without_unary_heads(binary, has_heads=has_heads)
            assert build(derivation) == expected, (name, oracle)
            expected = without_unary_heads(tree, has_heads=has_heads)
            assert build(derivation, pipeline) == expected, (name, oracle)


def test_temporary_items_may_wait_for_their_partners() -> None:
    """Lazy oracles make @S while @NP, which is swapped later, stands between it and its NP."""
    left, right = Node("NP", [0, 2, 4], head=0), Node("NP", [1, 3], head=0)
    inner = Node("S", [left, 5, 6, 7], head=3)
    for root in (
        Node("ROOT", [inner, 1, 3], head=2),
        Node("ROOT", [inner, right], head=0),
        Node("ROOT", [Node("S", [0, 6, 7], head=2), 1, 2, 3, 4, 5], head=4),
    ):
        tree = Tree([Token("w")] * 8, root)
        binary = PIPELINES["swap"].apply(tree)
        for oracle in SYSTEMS["swap"].oracles:
            for name in ("swap", "cswap"):
                system = TransitionSystem.of([binary], name=name, oracle=oracle)
                assert build(derive(binary, system), PIPELINES["swap"]) == tree


@given(trees(rich=False, min_size=1, max_size=9, heads=False), st.sampled_from(["left", "right"]))
def test_trees_without_heads_are_derived(tree: Tree, order: str) -> None:
    for name, oracle in BINARY:
        form = binary_form(name)
        steps: list[Transform] = [Binarize(order, mark=form.mark)]
        steps += [Unaries(joiner=form.joiner, root=True)] if form.joiner else []
        pipeline = Pipeline(tuple(steps))
        binary = pipeline.apply(tree)
        built = build(derive(binary, TransitionSystem.of([binary], name=name, oracle=oracle)))
        assert built.brackets == binary.brackets
        assert pipeline.undo(built).brackets == tree.brackets


@given(TREES)
def test_systems_without_gap_and_swap_derive_continuous_trees(tree: Tree) -> None:
    for name, oracle in BINARY:
        binary = PIPELINES[name].apply(Raise().apply(tree))
        system = TransitionSystem.open([binary], name=name, oracle=oracle, is_continuous=True)
        assert not {(GAP, 1), (SWAP, 1)} & set(system.transitions)
        assert build(derive(binary, system)).brackets == binary.brackets


@given(TREES)
def test_derivations_are_no_longer_than_the_papers_prove(tree: Tree) -> None:
    size = len(tree.sentence)
    for name, oracle in CASES:
        binary = PIPELINES[name].apply(tree)
        moves = counted(derive(binary, TransitionSystem.of([binary], name=name, oracle=oracle)))
        length = moves.total() - moves[FINISH]
        if name in ("cgap", "stack-free"):
            assert length == 4 * size - 2
            continue
        if name == "ml-cgap":
            assert length == 5 * size - 3
            continue
        if name.startswith("ml-gap"):
            assert 4 * size - 2 <= length <= (size * size + 5 * size - 2) // 2
            continue
        length -= moves[UNARY]
        if name == "gap":
            assert length <= (size * size + size) // 2
        elif name == "swap":
            assert length <= size * size - size + 1
        elif oracle == "strict":
            assert length <= max((size * size + 3 * size - 4) // 2, 1)


@given(TREES)
def test_lazier_oracles_never_swap_more_than_the_eager_one(tree: Tree) -> None:
    binary = PIPELINES["swap"].apply(tree)
    swaps = [
        counted(derive(binary, TransitionSystem.of([binary], name="swap", oracle=oracle)))[SWAP]
        for oracle in ("strict", "eager", "lazy", "lazier")
    ]
    assert swaps == sorted(swaps, reverse=True)


@given(TREES)
def test_compound_moves_bundle_all_single_ones(tree: Tree) -> None:
    for single, compound, move, bundle in (
        ("gap", "cgap", GAP, GAP),
        ("swap", "cswap", SWAP, SWAP),
        ("ml-gap", "ml-cgap", GAP, GAP),
        ("ml-gap", "stack-free", GAP, COMBINE),  # a COMBINE passes over the items that GAPs move
    ):
        binary = PIPELINES[single].apply(tree)
        for oracle in SYSTEMS[single].oracles:
            if oracle == "dynamic" and compound == "stack-free":
                continue  # not the same choices
            one = TransitionSystem.of([binary], name=single, oracle=oracle)
            several = TransitionSystem.of([binary], name=compound, oracle=oracle)
            bundled = [several.transition(number) for number in several.derive(binary)]
            moved = sum(argument for kind, argument in bundled if kind == bundle)
            assert moved == counted(derive(binary, one))[move]


def walk(system: TransitionSystem, size: int, random: Random) -> Derivation:
    """Take legal transitions at random until the end, seldom those that only delay it."""
    configuration = Configuration(system.core, size)
    taken: list[int] = []
    while not configuration.is_final:
        legal = configuration.legal()
        assert legal, f"stuck after {[system.name_of(number) for number in taken]}"
        taken.append(random.choice(legal))
        configuration.apply(taken[-1])
    assert [system.name_of(number) for number in configuration.legal()] == ["IDLE"]
    return Derivation(system, (Token("w"),) * size, tuple(taken))


@given(st.lists(SMALL, min_size=1, max_size=3), st.integers(1, 12), st.randoms())
def test_every_legal_walk_ends_in_a_tree(some: list[Tree], size: int, random: Random) -> None:
    for name, oracle in CASES:
        pipeline = PIPELINES[name]
        binary = [pipeline.apply(tree) for tree in some]
        for system in (
            TransitionSystem.of(binary, name=name, oracle=oracle),
            TransitionSystem.open(binary, name=name, oracle=oracle),
        ):
            derivation = walk(system, size, random)
            check_whole(derivation, pipeline)


@given(st.integers(1, 9), st.randoms(), st.sampled_from(CASES))
def test_a_single_label_is_enough(size: int, random: Random, case: tuple[str, str]) -> None:
    name, oracle = case
    flat = Tree([Token("w")] * 4, Node("S", [0, 1, 2, 3], head=1))
    for tree in (flat, Tree([Token("w")], Node("S", [0]))):
        binary = PIPELINES[name].apply(tree)
        system = TransitionSystem.of([binary], name=name, oracle=oracle)
        built = check_whole(walk(system, size, random), PIPELINES[name])
        assert {node.label for node in built.nodes} == {"S"}


def check_whole(derivation: Derivation, pipeline: Pipeline) -> Tree:
    """Check that a walk ended in an n-ary tree over all tokens, without temporary labels."""
    labels = derivation.system.labels
    binary = build(derivation)
    tree = build(derivation, pipeline)
    assert tree.root.span == (1 << len(derivation.sentence)) - 1
    numbers = [labels.id_of(binary.root.label, ROOT_LABEL)]
    for node in binary.nodes[1:]:
        plain = labels.find(node.label, PLAIN)
        numbers.append(labels.id_of(node.label, TEMPORARY) if plain is None else plain)
    # The chains tell all labels of the tree.
    assert Counter(n.label for n in tree.nodes) == Counter(
        name for number in numbers for name in labels.chain(number)
    )
    return tree


def binary_trees(size: int) -> Iterator[Node]:
    """All binary trees over so many tokens, discontinuous ones too, with one label."""

    def over(tokens: tuple[int, ...]) -> Iterator[Node | int]:
        if len(tokens) == 1:
            yield tokens[0]
            return
        first, *rest = tokens
        for count in range(len(rest)):
            for some in combinations(rest, count):
                others = tuple(token for token in rest if token not in some)
                for left in over((first, *some)):
                    for right in over(others):
                        yield Node("X", [left, right])

    for root in over(tuple(range(size))):
        assert isinstance(root, Node)
        yield root


@pytest.mark.parametrize("size", [2, 3, 4])
def test_gap_derivations_and_trees_are_in_bijection(size: int) -> None:
    """Section 2.3: without unary reductions and heads, every tree has exactly one derivation."""
    some = Tree([Token("w")] * 3, Node("X", [Node("X", [0, 1], head=0), 2], head=0))
    system = TransitionSystem.open([some], name="gap")
    found: Counter[str] = Counter()
    paths: list[tuple[int, ...]] = [()]
    while paths:
        path = paths.pop()
        configuration = Configuration(system.core, size)
        for number in path:
            configuration.apply(number)
        if configuration.is_final:
            found[str(build(Derivation(system, (Token("w"),) * size, path)).root)] += 1
            continue
        # RL stands for both directions of the head.
        moves = [n for n in configuration.legal() if system.transitions[n][0] not in (UNARY, RIGHT)]
        paths.extend((*path, number) for number in moves)
    assert found == Counter(str(root) for root in binary_trees(size))
    assert set(found.values()) == {1}


@pytest.mark.parametrize(
    "treebank", ["alpino", "alpino-nltk", "craft", "icepahc", "squoia", "wsj-sample"]
)
def test_build_undoes_derive_on_treebanks(treebank: str, shared: Path) -> None:
    """Discontinuous trees, and a tenth of the others, which are easy; of many, some."""
    numbered = enumerate(read(shared / "treebanks" / treebank / "dev.export.xz"))
    gold = [
        tree
        for number, tree in numbered
        if tree.sentence and (tree.is_discontinuous or number % 10 == 0)
    ]
    gold = gold[:: len(gold) // MOST_TREES + 1]
    heads = choose_head_table(gold)
    binary = {}
    others = [("ml-gap-lex", "static"), ("stack-free", "dynamic")]
    for name, oracle in [*BINARY, *others]:
        form = SYSTEMS[name].form
        if form not in binary:
            ready = [pipeline_for(name, heads).apply(tree) for tree in gold]
            binary[form] = [(tree, outline(tree, form.has_heads)) for tree in ready]
        system = TransitionSystem.open((tree for tree, _ in binary[form]), name=name, oracle=oracle)
        for tree, expected in binary[form]:
            assert outline(build(derive(tree, system)), form.has_heads) == expected, tree.id


def outline(tree: Tree, has_heads: bool) -> list[tuple[str, int, int | None]]:
    """Label, span and head of every node."""
    return [
        (node.label, node.span, node.head if has_heads and len(node.children) > 1 else None)
        for node in tree.nodes
    ]
