"""Doors: functions that look at what they are given before they begin.

    @door
    def evaluate(gold: Iterable[Tree], ...): ...

A wrong type, such as a text in place of trees, then gives an `ArgumentError`, which is a TypeError.
It says what was given and what is expected, and nothing has happened yet. What is expected is said
by the annotations. A check takes about a microsecond; only what users call directly is a door.
"""

from __future__ import annotations

import os
import sys
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, wraps
from inspect import Parameter, signature
from itertools import islice
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from crossbranch.errors import ArgumentError, UsageError, shown
from crossbranch.ranges import check_number, limits

F = TypeVar("F", bound=Callable[..., Any])
Check = Callable[[object], bool]

_GROUPS = (Iterable, Iterator, Sequence, Collection, Set, list, tuple, set, frozenset)
_KNOWN = (list, tuple, set, frozenset, dict, range)  # their members can be looked at
_LARGEST = 1 << 63
_LOOKED_AT = 100
_STREAMS = ("builtins", "itertools")  # iterators that know nothing but their members
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "bytes": "bytes",
    "NoneType": "None",
}


def door(function: F, *, besides: Sequence[str] = ()) -> F:
    """Check the arguments of a function by their annotations before it is called.

    Args:
        function: The function.
        besides: Parameters that the function checks itself, with words that help more.

    Raises:
        ArgumentError: By the function that is returned: an argument has a wrong type.
    """
    plan: list[_Plan] = []

    @wraps(function)
    def checked(*arguments: Any, **named: Any) -> Any:
        if not plan:  # annotations are read when they are first needed: some import much
            plan.append(_Plan(function, besides))
        given, more = plan[0].checked(arguments, named)
        return function(*given, **more)

    return checked  # type: ignore[return-value]


@cache
def _plan_of(function: Callable[..., Any]) -> _Plan:
    return _Plan(function, ())


def check_call(function: Callable[..., Any], *arguments: Any, **named: Any) -> None:
    """Check arguments by the annotations of a function that is called elsewhere."""
    _plan_of(function).checked(arguments, named)


def doors_in(kind: type, *names: str) -> None:
    """Make doors of methods of a class, for base classes that many others derive from."""
    for name in names:
        if callable(method := vars(kind).get(name)):
            setattr(kind, name, _late_door(method))


def _late_door(function: F) -> F:
    """Check the arguments only if the function fails: for what is called for every tree."""

    @wraps(function)
    def checked(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except (AttributeError, LookupError):
            check_call(function, *arguments, **named)
            raise

    return checked  # type: ignore[return-value]


def check_type(name: str, value: object, kind: Any, where: str = "") -> None:
    """Raise an ArgumentError if a value is not of a type, which may be a union or have parts."""
    if not _check_of(kind)(value):
        raise _error(where, name, value, kind)


class _Plan:
    """What the parameters of a function accept."""

    def __init__(self, function: Callable[..., Any], besides: Sequence[str]) -> None:
        self.where = function.__qualname__.removesuffix(".__init__")
        self.kinds = {}
        self.defaults = {}
        self.order: list[str] = []
        self.rest = ""
        for name, one in signature(function).parameters.items():
            kind = Any if name in besides else _resolved(one.annotation, function)
            self.kinds[name] = kind
            self.defaults[name] = one.default
            if one.kind is Parameter.VAR_POSITIONAL:
                self.rest = name
            elif one.kind not in (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD):
                self.order.append(name)
        self.checks = {name: _check_of(kind) for name, kind in self.kinds.items()}
        self.numbers = {name for name, kind in self.kinds.items() if limits(kind) is not None}
        streams = {
            name: get_args(kind)[0]
            for name, kind in self.kinds.items()
            if get_origin(kind) in (Iterable, Iterator)
        }
        self.members = {
            name: _check_of(kind)
            for name, kind in streams.items()
            if all(_is_plain(part) for part in get_args(kind) or (kind,))
            or get_origin(kind) in _GROUPS
        }
        self.streams = streams

    def checked(
        self, arguments: Sequence[Any], named: Mapping[str, Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments. What is not yet known, such as trees to come, is checked later."""
        first = zip(self.order, arguments, strict=False)
        given = [self._one(name, value) for name, value in first]
        for value in arguments[len(self.order) :]:
            given.append(self._one(self.rest, value) if self.rest else value)
        more = {
            name: self._one(name, value) if name in self.checks else value
            for name, value in named.items()
        }
        return given, more

    def _one(self, name: str, value: Any) -> Any:
        if value.__class__ is int and not -_LARGEST <= value < _LARGEST:
            raise UsageError(f"{self.where}: {name} is {shown(value)}, expected less than 2^63")
        if not self.checks[name](value) and value is not self.defaults[name]:
            raise _error(self.where, name, value, self.kinds[name])
        if name in self.numbers and value is not self.defaults[name]:
            check_number(name, value, self.kinds[name])
        is_stream = name in self.members and type(value).__module__ in _STREAMS
        return self._watched(name, value) if is_stream and isinstance(value, Iterator) else value

    def _watched(self, name: str, values: Iterator[Any]) -> Iterator[Any]:
        """Yield values that are not known yet, and check each."""
        check = self.members[name]
        for value in values:
            if not check(value):
                raise _error(self.where, f"a member of {name}", value, self.streams[name])
            yield value


def _error(where: str, name: str, value: object, kind: Any) -> ArgumentError:
    place = f"{where}: " if where else ""
    return ArgumentError(f"{place}{name} is {shown(value)}, expected {_in_words(kind)}")


def _is_plain(kind: Any) -> bool:
    return isinstance(kind, type) and kind is not Any and get_origin(kind) is None


def _resolved(annotation: Any, function: Callable[..., Any]) -> Any:
    """Return the type that an annotation names; Any if it cannot be found."""
    if not isinstance(annotation, str):
        return Any if annotation is Parameter.empty else annotation
    inner = function
    while hasattr(inner, "__wrapped__"):
        inner = inner.__wrapped__
    try:
        holder = type("_Holder", (), {"__annotations__": {"kind": annotation}})
        names = _Names(inner.__globals__)
        return get_type_hints(holder, globalns=names, localns=names, include_extras=True)["kind"]
    except (NameError, TypeError, AttributeError):
        return Any


class _Names(dict[str, Any]):
    """The names in a module, and those that it imports for type checkers only."""

    def __missing__(self, name: str) -> Any:
        package = sys.modules["crossbranch"]
        if name in package.__all__:
            return getattr(package, name)
        raise KeyError(name)


def _check_of(kind: Any) -> Check:
    """Return what says whether a value is of a type. Types that cannot be checked accept all."""
    origin = get_origin(kind)
    if kind is Any or kind is object:
        return lambda value: True
    if kind is None or kind is NoneType:
        return lambda value: value is None
    if origin is Annotated:
        return _check_of(get_args(kind)[0])
    if origin in (Union, UnionType):
        checks = [_check_of(part) for part in get_args(kind)]
        return lambda value: any(check(value) for check in checks)
    if origin is Literal:
        types = tuple({type(one) for one in get_args(kind)})
        return lambda value: isinstance(value, types)
    if kind is float:
        return lambda value: isinstance(value, int | float)
    if origin in (typing.IO, typing.TextIO) or kind in (typing.IO, typing.TextIO):
        return lambda value: hasattr(value, "read") or hasattr(value, "write")
    if origin is Callable or kind is Callable:
        return callable
    if origin in (Mapping, dict) or typing.is_typeddict(kind):
        return lambda value: isinstance(value, Mapping)
    if origin in _GROUPS:
        return _group_check(origin, get_args(kind))
    if isinstance(origin, type):
        return lambda value: isinstance(value, origin)
    if getattr(kind, "_is_protocol", False):
        names = _members(kind)
        return lambda value: all(hasattr(type(value), n) or hasattr(value, n) for n in names)
    return (lambda value: isinstance(value, kind)) if isinstance(kind, type) else lambda value: True


def _members(protocol: type) -> list[str]:
    """Return what an object must have to fit a protocol."""
    found: dict[str, None] = {}
    for base in protocol.__mro__:
        if getattr(base, "_is_protocol", False):
            found |= dict.fromkeys([*vars(base), *getattr(base, "__annotations__", ())])
    return [name for name in found if not name.startswith("_")]


def _group_check(origin: Any, parts: Sequence[Any]) -> Check:
    """Return the check of lists, tuples and other things that have members."""
    is_varied = origin is tuple and not (len(parts) == 2 and parts[1] is ...)
    member = _check_of(parts[0]) if parts and not is_varied else lambda value: True
    accepts_text = not parts or member("")
    is_nested = bool(parts) and get_origin(parts[0]) is not None

    def check(value: object) -> bool:
        if not isinstance(value, origin):
            return False
        if isinstance(value, str | bytes):
            return accepts_text and isinstance(value, str)
        if not isinstance(value, _KNOWN):
            return True
        # Of sentences in a list, the first ones tell: each word would cost time.
        return all(map(member, islice(value, _LOOKED_AT) if is_nested else value))

    return check


def _in_words(kind: Any) -> str:
    """Say what is expected."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _in_words(parts[0])
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(map(_in_words, parts)))
    if origin is Literal:
        return f"one of {', '.join(map(str, parts))}"
    if origin in _GROUPS and parts:
        return f"several of these: {_in_words(parts[0])}"
    if origin in (Mapping, dict):
        return "a dict"
    if origin is Callable or kind is Callable:
        return "a function"
    if origin is typing.IO or kind is typing.TextIO:
        return "an open file"
    if (isinstance(kind, type) and issubclass(kind, os.PathLike)) or origin is os.PathLike:
        return "a path"
    name = getattr(kind, "__name__", str(kind))
    return _WORDS.get(name, f"a {name}")
