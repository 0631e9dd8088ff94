"""The description of the API as OpenAPI, made from the types that check requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

import msgspec

from crossbranch.server.endpoints import Endpoint
from crossbranch.server.errors import MEANINGS
from crossbranch.server.schemas import ErrorResponse
from crossbranch.transitions.systems import SYSTEMS
from crossbranch.treebank import FORMATS

_REF = "#/components/schemas/{name}"
_WITH_BODY = (400, 408, 413, 415, 422)
_ALWAYS = (500, 503)


def openapi(
    endpoints: Sequence[Endpoint],
    models: Sequence[str] | Mapping[str, object],
    *,
    needs_token: bool,
) -> dict[str, Any]:
    """Return the description of these endpoints, with the names of the models."""
    kinds = dict.fromkeys([kind for one in endpoints for kind in (one.takes, *one.returns) if kind])
    _, schemas = msgspec.json.schema_components([*kinds, ErrorResponse], ref_template=_REF)
    _name_values(schemas, list(models))
    paths: dict[str, Any] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(
            endpoint, list(models), needs_token
        )
    components: dict[str, Any] = {"schemas": schemas}
    if needs_token:
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    described = {
        "openapi": "3.1.0",
        "info": {
            "title": "crossbranch",
            "version": version("crossbranch"),
            "description": "Text in, trees with crossing branches out.",
        },
        "paths": paths,
        "components": components,
    }
    public: dict[str, Any] = _public(described)
    return public


def _operation(endpoint: Endpoint, models: list[str], needs_token: bool) -> dict[str, Any]:
    codes = {*_ALWAYS, *endpoint.errors}
    found: dict[str, Any] = {
        "summary": endpoint.summary,
        "operationId": endpoint.path.rpartition("/")[2],
    }
    if endpoint.takes is not None:
        codes.update(_WITH_BODY)
        found["requestBody"] = {"required": True, "content": _json(endpoint.takes)}
    if endpoint.parameters:
        found["parameters"] = [
            {
                "name": name,
                "in": "query",
                "description": meaning,
                "schema": {"type": "string", "enum": models},
            }
            for name, meaning in endpoint.parameters
        ]
    if needs_token and endpoint.path != "/healthz":
        codes.add(401)
        found["security"] = [{"token": []}]
    error = _json(ErrorResponse)
    found["responses"] = {"200": {"description": "Success.", "content": _content(endpoint)}} | {
        str(code): {"description": MEANINGS[code], "content": error} for code in sorted(codes)
    }
    if endpoint.path == "/healthz":
        found["responses"]["503"]["content"] = _content(endpoint)
    return found


def _content(endpoint: Endpoint) -> dict[str, Any]:
    if not endpoint.returns:
        return {"text/plain": {"schema": {"type": "string"}}}
    return _json(*endpoint.returns)


def _json(*kinds: type[msgspec.Struct]) -> dict[str, Any]:
    refs = [{"$ref": _REF.format(name=kind.__name__)} for kind in kinds]
    return {"application/json": {"schema": refs[0] if len(refs) == 1 else {"anyOf": refs}}}


def _name_values(schemas: dict[str, Any], models: list[str]) -> None:
    """List the values of fields that only this server knows."""
    formats = list(FORMATS)
    values = {
        ("ParseRequest", "model"): ["", *models],
        ("DeriveRequest", "model"): ["", *models],
        ("ParseRequest", "format"): list(dict.fromkeys(["json", *formats])),
        ("ConvertRequest", "to"): formats,
        ("DeriveRequest", "system"): list(SYSTEMS),
    }
    for (schema, field), names in values.items():
        schemas[schema]["properties"][field]["enum"] = names


def _public(value: Any) -> Any:
    """Return the description without the underscores of private types."""
    if isinstance(value, dict):
        return {
            (key.lstrip("_") if key.startswith("_") else key): _public(one)
            for key, one in value.items()
        }
    if isinstance(value, list):
        return [_public(one) for one in value]
    if isinstance(value, str):
        return value.lstrip("_").replace("/schemas/_", "/schemas/")
    return value
