"""One run of a parser over sentences: batch by batch, in order, the next one searched ahead."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from crossbranch.parsers.front_end import FrontEnd
from crossbranch.parsers.sentences import Request, SentenceLike, Tags
from crossbranch.tree import Sentence

Search = Callable[[list[Sentence]], Any]
Searched = tuple[list[Request], Any]
"""A batch with tags, and what was found for its sentences that have tokens."""

_AHEAD = 2  # batches: one that is searched, and one that is ready to be


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
        return _ahead(batches, search_batch) if self.threads > 1 else map(search_batch, batches)


def _ahead(
    batches: Iterator[list[Request]], search: Callable[[list[Request]], Searched]
) -> Iterator[Searched]:
    """Search the next batches in the core while the trees of the last one are built in Python."""
    with ThreadPoolExecutor(1) as executor:
        waiting: deque[Future[Searched]] = deque()
        while True:
            try:
                batch = next(batches, None)
            except Exception:
                while waiting:  # what came before the error is not lost
                    yield waiting.popleft().result()
                raise
            if batch is None:
                break
            waiting.append(executor.submit(search, batch))
            if len(waiting) > _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
