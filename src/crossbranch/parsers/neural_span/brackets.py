"""The probabilities of the brackets of a tree, from those of the constituents of a chart."""

from __future__ import annotations

from collections.abc import Sequence

from crossbranch.parsers.neural_span.labels import SpanLabels
from crossbranch.span import Span
from crossbranch.tree import Node

Brackets = dict[tuple[str, Span], float]


def bracket_probabilities(
    codes: Sequence[int],
    labels: SpanLabels,
    probabilities: Sequence[float],
    whole: Node | None = None,
) -> Brackets:
    """Return the probability of each bracket of a tree.

    All brackets of a unary chain have that of the chain. Of a constituent that was split, that of
    its least probable part counts.

    Args:
        codes: The tree as the core writes it; see `NodeBuilder`.
        labels: The labels.
        probabilities: The probabilities of its constituents, in the order of the codes.
        whole: The tree without parts of split constituents, if it had any.
    """
    found: Brackets = {}
    known = iter(probabilities)
    open_spans: list[Span] = []
    numbers = iter(codes)
    for code in numbers:
        if code >= 0:
            open_spans.append(1 << code)
            continue
        count = next(numbers)
        span = sum(open_spans[-count:])
        del open_spans[-count:]
        open_spans.append(span)
        probability = min(max(next(known), 0.0), 1.0)
        for name in labels.chains[~code]:
            key = labels.whole_name(name), span
            found[key] = min(probability, found.get(key, 1.0))
    return found if whole is None else _of_whole(whole, found)


def _of_whole(root: Node, parts: Brackets) -> Brackets:
    """Return the probabilities of the brackets of a tree whose constituents were split."""
    found: Brackets = {}
    for node in root.preorder():
        key = node.label, node.span
        inside = [
            one for (label, span), one in parts.items() if label == key[0] and not span & ~key[1]
        ]
        found[key] = parts.get(key, min(inside, default=0.0))
    return found
