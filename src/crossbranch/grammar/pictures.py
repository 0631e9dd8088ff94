"""Rules as pictures."""

from __future__ import annotations

from collections.abc import Iterable

from crossbranch.doors import door
from crossbranch.escape import unescape
from crossbranch.grammar.lcfrs import Rule


@door
def draw_rules(rules: Iterable[Rule]) -> str:
    """Draw rules as SVG: the blocks of each symbol, made of the blocks of its children."""
    from crossbranch.drawing import DrawnRule  # slow to load, and parsers do not need it
    from crossbranch.drawing import draw_rules as draw

    return draw(
        DrawnRule(
            unescape(rule.left),
            [_short(name, count) for name, count in zip(rule.right, rule.fan_outs, strict=True)],
            rule.blocks,
        )
        for rule in rules
    )


def _short(symbol: str, fan_out: int) -> str:
    """Return a symbol without its fan-out: its blocks have numbers of their own."""
    return unescape(symbol.removesuffix(f"_{fan_out}") if fan_out > 1 else symbol)
