"""The configurations of a derivation, each with its partial trees and what happens next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp

from crossbranch import _core
from crossbranch.derivations.forests import Forest
from crossbranch.derivations.shows import Choice, Frame, Item, Part, Show, Wording
from crossbranch.derivations.words import explain, glossary, part_meanings
from crossbranch.doors import door
from crossbranch.search import Trace, TracedStep
from crossbranch.transitions import Derivation, TransitionSystem, columns
from crossbranch.transitions.moves import FINISH, LABELLED, SWAP
from crossbranch.transitions.steps import item_text, parts_of
from crossbranch.tree import Tree

BEST = 6
"""The number of alternatives that are shown."""

KINDS = {
    "stack": "stack or memory",
    "aside": "set aside",
    "focus": "focus",
    "buffer": "buffer or queue",
}

_MEASURES = {
    "probability": "how sure the parser is of a move; its tree: the product of all",
    "score": "how good a move is for the parser; its tree: the sum of all scores",
}


@door
def show(
    derivation: Derivation,
    trace: Trace | None = None,
    *,
    has_probabilities: bool = False,
    best: int = BEST,
) -> Show:
    """Return a derivation with all its frames.

    Args:
        derivation: The derivation.
        trace: The scores of a parser, if the derivation is that of a parser.
        has_probabilities: Whether these scores are logarithms of probabilities.
        best: The number of alternatives to show at each step, besides the transition taken.
    """
    found = frames(derivation, trace, has_probabilities=has_probabilities, best=best)
    return Show(
        derivation.id,
        derivation.sentence,
        tuple(found),
        len(derivation),
        _wording(derivation.system),
        None if trace is None else trace.score,
        has_probabilities,
    )


def _wording(system: TransitionSystem) -> Wording:
    labels = system.labels
    return Wording(
        unit="transitions",
        about=f"{system.kind.title}: {system.kind.summary}",
        columns=tuple(columns(system)),
        choice="Next",
        option="move",
        end="The derivation is complete.",
        kinds=KINDS,
        glossary=glossary(system),
        labels={labels.name(n): tuple(labels.chain(n)) for n in range(len(labels))},
        measures=_MEASURES,
    )


@door
def frames(
    derivation: Derivation,
    trace: Trace | None = None,
    *,
    has_probabilities: bool = False,
    best: int = BEST,
) -> Iterator[Frame]:
    """Yield the configurations of a derivation; see `show` for the arguments."""
    system = derivation.system
    configuration = _core.Configuration(system.core, len(derivation.sentence))
    forest = Forest(configuration, derivation)
    name = explanation = ""
    for number in range(len(derivation) + 1):
        is_over = number == len(derivation)
        taken = None if is_over else derivation.transitions[number]
        legal = [] if taken is None else configuration.legal()
        step = None if trace is None or is_over else trace.steps[number]
        parts, tree = _parts(configuration, derivation, forest, is_finished=name == _finish(system))
        yield Frame(
            number,
            name,
            explanation or "The parser has not done anything yet.",
            parts,
            tree,
            _choices(system, taken, step, has_probabilities, best),
            _kinds(system, legal),
            len(legal),
        )
        if taken is not None:
            before = configuration.copy()
            configuration.apply(taken)
            name = system.name_of(taken)
            explanation = explain(derivation, before, taken, configuration)


def _finish(system: TransitionSystem) -> str:
    """The name of FINISH, which removes the tree from the stack; a blank if there is none."""
    return system.kind.names.get(FINISH, " ")


def _parts(
    configuration: _core.Configuration, derivation: Derivation, forest: Forest, *, is_finished: bool
) -> tuple[tuple[Part, ...], Tree]:
    system = derivation.system
    words = [token.form for token in derivation.sentence]
    vertices = parts_of(configuration, system)
    tree, places = forest.tree([vertex for part in vertices for vertex in part])
    stack, aside = set(configuration.stack), set(configuration.aside)

    def kind(vertex: int) -> str:
        if vertex == configuration.focus:
            return "focus"
        if vertex in stack:
            return "stack"
        return "aside" if vertex in aside and system.kind.move != SWAP else "buffer"

    found = []
    meanings = part_meanings(system)
    for name, some in zip(columns(system), vertices, strict=False):
        items = [
            Item(item_text(vertex, configuration, words, system), kind(vertex), places[vertex])
            for vertex in some
        ]
        found.append(Part(name, meanings[name], () if is_finished else tuple(items)))
    return tuple(found), tree


def _choices(
    system: TransitionSystem,
    taken: int | None,
    step: TracedStep | None,
    has_probabilities: bool,
    best: int,
) -> tuple[Choice, ...]:
    """The transition taken, and the best of the others."""
    if taken is None:
        return ()
    if step is None:
        return (Choice(system.name_of(taken), True),)
    ordered = sorted(step.scores, key=lambda one: (-one[1], one[0] != taken))
    others = [one for one in ordered if one[0] != taken][:best]
    kept = [one for one in ordered if one[0] == taken or one in others]
    return tuple(
        Choice(
            system.name_of(transition),
            transition == taken,
            score,
            exp(score) if has_probabilities else None,
        )
        for transition, score in kept
    )


def _kinds(system: TransitionSystem, legal: Sequence[int]) -> tuple[str, ...]:
    """The legal transitions; several labels of a move are one entry."""
    names: dict[int, list[str]] = {}
    for transition in legal:
        move, _ = system.transition(transition)
        names.setdefault(move, []).append(system.name_of(transition))
    found: list[str] = []
    for move, some in names.items():
        if len(some) > 2 and move in LABELLED:
            found.append(f"{system.kind.names[move].format('…')} with {len(some)} labels")
        else:
            found += some
    return tuple(found)
