"""Sample treebanks: any number of random trees from hand-written grammars.

The same seed gives the same trees on every machine. Tree i depends only on the grammar, the seed
and i, so a treebank can be made in pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from crossbranch.errors import UsageError
from crossbranch.grammar.expansion import build_tree, expand
from crossbranch.grammar.grammar import read_grammar
from crossbranch.grammar.random_trees import RandomSettings, random_trees
from crossbranch.grammar.statements import included_grammars
from crossbranch.tree import Tree

MAX_LENGTH = 60


def grammar_names() -> tuple[str, ...]:
    """Return the grammar names for `sample`: the shipped grammars, and `random`."""
    return (*included_grammars(), "random")


def sample(
    count: int,
    *,
    grammar: str | Path = "german",
    seed: int = 1,
    first: int = 1,
    max_length: int | None = None,
) -> Iterator[Tree]:
    """Yield `count` trees with the numbers first, first + 1, ...; the number is the id.

    Args:
        count: The number of trees.
        grammar: `german`, `dutch`, `english`, the path of a grammar file, or `random` for the
            default of `random_trees`.
        seed: The random seed. Another seed gives another treebank.
        first: The number of the first tree, from 1.
        max_length: The largest number of tokens in a sentence (default: 60, for `random` 30).
    """
    if grammar == "random":
        settings = RandomSettings() if max_length is None else RandomSettings(max_length=max_length)
        return random_trees(count, seed=seed, first=first, settings=settings)
    if count < 0 or first < 1:
        raise UsageError(f"{count} trees from number {first}, expected count >= 0 and first >= 1")
    if grammar not in included_grammars() and not Path(grammar).exists():
        known = ", ".join(grammar_names())
        raise UsageError(f"unknown grammar {str(grammar)!r}; expected one of {known}, or a file")
    rules = read_grammar(grammar)
    longest = MAX_LENGTH if max_length is None else max_length
    if longest < (rules.top.least or 0):
        raise UsageError(
            f"max_length is {longest}, but the shortest sentence of this grammar has"
            f" {rules.top.least} tokens"
        )

    def trees() -> Iterator[Tree]:
        for number in range(first, first + count):
            random = Random(f"{seed} {number}").random
            yield build_tree(expand(rules, random, longest), rules.style, str(number))

    return trees()
