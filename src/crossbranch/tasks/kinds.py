"""The built-in kinds of tasks: how each one finds its labels in trees, and in columns of files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from crossbranch.dependencies import dependencies, relation
from crossbranch.errors import TreeError
from crossbranch.tasks.ccg import read_category, without_features
from crossbranch.tasks.chunks import beginnings, chunk_labels
from crossbranch.tasks.dependents import (
    FARTHEST_TAG,
    FARTHEST_WORD,
    Edge,
    dependent_labels,
    relative_tags,
    without_subtype,
)
from crossbranch.tasks.settings import KindName, TaskSettings
from crossbranch.tasks.supertags import sketch_labels, spine_labels, supertag_labels
from crossbranch.tree import Token, Tree, feature

Found = list[str | None]
_FIELDS = {
    "form": "form",
    "word": "form",
    "tag": "tag",
    "xpos": "tag",
    "lemma": "lemma",
    "morphology": "morphology",
    "feats": "morphology",
    "function": "edge_label",
    "edge_label": "edge_label",
}


class Kind(NamedTuple):
    """A kind of task."""

    name: KindName
    summary: str
    of_tree: Callable[[Tree, TaskSettings], Found]
    """Finds the labels of a tree."""

    of_cells: Callable[[Sequence[str | None], TaskSettings], Found] | None
    """Makes labels from the cells of a column. None: the labels are not in a column."""

    columns: tuple[str, ...] = ()
    """The usual names of the column."""

    needs_heads: bool = False
    needs_constituents: bool = False


def token_value(token: Token, column: str) -> str | None:
    """Return a value of a token: a field such as tag, or one of its features; None if empty.

    `morphology.Case` is the value of Case in a morphology such as Case=Nom|Number=Sing.
    """
    name, _, key = column.partition(".")
    if name in _FIELDS:
        value = str(getattr(token, _FIELDS[name]))
    elif name == "upos":  # tokens without another tag have it as their tag
        value = feature(token.features, "upos", token.tag)
    else:
        value = feature(token.features, name)
    if key:
        pairs = (pair.partition("=") for pair in value.split("|"))
        value = next((right for left, _, right in pairs if left == key), "")
    return value or None


def _values(column: str) -> Callable[[Tree, TaskSettings], Found]:
    def find(tree: Tree, settings: TaskSettings) -> Found:
        return [token_value(token, settings.column or column) for token in tree.sentence]

    return find


def _chunks(tree: Tree, settings: TaskSettings) -> Found:
    return [*chunk_labels(tree)]


def _supertags(tree: Tree, settings: TaskSettings) -> Found:
    return [*supertag_labels(tree, above=settings.above)]


def _sketches(tree: Tree, settings: TaskSettings) -> Found:
    return [*sketch_labels(tree, above=settings.above)]


def _spines(tree: Tree, settings: TaskSettings) -> Found:
    return [*spine_labels(tree, above=settings.above)]


def _arcs(tree: Tree, settings: TaskSettings) -> tuple[list[int], list[str]]:
    """Return the head and the relation of each token."""
    found = dependencies(tree)
    if found is None:
        raise TreeError("the head of a node is not marked")
    heads = [head for head, _ in found]
    relations = [
        relation(token, head, name)
        for token, (head, name) in zip(tree.sentence, found, strict=True)
    ]
    return heads, relations if settings.subtypes else list(map(without_subtype, relations))


def _relations(tree: Tree, settings: TaskSettings) -> Found:
    return [*_arcs(tree, settings)[1]]


def _dependencies(tree: Tree, settings: TaskSettings) -> Found:
    heads, relations = _arcs(tree, settings)
    tags = [token_value(token, settings.column or "tag") or "" for token in tree.sentence]
    return [*relative_tags(tags, heads, relations, farthest=_farthest(settings, FARTHEST_TAG))]


def _dependents(side: Literal["left", "right"]) -> Callable[[Tree, TaskSettings], Found]:
    def find(tree: Tree, settings: TaskSettings) -> Found:
        heads, relations = _arcs(tree, settings)
        edges = [
            Edge(head, word, name)
            for word, (head, name) in enumerate(zip(heads, relations, strict=True))
            if head >= 0
        ]
        return labels_of_edges(len(heads), edges, side, settings)

    return find


def labels_of_edges(
    count: int, edges: Sequence[Edge], side: Literal["left", "right"], settings: TaskSettings
) -> Found:
    """Return the labels of dependents on one side, with the limit of the settings."""
    farthest = _farthest(settings, FARTHEST_WORD)
    return [*dependent_labels(count, edges, side, farthest=farthest)]


def _farthest(settings: TaskSettings, usual: int) -> int:
    return usual if settings.farthest is None else settings.farthest


def _as_they_are(cells: Sequence[str | None], settings: TaskSettings) -> Found:
    return list(cells)


def _chunk_cells(cells: Sequence[str | None], settings: TaskSettings) -> Found:
    return beginnings(cells)


def _category_cells(part: str) -> Callable[[Sequence[str | None], TaskSettings], Found]:
    def find(cells: Sequence[str | None], settings: TaskSettings) -> Found:
        return [
            None if cell is None else _category_part(cell, part, settings, place)
            for place, cell in enumerate(cells)
        ]

    return find


def _category_part(text: str, part: str, settings: TaskSettings, place: int) -> str:
    try:
        category = read_category(text if settings.category_features else without_features(text))
    except ValueError:
        raise ValueError(place, text) from None
    return str(getattr(category, part))


def _in_features(
    of_cells: Callable[[Sequence[str | None], TaskSettings], Found],
) -> Callable[[Tree, TaskSettings], Found]:
    """Find the labels of trees whose tokens have them as features."""

    def find(tree: Tree, settings: TaskSettings) -> Found:
        cells = [token_value(token, settings.column) for token in tree.sentence]
        return of_cells(cells, settings)

    return find


def _ccg(name: KindName, summary: str, part: str) -> Kind:
    of_cells = _category_cells(part)
    return Kind(name, summary, _in_features(of_cells), of_cells, ("category",))


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("tag", "tags", _values("tag"), _as_they_are, ("tag", "xpos")),
        Kind(
            "morphology",
            "morphology, such as Case=Nom|Number=Sing",
            _values("morphology"),
            _as_they_are,
            ("morphology", "feats"),
        ),
        Kind("function", "functions of words", _values("function"), _as_they_are, ("function",)),
        Kind("column", "any column of a file", _values(""), _as_they_are),
        Kind(
            "chunk",
            "chunks, such as B-NP I-NP O",
            _chunks,
            _chunk_cells,
            ("chunk",),
            needs_constituents=True,
        ),
        Kind(
            "supertag",
            "LCFRS supertags, such as VP(WHNP|*)",
            _supertags,
            _as_they_are,
            ("supertag",),
            needs_heads=True,
            needs_constituents=True,
        ),
        Kind(
            "supertag-sketch",
            "shapes of LCFRS supertags, such as VP(X|*)",
            _sketches,
            _as_they_are,
            needs_heads=True,
            needs_constituents=True,
        ),
        Kind(
            "spine",
            "spines, such as VP:2/SQ, and those of the LTAG-spinal treebank",
            _spines,
            _as_they_are,
            ("spine",),
            needs_heads=True,
            needs_constituents=True,
        ),
        Kind(
            "relation",
            "relations of words to their heads, such as SB",
            _relations,
            _as_they_are,
            ("relation", "deprel"),
            needs_heads=True,
        ),
        Kind(
            "dependency",
            "dependencies as relative tags, such as VB_1_aux",
            _dependencies,
            None,
            needs_heads=True,
        ),
        Kind(
            "left",
            "dependents to the left, such as SB:-2",
            _dependents("left"),
            None,
            needs_heads=True,
        ),
        Kind(
            "right",
            "dependents to the right, such as 2:2_1:4",
            _dependents("right"),
            None,
            needs_heads=True,
        ),
        _ccg("ccg", r"CCG categories, such as (S[dcl]\NP)/NP", "text"),
        _ccg("ccg-head", "results of CCG categories, such as S[dcl]", "head"),
        _ccg("ccg-argument", "outermost arguments of CCG categories, such as +NP", "argument"),
        _ccg("ccg-sketch", r"shapes of CCG categories, such as (X\X)/X", "sketch"),
    )
}
"""The kinds of tasks by name."""
