"""Training and dev trees: read, transformed, counted, and identified by a checksum."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crossbranch.disk import open_file
from crossbranch.errors import InputError, TransformError, UsageError
from crossbranch.features import Clusters
from crossbranch.parsers.given_tags import noted, taken
from crossbranch.parsers.sentences import with_tags
from crossbranch.transforms import Pipeline
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS, Reader, read

Trees = str | Path | Iterable[Tree]
"""Trees, or the path of a treebank."""
Report = Callable[[InputError], None]


@dataclass(frozen=True)
class TrainingTrees:
    """Trees for training or scoring, with the facts about them for the manifest."""

    trees: tuple[Tree, ...]
    name: str
    sha256: str  # of the files, or of the trees if they are not from files
    skipped: int  # sentences that cannot be used
    given_tags: tuple[tuple[str, ...], ...] | None = None  # those that a parser sees, from a file
    tags_sha256: str = ""  # of this file

    @classmethod
    def of(
        cls,
        source: Trees,
        *,
        prepare: Pipeline,
        report: Report,
        name: str,
        needs_constituents: bool = True,
        tags_from: str = "",
    ) -> TrainingTrees:
        """Collect the trees that have tokens and that `prepare` can change; report the others.

        Args:
            source: The trees.
            prepare: Transforms of the trees.
            report: Called with an InputError for each sentence that cannot be used.
            name: The name of the trees, if they are not from a file.
            needs_constituents: Refuse files in formats that have no constituents.
            tags_from: A file with the tags that a parser sees; empty: those of the trees.

        Raises:
            UsageError: These are no trees, or a file cannot be read.
            InputError: The file has no constituents, but needs them; or the file with the tags has
                other sentences.
        """
        errors: list[InputError] = []

        def note(error: InputError) -> None:
            errors.append(error)
            report(error)

        if isinstance(source, str | Path):
            path, name = str(source), Path(source).name
            found = _read(source, note, needs_constituents)
            digest = digest_files(Path(source))
        else:
            path, found = f"<{name}>", list(source)
            _check_trees(found, name)
            digest = _digest_trees(found)
        if not tags_from:
            return cls(tuple(_prepared(found, prepare, path, note)), name, digest, len(errors))
        found = noted(found, tags_from, treebank=path)
        trees, tags = taken(_prepared(found, prepare, path, note))
        return cls(trees, name, digest, len(errors), tags, digest_files(Path(tags_from)))

    @property
    def seen(self) -> tuple[Tree, ...]:
        """The trees with the tags that a parser sees."""
        if self.given_tags is None:
            return self.trees
        pairs = zip(self.trees, self.given_tags, strict=True)
        return tuple(tree.replace(sentence=with_tags(tree.sentence, tags)) for tree, tags in pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return the facts that identify the trees, for the manifest."""
        return {
            "name": self.name,
            "sentences": len(self.trees),
            "tokens": sum(len(tree.sentence) for tree in self.trees),
            "skipped": self.skipped,
            "sha256": self.sha256,
        }


def read_clusters(name: str, trees: Iterable[Tree]) -> Clusters:
    """Read a table of word clusters, and keep the part that training on these trees needs."""
    return Clusters.read(name).keep(token.form for tree in trees for token in tree.sentence)


def _read(source: str | Path, report: Report, needs_constituents: bool) -> list[Tree]:
    reader: Reader = read(source, on_error="skip", report=report)
    trees = list(reader)
    if needs_constituents and reader.format and not FORMATS[reader.format].holds.constituents:
        raise InputError(f"text in the format {reader.format}", "trees", path=str(source))
    return trees


def _check_trees(found: Iterable[object], name: str) -> None:
    for one in found:
        if not isinstance(one, Tree):
            raise UsageError(f"{name} holds {one!r}, expected trees, or the name of one treebank")


def _prepared(
    trees: Iterable[Tree], prepare: Pipeline, path: str, report: Report
) -> Iterator[Tree]:
    for number, tree in enumerate(trees, 1):
        try:
            changed = prepare.apply(tree)
        except TransformError as error:
            expected = "a tree that the transforms in the setting prepare can change"
            report(InputError(str(error), expected, path=path, sentence=tree.id or str(number)))
            continue
        if changed.sentence:
            yield changed
        else:
            found = "a sentence without tokens"
            report(InputError(found, "some", path=path, sentence=tree.id or str(number)))


def digest_files(source: Path) -> str:
    """Return the checksum of a file, or of all files in a folder and their names."""
    if str(source) == "-":
        raise InputError("standard input", "a file, which can be read twice", path="<stdin>")
    paths = sorted(path for path in source.rglob("*") if path.is_file())
    total = hashlib.sha256()
    for path in paths if source.is_dir() else [source]:
        with open_file(path) as file:
            digest = hashlib.file_digest(file, "sha256")
        if not source.is_dir():
            return digest.hexdigest()
        total.update(f"{path.relative_to(source)}\n{digest.hexdigest()}\n".encode())
    return total.hexdigest()


def _digest_trees(trees: Iterable[Tree]) -> str:
    total = hashlib.sha256()
    for tree in trees:
        tags = " ".join(token.tag for token in tree.sentence)
        total.update(f"{tree}\n{tags}\n".encode("utf-8", "surrogatepass"))
    return total.hexdigest()
