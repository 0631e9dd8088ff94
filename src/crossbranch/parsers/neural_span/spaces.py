"""Search spaces, and what is done with sentences that are too long for them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

from crossbranch.errors import UsageError

Rules = Literal["continuous", "cubic", "quartic", "quintic", "sextic"]

RULES: tuple[Rules, ...] = get_args(Rules)
"""From the smallest space to the largest one, numbered as in the core."""

LONGEST: dict[Rules, int] = {
    "sextic": 60,
    "quintic": 100,
    "quartic": 160,
    "cubic": 400,
    "continuous": 3000,
}
"""How many tokens a sentence may have in each space.

The search for the best tree then takes up to half a second; in 3,000 tokens, up to three seconds.
"""

_ILL_NESTED = ("quintic", "sextic")


class Space(NamedTuple):
    """A search space."""

    rules: Rules
    ill_nested: bool = False

    def check(self) -> None:
        """Raise a UsageError if the space has no ill-nested trees, but some are asked for."""
        if self.ill_nested and self.rules not in _ILL_NESTED:
            raise UsageError(
                f"the space {self.rules} has no ill-nested trees; expected ill_nested = false, or"
                f" one of the spaces {', '.join(_ILL_NESTED)}"
            )

    @property
    def number(self) -> int:
        """Its number in the core."""
        return 2 * RULES.index(self.rules) + self.ill_nested

    def for_length(self, tokens: int) -> Space | None:
        """Return this space, or a smaller one if a sentence is too long; None if it is for all."""
        for rules in reversed(RULES[: RULES.index(self.rules) + 1]):
            if tokens <= LONGEST[rules]:
                return Space(rules, self.ill_nested and rules in _ILL_NESTED)
        return None

    def for_learning(self, tokens: int, longest: int) -> Space:
        """Return the space to learn a sentence in: at most `cubic` if it is longer than `longest`.

        The few long sentences of a treebank would take most of the time.
        """
        space = self
        if tokens > longest and RULES.index(self.rules) > RULES.index("cubic"):
            space = Space("cubic")
        return space.for_length(tokens) or Space("continuous")


def space_numbers(spaces: Iterable[Space]) -> array[int]:
    """Return spaces as the core takes them."""
    return array("i", [space.number for space in spaces])
