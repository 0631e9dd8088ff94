"""The moves of the core, and how oracles take them."""

from __future__ import annotations

from dataclasses import dataclass

from crossbranch import _core
from crossbranch.errors import TransformError

SHIFT, UNARY, LEFT, RIGHT, GAP, SWAP, GHOST, FINISH, IDLE = range(9)
MERGE, MERGE_LEFT, MERGE_RIGHT, COMBINE, LABEL, NO_LABEL = range(9, 15)
"""The moves, numbered as in the core. A transition is a move with an argument."""

CANDIDATE = -2
"""The label of items that are joined, but not yet a constituent."""

LABELLED = {LEFT: True, RIGHT: True, UNARY: False, LABEL: False}
"""The moves whose argument is a label, and whether it may be a temporary one."""


class Walk:
    """A configuration on its way through a derivation, and the transitions taken so far."""

    __slots__ = ("_apply", "configuration", "taken")

    def __init__(self, system: _core.System, token_count: int) -> None:
        """Start at the first configuration."""
        self.configuration = _core.Configuration(system, token_count)
        self.taken: list[int] = []
        self._apply = self.configuration.apply

    def take(self, transition: int) -> None:
        """Take a transition. Raises ValueError if it is not legal."""
        self.taken.append(transition)
        self._apply(transition)


@dataclass(frozen=True)
class Moves:
    """The numbers of the transitions without a label in one system; -1 if it has none."""

    shift: int
    ghost: int
    finish: int
    is_compound: bool
    amounts: tuple[int, ...]  # GAP or SWAP, by the number of items that it moves

    @classmethod
    def of(cls, system: _core.System, move: int, *, is_compound: bool) -> Moves:
        """Find the transitions of a system; `move` is GAP or SWAP."""
        amounts = [argument for kind, argument in system.transitions if kind == move]
        return cls(
            system.find(SHIFT, 0),
            system.find(GHOST, 0),
            system.find(FINISH, 0),
            is_compound,
            tuple(system.find(move, amount) for amount in range(max(amounts, default=0) + 1)),
        )

    def move_items(self, count: int) -> tuple[int, ...]:
        """Return the transitions that move `count` items: one for each, or one compound one."""
        most = len(self.amounts) - 1
        if count and not most:
            raise TransformError("the tree is discontinuous, but the system is continuous")
        if not self.is_compound:
            return (self.amounts[1],) * count if count else ()
        if count > most:
            raise TransformError(
                f"{count} items must be moved at once, but the system moves at most {most}"
            )
        return (self.amounts[count],)
