"""What can be done with trees: searching, converting and evaluating them."""

from __future__ import annotations

from itertools import islice

from starlette.requests import Request
from starlette.responses import Response

from crossbranch.conversion import make_continuous
from crossbranch.evaluation import Evaluation, evaluate
from crossbranch.query import Match, Query, find
from crossbranch.query.records import match_record
from crossbranch.server import schemas
from crossbranch.server.bodies import receive
from crossbranch.server.encoding import to_json
from crossbranch.server.endpoints import Endpoint, json_bytes
from crossbranch.server.errors import ApiError
from crossbranch.server.limits import Limits
from crossbranch.server.routes.parse import check_one
from crossbranch.server.schemas import (
    ConvertRequest,
    ConvertResponse,
    EvaluateRequest,
    EvaluateResponse,
    FindRequest,
    FindResponse,
    Mistake,
    SentenceScores,
)
from crossbranch.server.state import state_of
from crossbranch.server.treebanks import Content, check_format, mistake_of, trees_of, written
from crossbranch.transforms import pipeline, transform_each
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS, Header
from crossbranch.treebank.records import TreeRecord
from crossbranch.treebank.writing import TreeWriter


async def find_matches(request: Request) -> Response:
    """Search trees."""
    state = state_of(request)
    wanted = await receive(request, FindRequest)
    check_one(trees=wanted.trees, content=wanted.content)
    return json_bytes(await state.calls.run(lambda: to_json(_found(wanted, state.limits))))


def _found(wanted: FindRequest, limits: Limits) -> FindResponse:
    Query(wanted.query)  # a mistake in the query comes before mistakes in the trees
    trees, _, errors = _given(wanted.trees, wanted.content, wanted.format, limits)
    most = min(wanted.limit or limits.matches, limits.matches)
    matches = list(islice(find(trees, wanted.query), most + 1))
    return FindResponse(
        [_match(match) for match in matches[:most]], len(trees), len(matches) <= most, errors
    )


def _match(match: Match) -> schemas.Match:
    vertices = [vertex for vertex in match.vertices if vertex >= 0]
    return schemas.Match(**match_record(match), vertices=vertices)


async def convert(request: Request) -> Response:
    """Write trees in another format."""
    state = state_of(request)
    wanted = await receive(request, ConvertRequest)
    check_one(trees=wanted.trees, content=wanted.content)
    check_format(wanted.to)
    return json_bytes(await state.calls.run(lambda: to_json(_converted(wanted, state.limits))))


def _converted(wanted: ConvertRequest, limits: Limits) -> ConvertResponse:
    steps = pipeline(wanted.apply)
    trees, header, errors = _given(wanted.trees, wanted.content, wanted.from_, limits)

    def note(error: Exception) -> None:
        errors.append(mistake_of(error))  # type: ignore[arg-type]

    if steps.steps:
        trees = list(transform_each(trees, steps.apply, report=note))
    writer = TreeWriter(FORMATS[wanted.to], make_continuous=make_continuous)
    content = written(trees, writer, header=header, report=note)
    return ConvertResponse(wanted.to, content, len(trees), writer.losses, errors)


def _given(
    trees: list[TreeRecord] | None, content: str | None, format: str | None, limits: Limits
) -> tuple[list[Tree], Header, list[Mistake]]:
    """Return the trees of a request, the header of its treebank, and the bad sentences."""
    if trees is not None:
        check_number(len(trees), limits)
        return trees_of(trees), Header(), []
    assert content is not None
    source = Content(content, format)
    found = source.trees()
    check_number(len(found), limits)
    return found, source.reader.header, source.errors


def check_number(count: int, limits: Limits) -> None:
    """Raise an ApiError if there are too many trees."""
    if count > limits.sentences:
        message = f"the request has {count:,} trees, expected at most {limits.sentences:,}"
        raise ApiError(413, "too_many_sentences", message)


async def evaluate_trees(request: Request) -> Response:
    """Compare predicted trees with gold trees."""
    state = state_of(request)
    wanted = await receive(request, EvaluateRequest)
    check_number(max(len(wanted.gold), len(wanted.predicted)), state.limits)
    return json_bytes(await state.calls.run(lambda: to_json(_scores(wanted))))


def _scores(wanted: EvaluateRequest) -> EvaluateResponse:
    gold, predicted = trees_of(wanted.gold, "gold"), trees_of(wanted.predicted, "predicted")
    if len(gold) != len(predicted):
        message = f"there are {len(gold):,} gold trees and {len(predicted):,} predicted ones"
        raise ApiError(422, "bad_input", f"{message}, expected as many")
    found = evaluate(gold, predicted, parameters=wanted.parameters)
    rows = [Evaluation(found.parameters, (row,)) for row in found.sentences]
    return EvaluateResponse(
        f1=found.f1,
        precision=found.precision,
        recall=found.recall,
        discontinuous_f1=found.discontinuous_f1,
        discontinuous_precision=found.discontinuous_precision,
        discontinuous_recall=found.discontinuous_recall,
        exact_match=found.exact_match,
        sentences=[
            SentenceScores(one.f1, one.discontinuous_f1, one.main.all.exact == 1) for one in rows
        ],
    )


ENDPOINTS = (
    Endpoint(
        path="/v1/find",
        summary="Search trees with a query.",
        answer=find_matches,
        takes=FindRequest,
        returns=(FindResponse,),
        errors=(429, 504),
    ),
    Endpoint(
        path="/v1/convert",
        summary="Write trees in another treebank format.",
        answer=convert,
        takes=ConvertRequest,
        returns=(ConvertResponse,),
        errors=(429, 504),
    ),
    Endpoint(
        path="/v1/evaluate",
        summary="Compare predicted trees with gold trees.",
        answer=evaluate_trees,
        takes=EvaluateRequest,
        returns=(EvaluateResponse,),
        errors=(429, 504),
    ),
)
