"""TransitionParser: parsers that build trees by transitions, and can show how they did it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

from crossbranch.parsers.parser import Parser
from crossbranch.parsers.run import ParsingRun
from crossbranch.parsers.sentences import SentenceLike, Tags
from crossbranch.search import Trace
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
            run = ParsingRun(
                *(self.front_end, self._request, [sentence], self.batch_size, 1, tags, False),
                hides_tags=self.settings.tags == "none"
                or (tags == "predict" and self.tags_by_itself),
            )
            for _, found in run.searched(lambda some: self.traces(some, chosen)):
                for trace in found:
                    if trace is not None:
                        taken = trace.transitions
                        derivation = Derivation(self.system, tree.sentence, taken, tree.id)
                        yield TracedParse(tree, derivation, trace)
