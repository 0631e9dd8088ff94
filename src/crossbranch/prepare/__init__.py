"""Make train, dev and test from a corpus as it is distributed: splits, recipes, manifests.

`prepare("tiger-spmrl", "tiger.xml", "out", recipe="2017")` writes train, dev and test as export and
discbracket, and a manifest that describes how they were made. Sentences with annotation errors are
left out and named in the manifest. They still count when the corpus is split.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from crossbranch.disk import replace_file
from crossbranch.doors import door
from crossbranch.errors import InputError, LossWarning, TransformError, UsageError
from crossbranch.prepare.corpora import CORPORA, RECIPES, Corpus
from crossbranch.prepare.splits import Record
from crossbranch.transforms import Pipeline, pipeline
from crossbranch.tree import Tree
from crossbranch.treebank import read, write

__all__ = ["CORPORA", "RECIPES", "Prepared", "prepare"]

PARTS = ("train", "dev", "test")
FORMATS = ("export", "discbracket")

Progress = Callable[[Iterable[Tree | InputError]], Iterable[Tree | InputError]]


@dataclass
class Prepared:
    """The result: the manifest, and problems to report."""

    manifest: dict[str, Any]
    problems: list[str] = field(default_factory=list)


@door
def prepare(
    name: str,
    source: str | Path,
    target: str | Path,
    *,
    recipe: str = "2017",
    apply: Pipeline | str = "",
    progress: Progress = iter,
) -> Prepared:
    """Split and clean a corpus; return the manifest, which is also written to the folder.

    Args:
        name: The corpus, one of CORPORA.
        source: The file or folder that its publisher distributes.
        target: The folder to write.
        recipe: One of RECIPES: the transforms that papers have used.
        apply: More transforms, applied after the recipe. They do not change the split.
        progress: Called once with all sentences; yields them one by one, and can count them.
    """
    if name not in CORPORA:
        raise UsageError(f"unknown corpus {name!r}; expected one of {', '.join(CORPORA)}")
    if recipe not in RECIPES:
        raise UsageError(f"unknown recipe {recipe!r}; expected one of {', '.join(RECIPES)}")
    corpus, source, target = CORPORA[name], Path(source), Path(target)
    if not source.exists():
        raise UsageError(f"cannot read {source}: no such file or directory")
    text = " | ".join(filter(None, [corpus.before, RECIPES[recipe]]))
    more = pipeline(apply) if isinstance(apply, str) else apply
    split = corpus.split(source)
    found = _Sentences(corpus, source, pipeline(text))
    sentences = list(progress(found))
    try:
        parts = split(found.records)
    except InputError as error:
        raise InputError(error.found, error.expected, path=str(source)) from None
    chosen: dict[str, list[Tree]] = {part: [] for part in PARTS}
    skipped = []
    for number, (sentence, part) in enumerate(zip(sentences, parts, strict=True), 1):
        if isinstance(sentence, InputError):
            skipped.append({"number": number, "part": part, "error": str(sentence)})
        elif part is not None:
            try:
                chosen[part].append(more.apply(sentence))
            except TransformError as error:
                skipped.append({"number": number, "part": part, "error": str(error)})
    manifest = {
        "corpus": name,
        "recipe": recipe,
        "pipeline": text,
        **({"apply": [repr(step) for step in more.steps]} if more.steps else {}),
        "split": corpus.summary,
        "crossbranch": version("crossbranch"),
        "input": [{"file": file, "sha256": digest} for file, digest in found.digests],
        "skipped": skipped,
        "parts": {part: _write(chosen[part], target, part) for part in PARTS},
    }
    path = target / "manifest.json"
    replace_file(path, (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode())
    return Prepared(manifest, _problems(corpus, manifest))


class _Sentences(Iterable["Tree | InputError"]):
    """The transformed sentences of a corpus in order; for bad sentences, their errors."""

    def __init__(self, corpus: Corpus, source: Path, steps: Pipeline) -> None:
        self.records: list[Record] = []
        self.digests: list[tuple[str, str]] = []
        self._corpus = corpus
        self._source = source
        self._steps = steps

    def __iter__(self) -> Iterator[Tree | InputError]:
        for document, path in self._corpus.files(self._source):
            base = self._source.parent if self._source.is_file() else self._source
            self.digests.append((str(path.relative_to(base)), _digest(path)))
            position = 0
            for found in self._read(path):
                position += 1
                sentence = (
                    self._transform(found, document, position) if isinstance(found, Tree) else found
                )
                if sentence is None:
                    continue
                self.records.append(_record(document, sentence))
                if isinstance(sentence, Tree):
                    sentence = sentence.replace(id=str(len(self.records)))
                yield sentence

    def _read(self, path: Path) -> Iterator[Tree | InputError]:
        errors: list[InputError] = []
        for tree in read(
            path,
            format=self._corpus.format,
            encoding=self._corpus.encoding,
            on_error="skip",
            report=errors.append,
        ):
            yield from errors
            errors.clear()
            yield tree
        yield from errors

    def _transform(self, tree: Tree, document: str, position: int) -> Tree | InputError | None:
        name = tree.id if self._corpus.format is None else f"{document}.{position}"
        try:
            changed = self._steps.apply(tree)
        except TransformError as error:
            return InputError(
                str(error), "a tree that the recipe fits", path=document, sentence=name
            )
        if tree.sentence and not changed.sentence:  # nothing but traces and comments
            return None
        return changed.replace(comments=(name, *changed.comments))


def _record(document: str, sentence: Tree | InputError) -> Record:
    if isinstance(sentence, InputError):
        return Record(document, 0, "")
    words = [token.form for token in sentence.sentence]
    return Record(document, len(words), " ".join(words))


def _write(trees: list[Tree], target: Path, part: str) -> dict[str, Any]:
    target.mkdir(parents=True, exist_ok=True)
    entry: dict[str, Any] = {
        "sentences": len(trees),
        "tokens": sum(len(tree.sentence) for tree in trees),
    }
    for format in FORMATS:
        path = target / f"{part}.{format}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LossWarning)  # what discbracket lacks is in the export
            write(trees, path, format=format)
        entry[format] = {"file": path.name, "sha256": _digest(path)}
    return entry


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _problems(corpus: Corpus, manifest: dict[str, Any]) -> list[str]:
    problems = [f"left out: {entry['error']}" for entry in manifest["skipped"]]
    release = f" for {corpus.release}" if corpus.release else ""
    for part, expected in corpus.expected.items():
        count = manifest["parts"][part]["sentences"]
        lost = sum(entry["part"] == part for entry in manifest["skipped"])
        if count + lost != expected:
            more = f" ({lost:,} more left out)" if lost else ""
            problems.append(f"{part} has {count:,} sentences{more}, expected {expected:,}{release}")
    return problems
