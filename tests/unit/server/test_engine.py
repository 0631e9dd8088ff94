"""Requests that wait are parsed together; each gets its own answer, or its own error."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from crossbranch.errors import UsageError
from crossbranch.parsers import ScoredTree
from crossbranch.server.answers import JsonAnswer
from crossbranch.server.engine import SLICE, Engine
from crossbranch.server.errors import ApiError
from crossbranch.server.jobs import ParseJob, Way
from crossbranch.server.limits import Limits
from crossbranch.server.metrics import Metrics
from crossbranch.tree import Node, Token, Tree


class SlowParser:
    """Parses into flat trees when it is allowed to, and notes the batches."""

    def __init__(self) -> None:
        self.batches: list[list[list[str]]] = []
        self.may_parse = threading.Event()

    def parse_k_best(
        self, sentences: list[list[str]], k_best: int, **options: Any
    ) -> Iterator[list[ScoredTree]]:
        assert self.may_parse.wait(10)
        self.batches.append(list(sentences))
        if ["bad"] in sentences:
            raise UsageError("a bad sentence")
        for words in sentences:
            tokens = [Token(word) for word in words]
            yield [ScoredTree(Tree(tokens, Node("S", range(len(tokens)))), 1.0)]


class Model:
    """As much of a model as an engine needs."""

    def __init__(self, parser: SlowParser) -> None:
        self.parser = parser

    def split(self, text: str) -> list[Tree]:
        if text == "fault":
            raise ZeroDivisionError
        return []


def way(**options: Any) -> Way:
    return Way("small", 1, False, True, tuple(options.items()))


def run(
    parser: SlowParser, requests: list[tuple[Way, list[list[str]]]], **limits: Any
) -> list[Any]:
    """Put all requests, then let the parser begin; return bodies or errors."""

    async def work() -> list[Any]:
        engine = Engine(Limits(**limits), Metrics(), threads=1)
        engine.start()
        jobs: list[ParseJob] = []
        for wanted, tokens in requests:
            writer = JsonAnswer("small", scores=True, confidence=False, texts=False)
            jobs.append(engine.put(Model(parser), wanted, writer, tokens=tokens))  # type: ignore[arg-type]
            await asyncio.sleep(0.02)  # the thread takes the first one
        parser.may_parse.set()
        found = await asyncio.gather(*[job.answer for job in jobs], return_exceptions=True)
        await asyncio.to_thread(engine.close)
        return found

    return asyncio.run(work())


def words_of(body: bytes) -> list[list[str]]:
    sentences = json.loads(body)["sentences"]
    return [[token["form"] for token in one["trees"][0]["tokens"]] for one in sentences]


def test_requests_that_wait_share_a_batch_if_they_are_parsed_in_the_same_way() -> None:
    parser = SlowParser()
    tokens = [[[f"a{n}"], [f"b{n}", "c"]] for n in range(5)]
    ways = [way(), way(), way(beam=8), way(), way(beam=8)]
    found = run(parser, list(zip(ways, tokens, strict=True)))
    assert [words_of(body) for body in found] == tokens
    assert parser.batches == [tokens[0], tokens[1] + tokens[3], tokens[2] + tokens[4]]


def test_a_large_request_lets_others_pass() -> None:
    parser = SlowParser()
    large = [["a"] * 100] * 30
    found = run(parser, [(way(), large), (way(beam=2), [["b"]])])
    assert words_of(found[0]) == large
    assert words_of(found[1]) == [["b"]]
    sizes = [sum(map(len, batch)) for batch in parser.batches]
    assert sizes[1] == 1  # after the first slice, not after the last one
    assert max(sizes) < SLICE + 100


def test_an_error_goes_to_the_request_that_caused_it() -> None:
    parser = SlowParser()
    found = run(parser, [(way(), [["a"]]), (way(), [["b"]]), (way(), [["bad"]]), (way(), [["c"]])])
    assert [words_of(one) for one in (found[0], found[1], found[3])] == [[["a"]], [["b"]], [["c"]]]
    assert isinstance(found[2], ApiError)
    assert (found[2].status, found[2].message) == (422, "a bad sentence")


def test_a_full_queue_is_an_error() -> None:
    with pytest.raises(ApiError) as info:
        run(SlowParser(), [(way(), [["a"]])] * 5, queue=3)
    assert (info.value.status, info.value.code) == (429, "queue_full")


def test_limits_are_read_from_texts() -> None:
    limits = Limits().changed(["seconds=1.5", "queue=7", "beam=100"])
    assert (limits.seconds, limits.queue, limits.options["beam"]) == (1.5, 7, 100)
    for text in ("queue=1.5", "queue=0", "seconds=nan", "seconds=inf", "seconds", "text=-1"):
        with pytest.raises(UsageError, match="expected a positive number"):
            Limits().changed([text])
    with pytest.raises(UsageError, match="unknown limit 'nonsense'"):
        Limits().changed(["nonsense=1"])
