"""Which search options clients may set, and which not."""

from __future__ import annotations

from typing import Any

import pytest

from crossbranch.parsers import PARSERS
from crossbranch.server.errors import ApiError
from crossbranch.server.limits import OPTION_LIMITS, Limits
from crossbranch.server.models import LoadedModel


def model_of(kind: str) -> LoadedModel:
    """Return a model of which only the kind is known."""
    parser: Any = object.__new__(PARSERS[kind])
    parser.default_options = parser.options_type

    class Card:
        name = "small"

    return LoadedModel(Card(), parser, Limits())  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", PARSERS)
def test_no_option_is_without_a_limit(kind: str) -> None:
    for option in model_of(kind).options.values():
        assert option.type in ("choice", "boolean") or option.maximum is not None, option


def test_no_client_can_name_a_file() -> None:
    model = model_of("neural-span")
    assert "space" in model.options
    assert "grammar" not in model.options
    with pytest.raises(ApiError, match="has no option 'grammar' here"):
        model.checked({"grammar": "/etc/passwd"})


def test_values_are_checked() -> None:
    model = model_of("linear-transition")
    assert model.checked({"beam": 4}) == ()  # the default
    assert model.checked({"beam": 8}) == (("beam", 8),)
    for value in (OPTION_LIMITS["beam"] + 1, "8", float("inf")):
        with pytest.raises(ApiError):
            model.checked({"beam": value})
