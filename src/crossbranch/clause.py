"""Clauses: who did what to whom, as plain records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from crossbranch.constituent import Constituent, Word

Part = Constituent | Word
"""A part of a clause: both kinds have `text`, `label`, `function`, `tokens` and `offsets`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A verb and what belongs to it. Parts that are not there are None or empty."""

    node: Constituent
    """The constituent of the clause."""

    verb: Word
    """The main verb. In *has been eaten*, it is *eaten*."""

    auxiliaries: tuple[Word, ...] = ()
    """The other verbs: *has* and *been*."""

    particles: tuple[Part, ...] = ()
    """Particles of the verb: *up* in *got up*."""

    negations: tuple[Part, ...] = ()
    """Words such as *not*."""

    subject: Part | None = None
    """The subject. None if it is not expressed, for example in many infinitives."""

    objects: tuple[Part, ...] = ()
    """The direct objects."""

    indirect_objects: tuple[Part, ...] = ()
    """The indirect objects: *him* in *gave him a book*."""

    predicatives: tuple[Part, ...] = ()
    """What is said of the subject by a copula: *ill* in *she is ill*."""

    complements: tuple[Part, ...] = ()
    """Other complements, such as clauses: *that he came* in *said that he came*."""

    agents: tuple[Part, ...] = ()
    """In passive clauses, who does it: *by the dog*."""

    modifiers: tuple[Part, ...] = ()
    """Everything else, such as times and places."""

    is_passive: bool = False
    """Whether the verb is passive. The subject is then the one that something is done to."""

    @property
    def predicate(self) -> str:
        """All verbs and particles as they follow each other: *has been eaten up*."""
        parts = sorted([self.verb, *self.auxiliaries, *self.particles], key=_first_token)
        return " ".join(part.text for part in parts)

    @property
    def text(self) -> str:
        """The text of the clause."""
        return self.node.text

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, with tokens and offsets of each part."""
        found: dict[str, Any] = {"predicate": self.predicate, "is_passive": self.is_passive}
        for name in ("verb", "subject"):
            part: Part | None = getattr(self, name)
            found[name] = None if part is None else _to_dict(part)
        for name in LISTS:
            found[name] = [_to_dict(part) for part in getattr(self, name)]
        return found | {"node": _to_dict(self.node)}

    def __str__(self) -> str:
        shown = [self.subject, self.predicate, *self.indirect_objects, *self.objects]
        return " | ".join(str(part) for part in shown if part is not None)


LISTS = (
    "auxiliaries",
    "particles",
    "negations",
    "objects",
    "indirect_objects",
    "predicatives",
    "complements",
    "agents",
    "modifiers",
)
"""The fields with any number of parts."""


def _first_token(part: Part) -> int:
    return part.tokens[0]


def _to_dict(part: Part) -> dict[str, Any]:
    return {
        "text": part.text,
        "label": part.label,
        "function": part.function,
        "tokens": part.tokens,
        "offsets": [list(offset) for offset in part.offsets],
    }
