"""Attach punctuation as disco-dop does with `--punct=move`.

First, marks below the root go down to a constituent. Then quotation marks and brackets that belong
together get the same parent. Pairs are found from left to right, by their words.
"""

from __future__ import annotations

from crossbranch.draft import Draft
from crossbranch.span import Span, first_of, last_of

_CLOSING = {
    '"': '"',
    "'": "'",
    "``": "''",
    "(": ")",
    "[": "]",
    "-LRB-": "-RRB-",
    "-LSB-": "-RSB-",
    "-": "-",
}
"""The mark that closes what another one opens."""


def move_like_discodop(draft: Draft, marks: list[int]) -> None:
    """Attach the punctuation of a draft; `marks` are its tokens in their order."""
    _lower(draft, marks)
    for left, right in _pairs(draft, marks):
        _join(draft, left, right)


def reattach(draft: Draft, vertex: int, target: int) -> None:
    """Move a vertex to another node. If its old parent is empty now, it is removed."""
    old = draft.parents[vertex]
    if old == target:
        return
    draft.move(vertex, target)
    if not draft.children[old] and old != draft.root:
        draft.remove(old)


def _lower(draft: Draft, marks: list[int]) -> None:
    """Put every mark below the root beside the largest constituent that begins after it.

    No constituent gets another first token by this. So all of them can be computed at once.
    """
    if len(draft.children[draft.root]) == 1:
        return
    firsts = {vertex: first_of(span) for vertex, span in draft.spans().items()}
    for mark in reversed(marks):  # so that one mark can follow the next one
        if draft.parents[mark] == draft.root and mark + 1 < len(draft.tokens):
            vertex = mark + 1
            while (parent := draft.parents[vertex]) != draft.root and firsts[parent] == mark + 1:
                vertex = parent
            draft.move(mark, parent)


def _pairs(draft: Draft, marks: list[int]) -> list[tuple[int, int]]:
    """Return the marks that belong together. Of two that open the same way, the later counts."""
    opened: dict[str, int] = {}  # by the mark that will close it
    found = []
    for mark in marks:
        form = draft.tokens[mark].form
        if form in opened:
            found.append((opened.pop(form), mark))
        elif form in _CLOSING:
            opened[_CLOSING[form]] = mark
    return found


def _join(draft: Draft, left: int, right: int) -> None:
    """Give a pair one parent, if the parent of one of them ends or begins beside the other."""
    spans = draft.spans()

    def around(mark: int) -> Span:
        return spans[draft.parents[mark]]

    if last_of(around(left)) == right - 1:
        reattach(draft, right, draft.parents[left])
    elif first_of(around(right)) == left + 1:
        reattach(draft, left, draft.parents[right])
