"""Every number has a largest value: all settings, all options, wherever they are given."""

import math
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

import click
import msgspec
import pytest
from click.testing import CliRunner

import crossbranch as cb
from crossbranch.cli import crossbranch as commands
from crossbranch.config import (
    Description,
    SettingsTable,
    read_assignments,
    read_toml,
    setting_types,
)
from crossbranch.errors import CrossbranchError, InputError, UsageError, shown
from crossbranch.models import shipped
from crossbranch.parsers import PARSERS
from crossbranch.parsers.presets import PRESETS, find_preset
from crossbranch.parsers.training import recipe_of
from crossbranch.ranges import Beam, Share, Weight, check_number, limits, require_positive

HUGE = (10**9 + 1, 2**31, 2**63, 2**64, 2**70, 10**5000)


def numbers(kind: Any) -> Iterator[Any]:
    """The numbers in the type of a setting, also inside lists and `X | None`."""
    bare = get_args(kind)[0] if hasattr(kind, "__metadata__") else kind
    if bare in (int, float):
        yield kind
    elif get_origin(bare) is not None or hasattr(kind, "__metadata__"):
        for part in get_args(bare) if bare is not kind else get_args(kind):
            yield from numbers(part)


def tables(kind: type[SettingsTable]) -> Iterator[type[SettingsTable]]:
    """A class of settings, and those of the tables in it."""
    yield kind
    for found in setting_types(kind).values():
        yield from (each for one in parts(found) for each in tables(one))


def parts(kind: Any) -> Iterator[type[SettingsTable]]:
    if isinstance(kind, type) and issubclass(kind, SettingsTable) and kind is not SettingsTable:
        yield kind
    for part in get_args(kind):
        yield from parts(part)


ALL_TABLES = {
    table
    for parser in PARSERS.values()
    for kind in (parser.settings_type, parser.options_type, Description)
    for table in tables(kind)
}
NUMBERS = [
    (table, name, kind)
    for table in sorted(ALL_TABLES, key=lambda table: table.__name__)
    for name, annotated in setting_types(table).items()
    for kind in numbers(annotated)
]


def test_the_walk_finds_the_numbers() -> None:
    found = {f"{table.__name__}.{name}" for table, name, _ in NUMBERS}
    assert {"LinearTransitionSettings.beam", "EncoderSettings.hidden", "TaskSettings.level"} < found
    assert {"TaskSettings.farthest", "PlcfrsOptions.seconds", "SourceSettings.weight"} < found


def test_every_setting_has_a_smallest_and_a_largest_value() -> None:
    endless = [
        f"{table.__name__}.{name}"
        for table, name, kind in NUMBERS
        if not any(
            isinstance(note, msgspec.Meta)
            and note.le is not None
            and (note.ge is not None or note.gt is not None)
            for note in kind.__metadata__
        )
    ]
    assert not endless


@pytest.mark.parametrize(
    "value", [*HUGE, -(2**70), math.inf, -math.inf, math.nan, [[[]]], {}, b""], ids=shown
)
def test_settings_refuse_nonsense_in_one_line(value: Any) -> None:
    for table, name, _ in NUMBERS:
        if name == "seed" and isinstance(value, int) and value < 2**63:
            continue  # any number that fits a machine
        with pytest.raises(UsageError, match=rf"{name} is .*, expected a") as caught:
            table.of({name: value})
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 600


def all_options() -> Iterator[tuple[str, click.Parameter]]:
    def walk(command: click.Command, name: str) -> Iterator[tuple[str, click.Parameter]]:
        if isinstance(command, click.Group):
            for each in command.list_commands(context):
                found = command.get_command(context, each)
                assert found is not None
                yield from walk(found, f"{name} {each}")
        else:
            yield from ((name, option) for option in command.params)

    context = click.Context(commands)
    yield from walk(commands, "crossbranch")


def test_every_option_with_a_number_has_a_range() -> None:
    kinds = (click.types.IntParamType, click.types.FloatParamType)
    found = [(name, option) for name, option in all_options() if isinstance(option.type, kinds)]
    assert len(found) > 30
    endless = [
        f"{name} {option.name}"
        for name, option in found
        if getattr(option.type, "min", None) is None or getattr(option.type, "max", None) is None
    ]
    assert not endless


@pytest.mark.parametrize("value", ["10001", "100000", str(2**64), "9" * 5000, "1e9", "0"])
def test_a_beam_that_no_machine_can_search(value: str) -> None:
    for arguments in (["parse", "en", "a"], ["train", "sr-gap", "--train", "x", "--out", "y"]):
        for option in (["--beam", value], ["--set", f"beam={value}"]):
            result = CliRunner().invoke(commands, [*arguments, *option])
            error = result.output + str(result.exception)
            assert result.exit_code in (1, 2)
            assert isinstance(result.exception, (SystemExit, CrossbranchError))
            assert "1<=x<=10000" in error or "at most 10000" in error or "valid integer" in error


def test_the_range_is_the_same_from_python() -> None:
    parser = cb.load("en-bio")
    for beam in (10_001, 2**64, 10**5000, 0, -1, 1.5, "many", [4]):
        with pytest.raises(UsageError, match=r"the option beam is .*at most 10000"):
            parser.parse(["a"], beam=beam)
    for threads in (0, -1, 1025, 2**70):
        with pytest.raises(UsageError, match=r"threads is .*, expected"):
            parser.parse_many([["a"]], threads=threads)
        with pytest.raises(UsageError, match=r"k_best is .*, expected"):
            parser.parse_k_best([["a"]], threads * 10)
    wrong: Any = "2"
    with pytest.raises(TypeError, match="threads is '2', expected a whole number"):
        parser.parse_many([["a"]], threads=wrong)


def test_shipped_models_and_presets_are_within_the_ranges() -> None:
    for name in PRESETS:
        recipe_of(name, {})
    for folder in shipped().values():
        recipe_of(folder / "config.toml", {})


NONSENSE = {
    "deep lists": f"beam = {'[' * 100_000}",
    "deep tables": f"beam = {'{a=' * 20_000}1{'}' * 20_000}",
    "deep names": f"{'a.' * 20_000}b = 1",
    "a long integer": f"beam = {'9' * 5000}",
    "a long hexadecimal integer": f"beam = 0x{'f' * 20_000}",
    "a parser that is a table": "parser = {}",
    "a parser that is a list": "parser = []",
    "a parser that is a number": "parser = 7",
    "a description that is a list": 'parser = "linear-transition"\ndescription = []',
    "about that is a number": 'parser = "linear-transition"\nabout = 5',
    "a number that is not one": 'parser = "linear-transition"\nbeam = nan',
    "an endless number": 'parser = "linear-transition"\nbeam = inf',
    "a date": 'parser = "linear-transition"\nbeam = 2020-01-01',
    "a NUL": 'parser = "linear-transition"\nheads = "a\\u0000b"',
}


@pytest.mark.parametrize("text", NONSENSE.values(), ids=NONSENSE.keys())
def test_nonsense_in_presets_and_models(tmp_path: Path, text: str) -> None:
    preset = tmp_path / "mine.toml"
    preset.write_text(text, encoding="utf-8")
    with pytest.raises(CrossbranchError) as caught:
        cb.train(preset, train=[cb.Tree.from_string("(S (NP a) (VP b))")])
    assert "\n" not in str(caught.value)
    from crossbranch.models.folder import ModelParts, open_model, write_model

    old = open_model(shipped()["en-bio"])
    files = {name: old.data(name) for name in old.manifest.files}
    files["config.toml"] = text.encode()
    if "heads" in text:
        return  # a model has its head rules inside
    write_model(tmp_path / "model", ModelParts(files=files))
    with pytest.raises(InputError, match=r"config\.toml") as read:
        cb.load(tmp_path / "model")
    assert "\n" not in str(read.value)


@pytest.mark.parametrize("name", ["a\0b", "a/b", "..", "", "a\nb", "x" * 5000])
def test_names_in_a_manifest(tmp_path: Path, name: str) -> None:
    shutil.copytree(shipped()["en-bio"], tmp_path / "model")
    manifest = tmp_path / "model" / "manifest.json"
    content = msgspec.json.decode(manifest.read_bytes())
    content["files"][name] = content["files"]["weights.bin"]
    manifest.write_bytes(msgspec.json.encode(content))
    with pytest.raises(InputError, match=r"manifest\.json: found the file name"):
        cb.load(tmp_path / "model")


def test_random_nonsense_never_ends_in_anything_but_one_clear_line() -> None:
    rng = random.Random(7)
    pieces = ["9" * 400, "task.pos", "source.a", "encoder", "beam", "0x", "nan", "inf", "true"]
    pieces += [*"=[]{}1-e\"'\n.\0é,#\\u"]
    for _ in range(1500):
        text = "".join(rng.choice(pieces) for _ in range(rng.randint(1, 12)))
        try:
            values = read_toml(text, path="x")
            recipe_of("sr-gap", values)
            recipe_of("span", values)
        except CrossbranchError as error:
            assert "\n" not in str(error)
        try:
            recipe_of("sr-gap", read_assignments([text]))
        except CrossbranchError as error:
            assert "\n" not in str(error).replace(text, "")


def test_assignments_that_are_nested_too_deeply() -> None:
    with pytest.raises(UsageError, match="expected key=value"):
        read_assignments(["a." * 50_000 + "b=1"])


def test_messages_show_any_value_shortly() -> None:
    nested: Any = []
    for _ in range(100_000):
        nested = [nested]
    assert shown(nested) == "a value of type list"
    assert shown(-(10**5000)).startswith("a number of about 5,0")
    assert len(shown("x" * 10_000)) < 250
    while nested:
        (nested,) = nested


def test_numbers_at_the_ends_of_their_ranges() -> None:
    check_number("beam", 10_000, Beam)
    check_number("weight", 0.001, Weight)
    for value, kind in ((0, Weight), (math.nan, Share), (10_001, Beam)):
        with pytest.raises(UsageError, match=r"x is .*, expected a"):
            check_number("x", value, kind)
    for wrong in (True, None, "4", 4.0):
        with pytest.raises(TypeError, match="expected a whole number"):
            check_number("x", wrong, Beam)
    with pytest.raises(UsageError, match="voters is 0, expected at least 1"):
        require_positive(voters=0)
    assert limits(int) is None


def test_a_preset_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="unknown preset"):
        find_preset("a\0b")
    with pytest.raises(UsageError, match="unknown preset"):
        find_preset("x" * 5000)
