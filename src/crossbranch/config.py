"""Settings as typed, immutable values: what a parser is, and how it is trained.

Settings come from TOML (presets, and `config.toml` of a model), from keyword arguments, and from
`--set key=value` on the command line; `Settings.of` checks them all. `to_toml` writes them with
their meanings, so that a model's folder explains itself.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, Self, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from crossbranch.errors import InputError, UsageError

Count = Annotated[int, Meta(ge=0)]
Byte = Annotated[int, Meta(ge=0, le=255)]
Size = Annotated[int, Meta(ge=1)]
Folds = Annotated[int, Meta(ge=2)]
Amount = Annotated[float, Meta(ge=0)]
Names = tuple[str, ...]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings that every parser has; the text beside each is its meaning."""

    parser: Annotated[str, "kind of parser"] = "transition"
    prepare: Annotated[str, "transforms of training and dev trees, never undone"] = ""
    epochs: Annotated[Size, "how often the training trees are gone through, at most"] = 15
    patience: Annotated[Count, "stop after so many epochs without a better dev F1; 0: never"] = 0
    choose: Annotated[Literal["f1", "last"], "epoch to keep: the best dev F1, or the last"] = "f1"
    seed: Annotated[int, "the same seed gives the same model"] = 1
    threads: Annotated[Size, "cores to train on; the model is the same"] = 1
    tags: Annotated[
        Literal["predicted", "gold"],
        "learn from tags as a tagger predicts them, and keep the tagger; or from gold tags",
    ] = "predicted"
    folds: Annotated[Folds, "parts of the training trees; a tagger of the others tags each"] = 5
    tagger_epochs: Annotated[Size, "how often the tagger goes through the training trees"] = 8
    clusters: Annotated[str, "table of word clusters: a file, or spacy:LANGUAGE"] = ""
    language: Annotated[str, "language of the training trees, in English"] = ""
    trained_on: Annotated[str, "what the training trees are, in words"] = ""
    labels: Annotated[str, "whose labels these are; see `crossbranch labels`"] = ""
    licence: Annotated[str, "licence of the model"] = ""
    attribution: Annotated[str, "whom to name: the source of the training trees"] = ""

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Self:
        """Make settings of values by name; what is not given has its default."""
        types = setting_types(cls)
        return cls(**{name: _checked(name, value, types) for name, value in values.items()})

    def changed(self, values: Mapping[str, object]) -> Self:
        """Return settings with some values replaced; texts stand for what they spell."""
        return type(self).of(self.to_dict() | dict(values))

    def to_dict(self) -> dict[str, Any]:
        """Return all values by name."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


class TransitionSettings(Settings, frozen=True, kw_only=True):
    """What a transition-based parser with a linear scorer is, and how it learns."""

    system: Annotated[str, "transition system"] = "gap"
    oracle: Annotated[str, "which derivation of a tree is learnt; auto: the system's own"] = "auto"
    features: Annotated[Names, "sets of feature templates: names, or files"] = ("baseline",)
    heads: Annotated[str, "head table: auto, a name, a file, or none: as in the trees"] = "auto"
    beam: Annotated[Size, "how many configurations are kept, in training and by default"] = 4
    update: Annotated[
        Literal["early", "restart", "max-violation"],
        "learn where gold leaves the beam; there, and go on from it; or where it is worst",
    ] = "early"
    importance: Annotated[Size, "how often a gold GAP or SWAP counts in an update"] = 1
    min_update: Annotated[Byte, "a feature counts after so many updates"] = 0
    batch: Annotated[Size, "sentences that are parsed with the same weights before an update"] = 1
    unknown_below: Annotated[Size, "rarer words are unknown words"] = 2
    prune: Annotated[Amount, "smaller weights are left out of the model"] = 0.0


def setting_types(kind: type[Settings]) -> dict[str, Any]:
    """Return the annotated type of each setting."""
    return get_type_hints(kind, include_extras=True)


def meanings(kind: type[Settings]) -> dict[str, str]:
    """Return the meaning of each setting."""
    return {
        name: next(note for note in type.__metadata__ if isinstance(note, str))
        for name, type in setting_types(kind).items()
    }


def read_assignments(assignments: Iterable[str]) -> dict[str, object]:
    """Take `key=value` texts apart, as users give them on the command line."""
    values: dict[str, object] = {}
    for text in assignments:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--set {text!r}: expected key=value")
        values[name.strip().replace("-", "_")] = value.strip()
    return values


def read_toml(text: str, *, path: str) -> dict[str, Any]:
    """Return what a TOML text says; `path` is named where it is wrong."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column \d+\)", str(error))
        line = int(place[1]) if place else None
        found = str(error).removesuffix(place[0] if place else "")
        raise InputError(f"{found[:1].lower()}{found[1:]}", "TOML", path=path, line=line) from None


def to_toml(settings: Settings) -> str:
    """Write settings as TOML, each below its meaning."""
    explained = meanings(type(settings))
    return "\n".join(
        f"# {explained[name]}\n{name} = {toml_value(value)}\n"
        for name, value in settings.to_dict().items()
    )


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


def _checked(name: str, value: object, types: Mapping[str, Any]) -> Any:
    if name not in types:
        raise UsageError(f"unknown setting {name!r}; there are {', '.join(sorted(types))}")
    kind = types[name]
    is_list = get_origin(_bare(kind)) is tuple
    if is_list and isinstance(value, str):
        value = [part for part in map(str.strip, value.split(",")) if part]
    if isinstance(value, bool) or (_bare(kind) is str and not isinstance(value, str)):
        raise _refuse(name, value, kind)
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        raise _refuse(name, value, kind) from None


def _refuse(name: str, value: object, kind: Any) -> UsageError:
    return UsageError(f"the setting {name} is {value!r}, expected {expected(kind)}")


def expected(kind: Any) -> str:
    """Say in words which values an annotated type takes."""
    bare = _bare(kind)
    if get_origin(bare) is Literal:
        return f"one of {', '.join(get_args(bare))}"
    if get_origin(bare) is tuple:
        return "names, between commas"
    words = {int: "a whole number", float: "a number", str: "a text"}[bare]
    for meta in kind.__metadata__:
        if isinstance(meta, Meta):
            words += f" of at least {meta.ge}"
            words += f" and at most {meta.le}" if meta.le is not None else ""
    return words


def _bare(kind: Any) -> Any:
    """Return a type without its annotations."""
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    return kind
