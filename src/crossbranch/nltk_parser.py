"""A parser as NLTK expects it: a `ParserI`. Needs the extra `crossbranch[nltk]`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from crossbranch.conversion import make_continuous
from crossbranch.errors import UsageError
from crossbranch.nltk_trees import to_nltk, to_nltk_positions
from crossbranch.parsers import Parser, load
from crossbranch.parsers.sentences import SentenceLike, has_parse
from crossbranch.ranges import require_positive

try:
    from nltk.parse.api import ParserI
    from nltk.tree import Tree as NltkTree
except ImportError:
    raise UsageError("NLTK is not installed; try: pip install 'crossbranch[nltk]'") from None


class NltkParser(ParserI):  # type: ignore[misc]
    """A model of crossbranch with the methods of NLTK's parsers.

    `parse`, `parse_sents`, `parse_all` and `parse_one` take sentences and give trees of NLTK, the
    best one first. A sentence is a list of words, or of pairs of a word and its tag. If no parse is
    found, there is no tree.
    """

    def __init__(
        self,
        model: str | Path | Parser,
        *,
        k_best: int = 1,
        positions: bool = False,
        threads: int = 1,
        **options: Any,
    ) -> None:
        """Load a model, or take a parser.

        Args:
            model: The name of a shipped model, a model folder, or a parser.
            k_best: The number of trees of each sentence. There may be fewer.
            positions: Leaves are token positions, and crossing branches are kept. By default,
                leaves are words. NLTK can only hold them in the order of the branches, so trees
                with crossing branches are made continuous.
            threads: The number of cores to use.
            **options: Options of this kind of parser, such as `beam=8`.

        Raises:
            UsageError: There is no such model, or an option is wrong.
        """
        require_positive(k_best=k_best)
        self.parser = model if isinstance(model, Parser) else load(model)
        self._k_best, self._positions = k_best, positions
        self._options = {"threads": threads, **options}
        list(self.parser.parse_k_best([], k_best, **self._options))  # a wrong option is found now

    def parse(self, sent: SentenceLike) -> Iterator[NltkTree]:
        """Return an iterator over the trees of a sentence, the best one first."""
        return next(self.parse_sents([sent]))

    def parse_sents(self, sents: Iterable[SentenceLike]) -> Iterator[Iterator[NltkTree]]:
        """Return an iterator over sentences; each is an iterator over trees, the best one first."""
        found = self.parser.parse_k_best(sents, self._k_best, **self._options)
        for scored in found:
            trees = [one.tree for one in scored if has_parse(one.tree) and one.tree.sentence]
            if self._positions:
                yield iter([to_nltk_positions(tree)[0] for tree in trees])
            else:
                yield iter([to_nltk(make_continuous(tree)) for tree in trees])
