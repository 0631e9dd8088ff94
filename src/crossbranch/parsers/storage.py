"""Saving, loading and pickling parsers."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from crossbranch.confidence.strategies import Confidence, Strategy
from crossbranch.config import Description, merged, read_toml, to_toml
from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError, shown
from crossbranch.functions import FunctionLabeller
from crossbranch.functions.labeller import SETTINGS
from crossbranch.models.folder import ModelFolder, ModelParts, open_model, write_model
from crossbranch.parsers.contract import ParserContract
from crossbranch.parsers.front_end import read_front_end

CONFIG = "config.toml"
CALIBRATION = "calibration.json"
DESCRIPTION = "description"
OLD_KINDS = {"transition": "linear-transition"}
"""Earlier names of kinds of parsers, which old models and presets still use."""


class StoredParser(ParserContract):
    """Saves, loads and pickles a parser."""

    folder: ModelFolder | None = None
    """The model that the parser was loaded from; None if it was not loaded."""

    @door
    def save(self, place: str | Path) -> None:
        """Write the model to a folder, or to one file if the name ends in .zip.

        A model that is already there is replaced in one step.
        """
        write_model(place, self._parts())

    def to_bytes(self) -> bytes:
        """Return the model as the bytes of a .zip archive. `crossbranch.load` reads them."""
        return self._parts().archive()

    @classmethod
    @door
    def load(cls, model: str | Path | bytes | ModelFolder) -> Self:
        """Load a model of this kind from its folder or archive."""
        opened = model if isinstance(model, ModelFolder) else open_model(model)
        path = opened.where(CONFIG)
        values, description = split_description(read_toml(opened.text(CONFIG), path=path))
        try:
            settings = cls.settings_type.of(values)
            parser_description = Description.of(description)
        except UsageError as error:
            raise InputError(str(error), "the settings of a parser", path=path) from None
        if settings.parser != cls.kind:
            raise InputError(f"a parser of kind {settings.parser!r}", repr(cls.kind), path=path)
        parser = cls.from_folder(settings, opened)
        parser.folder = opened
        parser.description = parser_description
        parser.about = opened.manifest.about
        parser.labels = opened.manifest.labels or parser.labels
        parser.tags = opened.manifest.tags or parser.tags
        parser.front_end = read_front_end(opened)
        if SETTINGS in opened.manifest.files:
            parser.labeller = FunctionLabeller.from_folder(
                opened, clusters=parser.front_end.clusters
            )
        parser.confidence = _read_confidence(cls.strategy, opened)
        return parser

    def __reduce__(self) -> Any:
        """Pickle the path of the model folder; if there is none, all files of the model."""
        if self.folder is not None and self.folder.path is not None:
            return _unpickled, (str(self.folder.path.resolve()), self.folder.digest, self.device)
        return _unpickled, (self.to_bytes(), "", self.device)

    def _parts(self) -> ModelParts:
        config = to_toml(self.settings)
        if self.description != Description():
            config += "\n" + to_toml(self.description, table=DESCRIPTION)
        files = {CONFIG: config.encode(), **self.files()}
        files |= self.front_end.files(files)
        files |= {} if self.labeller is None else self.labeller.files()
        if self.confidence is not None:
            files[CALIBRATION] = self.confidence.to_json()
        return ModelParts(files=files, about=self.about, labels=self.labels, tags=self.tags)


def split_description(values: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split values into the settings of a parser and the description of the model.

    The description is a table. In old models, its entries are among the settings.
    """
    names = Description.__struct_fields__
    settings = {name: value for name, value in values.items() if name not in names}
    described = {name: values[name] for name in names if name in values}
    table = settings.pop(DESCRIPTION, {})
    if not isinstance(table, dict):
        raise UsageError(f"the setting {DESCRIPTION} is {shown(table)}, expected a table")
    if isinstance(kind := settings.get("parser"), str):
        settings["parser"] = OLD_KINDS.get(kind, kind)
    return settings, merged(table, described)


def _read_confidence(strategy: Strategy | None, folder: ModelFolder) -> Confidence | None:
    if strategy is None:
        return None
    if CALIBRATION not in folder.manifest.files:
        return strategy.without_dev()
    return strategy.read(folder.json(CALIBRATION), path=folder.where(CALIBRATION))


def _unpickled(model: str | bytes, digest: str, device: str) -> Any:
    from crossbranch.parsers import load

    parser = load(Path(model) if isinstance(model, str) else model, device=device)
    assert parser.folder is not None
    if digest and parser.folder.digest != digest:
        raise InputError("another model", "the model that was pickled", path=str(model))
    return parser
