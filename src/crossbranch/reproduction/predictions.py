"""Trees that a trained model predicts, and their scores. Both are kept in the folder of the run."""

from __future__ import annotations

import hashlib
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from crossbranch.disk import read_file
from crossbranch.errors import LossWarning, UsageError
from crossbranch.evaluation import Evaluation, evaluate
from crossbranch.experiments.runs import write_bytes, write_json
from crossbranch.parsers import Parser
from crossbranch.parsers.data import TrainingTrees, digest_files
from crossbranch.parsers.sentences import Tags
from crossbranch.reports.conventions import CONVENTIONS
from crossbranch.reproduction.description import Column, Row
from crossbranch.transforms import Pipeline, pipeline
from crossbranch.transforms.head_rules import table_text
from crossbranch.transforms.heads import Heads
from crossbranch.tree import Tree
from crossbranch.treebank import read, write

SPEED = "sentences_per_second"
STRUCTURE = ("leaf_ancestor", "tree_distance")
_OF_BRACKETS = ("recall", "precision", "f1", "exact_match")
FIGURES = (
    *_OF_BRACKETS,
    *(f"discontinuous_{name}" for name in _OF_BRACKETS),
    *(*STRUCTURE, "tag_accuracy", SPEED),
)
"""The names of the figures that tables of scores may have."""


class _Record(msgspec.Struct, frozen=True):
    """What is known about predicted trees."""

    sha256: str
    """The checksum of the part, with the tags of another tagger if they were given."""
    sentences_per_second: float
    trees_sha256: str
    """The checksum of the file with the trees."""


class Prediction:
    """The trees that a model predicts for a part of a corpus, with some options of the search."""

    def __init__(
        self,
        run: Path,
        name: str,
        part: TrainingTrees,
        options: Mapping[str, Any],
        *,
        heads: str,
    ) -> None:
        """Say what is predicted. Nothing is parsed yet.

        Args:
            run: The folder of the training.
            name: The name of the part.
            part: Its trees.
            options: Options of the search, such as the beam.
            heads: The head table of the corpus, for transforms that need heads.
        """
        self.part = part
        self._part_sha256 = part.sha256 + part.tags_sha256
        self._heads = heads
        self._run, self._options = run, options
        values = "-".join(f"{key}{value}" for key, value in options.items())
        stem = f"{name}-{values}" if values else name
        self.path = run / f"{stem}.discbracket"
        self._record = run / f"{stem}.json"
        self._scores = run / f"{stem}-scores.json"

    @property
    def is_done(self) -> bool:
        """Whether the trees are there, as they were predicted."""
        return self._found is not None and not self.is_damaged

    @property
    def is_damaged(self) -> bool:
        """Whether the trees were predicted, but their file is lost or has changed."""
        if self._found is None:
            return False
        try:
            return digest_files(self.path) != self._found.trees_sha256
        except OSError:
            return True

    @property
    def _found(self) -> _Record | None:
        """What is known about trees of this part, if it is still the same."""
        found: _Record | None = _decoded(self._record, _Record)
        return found if found is not None and found.sha256 == self._part_sha256 else None

    def parse(self, parser: Parser, threads: int) -> None:
        """Parse the part, and write the trees."""
        tags: Tags = "keep" if parser.tagger is None else "predict"
        before = time.perf_counter()
        found = parser.parse_many(
            self.part.seen, tags=tags, functions=False, threads=threads, **self._options
        )
        trees = list(found)
        seconds = time.perf_counter() - before
        self._scores.unlink(missing_ok=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LossWarning)
            write(trees, self.path, format="discbracket")
        speed = len(trees) / seconds
        write_json(self._record, _Record(self._part_sha256, speed, digest_files(self.path)))

    def figure(self, row: Row, column: Column) -> float | None:
        """Return a figure; None if there is nothing to count."""
        record = self._found
        assert record is not None
        if column.figure == SPEED:
            return float(record.sentences_per_second)
        known = _decoded(self._scores, dict[str, dict[str, float | None]]) or {}
        key = _key(row, column, self._heads)
        if column.figure not in known.get(key, {}):
            known[key] = _figures(self._evaluation(row, column, record), column)
            write_bytes(self._scores, msgspec.json.encode(known))
        figure: float | None = known[key][column.figure]
        return figure

    def _evaluation(self, row: Row, column: Column, record: _Record) -> Evaluation:
        predicted = _read(self.path, record.trees_sha256)
        pairs = [
            (gold, tree)
            for gold, tree in zip(self.part.trees, predicted, strict=True)
            if not column.longest or len(gold.sentence) <= column.longest
        ]
        prepare, parameters = _convention(column)
        gold_steps, steps = (_steps(text, self._heads) for text in (row.gold, row.output))
        wants_structure = column.figure in STRUCTURE
        return evaluate(
            [prepare(gold_steps.apply(gold)) for gold, _ in pairs],
            [prepare(steps.apply(tree)) for _, tree in pairs],
            parameters=parameters,
            leaf_ancestor=wants_structure,
            tree_distance=wants_structure,
        )


def _steps(text: str, heads: str) -> Pipeline:
    """Return transforms; heads are marked first, by the same table in all trees of a corpus."""
    return Pipeline((Heads(heads), *pipeline(text).steps)) if text else Pipeline(())


def _convention(column: Column) -> tuple[Callable[[Tree], Tree], str]:
    """Return what is done with trees before they are compared, and the parameters."""
    if not column.like:
        return lambda tree: tree, "proper"
    found = CONVENTIONS[column.like]
    return found.prepare, found.parameters


def check_figure(column: Column) -> None:
    """Raise a UsageError if tables of scores have no such figure, or an unknown convention."""
    if column.like and column.like not in CONVENTIONS:
        known = ", ".join(CONVENTIONS)
        raise UsageError(f"unknown convention {column.like!r}; expected one of {known}")
    if column.figure not in FIGURES:
        raise UsageError(f"unknown figure {column.figure!r}; expected one of {', '.join(FIGURES)}")


def _figures(found: Evaluation, column: Column) -> dict[str, float | None]:
    """Return figures in percent."""
    kinds = (("", found.main.all), ("discontinuous_", found.main.discontinuous))
    values: dict[str, float | None] = {"tag_accuracy": 100 * found.tag_accuracy}
    for prefix, figures in kinds:
        counts = figures.brackets
        is_empty = not counts.gold and not counts.predicted
        for name in _OF_BRACKETS:
            share = figures.exact_match if name == "exact_match" else getattr(counts, name)
            values[prefix + name] = None if is_empty else 100 * share
    if column.figure in STRUCTURE:
        values["leaf_ancestor"] = 100 * found.main.mean_leaf_ancestor
        values["tree_distance"] = 100 * found.main.tree_likeness
    return values


def _key(row: Row, column: Column, heads: str) -> str:
    """Return what figures depend on, besides the trees."""
    parts: Sequence[object] = (
        *(column.like, column.longest, row.gold, row.output, table_text(heads)),
        column.figure in STRUCTURE,
    )
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:16]


@lru_cache(maxsize=1)  # the columns of a row come one after the other
def _read(path: Path, _sha256: str) -> tuple[Tree, ...]:
    """Read a file. The same file is read again if its checksum is another one."""
    return tuple(read(path))


def _decoded(path: Path, kind: Any) -> Any:
    try:
        return msgspec.json.decode(read_file(path), type=kind)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
