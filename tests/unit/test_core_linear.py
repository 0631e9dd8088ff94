"""The bindings of the linear scorer: what they take, what they refuse, what they give back."""

from __future__ import annotations

from array import array
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbranch import _core
from crossbranch._core import BeamParser, Configuration, System, Templates, Trainer, Weights

S, NP, TEMPORARY, ROOT = range(4)
KINDS, BASES = [0, 0, 1, 2], [S, NP, S, ROOT]
FOCUS, STACK, QUEUE, PAIR = 0, 1, 7, 11
HEAD = 1
TEMPLATES = [
    [(FOCUS, 0, HEAD, 0)],
    [(FOCUS, 0, 0, 0), (STACK, 0, 0, 0)],
    [(QUEUE, 0, HEAD, 0), (FOCUS, 0, HEAD, 1)],
    [(QUEUE, 0, HEAD, 1), (FOCUS, 0, 0, 0), (STACK, 0, HEAD, 0)],
]
NAMES = ["gap", "cgap", "swap", "cswap"]


def system(name: str = "gap") -> System:
    moves = [(move, label) for move in (2, 3) for label in range(4)] + [(1, S), (1, NP)]
    return System(name, KINDS, BASES, moves)


def templates(**options: Any) -> Templates:
    return Templates(TEMPLATES, **{"column_count": 2, **options})


def rows_of(random: Random, size: int) -> array[int]:
    return array("I", [random.randrange(9) for _ in range(2 * size)])


def walk(some: System, size: int, random: Random) -> list[int]:
    configuration = Configuration(some, size)
    taken: list[int] = []
    while not configuration.is_final:
        taken.append(random.choice(configuration.legal()))
        configuration.apply(taken[-1])
    return taken


def trainer(name: str = "gap", seed: int = 1, **options: Any) -> Trainer:
    random = Random(seed)
    some = system(name)
    made = Trainer(some, templates(), **{"beam": 2, **options})
    for size in (3, 1, 5, 4, 2, 6):
        made.add(rows_of(random, size), walk(some, size, random))
    return made


def trained(name: str = "gap", **options: Any) -> Trainer:
    made = trainer(name, **options)
    made.train(array("I", [0, 1, 2, 3, 4, 5] * 3))
    return made


def parser(name: str = "gap") -> BeamParser:
    return BeamParser(system(name), templates(), trained(name).average())


def saved(weights: Weights) -> tuple[array[int], array[int]]:
    starts, data = array("I"), array("H")
    starts.frombytes(weights.starts)
    data.frombytes(weights.data)
    return starts, data


def contents(weights: Weights) -> tuple[bytes, bytes, float]:
    return weights.starts, weights.data, weights.scale


COUNT = len(system().transitions)


def make_weights(starts: array[int], data: array[int], scale: float = 1.0) -> Weights:
    return Weights(starts, data, scale=scale, transition_count=COUNT)


# Templates


def test_templates_are_grouped() -> None:
    made = templates()
    assert made.column_count == 2
    assert made.group_count == 4
    assert Templates([], column_count=2).group_count == 0


@pytest.mark.parametrize(
    "atom",
    [(12, 0, 0, 0), (0, 16, 0, 0), (0, 0, 10, 0), (0, 0, 1, 2), (0, 0, 0, 4), (PAIR, 0, 0, 0)],
)
def test_atoms_that_cannot_be_are_refused(atom: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="no place of a configuration"):
        Templates([[atom]], column_count=2)


@pytest.mark.parametrize("number", [-1, 256, 2**31 - 1])
def test_numbers_of_atoms_are_small(number: int) -> None:
    for place in range(4):
        atom = [0, 0, 1, 0]
        atom[place] = number
        with pytest.raises(ValueError, match=f"the number {number}"):
            Templates([[tuple(atom)]], column_count=2)  # type: ignore[list-item]


def test_other_mistakes_in_templates_are_refused() -> None:
    with pytest.raises(ValueError, match="between 1 and 16 atoms"):
        Templates([[]], column_count=2)
    for columns, separator in ((0, -1), (1, -1), (2, 2)):
        with pytest.raises(ValueError, match="words, tags"):
            Templates([], column_count=columns, separator_column=separator)
    with pytest.raises(TypeError):
        Templates([[(0, 0, 1)]], column_count=2)  # type: ignore[list-item]
    with pytest.raises(TypeError):
        Templates([], column_count=-1)
    with pytest.raises(TypeError):
        Templates([])  # type: ignore[call-arg]


# Weights


def test_saved_weights_come_back() -> None:
    weights = trained().average()
    assert weights.feature_count > 10
    assert weights.weight_count >= weights.feature_count
    again = make_weights(*saved(weights), weights.scale)
    assert contents(again) == contents(weights)
    assert again.weight_count == weights.weight_count


def test_weights_are_copied() -> None:
    weights = trained().average()
    starts, data = saved(weights)
    again = make_weights(starts, data)
    for buffer in (starts, data):
        buffer[:] = array(buffer.typecode, bytes(len(buffer) * buffer.itemsize))
    assert (again.starts, again.data) == (weights.starts, weights.data)


def test_weights_are_read_from_any_buffer() -> None:
    starts, data = saved(trained().average())
    expected = make_weights(starts, data)
    for wrap in (memoryview, lambda a: memoryview(bytes(a)).cast(a.typecode)):
        assert contents(make_weights(wrap(starts), wrap(data))) == contents(expected)  # type: ignore[arg-type]


def test_buffers_of_other_types_are_refused() -> None:
    starts, data = saved(trained().average())
    wrong_buffers: list[tuple[Any, Any]] = [
        (starts.tobytes(), data),
        (data, starts),
        (array("i", starts), data),
        (array("Q", starts), data),
        (starts, array("h", [1, 2])),
        (list(starts), list(data)),
        (memoryview(starts)[::2], data),
        (memoryview(bytes(starts)).cast("B").cast("I", [1, len(starts)]), data),
        (None, data),
    ]
    for wrong in wrong_buffers:
        with pytest.raises(TypeError):
            make_weights(*wrong)


def test_damaged_weights_are_refused() -> None:
    starts, data = saved(trained().average())
    for wrong_starts, wrong_data in (
        (starts[:-1], data),
        (starts[:0], data[:0]),
        (array("I", [1]) + starts[1:], data),
        (starts, data[:-1]),
        (starts, data + array("H", [0])),
        (starts, data[:0]),
    ):
        with pytest.raises(ValueError, match="weights"):
            make_weights(wrong_starts, wrong_data)
    with pytest.raises(ValueError, match="a transition that is not there"):
        Weights(starts, data, scale=1.0, transition_count=1)
    for scale in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="scale"):
            make_weights(starts, data, scale)


@given(st.randoms(), st.binary(max_size=40))
def test_random_weights_are_refused_or_harmless(random: Random, noise: bytes) -> None:
    data = array("H", noise[: len(noise) // 2 * 2])
    starts = array(
        "I", sorted(random.randrange(len(data) + 1) for _ in range(2 ** random.randrange(4)))
    )
    starts.append(len(data))
    try:
        weights = make_weights(starts, data)
    except ValueError:
        return
    found = BeamParser(system(), templates(), weights).parse(rows_of(random, 5), [0, 5], beam=2)
    assert len(found[0]) == 1


# Training


def test_the_counts_of_training() -> None:
    some = trainer()
    sentences, updates, steps = some.train(array("I", [0, 1, 2, 3, 4, 5]))
    assert sentences == 6
    assert 0 < updates <= 6
    assert steps > 6
    for _ in range(100):
        _, updates, _ = some.train(array("I", range(6)))
    assert updates == 0
    assert some.train(array("I")) == (0, 0, 0)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rule", list(_core.UpdateRule), ids=str)
def test_the_number_of_threads_does_not_matter_in_training(
    name: str, rule: _core.UpdateRule
) -> None:
    states = set()
    for threads in (0, 1, 2, 7):
        some = trainer(name, update=rule)
        for _ in range(3):
            some.train(array("I", range(6)), batch=4, threads=threads)
        states.add((some.state(), *contents(some.average())))
    assert len(states) == 1


def test_the_size_of_batches_matters() -> None:
    def state(batch: int) -> bytes:
        some = trainer()
        some.train(array("I", range(6)), batch=batch)
        return some.state()

    assert state(1) != state(6)
    assert state(0) == state(1)


def test_a_restored_training_goes_on_as_if_nothing_had_happened() -> None:
    whole, resumed = trained(min_update=2), trainer(min_update=2)
    resumed.train(array("I", [4, 1]))  # to be forgotten
    resumed.restore(whole.state())
    assert resumed.state() == whole.state()
    for some in (whole, resumed):
        some.train(array("I", [5, 0, 3]), batch=2)
    assert resumed.state() == whole.state()
    assert contents(resumed.average(prune=0.01)) == contents(whole.average(prune=0.01))


def test_damaged_states_are_refused() -> None:
    some = trained()
    state = some.state()
    for wrong in (b"", state[:7], state[:-1], state[: len(state) // 2], state + b"\0"):
        with pytest.raises(ValueError, match="the state of a training"):
            some.restore(wrong)
    assert some.state() == state
    with pytest.raises(TypeError):
        some.restore(bytearray(state))  # type: ignore[arg-type]


def test_pruned_weights_are_left_out() -> None:
    some = trained()
    sizes = [some.average(prune=prune).weight_count for prune in (0.0, 0.5, 1.0, 1e9)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[1] > sizes[3] == 0


def test_options_that_cannot_be_are_refused() -> None:
    for options, message in (
        ({"beam": 0}, "at least one item"),
        ({"importance": 0}, "importance"),
        ({"min_update": -1}, "min_update"),
        ({"min_update": 256}, "min_update"),
    ):
        with pytest.raises(ValueError, match=message):
            Trainer(system(), templates(), **{"beam": 1, **options})  # type: ignore[arg-type]
    for wrong in ({"beam": -1}, {"update": "early"}, {"beam": 1.5}, {"importance": 2**31}):
        with pytest.raises(TypeError):
            Trainer(system(), templates(), **{"beam": 1, **wrong})  # type: ignore[arg-type]


def test_equal_voters_change_nothing_and_strangers_are_refused() -> None:
    alone = trained()
    assert alone.average(others=[trained(), trained()]).pack() == alone.average().pack()
    assert alone.average(others=[trained(seed=2)]).pack() != alone.average().pack()
    with pytest.raises(ValueError, match="different systems"):
        alone.average(others=[trained("cgap")])


def test_sentences_that_cannot_be_are_refused() -> None:
    some = Trainer(system(), templates(), beam=1)
    rows = array("I", [1, 2, 3, 4])
    shift = system().find(0)
    for wrong_rows, derivation, message in (
        (array("I"), [], "2 columns"),
        (rows[:3], [], "2 columns"),
        (rows, [], "does not end in a tree"),
        (rows, [shift, shift], "does not end in a tree"),
        (rows, [shift, shift, shift], "not legal"),
        (rows, [-1], "not legal"),
        (rows, [10_000], "not legal"),
    ):
        with pytest.raises(ValueError, match=message):
            some.add(wrong_rows, derivation)
    for wrong in ([1, 2, 3, 4], array("i", rows), rows.tobytes()):
        with pytest.raises(TypeError):
            some.add(wrong, [])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no sentence 0"):
        some.train(array("I", [0]))
    with pytest.raises(TypeError):
        some.train(array("i", [0]))


# Parsing


@pytest.mark.parametrize("name", NAMES)
def test_the_number_of_threads_does_not_matter_in_parsing(name: str) -> None:
    random = Random(3)
    sizes = [random.randrange(1, 9) for _ in range(12)]
    offsets = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
    rows = rows_of(random, offsets[-1])
    some = parser(name)
    for beam in (1, 3, 16):
        alone = some.parse(rows, offsets, beam=beam, k_best=2)
        assert len(alone) == 12
        for threads in (0, 2, 5, 50):
            assert some.parse(rows, offsets, beam=beam, threads=threads, k_best=2) == alone


def test_the_best_parses_come_first() -> None:
    rows = rows_of(Random(4), 6)
    some = parser()
    (best,) = some.parse(rows, [0, 6], beam=8)
    (many,) = some.parse(rows, [0, 6], beam=8, k_best=99)
    assert many[:1] == best
    assert 1 < len(many) <= 8
    scores = [score for score, _ in many]
    assert scores == sorted(scores, reverse=True)
    for _, data in many:
        codes = array("i", data)
        labels = [i for i, code in enumerate(codes) if code < 0]
        tokens = [c for i, c in enumerate(codes) if c >= 0 and i - 1 not in labels]
        assert sorted(tokens) == list(range(6))
        assert [~codes[i] for i in labels].count(ROOT) == 1
        assert ~codes[-2] == ROOT
        assert TEMPORARY not in [~codes[i] for i in labels]


def test_sentences_are_found_by_their_offsets() -> None:
    rows = rows_of(Random(5), 9)
    some = parser()
    together = some.parse(rows, [0, 4, 9], beam=2)
    assert together == [
        *some.parse(rows[:8], [0, 4], beam=2),
        *some.parse(rows[8:], [0, 5], beam=2),
    ]
    assert some.parse(rows, [4, 9], beam=2) == together[1:]
    assert some.parse(array("I"), [], beam=2) == some.parse(rows, [3], beam=2) == []


def test_what_cannot_be_parsed_is_refused() -> None:
    rows = rows_of(Random(6), 3)
    some = parser()
    for offsets in ([0, 0], [0, 4], [2, 1], [0, 3, 3], [3, 4]):
        with pytest.raises(ValueError, match="at least one token"):
            some.parse(rows, offsets, beam=1)
    with pytest.raises(ValueError, match="an offset is -1"):
        some.parse(rows, [-1, 2], beam=1)
    few: list[dict[str, Any]] = [{"beam": 0}, {"beam": 1, "k_best": 0}]
    for options in few:
        with pytest.raises(ValueError, match="at least one item"):
            some.parse(rows, [0, 3], **options)
    bad: list[dict[str, Any]] = [{"beam": -1}, {"beam": 1, "threads": -1}, {}]
    for wrong in bad:
        with pytest.raises(TypeError):
            some.parse(rows, [0, 3], **wrong)
    for wrong_rows in (list(rows), array("H", rows), rows.tobytes(), memoryview(rows)[::2]):
        with pytest.raises(TypeError):
            some.parse(wrong_rows, [0, 3], beam=1)  # type: ignore[arg-type]


def test_parts_live_as_long_as_they_are_needed() -> None:
    rows = rows_of(Random(7), 4)
    expected = parser().parse(rows, [0, 4], beam=2)
    some = parser()  # its system, templates and weights have no other owner
    assert some.parse(rows, [0, 4], beam=2) == expected
