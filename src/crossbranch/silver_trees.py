"""Silver trees: parse sentences whose dependencies are known, and keep the trees that fit them.

Texts with tags and dependencies are more common than texts with constituents. A parser finds the
best trees of each sentence, and the one that agrees best with the dependencies is chosen. The trees
that agree well are good enough to train other parsers.

    parser = crossbranch.load("en")
    for found in crossbranch.silver(parser, crossbranch.read("ewt.conllu"), at_least=0.9):
        print(found.agreement.share, found.tree)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from crossbranch.dependencies import DEPREL, HEAD, Arc
from crossbranch.doors import door
from crossbranch.errors import ArgumentError, InputError, UsageError, shown
from crossbranch.evaluation.agreement import NOT_COMPARED, Agreement, agreement, depths
from crossbranch.node import Sentence, Token, feature
from crossbranch.parsers import Parser, ScoredTree
from crossbranch.tree import Tree

AGREEMENT = "agreement"
"""The name in the comment of a silver tree: `agreement = 0.95`."""


class SilverTree(NamedTuple):
    """The tree of a sentence that agrees best with the dependencies."""

    tree: Tree
    """The tree, with the tags of the sentence, and with the agreement as a comment."""

    agreement: Agreement
    """How well it agrees."""

    rank: int
    """Its place in the k-best list of the parser; the best tree has the rank 1."""


@dataclass(slots=True)
class SilverCounts:
    """What became of the sentences."""

    sentences: int = 0
    """Sentences with dependencies."""
    without_parse: int = 0
    kept: int = 0
    reranked: int = 0
    """Sentences for which another tree than the parser's best one was chosen."""
    words: int = 0
    agreed: int = 0
    """Words whose dependency fits the best tree of the parser, and the chosen one."""
    agreed_before: int = 0

    @property
    def share(self) -> float:
        """The share of words whose dependency fits the chosen trees, over all sentences."""
        return Agreement(self.words, self.agreed).share

    @property
    def share_before(self) -> float:
        """The same for the best trees of the parser."""
        return Agreement(self.words, self.agreed_before).share


@partial(door, besides=("parser",))
def silver(
    parser: Parser,
    sentences: Iterable[Tree],
    *,
    k_best: int = 20,
    at_least: float = 0.0,
    not_compared: Collection[str] = NOT_COMPARED,
    threads: int = 1,
    counts: SilverCounts | None = None,
    report: Callable[[InputError], None] | None = None,
    **options: Any,
) -> Iterator[SilverTree]:
    """Parse sentences with dependencies: yield the trees that agree well with them.

    The parser uses the tags of the sentences. Of its `k_best` trees, the one that agrees best with
    the dependencies is chosen; of several, the one with the best score. Sentences keep their order,
    and need little memory. The trees have no functions: the dependencies cannot check them.

    Args:
        parser: The parser.
        sentences: Sentences with tags and dependencies, for example from a CoNLL-U file: the
            features `head` and `deprel` of each token.
        k_best: The number of trees to choose from.
        at_least: The smallest agreement of a tree that is kept, from 0 to 1.
        not_compared: Relations that are not compared; see `agreement`.
        threads: The number of cores to use.
        counts: Counts what became of the sentences.
        report: Called with an InputError for each sentence without usable dependencies. It is
            skipped. Without `report`, the first one raises the error.
        **options: Options of this kind of parser, such as `beam=32`.

    Raises:
        UsageError: An option is wrong.
    """
    if not callable(getattr(parser, "parse_k_best", None)):
        raise ArgumentError(f"silver: parser is {shown(parser)}, expected a Parser")
    if not 0 <= at_least <= 1:
        raise UsageError(f"at_least is {at_least}, expected a number from 0 to 1")
    arcs: deque[list[Arc]] = deque()  # of the sentences that are being parsed
    usable = _usable(sentences, arcs, report)
    found = parser.parse_k_best(
        usable, k_best, threads=threads, functions=False, live=False, **options
    )
    chosen = _Choice(tuple(not_compared), at_least, counts or SilverCounts())
    return (one for trees in found if (one := chosen.of(trees, arcs.popleft())) is not None)


class _Choice(NamedTuple):
    """How a tree is chosen from a list."""

    not_compared: Collection[str]
    at_least: float
    counts: SilverCounts

    def of(self, scored: Sequence[ScoredTree], arcs: list[Arc]) -> SilverTree | None:
        """Choose a tree. None if no tree is good enough, or if there is no parse."""
        counts = self.counts
        counts.sentences += 1
        if scored[0].score is None:
            counts.without_parse += 1
            return None
        found = [agreement(one.tree, arcs, not_compared=self.not_compared) for one in scored]
        position = max(range(len(found)), key=lambda i: (found[i].agreed, -i))
        best = found[position]
        counts.words += best.words
        counts.agreed += best.agreed
        counts.agreed_before += found[0].agreed
        counts.reranked += position > 0
        if best.share < self.at_least:
            return None
        counts.kept += 1
        tree = scored[position].tree
        comments = (*tree.comments, f"{AGREEMENT} = {best.share:.4f}")
        bare = [_without_arc(token) for token in tree.sentence]
        return SilverTree(tree.replace(sentence=bare, comments=comments), best, position + 1)


def arcs_of(sentence: Sentence) -> list[Arc]:
    """Return head and relation of each token, from its features.

    Raises:
        UsageError: A token has no head, or the heads do not form a tree.
    """
    arcs = []
    for number, token in enumerate(sentence, 1):
        head = feature(token.features, HEAD)
        if not head.isdecimal():
            found = f"the head {head!r}" if head else "no head"
            raise UsageError(f"token {number} ({token.form}) has {found}, expected a number")
        arcs.append((int(head) - 1, feature(token.features, DEPREL)))
    depths([head for head, _ in arcs])
    return arcs


def _usable(
    sentences: Iterable[Tree],
    arcs: deque[list[Arc]],
    report: Callable[[InputError], None] | None,
) -> Iterator[Tree]:
    """Yield the sentences that have words and dependencies; report the others.

    The dependencies of each sentence are added to `arcs`.
    """
    for number, tree in enumerate(sentences, 1):
        try:
            if not tree.sentence:
                raise UsageError("a sentence without tokens")
            found = arcs_of(tree.sentence)
        except UsageError as error:
            expected = "a sentence with the head of each token"
            problem = InputError(str(error), expected, sentence=tree.id or str(number))
            if report is None:
                raise problem from None
            report(problem)
        else:
            arcs.append(found)
            yield tree


def _without_arc(token: Token) -> Token:
    return token._replace(features=tuple(f for f in token.features if f[0] not in (HEAD, DEPREL)))
