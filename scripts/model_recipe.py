"""Reads the recipe of a model that ships: settings for `crossbranch train`, and its data.

Usage: python model_recipe.py RECIPE FOLDER SETTINGS

RECIPE is a file in scripts/models. Its table [data] names the files that the model learns from, is
chosen by, and is checked on, relative to FOLDER:

    [data]                          [data.train]
    train = "a/train.export.xz"     news = "a/train.export.xz"
    dev = "a/dev.export.xz"         mail = "b/train.conllu.xz"

Everything else goes to the file SETTINGS. The options with the data are printed, one on each line.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KINDS = ("train", "dev", "check")
_DATA = re.compile(r"^\[data[.\]].*?(?=^\[(?!data[.\]])|\Z)", re.MULTILINE | re.DOTALL)


def split_recipe(text: str) -> tuple[str, dict[str, Any]]:
    """Return the settings of a recipe as TOML, and its table of data."""
    settings = _DATA.sub("", text)
    data = tomllib.loads(text).get("data", {})
    if tomllib.loads(settings) | {"data": data} != tomllib.loads(text) | {"data": data}:
        raise ValueError("a table [data] that cannot be separated from the settings")
    if "train" not in data or not set(data) <= set(KINDS):
        raise ValueError(f"data for {', '.join(data) or 'nothing'}; expected {', '.join(KINDS)}")
    return settings, data


def files(data: dict[str, Any], folder: Path) -> Iterator[tuple[str, str, Path]]:
    """Yield the kind, the name ("" if it has none) and the path of each file."""
    for kind in KINDS:
        named = data.get(kind, {})
        for name, path in ({"": named} if isinstance(named, str) else named).items():
            yield kind, name, folder / path


def main(recipe: str, folder: str, settings: str) -> None:
    """Write the settings, and print the options."""
    text, data = split_recipe(Path(recipe).read_text(encoding="utf-8"))
    found = list(files(data, Path(folder)))
    if missing := [str(path) for _, _, path in found if not path.is_file()]:
        sys.exit(f"error: there is no {', no '.join(missing)}")
    Path(settings).write_text(text, encoding="utf-8")
    for kind, name, path in found:
        sys.stdout.write(f"--{kind}\n{f'{name}=' if name else ''}{path}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
