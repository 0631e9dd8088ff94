"""Batches of sentences: full if possible, but never delayed by a slow source.

A list is cut into full batches. An iterator may be *live*: like a pipe, it may take a long time to
yield the next sentence. So an iterator is read in its own thread. When it pauses, the sentences
read so far become a batch. In this way, users get an answer as soon as the parser has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Condition, Thread
from typing import Generic, TypeVar

from crossbranch.parsers.contract import BatchSize
from crossbranch.parsers.sentences import Request

Given = TypeVar("Given")

_PAUSE = 0.005  # seconds without a new sentence before a source counts as pausing


def full_batches(
    sentences: Iterable[Given], request: Callable[[Given], Request], size: BatchSize
) -> Iterator[list[Request]]:
    """Yield full batches of sentences. The last one may be smaller."""
    batch: list[Request] = []
    tokens = 0
    try:
        for sentence in sentences:
            batch.append(request(sentence))
            tokens += len(batch[-1].sentence)
            if tokens >= size.tokens or len(batch) >= size.sentences:
                yield batch
                batch, tokens = [], 0
    except Exception:
        if batch:  # sentences before the error are not lost
            yield batch
        raise
    if batch:
        yield batch


def is_live(sentences: Iterable[object]) -> bool:
    """Return whether the next sentence may take a long time to come."""
    return not isinstance(sentences, Sequence)


class LiveBatches(Generic[Given]):
    """Reads an iterator in a thread. `take` returns the sentences read so far."""

    def __init__(
        self, sentences: Iterable[Given], request: Callable[[Given], Request], size: BatchSize
    ) -> None:
        """Start reading. At most one batch is read ahead."""
        self._size = size
        self._changed = Condition()
        self._batch: list[Request] = []
        self._tokens = 0
        self._is_over = False  # the source has ended
        self._is_closed = False  # no more batches will be taken
        self._error: Exception | None = None
        reader = Thread(target=self._read, args=(sentences, request), daemon=True)
        reader.start()

    def __iter__(self) -> Iterator[list[Request]]:
        try:
            while (batch := self.take()) is not None:
                yield batch
        finally:
            self.close()

    def take(self) -> list[Request] | None:
        """Wait for sentences, and return those that come without a pause; None at the end.

        Raises:
            Exception: The error of the source, once all sentences before it have been taken.
        """
        with self._changed:
            self._changed.wait_for(self._has_some)
            if not self._batch:
                if self._error is not None:
                    raise self._error
                return None
            count = 0
            while count < len(self._batch) and not self._is_ready():
                count = len(self._batch)
                self._changed.wait_for(self._is_ready, _PAUSE)
            batch, self._batch, self._tokens = self._batch, [], 0
            self._changed.notify_all()
            return batch

    def is_waiting(self) -> bool:
        """Return whether the source pauses: no sentence has come, and it has not ended."""
        with self._changed:
            return not self._changed.wait_for(self._has_some, _PAUSE)

    def close(self) -> None:
        """Stop reading as soon as the source yields its next sentence."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def _has_some(self) -> bool:
        return bool(self._batch) or self._is_over

    def _is_ready(self) -> bool:
        return self._is_full() or self._is_over

    def _is_full(self) -> bool:
        return self._tokens >= self._size.tokens or len(self._batch) >= self._size.sentences

    def _read(self, sentences: Iterable[Given], request: Callable[[Given], Request]) -> None:
        try:
            for sentence in sentences:
                if not self._put(request(sentence)):
                    break
        except Exception as error:
            self._error = error
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def _put(self, request: Request) -> bool:
        """Add a sentence, and wait while the batch is full; return whether to continue."""
        with self._changed:
            self._batch.append(request)
            self._tokens += len(request.sentence)
            if len(self._batch) == 1 or self._is_full():
                self._changed.notify_all()
            self._changed.wait_for(lambda: self._is_closed or not self._is_full())
            return not self._is_closed
