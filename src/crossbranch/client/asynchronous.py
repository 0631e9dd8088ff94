"""The client with coroutines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from itertools import islice
from types import TracebackType
from typing import Any, Self, TypeVar

from crossbranch.client import calls
from crossbranch.client.calls import Call, Words
from crossbranch.client.http import answer_of, library, settings, unreachable
from crossbranch.client.retrying import BUSY, Patience
from crossbranch.parsers import ScoredTree
from crossbranch.server.schemas import (
    ConvertResponse,
    Derivation,
    EvaluateResponse,
    FindResponse,
    FormatEntry,
    LabelsResponse,
    ModelsResponse,
)
from crossbranch.tree import Tree

T = TypeVar("T")


class AsyncClient:
    """Calls a parsing server; all methods are coroutines. Several tasks may share one client."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        *,
        token: str = "",
        timeout: float = 60,
        patience: float = 20,
    ) -> None:
        """Prepare to call a server.

        Args:
            url: The address of the server.
            token: The token of the server, if it needs one.
            timeout: How many seconds to wait for an answer.
            patience: How many seconds to try again if the server is busy or cannot be reached.

        Raises:
            UsageError: The address is wrong, or httpx2 is not installed.
        """
        self.url, self._patience = url, patience
        self._httpx2 = library()
        self._http = self._httpx2.AsyncClient(**settings(url, token, timeout))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def parse(
        self,
        text: str | None = None,
        *,
        sentences: Words | None = None,
        model: str = "",
        confidence: bool = False,
        functions: bool = True,
        **options: Any,
    ) -> list[Tree]:
        """Parse a text, or sentences that are split into words.

        Args:
            text: A text of any number of sentences.
            sentences: Instead of a text: lists of words.
            model: The name of a model of the server (default: its first one).
            confidence: Give trees and nodes the feature `confidence`.
            functions: Give nodes and words their functions, and mark heads.
            **options: Options of the search, such as `beam=8`.

        Returns:
            The best tree of each sentence.

        Raises:
            ClientError: The server refuses the request, or cannot be reached.
        """
        return await self._call(
            calls.parse(
                text,
                sentences,
                model=model,
                confidence=confidence,
                functions=functions,
                options=options,
            )
        )

    async def parse_many(
        self, sentences: Iterable[Sequence[str]], *, batch: int = 200, **options: Any
    ) -> AsyncIterator[Tree]:
        """Parse any number of sentences, which are split into words, and yield their trees.

        Args:
            sentences: Lists of words.
            batch: How many sentences are sent at once.
            **options: As in `parse`.
        """
        waiting = iter(sentences)
        while some := list(islice(waiting, batch)):
            for tree in await self.parse(sentences=some, **options):
                yield tree

    async def parse_k_best(
        self,
        k_best: int,
        text: str | None = None,
        *,
        sentences: Words | None = None,
        model: str = "",
        confidence: bool = False,
        functions: bool = True,
        **options: Any,
    ) -> list[list[ScoredTree]]:
        """Return up to `k_best` trees of each sentence with their scores, the best one first."""
        return await self._call(
            calls.parse_k_best(
                text,
                sentences,
                k_best,
                model=model,
                confidence=confidence,
                functions=functions,
                options=options,
            )
        )

    async def parse_to(
        self,
        format: str,
        text: str | None = None,
        *,
        sentences: Words | None = None,
        model: str = "",
        functions: bool = True,
        **options: Any,
    ) -> str:
        """Return the trees as text in a treebank format, such as "export"."""
        return await self._call(
            calls.parse_to(
                format,
                text,
                sentences,
                model=model,
                functions=functions,
                options=options,
            )
        )

    async def models(self) -> ModelsResponse:
        """Return the models of the server, and its limits."""
        return await self._call(calls.models())

    async def labels(self, model: str = "") -> LabelsResponse:
        """Return the labels, tags and functions of a model, explained."""
        return await self._call(calls.labels(model))

    async def formats(self) -> list[FormatEntry]:
        """Return the treebank formats of the server."""
        return await self._call(calls.formats())

    async def draw(
        self, tree: Tree, *, other: Tree | None = None, to: str = "svg", **options: Any
    ) -> str:
        """Draw a tree, or compare it with another one; `to` is svg, text, tikz or html."""
        return await self._call(calls.draw(tree, other, to, options))

    async def find(
        self, query: str, trees: Iterable[Tree], *, limit: int | None = None
    ) -> FindResponse:
        """Search trees with a query."""
        return await self._call(calls.find(query, trees, limit))

    async def derive(
        self, tree: Tree, *, system: str = "gap", oracle: str | None = None
    ) -> Derivation:
        """Return how a transition system builds a tree, step by step."""
        return await self._call(calls.derive(tree, system, oracle))

    async def trace(
        self,
        text: str | None = None,
        *,
        sentences: Words | None = None,
        model: str = "",
        **options: Any,
    ) -> list[Derivation]:
        """Return what a model does to parse sentences, step by step."""
        return await self._call(calls.trace(text, sentences, model=model, options=options))

    async def convert(
        self,
        given: str | Iterable[Tree],
        to: str,
        *,
        source_format: str | None = None,
        apply: str = "",
    ) -> ConvertResponse:
        """Write trees, or a treebank that is given as text, in another format."""
        return await self._call(calls.convert(given, to, source_format, apply))

    async def evaluate(self, gold: Iterable[Tree], predicted: Iterable[Tree]) -> EvaluateResponse:
        """Compare predicted trees with gold trees."""
        return await self._call(calls.evaluate(gold, predicted))

    async def is_healthy(self) -> bool:
        """Return whether the server takes requests."""
        try:
            response = await self._http.get("/healthz")
        except self._httpx2.HTTPError:
            return False
        return bool(response.status_code == 200)

    async def _call(self, call: Call[T]) -> T:
        """Send a request, again if the server is busy or cannot be reached."""
        patience = Patience(self._patience)
        method = "GET" if call.body is None else "POST"
        while True:
            try:
                response = await self._http.request(method, call.path, content=call.body)
            except self._httpx2.TimeoutException as error:
                raise unreachable(self.url, error) from None
            except self._httpx2.HTTPError as error:
                wait = patience.next_wait()
                if wait is None:
                    raise unreachable(self.url, error) from None
            else:
                answer = answer_of(response)
                wait = patience.next_wait(answer.retry_after) if answer.status in BUSY else None
                if wait is None:
                    return call.result(answer)
            await asyncio.sleep(wait)
