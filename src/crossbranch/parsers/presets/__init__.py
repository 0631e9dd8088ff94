"""Presets: named settings, one TOML file each.

A preset file contains settings and a table `about`: a summary, the paper, and when to use the
preset. It may also have a table `description`, which describes the trained model. The `config.toml`
of a model has the same form, so a model can be trained again from it.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from crossbranch.config import read_toml
from crossbranch.disk import is_file, read_file
from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError, shown

_SUFFIX = ".toml"


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """A named, complete set of settings."""

    name: str
    settings: dict[str, Any]
    summary: str = ""
    paper: str = ""
    use: str = ""


def read_preset(text: str, *, name: str, path: str) -> Preset:
    """Read a preset. Errors name `path`."""
    settings = read_toml(text, path=path)
    about = settings.pop("about", {})
    known = ("summary", "paper", "use")
    good = isinstance(about, dict) and all(
        key in known and isinstance(value, str) for key, value in about.items()
    )
    if not good:
        raise InputError(f"about = {about}", f"a table of texts: {', '.join(known)}", path=path)
    return Preset(name=name, settings=settings, **about)


def _included() -> dict[str, Preset]:
    folder = files("crossbranch") / "parsers" / "presets"
    found = {
        file.name.removesuffix(_SUFFIX): file
        for file in folder.iterdir()
        if file.name.endswith(_SUFFIX)
    }
    return {
        name: read_preset(found[name].read_text(encoding="utf-8"), name=name, path=str(found[name]))
        for name in sorted(found)
    }


PRESETS: dict[str, Preset] = _included()


@door
def find_preset(name: str | Path) -> Preset:
    """Return a preset by name, or read one from a file."""
    if str(name) in PRESETS:
        return PRESETS[str(name)]
    path = Path(name)
    if not is_file(path):
        known = ", ".join(PRESETS)
        raise UsageError(f"unknown preset {shown(str(name))}; expected one of {known}, or a file")
    try:
        text = read_file(path).decode("utf-8")
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise UsageError(f"cannot read {path}: {reason}") from error
    except UnicodeDecodeError as error:
        raise InputError("bytes that are not UTF-8", "UTF-8 text", path=str(path)) from error
    return read_preset(text, name=path.stem, path=str(path))
