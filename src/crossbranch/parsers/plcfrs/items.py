"""The items of a search with a grammar that was read off trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from crossbranch.grammar.agenda import Axiom, Ending
from crossbranch.parsers.plcfrs.settings import PlcfrsOptions
from crossbranch.search import ItemTrace
from crossbranch.search.deduction_items import trace_agenda

if TYPE_CHECKING:
    from crossbranch.parsers.plcfrs.parser import Engine


def trace_items(
    engine: Engine,
    axioms: Sequence[Axiom],
    token_count: int,
    options: PlcfrsOptions,
    others: int,
) -> tuple[ItemTrace | None, Ending]:
    """Return the items of a search for the best tree, and how it ended.

    Args:
        engine: The grammar.
        axioms: The symbols that words may have.
        token_count: The number of words.
        options: The options of the search.
        others: The number of items to show besides those of the best tree.
    """
    taken = engine.agenda.taken(
        axioms,
        token_count,
        estimates=options.estimates,
        max_items=options.items,
        max_seconds=options.seconds,
    )
    found = trace_agenda(
        *(engine.agenda, axioms, taken.items, engine.builder.label),
        estimates=options.estimates,
        others=others,
    )
    return found, taken.ending
