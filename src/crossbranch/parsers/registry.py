"""The kinds of parsers."""

from __future__ import annotations

from collections import UserDict
from importlib import import_module

from crossbranch.parsers.parser import Parser

_CLASSES = {
    "linear-transition": "LinearTransitionParser",
    "neural-transition": "NeuralTransitionParser",
    "neural-span": "NeuralSpanParser",
    "plcfrs": "PlcfrsParser",
}
FOLDERS = {name: kind.replace("-", "_") for kind, name in _CLASSES.items()}
"""The folder of each class, for names that are loaded late."""


def load_class(name: str) -> type[Parser]:
    """Return a class of parsers. Its folder is loaded now."""
    found: type[Parser] = getattr(import_module(f"crossbranch.parsers.{FOLDERS[name]}"), name)
    return found


class _Kinds(UserDict[str, type[Parser]]):
    """Classes that are loaded when they are first needed: most programs use one kind only."""

    def __getitem__(self, kind: str) -> type[Parser]:
        found: object = self.data[kind]
        if isinstance(found, str):
            self.data[kind] = load_class(found)
        return self.data[kind]


PARSERS = _Kinds(_CLASSES)  # type: ignore[arg-type]
"""The kinds by name. To add one: a class in a new folder, one entry above, and its presets."""
