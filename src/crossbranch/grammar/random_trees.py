"""Random trees for stress tests: long, wide, deep, with many blocks, ill-nested.

A random tree is made from the root down. The tokens of a node are cut into runs, which are given to
its children. If each child gets one run, no child is discontinuous. If there are more runs than
children, some children are. Other shapes are regular:

    left, right     ((((0 1) 2) 3) 4), (0 (1 (2 (3 4)))): as deep as the sentence is long
    flat            (0 1 2 3 4)
    cross-serial    (0 (1 (2 5) 4) 3) on 0 1 2 3 4 5: each node has two blocks
    comb            (0 2 4) (1 3 5): as many blocks as allowed, ill-nested from four tokens on
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from crossbranch.errors import UsageError
from crossbranch.grammar.lexicon import Random as Draw
from crossbranch.span import fan_out, span_of
from crossbranch.tree import ROOT, Node, Token, Tree

SHAPES = ("random", "left", "right", "flat", "cross-serial", "comb")
LABELS = ("S", "NP", "VP", "PP", "AP", "SBAR", "ADVP", "CNP")
EDGE_LABELS = ("HD", "SB", "OA", "MO", "NK")
_WORDS = 2000


@dataclass(frozen=True, kw_only=True)
class RandomSettings:
    """Settings for random trees."""

    shape: str = "random"  # one of SHAPES
    min_length: int = 1  # the number of tokens is chosen evenly from min to max
    max_length: int = 30
    labels: Sequence[str] = LABELS
    tags: int = 12  # the number of different tags
    max_fan_out: int = 3  # the largest number of blocks of a node
    ill_nested: bool = True  # whether trees may be ill-nested
    # The rest is for the shape `random`.
    branching: int = 4  # the largest number of children of a node
    discontinuity_rate: float = 0.2  # how often a node with enough tokens has a discontinuous child
    unary_rate: float = 0.1  # how often a node has only one child

    def __post_init__(self) -> None:
        """Check the settings."""
        if self.shape not in SHAPES:
            raise UsageError(f"unknown shape {self.shape!r}; expected one of {', '.join(SHAPES)}")
        if not 0 <= self.min_length <= self.max_length:
            raise UsageError(
                f"lengths from {self.min_length} to {self.max_length}, expected 0 <= min <= max"
            )
        for name, least in (("branching", 2), ("max_fan_out", 1), ("tags", 1)):
            if getattr(self, name) < least:
                raise UsageError(f"{name} is {getattr(self, name)}, expected at least {least}")
        for name in ("discontinuity_rate", "unary_rate"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"{name} is {getattr(self, name)}, expected 0 to 1")
        if self.unary_rate == 1:
            raise UsageError("unary_rate is 1, expected less: trees would never end")
        if not self.labels:
            raise UsageError("labels is empty, expected at least one label")
        if self.shape == "cross-serial" and self.max_fan_out < 2:
            raise UsageError("max_fan_out is 1, but cross-serial trees have two blocks")
        if self.shape == "comb" and not self.ill_nested:
            raise UsageError("ill_nested is false, but combs are ill-nested")


def random_trees(
    count: int,
    *,
    seed: int = 1,
    first: int = 1,
    settings: RandomSettings | None = None,
) -> Iterator[Tree]:
    """Yield `count` random trees with the numbers first, first + 1, ...; see `RandomSettings`.

    As in `sample`, tree i depends only on the settings, the seed and i.
    """
    if count < 0 or first < 1:
        raise UsageError(f"{count} trees from number {first}, expected count >= 0 and first >= 1")
    chosen = settings or RandomSettings()
    return (_random_tree(chosen, seed, number) for number in range(first, first + count))


def _random_tree(settings: RandomSettings, seed: int, number: int) -> Tree:
    draw = Random(f"{seed} {number}").random
    length = _between(draw, settings.min_length, settings.max_length)
    sentence = [_token(draw, settings.tags) for _ in range(length)]
    tokens = list(range(length))
    groups = _GROUPS[settings.shape](draw, tokens, settings)
    return Tree(sentence, _build(draw, groups, settings), id=str(number))


def _token(draw: Draw, tags: int) -> Token:
    """Return a word. Words with low numbers are frequent, and a word mostly has the same tag."""
    number = int(draw() * draw() * _WORDS)
    tag = number % tags if draw() < 0.9 else _between(draw, 0, tags - 1)
    return Token(f"w{number}", f"T{tag + 1}", f"w{number}", "", _pick(draw, EDGE_LABELS))


def _between(draw: Draw, low: int, high: int) -> int:
    return low + int(draw() * (high - low + 1))


def _pick(draw: Draw, options: Sequence[str]) -> str:
    return options[int(draw() * len(options))]


Groups = list[list[int]]
"""The children of each node, parents first. A token is its number, a node is ~number."""


def _build(draw: Draw, groups: Groups, settings: RandomSettings) -> Node:
    nodes: dict[int, Node] = {}
    for number in range(len(groups) - 1, -1, -1):
        children = [child if child >= 0 else nodes.pop(~child) for child in groups[number]]
        label = _pick(draw, settings.labels) if number else ROOT
        edge_label = _pick(draw, EDGE_LABELS) if number else ""
        nodes[number] = Node(label, children, edge_label=edge_label)
    return nodes[0]


def _split_at_random(draw: Draw, tokens: list[int], settings: RandomSettings) -> Groups:
    groups: Groups = [[~1], []] if tokens else [[]]
    agenda = [(1, tokens)] if tokens else []
    while agenda:
        node, tokens = agenda.pop()
        if draw() < settings.unary_rate:
            parts = [tokens]
        elif len(tokens) == 1:
            groups[node].append(tokens[0])
            continue
        else:
            parts = _split(draw, tokens, settings)
        for part in parts:
            if len(part) == 1 and len(parts) > 1 and draw() >= settings.unary_rate:
                groups[node].append(part[0])
            else:
                groups[node].append(~len(groups))
                agenda.append((len(groups), part))
                groups.append([])
    return groups


def _split(draw: Draw, tokens: list[int], settings: RandomSettings) -> list[list[int]]:
    """Distribute tokens among two or more children."""
    children = _between(draw, 2, min(settings.branching, len(tokens)))
    runs = children
    if draw() < settings.discontinuity_rate:
        most = min(len(tokens), children * settings.max_fan_out)
        runs = _between(draw, min(children + 1, most), most)
    if runs > children:
        assign = _assign_freely if settings.ill_nested else _assign_nested
        owners = assign(draw, runs, children)
        parts: list[list[int]] = [[] for _ in range(children)]
        for owner, run in zip(owners, _cut(draw, tokens, len(owners)), strict=True):
            parts[owner] += run
        if all(fan_out(span_of(part)) <= settings.max_fan_out for part in parts):
            return parts
    # A run of a node's tokens has no more blocks than the node.
    return _cut(draw, tokens, children)


def _cut(draw: Draw, tokens: list[int], count: int) -> list[list[int]]:
    """Cut tokens into this many runs, at random places."""
    places: set[int] = set()
    for last in range(len(tokens) - count + 1, len(tokens)):  # Floyd's choice of places
        place = _between(draw, 1, last)
        places.add(last if place in places else place)
    ends = sorted(places)
    return [tokens[i:j] for i, j in zip([0, *ends], [*ends, len(tokens)], strict=True)]


def _assign_freely(draw: Draw, runs: int, children: int) -> list[int]:
    """Assign runs to children: every child gets one, and never two neighbouring runs."""
    owners = list(range(children))
    while len(owners) < runs:
        owner = _between(draw, 0, children - 2)
        owners.append(owner + (owner >= owners[-1]))
    return owners


def _assign_nested(draw: Draw, runs: int, children: int) -> list[int]:
    """Assign runs to children so that the tree is well-nested."""
    owners, unfinished, newest = [0], [0], 0
    for left in range(runs - 1, 0, -1):
        waiting = children - 1 - newest
        if waiting and (waiting >= left or len(unfinished) == 1 or draw() < 0.5):
            newest += 1
            unfinished.append(newest)
        elif len(unfinished) > 1:
            del unfinished[_between(draw, 1, len(unfinished) - 1) :]
        else:
            break
        owners.append(unfinished[-1])
    return owners


def _chain_left(draw: Draw, tokens: list[int], settings: RandomSettings) -> Groups:
    groups: Groups = [[~1]] if len(tokens) > 1 else [tokens]
    for token in reversed(tokens[2:]):
        groups.append([~(len(groups) + 1), token])
    return [*groups, tokens[:2]] if len(tokens) > 1 else groups


def _chain_right(draw: Draw, tokens: list[int], settings: RandomSettings) -> Groups:
    groups: Groups = [[~1]] if len(tokens) > 1 else [tokens]
    for token in tokens[:-2]:
        groups.append([token, ~(len(groups) + 1)])
    return [*groups, tokens[-2:]] if len(tokens) > 1 else groups


def _flat(draw: Draw, tokens: list[int], settings: RandomSettings) -> Groups:
    return [[~1], tokens] if tokens else [[]]


def _cross_serial(draw: Draw, tokens: list[int], settings: RandomSettings) -> Groups:
    pairs = len(tokens) // 2
    groups: Groups = [[*([~1] if pairs else []), *tokens[2 * pairs :]]]
    for number in range(pairs):
        below = [~(len(groups) + 1)] if number < pairs - 1 else []
        groups.append([tokens[number], *below, tokens[pairs + number]])
    return groups


def _comb(draw: Draw, tokens: list[int], settings: RandomSettings) -> Groups:
    if len(tokens) < 2:
        return [tokens]
    teeth = min(settings.max_fan_out, len(tokens) // 2)
    alternate = tokens[: 2 * teeth]
    return [[~1, ~2, *tokens[2 * teeth :]], alternate[::2], alternate[1::2]]


_GROUPS = {
    "random": _split_at_random,
    "left": _chain_left,
    "right": _chain_right,
    "flat": _flat,
    "cross-serial": _cross_serial,
    "comb": _comb,
}
