"""What the server has: models, labels, formats."""

from __future__ import annotations

from importlib.metadata import version

from starlette.requests import Request
from starlette.responses import Response

from crossbranch.server.endpoints import Endpoint, json_response
from crossbranch.server.schemas import (
    FormatEntry,
    FormatsResponse,
    LabelsResponse,
    ModelsResponse,
    ServedLimits,
)
from crossbranch.server.state import state_of
from crossbranch.treebank import FORMATS


async def models(request: Request) -> Response:
    """Describe the models."""
    state = state_of(request)
    names = ServedLimits.__struct_fields__
    limits = ServedLimits(**{name: getattr(state.limits, name) for name in names})
    described = [model.described() for model in state.models.values()]
    return json_response(ModelsResponse(described, limits, version("crossbranch")))


async def labels(request: Request) -> Response:
    """Explain the labels of a model."""
    state = state_of(request)
    model = state.models.find(request.query_params.get("model", ""))
    return json_response(await state.calls.run(model.labels))


async def formats(request: Request) -> Response:
    """List the treebank formats."""
    entries = [FormatEntry(**format.to_dict()) for format in FORMATS.values()]
    return json_response(FormatsResponse(entries))


ENDPOINTS = (
    Endpoint(
        path="/v1/models",
        summary="List the models, what they are for, their scores and search options.",
        answer=models,
        returns=(ModelsResponse,),
    ),
    Endpoint(
        path="/v1/labels",
        summary="Explain the labels, tags and functions of a model.",
        answer=labels,
        returns=(LabelsResponse,),
        parameters=(("model", "The model; default: the first one served."),),
        errors=(404, 429, 504),
    ),
    Endpoint(
        path="/v1/formats",
        summary="List the treebank formats.",
        answer=formats,
        returns=(FormatsResponse,),
    ),
)
