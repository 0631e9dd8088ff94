"""One run of a parser over sentences: in batches, each in one thread; the order is kept.

One thread does all the work for a batch. Python code runs in only one thread at a time: while one
thread looks up tags and numbers, the others can search in the core. If all threads shared each
batch, all of them would wait for the Python code.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from operator import itemgetter
from typing import Any, NamedTuple

from crossbranch.confidence.doubt import KnownWords
from crossbranch.parsers.batches import LiveBatches, full_batches
from crossbranch.parsers.contract import BatchSize
from crossbranch.parsers.front_end import FrontEnd
from crossbranch.parsers.sentences import Request, SentenceLike, Tags, untagged
from crossbranch.tree import Sentence

Search = Callable[[list[Sentence]], Iterator[Any]]
Searched = tuple[list[Request], Iterator[Any]]
"""A batch with tags, and the results for its sentences that have tokens."""

_sentence = itemgetter(0)  # of a request
_AHEAD = 2  # batches for each thread: one in the search, and one waiting for it


class ParsingRun(NamedTuple):
    """The sentences to parse, and how to parse them."""

    front_end: FrontEnd
    request: Callable[[SentenceLike], Request]
    """Returns the tokens of a sentence."""
    sentences: Iterable[SentenceLike]
    size: BatchSize
    threads: int
    tags: Tags
    live: bool
    hides_tags: bool = False
    """Whether to hide tags from the parser, because it predicts them itself or needs none."""
    known_words: KnownWords | None = None
    """Finds sentences with mostly unknown words; None if it is not known what the model knows."""

    def searched(self, search: Search) -> Iterator[Searched]:
        """Collect sentences into batches, tag them, and search the sentences that have tokens."""

        def search_batch(batch: list[Request]) -> Searched:
            tagged = self.front_end.tagged(with_doubts(batch, self.known_words), self.tags)
            read = self.front_end.read
            sentences = [read(request.sentence) for request in tagged if request.sentence]
            if self.hides_tags:
                sentences = [untagged(sentence) for sentence in sentences]
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


def with_doubts(batch: list[Request], known_words: KnownWords | None) -> list[Request]:
    """Give features to the sentences whose words are mostly unknown."""
    if known_words is None:
        return batch
    found = map(known_words.features, map(_sentence, batch))
    pairs = zip(batch, found, strict=True)
    return [request._replace(features=new) if new else request for request, new in pairs]


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
            while waiting and is_waiting():  # the source pauses: return what is ready
                yield waiting.popleft().result()
            try:
                batch = next(batches, None)
            except Exception:
                while waiting:  # sentences before the error are not lost
                    yield waiting.popleft().result()
                raise
            if batch is None:
                break
            waiting.append(executor.submit(search, batch))
            if len(waiting) > _AHEAD * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:  # if the caller stops early, the other batches are not parsed
        executor.shutdown(cancel_futures=True)
