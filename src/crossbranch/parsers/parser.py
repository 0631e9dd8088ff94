"""The contract of a parser: trained once, saved, loaded; sentences in, trees out.

A kind of parser supplies the few steps in which it differs: `search`, `roots`, `files`,
`from_folder` and `learner`. Batches, threads, order, fall-back trees and model folders are here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from crossbranch.config import Settings, read_toml, to_toml
from crossbranch.errors import InputError, UsageError
from crossbranch.parsers.folder import ModelFolder, open_folder, write_folder
from crossbranch.parsers.sentences import Request, SentenceLike, batches
from crossbranch.training import Learner
from crossbranch.tree import ROOT, Node, Sentence, Tree

CONFIG = "config.toml"


class ScoredTree(NamedTuple):
    """A tree and what the parser thinks of it: higher is better."""

    tree: Tree
    score: float


Scored = tuple[float, Node]
"""A root and its score."""


class Parser(ABC):
    """Sentence -> tree."""

    kind: ClassVar[str]
    """The name in PARSERS."""
    settings_type: ClassVar[type[Settings]]

    settings: Settings
    about: Mapping[str, Any]
    """Where the model comes from: training data, scores, licence."""

    # What a kind of parser supplies.

    @abstractmethod
    def search(
        self, sentences: Sequence[Sentence], *, beam: int | None, threads: int, k_best: int
    ) -> Any:
        """Find the best trees of sentences, none of them empty; runs beside other threads."""

    @abstractmethod
    def roots(self, found: Any, count: int) -> Iterator[list[Scored]]:
        """Yield for each of `count` sentences the roots that `search` found, the best first.

        A sentence for which there is none gets a fall-back tree.
        """

    @abstractmethod
    def files(self) -> dict[str, bytes]:
        """Return the files of the model's folder, without its settings."""

    @classmethod
    @abstractmethod
    def from_folder(cls, settings: Any, folder: ModelFolder) -> Self:
        """Make the parser again of what `files` returned."""

    @classmethod
    @abstractmethod
    def learner(
        cls, settings: Any, trees: Sequence[Tree], report: Callable[[InputError], None]
    ) -> Learner[Self]:
        """Return what learns such a parser; trees of no use are reported and left out."""

    # What all parsers have.

    def parse(self, sentence: SentenceLike, *, beam: int | None = None) -> Tree:
        """Parse one sentence: tokens, words with tags, or a tree whose tokens are taken."""
        (tree,) = self.parse_many([sentence], beam=beam)
        return tree

    def parse_many(
        self, sentences: Iterable[SentenceLike], *, beam: int | None = None, threads: int = 1
    ) -> Iterator[Tree]:
        """Parse sentences as they are asked for, in order and in constant memory.

        Every sentence gets a tree over exactly its tokens: an empty one a root without children,
        one that no tree was found for a flat tree. The trees do not depend on `threads`.

        Args:
            sentences: Trees, whose tokens, ids and comments are taken; or sequences of tokens, of
                words with tags (`("Haus", "NN")`), or of bare words.
            beam: The size of the beam, for parsers that have one (default: as in training).
            threads: How many cores to use.
        """
        return (scored[0].tree for scored in self._parse(sentences, 1, beam, threads))

    def parse_k_best(
        self,
        sentences: Iterable[SentenceLike],
        k_best: int,
        *,
        beam: int | None = None,
        threads: int = 1,
    ) -> Iterator[list[ScoredTree]]:
        """Parse sentences; yield for each up to `k_best` different trees, the best one first."""
        if k_best < 1:
            raise UsageError(f"k_best is {k_best}, expected at least 1")
        return self._parse(sentences, k_best, beam, threads)

    def save(self, folder: str | Path) -> None:
        """Write the model to a folder; one that is there is replaced in one step."""
        files = {CONFIG: to_toml(self.settings).encode(), **self.files()}
        write_folder(folder, files, self.about)

    @classmethod
    def load(cls, folder: str | Path | ModelFolder) -> Self:
        """Load a model of this kind from its folder."""
        opened = folder if isinstance(folder, ModelFolder) else open_folder(folder)
        path = str(opened.path / CONFIG)
        try:
            settings = cls.settings_type.of(read_toml(opened.text(CONFIG), path=path))
        except UsageError as error:
            raise InputError(str(error), "the settings of a parser", path=path) from None
        if settings.parser != cls.kind:
            raise InputError(f"a parser of kind {settings.parser!r}", repr(cls.kind), path=path)
        parser = cls.from_folder(settings, opened)
        parser.about = opened.manifest.about
        return parser

    def _parse(
        self, sentences: Iterable[SentenceLike], k_best: int, beam: int | None, threads: int
    ) -> Iterator[list[ScoredTree]]:
        for name, value in (("beam", beam), ("threads", threads)):
            if value is not None and value < 1:
                raise UsageError(f"{name} is {value}, expected at least 1")
        return self._parsed(sentences, k_best, beam, threads)

    def _parsed(
        self, sentences: Iterable[SentenceLike], k_best: int, beam: int | None, threads: int
    ) -> Iterator[list[ScoredTree]]:
        def search(batch: list[Request]) -> Any:
            tokens = [request.sentence for request in batch if request.sentence]
            return self.search(tokens, beam=beam, threads=threads, k_best=k_best)

        finished = _one_ahead if threads > 1 else _one_by_one
        for batch, found in finished(batches(sentences), search):
            count = sum([1 for request in batch if request.sentence])
            roots = self.roots(found, count)
            for request in batch:
                yield _trees(request, next(roots) if request.sentence else [])


def _one_by_one(
    items: Iterator[list[Request]], search: Callable[[list[Request]], Any]
) -> Iterator[tuple[list[Request], Any]]:
    for item in items:
        yield item, search(item)


def _one_ahead(
    items: Iterator[list[Request]], search: Callable[[list[Request]], Any]
) -> Iterator[tuple[list[Request], Any]]:
    """Search the next batch in the core while the trees of the last one are built in Python."""
    with ThreadPoolExecutor(1) as executor:
        waiting: tuple[list[Request], Any] | None = None
        for item in items:
            ahead = (item, executor.submit(search, item))
            if waiting is not None:
                yield waiting[0], waiting[1].result()
            waiting = ahead
        if waiting is not None:
            yield waiting[0], waiting[1].result()


def _trees(request: Request, scored: list[Scored]) -> list[ScoredTree]:
    tokens = request.sentence
    roots = scored or [(0.0, Node(ROOT, range(len(tokens))))]
    return [
        ScoredTree(Tree(tokens, root, id=request.id, comments=request.comments), score)
        for score, root in roots
    ]
