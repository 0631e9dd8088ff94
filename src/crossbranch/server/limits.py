"""What a server accepts at most, so that no client can stop it for the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Self

from crossbranch.errors import UsageError

OPTION_LIMITS: Mapping[str, float] = {
    "beam": 64,
    "tokens": 200,
    "items": 500_000,
    "seconds": 20,
    "margin": 20,
}
"""The largest values of search options. Options that are texts without a list of values, such as
the file of a grammar, are refused: clients may not name files of the server."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits of a server. A request beyond one of them gets an error that names it."""

    body: int = 2_000_000
    """Bytes of a request."""

    bodies: int = 256_000_000
    """Bytes of all requests that are being answered."""

    text: int = 200_000
    """Characters of a request: all its texts or tokens together."""

    sentences: int = 2_000
    """Sentences, texts or trees of a request."""

    sentence_tokens: int = 500
    """Tokens of a sentence."""

    k_best: int = 50
    """Trees of a sentence."""

    matches: int = 10_000
    """Matches of a search."""

    seconds: float = 30
    """The longest time between a request and its answer."""

    receive_seconds: float = 10
    """The longest time for receiving the head of a request; also for its body."""

    head: int = 32_768
    """Bytes of the head of a request: its first line and its header fields."""

    concurrency: int = 4_000
    """Requests that are being answered or received."""

    queue: int = 2_000
    """Requests that wait for a parser."""

    connections: int = 8_000
    """Open connections."""

    options: Mapping[str, float] = field(default_factory=lambda: dict(OPTION_LIMITS))
    """The largest values of search options."""

    def changed(self, assignments: Iterable[str]) -> Self:
        """Return limits with some values replaced, which are given as `name=value`.

        Names that are not limits of requests are those of search options, such as `beam`.

        Raises:
            UsageError: There is no such limit, or a value is not a positive number.
        """
        kinds = {each.name: each.type for each in fields(self) if each.name != "options"}
        own: dict[str, float] = {}
        options = dict(self.options)
        for name, _, text in (assignment.partition("=") for assignment in assignments):
            if name not in kinds and name not in options:
                known = ", ".join([*kinds, *options])
                raise UsageError(f"unknown limit {name!r}; expected one of {known}")
            number = _positive(name, text, is_whole=kinds.get(name) == "int")
            (own if name in kinds else options)[name] = number
        return replace(self, options=options, **own)  # type: ignore[arg-type]


def _positive(name: str, text: str, *, is_whole: bool) -> float:
    try:
        number = int(text) if is_whole else float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise UsageError(f"the limit {name} is {text!r}, expected a positive number")
    return number
