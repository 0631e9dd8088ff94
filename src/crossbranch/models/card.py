"""ModelCard: the description of a model, read from its files without loading it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crossbranch.doors import door
from crossbranch.errors import InputError
from crossbranch.models.folder import ModelFolder, look_into
from crossbranch.structure import LabelSet
from crossbranch.training.contract import DEV_ACCURACY
from crossbranch.tree import ROOT

_LABELS = "labels.json"
_TAGGER = "tagger-settings.json"
_LEMMAS = "lemmas.json"
_VOCABULARY = "vocabulary.json"
_FUNCTIONS = "functions-settings.json"
_FROM_WORDS = ("predicted tags", "own tags", "words", "gold tags")
_LANGUAGES = {"de": "German", "en": "English", "is": "Icelandic", "nl": "Dutch"}


@dataclass(frozen=True, kw_only=True)
class ModelCard:
    """The description of a model."""

    name: str
    path: Path
    language: str
    """The English name of the language; empty if it is not known."""

    text: str
    """The kind of text that the model is for, such as "news and letters"; may be empty."""

    trained_on: str
    licence: str
    attribution: str
    """The source of the training trees, to be named by users."""

    scores: Mapping[str, Mapping[str, float]]
    """Scores from 0 to 1 on dev trees, by kind of input (such as "raw text"), then by name."""

    scores_on: Mapping[str, Mapping[str, Mapping[str, float]]]
    """Scores on other text: by the name of the text, then as in `scores`."""

    size: int
    """The size of its files in bytes, without the manifest."""

    labels: tuple[str, ...]
    """The labels of the treebank that the model can build, sorted."""

    tags: tuple[str, ...]
    """The tags that the model knows, sorted."""

    functions: tuple[str, ...] = ()
    """The functions (edge labels) that the model gives to phrases and words, sorted."""

    tasks: Mapping[str, Mapping[str, Any]]
    """The tasks that a neural model learned besides trees: facts such as `kind` and `labels`, and
    `accuracy` on dev data."""

    label_set: str
    """The name of the label set, as in the manifest; empty if it is not given."""

    has_tagger: bool
    has_lemmas: bool
    has_tokenizer: bool
    version: str
    """The version of crossbranch that wrote the model."""

    date: str

    @door
    def score(self, given: str, name: str) -> float | None:
        """Return a score, or None if it was not measured."""
        return self.scores.get(given, {}).get(name)

    @door
    def score_from_words(self, name: str) -> float | None:
        """Return a score from words without tags, or with gold tags if the model needs them."""
        found = (self.score(given, name) for given in _FROM_WORDS)
        return next((score for score in found if score is not None), None)

    def to_dict(self) -> dict[str, Any]:
        """Return a dict for JSON."""
        return {
            "name": self.name,
            "path": str(self.path),
            "language": self.language,
            "text": self.text,
            "trained_on": self.trained_on,
            "licence": self.licence,
            "attribution": self.attribution,
            "scores": _plain(self.scores),
            "scores_on": {name: _plain(scores) for name, scores in self.scores_on.items()},
            "size": self.size,
            "labels": list(self.labels),
            "tags": list(self.tags),
            "functions": list(self.functions),
            "tasks": {name: dict(facts) for name, facts in self.tasks.items()},
            "label_set": self.label_set,
            "has_tagger": self.has_tagger,
            "has_lemmas": self.has_lemmas,
            "has_tokenizer": self.has_tokenizer,
            "version": self.version,
            "date": self.date,
        }


def read_card(folder: str | Path) -> ModelCard:
    """Read the description of a model from its folder.

    Raises:
        UsageError: There is no such folder.
        InputError: It is not a model, or one of its files cannot be read.
    """
    opened = look_into(folder)
    manifest = opened.manifest
    about = manifest.about
    path = Path(opened.name)
    code = path.resolve().name
    return ModelCard(
        name=_text(about, "name") or code,
        path=path,
        language=_text(about, "language") or _LANGUAGES.get(code.partition("-")[0], ""),
        text=_text(about, "text"),
        trained_on=_text(about, "trained_on") or _corpus(about.get("train")),
        licence=_text(about, "licence"),
        attribution=_text(about, "attribution"),
        scores=_scores(about),
        scores_on=_scores_on(about),
        size=sum(entry.size for entry in manifest.files.values()),
        labels=_labels(opened),
        tags=_tags(opened),
        functions=_functions(opened),
        tasks=_tasks(about),
        label_set=_text(about, "labels"),
        has_tagger=_TAGGER in manifest.files,
        has_lemmas=_LEMMAS in manifest.files,
        has_tokenizer="tokenizer.json" in manifest.files,
        version=manifest.crossbranch,
        date=_text(about, "date"),
    )


def _plain(scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    return {given: dict(figures) for given, figures in scores.items()}


def _text(about: Mapping[str, Any], key: str) -> str:
    found = about.get(key, "")
    return found if isinstance(found, str) else ""


def _corpus(train: Any) -> str:
    """Return the facts of the manifest about the training trees as a text."""
    if not isinstance(train, dict):
        return ""
    name, sentences, tokens = (train.get(key) for key in ("name", "sentences", "tokens"))
    if not isinstance(sentences, int) or not isinstance(tokens, int):
        return str(name or "")
    counts = f"{sentences:,} sentences, {tokens:,} tokens"
    return f"{name}: {counts}" if name else counts


def _scores(about: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Return the scores on dev trees. The entry "scores" replaces those of the training loop."""
    if found := _by_input(about.get("scores")):
        return found
    dev = _figures(about.get("dev"))
    return {"gold tags": dev} if dev else {}


def _tasks(about: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what is known of tasks, and their accuracy on dev data in the epoch of the model."""
    tasks, epochs, number = (about.get(key) for key in ("tasks", "epochs", "epoch"))
    if not isinstance(tasks, dict):
        return {}
    found = {str(name): dict(task) for name, task in tasks.items() if isinstance(task, dict)}
    if isinstance(epochs, list) and isinstance(number, int) and 0 < number <= len(epochs):
        epoch = epochs[number - 1]
        metrics = _figures(epoch.get("metrics") if isinstance(epoch, dict) else None)
        for name, task in found.items():
            if (accuracy := metrics.get(f"{name}{DEV_ACCURACY}")) is not None:
                task["accuracy"] = accuracy
    return found


def _scores_on(about: Mapping[str, Any]) -> dict[str, dict[str, dict[str, float]]]:
    """Return the scores on other text, by the name of the text."""
    found = about.get("scores_on")
    if not isinstance(found, dict):
        return {}
    return {str(name): _by_input(scores) for name, scores in found.items()}


def _by_input(scores: Any) -> dict[str, dict[str, float]]:
    if not isinstance(scores, dict):
        return {}
    return {str(given): _figures(figures) for given, figures in scores.items()}


def _figures(value: Any) -> dict[str, float]:
    if not isinstance(value, dict):
        return {}
    return {str(key): figure for key, figure in value.items() if isinstance(figure, float)}


def _labels(model: ModelFolder) -> tuple[str, ...]:
    """Return the labels of the treebank. Old models list them only in the parser's files."""
    labels = model.manifest.labels
    if not labels and _LABELS in model.manifest.files:
        known = model.json(_LABELS, dict[str, Any]).get("labels", {})
        numbered = LabelSet.from_json(known, path=model.where(_LABELS))
        labels = tuple({name for n in range(len(numbered)) for name in numbered.chain(n)})
    return tuple(sorted(labels, key=lambda label: (label == ROOT, label)))


def _tags(model: ModelFolder) -> tuple[str, ...]:
    """Return the tags. For old models: those of the tagger, or of the parser's vocabulary."""
    files = model.manifest.files
    tags: Any = list(model.manifest.tags)
    if not tags and _TAGGER in files:
        tags = model.json(_TAGGER, dict[str, Any]).get("tags", [])
    elif not tags and _VOCABULARY in files:
        vocabularies = model.json(_VOCABULARY, dict[str, Any]).get("vocabularies", {})
        tags = vocabularies.get("tag", []) if isinstance(vocabularies, dict) else []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise InputError("tags that are not texts", "a list of tags", path=model.name)
    return tuple(sorted({tag for tag in tags if tag}))


def _functions(model: ModelFolder) -> tuple[str, ...]:
    """Return the functions that the labeller of the model knows. Heads alone are none."""
    if _FUNCTIONS not in model.manifest.files:
        return ()
    found = model.json(_FUNCTIONS, dict[str, Any]).get("functions", [])
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise InputError("functions that are not texts", "a list of functions", path=model.name)
    return tuple(sorted({name for name in found if name}))
