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

from crossbranch.parsers.batches import LiveBatches, full_batches
from crossbranch.parsers.capabilities import BatchSize
from crossbranch.parsers.front_end import FrontEnd
from crossbranch.parsers.sentences import Request, SentenceLike, Tags, without_tags
from crossbranch.tree import Sentence

Search = Callable[[list[Sentence]], Iterator[Any]]
Searched = tuple[list[Request], Iterator[Any]]
"""A batch with tags, and what was found for its sentences that have tokens."""

_AHEAD = 2  # batches for each thread: one that is searched, and one that is ready to be


class ParsingRun(NamedTuple):
    """What is parsed, and how."""

    front_end: FrontEnd
    request: Callable[[SentenceLike], Request]
    """Takes the tokens of a sentence."""
    sentences: Iterable[SentenceLike]
    size: BatchSize
    threads: int
    tags: Tags
    live: bool
    strips_tags: bool = False
    """Whether the parser is to find all tags by itself."""

    def searched(self, search: Search) -> Iterator[Searched]:
        """Gather sentences into batches, tag them, and search those that have tokens."""

        def search_batch(batch: list[Request]) -> Searched:
            if self.strips_tags:
                tagged = [without_tags(request) for request in batch]
            else:
                tagged = self.front_end.tagged(batch, self.tags)
            sentences = [request.sentence for request in tagged if request.sentence]
            if self.size.by_length:
                return tagged, _searched_by_length(search, sentences)
            return tagged, search(sentences)

        if self.live:
            live = LiveBatches(self.sentences, self.request, self.size)
            if self.threads > 1:
                return _ahead(iter(live), search_batch, self.threads, live.is_waiting)
            return map(search_batch, live)
        batches = full_batches(self.sentences, self.request, self.size)
        if self.threads > 1:
            return _ahead(batches, search_batch, self.threads)
        return map(search_batch, batches)


def _searched_by_length(search: Search, sentences: list[Sentence]) -> Iterator[Any]:
    order = sorted(range(len(sentences)), key=lambda number: len(sentences[number]))
    found = dict(zip(order, search([sentences[number] for number in order]), strict=True))
    return (found[number] for number in range(len(sentences)))


def _ahead(
    batches: Iterator[list[Request]],
    search: Callable[[list[Request]], Searched],
    threads: int,
    is_waiting: Callable[[], bool] = lambda: False,
) -> Iterator[Searched]:
    """Search the next batches while the trees of the last one are built and used."""
    executor = ThreadPoolExecutor(threads)
    waiting: deque[Future[Searched]] = deque()
    try:
        while True:
            while waiting and is_waiting():  # answer what has come
                yield waiting.popleft().result()
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
