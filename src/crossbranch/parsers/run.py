"""One run of a parser over sentences: batch by batch, in order, the next one searched ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from crossbranch.parsers.front_end import FrontEnd
from crossbranch.parsers.sentences import Request, SentenceLike, Tags
from crossbranch.tree import Sentence

Search = Callable[[list[Sentence]], Any]
Searched = tuple[list[Request], Any]
"""A batch with tags, and what was found for its sentences that have tokens."""


class Run(NamedTuple):
    """What is parsed, and how."""

    front_end: FrontEnd
    sentences: Iterable[SentenceLike]
    threads: int
    tags: Tags

    def searched(self, search: Search) -> Iterator[Searched]:
        """Gather sentences into batches, tag them, and search those that have tokens."""

        def search_batch(batch: list[Request]) -> Searched:
            tagged = self.front_end.tagged(batch, self.tags, self.threads)
            return tagged, search([request.sentence for request in tagged if request.sentence])

        batches = self.front_end.requests(self.sentences)
        return _one_ahead(batches, search_batch) if self.threads > 1 else map(search_batch, batches)


def _one_ahead(
    batches: Iterator[list[Request]], search: Callable[[list[Request]], Searched]
) -> Iterator[Searched]:
    """Search the next batch in the core while the trees of the last one are built in Python."""
    with ThreadPoolExecutor(1) as executor:
        waiting = None
        while True:
            try:
                batch = next(batches, None)
            except Exception:
                if waiting is not None:  # what came before the error is not lost
                    yield waiting.result()
                raise
            ahead = executor.submit(search, batch) if batch is not None else None
            if waiting is not None:
                yield waiting.result()
            if ahead is None:
                return
            waiting = ahead
