"""Types of parse errors, by the edits that repair them (Kummerfeld et al. 2012, Coavoux 2021).

Each edit is one error. But if a phrase is moved in several steps, they are one attachment error.
The nodes of an error are the extra and missing brackets that it explains. Over all types, they add
up to all bracket errors.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from crossbranch.evaluation.categories import ATTACHMENTS, Category, category, is_coordination
from crossbranch.evaluation.counts import Tally
from crossbranch.evaluation.pairs import Pair
from crossbranch.evaluation.repairs import Edit, EditPart, repair
from crossbranch.span import Span

CO_ORDINATION = "co-ordination"
NP_INTERNAL = "NP-internal structure"
UNARY = "unary"
SINGLE_WORD = "single-word phrase"
LABEL = "different label"
NO_PARSE = "no parse"
OTHER = "other"
ERROR_TYPES = (
    *ATTACHMENTS.values(),
    CO_ORDINATION,
    NP_INTERNAL,
    UNARY,
    SINGLE_WORD,
    LABEL,
    NO_PARSE,
    OTHER,
)
"""All types, in the order in which they are shown."""


@dataclass(slots=True)
class ErrorTypes(Tally):
    """Errors and affected nodes by type. Discontinuous ones are also counted separately."""

    errors: Counter[str] = field(default_factory=Counter)
    nodes: Counter[str] = field(default_factory=Counter)
    discontinuous_errors: Counter[str] = field(default_factory=Counter)
    discontinuous_nodes: Counter[str] = field(default_factory=Counter)

    def add(self, pair: Pair) -> None:
        """Count the errors of one more sentence."""
        seen: dict[tuple[str, Span, int], bool] = {}
        for number, edit in enumerate(repair(pair)):
            name = error_type(edit)
            # Attachment edits of the same words are one error. Every other edit is one error.
            key = name, _concerns(edit), -1 if name in ATTACHMENTS.values() else number
            seen[key] = seen.get(key, False) or edit.is_discontinuous
            self.nodes[name] += edit.mended
            self.discontinuous_nodes[name] += edit.mended_discontinuous
        self.errors.update(name for name, *_ in seen)
        self.discontinuous_errors.update(name for (name, *_), gappy in seen.items() if gappy)

    def rows(self) -> list[tuple[str, int, int, int, int]]:
        """Return type, errors, nodes, discontinuous errors and nodes, the most errors first."""
        found = [
            (
                name,
                self.errors[name],
                self.nodes[name],
                self.discontinuous_errors[name],
                self.discontinuous_nodes[name],
            )
            for name in ERROR_TYPES
            if self.errors[name]
        ]
        return sorted(found, key=lambda row: -row[1])

    def to_dict(self) -> dict[str, Any]:
        """Return the counts of each type for JSON."""
        names = ("errors", "nodes", "discontinuous_errors", "discontinuous_nodes")
        return {name: dict(zip(names, counts, strict=True)) for name, *counts in self.rows()}


def error_type(edit: Edit) -> str:
    """Return the type of error that an edit repairs."""
    if edit.kind == "parse":
        return NO_PARSE
    if edit.kind == "relabel":
        return LABEL
    if edit.kind == "move":
        return _move_type(edit)
    if edit.span.bit_count() == 1:
        return SINGLE_WORD
    return UNARY if edit.is_unary else _node_type(edit)


def _move_type(edit: Edit) -> str:
    if _any_coordination(edit.parts):
        return CO_ORDINATION
    if _within_np(edit.above, edit.parts):
        return NP_INTERNAL
    moved = _main_category(edit.parts)
    if moved not in ("PP", "modifier") and _any_coordination(edit.ends):
        return CO_ORDINATION
    return ATTACHMENTS[moved] if moved else OTHER


def _node_type(edit: Edit) -> str:
    """Return the type of an error that is repaired by removing or adding a node."""
    if is_coordination(edit.label) or _any_coordination(edit.parts):
        return CO_ORDINATION
    if category(edit.label) == "NP" and _within_np(edit.above, edit.parts):
        return NP_INTERNAL
    attached = _main_category(_adjuncts(edit))
    return ATTACHMENTS[attached] if attached else OTHER


def _adjuncts(edit: Edit) -> tuple[EditPart, ...]:
    """Return what a node attaches to its core, such as the PP in (NP NP PP).

    The node that is removed or added may be the whole or the core. If single words make no phrases,
    the core may be a word. This holds for noun phrases and modifiers with exactly one other part:
    (NP noun PP).
    """
    for place, part in enumerate(edit.parts):
        if part.label == edit.label and not part.is_word:
            return edit.parts[:place] + edit.parts[place + 1 :]
    phrases = [part for part in edit.siblings if not part.is_word]
    if edit.above and edit.above.label == edit.label and len(phrases) == len(edit.siblings) == 1:
        return edit.siblings
    kind = category(edit.label)
    if kind not in ("NP", "modifier") or len(edit.parts) != 2:
        return ()
    one, other = edit.parts
    if category(one.label, is_word=one.is_word) == kind:
        return (other,)
    return (one,) if category(other.label, is_word=other.is_word) == kind else ()


def _within_np(above: EditPart | None, parts: tuple[EditPart, ...]) -> bool:
    """Return True if an edit rearranges words and noun phrases inside a noun phrase."""
    if above is None or above.is_word or category(above.label) != "NP":
        return False
    return all(part.is_word or category(part.label) == "NP" for part in parts)


def _any_coordination(parts: tuple[EditPart, ...]) -> bool:
    return any(is_coordination(part.label, is_word=part.is_word) for part in parts)


def _main_category(parts: tuple[EditPart, ...]) -> Category | None:
    """Return the category of the first phrase, or of the first word if there is no phrase."""
    for part in sorted(parts, key=lambda part: part.is_word):
        if found := category(part.label, is_word=part.is_word):
            return found
    return None


def _concerns(edit: Edit) -> Span:
    """Return the words of an edit. An adjunct keeps its words when it moves from node to node."""
    adjuncts = _adjuncts(edit) if edit.kind in ("remove", "add") else ()
    return sum(part.span for part in adjuncts) or edit.span
