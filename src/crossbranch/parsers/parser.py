"""The contract of a parser: trained once, saved, loaded; sentences in, trees out.

A kind of parser supplies the few steps in which it differs: `search`, `roots`, `files`,
`from_folder` and `learner`. Batches, threads, order, fall-back trees and model folders are here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self, get_args

from crossbranch.confidence.calibration import CALIBRATION, BeamCalibration, Calibration, wide_beam
from crossbranch.confidence.evidence import with_confidence
from crossbranch.config import Settings, read_toml, to_toml
from crossbranch.errors import InputError, UsageError
from crossbranch.parsers.folder import ModelFolder, open_folder, write_folder
from crossbranch.parsers.front_end import FrontEnd, read_front_end
from crossbranch.parsers.run import Run
from crossbranch.parsers.sentences import Request, SentenceLike, Tags
from crossbranch.tagging import Tagger
from crossbranch.text import Tokenizer
from crossbranch.training import Learner
from crossbranch.tree import Node, Sentence, Tree

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
    calibration: Calibration | None = None
    """What its confidence is worth; None where it was trained without dev trees."""
    front_end: FrontEnd = FrontEnd()

    # What a kind of parser supplies.

    @abstractmethod
    def search(self, sentences: Sequence[Sentence], *, beam: int | None, k_best: int) -> Any:
        """Find the best trees of sentences, none of them empty; in several threads at once."""

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

    def beam_size(self, beam: int | None) -> int:
        """Return the size of the beam where `beam` is asked for, or nothing is."""
        return beam or 1

    @property
    def tokenizer(self) -> Tokenizer | None:
        """What cuts texts into sentences and tokens; None where the model has no such thing."""
        return self.front_end.tokenizer

    @property
    def tagger(self) -> Tagger | None:
        """What gives tags to words; None where the model has no such thing."""
        return self.front_end.tagger

    def parse(
        self,
        sentence: SentenceLike,
        *,
        beam: int | None = None,
        confidence: bool = False,
        tags: Tags = "keep",
    ) -> Tree:
        """Parse one sentence: a text, words, words with tags, tokens, or a tree's tokens."""
        (tree,) = self.parse_many([sentence], beam=beam, confidence=confidence, tags=tags)
        return tree

    def parse_text(
        self,
        text: str | Iterable[str],
        *,
        lines: bool = False,
        beam: int | None = None,
        threads: int = 1,
        confidence: bool = False,
    ) -> Iterator[Tree]:
        """Parse the sentences of a text, as they are asked for.

        Every token says where it stands in the text, and every tree has its part of it.

        Args:
            text: The text, or pieces of it, such as an open file.
            lines: Each line is a sentence.
            beam: As in `parse_many`.
            threads: As in `parse_many`.
            confidence: As in `parse_many`.

        Raises:
            UsageError: This model has no tokenizer.
        """
        sentences = self._split(text, lines)
        return self.parse_many(sentences, beam=beam, threads=threads, confidence=confidence)

    def _split(self, text: str | Iterable[str], lines: bool) -> Iterator[Tree]:
        if self.tokenizer is None:
            raise UsageError("this model has no tokenizer: give it sentences, as lists of words")
        return self.tokenizer.stream([text] if isinstance(text, str) else text, lines=lines)

    def tag(self, sentences: Iterable[SentenceLike], *, threads: int = 1) -> Iterator[Tree]:
        """Give tags to the words of sentences, and do not parse them: the trees are flat.

        Raises:
            UsageError: This model has no tagger.
        """
        _refuse_text(sentences)
        if self.tagger is None:
            raise UsageError("this model has no tagger")
        return (
            request.tree()
            for batch in self.front_end.requests(sentences)
            for request in self.front_end.tagged(batch, "predict", threads)
        )

    def parse_many(
        self,
        sentences: Iterable[SentenceLike],
        *,
        beam: int | None = None,
        threads: int = 1,
        confidence: bool = False,
        tags: Tags = "keep",
    ) -> Iterator[Tree]:
        """Parse sentences as they are asked for, in order and in constant memory.

        Every sentence gets a tree over exactly its tokens: an empty one a root without children,
        one that no tree was found for a flat tree. The trees do not depend on `threads`.

        Args:
            sentences: Texts of one sentence each; trees, whose tokens, ids and comments are taken;
                or sequences of tokens, of words with tags (`("Haus", "NN")`), or of bare words.
            beam: The size of the beam, for parsers that have one (default: as in training).
            threads: How many cores to use.
            confidence: Give trees and nodes a feature `confidence`, the probability that they are
                right. The trees are the same; they are parsed a second time with a wider beam.
            tags: "keep" predicts tags where there are none, "predict" all of them; a model without
                a tagger takes the tags as they are.

        Raises:
            UsageError: An option is wrong, or confidence is asked of a parser that was trained
                without dev trees.
        """
        found = self._parse(sentences, 1, beam, threads, confidence, tags)
        return (scored[0].tree for scored in found)

    def parse_k_best(
        self,
        sentences: Iterable[SentenceLike],
        k_best: int,
        *,
        beam: int | None = None,
        threads: int = 1,
        confidence: bool = False,
        tags: Tags = "keep",
    ) -> Iterator[list[ScoredTree]]:
        """Parse sentences; yield for each up to `k_best` different trees, the best one first."""
        if k_best < 1:
            raise UsageError(f"k_best is {k_best}, expected at least 1")
        return self._parse(sentences, k_best, beam, threads, confidence, tags)

    def save(self, folder: str | Path) -> None:
        """Write the model to a folder; one that is there is replaced in one step."""
        files = {CONFIG: to_toml(self.settings).encode(), **self.files()}
        files |= self.front_end.files(files)
        if self.calibration is not None:
            files[CALIBRATION] = self.calibration.to_json()
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
        parser.front_end = read_front_end(opened)
        if CALIBRATION in opened.manifest.files:
            path = str(opened.path / CALIBRATION)
            parser.calibration = Calibration.from_json(opened.json(CALIBRATION), path=path)
        return parser

    def _parse(
        self,
        sentences: Iterable[SentenceLike],
        k_best: int,
        beam: int | None,
        threads: int,
        confidence: bool,
        tags: Tags,
    ) -> Iterator[list[ScoredTree]]:
        _refuse_text(sentences)
        if tags not in get_args(Tags):
            raise UsageError(f"tags is {tags!r}, expected one of {', '.join(get_args(Tags))}")
        for name, value in (("beam", beam), ("threads", threads)):
            if value is not None and value < 1:
                raise UsageError(f"{name} is {value}, expected at least 1")
        if not confidence:
            return self._parsed(Run(self.front_end, sentences, threads, tags), k_best, beam)
        if self.calibration is None:
            raise UsageError(
                f"this parser cannot tell its confidence, since it has no {CALIBRATION}; train it"
                " with dev trees"
            )
        size = max(self.beam_size(beam), k_best)
        run = Run(self.front_end, sentences, threads, tags)
        return self._parsed_with_confidence(run, k_best, size, self.calibration)

    def _parsed(self, run: Run, k_best: int, beam: int | None) -> Iterator[list[ScoredTree]]:
        def search(tokens: list[Sentence]) -> Any:
            return self.search(tokens, beam=beam, k_best=k_best)

        for batch, found in run.searched(search):
            roots = self.roots(found, _count(batch))
            for request in batch:
                yield _trees(request, next(roots) if request.sentence else [])

    def _parsed_with_confidence(
        self, run: Run, k_best: int, beam: int, calibration: Calibration
    ) -> Iterator[list[ScoredTree]]:
        wide, chosen = wide_beam(beam), calibration.at(beam)

        def search(tokens: list[Sentence]) -> Any:
            others = self.search(tokens, beam=wide, k_best=wide)
            if wide == beam:  # the best trees are among the others
                return None, others
            return self.search(tokens, beam=beam, k_best=k_best), others

        for batch, (found, others) in run.searched(search):
            all_kept = self.roots(others, _count(batch))
            roots = None if found is None else self.roots(found, _count(batch))
            for request in batch:
                kept = next(all_kept) if request.sentence else []
                best = kept[:k_best] if roots is None or not request.sentence else next(roots)
                yield _sure(_trees(request, best), kept, chosen)


def _refuse_text(sentences: Iterable[SentenceLike]) -> None:
    """A text is iterable, too, but its letters are not sentences."""
    if isinstance(sentences, str):
        raise UsageError("one text was given, expected some sentences; see parse and parse_text")


def _sure(
    scored: list[ScoredTree], kept: list[Scored], calibration: BeamCalibration
) -> list[ScoredTree]:
    trees = with_confidence([one.tree for one in scored], kept, calibration)
    return [ScoredTree(tree, one.score) for tree, one in zip(trees, scored, strict=True)]


def _count(batch: Sequence[Request]) -> int:
    return sum([1 for request in batch if request.sentence])


def _trees(request: Request, scored: list[Scored]) -> list[ScoredTree]:
    if not scored:
        return [ScoredTree(request.tree(), 0.0)]
    return [ScoredTree(request.tree(root), score) for score, root in scored]
