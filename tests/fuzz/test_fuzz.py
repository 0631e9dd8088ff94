"""Every file of the corpus, and some changes of each: the same on every run.

`scripts/fuzz` does the same for as long as you like.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable

import pytest

from crossbranch.errors import CrossbranchError, LossWarning
from fuzz.limits import Finding, check, reduced
from fuzz.mutate import Mutator
from fuzz.seeds import corpus
from fuzz.targets import TARGETS

pytestmark = [
    pytest.mark.no_cover,
    pytest.mark.skipif(sys.platform == "win32", reason="the limits need signals of POSIX"),
]
QUICK, SLOW = 150, 12
"""How many changed inputs each target gets. Models take longer than anything else."""


def inputs(name: str) -> list[tuple[str, bytes]]:
    return [*corpus(name), *((f"seed {n}", d) for n, d in enumerate(TARGETS[name].seeds()))]


def assert_none(finding: Finding | None, name: str, data: bytes) -> None:
    assert finding is None, f"{name}: {data[:500]!r}\n{finding.text}"


@pytest.mark.parametrize("name", TARGETS)
def test_the_corpus(name: str) -> None:
    found = inputs(name)
    assert found, f"{name} has nothing to start from: add a file to tests/fuzz/corpus/{name}"
    for place, data in found:
        assert_none(check(TARGETS[name].run, data), place, data)
    assert any(is_accepted(TARGETS[name].run, data) for _, data in found)


def is_accepted(run: Callable[[bytes], None], data: bytes) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LossWarning)
            run(data)
    except CrossbranchError:
        return False
    return True


@pytest.mark.parametrize("name", TARGETS)
def test_changed_inputs(name: str) -> None:
    start = [data for _, data in inputs(name)]
    mutator = Mutator(start, tokens=TARGETS[name].tokens, seed=name)
    for number in range(SLOW if name.startswith("model") else QUICK):
        data = mutator.next()
        assert_none(check(TARGETS[name].run, data), f"changed input {number}", data)


def test_what_is_a_finding() -> None:
    def run(data: bytes) -> None:
        if b"x" in data and b"y" in data:
            raise ValueError(data)

    def fails(data: bytes) -> bool:
        return check(run, data) is not None

    assert check(run, b"x") is None
    found = check(run, b"axbyc")
    assert found is not None
    assert found.key == "ValueError test_fuzz.run"
    assert reduced(b"a" * 100 + b"x" + b"b" * 77 + b"y", fails) == b"xy"


def test_endless_loops_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(data: bytes) -> None:
        while data:
            pass

    monkeypatch.setattr("fuzz.limits.SECONDS", 0.05)
    found = check(run, b"x")
    assert found is not None
    assert found.key == "TooSlowError"
