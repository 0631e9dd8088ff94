"""`train`: from treebanks to a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from crossbranch.confidence.calibrating import balanced
from crossbranch.config import Description, EpochSettings, Settings, merged
from crossbranch.disk import restore_folder
from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError, shown
from crossbranch.models.folder import CHECKPOINT, check_place, is_model
from crossbranch.parsers.data import Report, Trees
from crossbranch.parsers.dev_scores import dev_scores
from crossbranch.parsers.front_end_learning import check_casing, learn_front_end
from crossbranch.parsers.labelling import function_facts, learn_labeller
from crossbranch.parsers.parser import Parser
from crossbranch.parsers.presets import find_preset
from crossbranch.parsers.registry import PARSERS
from crossbranch.parsers.sources import Data, ScoredTrees, Sources, check_no_name_twice
from crossbranch.parsers.storage import split_description
from crossbranch.training import CheckpointFile, Example, Learner, Trained, Watcher, learn
from crossbranch.training.team import is_leader, team_size
from crossbranch.transforms import pipeline
from crossbranch.transforms.head_rules import load_table


class Recipe(NamedTuple):
    """The settings of a parser, and the description of the model."""

    settings: Settings
    description: Description

    @property
    def kind(self) -> type[Parser]:
        """The kind of parser."""
        return PARSERS[self.settings.parser]


@partial(door, besides=("train", "dev"))
def train(
    preset: str | Path,
    *,
    train: Data,
    dev: Data | None = None,
    check: Mapping[str, Trees] | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    report: Report | None = None,
    watcher: Watcher | None = None,
    **settings: object,
) -> Parser:
    """Train a parser.

    Sentences that cannot be used for training are skipped and reported. If training is interrupted,
    call `train` again with the same arguments: it continues from the last checkpoint in `out`, and
    the result is the same model.

    Args:
        preset: The name of a preset, or a TOML file with settings, such as a model's `config.toml`.
        train: The training trees, or the path of a treebank. Several sources of training data are
            given by name, for example `{"news": "news.export", "mail": "mail.conllu"}`; tables such
            as `[source.news]` in the settings say how much each counts, and what it teaches.
        dev: The dev trees. The epoch with the best F1 on them is kept; without them, the last one.
            Several sources are given by name; the mean of their F1 counts.
        check: Trees of other text by name. The model is scored on them at the end.
        out: The folder to write the model to.
        overwrite: Replace a finished model, or the checkpoint of a different training run.
        report: Called with an InputError for each skipped sentence.
        watcher: Callbacks for progress.
        **settings: Changes to the settings of the preset, and the description of the model.

    Raises:
        UsageError: A setting is wrong, or `out` has a finished model or the checkpoint of a
            different training run.
        InputError: There is no tree to learn from.
    """
    recipe = recipe_of(preset, settings)
    check_recipe(recipe, has_dev=dev is not None)
    recipe.kind.check_installed(recipe.settings)
    place = None if out is None else _place(out, overwrite)
    note, looker = report or _ignore, watcher or Watcher()
    sources = Sources.of(train, recipe.settings, note)
    dev_trees = ScoredTrees.of(dev, recipe.settings, note, "dev")
    checked = ScoredTrees.of(check, recipe.settings, note, "check")
    check_no_name_twice(dev_trees, checked)
    if checked.parts and getattr(recipe.settings, "distribution", None):
        raise UsageError("check trees have no rows of distributions; score the model on them later")
    language = recipe.description.language
    data = learn_front_end(recipe.settings, language, sources, dev_trees, looker)
    labeller = learn_labeller(recipe.settings, data, sources, looker)
    learner = recipe.kind.learner(recipe.settings, data.train, note, dev=data.dev)
    checkpoint = None
    if place is not None:
        identity = _identity(recipe, sources, dev_trees, learner)
        checkpoint = _checkpoint(place, identity, overwrite)
    trained = learn(
        learner,
        recipe.settings,
        dev=dev_trees.divided(data.dev),
        weights=sources.weights,
        checkpoint=checkpoint,
        watcher=looker,
    )
    parser: Parser = trained.parser
    if not is_leader():
        return parser
    parser.front_end = data.front_end
    parser.labeller = labeller
    parser.description = recipe.description
    parser.labels, parser.tags = _inventory(sources, recipe.settings)
    parser.about = _about(recipe, sources, dev_trees, checked, trained) | dict(learner.facts)
    if labeller.functions:
        facts = function_facts(labeller, data.dev, recipe.settings)
        parser.about = {**parser.about, "functions": facts}
    _measure(parser, dev_trees.divided(data.dev), looker)
    parser.about = {**parser.about, **_scores(parser, dev_trees, checked, looker)}
    if place is not None:
        parser.save(place)
    return parser


def recipe_of(preset: str | Path, changes: Mapping[str, object]) -> Recipe:
    """Return the settings of a preset with some changes. All values are checked."""
    found, described = split_description(find_preset(preset).settings)
    changed, more = split_description(dict(changes))
    values = merged(found, changed)
    kind = values.get("parser", Settings().parser)
    if not isinstance(kind, str) or kind not in PARSERS:
        raise UsageError(f"unknown parser {shown(kind)}; expected one of {', '.join(PARSERS)}")
    settings = PARSERS[kind].settings_type.of(values)
    return Recipe(settings, Description.of(merged(described, more)))


def check_recipe(recipe: Recipe, *, has_dev: bool) -> None:
    """Refuse settings that name something unknown, or that contradict each other.

    Raises:
        UsageError: A setting is wrong.
        InputError: A file that a setting names is wrong.
    """
    settings, kind = recipe.settings, recipe.kind
    if settings.tags == "own" and not kind.can.own_tags:
        raise UsageError(
            f'the setting tags is "own", but a parser of kind {kind.kind} cannot predict tags;'
            " expected predicted, gold or none"
        )
    if team_size() > 1 and not kind.can.teams:
        raise UsageError(f"a parser of kind {kind.kind} is trained by one process, not by several")
    if isinstance(settings, EpochSettings) and settings.patience and not has_dev:
        raise UsageError("the setting patience needs dev trees")
    check_casing(settings)
    pipeline(settings.prepare)
    if settings.heads not in ("auto", "none"):
        load_table(settings.heads)
    kind.check_settings(settings)


def _ignore(error: InputError) -> None:
    """Ignore a skipped sentence."""


def _measure(parser: Parser, dev: Mapping[str, Sequence[Example]], watcher: Watcher) -> None:
    """Calibrate confidence on dev trees of all sources, if there are any."""
    strategy = parser.strategy
    if strategy is None:
        return
    if not dev:
        parser.confidence = strategy.without_dev()
        return
    watcher.stage("calibrating")
    sources = [[example.seen for example in examples] for examples in dev.values()]
    trees = sources[0] if len(sources) == 1 else balanced(sources)
    parser.confidence = strategy.learn(parser, trees, threads=parser.settings.threads)


def _scores(
    parser: Parser, dev: ScoredTrees, checked: ScoredTrees, watcher: Watcher
) -> dict[str, Any]:
    """Return the scores for the manifest: on the first dev source, and on all sources by name."""
    found: dict[str, Any] = {}
    by_name: dict[str, Any] = {}
    for name, part in [*dev.parts.items(), *checked.parts.items()]:
        watcher.stage(f"scoring on {name}" if dev.are_named or checked.parts else "scoring")
        seen = None if part.given_tags is None else part.seen
        by_name[name] = dev_scores(
            parser, part.trees, threads=parser.settings.threads, with_given_tags=seen
        )
        if name in dev.parts:
            found.setdefault("scores", by_name[name])
    if not dev.are_named:
        by_name = {name: scores for name, scores in by_name.items() if name in checked.parts}
    return found | ({"scores_on": by_name} if by_name else {})


def _inventory(sources: Sources, settings: Settings) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels and the tags that a model may give, sorted."""
    trees = sources.trees("parser")
    labels = {node.label for tree in trees for node in tree.nodes}
    if settings.tags == "none":
        return tuple(sorted(labels)), ()
    if settings.tags == "predicted":
        trees += sources.trees("tagger")
    tags = {token.tag for tree in trees for token in tree.sentence if token.tag}
    return tuple(sorted(labels)), tuple(sorted(tags))


def _place(out: str | Path, overwrite: bool) -> Path:
    """Return the folder to write to. It may contain only an old model or a checkpoint."""
    place = Path(out)
    restore_folder(place)
    check_place(place)
    if is_model(place) and not overwrite:
        raise UsageError(
            f"there is a finished model in {place}; use --overwrite (overwrite=True) to replace"
            " it, or choose another folder"
        )
    return place


def _checkpoint(place: Path, identity: Mapping[str, Any], overwrite: bool) -> CheckpointFile:
    checkpoint = CheckpointFile(place / CHECKPOINT, identity, is_kept=is_leader())
    if overwrite and is_leader() and not checkpoint.is_usable():
        checkpoint.remove()
    return checkpoint


def _identity(
    recipe: Recipe, train: Sources, dev: ScoredTrees, learner: Learner[Any]
) -> dict[str, Any]:
    """Return everything that the result depends on. Threads and licence do not change it."""
    from importlib.metadata import version  # slow to load, and parsing does not need it

    settings = recipe.settings
    values = {
        name: value
        for name, value in settings.to_dict().items()
        if name not in settings.without_effect
    }
    tags = {"given tags (sha256)": [train.tags_sha256, dev.tags_sha256]}
    return values | {
        **(tags if settings.tags_from is not None else {}),
        "language": recipe.description.language,  # the tokenizer knows its abbreviations
        "train (sha256)": train.sha256,
        "dev (sha256)": dev.sha256,
        "crossbranch": version("crossbranch"),
        "what is learned": learner.digest,
    }


def _about(
    recipe: Recipe, train: Sources, dev: ScoredTrees, checked: ScoredTrees, trained: Trained[Any]
) -> dict[str, Any]:
    """Return the part of the manifest that says where the model comes from."""
    chosen = trained.chosen
    found: dict[str, Any] = {
        **train.to_dict(),
        "seed": recipe.settings.seed,
        **{name: value for name, value in recipe.description.to_dict().items() if value},
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    if trained.has_epochs:
        found["epoch"] = chosen.number
        found["epochs"] = [epoch.to_dict() for epoch in trained.epochs]
    elif chosen.metrics:
        found["metrics"] = chosen.metrics
    if dev.parts:
        scores = {"f1": chosen.f1, "discontinuous_f1": chosen.discontinuous_f1}
        found |= {"dev": dev.to_dict() | scores}
    if checked.parts:
        found["checked"] = {name: part.to_dict() for name, part in checked.parts.items()}
    return found
