"""The three small parsers of the tests are registered like any other, for these tests only."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from small_parsers import SMALL_PARSERS, SMALL_PRESETS

from crossbranch.parsers import PARSERS, PRESETS


@pytest.fixture(autouse=True, scope="module")
def _registered() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, kind in SMALL_PARSERS.items():
            patch.setitem(PARSERS, name, kind)
        for name, preset in SMALL_PRESETS.items():
            patch.setitem(PRESETS, name, preset)
        yield
