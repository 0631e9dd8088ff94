"""Turns a predicted tree into the gold tree by edits. Each edit repairs some bracket errors.

1. A node that has the span of a missing bracket, but another label, gets the right label.
2. As long as a move repairs errors, the best move is made. A move takes neighbouring children of
   one node to another node. After it, a wrong node has the span and label of a missing bracket.
   After each move, step 1 is repeated.
3. Nodes that are still wrong are removed, large ones first.
4. Missing nodes are added, small ones first.

The number of errors that an edit repairs is the difference in bracket errors (extra and missing
ones) before and after it. Over all edits of a sentence, these numbers add up to all its bracket
errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from crossbranch.evaluation.pairs import Pair
from crossbranch.evaluation.working_tree import Change, WorkingTree, WorkingVertex
from crossbranch.span import Span, first_of
from crossbranch.tree import Bracket

MOST_PAIRS = 10_000
"""If there are more pairs of a wrong and a missing node, no moves are tried. Such trees have almost
nothing in common, and the search would take minutes."""

EditKind = Literal["relabel", "move", "remove", "add", "parse"]


class EditPart(NamedTuple):
    """A word with its tag, or a phrase with its label, at the time of an edit."""

    label: str
    is_word: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Edit:
    """One step of the repair."""

    kind: EditKind
    mended: int  # bracket errors
    mended_discontinuous: int
    is_discontinuous: bool  # whether a removed or new bracket is discontinuous
    span: Span = 0  # the tokens that are moved, relabelled, removed or added
    label: str = ""  # of the node that is relabelled, removed or added
    parts: tuple[EditPart, ...] = ()  # the moved parts, or the children of the changed node
    above: EditPart | None = None  # the lowest node above all changes
    ends: tuple[EditPart, ...] = ()  # of a move: both nodes and the children that stay in them
    siblings: tuple[EditPart, ...] = ()  # of the node that is removed or added
    is_unary: bool = False  # the node that is removed or added has the same tokens as another one


def repair(pair: Pair) -> Iterator[Edit]:
    """Yield the edits that turn the predicted tree of a pair into the gold tree."""
    if pair.predicted_brackets == pair.gold_brackets:
        return
    tree = WorkingTree(pair)
    if pair.predicted is None:
        yield _edit(tree, "parse", [(None, bracket) for bracket in pair.gold_brackets.elements()])
        return
    yield from _relabel(tree)
    while (move := _best_move(tree)) is not None:
        yield _make(tree, move)
        yield from _relabel(tree)
    for bracket in sorted(tree.extra(), key=_size, reverse=True):
        yield _remove(tree, tree.find(bracket))
    for bracket in sorted(tree.missing(), key=_size):
        yield _add(tree, bracket)


def _size(bracket: Bracket) -> tuple[int, Span, str]:
    return bracket.span.bit_count(), bracket.span, bracket.label


def _edit(tree: WorkingTree, kind: EditKind, changes: list[Change], **more: object) -> Edit:
    mended, gappy = tree.mended(changes)
    return Edit(kind, mended, gappy, tree.touch_discontinuous(changes), **more)  # type: ignore[arg-type]


def _part(vertex: WorkingVertex) -> EditPart:
    return EditPart(vertex.name, vertex.is_word, vertex.span)


def _relabel(tree: WorkingTree) -> Iterator[Edit]:
    for missing in sorted(tree.missing(), key=_size):
        same = [b for b in tree.extra() if b.span == missing.span]
        if same:
            vertex = tree.find(min(same))
            changes: list[Change] = [(vertex.bracket, missing)]
            yield _edit(tree, "relabel", changes, span=missing.span, label=vertex.name)
            tree.apply(changes)
            vertex.label = vertex.name = missing.label


class _Move(NamedTuple):
    """A move and its rank: better moves are smaller."""

    rank: tuple[int, int, int, int]
    parts: list[WorkingVertex]
    target: WorkingVertex


def _best_move(tree: WorkingTree) -> _Move | None:
    best: _Move | None = None
    extra, all_missing = tree.extra(), tree.missing()
    if len(extra) * len(all_missing) > MOST_PAIRS:
        return None
    for missing in sorted(all_missing, key=_size):
        for bracket in sorted(set(extra), key=_size):
            if bracket.label != missing.label:
                continue
            vertex = tree.find(bracket)
            for parts, target in _moves(tree, vertex, missing.span):
                mended, gappy = tree.mended(tree.move_changes(parts, target))
                if mended < 1 or not 0 <= gappy <= mended:  # neither kind may grow
                    continue
                moved = sum(part.span.bit_count() for part in parts)
                rank = (-mended, moved, first_of(parts[0].span), -target.span.bit_count())
                if best is None or rank < best.rank:
                    best = _Move(rank, parts, target)
    return best


def _moves(
    tree: WorkingTree, vertex: WorkingVertex, span: Span
) -> Iterator[tuple[list[WorkingVertex], WorkingVertex]]:
    """Yield the moves after which a node has this span."""
    if not vertex.span & ~span:
        parts = tree.top.parts_of(span & ~vertex.span)
        if parts:
            yield parts, vertex
    elif not span & ~vertex.span:
        parts = vertex.parts_of(vertex.span & ~span)
        above = vertex.parent
        while parts and above is not None:
            yield parts, above
            above = above.parent


def _make(tree: WorkingTree, move: _Move) -> Edit:
    parts, target = move.parts, move.target
    source = parts[0].parent
    assert source is not None
    changes = tree.move_changes(parts, target)
    stays = [v for v in (*source.children, *target.children) if v not in parts]
    edit = _edit(
        tree,
        "move",
        changes,
        span=sum(part.span for part in parts),
        parts=tuple(map(_part, parts)),
        above=_part(tree.common(source, target)),
        ends=tuple(_part(v) for v in (source, target, *stays)),
    )
    tree.apply(changes)
    tree.move(parts, target)
    return edit


def _remove(tree: WorkingTree, vertex: WorkingVertex) -> Edit:
    changes: list[Change] = [(vertex.bracket, None)]
    edit = _node_edit(tree, "remove", changes, vertex)
    tree.apply(changes)
    vertex.dissolve()
    return edit


def _add(tree: WorkingTree, bracket: Bracket) -> Edit:
    changes: list[Change] = [(None, bracket)]
    vertex = tree.top.insert(bracket)
    edit = _node_edit(tree, "add", changes, vertex)
    tree.apply(changes)
    return edit


def _node_edit(
    tree: WorkingTree, kind: EditKind, changes: list[Change], vertex: WorkingVertex
) -> Edit:
    parent = vertex.parent
    assert parent is not None
    children = vertex.children
    same_above = parent.span == vertex.span and parent is not tree.top
    return _edit(
        tree,
        kind,
        changes,
        span=vertex.span,
        label=vertex.name,
        parts=tuple(map(_part, children)),
        above=_part(parent),
        siblings=tuple(_part(v) for v in parent.children if v is not vertex),
        is_unary=same_above or (len(children) == 1 and not children[0].is_word),
    )
