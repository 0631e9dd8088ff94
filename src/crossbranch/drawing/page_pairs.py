"""Two treebanks side by side: the two trees of each sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from crossbranch.errors import UsageError
from crossbranch.tree import Tree


def pair_up(trees: Iterable[Tree], others: Iterable[Tree]) -> Iterator[tuple[Tree, Tree]]:
    """Yield the two trees of each sentence, one pair at a time.

    Raises:
        UsageError: There are more of one than of the other, or the words of a sentence differ.
    """
    for number, (one, other) in enumerate(zip_longest(trees, others), 1):
        if one is None or other is None:
            which = "first" if one is None else "second"
            raise UsageError(f"cannot compare: the {which} trees end before sentence {number}")
        words, theirs = ([token.form for token in tree.sentence] for tree in (one, other))
        if words != theirs:
            found = next(
                f"{mine!r} and {yours!r}"
                for mine, yours in zip_longest(words, theirs, fillvalue="")
                if mine != yours
            )
            name = one.id or str(number)
            raise UsageError(f"cannot compare sentence {name}: its words differ, {found}")
        yield one, other
