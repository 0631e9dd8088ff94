"""Calls with wrong values end at the door: a TypeError or UsageError says what is expected."""

import inspect
import io
import random
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Literal, Protocol

import pytest
from right_values import INSTANCES, TREE, parser, right
from wrong_calls import Target, attempts, outcome, required, targets, wrong_values

import crossbranch as cb
from crossbranch.doors import check_type, door, doors_in
from crossbranch.errors import ArgumentError, CrossbranchError, UsageError, VertexError
from crossbranch.ranges import Beam

# What people implement who write a parser or a format; the library alone calls it.
CONTRACT = {
    *("check_installed", "check_settings", "from_folder", "learner", "move_to", "read"),
    *("read_rows", "search", "traces", "assignments"),
}
# Their arguments are made by other functions, and cannot be made here.
NOT_CALLED = {".from_nltk", "evaluation.Figures.of", "derivations.show_items"}
BUILT_IN = {"count", "index"}  # of tuples


def is_called(target: Target) -> bool:
    last = target.name.rpartition(".")[2]
    return last not in CONTRACT | BUILT_IN and target.name not in NOT_CALLED


TARGETS = [target for target in targets(INSTANCES) if is_called(target)]


def is_ready(target: Target) -> bool:
    """Whether all its parameters have right values here."""
    try:
        required(target, right)
    except KeyError:
        return False
    return True


READY = [target for target in TARGETS if is_ready(target)]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_all_functions_and_methods_are_called() -> None:
    """Only constructors of what the library itself makes may lack right values."""
    missing = [target for target in TARGETS if not is_ready(target)]
    assert [target.name for target in missing if not inspect.isclass(target.call)] == []
    assert len(READY) > 150
    names = {target.name for target in READY}
    assert {".evaluate", ".Tree", ".Node", ".Parser.parse_many", "grammar.merge"} <= names


@pytest.mark.parametrize("target", READY, ids=[target.name for target in READY])
def test_wrong_values_end_at_the_door(target: Target) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [f"{what}: {error!r}" for what, error in attempts(target, right)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", cb.TRANSFORMS)
def test_transforms(name: str) -> None:
    kind = cb.TRANSFORMS[name]
    for wrong in wrong_values():
        for parameter in inspect.signature(kind).parameters:
            error = outcome(lambda: kind(**{parameter: wrong}).apply(TREE))  # noqa: B023
            assert error is None, (parameter, wrong, error)
    if not inspect.signature(kind).parameters:
        for wrong in wrong_values():
            assert outcome(lambda: kind().apply(wrong)) is None  # noqa: B023


@pytest.mark.parametrize("name", cb.FORMATS)
@pytest.mark.filterwarnings("ignore::crossbranch.errors.LossWarning")
def test_formats(name: str) -> None:
    format = cb.FORMATS[name]
    for wrong in wrong_values():
        for call in (
            lambda: format.write_tree(wrong, 1),  # noqa: B023
            lambda: format.looks_like(wrong),  # noqa: B023
            lambda: format.write_start(wrong),  # noqa: B023
            lambda: cb.write([TREE], wrong, format=name),  # noqa: B023
            lambda: list(cb.read(wrong, format=name)),  # noqa: B023
        ):
            assert outcome(call) is None, wrong


# ---- what it says


def test_a_door_says_what_was_given_and_what_is_expected() -> None:
    wrong: Any = "a text"
    with pytest.raises(ArgumentError, match=r"evaluate: gold is 'a text', expected several of the"):
        cb.evaluate(wrong, [TREE])
    with pytest.raises(TypeError, match="draw_text: tree is 'a text', expected a Tree"):
        cb.draw_text(wrong)
    with pytest.raises(UsageError, match="expected a text or a path or bytes"):
        cb.load(None)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="root is 'a text', expected a Node"):
        cb.Tree([], wrong)
    with pytest.raises(ArgumentError, match=r"sentence is \('a',\), expected .* a Token"):
        cb.Tree(["a"], cb.Node("A", [0]))  # type: ignore[list-item]
    with pytest.raises(ArgumentError, match="label is 5, expected a text"):
        cb.Node(5)  # type: ignore[arg-type]
    with pytest.raises(VertexError, match="there is no vertex 99"):
        TREE.vertex(99)
    with pytest.raises(IndexError):
        TREE.vertex(-1)


@pytest.mark.parametrize("child", [2**24, 2**36, 2**62, 2**70, -1, -(2**70), 1.5, None, True, "a"])
def test_children_that_no_sentence_has(child: Any) -> None:
    with pytest.raises(cb.TreeError, match="expected a node or the index of a token"):
        cb.Node("NP", [child])


def test_nothing_is_written_before_the_check(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        cb.write([TREE, None], tmp_path / "a.export")  # type: ignore[list-item]
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_known_yet_is_checked_when_it_comes() -> None:
    given: Any = iter([TREE, "a text"])
    with pytest.raises(ArgumentError, match="a member of trees is 'a text', expected a Tree"):
        cb.Statistics.of(given)
    reader = cb.read(io.StringIO("(ROOT (S (NN a)))\n"), format="bracket")
    assert cb.Statistics.of(reader).labels["S"] == 1  # a reader stays what it is


# ---- doors themselves


class HasName(Protocol):
    name: str

    def say(self) -> str: ...


class Named:
    name = "a"

    def say(self) -> str:
        return ""


@door
def doorway(
    number: int = 1,
    *rest: str,
    share: float = 0.5,
    beam: Beam = 4,
    names: Sequence[str] = (),
    pairs: Iterable[tuple[str, int]] = (),
    call: Callable[[], None] | None = None,
    table: Mapping[str, int] | None = None,
    file: IO[bytes] | str = "",
    which: Literal["a", "b"] = "a",
    thing: HasName | None = None,
    unknown: "Unheard | None" = None,  # type: ignore[name-defined]  # noqa: F821
    **options: Any,
) -> str:
    return "in"


@pytest.mark.parametrize(
    "good",
    [
        {"number": 3},
        {"share": 1},
        {"names": ["a"]},
        {"pairs": [("a", 1)]},
        {"pairs": iter([])},
        {"call": print},
        {"table": {}},
        {"file": io.BytesIO()},
        {"which": "b"},
        {"thing": Named()},
        {"unknown": 7},
        {"options": object()},
        {"beam": 10_000},
    ],
)
def test_right_values_come_in(good: dict[str, Any]) -> None:
    assert doorway(**good) == "in"


@pytest.mark.parametrize(
    "bad",
    [
        {"number": "3"},
        {"number": None},
        {"number": 2**63},
        {"share": "1"},
        {"names": "a"[:0].encode()},
        {"names": [1]},
        {"pairs": "text"},
        {"pairs": 5},
        {"call": 5},
        {"table": []},
        {"file": 5},
        {"which": 5},
        {"thing": "a"},
        {"beam": 10_001},
        {"beam": 0},
    ],
)
def test_wrong_values_stay_out(bad: dict[str, Any]) -> None:
    (name,) = bad
    with pytest.raises(UsageError, match=rf"\b{name} is .*, expected "):
        doorway(**bad)


def test_other_arguments() -> None:
    assert doorway(1, "a", "b") == "in"
    with pytest.raises(TypeError, match="rest is 5, expected a text"):
        doorway(1, "a", 5)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        doorway(1, number=2)  # type: ignore[misc]
    check_type("x", None, int | None)
    with pytest.raises(ArgumentError, match="x is None, expected a whole number"):
        check_type("x", None, int)


def test_methods_of_base_classes() -> None:
    class Base:
        def __init_subclass__(cls) -> None:
            doors_in(cls, "apply", "missing")

        def apply(self, tree: cb.Tree) -> cb.Tree:
            return tree

    class Derived(Base):
        def apply(self, tree: cb.Tree) -> cb.Tree:
            return tree

    assert Derived().apply(TREE) is TREE
    with pytest.raises(ArgumentError, match="tree is 5, expected a Tree"):
        Derived().apply(5)  # type: ignore[arg-type]


# ---- random nonsense


def nonsense(chance: random.Random, depth: int = 0) -> Any:
    """A value of any kind."""
    plain: list[Any] = [None, True, 0, -1, 2**65, 1.5, float("nan"), "", "NP", "a b", b"\xff", TREE]
    plain += [TREE.root, TREE.sentence, TREE.sentence[0], object(), print, Path("x"), range(3)]
    if depth < 3 and chance.random() < 0.4:
        parts = [nonsense(chance, depth + 1) for _ in range(chance.randint(0, 3))]
        kind: Any = chance.choice([list, tuple, iter])
        return kind(parts)
    return chance.choice(plain)


def test_random_nonsense() -> None:
    chance = random.Random(19)
    skipped = {".train", ".load", ".Parser.save", ".draw_pdf", ".draw_png", ".sample"}
    some = [target for target in READY if target.name not in skipped]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(3000):
            target = chance.choice(some)
            names = [
                name
                for name, one in target.parameters.items()
                if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
            ]
            values = required(target, right)
            for name in chance.sample(names, min(len(names), 2)):
                values[name] = nonsense(chance)
            error = outcome(lambda: target.call(**values))  # noqa: B023
            assert error is None, (target.name, values, error)


def test_a_parser_that_is_given_nonsense() -> None:
    chance = random.Random(7)
    for sentence in (nonsense(chance) for _ in range(300)):
        try:
            assert isinstance(parser().parse(sentence), cb.Tree)
        except (CrossbranchError, TypeError):
            continue
