"""Conditions on one vertex: values of attributes, numbers and predicates."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from crossbranch.query.relations import Holds
from crossbranch.query.syntax import OPERATORS, Compared, NumberTest, Predicate, Test, ValueTest
from crossbranch.query.values import Vocabulary, fits_any
from crossbranch.query.view import View
from crossbranch.query.words import OWN
from crossbranch.span import fan_out, interleave, tokens_of

Fits = Callable[[View, int], bool]
All = Callable[[View], Iterable[int]]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a vertex."""

    fits: Fits
    all: All | None = None
    """All vertices of a tree that fit, if there is a quick way to find them."""

    cost: int = 90
    """How many vertices may fit: conditions with few are looked at first."""


def condition_of(test: Test, vocabulary: Vocabulary) -> Condition:
    """Return a test as a condition."""
    if isinstance(test, NumberTest):
        return _number_condition(test)
    if isinstance(test, Predicate):
        return _PREDICATES[test.name]
    if test.attribute.startswith("@"):
        return _feature_condition(test)
    if test.attribute == "text":
        accepted, wanted = fits_any(test.values), not test.is_negative
        return Condition(lambda view, vertex: accepted(view.words(vertex)) == wanted)
    return _value_condition(test, vocabulary)


def comparison_of(compared: Compared) -> Holds:
    """Return a function that compares two vertices."""
    compare = OPERATORS[compared.operator]
    one, other = compared.attribute, compared.other_attribute
    if one in NUMBERS:
        first, second = NUMBERS[one], NUMBERS[other]

        def numbers(view: View, a: int, b: int) -> bool:
            x, y = first(view, a), second(view, b)
            return x is not None and y is not None and compare(x, y)

        return numbers

    def texts(view: View, a: int, b: int) -> bool:
        x, y = text_of(view, one, a), text_of(view, other, b)
        return x is not None and y is not None and compare(x, y)

    return texts


def text_of(view: View, attribute: str, vertex: int) -> str | None:
    """Return an attribute as text. None if the vertex cannot have it."""
    if attribute == "category":
        attribute = "tag" if vertex < view.size else "label"
    if attribute == "text":
        return view.words(vertex)
    if attribute != "function" and (attribute == "label") == (vertex < view.size):
        return None
    return view.text(attribute, vertex)


# ---- values

_FEW = {"word": 10, "lemma": 10, "morphology": 20, "label": 30, "tag": 30, "function": 30}


def _value_condition(test: ValueTest, vocabulary: Vocabulary) -> Condition:
    memo, wanted = vocabulary.memo(test.values), not test.is_negative
    cost = _FEW.get(test.attribute, 35)
    if any(value.is_regex for value in test.values):
        cost += 10
    if test.is_negative:
        cost += 40
    attribute = test.attribute
    if attribute == "category":
        return Condition(
            lambda view, vertex: (
                memo[
                    view.column("tag")[vertex]
                    if vertex < view.size
                    else view.column("label")[vertex - view.size]
                ]
                == wanted
            ),
            lambda view: [
                *[i for i, x in enumerate(view.column("tag")) if memo[x] == wanted],
                *[i for i, x in enumerate(view.column("label"), view.size) if memo[x] == wanted],
            ],
            cost,
        )
    if attribute == "label":
        return Condition(
            lambda view, vertex: (
                vertex >= view.size and memo[view.column("label")[vertex - view.size]] == wanted
            ),
            lambda view: [
                i for i, x in enumerate(view.column("label"), view.size) if memo[x] == wanted
            ],
            cost,
        )
    is_any = attribute not in OWN  # functions
    return Condition(
        lambda view, vertex: (
            (is_any or vertex < view.size) and memo[view.column(attribute)[vertex]] == wanted
        ),
        lambda view: [i for i, x in enumerate(view.column(attribute)) if memo[x] == wanted],
        cost,
    )


def _feature_condition(test: ValueTest) -> Condition:
    accepted, name, wanted = fits_any(test.values), test.attribute[1:], not test.is_negative

    def fits(view: View, vertex: int) -> bool:
        values = [value for key, value in view.features(vertex) if key == name]
        return bool(values) and any(map(accepted, values)) == wanted

    return Condition(fits)


# ---- numbers


def _gap_length(view: View, vertex: int) -> float:
    return view.gap(vertex).bit_count()


NUMBERS: dict[str, Callable[[View, int], float | None]] = {
    "length": lambda view, vertex: view.spans[vertex].bit_count(),
    "children": lambda view, vertex: (
        len(view.children[vertex - view.size]) if vertex >= view.size else 0
    ),
    "depth": lambda view, vertex: view.depths[vertex],
    "position": lambda view, vertex: view.firsts[vertex] + 1,
    "fan-out": lambda view, vertex: fan_out(view.spans[vertex]),
    "gap-length": _gap_length,
    "confidence": lambda view, vertex: view.confidence(vertex),
    "tree-confidence": lambda view, vertex: view.tree.confidence,
}


def _number_condition(test: NumberTest) -> Condition:
    number, compare, wanted = NUMBERS[test.attribute], OPERATORS[test.operator], test.number

    def fits(view: View, vertex: int) -> bool:
        found = number(view, vertex)
        return found is not None and compare(found, wanted)

    if test.attribute in ("fan-out", "gap-length") and not compare(
        1 if test.attribute == "fan-out" else 0, wanted
    ):
        # Only discontinuous nodes can fit, and perhaps the root of a sentence without words.
        return Condition(fits, lambda view: [v for v in _with_gaps(view) if fits(view, v)], 5)
    return Condition(fits)


def _with_gaps(view: View) -> list[int]:
    return view.discontinuous if view.size else [0]


# ---- predicates


def _is_discontinuous(view: View, vertex: int) -> bool:
    span = view.spans[vertex]
    return span & (span + (span & -span)) != 0


def _is_ill_nested(view: View, vertex: int) -> bool:
    span = view.spans[vertex]
    others = [view.spans[other] for other in view.discontinuous]
    return _is_discontinuous(view, vertex) and any(
        not span & other and interleave(span, other) for other in others
    )


def _is_separated(view: View, vertex: int, *, is_after: bool) -> bool:
    """Whether a word, no punctuation, that is not below the parent is between it and the head."""
    parent = view.parents[vertex]
    if parent < 0:
        return False
    first, last = view.firsts[vertex], view.lasts[vertex]
    words = [
        token
        for token in tokens_of(view.gap(parent))
        if (token < first if is_after else token > last) and not view.is_punctuation(token)
    ]
    if not words:  # heads take longer to find
        return False
    head = view.head_token(parent)
    if head is None:
        return False
    return head < words[-1] if is_after else head > words[0]


def _is_child(view: View, vertex: int, place: int) -> bool:
    parent = view.parents[vertex]
    return parent >= 0 and view.children[parent - view.size][place] == vertex


_PREDICATES = {
    "constituent": Condition(
        lambda view, vertex: vertex >= view.size,
        lambda view: range(view.size, len(view.parents)),
        70,
    ),
    "token": Condition(lambda view, vertex: vertex < view.size, lambda view: range(view.size), 70),
    "root": Condition(lambda view, vertex: view.parents[vertex] < 0, lambda view: (view.size,), 15),
    "first-child": Condition(lambda view, vertex: _is_child(view, vertex, 0)),
    "last-child": Condition(lambda view, vertex: _is_child(view, vertex, -1)),
    "only-child": Condition(
        lambda view, vertex: _is_child(view, vertex, 0) and _is_child(view, vertex, -1)
    ),
    "head": Condition(lambda view, vertex: vertex in view.head_children),
    "punctuation": Condition(
        lambda view, vertex: vertex < view.size and view.is_punctuation(vertex)
    ),
    "discontinuous": Condition(_is_discontinuous, lambda view: view.discontinuous, 5),
    "ill-nested": Condition(
        _is_ill_nested,
        lambda view: [v for v in view.discontinuous if _is_ill_nested(view, v)],
        4,
    ),
    "extraposed": Condition(
        lambda view, vertex: _is_separated(view, vertex, is_after=True),
        lambda view: _below_gaps(view, is_after=True),
        60,
    ),
    "fronted": Condition(
        lambda view, vertex: _is_separated(view, vertex, is_after=False),
        lambda view: _below_gaps(view, is_after=False),
        60,
    ),
}


def _below_gaps(view: View, *, is_after: bool) -> list[int]:
    return sorted(
        child
        for parent in view.discontinuous
        for child in view.children[parent - view.size]
        if _is_separated(view, child, is_after=is_after)
    )
