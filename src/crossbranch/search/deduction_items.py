"""The items of weighted deduction with a grammar, in the order in which they leave the agenda."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import islice
from math import exp

from crossbranch.grammar import Deduction
from crossbranch.grammar.agenda import AgendaParser, Axiom, Estimates, TakenItem
from crossbranch.search.items import OTHERS, Blocks, FoundItem, ItemTrace, Rival, item_text

_RIVALS = 6

_ORDERS: dict[Estimates, str] = {
    "none": "the most probable item first",
    "lengths": "first the item whose whole tree may be the most probable, by its number of words",
    "blocks": "first the item whose whole tree may be the most probable, by its blocks",
}

_AGAIN = "It has left the agenda before. Now it has a better partial tree."

_GLOSSARY = {
    "NP [0–2]": "an item: the symbol NP with the words 0 and 1. Places are counted between words",
    "VP_2 [0–1, 3–4]": "an item of two blocks, with a gap between them",
    "agenda": "the items that are found and wait; the first one leaves it at each step",
    "rule": "how an item is made of others, with the probability of the rule",
    "★": "the best tree has this item",
    "·": "a symbol that is not a node of the tree",
}


_MEASURES = {
    "probability": "of the best partial tree of an item: the product of its rules and words",
}

Pair = tuple[int, Rival]
"""The place of an item, and what is shown of it."""


def trace_deduction(
    deduction: Deduction,
    words: Sequence[str],
    tags: Sequence[str] | None = None,
    *,
    estimates: Estimates = "none",
    others: int = OTHERS,
) -> ItemTrace | None:
    """Return the items of a search with a grammar; None if it has no tree.

    Args:
        deduction: The grammar.
        words: The words of the sentence.
        tags: Its tags, if they are known.
        estimates: The order of the agenda; "none" is that of textbooks.
        others: The number of items to show besides those of the best tree.
    """
    agenda = deduction.agenda
    axioms = deduction.axioms(words, tags)
    taken = agenda.taken(axioms, len(words), estimates=estimates).items if words else []
    return trace_agenda(agenda, axioms, taken, deduction.label, estimates=estimates, others=others)


def trace_agenda(
    agenda: AgendaParser,
    axioms: Sequence[Axiom],
    taken: Sequence[TakenItem],
    label: Callable[[int], str | None],
    *,
    estimates: Estimates,
    others: int = OTHERS,
) -> ItemTrace | None:
    """Return the items that have left an agenda; None if there is no tree.

    Args:
        agenda: The grammar.
        axioms: The symbols of words.
        taken: The items.
        label: The label of the node that a rule makes; None if there is no such node.
        estimates: The order of the agenda.
        others: The number of items to show besides those of the best tree.
    """
    in_tree = [place for place, item in enumerate(taken) if item.in_tree]
    if not in_tree:
        return None
    shown = _chosen(taken, others)
    needed = _with_children(taken, shown)
    rivals = _rivals(agenda, taken)

    def found(place: int) -> FoundItem:
        item = taken[place]
        node = label(item.step) if item.step >= 0 else None
        return FoundItem(
            number=place + 1,
            name=agenda.symbols[item.symbol],
            blocks=item.blocks,
            labels=() if node is None else (node,),
            children=tuple([child + 1 for child in item.children]),
            rule=_rule(agenda, axioms, item),
            score=0.0 - item.cost,
            in_tree=item.in_tree,
            is_shown=place in shown,
            rivals=tuple([one for at, one in rivals[item.blocks] if at != place][:_RIVALS]),
            notes=(_AGAIN,) if item.is_repeated else (),
        )

    return ItemTrace(
        tuple([found(place) for place in sorted(needed)]),
        len(taken),
        0.0 - taken[in_tree[-1]].cost,
        has_probabilities=True,
        method=f"weighted deduction: items leave the agenda one by one, {_ORDERS[estimates]}",
        rivals="items of the same words",
        rival="item",
        glossary=_GLOSSARY,
        measures=_MEASURES,
    )


def _chosen(taken: Sequence[TakenItem], others: int) -> set[int]:
    """The items of the tree; then those of the same words, then the first ones."""
    tree = {place for place, item in enumerate(taken) if item.in_tree}
    blocks = {taken[place].blocks for place in tree}
    rest = [place for place in range(len(taken)) if place not in tree]
    rest.sort(key=lambda place: taken[place].blocks not in blocks)
    return tree | set(islice(rest, others))


def _with_children(taken: Sequence[TakenItem], chosen: set[int]) -> set[int]:
    found = set(chosen)
    for place in range(len(taken) - 1, -1, -1):
        if place in found:
            found.update(taken[place].children)
    return found


def _rivals(agenda: AgendaParser, taken: Sequence[TakenItem]) -> dict[Blocks, list[Pair]]:
    """The items of each choice of blocks, the best ones first."""
    found: defaultdict[Blocks, list[Pair]] = defaultdict(list)
    for place, item in enumerate(taken):
        name = item_text(agenda.symbols[item.symbol], item.blocks)
        found[item.blocks].append((place, Rival(name, 0.0 - item.cost)))
    for some in found.values():
        some.sort(key=lambda pair: -pair[1].score)
    return found


def _rule(agenda: AgendaParser, axioms: Sequence[Axiom], item: TakenItem) -> str:
    if item.step < 0:
        return f"word ({_percent(axioms[~item.step][2])})"
    return f"{agenda.rules[item.step]} ({_percent(agenda.costs[item.step])})"


def _percent(cost: float) -> str:
    return f"{100 * exp(-cost):.3g}%"
