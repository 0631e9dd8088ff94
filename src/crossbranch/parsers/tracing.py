"""Parsers that can show how they find a tree: by transitions, or by items of a chart."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, TypeVar

from crossbranch.doors import door
from crossbranch.parsers.parser import Parser
from crossbranch.parsers.run import ParsingRun
from crossbranch.parsers.sentences import SentenceLike, Tags
from crossbranch.search import ItemTrace, Trace
from crossbranch.search.items import OTHERS
from crossbranch.transitions import Derivation, TransitionSystem
from crossbranch.tree import Sentence, Tree


class TracedParse(NamedTuple):
    """A tree, and how a parser found it."""

    tree: Tree
    derivation: Derivation
    trace: Trace


class TransitionParser(Parser):
    """A parser with a transition system."""

    scores_are_logarithms: ClassVar[bool] = False
    """Whether the score of a step is the logarithm of its probability."""

    system: TransitionSystem

    @abstractmethod
    def traces(self, sentences: Sequence[Sentence], options: Any) -> Iterator[Trace | None]:
        """Yield how the best tree of each sentence is found; None if there is none.

        Args:
            sentences: As in `search`.
            options: Complete options, of type `options_type`.
        """

    @door
    def parse_traced(
        self, sentences: Iterable[SentenceLike], *, tags: Tags = "keep", **options: Any
    ) -> Iterator[TracedParse]:
        """Parse sentences, and yield the steps of the parser with the scores of all legal ones.

        Sentences without words, and those that have no parse, are left out.

        Args:
            sentences: As in `parse_many`.
            tags: As in `parse_many`.
            **options: As in `parse_many`.
        """
        chosen = self.options(options)
        for sentence in sentences:
            tree = self.parse(sentence, tags=tags, **options)
            for trace in _searched(self, sentence, tags, lambda some: self.traces(some, chosen)):
                taken = trace.transitions
                yield TracedParse(
                    tree, Derivation(self.system, tree.sentence, taken, tree.id), trace
                )


class ItemsOfParse(NamedTuple):
    """A tree, and the items of the search that found it."""

    tree: Tree
    trace: ItemTrace


class ItemParser(Parser):
    """A parser that finds trees with a chart or an agenda."""

    @abstractmethod
    def item_traces(
        self, sentences: Sequence[Sentence], options: Any, *, others: int
    ) -> Iterator[ItemTrace | None]:
        """Yield the items of each search; None if there is no tree.

        Args:
            sentences: As in `search`.
            options: Complete options, of type `options_type`.
            others: The number of items to show besides those of the best tree.
        """

    @door
    def parse_items(
        self,
        sentences: Iterable[SentenceLike],
        *,
        others: int = OTHERS,
        tags: Tags = "keep",
        **options: Any,
    ) -> Iterator[ItemsOfParse]:
        """Parse sentences, and yield the items of the search in the order in which it finds them.

        Sentences without words, and those that have no parse, are left out.

        Args:
            sentences: As in `parse_many`.
            others: The number of items to show besides those of the best tree.
            tags: As in `parse_many`.
            **options: As in `parse_many`.
        """
        chosen = self.options(options)

        def find(some: Sequence[Sentence]) -> Iterator[ItemTrace | None]:
            return self.item_traces(some, chosen, others=others)

        for sentence in sentences:
            tree = self.parse(sentence, tags=tags, **options)
            for trace in _searched(self, sentence, tags, find):
                yield ItemsOfParse(tree, trace)


_Found = TypeVar("_Found")


def _searched(
    parser: Parser,
    sentence: SentenceLike,
    tags: Tags,
    find: Callable[[Sequence[Sentence]], Iterator[_Found | None]],
) -> Iterator[_Found]:
    """Search for one sentence as `parse` does, and yield what is found."""
    run = ParsingRun(
        *(parser.front_end, parser._request, [sentence], parser.batch_size, 1, tags, False),
        hides_tags=parser.settings.tags == "none" or (tags == "predict" and parser.tags_by_itself),
    )
    for _, found in run.searched(find):
        for one in found:
            if one is not None:
                yield one
