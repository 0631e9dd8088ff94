"""From traces to crossing branches, after Evang & Kallmeyer (2011).

In `(SBARQ (WHNP-1 What) (SQ should (NP I) (VP do (NP *T*-1))))`, "What" goes to its trace, so that
the VP covers "What" and "do". docs/transforms/traces.md explains the rules.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import ClassVar

from crossbranch.draft import Draft
from crossbranch.errors import UsageError
from crossbranch.span import Span, first_of, last_of, span_of
from crossbranch.transforms.trace_styles import STYLES, Trace, TraceStyle, detect_style
from crossbranch.transforms.transform import Transform
from crossbranch.tree import Tree

_PARENTHETICAL = "PRN"
_BRACKET_TAGS = ("-LRB-", "-RRB-")


@dataclass(frozen=True)
class Traces(Transform):
    """Move each filler to its trace, remove empty elements, take functions out of labels.

    The style is ptb, craft or icepahc; auto decides it for each tree.
    """

    name: ClassVar[str] = "traces"
    has_inverse: ClassVar[bool] = False
    style: str = "auto"

    def __post_init__(self) -> None:
        """Check the options."""
        if self.style != "auto" and self.style not in STYLES:
            expected = f"auto, {', '.join(STYLES)}"
            raise UsageError(f"traces: style is {self.style!r}, expected one of {expected}")

    def apply(self, tree: Tree) -> Tree:
        """Return the discontinuous tree; it has no tokens if there were no words."""
        style = detect_style(tree) if self.style == "auto" else STYLES[self.style]
        draft = Draft(tree)
        remarks = style.prepare(draft)
        _Movement(draft, style).run()
        return draft.build(comments=(*tree.comments, *remarks))


class _Movement:
    """Makes the changes to one tree."""

    def __init__(self, draft: Draft, style: TraceStyle) -> None:
        self._draft = draft
        self._style = style
        self._words = [t for t in sorted(draft.tokens) if not style.is_empty(draft.tokens[t])]
        self._functions: dict[int, str] = {}  # what fillers get from their traces
        self._parentheticals: list[int] = []  # those that changed places with their fillers

    def run(self) -> None:
        for filler, trace in self._pairs():
            self._move(filler, trace)
        for token in set(self._draft.tokens).difference(self._words):
            self._draft.remove(token)
        for vertex in self._parentheticals:
            if len(self._draft.children.get(vertex, ())) == 1:
                self._draft.splice(vertex)
        self._rename()

    def _pairs(self) -> list[tuple[int, Trace]]:
        """Return fillers with their traces; of several traces, a filler goes to the nearest."""
        draft, style = self._draft, self._style
        empty = sorted(set(draft.tokens).difference(self._words))
        traces = [trace for trace in (style.trace(draft, t) for t in empty) if trace is not None]
        if not traces:
            return []
        spans = draft.spans()
        fillers = self._fillers(spans)
        nearest: dict[int, tuple[int, Trace]] = {}
        for trace in traces:
            candidates = [
                (spans[filler] >> trace.token & 1, _distance(trace.token, spans[filler]), filler)
                for filler in fillers.get(trace.index, ())
            ]
            if candidates:  # if there are several, one that does not hold its trace, the nearest
                _, distance, filler = min(candidates)
                if filler not in nearest or distance < nearest[filler][0]:
                    nearest[filler] = (distance, trace)
        pairs = [(filler, trace) for filler, (_, trace) in nearest.items()]
        return sorted(pairs, key=lambda pair: pair[1].token)

    def _fillers(self, spans: dict[int, Span]) -> dict[str, list[int]]:
        """Return the vertices with an index and words below them, by index."""
        words = span_of(self._words)
        found: dict[str, list[int]] = {}
        for vertex in self._draft.parents:
            index = self._style.label(self._draft, vertex).index
            if index and spans[vertex] & words:
                found.setdefault(index, []).append(vertex)
        return found

    def _move(self, filler: int, trace: Trace) -> None:
        draft = self._draft
        above = draft.ancestors(trace.phrase)
        holder = None
        if filler in above:
            holder = self._holder(filler, above[: above.index(filler)])
            if holder is None:
                return
            draft.move(holder, draft.parents[filler])
        draft.move(filler, draft.parents[trace.phrase])
        self._functions[filler] = self._style.label(draft, trace.phrase).function
        if holder is not None and self._is_parenthetical(holder):
            self._lower_punctuation(holder)
            self._parentheticals.append(holder)

    def _holder(self, filler: int, between: list[int]) -> int | None:
        """Return what a filler changes places with that has its trace inside itself.

        That is the parenthetical around the trace, or else the filler's child; None where the
        filler would be left without words.
        """
        if not between:
            return None
        holder = next(filter(self._is_parenthetical, reversed(between)), between[-1])
        spans = self._draft.spans()
        left = spans[filler] & ~spans[holder] & span_of(self._words)
        return holder if left else None

    def _is_parenthetical(self, vertex: int) -> bool:
        return self._style.label(self._draft, vertex).name == _PARENTHETICAL

    def _lower_punctuation(self, parent: int) -> None:
        """Give punctuation to the lowest node that covers the words around it."""
        draft = self._draft
        marks = [
            child
            for child in draft.children[parent]
            if child in self._words and _is_punctuation(draft.tokens[child].tag)
        ]
        words = [word for word in self._words if word not in marks]
        for mark in marks:
            place = bisect_left(words, mark)
            if 0 < place < len(words):
                left = draft.ancestors(words[place - 1])
                right = draft.ancestors(words[place])
                draft.move(mark, next(vertex for vertex in left if vertex in right))

    def _rename(self) -> None:
        """Take functions and indices out of the labels."""
        draft, style = self._draft, self._style
        for vertex in draft.children:
            label = style.label(draft, vertex)
            draft.labels[vertex] = label.name
            function = self._functions.get(vertex) or label.function
            if function:
                draft.edge_labels[vertex] = function
        for token, word in draft.tokens.items():
            draft.tokens[token] = style.word(word)
            if self._functions.get(token):
                draft.set_edge_label(token, self._functions[token])


def _is_punctuation(tag: str) -> bool:
    return tag in _BRACKET_TAGS or not any(map(str.isalnum, tag))


def _distance(token: int, span: Span) -> int:
    """Return how far a trace is from its filler; 0 inside."""
    return max(first_of(span) - token, token - last_of(span), 0)
