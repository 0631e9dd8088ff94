"""ModelCard: what the folder of a model says about it, without loading the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from crossbranch import json_texts
from crossbranch.errors import InputError, UsageError
from crossbranch.structure import LabelSet
from crossbranch.tree import ROOT

_MANIFEST = "manifest.json"
_LABELS = "labels.json"
_TAGGER = "tagger-settings.json"
_VOCABULARY = "vocabulary.json"
_LANGUAGES = {"de": "German", "en": "English", "is": "Icelandic", "nl": "Dutch"}

GIVEN = ("gold tags", "predicted tags", "raw text")
"""What scores are measured with, from the easiest to what users have."""


@dataclass(frozen=True, kw_only=True)
class ModelCard:
    """What is known of a model."""

    name: str
    path: Path
    language: str
    """In English; empty where it is not known."""

    trained_on: str
    licence: str
    attribution: str
    """Whom to name: the source of the training trees."""

    scores: Mapping[str, Mapping[str, float]]
    """Shares of 1 on dev trees, by what was given ("gold tags", "raw text", ...), then by name."""

    size: int
    """Bytes on disk."""

    labels: tuple[str, ...]
    """The treebank's own labels that the model can build, sorted."""

    tags: tuple[str, ...]
    """The tags that it knows, sorted."""

    label_set: str
    """Which labels these are, as the manifest says; empty where it does not."""

    has_tagger: bool
    has_tokenizer: bool
    version: str
    """The version of crossbranch that wrote it."""

    date: str

    def score(self, given: str, name: str) -> float | None:
        """Return a score; None where it was not measured."""
        return self.scores.get(given, {}).get(name)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "name": self.name,
            "path": str(self.path),
            "language": self.language,
            "trained_on": self.trained_on,
            "licence": self.licence,
            "attribution": self.attribution,
            "scores": {given: dict(scores) for given, scores in self.scores.items()},
            "size": self.size,
            "labels": list(self.labels),
            "tags": list(self.tags),
            "label_set": self.label_set,
            "has_tagger": self.has_tagger,
            "has_tokenizer": self.has_tokenizer,
            "version": self.version,
            "date": self.date,
        }


class _Manifest(msgspec.Struct):
    """As much of a manifest as a card needs."""

    files: dict[str, dict[str, Any]]
    crossbranch: str = ""
    about: dict[str, Any] = {}


def describe(folder: str | Path) -> ModelCard:
    """Read what the folder of a model says about it.

    Raises:
        UsageError: There is no such folder.
        InputError: It is not a model, or a file of it cannot be read.
    """
    path = Path(folder)
    if not path.is_dir():
        raise UsageError(f"cannot describe {folder}: there is no such folder")
    if not (path / _MANIFEST).is_file():
        raise InputError(f"no {_MANIFEST}", "a finished model", path=str(path))
    manifest = _read(path / _MANIFEST, _Manifest)
    about = manifest.about
    code = path.resolve().name
    return ModelCard(
        name=_text(about, "name") or code,
        path=path,
        language=_text(about, "language") or _LANGUAGES.get(code, ""),
        trained_on=_text(about, "trained_on") or _corpus(about.get("train")),
        licence=_text(about, "licence"),
        attribution=_text(about, "attribution"),
        scores=_scores(about),
        size=sum(_size(path / name) for name in (*manifest.files, _MANIFEST)),
        labels=_labels(path, manifest),
        tags=_tags(path, manifest),
        label_set=_text(about, "labels"),
        has_tagger=_TAGGER in manifest.files,
        has_tokenizer="tokenizer.json" in manifest.files,
        version=manifest.crossbranch,
        date=_text(about, "date"),
    )


def _read(path: Path, kind: Any) -> Any:
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise InputError(reason, "a file of the model", path=str(path)) from None
    try:
        return json_texts.decode(data, kind)
    except (ValueError, RecursionError) as error:
        raise InputError(str(error), "the JSON of a model", path=str(path)) from None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError):  # no file, or no name of one: loading the model would tell
        return 0


def _text(about: Mapping[str, Any], key: str) -> str:
    found = about.get(key, "")
    return found if isinstance(found, str) else ""


def _corpus(train: Any) -> str:
    """What the manifest says of the training trees, in words."""
    if not isinstance(train, dict):
        return ""
    name, sentences, tokens = (train.get(key) for key in ("name", "sentences", "tokens"))
    if not isinstance(sentences, int) or not isinstance(tokens, int):
        return str(name or "")
    counts = f"{sentences:,} sentences, {tokens:,} tokens"
    return f"{name}: {counts}" if name else counts


def _scores(about: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """The scores on dev trees; "scores" replace those of the training loop."""
    dev = about.get("dev")
    found = {"gold tags": _figures(dev)} if _figures(dev) else {}
    scores = about.get("scores")
    if isinstance(scores, dict):
        found |= {str(given): _figures(figures) for given, figures in scores.items()}
    return found


def _figures(value: Any) -> dict[str, float]:
    if not isinstance(value, dict):
        return {}
    return {str(key): figure for key, figure in value.items() if isinstance(figure, float)}


def _labels(path: Path, manifest: _Manifest) -> tuple[str, ...]:
    """The treebank's own labels, without those of binarization, and chains taken apart."""
    if _LABELS not in manifest.files:
        return ()
    labels = LabelSet.from_json(
        _read(path / _LABELS, dict[str, Any]).get("labels", {}), path=str(path / _LABELS)
    )
    found = {label for number in range(len(labels)) for label in labels.chain(number)}
    return tuple(sorted(found, key=lambda label: (label == ROOT, label)))


def _tags(path: Path, manifest: _Manifest) -> tuple[str, ...]:
    """The tags of the tagger, or else those that the parser has weights for."""
    if _TAGGER in manifest.files:
        tags = _read(path / _TAGGER, dict[str, Any]).get("tags", [])
    elif _VOCABULARY in manifest.files:
        vocabularies = _read(path / _VOCABULARY, dict[str, Any]).get("vocabularies", {})
        tags = vocabularies.get("tag", []) if isinstance(vocabularies, dict) else []
    else:
        tags = []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise InputError("tags that are no texts", "a list of tags", path=str(path))
    return tuple(sorted({tag for tag in tags if tag}))
