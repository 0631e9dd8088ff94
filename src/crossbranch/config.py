"""Settings as typed, immutable values: what a parser is, how it is trained, how it searches.

Settings come from TOML (presets, and `config.toml` of a model), from keyword arguments, and from
`--set key=value` on the command line. `SettingsTable.of` checks them all. `to_toml` writes them
with their meanings, so that a model's folder explains itself.

Each kind of parser has settings of its own: a class that derives from `Settings`, in the parser's
folder. A setting may be a number, a text, a truth value, a list of names, or a table: a field of
type `SettingsTable`, or `dict[str, SettingsTable]` for tables such as `[task.pos]`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Self,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import Meta

from crossbranch.errors import InputError, UsageError

Count = Annotated[int, Meta(ge=0)]
Byte = Annotated[int, Meta(ge=0, le=255)]
Size = Annotated[int, Meta(ge=1)]
Folds = Annotated[int, Meta(ge=2)]
Amount = Annotated[float, Meta(ge=0)]
Names = tuple[str, ...]
_TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class SettingsTable(msgspec.Struct, frozen=True, kw_only=True):
    """Settings by name; the text beside each field is its meaning."""

    word: ClassVar[str] = "setting"
    """What messages call one of them."""

    @classmethod
    def of(cls, values: Mapping[str, object], *, within: str = "") -> Self:
        """Make settings from values by name. A setting that is not given has its default.

        Args:
            values: The values. A text is read as what it spells.
            within: The name of the table that holds them, for messages.
        """
        types = setting_types(cls)
        checked = {}
        for name, value in values.items():
            if name not in types:
                raise cls._unknown(name, within)
            checked[name] = _checked(f"{cls.word} {within}{name}", value, types[name])
        return cls(**checked)

    @classmethod
    def _unknown(cls, name: str, within: str) -> UsageError:
        known = ", ".join(sorted(f"{within}{known}" for known in cls.__struct_fields__))
        return UsageError(f"unknown {cls.word} {within + name!r}; there are {known or 'none'}")

    def changed(self, values: Mapping[str, object]) -> Self:
        """Return settings with some values replaced; a table keeps what is not given."""
        return type(self).of(merged(self.to_dict(), values))

    def to_dict(self) -> dict[str, Any]:
        """Return all values by name, tables as dicts."""
        return {name: _plain(getattr(self, name)) for name in self.__struct_fields__}


class Settings(SettingsTable, frozen=True, kw_only=True):
    """The settings that every parser has."""

    without_effect: ClassVar[frozenset[str]] = frozenset({"threads"})
    """Settings that make no other model: a training may continue with other values."""

    parser: Annotated[str, "kind of parser"] = "linear-transition"
    prepare: Annotated[str, "transforms of training and dev trees, never undone"] = ""
    seed: Annotated[int, "the same seed gives the same model"] = 1
    threads: Annotated[Size, "number of cores to train on; the model is the same"] = 1
    tags: Annotated[
        Literal["predicted", "gold", "own"],
        "tags to learn from: as a tagger predicts them (the model keeps the tagger), gold, or"
        " own: the parser finds the tags by itself",
    ] = "predicted"
    folds: Annotated[Folds, "parts of the training trees; a tagger of the others tags each"] = 5
    tagger_epochs: Annotated[Size, "number of epochs for the tagger"] = 8
    clusters: Annotated[str, "table of word clusters: a file, or spacy:LANGUAGE"] = ""

    def in_words(self) -> dict[str, str]:
        """Return what a list of presets should say, by heading; a kind of parser adds its own."""
        return {}


class EpochSettings(Settings, frozen=True, kw_only=True):
    """The settings of parsers that learn from the training trees again and again."""

    epochs: Annotated[Size, "largest number of epochs"] = 15
    patience: Annotated[Count, "stop after so many epochs without a better dev F1; 0: never"] = 0
    choose: Annotated[Literal["f1", "last"], "epoch to keep: the best dev F1, or the last"] = "f1"


class Description(SettingsTable, frozen=True, kw_only=True):
    """What people should know about a model; only `language` has to do with how it is made."""

    language: Annotated[str, "language of the training trees, in English"] = ""
    trained_on: Annotated[str, "what the training trees are, in words"] = ""
    labels: Annotated[str, "label set of the training trees; see `crossbranch labels`"] = ""
    licence: Annotated[str, "licence of the model"] = ""
    attribution: Annotated[str, "whom to name: the source of the training trees"] = ""


class SearchOptions(SettingsTable, frozen=True, kw_only=True):
    """What users may say when they parse. A kind of parser adds fields; this one has none."""

    word: ClassVar[str] = "option"


def setting_types(kind: type[SettingsTable]) -> dict[str, Any]:
    """Return the annotated type of each setting."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in kind.__struct_fields__}


def meanings(kind: type[SettingsTable]) -> dict[str, str]:
    """Return the meaning of each setting."""
    return {name: _meaning(type) for name, type in setting_types(kind).items()}


def merged(values: Mapping[str, Any], changes: Mapping[str, object]) -> dict[str, Any]:
    """Return values with changes; tables are merged, everything else is replaced."""
    found = dict(values)
    for name, value in changes.items():
        old = found.get(name)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            value = merged(old, value)
        found[name] = value
    return found


def read_assignments(assignments: Iterable[str]) -> dict[str, object]:
    """Read `key=value` texts, as users give them on the command line.

    >>> read_assignments(["beam=4", "task.pos.layers=2"])
    {'beam': '4', 'task': {'pos': {'layers': '2'}}}
    """
    values: dict[str, object] = {}
    for text in assignments:
        name, equals, value = text.partition("=")
        *tables, last = name.strip().replace("-", "_").split(".")
        if not equals or not last or not all(tables):
            raise UsageError(f"--set {text!r}: expected key=value")
        change: dict[str, object] = {last: value.strip()}
        for table in reversed(tables):
            change = {table: change}
        values = merged(values, change)
    return values


def read_toml(text: str, *, path: str) -> dict[str, Any]:
    """Return what a TOML text says; errors name `path`."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column \d+\)", str(error))
        line = int(place[1]) if place else None
        found = str(error).removesuffix(place[0] if place else "")
        raise InputError(f"{found[:1].lower()}{found[1:]}", "TOML", path=path, line=line) from None


def to_toml(settings: SettingsTable, *, table: str = "") -> str:
    """Write settings as TOML, each below its meaning; `table` is the name above them."""
    types = setting_types(type(settings))
    lines = [f"[{table}]\n"] if table else []
    tables: dict[str, SettingsTable] = {}
    for name, kind in types.items():
        value = getattr(settings, name)
        if isinstance(value, SettingsTable):
            tables[name] = value
        elif isinstance(value, dict):
            tables |= {f"{name}.{toml_key(key)}": each for key, each in value.items()}
        elif value is not None:
            lines.append(f"# {_meaning(kind)}\n{name} = {toml_value(value)}\n")
    prefix = f"{table}." if table else ""
    lines += [to_toml(value, table=f"{prefix}{name}") for name, value in tables.items()]
    return "\n".join(lines)


def toml_key(name: str) -> str:
    """Return a key as TOML spells it."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml_value(name)


def toml_value(value: object) -> str:
    """Return a value as TOML spells it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):  # the strings of JSON are strings of TOML, but for one character
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    assert isinstance(value, list | tuple)
    return f"[{', '.join(map(toml_value, value))}]"


def expected(kind: Any) -> str:
    """Say in words which values an annotated type takes."""
    bare = _bare(kind)
    if get_origin(bare) is Literal:
        return f"one of {', '.join(get_args(bare))}"
    if get_origin(bare) is tuple:
        return "names, between commas"
    if get_origin(bare) is dict or _is_table(bare):
        return "a table"
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}[bare]
    for meta in _notes(kind):
        if isinstance(meta, Meta):
            words += f" of at least {meta.ge}"
            words += f" and at most {meta.le}" if meta.le is not None else ""
    return words


def _checked(name: str, value: object, kind: Any) -> Any:
    bare = _bare(kind)
    if value is None and _is_optional(kind):
        return None
    if _is_table(bare):
        return _table(name, value, bare)
    if get_origin(bare) is dict:
        if not isinstance(value, Mapping):
            raise _refuse(name, value, kind)
        table = get_args(bare)[1]
        return {key: _table(f"{name}.{key}", each, table) for key, each in value.items()}
    if get_origin(bare) is tuple and isinstance(value, str):
        value = [part for part in map(str.strip, value.split(",")) if part]
    if bare is bool:
        value = _TRUTH.get(value.lower(), value) if isinstance(value, str) else value
        if not isinstance(value, bool):
            raise _refuse(name, value, kind)
        return value
    if isinstance(value, bool) or (bare is str and not isinstance(value, str)):
        raise _refuse(name, value, kind)
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        raise _refuse(name, value, kind) from None


def _table(name: str, value: object, kind: type[SettingsTable]) -> SettingsTable:
    if isinstance(value, kind):
        return value
    if not isinstance(value, Mapping):
        raise _refuse(name, value, kind)
    return kind.of(value, within=f"{name.partition(' ')[2]}.")


def _refuse(name: str, value: object, kind: Any) -> UsageError:
    return UsageError(f"the {name} is {value!r}, expected {expected(kind)}")


def _plain(value: Any) -> Any:
    if isinstance(value, SettingsTable):
        return value.to_dict()
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value


def _notes(kind: Any) -> Iterable[Any]:
    """Yield what annotations add to a type, also inside of `X | None`."""
    if get_origin(kind) is Annotated:
        yield from kind.__metadata__
        yield from _notes(get_args(kind)[0])
    elif _is_union(kind):
        for part in get_args(kind):
            yield from _notes(part)


def _meaning(kind: Any) -> str:
    return next((note for note in _notes(kind) if isinstance(note, str)), "")


def _bare(kind: Any) -> Any:
    """Return a type without its annotations, and without None."""
    while True:
        if get_origin(kind) is Annotated:
            kind = get_args(kind)[0]
        elif _is_union(kind):
            (kind,) = (part for part in get_args(kind) if part is not NoneType)
        else:
            return kind


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in (Union, UnionType)


def _is_optional(kind: Any) -> bool:
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    return _is_union(kind)


def _is_table(bare: Any) -> bool:
    return isinstance(bare, type) and issubclass(bare, SettingsTable)
