"""Settings of parsers and search options, as typed, immutable values.

Settings come from TOML (presets, and the `config.toml` of a model), from keyword arguments, and
from `--set key=value` on the command line. `SettingsTable.of` checks them all. `to_toml` writes
each setting below its meaning, so that people can read the settings of a model.

Each kind of parser has its own settings: a class that derives from `Settings`, in the folder of
the parser. A setting is a number, a text, true or false, a list of names, or a table. A table is a
field of type `SettingsTable`, or `dict[str, SettingsTable]` for tables such as `[task.pos]`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
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

from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError, shown
from crossbranch.ranges import Count, Epochs, Few, Folds, Seed, Share, Threads, Weight, in_words
from crossbranch.toml_texts import toml_comment, toml_key, toml_value

Names = tuple[str, ...]
Part = Literal["parser", "tagger", "tokenizer", "functions", "lemmas"]
"""A part of a model that learns from training data."""
_DEEPEST = 8  # tables in tables
_TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class SettingsTable(msgspec.Struct, frozen=True, kw_only=True):
    """Settings by name. The text in the annotation of each field is its meaning."""

    word: ClassVar[str] = "setting"
    """The word for one of them in messages."""

    @classmethod
    @door
    def of(cls, values: Mapping[str, object], *, within: str = "") -> Self:
        """Make settings from values by name. Settings that are not given have their defaults.

        Args:
            values: The values. A text such as "4" or "true" becomes a number or a truth value if
                the setting needs one.
            within: The name of the table that contains them, for messages.
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
        expected = f"one of {known}" if known else f"no {cls.word}s"
        return UsageError(f"unknown {cls.word} {within + name!r}; expected {expected}")

    @door
    def changed(self, values: Mapping[str, object]) -> Self:
        """Return settings with some values replaced. Tables keep the values that are not given."""
        return type(self).of(merged(self.to_dict(), values))

    def to_dict(self) -> dict[str, Any]:
        """Return all values by name, tables as dicts."""
        return {name: _plain(getattr(self, name)) for name in self.__struct_fields__}


class SourceSettings(SettingsTable, frozen=True, kw_only=True):
    """How a model learns from one of several sources of training data."""

    weight: Annotated[
        Weight,
        "how often the parser sees each sentence in an epoch; 2: twice; 0.3: another 30 % of the"
        " sentences in each epoch; 1.5: all sentences, and another half of them again",
    ] = 1.0
    tagger_weight: Annotated[
        Weight, "how often the tagger sees each sentence in an epoch; as for weight"
    ] = 1.0
    teaches: Annotated[
        tuple[Part, ...], "parts of the model that learn from it; empty: all for which it has data"
    ] = ()


class TagFiles(SettingsTable, frozen=True, kw_only=True):
    """Files with tags, each beside a treebank with the same sentences; empty: the tags of trees."""

    train: Annotated[str, "file with the tags of the training trees"] = ""
    dev: Annotated[str, "file with the tags of the dev trees"] = ""
    test: Annotated[str, "file with the tags of the test trees of an experiment"] = ""


class AugmentSettings(SettingsTable, frozen=True, kw_only=True):
    """Changed copies of training sentences, as everyday text is written: the share of each."""

    no_final_mark: Annotated[Share, "share without the final period, ? or !"] = 0.0
    lower_first: Annotated[Share, "share with a small letter at the beginning"] = 0.0
    all_lower: Annotated[Share, "share in small letters"] = 0.0
    all_caps: Annotated[Share, "share in capitals"] = 0.0
    typographic_quotes: Annotated[Share, "share with curved quotes and apostrophes"] = 0.0


class Settings(SettingsTable, frozen=True, kw_only=True):
    """The settings that every parser has."""

    without_effect: ClassVar[frozenset[str]] = frozenset({"threads"})
    """Settings that do not change the model: training may be resumed with other values."""

    parser: Annotated[str, "kind of parser"] = "linear-transition"
    prepare: Annotated[
        str, "transforms of the training and dev trees; parsed trees stay transformed"
    ] = ""
    seed: Annotated[Seed, "random seed; the same seed gives the same model"] = 1
    threads: Annotated[Threads, "number of cores for training; does not change the model"] = 1
    tags: Annotated[
        Literal["predicted", "gold", "own", "none"],
        "tags to learn from; predicted: by a tagger, which becomes part of the model;"
        " gold: the tags of the trees; own: the parser predicts tags itself; none: only words",
    ] = "predicted"
    tags_from: Annotated[
        TagFiles | None, "files with tags that the parser sees instead, with tags = gold"
    ] = None
    folds: Annotated[
        Folds, "parts of the training trees; each is tagged by a tagger trained on the others"
    ] = 5
    tagger_epochs: Annotated[Epochs, "number of epochs for the tagger"] = 8
    tagger_voters: Annotated[Few, "number of taggers with different seeds; their mean tags"] = 1
    tagger_backward: Annotated[bool, "tag each sentence from its end to its beginning"] = False
    tagger_wide: Annotated[
        bool, "the tagger looks at three words together, and at words three places away, too"
    ] = False
    tags_like: Annotated[
        str, "source whose way of tagging is followed where sources differ; empty: all alike"
    ] = ""
    lemmas: Annotated[
        bool, "learn lemmas, if the training data have them and tags are not none"
    ] = True
    casing: Annotated[
        bool, "read sentences that are all in capitals or in small letters in the usual casing"
    ] = True
    clusters: Annotated[str, "table of word clusters: a file, or spacy:LANGUAGE"] = ""
    dictionary: Annotated[
        str, "dictionary for the tagger, with casings and parts of speech: spacy:LANGUAGE"
    ] = ""
    heads: Annotated[
        str, "head rules: a name or a file; auto: by the labels; none: use the marks in the trees"
    ] = "auto"
    functions: Annotated[
        bool, "learn the functions (edge labels) of the trees, if they have any"
    ] = True
    source: Annotated[
        dict[str, SourceSettings], "how the model learns from each source of training data"
    ] = {}
    augment: Annotated[
        AugmentSettings | None, "changed copies of training sentences to learn from"
    ] = None

    def in_words(self) -> dict[str, str]:
        """Return short texts for the list of presets, by heading. Kinds of parsers override it."""
        return {}


class EpochSettings(Settings, frozen=True, kw_only=True):
    """The settings of parsers that learn in epochs."""

    epochs: Annotated[Epochs, "maximum number of epochs"] = 15
    patience: Annotated[
        Count, "stop after this many epochs without a better dev F1; 0: do not stop early"
    ] = 0
    choose: Annotated[
        Literal["f1", "last"], "epoch to keep; f1: the one with the best dev F1; last: the last one"
    ] = "f1"


class Description(SettingsTable, frozen=True, kw_only=True):
    """Information about a model for its users. Only `language` has an effect on training."""

    language: Annotated[str, "language of the training trees, in English"] = ""
    text: Annotated[str, "kind of text that the model is for, such as `news`"] = ""
    trained_on: Annotated[str, "description of the training trees"] = ""
    labels: Annotated[str, "label set of the training trees; see `crossbranch labels`"] = ""
    licence: Annotated[str, "licence of the model"] = ""
    attribution: Annotated[str, "source of the training trees, to be named by users"] = ""


class SearchOptions(SettingsTable, frozen=True, kw_only=True):
    """The options that users may give when they parse. Kinds of parsers derive from this class."""

    word: ClassVar[str] = "option"


@cache
def setting_types(kind: type[SettingsTable]) -> dict[str, Any]:
    """Return the annotated type of each setting."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in kind.__struct_fields__}


def meanings(kind: type[SettingsTable]) -> dict[str, str]:
    """Return the meaning of each setting."""
    return {name: _meaning(type) for name, type in setting_types(kind).items()}


def merged(values: Mapping[str, Any], changes: Mapping[str, object]) -> dict[str, Any]:
    """Return values with changes. Tables are merged, other values are replaced."""
    found = dict(values)
    for name, value in changes.items():
        old = found.get(name)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            value = merged(old, value)
        found[name] = value
    return found


def read_assignments(assignments: Iterable[str]) -> dict[str, object]:
    """Read `key=value` texts, as users give them on the command line.

    In the names of settings, "-" is the same as "_"; names that users choose are kept.

    >>> read_assignments(["min-update=4", "source.my-trees.weight=2"])
    {'min_update': '4', 'source': {'my-trees': {'weight': '2'}}}
    """
    values: dict[str, object] = {}
    for text in assignments:
        name, equals, value = text.partition("=")
        *tables, last = name.strip().split(".")
        if not equals or not last or not all(tables) or len(tables) > _DEEPEST:
            raise UsageError(f"--set {shown(text)}: expected key=value")
        last, tables[:1] = last.replace("-", "_"), [one.replace("-", "_") for one in tables[:1]]
        change: dict[str, object] = {last: value.strip()}
        for table in reversed(tables):
            change = {table: change}
        values = merged(values, change)
    return values


def read_toml(text: str, *, path: str) -> dict[str, Any]:
    """Read TOML. Errors name `path`."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # integers of 5,000 digits, tables in tables
        place = re.search(r" \(at line (\d+), column \d+\)", str(error))
        line = int(place[1]) if place else None
        found = str(error).removesuffix(place[0] if place else "")
        if isinstance(error, RecursionError):
            found = "lists or tables that are nested too deeply"
        raise InputError(f"{found[:1].lower()}{found[1:]}", "TOML", path=path, line=line) from None


def to_toml(settings: SettingsTable, *, table: str = "", meaning: str = "") -> str:
    """Return settings as TOML, each below its meaning; `table` is the name of their table."""
    lines = [f"{toml_comment(meaning)}[{table}]\n"] if table else []
    prefix = f"{table}." if table else ""
    below = []
    for name, kind in setting_types(type(settings)).items():
        value, text = getattr(settings, name), _meaning(kind)
        if isinstance(value, SettingsTable):
            below.append(to_toml(value, table=prefix + name, meaning=text))
        elif isinstance(value, dict):
            tables = {f"{prefix}{name}.{toml_key(key)}": each for key, each in value.items()}
            below += [to_toml(each, table=key) for key, each in tables.items()]
        elif value is not None:
            lines.append(f"{toml_comment(text)}{name} = {toml_value(value)}\n")
    return "\n".join(lines + below)


def missing_tables(settings: SettingsTable) -> list[str]:
    """Return as TOML, with defaults, each table that these settings lack and users may add."""
    found = []
    for name, kind in setting_types(type(settings)).items():
        is_many = get_origin(_bare(kind)) is dict
        table = get_args(_bare(kind))[1] if is_many else _bare(kind)
        if _is_table(table) and not getattr(settings, name):
            place = f"{name}.NAME" if is_many else name
            found.append(to_toml(table(), table=place, meaning=_meaning(kind)))
    return found


def expected(kind: Any) -> str:
    """Describe the values that an annotated type accepts."""
    bare = _bare(kind)
    if get_origin(bare) is Literal:
        return f"one of {', '.join(get_args(bare))}"
    if get_origin(bare) is tuple:
        known = get_args(get_args(bare)[0])
        among = f" among {', '.join(known)}" if known else ""
        return f"names{among}, separated by commas"
    if get_origin(bare) is dict or _is_table(bare):
        return "a table"
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}[bare]
    for meta in _notes(kind):
        if isinstance(meta, Meta):
            words += f" {in_words(meta)}"
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
    except (msgspec.ValidationError, UnicodeEncodeError):  # half of a surrogate pair is no number
        raise _refuse(name, value, kind) from None


def _table(name: str, value: object, kind: type[SettingsTable]) -> SettingsTable:
    if isinstance(value, kind):
        return value
    if not isinstance(value, Mapping):
        raise _refuse(name, value, kind)
    return kind.of(value, within=f"{name.partition(' ')[2]}.")


def _refuse(name: str, value: object, kind: Any) -> UsageError:
    return UsageError(f"the {name} is {shown(value)}, expected {expected(kind)}")


def _plain(value: Any) -> Any:
    if isinstance(value, SettingsTable):
        return value.to_dict()
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value


def _notes(kind: Any) -> Iterable[Any]:
    """Yield the annotations of a type, also inside `X | None`."""
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
    return _is_union(get_args(kind)[0] if get_origin(kind) is Annotated else kind)


def _is_table(bare: Any) -> bool:
    return isinstance(bare, type) and issubclass(bare, SettingsTable)
