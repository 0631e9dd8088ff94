"""`crossbranch grammar parse --derivation`: the items of a search with a grammar."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from crossbranch.cli.derivation_target import kind_of, write_derivations
from crossbranch.cli.show import say
from crossbranch.errors import UsageError

if TYPE_CHECKING:
    from crossbranch.derivations import Show
    from crossbranch.grammar import Deduction

Words = tuple[list[str], list[str] | None]
"""The words of a sentence, and its tags if they are known."""


def write_deductions(
    deduction: Deduction,
    sentences: Iterable[Words],
    target: str,
    kind: str | None,
    others: int | None,
) -> None:
    """Write the items of all sentences. If one has no tree, it is reported, and the exit code is 1.

    Args:
        deduction: The grammar.
        sentences: The sentences.
        target: Where to write.
        kind: What to write; None if the name of the target says it.
        others: How many items are shown besides those of the tree; None: as many as usual.
    """
    chosen = kind_of(target, kind)
    missing: list[str] = []

    def shows() -> Iterator[Show]:
        from crossbranch.derivations import show_items
        from crossbranch.search.deduction_items import trace_deduction
        from crossbranch.search.items import OTHERS
        from crossbranch.tree import Token

        for number, (words, tags) in enumerate(sentences, 1):
            count = OTHERS if others is None else others
            found = trace_deduction(deduction, words, tags, others=count)
            if found is None:
                missing.append(" ".join(words))
                say(f"not in the language: {missing[-1]}")
                continue
            sentence = [Token(*pair) for pair in zip(words, tags or [""] * len(words), strict=True)]
            yield show_items(found, tuple(sentence), id=str(number))

    found = list(shows())
    if found:
        title = found[0].title if len(found) == 1 else f"{len(found)} sentences"
        write_derivations(found, chosen, target, title=title, meanings={})
    elif not missing:
        raise UsageError("no sentence to parse")
    if missing:
        sys.exit(1)
