"""The shipped models (one folder for each), model folders in general, and their descriptions.

folder       reading and writing models
archive      models as .zip archives
tensors      named tensors of floats in the safetensors format
card         the description of a model: language, data, licence, scores, size, labels
meanings     the meanings of labels and tags; the texts are in labels/*.toml
composition  the meanings of tags that consist of other tags
"""

from __future__ import annotations

from pathlib import Path

from crossbranch.doors import door
from crossbranch.errors import UsageError
from crossbranch.models.archive import ARCHIVE
from crossbranch.models.card import ModelCard, read_card
from crossbranch.models.meanings import LABEL_SETS, LabelMeanings, Meaning, label_set, label_set_of

__all__ = [
    "LABEL_SETS",
    "LabelMeanings",
    "Meaning",
    "ModelCard",
    "describe",
    "find_model",
    "label_set",
    "label_set_of",
    "shipped",
]

_FOLDER = Path(__file__).parent


def shipped() -> dict[str, Path]:
    """Return the folders of the models that ship with the package, by name."""
    manifests = sorted(_FOLDER.glob("*/manifest.json"))
    return {path.parent.name: path.parent for path in manifests}


@door
def describe(model: str | Path) -> ModelCard:
    """Return the description of a model: language, data, licence, scores, labels.

    Args:
        model: The name of a shipped model, or a model folder or .zip archive.

    Raises:
        UsageError: There is no such model.
        InputError: The folder is not a model, or one of its files cannot be read.
    """
    is_name = isinstance(model, str) and model in shipped()
    return read_card(find_model(model) if is_name else model)


@door
def find_model(name: str | Path) -> Path:
    """Return the folder or archive of a model, given the name of a shipped model or a path.

    Raises:
        UsageError: There is no such model.
    """
    models = shipped()
    if isinstance(name, str) and name in models:
        return models[name]
    path = Path(name)
    if path.is_dir() or (path.is_file() and path.suffix.lower() == ARCHIVE):
        return path
    known = ", ".join(models) or "none"
    raise UsageError(f"unknown model {name}; expected a folder, a .zip archive, or one of {known}")
