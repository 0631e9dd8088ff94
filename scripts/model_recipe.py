"""Reads the recipe of a model that ships: settings for `crossbranch train`, and its data.

Usage: python model_recipe.py RECIPE FOLDER SETTINGS

RECIPE is a file in scripts/models. Its table [data] names the files that the model learns from, is
chosen by, and is checked on, relative to FOLDER (those in scripts/: to the repository):

    [data]                          [data.train]
    train = "a/train.export.xz"     news = "a/train.export.xz"
    dev = "a/dev.export.xz"         mail = "b/train.conllu.xz"

Everything else goes to the file SETTINGS. The options with the data are printed, one on each line.

A table [data.silver.NAME] asks for silver trees: the model `teacher`, which ships or is a recipe
here, parses the file `text`, and the other values are options of `crossbranch silver`. Before the
options, there is a line for each of them: silver, its file in build, the teacher, and the
arguments.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KINDS = ("train", "dev", "check")
SILVER = "silver"
OWN = "scripts/"  # files of this repository
_DATA = re.compile(r"^\[data[.\]].*?(?=^\[(?!data[.\]])|\Z)", re.MULTILINE | re.DOTALL)


def split_recipe(text: str) -> tuple[str, dict[str, Any]]:
    """Return the settings of a recipe as TOML, and its table of data."""
    settings = _DATA.sub("", text)
    data = tomllib.loads(text).get("data", {})
    if tomllib.loads(settings) | {"data": data} != tomllib.loads(text) | {"data": data}:
        raise ValueError("a table [data] that cannot be separated from the settings")
    if "train" not in data or not set(data) <= {*KINDS, SILVER}:
        known = ", ".join([*KINDS, SILVER])
        raise ValueError(f"data for {', '.join(data) or 'nothing'}; expected {known}")
    return settings, data


def files(data: dict[str, Any], folder: Path) -> Iterator[tuple[str, str, Path]]:
    """Yield the kind, the name ("" if it has none) and the path of each file."""
    for kind in KINDS:
        named = data.get(kind, {})
        for name, path in ({"": named} if isinstance(named, str) else named).items():
            yield kind, name, Path(path) if path.startswith(OWN) else folder / path


def silver(data: dict[str, Any], folder: Path) -> Iterator[tuple[str, str, str, list[str]]]:
    """Yield name, file and teacher of silver trees, and the arguments of the command."""
    for name, table in data.get(SILVER, {}).items():
        arguments = [str(folder / table["text"])]
        for key, value in table.items():
            if key not in ("teacher", "text"):
                arguments += [f"--{key.replace('_', '-')}", str(value)]
        teacher = table["teacher"]
        yield name, f"build/{name}-{teacher}.export.xz", teacher, arguments


def main(recipe: str, folder: str, settings: str) -> None:
    """Write the settings, and print the options."""
    text, data = split_recipe(Path(recipe).read_text(encoding="utf-8"))
    found = list(files(data, Path(folder)))
    if missing := [str(path) for _, _, path in found if not path.is_file()]:
        sys.exit(f"error: there is no {', no '.join(missing)}")
    Path(settings).write_text(text, encoding="utf-8")
    for name, path, teacher, arguments in silver(data, Path(folder)):
        sys.stdout.write("\t".join([SILVER, path, teacher, *arguments]) + "\n")
        sys.stdout.write(f"--train\n{name}={path}\n")
    for kind, name, path in found:
        sys.stdout.write(f"--{kind}\n{f'{name}=' if name else ''}{path}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
