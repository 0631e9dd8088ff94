"""Oracles answer which transitions are best from here."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import scrambled_trees, trees

from crossbranch import _core
from crossbranch.errors import UsageError
from crossbranch.span import span_of
from crossbranch.structure import PLAIN, NodeBuilder
from crossbranch.transitions import SYSTEMS, Oracle, TransitionSystem, pipeline_for
from crossbranch.transitions.gold import BinaryGold
from crossbranch.transitions.moves import GAP, Moves, Walk
from crossbranch.tree import Node, Token, Tree

CASES = [(name, oracle) for name, kind in SYSTEMS.items() for oracle in kind.oracles]
STATIC = [(name, oracle) for name, oracle in CASES if oracle not in SYSTEMS[name].dynamic_oracles]
LABELS = ["S", "NP"]
TREES = scrambled_trees(max_size=10) | trees(rich=False, min_size=1, max_size=9, labels=LABELS)


@given(TREES)
def test_following_the_best_transition_is_deriving(tree: Tree) -> None:
    for name, oracle in CASES:
        binary = pipeline_for(name).apply(tree)
        system = TransitionSystem.of([binary], name=name, oracle=oracle)
        gold = system.gold(binary)
        configuration = system.start(len(tree.sentence))
        taken: list[int] = []
        while best := system.best(gold, configuration):
            assert len(best) == 1 or SYSTEMS[name].oracles[oracle].is_dynamic
            assert len(best) == len(set(best))
            taken.append(best[0])
            configuration.apply(best[0])
        assert taken == system.derive(binary), (name, oracle)
        assert configuration.is_final


def test_which_oracles_are_dynamic() -> None:
    found = {name: kind.dynamic_oracles for name, kind in SYSTEMS.items() if kind.dynamic_oracles}
    assert found == {
        "ml-gap": ("dynamic",),
        "ml-gap-lex": ("dynamic",),
        "ml-cgap": ("dynamic",),
        "stack-free": ("dynamic", "dynamic-eager"),
    }


@pytest.mark.parametrize(("name", "oracle"), STATIC)
def test_static_oracles_say_where_they_cannot_answer(name: str, oracle: str) -> None:
    root = Node("S", [Node("NP", [0, 1], head=0), Node("NP", [2, 3], head=0)], head=0)
    binary = pipeline_for(name).apply(Tree([Token("w")] * 4, root))
    system = TransitionSystem.open([binary], name=name, oracle=oracle)
    gold = system.gold(binary)
    configuration = system.start(4)
    off = 0
    random = Random(1)
    while not configuration.is_final:
        legal = configuration.legal()
        # The right ones are left out, where there are others.
        try:
            right = system.best(gold, configuration)
        except UsageError as error:
            assert "not on the oracle's derivation" in str(error)
            off += 1
            right = []
        wrong = [transition for transition in legal if transition not in right]
        configuration.apply(random.choice(wrong or legal))
    assert off
    assert system.best(gold, configuration) == []  # nothing to do at the end
    with pytest.raises(UsageError, match="not on the oracle's derivation"):
        system.best(gold, system.start(3))


def test_a_configuration_with_other_labels_is_another_place() -> None:
    root = Node("S", [Node("NP", [0, 1], head=0), Node("VP", [2, 3], head=0)], head=0)
    binary = pipeline_for("gap").apply(Tree([Token("w")] * 4, root))
    system = TransitionSystem.open([binary], name="gap")
    gold = system.gold(binary)
    shift = system.moves.shift
    right, wrong = (
        system.core.find(_core.Move.LEFT, system.labels.id_of(n, PLAIN)) for n in ("NP", "VP")
    )
    one, other = system.start(4), system.start(4)
    for transition, another in ((shift, shift), (shift, shift), (right, wrong)):
        one.apply(transition)
        other.apply(another)
    assert system.best(gold, one) == [shift]
    with pytest.raises(UsageError, match="not on the oracle's derivation"):
        system.best(gold, other)


Bracket = tuple[str, int]


class Exhaustive(Oracle[BinaryGold]):
    """A dynamic oracle that tries all that can follow: for small sentences and few labels."""

    is_dynamic: ClassVar[bool] = True

    def __init__(self, system: TransitionSystem) -> None:
        chains = map(system.labels.chain, range(len(system.labels)))
        self._builder = NodeBuilder(chains)
        self._reached: dict[Any, float] = {}
        self._wanted: Counter[Bracket] = Counter()

    def best(self, gold: BinaryGold, configuration: _core.Configuration, moves: Moves) -> list[int]:
        wanted = self.brackets(gold.rebuild())
        if wanted != self._wanted:
            self._wanted, self._reached = wanted, {}
        if configuration.is_final:
            return []
        found = {t: self._after(configuration, t) for t in configuration.legal()}
        return [t for t, score in found.items() if score == max(found.values())]

    def brackets(self, root: Node) -> Counter[Bracket]:
        """The brackets of the treebank's own tree."""
        return Counter(
            (part, node.span)
            for node in root.postorder()
            if not node.label.endswith(":")
            for part in node.label.split("+")
        )

    def f1(self, configuration: _core.Configuration) -> float:
        found = self.brackets(self._builder.build(configuration.codes()))
        return 2 * (found & self._wanted).total() / (found.total() + self._wanted.total())

    def _after(self, configuration: _core.Configuration, transition: int) -> float:
        following = configuration.copy()
        following.apply(transition)
        return self.reach(following)

    def reach(self, configuration: _core.Configuration) -> float:
        """The best F1 of a tree that can still be built."""
        key = self._key(configuration)
        if key not in self._reached:
            self._reached[key] = (
                self.f1(configuration)
                if configuration.is_final
                else max(self._after(configuration, t) for t in configuration.legal())
            )
        return self._reached[key]

    def _key(self, configuration: _core.Configuration) -> Any:
        size = configuration.token_count
        made: list[Any] = [*range(size)]
        for vertex in range(size, configuration.node_count):
            label, left, right, _ = configuration.node(vertex)
            made.append((label, made[left], made[right] if right >= 0 else None))
        return (
            configuration.last,
            configuration.next,
            made[configuration.focus] if configuration.focus >= 0 else None,
            tuple(made[vertex] for vertex in configuration.stack),
            tuple(made[vertex] for vertex in configuration.aside),
        )


SMALL = [
    Node("S", [Node("NP", [0, 2], head=0), 1], head=1),
    Node("S", [Node("NP", [0, 1], head=0), 2], head=1),
    Node("S", [0, Node("NP", [1]), 2], head=0),
]


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(SMALL), st.sampled_from(["gap", "cgap"]), st.randoms(use_true_random=False))
def test_a_dynamic_oracle_answers_from_any_configuration(
    root: Node, name: str, random: Random
) -> None:
    """Through the same interface: after every mistake, it leads to the best that is left."""
    tree = Tree([Token("w")] * 3, root)
    binary = pipeline_for(name).apply(tree)
    system = TransitionSystem.open([binary], name=name)
    gold = system.gold(binary)
    oracle = Exhaustive(system)
    configuration = system.start(3)
    for _ in range(random.randrange(8)):  # anything that is legal
        if not configuration.is_final:
            configuration.apply(random.choice(configuration.legal()))
    best = oracle.best(gold, configuration, system.moves)
    assert configuration.is_final or best
    reachable = oracle.reach(configuration)
    while best:
        assert set(best) <= set(configuration.legal())
        configuration.apply(random.choice(best))
        best = oracle.best(gold, configuration, system.moves)
    assert oracle.f1(configuration) == reachable


@pytest.mark.parametrize("name", ["gap", "cgap"])
@pytest.mark.parametrize("root", SMALL)
def test_an_oracle_that_only_knows_what_is_best_derives_the_gold_tree(
    name: str, root: Node
) -> None:
    tree = Tree([Token("w")] * 3, root)
    binary = pipeline_for(name).apply(tree)
    system = TransitionSystem.open([binary], name=name)
    gold = system.gold(binary)
    oracle = Exhaustive(system)
    walk = Walk(system.core, 3)
    oracle.derive(gold, walk, system.moves)
    assert oracle.f1(walk.configuration) == 1.0
    on_the_way = system.start(3)
    for transition in system.derive(binary):  # what the static oracle takes is best, too
        assert transition in oracle.best(gold, on_the_way, system.moves)
        on_the_way.apply(transition)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(SMALL),
    st.sampled_from([case for case in CASES if case not in STATIC]),
    st.randoms(use_true_random=False),
)
def test_the_optimal_transitions_are_those_that_keep_the_best_f1(
    root: Node, case: tuple[str, str], random: Random
) -> None:
    """Exactly those, from any configuration. The core's tests try all trees of four tokens."""
    name, oracle = case
    tree = pipeline_for(name).apply(Tree([Token("w")] * 3, root))
    system = TransitionSystem.open([tree], name=name, oracle=oracle)
    gold = system.gold(tree)
    exhaustive = Exhaustive(system)
    configuration = system.start(3)
    while not configuration.is_final:
        best = system.best(gold, configuration)
        assert sorted(best) == exhaustive.best(gold, configuration, system.moves)
        configuration.apply(random.choice(configuration.legal()))


@given(TREES, st.sampled_from([c for c in CASES if c not in STATIC]), st.randoms())
def test_all_that_is_reachable_is_built(tree: Tree, case: tuple[str, str], random: Random) -> None:
    name, oracle = case
    ready = pipeline_for(name).apply(tree)
    system = TransitionSystem.open([ready], name=name, oracle=oracle)
    gold = system.gold(ready)
    configuration = system.start(len(tree.sentence))
    for _ in range(random.randrange(4 * len(tree.sentence))):  # anything that is legal
        if not configuration.is_final and (configuration.last != GAP or random.randrange(2)):
            configuration.apply(random.choice(configuration.legal()))
    while configuration.last == GAP:  # the MERGE that must follow may lose constituents
        configuration.apply(random.choice(configuration.legal()))
    before = {gold.spans[vertex] for vertex in gold.oracle().reach(configuration)}
    made = configuration.node_count
    while best := system.best(gold, configuration):
        configuration.apply(random.choice(best))
    labelled = {
        span_of(index for block in configuration.blocks(vertex) for index in range(*block))
        for vertex in range(made, configuration.node_count)
        if configuration.node(vertex)[0] >= 0
    }
    assert labelled == before  # and nothing else


def test_a_dynamic_oracle_refuses_another_sentence() -> None:
    tree = pipeline_for("stack-free").apply(Tree([Token("w")] * 3, SMALL[0]))
    system = TransitionSystem.open([tree], name="stack-free", oracle="dynamic")
    with pytest.raises(UsageError, match="the sentence has 2 tokens, the gold tree 3"):
        system.best(system.gold(tree), system.start(2))
    other = TransitionSystem.open([tree], name="ml-gap", oracle="dynamic")
    with pytest.raises(UsageError, match="one of another system"):
        system.best(system.gold(tree), other.start(3))
