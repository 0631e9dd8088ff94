"""The items of a span chart, in the order in which the search computes them."""

from __future__ import annotations

from crossbranch import _core
from crossbranch.escape import unescape
from crossbranch.parsers.neural_span.chart import JOINER
from crossbranch.parsers.neural_span.labels import SpanLabels
from crossbranch.parsers.neural_span.spaces import Space
from crossbranch.search import FoundItem, ItemTrace, Rival
from crossbranch.search.items import Blocks, item_text

Place = tuple[int, int, int, int]
"""An item as the core writes it: i, k, l, j. The gap is from k to l; without a gap, both are -1."""

_RULES = {
    "a": "two neighbours",
    "b": "two parts with a gap between them: a new gap",
    "c": "an item with a gap, and what is in the gap",
    "d": "two items with gaps, one around the other",
    "e": "a part on the left of an item with a gap",
    "f": "a part on the right of an item with a gap",
    "g": "an item with a gap, and the first part of the gap",
    "h": "an item with a gap, and the last part of the gap",
    "i": "two items, each with words in the gap of the other: nothing is left of the gaps",
    "j": "two items, each with words in the gap of the other",
    "k": "two items, the first one ends in the gap of the second",
    "l": "two items, the second one begins in the gap of the first",
}
_WORD = "word"

_GLOSSARY = {
    "NP [0–2]": "an item: an NP of the words 0 and 1. Places are counted between words",
    "VP [0–1, 3–4]": "an item of two blocks, with a gap between them",
    "★": "the best tree has this item",
    "·": "an item without a label: it is part of a larger constituent",
    f"A{JOINER}B": "a node A whose only child is a node B",
}
_MEASURES = {"score": "of an item: the scores of all constituents of its best partial tree"}


def chart_trace(
    scores: _core.SpanScores, labels: SpanLabels, space: Space, *, others: int
) -> ItemTrace:
    """Return the items of a chart.

    Args:
        scores: The scores of all spans.
        labels: The labels.
        space: The search space.
        others: The number of items to show besides those of the best tree: those whose labels have
            the highest scores.
    """
    if not labels.discontinuous_count:
        space = Space("continuous")
    found, total = scores.items(space.rules, others, ill_nested=space.ill_nested)
    numbers = {item[1]: item[0] + 1 for item in found}
    items = []
    used = set()
    for number, place, score, some, ways, in_tree, is_shown in found:
        label = some[0][0]
        chain = _chain(label, place, labels)
        used |= {way[0] for way in ways}
        items.append(
            FoundItem(
                number=number + 1,
                name=JOINER.join(chain),
                blocks=_blocks(place),
                labels=chain,
                children=tuple([numbers[one] for one in ways[0][1:3]]) if ways else (),
                rule=f"({ways[0][0]})" if ways else _WORD,
                score=score,
                in_tree=in_tree,
                is_shown=is_shown,
                rivals=tuple([Rival(_way(way), way[3]) for way in ways[1:]]),
                way=_way(ways[0]) if ways else "",
                notes=(_label_note(some, place, labels),),
            )
        )
    rules = {f"({name})": text for name, text in _RULES.items() if name in used}
    return ItemTrace(
        tuple(items),
        total,
        items[-1].score,
        has_probabilities=False,
        method=_method(space),
        rivals="ways to make this item",
        rival="way",
        glossary=_GLOSSARY | rules,
        measures=_MEASURES,
    )


def _method(space: Space) -> str:
    """Say what the search does."""
    ill_nested = ", ill-nested" if space.ill_nested else ""
    told = f"span chart ({space.rules}{ill_nested}): short spans come before long ones"
    if space.rules == "cubic":
        told += "; the items are those of the quartic rules, which find the same trees"
    return told


def _chain(label: int, place: Place, labels: SpanLabels) -> tuple[str, ...]:
    """The labels of the nodes that a label of the chart stands for."""
    if label < 0:
        return ()
    number = label if place[1] < 0 else labels.continuous_count + label
    return tuple(map(unescape, labels.chains[number]))


def _label_note(some: list[tuple[int, float]], place: Place, labels: SpanLabels) -> str:
    """Say which labels the item may have, the one that is taken first."""
    texts = [
        f"{JOINER.join(_chain(label, place, labels)) or 'no label'} {score:.1f}"
        for label, score in some
    ]
    return f"Scores of labels: {', '.join(texts)}."


def _way(way: tuple[str, Place, Place, float]) -> str:
    rule, left, right, _ = way
    return f"({rule}) {item_text('', _blocks(left))} + {item_text('', _blocks(right))}"


def _blocks(place: Place) -> Blocks:
    start, gap, resume, end = place
    return ((start, end),) if gap < 0 else ((start, gap), (resume, end))
