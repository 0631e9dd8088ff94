"""The server does what its OpenAPI description says, whatever is sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode, checks
from server_process import Server, running

CHECKS = (
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
    checks.unsupported_method,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("schema")) as server:
        yield server


QUICKLY = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def test_answers_are_as_described(server: Server) -> None:
    schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    operations: list[Any] = [found.ok() for found in schema.get_all_operations()]  # type: ignore[union-attr]
    assert len(operations) == 11
    for operation in operations:
        for mode in GenerationMode.POSITIVE, GenerationMode.NEGATIVE:
            if mode is GenerationMode.NEGATIVE and operation.method.upper() == "GET":
                continue  # nothing to send that could be wrong

            @QUICKLY
            @given(case=operation.as_strategy(generation_mode=mode))
            def check(case: Any) -> None:
                case.call_and_validate(checks=CHECKS)

            check()
