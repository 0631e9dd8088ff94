"""The corpora that tables are made for: folders with train, dev and test."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from crossbranch.disk import read_file
from crossbranch.doors import door
from crossbranch.errors import UsageError
from crossbranch.parsers.sources import check_source_name
from crossbranch.treebank import FORMATS
from crossbranch.treebank.files import strip_compression

PARTS = ("train", "dev", "test")
TAGS = "-tags"
"""Ends the name of a file with the tags of another tagger, such as `test-tags.conllu`."""


@dataclass(frozen=True)
class Corpus:
    """A corpus: its name, and the file of each part that there is."""

    name: str
    parts: Mapping[str, Path]
    tags: Mapping[str, Path]
    """Files with the tags of another tagger, by part."""
    recipe: str = ""
    """The recipe that `crossbranch prepare` made the files with; empty if it is not known."""

    def scored(self, wanted: str) -> str:
        """Return the part to use: the one that is wanted, or the other one of dev and test."""
        if wanted in self.parts:
            return wanted
        return "dev" if wanted == "test" else "test"

    def has_tags(self, part: str) -> bool:
        """Return whether there are tags of another tagger for training, and for this part."""
        return not self.missing_tags(part)

    def missing_tags(self, part: str) -> list[str]:
        """Return for which parts there are no tags of another tagger: train, and this part."""
        return [one for one in ("train", part) if one not in self.tags]


@door
def find_corpus(text: str) -> Corpus:
    """Return the corpus in a folder.

    Args:
        text: `NAME=DIR`, or `DIR`. Without a name, it is the one that `crossbranch prepare` wrote
            into the folder; if there is none, it is the name of the folder.

    Raises:
        UsageError: There is no such folder, a part is missing or there twice, or the name has
            other characters than letters, digits, - and _.
    """
    given, equals, place = text.partition("=")
    if not equals or Path(text).is_dir():
        given, place = "", text
    folder = Path(place)
    if not folder.is_dir():
        raise UsageError(f"--corpus {text}: there is no folder {place}")
    parts = {part: path for part in PARTS if (path := _file(folder, part)) is not None}
    for part in ("train", "dev"):
        if part not in parts and not (part == "dev" and "test" in parts):
            expected = f"a treebank such as {part}.export"
            raise UsageError(f"--corpus {text}: the folder has no {part} part, expected {expected}")
    tags = {part: path for part in parts if (path := _file(folder, part + TAGS)) is not None}
    manifest = _manifest(folder)
    name = given or manifest.get("corpus") or folder.resolve().name
    try:
        check_source_name(name)
    except UsageError:
        found = f"found the name {name!r}, expected letters, digits, - and _"
        way_out = "" if given else f"; give the corpus a name: --corpus NAME={place}"
        raise UsageError(f"--corpus {text}: {found}{way_out}") from None
    return Corpus(name, parts, tags, manifest.get("recipe", ""))


def _file(folder: Path, part: str) -> Path | None:
    """Return the file of a part. Of several formats, the first one in FORMATS is taken."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        stem, _, ending = strip_compression(path.name).partition(".")
        if stem == part and path.is_file():
            found.setdefault(_format(f".{ending}"), []).append(path)
    for name in (*FORMATS, ""):
        if paths := found.get(name, []):
            if len(paths) > 1:
                names = " and ".join(path.name for path in paths)
                raise UsageError(f"--corpus {folder}: found {names}, expected one of them")
            return paths[0]
    return None


def _format(ending: str) -> str:
    return next((name for name, one in FORMATS.items() if ending in one.suffixes), "")


def _manifest(folder: Path) -> dict[str, str]:
    """Return corpus and recipe, as the manifest of `crossbranch prepare` has them."""
    try:
        found = json.loads(read_file(folder / "manifest.json"))
    except (OSError, ValueError, RecursionError):
        return {}
    known = found.items() if isinstance(found, dict) else ()
    return {key: str(value) for key, value in known if key in ("corpus", "recipe")}
