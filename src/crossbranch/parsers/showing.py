"""Derivations of a parser to look at: what it did to find a tree, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from crossbranch.derivations import Show, show, show_items
from crossbranch.errors import UsageError
from crossbranch.parsers.parser import Parser
from crossbranch.parsers.tracing import ItemParser, TransitionParser
from crossbranch.search.items import OTHERS
from crossbranch.tree import Tree


def check_derivations(parser: Parser, name: str) -> None:
    """Raise a UsageError if a parser has no derivations; `name` is how users call it."""
    if not isinstance(parser, (TransitionParser, ItemParser)):
        raise UsageError(
            f"{name} is a model of kind {parser.kind}, which has no derivations; expected"
            " one with transitions, span charts or a grammar"
        )


def shows(
    parser: Parser, sentences: Iterable[Tree], *, others: int = OTHERS, **options: Any
) -> Iterator[Show]:
    """Parse sentences, and yield how the parser found their trees.

    Args:
        parser: The parser, which `check_derivations` accepts.
        sentences: The sentences. Those without words or without a parse are left out.
        others: For charts and grammars, the number of items besides those of the tree.
        **options: As in `parse_many`.
    """
    if isinstance(parser, TransitionParser):
        has_probabilities = parser.scores_are_logarithms
        for one in parser.parse_traced(sentences, **options):
            yield show(one.derivation, one.trace, has_probabilities=has_probabilities)
    else:
        assert isinstance(parser, ItemParser)
        for tree, trace in parser.parse_items(sentences, others=others, **options):
            yield show_items(trace, tree.sentence, id=tree.id)


def numbered(sentences: Iterable[Tree]) -> Iterator[Tree]:
    """Yield the sentences. Those without an id get their number."""
    for number, tree in enumerate(sentences, 1):
        yield tree if tree.id else tree.replace(id=str(number))
