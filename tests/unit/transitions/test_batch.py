"""Configurations that take their steps together are those that take them alone."""

from __future__ import annotations

from array import array
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from crossbranch import _core
from crossbranch.structure import PLAIN, NodeBuilder
from crossbranch.transitions import SYSTEMS, Derivation, TransitionSystem, build, pipeline_for
from crossbranch.tree import Node, Token, Tree

CASES = [(name, oracle) for name, kind in SYSTEMS.items() for oracle in kind.oracles]
SMALL = trees(rich=False, min_size=1, max_size=7, heads=True, labels=["S", "NP", "A+B"])
STACK, ASIDE, QUEUE, BLOCKS = 3, 2, 2, 2
ITEMS, FIELDS = 1 + STACK + ASIDE + QUEUE, 4 + 2 * BLOCKS


def items_of(configuration: _core.Configuration) -> list[int]:
    """What a batch writes for one configuration, by the description alone."""
    vertices = [configuration.focus]
    vertices += [configuration.stack_item(i) for i in range(STACK)]
    vertices += [*reversed(configuration.aside), -1, -1][:ASIDE]
    vertices += [configuration.queue_item(i) for i in range(QUEUE)]
    found: list[int] = []
    for vertex in vertices:
        if vertex < 0:
            found += [-1] * FIELDS
            continue
        label, _, _, head = configuration.node(vertex)
        blocks = configuration.blocks(vertex)
        kept = [*blocks] if len(blocks) <= BLOCKS else [blocks[0], blocks[-1]]
        kept += [(-1, -1)] * (BLOCKS - len(kept))
        found += [vertex, label, head, len(blocks), *(end for block in kept for end in block)]
    return found


@given(
    st.lists(SMALL, min_size=1, max_size=3),
    st.lists(st.integers(1, 9), max_size=6),
    st.sampled_from(CASES),
    st.randoms(use_true_random=False),
)
def test_stepping_together_is_stepping_alone(
    some: list[Tree], sizes: list[int], case: tuple[str, str], random: Random
) -> None:
    name, oracle = case
    pipeline = pipeline_for(name)
    binary = [pipeline.apply(tree) for tree in some]
    system = TransitionSystem.open(binary, name=name, oracle=oracle)
    batch = system.batch(sizes)
    alone = [system.start(size) for size in sizes]
    taken: list[list[int]] = [[] for _ in sizes]
    assert (len(batch), batch.transition_count) == (len(sizes), len(system.transitions))
    final = bytearray(len(sizes))
    items = array("i", [0]) * (len(sizes) * ITEMS * FIELDS)
    while not batch.is_done:
        width = batch.transition_count
        open_count = batch.deepest_stack if system.kind.is_open else 0
        assert width == len(system.transitions) + open_count
        mask = bytearray(len(sizes) * width)
        batch.write_legal(mask)
        batch.write_final(final)
        batch.write_items(items, stack=STACK, aside=ASIDE, queue=QUEUE, blocks=BLOCKS)
        assert batch.deepest_stack == max(one.stack_size for one in alone)
        chosen = array("i", [-1]) * len(sizes)
        for i, one in enumerate(alone):
            row = mask[i * width : (i + 1) * width]
            assert [number for number, is_legal in enumerate(row) if is_legal] == one.legal()
            assert bool(final[i]) == one.is_final
            size = ITEMS * FIELDS
            assert list(items[i * size : (i + 1) * size]) == items_of(one)
            if not one.is_final:
                chosen[i] = random.choice(one.legal())
                one.apply(chosen[i])
                taken[i].append(chosen[i])
        batch.apply(chosen)
    builder = NodeBuilder(map(system.labels.chain, range(len(system.labels))))
    for size, codes, transitions in zip(sizes, batch.codes(), taken, strict=True):
        derivation = Derivation(system, (Token("w"),) * size, tuple(transitions))
        expected = build(derivation, pipeline)
        assert Tree(expected.sentence, builder.build(codes)).brackets == expected.brackets


def some_batch() -> tuple[TransitionSystem, _core.Batch]:
    tree = Tree([Token("w")] * 3, Node("S", [Node("NP", [0, 2], head=0), 1], head=1))
    system = TransitionSystem.open([pipeline_for("gap").apply(tree)], name="gap")
    return system, system.batch([2, 3])


def test_a_configuration_of_a_batch_is_a_copy() -> None:
    system, batch = some_batch()
    shift = system.moves.shift
    batch.apply(array("i", [shift, shift]))
    one = batch.configuration(1)
    assert (one.focus, one.token_count, one.system.name) == (0, 3, "gap")
    one.apply(shift)
    assert batch.configuration(1).focus == 0
    for number in (-1, 2):
        with pytest.raises(ValueError, match="configuration"):
            batch.configuration(number)


def test_a_selection_goes_its_own_way() -> None:
    system, batch = some_batch()
    shift = system.moves.shift
    batch.apply(array("i", [shift, shift]))
    beam = batch.select(array("i", [1, 1, 0]))
    assert [beam.configuration(i).token_count for i in range(len(beam))] == [3, 3, 2]
    noun = system.core.find(_core.Move.UNARY, system.labels.id_of("NP", PLAIN))
    beam.apply(array("i", [shift, noun, shift]))
    assert [beam.configuration(i).focus for i in range(3)] == [1, 3, 1]
    assert [batch.configuration(i).focus for i in range(2)] == [0, 0]
    with pytest.raises(ValueError, match="no configuration 2 among 2"):
        batch.select(array("i", [2]))


def test_bad_choices_and_arrays() -> None:
    system, batch = some_batch()
    shift = system.moves.shift
    with pytest.raises(ValueError, match=r"configuration 1: transition 10000 is not legal"):
        batch.apply(array("i", [shift, 10000]))
    assert batch.configuration(0).focus == -1  # nothing was changed
    with pytest.raises(ValueError, match="the choice has 1 numbers, expected 2"):
        batch.apply(array("i", [shift]))
    with pytest.raises(ValueError, match="the mask has 3 numbers"):
        batch.write_legal(bytearray(3))
    with pytest.raises(ValueError, match="at least one token"):
        system.batch([3, 0])
    with pytest.raises(TypeError):  # numbers of another width would be written to a copy
        batch.write_items(array("q", [0]) * 64)
    with pytest.raises(TypeError):
        batch.write_legal(bytes(2 * batch.transition_count))
    assert batch.codes() == [[], []]
    with pytest.raises(ValueError, match="not finished"):
        batch.configuration(0).codes()


def test_arrays_of_numpy_are_taken_in_any_shape() -> None:
    numpy = pytest.importorskip("numpy")
    system, batch = some_batch()
    mask = numpy.full((2, batch.transition_count), 7, dtype=numpy.uint8)
    batch.write_legal(mask)
    assert mask.sum() == 2
    assert mask[:, system.moves.shift].all()
    batch.apply(numpy.full(2, system.moves.shift, dtype=numpy.int32))
    items = numpy.zeros((2, 4, 8), dtype=numpy.int32)
    batch.write_items(items)
    assert items[:, 0].tolist() == [[0, -1, 0, 1, 0, 1, -1, -1]] * 2
    with pytest.raises(TypeError):
        batch.write_items(items[:, ::2])
