"""The sources of training data: what each one teaches, and how much it counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, TypeVar, get_args

from crossbranch.config import Part, Settings, SourceSettings
from crossbranch.errors import InputError, UsageError
from crossbranch.parsers.data import Report, TrainingTrees, Trees
from crossbranch.training.augmentation import Augmentation
from crossbranch.transforms import pipeline
from crossbranch.tree import ROOT, Tree

Data = Trees | Mapping[str, Trees]
"""The trees of one source, or of several by name."""

PARTS: tuple[Part, ...] = get_args(Part)
_Value = TypeVar("_Value")
_NAME = re.compile(r"[\w-]+")


class Source(NamedTuple):
    """A source of training data."""

    name: str
    data: TrainingTrees
    settings: SourceSettings
    teaches: frozenset[Part]
    copies: tuple[tuple[int, Tree], ...] = ()
    """Changed copies of its trees, each with the number of its tree."""

    def trees(self, part: Part) -> list[Tree]:
        """Return the trees that a part of the model learns from, and their changed copies.

        A tokenizer does not learn from copies: their text was never written.
        """
        copies = () if part == "tokenizer" else self.copies
        return [*self.data.trees, *(tree for _, tree in copies)]

    @property
    def originals(self) -> list[int]:
        """For each of the trees and copies, the number of the tree that it is, or is made of."""
        return [*range(len(self.data.trees)), *(number for number, _ in self.copies)]

    def to_dict(self) -> dict[str, Any]:
        """Return the facts about the source for the manifest."""
        used: dict[str, float] = {
            "weight": self.settings.weight,
            "tagger_weight": self.settings.tagger_weight,
        }
        if self.copies:
            used["copies"] = len(self.copies)
        return self.data.to_dict() | used | {"teaches": [p for p in PARTS if p in self.teaches]}


@dataclass(frozen=True)
class Sources:
    """All training data of a model."""

    sources: tuple[Source, ...]
    are_named: bool  # otherwise, it is one source

    @classmethod
    def of(cls, train: Data, settings: Settings, report: Report) -> Sources:
        """Read the training data.

        Raises:
            UsageError: There are settings for a source that is not given, or a source does not have
                what it should teach.
            InputError: A source is empty, or there is no tree to learn from.
        """
        check_names(train, settings)
        check_tag_files(settings, are_named=isinstance(train, Mapping))
        steps = pipeline(settings.prepare)
        if not isinstance(train, Mapping):
            tags = settings.tags_from.train if settings.tags_from else ""
            data = TrainingTrees.of(
                train, prepare=steps, report=report, name="train", tags_from=tags
            )
            alone = Source("train", data, SourceSettings(), frozenset(PARTS))
            return cls((alone,), False)._checked()._augmented(settings)
        found = []
        for name, trees in train.items():
            data = TrainingTrees.of(
                trees, prepare=steps, report=report, name=name, needs_constituents=False
            )
            chosen = settings.source.get(name, SourceSettings())
            found.append(Source(name, data, chosen, _taught(name, data, chosen)))
        return cls(tuple(found), True)._checked()._augmented(settings)

    def _checked(self) -> Sources:
        for source in self.sources:
            if not source.data.trees:
                found = "no tree to learn from" if "parser" in source.teaches else "no sentence"
                raise InputError(found, "at least one", path=source.data.name)
        if not self.teaching("parser"):
            names = ", ".join(source.data.name for source in self.sources)
            raise InputError("no constituents for the parser to learn from", "trees", path=names)
        return self

    def _augmented(self, settings: Settings) -> Sources:
        """Add changed copies of the trees, if the settings ask for them."""
        if settings.augment is None:
            return self
        trees = [tree for source in self.sources for tree in source.data.trees]
        augmentation = Augmentation(settings.augment, trees)
        found = []
        for source in self.sources:
            copies = augmentation.copies(source.data.trees, f"{settings.seed} {source.name}")
            found.append(source._replace(copies=tuple(copies)))
        return Sources(tuple(found), self.are_named)

    def teaching(self, part: Part) -> list[Source]:
        """Return the sources that a part of the model learns from."""
        return [source for source in self.sources if part in source.teaches]

    def trees(self, part: Part) -> list[Tree]:
        """Return the trees that a part of the model learns from, one source after the other."""
        return [tree for source in self.teaching(part) for tree in source.trees(part)]

    def seen(self) -> list[Tree]:
        """Return the trees of the parser, with the tags that it sees."""
        return [
            tree
            for source in self.teaching("parser")
            for tree in (*source.data.seen, *(copy for _, copy in source.copies))
        ]

    @property
    def tags_sha256(self) -> str:
        """The checksum of the file with the tags that the parser sees; empty: there is none."""
        return "" if self.are_named else self.sources[0].data.tags_sha256

    @property
    def weights(self) -> list[float]:
        """The weights of the parser's trees."""
        return [
            source.settings.weight for source in self.teaching("parser") for _ in source.originals
        ]

    @property
    def sha256(self) -> str | dict[str, str]:
        """The checksum of the data; of several sources, one for each."""
        if not self.are_named:
            return self.sources[0].data.sha256
        return {source.name: source.data.sha256 for source in self.sources}

    def to_dict(self) -> dict[str, Any]:
        """Return the facts about the training data for the manifest."""
        if not self.are_named:
            copies = len(self.sources[0].copies)
            counted = {"copies": copies} if copies else {}
            return {"train": self.sources[0].data.to_dict() | counted}
        return {
            "train": total([source.data for source in self.sources]),
            "sources": {source.name: source.to_dict() for source in self.sources},
        }


@dataclass(frozen=True)
class ScoredTrees:
    """Trees that a parser is scored on: those of one source, or of several by name."""

    parts: Mapping[str, TrainingTrees]
    are_named: bool  # otherwise, it is one source, or none

    @classmethod
    def of(cls, data: Data | None, settings: Settings, report: Report, name: str) -> ScoredTrees:
        """Read trees to score a parser on.

        Args:
            data: The trees; None if there are none.
            settings: The settings of the parser.
            report: Called with an InputError for each sentence that cannot be used.
            name: What the trees are for: "dev" or "check". Dev trees need constituents.

        Raises:
            InputError: A source is empty, or it needs constituents and has none.
        """
        tags = settings.tags_from.dev if settings.tags_from and name == "dev" else ""
        if data is None:
            if tags:
                raise UsageError(f"tags_from.dev is {tags}, but there are no dev trees")
            return cls({}, False)
        if settings.tags_from and settings.tags_from.train and name == "dev" and not tags:
            raise UsageError(
                "tags_from.train is given, but not tags_from.dev: the parser would learn from given"
                " tags, and be scored with gold tags"
            )
        are_named = isinstance(data, Mapping)
        parts = data if isinstance(data, Mapping) else {name: data}
        if not parts:
            raise UsageError(f"there are no {name} trees: {name} is empty")
        check_tag_files(settings, are_named=are_named and bool(tags))
        steps, found = pipeline(settings.prepare), {}
        for source, trees in parts.items():
            check_source_name(source)
            read = TrainingTrees.of(
                trees,
                prepare=steps,
                report=report,
                name=source,
                needs_constituents=name == "dev",
                tags_from=tags,
            )
            if not read.trees:
                raise InputError("no tree", f"{name} trees", path=read.name)
            if are_named and name == "dev" and not any(map(has_constituents, read.trees)):
                raise InputError("no constituents", "dev trees", path=read.name)
            found[source] = read
        return cls(found, are_named)

    @property
    def trees(self) -> list[Tree]:
        """The trees of all sources, one source after the other."""
        return [tree for part in self.parts.values() for tree in part.trees]

    @property
    def seen(self) -> list[Tree]:
        """The same trees with the tags that the parser sees."""
        return [tree for part in self.parts.values() for tree in part.seen]

    @property
    def tags_sha256(self) -> str:
        """The checksum of the file with the tags that the parser sees; empty: there is none."""
        return next((part.tags_sha256 for part in self.parts.values()), "")

    def divided(self, values: Sequence[_Value]) -> dict[str, list[_Value]]:
        """Return what there is for each of the trees, by source."""
        rest = iter(values)
        return {name: list(islice(rest, len(part.trees))) for name, part in self.parts.items()}

    @property
    def sha256(self) -> str | dict[str, str] | None:
        """The checksum of the trees; of several sources, one for each."""
        if not self.are_named:
            return next((part.sha256 for part in self.parts.values()), None)
        return {name: part.sha256 for name, part in self.parts.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the facts about all trees for the manifest; of several sources, also of each."""
        parts = self.parts
        if not self.are_named:
            return next(iter(parts.values())).to_dict()
        sources = {name: part.to_dict() for name, part in parts.items()}
        return total(list(parts.values())) | {"sources": sources}


def total(parts: Sequence[TrainingTrees]) -> dict[str, Any]:
    """Return the facts about several sources together."""
    facts = [part.to_dict() for part in parts]
    added = {key: sum(one[key] for one in facts) for key in ("sentences", "tokens", "skipped")}
    return {"name": ", ".join(one["name"] for one in facts), **added}


def check_no_name_twice(dev: ScoredTrees, checked: ScoredTrees) -> None:
    """Raise a UsageError if dev trees and trees to check have the same name."""
    for name in checked.parts:
        if name in dev.parts:
            raise UsageError(f"the name {name!r} is given to dev trees and to trees to check")


def check_source_name(name: object) -> None:
    """Raise a UsageError if this cannot be the name of a source."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(f"a source has the name {name!r}, expected letters, digits, - and _")


def check_names(train: Data, settings: Settings) -> None:
    """Raise a UsageError if a name is wrong, or if there are settings for another source."""
    names: Iterator[str] | tuple[()] = iter(train) if isinstance(train, Mapping) else ()
    given = list(names)
    for name in given:
        check_source_name(name)
    if isinstance(train, Mapping) and not given:
        raise UsageError("there are no training data: train is empty")
    for name in settings.source:
        if name not in given:
            sources = f"the sources are {', '.join(given)}" if given else "no source has a name"
            raise UsageError(
                f"there are settings for the source {name!r}, but no training data with this name;"
                f" {sources}"
            )


def check_tag_files(settings: Settings, *, are_named: bool) -> None:
    """Raise a UsageError if tags come from files, but the other settings or sources forbid it."""
    if settings.tags_from is None or not any(settings.tags_from.to_dict().values()):
        return
    if settings.tags != "gold":
        raise UsageError(
            f"the setting tags is {settings.tags!r}, expected gold with tags_from: the tags of the"
            " files take the place of the gold tags"
        )
    if settings.augment is not None:
        raise UsageError("augment cannot be used with tags_from: changed copies have no tags there")
    if are_named:
        raise UsageError(
            "tags_from has the tags of one treebank, but there are several; join them first: put"
            " them into one folder and use crossbranch convert FOLDER BOTH.export; join the files"
            " with tags in the same order, that of their names"
        )


def _taught(name: str, data: TrainingTrees, settings: SourceSettings) -> frozenset[Part]:
    """Return what a source teaches: what the settings say, or everything for which it has data."""
    held = frozenset(_held(data.trees))
    for part in settings.teaches:
        if data.trees and part not in held:
            can = ", ".join(one for one in PARTS if one in held)
            raise UsageError(
                f"the source {name!r} has no data to teach the {part}; it can teach {can}"
            )
    return frozenset(settings.teaches) or held


def _held(trees: Sequence[Tree]) -> Iterator[Part]:
    """Yield the parts of a model that trees have data for."""
    yield "tokenizer"
    if any(all(token.tag for token in tree.sentence) for tree in trees):
        yield "tagger"
    if any(token.lemma for tree in trees for token in tree.sentence):
        yield "lemmas"
    if any(has_constituents(tree) for tree in trees):
        yield "parser"
        if any(has_function(tree) for tree in trees):
            yield "functions"


def has_constituents(tree: Tree) -> bool:
    """Return whether a tree has more than the root that every text has."""
    return tree.root.label != ROOT or len(tree.nodes) > 1


def has_function(tree: Tree) -> bool:
    """Return whether a node or token of a tree has a function."""
    return any(node.edge_label for node in tree.nodes) or any(
        token.edge_label for token in tree.sentence
    )
