"""Parsing: text or tokens to trees."""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from crossbranch.errors import CrossbranchError
from crossbranch.server.answers import AnswerWriter, FormattedAnswer, JsonAnswer
from crossbranch.server.bodies import receive
from crossbranch.server.endpoints import Endpoint, json_bytes
from crossbranch.server.errors import ApiError, of_library
from crossbranch.server.jobs import ParseJob, Way
from crossbranch.server.limits import Limits
from crossbranch.server.models import LoadedModel
from crossbranch.server.schemas import FormattedTrees, ParseRequest, ParseResponse
from crossbranch.server.state import state_of
from crossbranch.server.treebanks import check_format


async def parse(request: Request) -> Response:
    """Parse the sentences of a request, together with those of others."""
    state = state_of(request)
    wanted = await receive(request, ParseRequest)
    model = state.models.find(wanted.model)
    texts = [wanted.text] if wanted.text is not None else wanted.texts
    check_one(text=wanted.text, texts=wanted.texts, tokens=wanted.tokens)
    check_size(state.limits, texts, wanted.tokens)
    job = state.engine.put(
        model,
        _way(model, wanted, state.limits),
        _writer(model, wanted),
        texts=texts,
        tokens=wanted.tokens,
    )
    request.state.facts = {"model": model.name}
    timer = get_running_loop().call_later(state.limits.seconds, _give_up, job, state.limits)
    try:
        return json_bytes(await job.answer)
    finally:
        timer.cancel()


def _give_up(job: ParseJob, limits: Limits) -> None:
    """Stop waiting for a request. What of it still waits will not be parsed."""
    if not job.answer.done():
        message = f"the sentences were not parsed within {limits.seconds:g} seconds"
        job.answer.set_exception(ApiError(504, "timeout", message))


def check_one(**given: object) -> None:
    """Raise an ApiError unless exactly one of these fields is given."""
    names = [name for name, value in given.items() if value is not None]
    if len(names) != 1:
        found = " and ".join(names) or "none of them"
        message = f"found {found}, expected exactly one of {', '.join(given)}"
        raise ApiError(422, "wrong_fields", message)


def check_size(
    limits: Limits, texts: Sequence[str] | None, tokens: Sequence[Sequence[str]] | None
) -> None:
    """Raise an ApiError if there is too much to parse."""
    if texts is not None:
        size, count = sum(map(len, texts)), len(texts)
    else:
        count = len(tokens or ())
        size = sum([len(token) for sentence in tokens or () for token in sentence])
    if size > limits.text:
        message = f"the request has {size:,} characters, expected at most {limits.text:,}"
        raise ApiError(413, "text_too_long", message)
    if count > limits.sentences:
        message = f"the request has {count:,} texts or sentences, expected at most"
        raise ApiError(413, "too_many_sentences", f"{message} {limits.sentences:,}")


def _way(model: LoadedModel, wanted: ParseRequest, limits: Limits) -> Way:
    k_best = wanted.k_best or 1
    if k_best > limits.k_best:
        message = f"k_best is {k_best:,}, expected at most {limits.k_best}"
        raise ApiError(422, "bad_option", message, option="k_best")
    if k_best > 1 and not model.capabilities.k_best:
        raise ApiError(422, "no_k_best", f"{model.name} cannot find k-best lists")
    if wanted.confidence and not model.capabilities.confidence:
        raise ApiError(422, "no_confidence", f"{model.name} cannot compute confidence")
    try:
        options = model.checked(wanted.options) if wanted.options else ()
    except CrossbranchError as error:
        raise of_library(error) from None
    return Way(model.name, k_best, wanted.confidence, wanted.functions, options)


def _writer(model: LoadedModel, wanted: ParseRequest) -> AnswerWriter:
    if wanted.format == "json":
        return JsonAnswer(
            model.name,
            scores=wanted.k_best is not None,
            confidence=wanted.confidence,
            texts=wanted.texts is not None,
        )
    check_format(wanted.format)
    return FormattedAnswer(model.name, wanted.format, is_ranked=wanted.k_best is not None)


ENDPOINTS = (
    Endpoint(
        path="/v1/parse",
        summary="Parse a text, several texts, or tokens.",
        answer=parse,
        takes=ParseRequest,
        returns=(ParseResponse, FormattedTrees),
        errors=(404, 429, 504),
    ),
)
