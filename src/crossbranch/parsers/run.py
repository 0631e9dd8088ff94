"""One run of a parser over sentences: in batches, each in one thread; order is kept.

A thread does all there is to do for its batch. Python runs in one thread at a time, so while one
of them looks up tags and numbers, the others should be searching in the core: threads that share
every batch would all wait for that.
"""

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

_AHEAD = 2  # batches for each thread: one that is searched, and one that is ready to be


class Run(NamedTuple):
    """What is parsed, and how."""

    front_end: FrontEnd
    sentences: Iterable[SentenceLike]
    threads: int
    tags: Tags

    def searched(self, search: Search) -> Iterator[Searched]:
        """Gather sentences into batches, tag them, and search those that have tokens."""

        def search_batch(batch: list[Request]) -> Searched:
            tagged = self.front_end.tagged(batch, self.tags)
            return tagged, search([request.sentence for request in tagged if request.sentence])

        batches = self.front_end.requests(self.sentences)
        if self.threads == 1:
            return map(search_batch, batches)
        return _ahead(batches, search_batch, self.threads)


def _ahead(
    batches: Iterator[list[Request]], search: Callable[[list[Request]], Searched], threads: int
) -> Iterator[Searched]:
    """Search the next batches while the trees of the last one are built and used."""
    executor = ThreadPoolExecutor(threads)
    waiting: deque[Future[Searched]] = deque()
    try:
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
            if len(waiting) > _AHEAD * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:  # whoever stops early need not wait for what nobody wants
        executor.shutdown(cancel_futures=True)
