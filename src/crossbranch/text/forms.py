"""Surface to form: how a treebank writes brackets, quotes and parts of words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from crossbranch.text.variants import translation
from crossbranch.tree import Token

_RARE_SIDE = 50  # a mark that opens less often than once in so many times does not open
_BEFORE_OPENING = "([{<¿¡\"'`„“‘«»-–—/"


def opens(chunk: str, start: int, end: int) -> bool:
    """Return whether a quote opens at this mark: nothing is before it, and something after it."""
    return end < len(chunk) and (start == 0 or chunk[start - 1] in _BEFORE_OPENING)


@dataclass(frozen=True)
class Forms:
    """The forms of surfaces, if the two differ: for opening marks, and for others."""

    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    clitics: bool = False  # parts of words get marks: vetur$ $inn
    variants: Mapping[str, str] = field(default_factory=dict)  # marks that are replaced by others
    table: Mapping[int, str] = field(init=False, repr=False, compare=False)
    _turning: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Find the surfaces with two forms, and make the table of variants."""
        object.__setattr__(self, "table", translation(self.variants))
        turning = frozenset(name for name, (one, two) in self.names.items() if one != two)
        object.__setattr__(self, "_turning", turning)

    @classmethod
    def learn(
        cls,
        seen: Iterable[tuple[str, str, bool]],
        *,
        clitics: bool = False,
        variants: Mapping[str, str] | None = None,
    ) -> Forms:
        """Learn from triples: surface, form, and whether the surface opens something."""
        counts: defaultdict[str, tuple[Counter[str], Counter[str]]] = defaultdict(
            lambda: (Counter(), Counter())
        )
        for surface, form, opening in seen:
            counts[surface][0 if opening else 1][form] += 1
        names = {}
        for surface, sides in sorted(counts.items()):
            both = sides[0] + sides[1]
            few = both.total() / _RARE_SIDE
            one, two = (
                (side if side.total() > few else both).most_common(1)[0][0] for side in sides
            )
            if (one, two) != (surface, surface):
                names[surface] = (one, two)
        if "..." in counts and "…" not in counts:
            names["…"] = ("...", "...")
        return cls(names, clitics, variants or {})

    def plain(self, chunk: str) -> str:
        """Return a chunk with the marks that the treebank has."""
        return chunk if chunk.isascii() else chunk.translate(self.table)

    @property
    def turning(self) -> frozenset[str]:
        """The surfaces that open and close in turn, if there are spaces on both sides."""
        return self._turning

    def by_turns(self, surface: str, before: Sequence[Token]) -> str:
        """Return the form of such a surface, given the tokens before it in the sentence."""
        opening, closing = self.names[surface]
        for token in reversed(before):
            if token.form in (opening, closing):
                return closing if token.form == opening else opening
        return opening

    def of(self, chunk: str, cuts: tuple[int, ...]) -> list[str]:
        """Return the forms of the tokens of a chunk."""
        if not cuts:
            pair = self.names.get(chunk)
            return [pair[1] if pair else chunk]
        edges = (0, *cuts, len(chunk))
        forms = []
        for start, end in pairwise(edges):
            form = chunk[start:end]
            pair = self.names.get(form)
            if pair:
                form = pair[0] if opens(chunk, start, end) else pair[1]
            elif self.clitics:
                if start and _within_word(chunk, start):
                    form = "$" + form
                if end < len(chunk) and _within_word(chunk, end):
                    form += "$"
            forms.append(form)
        return forms


def _within_word(chunk: str, place: int) -> bool:
    return chunk[place - 1].isalpha() and chunk[place].isalpha()
