"""From treebanks to a model: settings, data, the loop, the folder."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from crossbranch.confidence.calibrating import calibrate
from crossbranch.config import Settings
from crossbranch.errors import InputError, UsageError
from crossbranch.parsers.data import Corpus, Report, Trees
from crossbranch.parsers.dev_scores import dev_scores
from crossbranch.parsers.folder import CHECKPOINT, check_place, is_model, restore
from crossbranch.parsers.front_end import FrontEnd
from crossbranch.parsers.front_end_learning import learn_front_end
from crossbranch.parsers.parser import Parser
from crossbranch.parsers.presets import find_preset
from crossbranch.parsers.registry import PARSERS
from crossbranch.training import CheckpointFile, Epoch, Trained, Watcher, learn
from crossbranch.transforms import pipeline

_TOLD = ("language", "trained_on", "labels", "licence", "attribution")
"""Settings that a manifest repeats, where they are given."""


def train(
    preset: str | Path,
    *,
    train: Trees,
    dev: Trees | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    report: Report | None = None,
    watcher: Watcher | None = None,
    **settings: object,
) -> Parser:
    """Train a parser.

    Sentences that cannot be learnt from are handed to `report` and left out. With `out`, the model
    is written there, and training that was killed goes on where it was when it is called again
    with the same arguments; it ends with the same model.

    Args:
        preset: The name of a preset, or a TOML file with settings, such as a model's `config.toml`.
        train: The training trees, or a treebank by name.
        dev: The trees that the epochs are scored on; without them the last epoch is kept.
        out: The folder of the model.
        overwrite: Replace a finished model, and a checkpoint of another training.
        report: What to do with the InputError of a sentence that is left out (default: nothing).
        watcher: Who is told about progress.
        **settings: What differs from the preset.

    Raises:
        UsageError: A setting is wrong, or there is a model or another training's checkpoint.
        InputError: No tree can be learnt from.
    """
    chosen = settings_of(preset, settings)
    kind = PARSERS[chosen.parser]
    if dev is None and chosen.patience:
        raise UsageError("the setting patience needs dev trees")
    place = None if out is None else _place(out, overwrite)
    note = report or _ignore
    steps = pipeline(chosen.prepare)
    corpus = Corpus.of(train, prepare=steps, report=note, name="train")
    dev_corpus = None
    if dev is not None:
        dev_corpus = Corpus.of(dev, prepare=steps, report=note, name="dev")
        if not dev_corpus.trees:
            raise InputError("no tree", "dev trees", path=dev_corpus.name)
    looker = watcher or Watcher()
    front_end, learnt, scored = FrontEnd(), corpus.trees, dev_corpus.trees if dev_corpus else ()
    if chosen.tags == "predicted":
        front_end, learnt = learn_front_end(chosen, corpus.trees, looker)
        scored = tuple(front_end.with_predicted_tags(scored, chosen.threads))
    learner = kind.learner(chosen, learnt, note)
    checkpoint = None
    if place is not None:
        identity = _identity(chosen, corpus, dev_corpus) | {"what is learnt": learner.digest}
        checkpoint = _checkpoint(place, identity, overwrite)
    trained = learn(
        learner,
        chosen,
        dev=scored,
        checkpoint=checkpoint,
        watcher=looker,
    )
    parser: Parser = trained.parser
    parser.front_end = front_end
    parser.about = _about(chosen, corpus, dev_corpus, trained) | dict(learner.facts)
    if dev_corpus is not None:
        looker.stage("calibrating")
        parser.calibration = calibrate(parser, scored, threads=chosen.threads)
        looker.stage("scoring")
        scores = dev_scores(parser, dev_corpus.trees, threads=chosen.threads)
        parser.about = {**parser.about, "scores": scores}
    if place is not None:
        parser.save(place)
    return parser


def settings_of(preset: str | Path, changes: Mapping[str, object]) -> Settings:
    """Return the settings of a preset with some of them changed, all checked."""
    found = find_preset(preset)
    values = found.settings | dict(changes)
    kind = values.get("parser", Settings().parser)
    if kind not in PARSERS:
        raise UsageError(f"unknown parser {kind!r}; there are {', '.join(PARSERS)}")
    return PARSERS[str(kind)].settings_type.of(values)


def _ignore(error: InputError) -> None:
    """Say nothing of a sentence that is left out."""


def _place(out: str | Path, overwrite: bool) -> Path:
    """Return the folder to write to; there must be nothing else in it."""
    place = Path(out)
    restore(place)
    check_place(place)
    if is_model(place) and not overwrite:
        raise UsageError(f"there is a finished model in {place}; overwrite it, or train elsewhere")
    return place


def _checkpoint(place: Path, identity: Mapping[str, Any], overwrite: bool) -> CheckpointFile:
    checkpoint = CheckpointFile(place / CHECKPOINT, identity)
    if overwrite and not checkpoint.is_usable():
        checkpoint.remove()
    return checkpoint


def _identity(settings: Settings, train: Corpus, dev: Corpus | None) -> dict[str, Any]:
    """Return what a training depends on: the number of threads is nothing of that."""
    values = {name: value for name, value in settings.to_dict().items() if name != "threads"}
    return values | {
        "train (sha256)": train.sha256,
        "dev (sha256)": dev.sha256 if dev is not None else None,
        "crossbranch": version("crossbranch"),
    }


def _about(
    settings: Settings, train: Corpus, dev: Corpus | None, trained: Trained[Any]
) -> dict[str, Any]:
    """Return what the manifest says of where the model comes from."""
    chosen = trained.chosen
    found: dict[str, Any] = {
        "train": train.to_dict(),
        "seed": settings.seed,
        **{name: value for name in _TOLD if (value := getattr(settings, name))},
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "epoch": chosen.number,
        "epochs": [_record(epoch) for epoch in trained.epochs],
    }
    if dev is not None:
        scores = {"f1": chosen.f1, "discontinuous_f1": chosen.discontinuous_f1}
        found |= {"dev": dev.to_dict() | scores}
    return found


def _record(epoch: Epoch) -> dict[str, Any]:
    return {name: getattr(epoch, name) for name in epoch.__struct_fields__}
