"""The models that ship with the package, one folder for each, and their descriptions.

card         the description of a model: language, data, licence, scores, size, labels
meanings     what labels and tags mean; the texts are in labels/*.toml
composition  what tags mean that consist of other tags
"""

from __future__ import annotations

from pathlib import Path

from crossbranch.errors import UsageError
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


def describe(model: str | Path) -> ModelCard:
    """Return what a model says about itself: language, data, licence, scores, labels.

    Args:
        model: The name of a model that ships with the package, or a folder.

    Raises:
        UsageError: There is no such model.
        InputError: The folder holds no model, or a file of it cannot be read.
    """
    is_name = isinstance(model, str) and model in shipped()
    return read_card(find_model(model) if is_name else model)


def find_model(name: str | Path) -> Path:
    """Return the folder of a model: one that ships with the package, or else a folder.

    Raises:
        UsageError: There is neither.
    """
    models = shipped()
    if isinstance(name, str) and name in models:
        return models[name]
    if Path(name).is_dir():
        return Path(name)
    known = ", ".join(models) or "none"
    raise UsageError(f"there is no model {name}: neither a folder nor a shipped model ({known})")
