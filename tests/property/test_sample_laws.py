"""Laws of sampling: any grammar and any settings give proper trees within their bounds."""

import itertools
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbranch.grammar.expansion import Expansion, build_tree, expand
from crossbranch.grammar.grammar import Grammar, read_grammar
from crossbranch.grammar.random_trees import SHAPES, RandomSettings, random_trees
from crossbranch.span import fan_out, span_of
from crossbranch.tree import Tree

Reading = Callable[[str], Grammar]


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    path: Path = tmp_path_factory.mktemp("grammars") / "drawn.lcfrs"

    def read(text: str) -> Grammar:
        path.write_text(text)
        return read_grammar(path)

    return read


@st.composite
def rules(draw: st.DrawFn, left: str, fan_outs: dict[str, int], allowed: list[str]) -> str:
    """Draw a rule for a symbol: children, and their blocks shuffled into the symbol's."""
    count = draw(st.integers(2, 3))
    children = [draw(st.sampled_from(allowed)) for _ in range(count)]
    variables: list[str] = []
    items = []
    for number, child in enumerate(children):
        names = [f"x{number}{block}" for block in range(fan_outs[child])]
        variables += names
        items.append(f"{child}({','.join(names)})")
    while len(variables) < fan_outs[left]:
        variables.append(f"w{len(variables)}")
        items.append(f"W({variables[-1]})")
    order = draw(st.permutations(variables))
    cuts = draw(
        st.lists(
            st.integers(1, len(order) - 1),
            min_size=fan_outs[left] - 1,
            max_size=fan_outs[left] - 1,
            unique=True,
        )
    )
    ends = [0, *sorted(cuts), len(order)]
    blocks = [" ".join(order[i:j]) for i, j in itertools.pairwise(ends)]
    weight = draw(st.integers(1, 9))
    return f"{weight} {left} -> {' '.join(items)} : {' , '.join(blocks)}"


@st.composite
def grammars(draw: st.DrawFn) -> str:
    """Draw a grammar in which every symbol reaches words and is reached."""
    names = ["S", "N1", "N2", "N3"][: draw(st.integers(1, 4))]
    fan_outs = {name: draw(st.integers(1, 3)) for name in names} | {"S": 1, "W": 1}
    lines = ["top S", "paradigm w @", "    W @", "words w : a b c d"]
    for number, name in enumerate(names):
        lines.append(draw(rules(name, fan_outs, ["W"])))
        for _ in range(draw(st.integers(0, 2))):
            lines.append(draw(rules(name, fan_outs, [*names, "W"])))
        if number:  # the one before uses it
            items = f"W(w) {name}({','.join(f'x{i}' for i in range(fan_outs[name]))})"
            wanted = fan_outs[names[number - 1]]
            others = [f"v{i}" for i in range(wanted)]
            items += "".join(f" W({other})" for other in others)
            body = " ".join(["w", *(f"x{i}" for i in range(fan_outs[name])), others[0]])
            lines.append(f"1 {names[number - 1]} -> {items} : {' , '.join([body, *others[1:]])}")
    return "\n".join(lines)


@given(grammars(), st.integers(12, 40), st.integers(0, 99))
def test_drawn_grammars_give_trees_that_follow_their_rules(
    reading: Reading, text: str, length: int, seed: int
) -> None:
    grammar = reading(text)
    order = expand(grammar, Random(f"{seed} 1").random, length)
    tree = build_tree(order, grammar.style, "1")
    assert 1 <= len(tree.sentence) <= length
    assert order[0].blocks[0] == sentence_order(order)
    place = {id(item): index for index, item in enumerate(order[0].blocks[0])}
    for item in order:
        span = span_of(place[id(word)] for block in item.blocks for word in block)
        assert fan_out(span) <= len(item.blocks)
        if item.rule is not None:
            (node,) = item.vertices
            assert not isinstance(node, int)
            assert node.span == span
            assert node.label == item.symbol.label
            check_arrangement(item, place)
    assert tree == build_tree(
        expand(grammar, Random(f"{seed} 1").random, length), grammar.style, "1"
    )


def sentence_order(order: list[Expansion]) -> list[Expansion]:
    """The words of an expansion, found from the top by following the rules."""

    def words(item: Expansion, block: int) -> list[Expansion]:
        if item.rule is None:
            return [item]
        found = []
        for child, part in item.rule.blocks[block]:
            expansion = item.children[child]
            assert expansion is not None
            found += words(expansion, part)
        return found

    return words(order[0], 0)


def check_arrangement(item: Expansion, place: dict[int, int]) -> None:
    """The blocks of the children stand in the sentence as the rule arranges them."""
    assert item.rule is not None
    for block, arrangement in zip(item.blocks, item.rule.blocks, strict=True):
        places = [place[id(word)] for word in block]
        assert places == list(range(places[0], places[0] + len(places)))
        assert len(arrangement) <= len(block)


@given(
    st.builds(
        RandomSettings,
        shape=st.sampled_from(SHAPES),
        min_length=st.integers(0, 10),
        max_length=st.integers(10, 60),
        branching=st.integers(2, 6),
        max_fan_out=st.integers(2, 6),
        discontinuity_rate=st.sampled_from([0, 0.2, 1]),
        unary_rate=st.sampled_from([0, 0.2, 0.7]),
        tags=st.integers(1, 5),
    ),
    st.integers(0, 99),
    st.booleans(),
)
def test_random_trees_keep_their_bounds(
    settings: RandomSettings, seed: int, ill_nested: bool
) -> None:
    if settings.shape != "comb":
        settings = RandomSettings(**(vars(settings) | {"ill_nested": ill_nested}))
    for tree in random_trees(3, seed=seed, settings=settings):
        check_bounds(tree, settings)
    (third,) = random_trees(1, seed=seed, first=3, settings=settings)
    assert third == tree


def check_bounds(tree: Tree, settings: RandomSettings) -> None:
    assert settings.min_length <= len(tree.sentence) <= settings.max_length
    assert tree.fan_out <= settings.max_fan_out
    assert len({token.tag for token in tree.sentence}) <= settings.tags
    assert settings.ill_nested or not tree.is_ill_nested
    if settings.shape == "random":
        assert settings.discontinuity_rate > 0 or not tree.is_discontinuous
        for node in tree.nodes[1:]:
            assert len(node.children) <= settings.branching
            assert settings.unary_rate > 0 or len(node.children) > 1 or len(tree.sentence) == 1
