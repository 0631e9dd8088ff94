"""Reads an experiment file, and checks all of it before anything is trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from crossbranch.config import merged, read_toml
from crossbranch.disk import read_file
from crossbranch.errors import InputError, UsageError, shown
from crossbranch.experiments.experiment import Experiment, Files, Variant
from crossbranch.experiments.files import located
from crossbranch.experiments.variants import Changes, combinations, without, without_tasks
from crossbranch.parsers import PRESETS
from crossbranch.parsers.sources import check_names, check_source_name
from crossbranch.parsers.training import Recipe, check_recipe, recipe_of
from crossbranch.treebank import read as read_treebank

CONTROL = "-control"
"""The ending of the names of controls."""

_KEYS = (
    *("preset", "train", "dev", "test", "seeds", "out", "baseline", "control"),
    *("settings", "variant", "grid"),
)
_OF_VARIANTS = ("preset", "train", "without")  # all other keys of a variant are settings


def read(path: str | Path, *, out: str | Path | None = None, needs_data: bool = True) -> Experiment:
    """Read an experiment file.

    Args:
        path: The file. Paths in it are relative to its folder.
        out: The folder for models and results. The default is what the file says; if it says
            nothing, the name of the file without its ending.
        needs_data: Check that all treebanks are there. Without it, the results of an experiment can
            be read where its data are not.

    Raises:
        UsageError: A setting is wrong, or a file cannot be read.
        InputError: The file is not an experiment, or a treebank in it has no sentence.
    """
    return _File(Path(path), needs_data).experiment(out)


class _Base(NamedTuple):
    """What a variant starts from."""

    name: str
    preset: object
    train: object
    changes: Changes


class _File:
    """An experiment file while it is read."""

    def __init__(self, path: Path, needs_data: bool) -> None:
        try:
            text = read_file(path).decode("utf-8")
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            raise UsageError(f"cannot read {path}: {reason}") from None
        except UnicodeDecodeError:
            raise InputError("bytes that are not UTF-8", "UTF-8", path=str(path)) from None
        self.path = path
        self.folder = path.parent.absolute()
        self.values = read_toml(text, path=str(path))
        self.needs_data = needs_data
        self.readable: set[Path] = set()
        for key in self.values:
            if key not in _KEYS:
                raise self.input_error(f"the key {key!r}", f"one of {', '.join(_KEYS)}")

    def experiment(self, out: str | Path | None) -> Experiment:
        seeds = self._seeds()
        dev = self._files("dev", self.values["dev"]) if "dev" in self.values else None
        test = self._files("test", self.values["test"]) if "test" in self.values else None
        sets = _by_name("dev", dev) | _by_name("test", test)
        if not sets:
            raise self.input_error("neither dev nor test", "trees to score the parsers on")
        self._check_base()
        variants = [self._variant(base, dev) for base in self._bases()]
        variants = self._with_controls(variants, dev)
        return Experiment(
            path=self.path,
            out=self._out(out),
            variants=tuple(variants),
            seeds=seeds,
            baseline=self._baseline(variants),
            dev=dev,
            sets=sets,
        )

    def input_error(self, found: str, expected: str) -> InputError:
        return InputError(found, expected, path=str(self.path))

    def wrong(self, key: str, value: object, expected: str) -> InputError:
        return self.input_error(f"{key} = {shown(value)}", expected)

    def _table(self, key: str) -> dict[str, Any]:
        found = self.values.get(key, {})
        if not isinstance(found, dict):
            raise self.wrong(key, found, "a table")
        return found

    def _seeds(self) -> tuple[int, ...]:
        found = self.values.get("seeds", [1])
        good = isinstance(found, list) and all(type(seed) is int for seed in found)
        if not good or not found or len(set(found)) < len(found):
            raise self.wrong("seeds", found, "a list of different whole numbers")
        return tuple(found)

    def _out(self, given: str | Path | None) -> Path:
        if given is not None:
            return Path(given)
        found = self.values.get("out", self.path.stem)
        if not isinstance(found, str) or not found:
            raise self.wrong("out", found, "the name of a folder")
        place = self.path.parent / found
        if place.absolute() == self.path.absolute():
            raise self.input_error("no name for the output folder", "out = FOLDER")
        return place

    def _files(self, key: str, value: object) -> Files:
        """Return the path of a treebank, or the paths of several by name, and check them."""
        if isinstance(value, str) and value:
            return self._treebank(key, value)
        if not isinstance(value, dict) or not value:
            raise self.wrong(key, value, "a file, or a table of files by name")
        found = {}
        for name, file in value.items():
            if not isinstance(file, str) or not file:
                raise self.wrong(f"{key}.{name}", file, "a file")
            try:
                check_source_name(name)
            except UsageError as error:
                raise self._settings_error(key, error) from None
            found[name] = self._treebank(f"{key}.{name}", file)
        return found

    def _treebank(self, key: str, file: str) -> Path:
        path = self.folder / file
        if not self.needs_data or path in self.readable:
            return path
        if not path.exists():
            raise self.wrong(key, file, "a file or folder that is there")
        if next(iter(read_treebank(path, on_error="skip")), None) is None:
            raise self.wrong(key, file, "a treebank with at least one sentence")
        self.readable.add(path)
        return path

    def _check_base(self) -> None:
        """Check the settings of all variants, so that an error in them is found there."""
        for table in ("variant", "grid"):
            self._table(table)
        if "variant" in self.values and "grid" in self.values:
            raise self.input_error("both [variant] and [grid]", "one of them")
        if "preset" in self.values:
            preset = self._preset("preset", self.values["preset"])
            try:
                recipe_of(preset, self._table("settings"))
            except (UsageError, InputError) as error:
                raise self._settings_error("settings", error) from None

    def _settings_error(self, place: str, error: Exception) -> UsageError:
        return UsageError(f"{self.path}: [{place}]: {error}")

    def _preset(self, key: str, value: object) -> str | Path:
        if isinstance(value, str) and value in PRESETS:
            return value
        if isinstance(value, str) and (self.folder / value).is_file():
            return self.folder / value
        raise self.wrong(key, value, f"a file, or one of {', '.join(PRESETS)}")

    def _bases(self) -> list[_Base]:
        """Return what each variant starts from: the whole file, and its own table."""
        common = self._table("settings")
        if "grid" in self.values:
            tables = combinations(self._table("grid"), self.wrong)
        else:
            tables = self._table("variant")
        if not tables:
            tables = {Path(str(self.values.get("preset"))).stem: {}}
        found = []
        for name, table in tables.items():
            if not name.strip() or not name.isprintable():
                raise self.input_error(f"a variant with the name {name!r}", "printed characters")
            if not isinstance(table, dict):
                raise self.wrong(f"variant.{name}", table, "a table of settings")
            place = f"variant.{name}"
            left = self._removed(f"{place}.without", common, table.get("without", []))
            own = {key: value for key, value in table.items() if key not in _OF_VARIANTS}
            changes = merged(left, own)
            if "seed" in changes:
                raise self.wrong("seed", changes["seed"], "seeds = [...] at the top of the file")
            preset, train = (table.get(key, self.values.get(key)) for key in ("preset", "train"))
            found.append(_Base(name, preset, train, changes))
        return found

    def _removed(self, key: str, changes: Changes, names: object) -> Changes:
        """Return changes without some settings, which must be there."""
        left = changes
        for name in self._names(key, names):
            before, left = left, without(left, [name])
            if left == before:
                raise self.wrong(key, names, "names of settings in [settings]")
        return left

    def _names(self, key: str, value: object) -> Sequence[str]:
        found = [value] if isinstance(value, str) else value
        if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
            raise self.wrong(key, value, "the name of a setting, or a list of names")
        return found

    def _variant(self, base: _Base, dev: Files | None) -> Variant:
        place = f"variant.{base.name}"
        if base.preset is None:
            raise self.input_error(f"no preset for the variant {base.name!r}", "preset = NAME")
        if base.train is None:
            raise self.input_error(f"no training data for {base.name!r}", "train = FILE")
        preset = self._preset("preset", base.preset)
        train = self._files("train", base.train)
        try:
            recipe = recipe_of(preset, base.changes)
            settings = located(recipe.settings, self.folder)
            if self.needs_data:
                check_recipe(Recipe(settings, recipe.description), has_dev=dev is not None)
            check_names(train, settings)
        except (UsageError, InputError) as error:
            raise self._settings_error(place, error) from None
        return Variant(base.name, settings, recipe.description, train, base.changes)

    def _with_controls(self, variants: Sequence[Variant], dev: Files | None) -> list[Variant]:
        """Give each variant that has something to test a control without it."""
        if not self.values.get("control"):
            return list(variants)
        by_name = {base.name: base for base in self._bases()}
        found = list(variants)
        controls: list[Variant] = []
        for place, variant in enumerate(variants):
            control = self._control(variant, by_name[variant.name], dev)
            if _are_same(variant, control):
                continue
            same = next((one for one in (*variants, *controls) if _are_same(one, control)), None)
            if same is None:
                controls.append(same := control)
            found[place] = replace(variant, control=same.name)
        if found == list(variants):
            expected = "auxiliary tasks" if self.values["control"] is True else "settings"
            raise self.wrong("control", self.values["control"], f"{expected} that a variant has")
        for control in controls:
            if any(control.name == variant.name for variant in variants):
                raise self.input_error(f"a variant {control.name!r}", "another name: it is taken")
        return found + controls

    def _control(self, variant: Variant, base: _Base, dev: Files | None) -> Variant:
        """Return the same variant without what is tested."""
        name = variant.name + CONTROL
        if self.values["control"] is True:
            changes = merged(base.changes, {"auxiliary": False})
            settings = without_tasks(variant.settings)
            return replace(variant, name=name, settings=settings, changes=changes)
        changes = without(base.changes, self._names("control", self.values["control"]))
        return self._variant(base._replace(name=name, changes=changes), dev)

    def _baseline(self, variants: Sequence[Variant]) -> str:
        names = [variant.name for variant in variants]
        found = self.values.get("baseline", names[0])
        if found not in names:
            raise self.wrong("baseline", found, f"one of {', '.join(names)}")
        return str(found)


def _by_name(name: str, files: Files | None) -> dict[str, Path]:
    if isinstance(files, Path):
        return {name: files}
    return {f"{name}-{source}": path for source, path in (files or {}).items()}


def _are_same(one: Variant, other: Variant) -> bool:
    return (one.settings, one.description, one.train) == (
        *(other.settings, other.description, other.train),
    )
