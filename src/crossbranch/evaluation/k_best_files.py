"""K-best lists in a file of trees, as `crossbranch parse --k-best` writes them.

The trees of a sentence follow each other. Each has its score as a comment (`score 17.5`) or the
comment `no parse`. Its id is the id of the sentence with the rank (`7.1`, `7.2`). In formats
without ids, a list continues as long as the words stay the same and scores do not rise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import nan
from typing import NamedTuple

from crossbranch.doors import door
from crossbranch.tree import Tree

_SCORE = re.compile(r"score (\S+)|no parse")
_RANKED = re.compile(r"(.*)\.([1-9][0-9]*)", re.DOTALL)


@door
def group_k_best(trees: Iterable[Tree | None]) -> Iterator[list[Tree] | None]:
    """Yield the list of each sentence, without the ranks in its ids.

    A tree that is not part of a k-best list becomes a list of one tree, and keeps its id. None
    stands for a tree that could not be read. It is yielded as None, unless its sentence has other
    trees.
    """
    groups = _Groups()
    for tree in trees:
        yield from groups.take(tree)
    yield from groups.end()


class _Ranked(NamedTuple):
    """What a file says about a tree of a k-best list."""

    sentence: str
    rank: int | None  # None if the format has no ids
    score: float
    words: list[str]

    @classmethod
    def of(cls, tree: Tree) -> _Ranked | None:
        """Return None for a tree that is not part of a k-best list."""
        scores = [match[1] for text in tree.comments if (match := _SCORE.fullmatch(text))]
        if not scores:
            return None
        words = [token.form for token in tree.sentence]
        found = _RANKED.fullmatch(tree.id)
        sentence, rank = (found[1], int(found[2])) if found else (tree.id, None)
        return cls(sentence, rank, _number(scores[-1]), words)


def _number(text: str | None) -> float:
    try:
        return float(text or nan)
    except ValueError:
        return nan


class _Groups:
    """Collects the trees of one list until the next list begins."""

    def __init__(self) -> None:
        self._list: list[Tree] = []
        self._last: _Ranked | None = None
        self._bad = 0  # unreadable trees after the last readable one
        self._largest = 1
        self._given = 0  # lists and unreadable sentences that were yielded

    def take(self, tree: Tree | None) -> Iterator[list[Tree] | None]:
        """Take the next tree, and yield the list that is complete, if any."""
        if tree is None:
            self._bad += 1
            return
        ranked = _Ranked.of(tree)
        if self._list and not (ranked is not None and self._goes_on(tree, ranked)):
            yield from self._complete(ranked)
        elif self._bad and not self._list:
            yield from self._missing(ranked)
        self._bad = 0
        self._last = ranked
        self._list.append(tree if ranked is None else tree.replace(id=ranked.sentence))

    def end(self) -> Iterator[list[Tree] | None]:
        """Yield the last list."""
        if self._list:
            yield from self._complete(None)
        else:
            yield from [None] * self._bad

    def _goes_on(self, tree: Tree, ranked: _Ranked) -> bool:
        last = self._last
        if last is None or ranked.words != last.words:
            return False
        if ranked.rank is not None and last.rank is not None:
            return ranked.sentence == last.sentence and ranked.rank > last.rank
        if ranked.rank is not None or last.rank is not None:
            return False
        # If the same sentence occurs twice, its second list begins with the same tree again.
        return not ranked.score > last.score and tree.root != self._list[0].root

    def _complete(self, following: _Ranked | None) -> Iterator[list[Tree] | None]:
        self._given += 1
        if self._last is not None and self._last.rank is None:
            # The reader numbered the trees, not the sentences.
            self._list = [tree.replace(id=str(self._given)) for tree in self._list]
        yield self._list
        self._largest = max(self._largest, len(self._list))
        yield from self._missing(following)
        self._list = []

    def _missing(self, following: _Ranked | None) -> list[None]:
        lost = self._lost(following)
        self._given += lost
        return [None] * lost

    def _lost(self, following: _Ranked | None) -> int:
        """Return the number of sentences that the unreadable trees stand for."""
        last = self._last
        if last is None and (following is None or following.rank is None):
            return self._bad
        if following is not None and following.rank is not None:
            before = last.sentence if last is not None else "0"
            if before.isdecimal() and following.sentence.isdecimal():  # as raw text is numbered
                return min(self._bad, max(int(following.sentence) - int(before) - 1, 0))
        return self._bad if self._largest == 1 else 0
