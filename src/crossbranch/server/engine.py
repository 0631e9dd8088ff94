"""The engine: threads that parse what waits, many requests at once.

Requests wait in one queue. A thread takes the first one and, with it, others that are parsed in the
same way, as many as fit into a batch. So the more requests wait, the larger the batches, and no
request waits for a batch to fill. A large request is parsed in slices. After each slice it goes to
the end of the queue, so that small requests need not wait for all of it.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, Future, get_running_loop
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Condition, Thread
from typing import Any

from crossbranch.errors import CrossbranchError
from crossbranch.server.answers import AnswerWriter
from crossbranch.server.errors import ApiError, of_library
from crossbranch.server.jobs import ParseJob, Way
from crossbranch.server.limits import Limits
from crossbranch.server.metrics import Metrics
from crossbranch.server.models import LoadedModel

SLICE = 1024  # tokens of a batch; larger ones are not faster, and let others wait longer

Outcome = tuple["Future[Any]", Any, "BaseException | None"]


class Engine:
    """Parses the sentences of requests in its own threads."""

    def __init__(self, limits: Limits, metrics: Metrics, *, threads: int) -> None:
        self._limits, self._metrics = limits, metrics
        self._changed = Condition()
        self._waiting: deque[ParseJob] = deque()
        self._is_closed = False
        self._threads = [
            Thread(target=self._work, name=f"parser-{number}", daemon=True)
            for number in range(1, threads + 1)
        ]
        self._loop: AbstractEventLoop | None = None
        metrics.gauge("waiting_requests", lambda: len(self._waiting))

    def start(self) -> None:
        """Start the threads. Answers go to the running event loop."""
        self._loop = get_running_loop()
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Let the threads end when nothing waits any more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    def put(
        self,
        model: LoadedModel,
        way: Way,
        writer: AnswerWriter,
        *,
        texts: Sequence[str] | None = None,
        tokens: Sequence[Sequence[str]] | None = None,
    ) -> ParseJob:
        """Let sentences be parsed. The answer of the job will be the body of a response.

        Raises:
            ApiError: Too many requests wait.
        """
        answer: Future[bytes] = get_running_loop().create_future()
        job = ParseJob(model, way, texts, tokens, self._limits, writer, answer)
        with self._changed:
            if len(self._waiting) >= self._limits.queue:
                raise ApiError(
                    429,
                    "queue_full",
                    f"{self._limits.queue:,} requests are waiting already; try again later",
                )
            self._waiting.append(job)
            self._changed.notify()
        return job

    def _work(self) -> None:
        while (batch := self._take()) is not None:
            self._parse(batch)

    def _take(self) -> list[ParseJob] | None:
        """Wait for requests, and return those that can share a batch; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed)
            if not self._waiting:
                return None
            first = self._waiting.popleft()
            batch, room = [first], SLICE - first.size
            others: deque[ParseJob] = deque()
            while self._waiting and room > 0:
                job = self._waiting.popleft()
                if job.answer.done():  # the client has left, or the time is over
                    continue
                if job.way == first.way:
                    batch.append(job)
                    room -= job.size
                else:
                    others.append(job)
            self._waiting.extendleft(reversed(others))
            return batch

    def _parse(self, batch: list[ParseJob]) -> None:
        """Parse the next sentences of some requests in one call, and deliver what is complete."""
        outcomes: list[Outcome] = []
        ready: list[ParseJob] = []
        for job in batch:
            if job.answer.done():
                continue
            try:
                job.split()
            except Exception as error:
                outcomes.append((job.answer, None, _for_client(error)))
            else:
                ready.append(job)
        try:
            self._search(ready)
        except Exception as error:
            if len(ready) > 1:  # find out whose fault it is
                self._deliver(outcomes)
                for job in ready:
                    self._parse([job])
                return
            outcomes += [(job.answer, None, _for_client(error)) for job in ready]
            ready = []
        again = [job for job in ready if not job.is_complete]
        outcomes += [_outcome(job) for job in ready if job.is_complete]
        if again:
            with self._changed:
                self._waiting.extend(again)
                self._changed.notify(len(again))
        self._deliver(outcomes)

    def _search(self, jobs: list[ParseJob]) -> None:
        """Parse a slice of each request. All requests have the same way."""
        slices = [job.take(SLICE) for job in jobs]
        sentences = [sentence for some in slices for sentence in some]
        if not sentences:
            return
        model, way = jobs[0].model, jobs[0].way
        found = list(
            model.parser.parse_k_best(
                sentences,
                way.k_best,
                confidence=way.confidence,
                functions=way.functions,
                **dict(way.options),
            )
        )
        tokens = sum([len(trees[0].tree.sentence) for trees in found])
        self._metrics.parsed(way.model, len(jobs), len(found), tokens)
        first = 0
        for job, some in zip(jobs, slices, strict=True):
            job.add(found[first : first + len(some)])
            first += len(some)

    def _deliver(self, outcomes: list[Outcome]) -> None:
        if not outcomes:
            return
        assert self._loop is not None
        call: Callable[..., object] = self._loop.call_soon_threadsafe
        with suppress(RuntimeError):  # the loop is closed, so nobody waits any more
            call(_set_results, outcomes)


def _outcome(job: ParseJob) -> Outcome:
    try:
        return job.answer, job.writer.body(), None
    except Exception as error:
        return job.answer, None, _for_client(error)


def _for_client(error: Exception) -> Exception:
    return of_library(error) if isinstance(error, CrossbranchError) else error


def _set_results(outcomes: list[Outcome]) -> None:
    for answer, result, error in outcomes:
        if answer.done():
            continue
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(result)
