"""What is sent to a server, and what is made of its answer; the same for both clients."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import msgspec

from crossbranch import json_texts
from crossbranch.client.errors import ClientError, RefusedError, ServerFaultError, UnavailableError
from crossbranch.client.retrying import Answer
from crossbranch.errors import UsageError
from crossbranch.parsers import ScoredTree
from crossbranch.server.schemas import (
    ConvertResponse,
    Derivation,
    DeriveResponse,
    DrawResponse,
    ErrorResponse,
    EvaluateResponse,
    FindResponse,
    FormatEntry,
    FormatsResponse,
    FormattedTrees,
    LabelsResponse,
    ModelsResponse,
    ParsedSentence,
    ParseResponse,
)
from crossbranch.tree import Tree
from crossbranch.treebank.records import record_of, tree_of

T = TypeVar("T")
Words = Sequence[Sequence[str]]
"""Sentences that are split into words."""

_BUSY_OR_LATE = (429, 503, 504)


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request, and how its answer is read."""

    path: str
    body: bytes | None
    read: Callable[[bytes], T]

    def result(self, answer: Answer) -> T:
        """Return the result of an answer.

        Raises:
            ClientError: The answer is an error.
        """
        if answer.status != 200:
            raise error_of(answer)
        try:
            return self.read(answer.body)
        except ValueError as error:  # also of msgspec
            raise ServerFaultError(f"the answer cannot be read: {error}", status=200) from None


def error_of(answer: Answer) -> ClientError:
    """Return the error that a server answered."""
    kind: type[ClientError] = RefusedError if answer.status < 500 else ServerFaultError
    if answer.status in _BUSY_OR_LATE:
        kind = UnavailableError
    try:
        error = json_texts.decode(answer.body, ErrorResponse).error
    except (ValueError, RecursionError):
        message = f"the server answered with status {answer.status}, and not as crossbranch does"
        return ServerFaultError(message, status=answer.status)
    return kind(error.message, status=answer.status, code=error.code, details=error.details)


def parse(
    text: str | None,
    sentences: Words | None,
    *,
    model: str,
    confidence: bool,
    functions: bool,
    options: Mapping[str, Any],
) -> Call[list[Tree]]:
    """Parse a text or sentences: the best tree of each sentence."""
    body = _to_parse(text, sentences, model, options) | {
        "confidence": confidence,
        "functions": functions,
    }
    return _post("parse", body, lambda data: [tree_of(s.trees[0]) for s in _parsed(data)])


def parse_k_best(
    text: str | None,
    sentences: Words | None,
    k_best: int,
    *,
    model: str,
    confidence: bool,
    functions: bool,
    options: Mapping[str, Any],
) -> Call[list[list[ScoredTree]]]:
    """Parse a text or sentences: the best trees of each sentence, with scores."""
    body = _to_parse(text, sentences, model, options) | {
        "k_best": k_best,
        "confidence": confidence,
        "functions": functions,
    }
    return _post("parse", body, lambda data: list(map(_scored, _parsed(data))))


def parse_to(
    format: str,
    text: str | None,
    sentences: Words | None,
    *,
    model: str,
    functions: bool,
    options: Mapping[str, Any],
) -> Call[str]:
    """Parse a text or sentences: trees as text in a treebank format."""
    body = _to_parse(text, sentences, model, options) | {"format": format, "functions": functions}
    return _post("parse", body, lambda data: json_texts.decode(data, FormattedTrees).content)


def models() -> Call[ModelsResponse]:
    """Ask for the models."""
    return Call("/v1/models", None, lambda data: json_texts.decode(data, ModelsResponse))


def labels(model: str) -> Call[LabelsResponse]:
    """Ask for the labels of a model."""
    query = f"?model={quote(model, safe='')}" if model else ""
    return Call(f"/v1/labels{query}", None, lambda data: json_texts.decode(data, LabelsResponse))


def formats() -> Call[list[FormatEntry]]:
    """Ask for the formats."""
    return Call("/v1/formats", None, lambda data: json_texts.decode(data, FormatsResponse).formats)


def draw(tree: Tree, other: Tree | None, to: str, options: Mapping[str, Any]) -> Call[str]:
    """Draw a tree."""
    body: dict[str, Any] = {"tree": record_of(tree), "to": to, "options": options}
    if other is not None:
        body["other"] = record_of(other)
    return _post("draw", body, lambda data: json_texts.decode(data, DrawResponse).content)


def find(query: str, trees: Iterable[Tree], limit: int | None) -> Call[FindResponse]:
    """Search trees."""
    body = {"query": query, "trees": list(map(record_of, trees)), "limit": limit}
    return _post("find", body, lambda data: json_texts.decode(data, FindResponse))


def derive(tree: Tree, system: str, oracle: str | None) -> Call[Derivation]:
    """Ask for the derivation of a tree."""
    body = {"tree": record_of(tree), "system": system, "oracle": oracle}
    return _post("derive", body, lambda data: _derivations(data)[0])


def trace(
    text: str | None, sentences: Words | None, *, model: str, options: Mapping[str, Any]
) -> Call[list[Derivation]]:
    """Ask what a model does to parse sentences."""
    return _post("derive", _to_parse(text, sentences, model, options), _derivations)


def convert(
    given: str | Iterable[Tree], to: str, source_format: str | None, apply: str
) -> Call[ConvertResponse]:
    """Convert a treebank."""
    body: dict[str, Any] = {"to": to, "from": source_format, "apply": apply}
    if isinstance(given, str):
        body["content"] = given
    else:
        body["trees"] = list(map(record_of, given))
    return _post("convert", body, lambda data: json_texts.decode(data, ConvertResponse))


def evaluate(gold: Iterable[Tree], predicted: Iterable[Tree]) -> Call[EvaluateResponse]:
    """Compare trees."""
    body = {"gold": list(map(record_of, gold)), "predicted": list(map(record_of, predicted))}
    return _post("evaluate", body, lambda data: json_texts.decode(data, EvaluateResponse))


def _post(name: str, body: Mapping[str, Any], read: Callable[[bytes], T]) -> Call[T]:
    try:
        return Call(f"/v1/{name}", msgspec.json.encode(body), read)
    except UnicodeEncodeError as error:
        raise UsageError(f"the text has half of a surrogate pair at {error.start}") from None
    except TypeError as error:
        raise UsageError(f"this cannot be sent as JSON: {error}") from None


def _to_parse(
    text: str | None, sentences: Words | None, model: str, options: Mapping[str, Any]
) -> dict[str, Any]:
    if (text is None) == (sentences is None):
        raise UsageError("give either a text or sentences")
    given = {"text": text} if text is not None else {"tokens": list(map(list, sentences or ()))}
    return {**given, "model": model, "options": dict(options)}


def _parsed(data: bytes) -> list[ParsedSentence]:
    return json_texts.decode(data, ParseResponse).sentences


def _scored(sentence: ParsedSentence) -> list[ScoredTree]:
    scores = sentence.scores or [None] * len(sentence.trees)
    pairs = zip(sentence.trees, scores, strict=True)
    return [ScoredTree(tree_of(record), score) for record, score in pairs]


def _derivations(data: bytes) -> list[Derivation]:
    return json_texts.decode(data, DeriveResponse).derivations
