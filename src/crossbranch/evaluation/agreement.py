"""How well a constituent tree agrees with the dependencies of its sentence.

Dependencies say which word depends on which, but every treebank has its own opinion about heads: in
Universal Dependencies, *is* depends on *tall*, in other treebanks it is the other way round. So no
head table is used here. The dependencies themselves choose the heads of the constituents: the head
of a constituent is the word in it that depends on a word outside of it. All other children of the
constituent then depend on this head, and these dependencies are compared with the given ones.

    (S (NP he) (VP is (NP a man)))       he -> man    is -> man    a -> man

If a phrase is attached too high or too low, its head depends on the wrong word. A word counts as
right, too, if the tree makes it depend on a sister of itself

- in a clause: of *want him to go*, the Penn Treebank makes a clause *him to go*, but in Universal
  Dependencies both *him* and *go* depend on *want*
- that is an expletive: *it* and a clause that belongs to it
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from crossbranch.dependencies import Arc
from crossbranch.errors import UsageError
from crossbranch.tree import Tree

NOT_COMPARED = ("cc", "fixed", "goeswith", "punct")
"""Relations that are not compared: constituents cannot say which word these words depend on."""

_CLAUSES = frozenset({"S", "SQ", "SINV"})
_EXPLETIVE = "expl"


class Agreement(NamedTuple):
    """The number of words that are compared, and of those whose dependency fits the tree."""

    words: int
    agreed: int

    @property
    def share(self) -> float:
        """The share of words whose dependency fits the tree; 1 if no word is compared."""
        return self.agreed / self.words if self.words else 1.0


def agreement(
    tree: Tree, arcs: Sequence[Arc], *, not_compared: Collection[str] = NOT_COMPARED
) -> Agreement:
    """Compare a tree with the dependencies of its sentence.

    Args:
        tree: The tree.
        arcs: The head and the relation of each token. The head of the sentence has the head -1.
        not_compared: Relations that are not compared. `nsubj` is also `nsubj:pass`.

    Raises:
        UsageError: The dependencies do not belong to a sentence of this length.
    """
    if len(arcs) != len(tree.sentence):
        raise UsageError(f"{len(arcs)} dependencies, expected {len(tree.sentence)}: one a token")
    found = _Fitting(arcs).heads(tree)
    compared = [
        token
        for token, (head, relation) in enumerate(arcs)
        if head >= 0 and relation.partition(":")[0] not in not_compared
    ]
    return Agreement(len(compared), sum(found[token] for token in compared))


class _Fitting:
    """Finds the words whose dependency fits a tree."""

    def __init__(self, arcs: Sequence[Arc]) -> None:
        self._heads = [head for head, _ in arcs]
        self._expletives = {i for i, (_, r) in enumerate(arcs) if r.startswith(_EXPLETIVE)}
        self._depths = depths(self._heads)

    def heads(self, tree: Tree) -> list[bool]:
        """Return for each token whether its dependency fits the tree."""
        fits = [False] * len(tree.sentence)
        lexical: dict[int, int] = {}  # id of a node -> its head token
        for node in tree.root.postorder():
            below = [c if isinstance(c, int) else lexical.pop(id(c)) for c in node.children]
            if len(below) < 2:
                lexical[id(node)] = below[0] if below else -1
                continue
            is_clause = node.label in _CLAUSES
            leader = self._leader(below, node.span, is_clause)
            lexical[id(node)] = leader
            for token in below:
                if token != leader:
                    fits[token] = self._fits(token, leader, is_clause)
        return fits

    def _leader(self, below: Sequence[int], span: int, is_clause: bool) -> int:
        """Choose the head: a child that depends on a word outside; of several, the best one."""
        heads = self._heads
        outside = [t for t in below if heads[t] < 0 or not span >> heads[t] & 1]
        if len(outside) == 1:
            return outside[0]
        if not outside:
            return min(below, key=lambda token: self._depths[token])

        def quality(leader: int) -> tuple[int, int]:
            fitting = sum(self._fits(t, leader, is_clause) for t in below if t != leader)
            return fitting, -self._depths[leader]

        return max(reversed(outside), key=quality)

    def _fits(self, token: int, leader: int, is_clause: bool) -> bool:
        head = self._heads[token]
        if head == leader:
            return True
        return head == self._heads[leader] and (is_clause or leader in self._expletives)


def depths(heads: Sequence[int]) -> list[int]:
    """Return the distance of each token from the head of the sentence.

    Raises:
        UsageError: The heads do not form a tree.
    """
    found = [-1] * len(heads)
    for token in range(len(heads)):
        path = []
        while token >= 0 and found[token] < 0:
            path.append(token)
            if len(path) > len(heads) or not -1 <= heads[token] < len(heads):
                raise UsageError(f"the head of token {token + 1} leads to no head of the sentence")
            token = heads[token]
        depth = found[token] + 1 if token >= 0 else 0
        for step in reversed(path):
            found[step] = depth
            depth += 1
    return found
