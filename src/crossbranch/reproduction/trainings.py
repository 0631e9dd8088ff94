"""The trainings that tables need: one experiment for each corpus, without sets to score.

Rows with the same settings share a training. Parsing and scoring come later (`predictions`),
because one model may be used with several beams.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crossbranch.config import merged
from crossbranch.doors import check_type
from crossbranch.errors import UsageError
from crossbranch.experiments import Experiment, Variant
from crossbranch.parsers.training import check_recipe, recipe_of
from crossbranch.reproduction.corpora import Corpus
from crossbranch.reproduction.description import Paper, Row, Table
from crossbranch.transforms.head_rules import load_table

_BEAM, _HEADS = "beam", "heads"
_DECIDED = ("system", "tags", "tags_from")
"""Settings that tables decide: with others, their titles and notes would be wrong."""


@dataclass(frozen=True)
class Options:
    """How tables are made, if not as in the paper."""

    jobs: int = 1
    """The number of models that are trained at once; 0: one by one, in this process."""
    seeds: tuple[int, ...] = (1,)
    train_beam: int = 0
    """The beam in training; 0: the one that the row parses with."""
    changes: Mapping[str, object] = field(default_factory=dict)
    """Changed settings. Parsers that do not have a setting are trained without it. `heads` changes
    the head table for everything."""


@dataclass(frozen=True)
class Plan:
    """The trainings for a corpus."""

    experiment: Experiment | None
    """None if the tables need no training."""
    variants: Mapping[tuple[str, str], str]
    """The name of the training for each row, by the names of table and row."""


def plan_trainings(
    paper: Paper, tables: Sequence[Table], corpus: Corpus, out: Path, options: Options
) -> Plan:
    """Return the trainings that tables need for a corpus.

    Raises:
        UsageError: A changed setting is wrong.
    """
    variants: list[Variant] = []
    names: dict[tuple[str, str], str] = {}
    for table, row in _rows(tables):
        made = _variant(paper, table, row, corpus, options)
        same = next((one for one in variants if _is_same(one, made)), None)
        if same is None:
            variants.append(made)
        names[table.name, row.name] = (same or made).name
    if not variants:
        return Plan(None, {})
    experiment = Experiment(
        path=Path(corpus.name),
        out=out,
        variants=tuple(variants),
        seeds=options.seeds,
        baseline=variants[0].name,
        dev=None,  # the last epoch is kept, as in the papers; scoring every epoch would cost time
        sets={},
    )
    return Plan(experiment, names)


def _is_same(one: Variant, other: Variant) -> bool:
    return one.settings == other.settings and one.train == other.train


def check_changes(paper: Paper, tables: Sequence[Table], options: Options) -> None:
    """Raise a UsageError if nothing in these tables has a changed setting.

    Heads are needed not only by parsers: derivations and grammars depend on them, too.
    """
    used = {row.base for _, row in _rows(tables)}
    known = {_HEADS} if any(table.kind in ("lengths", "rules") for table in tables) else set()
    for base in used:
        known.update(recipe_of(paper.bases[base].preset, {}).settings.to_dict())
    for name in options.changes:
        if name in _DECIDED:
            raise UsageError(f"the tables decide the setting {name!r}; it cannot be changed")
        if name == "seed" or name not in known:
            raise UsageError(f"no parser of these tables can change the setting {name!r}")
    heads = options.changes.get(_HEADS, "auto")
    check_type(_HEADS, heads, str)
    if heads not in ("auto", "none"):
        load_table(str(heads))


def compared(table: Table) -> set[str]:
    """Return the settings in which the rows of a table differ."""
    names = {name for row in table.rows for name in row.settings}
    return {name for name in names if len({repr(row.settings.get(name)) for row in table.rows}) > 1}


def _rows(tables: Sequence[Table]) -> Iterator[tuple[Table, Row]]:
    for table in tables:
        if table.kind == "scores":
            for row in table.rows:
                yield table, row


def _variant(paper: Paper, table: Table, row: Row, corpus: Corpus, options: Options) -> Variant:
    preset = paper.bases[row.base].preset
    has = recipe_of(preset, {}).settings.to_dict()
    tags = _tags(row, corpus, corpus.scored(table.on))
    changes = merged(paper.settings_of(row, corpus.name), tags)
    if _BEAM in has and (options.train_beam or row.beam):
        changes[_BEAM] = options.train_beam or row.beam
    changes = merged(changes, {key: one for key, one in options.changes.items() if key in has})
    recipe = recipe_of(preset, changes)
    check_recipe(recipe, has_dev=False)
    name = f"table {table.name}, {row.name}"
    train = {part: corpus.parts[part].absolute() for part in learned(paper, table, row, corpus)}
    files = train if len(train) > 1 else train["train"]
    return Variant(name, recipe.settings, recipe.description, files, changes)


def learned(paper: Paper, table: Table, row: Row, corpus: Corpus) -> tuple[str, ...]:
    """Return the parts of a corpus that a parser learns from.

    A file with tags of another tagger belongs to one part, so these parsers learn from one.
    """
    scored = corpus.scored(table.on)
    adds_dev = paper.use_of(corpus.name).adds_dev and scored == "test" and "dev" in corpus.parts
    has_tags = row.tags == "given" and corpus.has_tags(scored)
    return ("train", "dev") if adds_dev and not has_tags else ("train",)


def _tags(row: Row, corpus: Corpus, part: str) -> dict[str, Any]:
    """Return the settings for the tags that a parser sees; without files, our tagger makes them."""
    if row.tags == "gold":
        return {"tags": "gold"}
    if not corpus.has_tags(part):
        return {"tags": "predicted"}
    return {"tags": "gold", "tags_from": {"train": str(corpus.tags["train"].absolute())}}
