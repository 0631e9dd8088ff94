"""Pipelines as text: `functions(strip) | attach | heads(negra) | binarize(mark=@)`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping

from crossbranch.errors import UsageError
from crossbranch.transforms.transform import Pipeline, Transform

_STEP = re.compile(r"\s*([\w-]+)\s*(?:\((.*)\))?\s*\Z", re.DOTALL)
_QUOTED = r'"[^"]*"'
_BETWEEN_STEPS = re.compile(rf"((?:{_QUOTED}|[^|\"])*)(?:\||\Z)")
_ARGUMENT = re.compile(rf"\s*(?:([\w-]+)\s*=)?\s*({_QUOTED}|[^,\"]*?)\s*(?:,|\Z)")
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}


def parse_pipeline(text: str, transforms: Mapping[str, type[Transform]]) -> Pipeline:
    """Make a pipeline from its description; values with `,` or `|` are in double quotes."""
    parts = _split(text)
    return Pipeline(tuple(_make(part, transforms) for part in parts))


def _split(text: str) -> list[str]:
    if text.count('"') % 2:
        raise UsageError(f"pipeline {text!r}: a quotation mark is not closed")
    if not text.strip():
        return []
    steps = [match[1] for match in _BETWEEN_STEPS.finditer(text) if match[0]]
    return [*steps, ""] if text.rstrip().endswith("|") else steps


def _make(part: str, transforms: Mapping[str, type[Transform]]) -> Transform:
    match = _STEP.match(part)
    if match is None:
        raise UsageError(
            f"pipeline step {part.strip()!r}: expected name or name(option, key=value)"
        )
    name = match[1]
    if name not in transforms:
        known = ", ".join(sorted(transforms))
        raise UsageError(f"unknown transform {name!r}; expected one of {known}")
    kind = transforms[name]
    return kind(**_options(name, match[2] or "", kind))


def _options(name: str, text: str, kind: type[Transform]) -> dict[str, object]:
    fields = {field.name: field for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    given: dict[str, object] = {}
    positional = iter(fields)
    for match in _ARGUMENT.finditer(text) if text.strip() else ():
        if not match[0] and match.start() == len(text):
            break
        key = match[1].replace("-", "_") if match[1] else next(positional, "")
        if key not in fields or key in given:
            options = ", ".join(fields) or "none"
            raise UsageError(f"{name}({text.strip()}): unexpected option; its options: {options}")
        given[key] = _value(name, key, match[2].strip('"'), fields[key].type)
    for key, field in fields.items():
        if field.default is dataclasses.MISSING and key not in given:
            raise UsageError(f"{name} needs the option {key}")
    return given


def _value(name: str, key: str, text: str, kind: object) -> object:
    if kind in (bool, "bool"):
        if text.lower() not in _TRUTH:
            raise UsageError(f"{name}: {key} is {text!r}, expected true or false")
        return _TRUTH[text.lower()]
    if kind in (int, "int"):
        if not re.fullmatch(r"-?[0-9]+", text):
            raise UsageError(f"{name}: {key} is {text!r}, expected a whole number")
        return int(text)
    return text
