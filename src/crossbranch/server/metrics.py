"""Counts and times for Prometheus, in its text format."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from threading import Lock

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128)

_HELP = {
    "requests_total": "Requests that were answered, by path, method and status.",
    "request_seconds": "Time from a request to its answer.",
    "requests_in_progress": "Requests that are being received or answered.",
    "sentences_total": "Sentences that were parsed.",
    "tokens_total": "Tokens that were parsed.",
    "batch_requests": "Requests that were parsed in one batch.",
    "waiting_requests": "Requests that wait for a parser.",
    "process_cpu_seconds_total": "Processor time of the server.",
}


class _Histogram:
    """Counts of values by size."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def add(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    def lines(self, name: str, labels: str) -> Iterator[str]:
        total = 0
        for bound, count in zip((*self.bounds, "+Inf"), self.counts, strict=True):
            total += count
            yield f'{name}_bucket{{{labels}le="{bound}"}} {total}'
        plain = f"{{{labels.rstrip(',')}}}" if labels else ""
        yield f"{name}_sum{plain} {self.sum:.6f}"
        yield f"{name}_count{plain} {total}"


class Metrics:
    """Everything that is counted."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._seconds: dict[str, _Histogram] = {}
        self._parsed: dict[str, Counter[str]] = {
            "sentences_total": Counter(),
            "tokens_total": Counter(),
        }
        self._batches = _Histogram(SIZES)
        self._gauges: dict[str, Callable[[], float]] = {
            "process_cpu_seconds_total": time.process_time
        }

    def gauge(self, name: str, value: Callable[[], float]) -> None:
        """Show a value as it is when somebody asks."""
        self._gauges[name] = value

    def answered(self, path: str, method: str, status: int, seconds: float) -> None:
        """Count an answer."""
        with self._lock:
            self._requests[path, method, status] += 1
            if path not in self._seconds:
                self._seconds[path] = _Histogram(SECONDS)
            self._seconds[path].add(seconds)

    def parsed(self, model: str, requests: int, sentences: int, tokens: int) -> None:
        """Count a batch."""
        with self._lock:
            self._parsed["sentences_total"][model] += sentences
            self._parsed["tokens_total"][model] += tokens
            self._batches.add(requests)

    def text(self) -> str:
        """Return everything in the text format of Prometheus."""
        with self._lock:
            return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield from _head("requests_total", "counter")
        for (path, method, status), count in sorted(self._requests.items()):
            labels = f'path="{_escaped(path)}",method="{_escaped(method)}",status="{status}"'
            yield f"crossbranch_requests_total{{{labels}}} {count}"
        yield from _head("request_seconds", "histogram")
        for path, times in sorted(self._seconds.items()):
            yield from times.lines("crossbranch_request_seconds", f'path="{_escaped(path)}",')
        for name, counts in self._parsed.items():
            yield from _head(name, "counter")
            for model, count in sorted(counts.items()):
                yield f'crossbranch_{name}{{model="{_escaped(model)}"}} {count}'
        yield from _head("batch_requests", "histogram")
        yield from self._batches.lines("crossbranch_batch_requests", "")
        for name, value in self._gauges.items():
            kind = "counter" if name.endswith("_total") else "gauge"
            yield from _head(name, kind)
            yield f"crossbranch_{name} {value():g}"


def _head(name: str, kind: str) -> Iterator[str]:
    yield f"# HELP crossbranch_{name} {_HELP[name]}"
    yield f"# TYPE crossbranch_{name} {kind}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
