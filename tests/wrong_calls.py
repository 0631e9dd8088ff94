"""Calls all that users may call with wrong values: by inspection, one parameter at a time."""

from __future__ import annotations

import inspect
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import GeneratorType
from typing import Any, NamedTuple

import crossbranch as cb
from crossbranch.errors import CrossbranchError

MODULES = (
    *("", "treebank", "transforms", "evaluation", "drawing", "query", "grammar", "prepare"),
    *("statistics", "models", "jobs", "parsers", "clauses", "tasks", "derivations", "tagging"),
    *("text", "functions", "reproduction"),
)
PATIENCE = 10  # seconds


class BoomError(Exception):
    """An error of the caller's own."""


class Hang(BaseException):
    """A call that does not end."""


def raising() -> Iterator[Any]:
    """A generator that raises an error."""
    yield from _raise()


def _raise() -> list[Any]:
    raise BoomError


def wrong_values() -> list[Any]:
    """What is wrong for nearly every parameter."""
    return [None, 5, -1, 2**70, "text", b"", [], [None], object(), Path("nothing"), raising()]


class Target(NamedTuple):
    """Something that can be called."""

    name: str
    call: Callable[..., Any]
    parameters: Mapping[str, inspect.Parameter]


def targets(instances: Mapping[type, Callable[[], Any]]) -> Iterator[Target]:
    """All public functions, constructors and methods."""
    seen: set[object] = set()
    for module in MODULES:
        home = import_module(f"crossbranch.{module}".rstrip("."))
        for name in home.__all__:
            found = getattr(home, name)
            if not callable(found) or id(found) in seen:
                continue
            seen.add(id(found))
            if not (inspect.isclass(found) or inspect.isroutine(found)):
                continue  # a type such as a Literal
            if not inspect.isclass(found):
                yield from _target(f"{module}.{name}", found)
            elif not issubclass(found, BaseException | Warning):
                yield from _of_class(f"{module}.{name}", found, instances)


def _of_class(
    name: str, found: type, instances: Mapping[type, Callable[[], Any]]
) -> Iterator[Target]:
    if not inspect.isabstract(found):
        yield from _target(name, found)
    thing: Any = instances[found]() if found in instances else found
    for each in dir(found):
        member = getattr(found, each, None)
        if each.startswith("_") or not inspect.isroutine(member):
            continue
        is_bound = inspect.ismethod(member) or isinstance(
            inspect.getattr_static(found, each), staticmethod
        )
        if is_bound or found in instances:
            yield from _target(f"{name}.{each}", getattr(thing, each))


def _target(name: str, call: Callable[..., Any]) -> Iterator[Target]:
    try:
        parameters = inspect.signature(call).parameters
    except (ValueError, TypeError):
        return
    if parameters:
        yield Target(name, call, parameters)


def required(target: Target, right: Callable[[str, str, str], Any]) -> dict[str, Any]:
    """Right values for the parameters that have no default. Raises KeyError if one is unknown."""
    return {
        name: right(target.name, name, str(one.annotation))
        for name, one in target.parameters.items()
        if one.default is inspect.Parameter.empty
        and one.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    }


def attempts(target: Target, right: Callable[[str, str, str], Any]) -> Iterator[tuple[str, Any]]:
    """Call a target with one wrong value after the other; yield what is not allowed to happen."""
    for name, one in target.parameters.items():
        if one.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        for wrong in wrong_values():
            values = required(target, right)
            if one.kind is inspect.Parameter.VAR_POSITIONAL:
                error = outcome(lambda: target.call(*values.values(), wrong))  # noqa: B023
            elif one.kind is inspect.Parameter.POSITIONAL_ONLY:
                values[name] = wrong
                error = outcome(lambda: target.call(*values.values()))  # noqa: B023
            else:
                values[name] = wrong
                error = outcome(lambda: target.call(**values))  # noqa: B023
            if error is not None:
                yield f"{target.name}({name}={_short(wrong)})", error


def _short(value: Any) -> str:
    return type(value).__name__ if isinstance(value, GeneratorType) else repr(value)[:30]


def outcome(call: Callable[[], Any]) -> BaseException | None:
    """The error that a call must not end in, if there is one."""
    try:
        with at_most(PATIENCE):
            found = call()
            if isinstance(found, Iterator) and not isinstance(found, cb.Node):
                list(islice(found, 3))
    except (TypeError, CrossbranchError, OSError, BoomError):
        return None
    except ValueError as error:
        return error if type(error) is not ValueError else None
    except BaseException as error:
        return error
    return None


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raise Hang if it takes longer."""

    def stop(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
