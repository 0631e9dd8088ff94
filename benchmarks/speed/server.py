"""How fast a server parses, compared with the same parser in one process.

    scripts/bench speed/server --treebank FILE [--model NAME] [--clients N] [--threads N]

The words of the treebank are parsed in this process and by `crossbranch serve` in a process of its
own, in turn, several times; the best of all rounds counts. Clients send requests with one sentence,
and with several, over connections that stay open. They run in this process and need processor time,
too; on a machine with few cores, they slow the server down. So there are two figures: tokens for
each second, and tokens for each second of processor time of the server alone. The in-process
figures are given without and with writing the trees as JSON, which a server must do.

Latencies are measured at half load: half as many requests for each second as 32 clients got
answers, sent at random times, with one sentence each.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Coroutine, Sequence
from typing import Any, NamedTuple, TypeVar

import httpx2
import uvloop

import crossbranch
from crossbranch.server.answers import JsonAnswer

MAIN = "from crossbranch.cli import main; main()"
Words = list[str]


class Speed(NamedTuple):
    """Tokens for each second: of the clock, and of processor time."""

    wall: float
    cpu: float

    def line(self, name: str, whole: Speed) -> str:
        """A line of the table: the speed, and what part of another one it is."""
        shares = f"{self.wall / whole.wall:8.0%} {self.cpu / whole.cpu:8.0%}"
        return f"{name:34} {self.wall:10,.0f} {self.cpu:10,.0f} {shares}"


def in_process(model: str, sentences: Sequence[Words], threads: int, *, to_json: bool) -> Speed:
    parser = crossbranch.load(model)
    list(parser.parse_many(sentences[:50]))
    gc.collect()
    gc.freeze()  # as the server does
    wall, cpu, tokens = time.perf_counter(), time.process_time(), 0
    answer = JsonAnswer(model, scores=False, confidence=False, texts=False)
    for (best,) in parser.parse_k_best(sentences, 1, threads=threads):
        tokens += len(best.tree.sentence)
        if to_json:
            answer.add([best], None)
    return Speed(tokens / (time.perf_counter() - wall), tokens / (time.process_time() - cpu))


class Server:
    """A server in a process of its own."""

    def __init__(self, model: str, threads: int) -> None:
        command = [sys.executable, "-c", MAIN, "serve", model, "--port", "0"]
        self.process = subprocess.Popen(
            [*command, "--threads", str(threads)], stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        self.port = int(re.findall(r":(\d+)$", self.process.stderr.readline().strip())[0])
        # Its log is read all the time: a full pipe would stop it.
        self.log = subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=subprocess.DEVNULL)
        while not self.is_ready():
            time.sleep(0.1)

    def is_ready(self) -> bool:
        try:
            return httpx2.get(f"http://127.0.0.1:{self.port}/healthz").status_code == 200
        except httpx2.HTTPError:
            return False

    def cpu(self) -> float:
        text = httpx2.get(f"http://127.0.0.1:{self.port}/metrics").text
        return float(text.split("\ncrossbranch_process_cpu_seconds_total ")[1].split()[0])


class Connection(asyncio.Protocol):
    """A connection that stays open. It does little, to leave the machine to the server."""

    async def open(self, port: int) -> Connection:
        loop = asyncio.get_running_loop()
        self.is_waiting = False
        self.transport, _ = await loop.create_connection(lambda: self, "127.0.0.1", port)
        return self

    async def send(self, request: bytes) -> None:
        self.answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.received = b""
        self.is_waiting = True
        self.transport.write(request)
        await self.answer

    def data_received(self, data: bytes) -> None:
        self.received += data
        head, end, body = self.received.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        if not end or length is None or len(body) < int(length[1]):
            return
        self.is_waiting = False
        if head.startswith(b"HTTP/1.1 200"):
            self.answer.set_result(None)
        else:
            self.answer.set_exception(RuntimeError(body.decode()))

    def connection_lost(self, exc: Exception | None) -> None:
        if self.is_waiting:
            self.answer.set_exception(exc or ConnectionError("the server closed the connection"))


T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in the same kind of event loop as the server's."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def request_for(sentences: Sequence[Words]) -> bytes:
    body = json.dumps({"tokens": sentences}).encode()
    head = "POST /v1/parse HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


async def throughput(server: Server, sentences: Sequence[Words], size: int, clients: int) -> Speed:
    requests = [request_for(sentences[n : n + size]) for n in range(0, len(sentences), size)]
    connections = [await Connection().open(server.port) for _ in range(clients)]
    waiting = iter(requests)

    async def work(connection: Connection) -> None:
        for request in waiting:
            await connection.send(request)

    await connections[0].send(requests[0])
    cpu, wall = server.cpu(), time.perf_counter()
    await asyncio.gather(*map(work, connections))
    tokens, wall = sum(map(len, sentences)), time.perf_counter() - wall
    for connection in connections:
        connection.transport.close()
    return Speed(tokens / wall, tokens / (server.cpu() - cpu))


async def latencies(
    server: Server, sentences: Sequence[Words], rate: float, seconds: float
) -> list[float]:
    """Send requests at random times, whether or not others have been answered."""
    free: list[Connection] = []
    found: list[float] = []

    async def call(words: Words) -> None:
        start = time.perf_counter()
        connection = free.pop() if free else await Connection().open(server.port)
        await connection.send(request_for([words]))
        found.append(time.perf_counter() - start)
        free.append(connection)

    async with asyncio.TaskGroup() as tasks:
        start, due = time.perf_counter(), 0.0
        while due < seconds:
            tasks.create_task(call(random.choice(sentences)))
            due += random.expovariate(rate)
            await asyncio.sleep(max(0.0, start + due - time.perf_counter()))
    for connection in free:
        connection.transport.close()
    return sorted(found)


def one_round(
    server: Server, sentences: Sequence[Words], options: argparse.Namespace
) -> dict[str, Speed]:
    """Measure everything once."""
    found = {
        name: in_process(options.model, sentences, options.threads, to_json=to_json)
        for name, to_json in (("in process, trees", False), ("in process, trees as JSON", True))
    }
    for size in (1, 8, 32):
        speed = run(throughput(server, sentences, size, options.clients))
        found[in_words(options.clients, size)] = speed
    return found


def in_words(clients: int, size: int) -> str:
    return f"{clients} clients, {size} sentences a request"


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--treebank", required=True, help="sentences to parse")
    parser.add_argument("--model", default="en")
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--times", type=int, default=3, help="how often the treebank is parsed")
    parser.add_argument("--rounds", type=int, default=5, help="how often all is measured")
    options = parser.parse_args()
    trees = list(crossbranch.read(options.treebank)) * options.times
    sentences = [tree.words for tree in trees if tree.sentence]
    tokens = sum(map(len, sentences))
    print(f"{len(sentences):,} sentences, {tokens:,} tokens, {options.threads} threads")
    server = Server(options.model, options.threads)
    try:
        found = [one_round(server, sentences, options) for _ in range(options.rounds)]
        best = {
            name: Speed(*map(max, zip(*(one[name] for one in found), strict=True)))
            for name in found[0]
        }
        whole = next(iter(best.values()))
        print(f"{'':34} {'tokens/s':>10} {'of CPU':>10} {'':8} {'':8}")
        for name, speed in best.items():
            print(speed.line(name, whole))
        rate = 0.5 * best[in_words(options.clients, 1)].wall * len(sentences) / tokens
        times = run(latencies(server, sentences, rate, 10))
        p50, p99 = (1000 * times[int(share * len(times))] for share in (0.5, 0.99))
        print(
            f"half load, {rate:,.0f} requests/s: p50 {p50:.1f} ms, p99 {p99:.1f} ms,"
            f" longest {1000 * times[-1]:.1f} ms of {len(times):,}"
        )
    finally:
        server.process.terminate()
        print(f"exit code of the server: {server.process.wait()}")
        server.log.wait()


if __name__ == "__main__":
    main()
