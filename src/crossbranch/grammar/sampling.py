"""Sample treebanks: any number of random trees from a grammar.

The same seed gives the same trees on every machine. Tree i depends only on the grammar, the seed
and i, so a treebank can be made in pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from crossbranch.doors import door
from crossbranch.errors import UsageError
from crossbranch.grammar.cleaning import trim
from crossbranch.grammar.expansion import build_tree, expand
from crossbranch.grammar.grammar import Grammar as SamplingGrammar
from crossbranch.grammar.grammar import build, read_grammar
from crossbranch.grammar.lcfrs import Grammar
from crossbranch.grammar.random_trees import RandomSettings, random_trees
from crossbranch.grammar.statements import Statements, included_grammars
from crossbranch.grammar.text_format import write_text
from crossbranch.tree import Tree

MAX_LENGTH = 60


def grammar_names() -> tuple[str, ...]:
    """Return the grammar names for `sample`: the shipped grammars, and `random`."""
    return (*included_grammars(), "random")


@door
def sample(
    count: int,
    *,
    grammar: str | Path | Grammar = "german",
    seed: int = 1,
    first: int = 1,
    max_length: int | None = None,
) -> Iterator[Tree]:
    """Yield `count` trees with the numbers first, first + 1, ...; the number is the id.

    Args:
        count: The number of trees.
        grammar: `german`, `dutch`, `english`, the path of a grammar file, or `random` for the
            default of `random_trees`. Or any grammar, such as one that was extracted from trees.
        seed: The random seed. Another seed gives another treebank.
        first: The number of the first tree, from 1.
        max_length: The largest number of tokens in a sentence (default: 60, for `random` 30).
    """
    if grammar == "random":
        settings = RandomSettings() if max_length is None else RandomSettings(max_length=max_length)
        return random_trees(count, seed=seed, first=first, settings=settings)
    if count < 0 or first < 1:
        raise UsageError(f"{count} trees from number {first}, expected count >= 0 and first >= 1")
    rules = _prepare(grammar) if isinstance(grammar, Grammar) else _read(grammar)
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


def _read(grammar: str | Path) -> SamplingGrammar:
    if grammar not in included_grammars() and not Path(grammar).exists():
        known = ", ".join(grammar_names())
        raise UsageError(f"unknown grammar {str(grammar)!r}; expected one of {known}, or a file")
    return read_grammar(grammar)


def _prepare(grammar: Grammar) -> SamplingGrammar:
    """Return a grammar in the form that trees are sampled from, without its useless rules."""
    useful = trim(grammar)
    if not useful.words and not any(rule.terminals for rule in useful.rules):
        raise UsageError("the grammar has no words, or no rules that lead to words")
    return build(Statements.of_text("".join(write_text(useful))), check=False)
