"""Transitions explained in words, and what the abbreviations mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from crossbranch import _core
from crossbranch.doors import door
from crossbranch.structure import TEMPORARY
from crossbranch.transitions import Derivation, TransitionSystem, columns
from crossbranch.transitions.moves import (
    CANDIDATE,
    COMBINE,
    FINISH,
    GAP,
    GHOST,
    IDLE,
    LABEL,
    LABELLED,
    LEFT,
    MERGE,
    MERGE_LEFT,
    MERGE_RIGHT,
    NO_LABEL,
    RIGHT,
    SHIFT,
    SWAP,
    UNARY,
)

MEANINGS = {
    SHIFT: "shift: take the next word",
    UNARY: "unary reduction: put a node X above one item",
    LEFT: "reduction, head on the left: join two items to a node X",
    RIGHT: "reduction, head on the right: join two items to a node X",
    GAP: "gap: set items aside, so that the item below them can be reached",
    SWAP: "swap: put items back to the queue",
    GHOST: "ghost: the word gets no unary node",
    FINISH: "finish: the tree is complete",
    IDLE: "idle: the tree is complete, and nothing changes",
    MERGE: "merge: join two items, without a label",
    MERGE_LEFT: "merge, head on the left: join two items, without a label",
    MERGE_RIGHT: "merge, head on the right: join two items, without a label",
    COMBINE: "combine: join the focus with an item of the memory, counted from its newest item, 0",
    LABEL: "label: the focus is a constituent X",
    NO_LABEL: "no label: the focus is not a constituent by itself",
}
"""The moves in a few words. X is a label."""


def part_meanings(system: TransitionSystem) -> Mapping[str, str]:
    """Return what the parts of a configuration are."""
    meanings: tuple[str, ...]
    if system.kind.move == GAP:
        meanings = ("the lower part of the stack", "the top of the stack", "the words to come")
    elif system.kind.move == COMBINE:
        meanings = ("what is built already", "what is looked at now", "the words to come")
    else:
        meanings = ("what is built already, the newest item last", "the words to come")
    return dict(zip(columns(system), meanings, strict=False))


def explain(
    derivation: Derivation,
    before: _core.Configuration,
    transition: int,
    after: _core.Configuration,
) -> str:
    """Return in words what a transition does."""
    system = derivation.system
    move, argument = system.transition(transition)
    name = system.labels.name(argument) if move in LABELLED else ""

    def words(vertex: int) -> str:
        return quoted(derivation, after, vertex)

    def focus() -> str:
        return words(before.focus)

    def joined() -> str:
        _, left, right, _ = after.node(after.focus)
        return f"{words(left)} and {words(right)}"

    def reduced() -> str:
        head = derivation.sentence[after.node(after.focus)[3]].form
        whole = ""
        if system.labels.kind(argument) == TEMPORARY:
            whole = f", a part of {system.labels.name(system.labels.base(argument))}"
        return f"Join {joined()} to a node {name}{whole}. Its head is “{head}”."

    def set_aside() -> str:
        count = len(after.aside) - len(before.aside)
        if count == 0:
            return f"Set nothing aside: {focus()} is joined with {words(after.stack[-1])}."
        items = _listed([words(vertex) for vertex in before.stack[-count:]])
        return f"Set {items} aside, so that {focus()} can be joined with what comes before."

    def put_back() -> str:
        items = _listed([words(vertex) for vertex in before.stack[-argument:]])
        return f"Put {items} back to the queue, so that {focus()} can be joined with other items."

    def shifted() -> str:
        what = "item" if before.queue_item(0) >= len(derivation.sentence) else "word"
        return f"Take the next {what}, {words(after.focus)}."

    def merged() -> str:
        return f"Join {joined()}. Together they have no label yet."

    sentences: dict[int, Callable[[], str]] = {
        SHIFT: shifted,
        UNARY: lambda: f"Put a node {name} above {focus()}.",
        LEFT: reduced,
        RIGHT: reduced,
        GAP: set_aside,
        SWAP: put_back,
        GHOST: lambda: f"Put no node above {focus()}.",
        FINISH: lambda: "The tree is complete.",
        IDLE: lambda: "The tree is complete. The parser waits for the other trees on its beam.",
        MERGE: merged,
        MERGE_LEFT: merged,
        MERGE_RIGHT: merged,
        COMBINE: merged,
        LABEL: lambda: f"{focus()} is a constituent with the label {name}.",
        NO_LABEL: lambda: f"{focus()} is not a constituent by itself, so it gets no label.",
    }
    return sentences[move]()


def quoted(derivation: Derivation, configuration: _core.Configuration, vertex: int) -> str:
    """Return the label and the words of an item: NP “a … house”, with dots for gaps."""
    words = [token.form for token in derivation.sentence]
    label, left, _, _ = configuration.node(vertex)
    blocks = configuration.blocks(vertex)
    text = " … ".join(" ".join(words[start:stop]) for start, stop in blocks)
    is_named = left >= 0 and label != CANDIDATE
    return f"{derivation.system.labels.name(label)} “{text}”" if is_named else f"“{text}”"


def _listed(texts: list[str]) -> str:
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last


@door
def glossary(system: TransitionSystem) -> dict[str, str]:
    """Return the abbreviations of a system: parts, transitions, and how items are written."""
    found = dict(part_meanings(system))
    for move, name in system.kind.names.items():
        argument = "X" if move in LABELLED else "n"
        found[name.format(argument)] = MEANINGS[move]
    if system.kind.form.has_heads:
        found["NP[word]"] = "a node with its head word"
    else:
        found["NP{a b}"] = "a node with all its words"
    if system.kind.builds_candidates:
        found["{a b}"] = "items that are joined, but have no label yet; in trees: ·"
    if system.labels.mark:
        mark = "S:" if system.labels.mark == ":" else "@S"
        found[mark] = "a part of a node S that has more than two children"
    if system.kind.form.joiner:
        found[f"A{system.kind.form.joiner}B"] = "a node A whose only child is a node B"
    return found
