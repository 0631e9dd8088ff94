"""Parsers with span charts: a network scores all spans, and a chart finds the best tree exactly.

Besides the files of all neural parsers, a model folder has labels.json: the labels of continuous
and of discontinuous constituents.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec

from crossbranch import _core
from crossbranch.confidence.strategies import Marginals
from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError
from crossbranch.models.folder import ModelFolder
from crossbranch.parsers.contract import Capabilities
from crossbranch.parsers.neural_shared.checks import check_network
from crossbranch.parsers.neural_shared.parser import Learned, NeuralParser, TaskClasses
from crossbranch.parsers.neural_shared.settings import Precision
from crossbranch.parsers.neural_span.brackets import bracket_probabilities
from crossbranch.parsers.neural_span.chart import (
    ProbableConstituent,
    SentenceChart,
    probable_constituents,
)
from crossbranch.parsers.neural_span.engine import CoreEngine, Engine, FoundTree, Search
from crossbranch.parsers.neural_span.labels import SpanLabels
from crossbranch.parsers.neural_span.settings import NeuralSpanOptions, NeuralSpanSettings
from crossbranch.parsers.neural_span.spaces import LONGEST, Space
from crossbranch.parsers.run import ParsingRun
from crossbranch.parsers.sentences import SEARCH_SPACE, SentenceLike
from crossbranch.parsers.tracing import ItemParser
from crossbranch.search import Analysis, ItemTrace
from crossbranch.structure import NodeBuilder
from crossbranch.training import Example, Learner
from crossbranch.tree import Sentence

if TYPE_CHECKING:
    from crossbranch.parsers.neural_span.pruning import GrammarPruning

LABELS = "labels.json"


class NeuralSpanParser(NeuralParser, ItemParser):
    """A parser with span charts and a neural scorer."""

    kind: ClassVar[str] = "neural-span"
    settings_type: ClassVar[type[NeuralSpanSettings]] = NeuralSpanSettings
    options_type: ClassVar[type[NeuralSpanOptions]] = NeuralSpanOptions
    can: ClassVar[Capabilities] = Capabilities(
        k_best=True, own_tags=True, marginals=True, teams=True, devices=("cpu", "cuda")
    )
    strategy: ClassVar[Marginals] = Marginals()
    settings: NeuralSpanSettings

    @door
    def __init__(
        self, settings: NeuralSpanSettings, *, labels: SpanLabels, learned: Learned
    ) -> None:
        """Take the labels, and what was learned."""
        super().__init__(settings, learned)
        self.labels_by_number = labels
        self._builder = NodeBuilder(labels.chains)
        self._prunings: dict[str, GrammarPruning] = {}  # by file

    def default_options(self) -> NeuralSpanOptions:
        """Return the search space of the settings, and what is searched for."""
        own = self.settings
        return NeuralSpanOptions(space=own.space, ill_nested=own.ill_nested, decode=own.decode)

    @door
    def options(self, values: Mapping[str, object]) -> Any:
        """Check options and return them all."""
        found: NeuralSpanOptions = super().options(values)
        Space(found.space, found.ill_nested).check()
        return found

    def _core_engine(self, precision: Precision) -> Engine:
        return CoreEngine(self, precision)

    def _torch_engine(self, precision: Precision) -> Engine:
        from crossbranch.parsers.neural_span.torch_engine import TorchEngine

        return TorchEngine(self, self.device, precision)

    def _task_classes(
        self, sentences: Sequence[Sentence], features: array[float] | None
    ) -> TaskClasses:
        engine: Engine = self.engine()
        return engine.parse(sentences, Search(()), features)[1]

    def search(
        self,
        sentences: Sequence[Sentence],
        options: NeuralSpanOptions,
        *,
        k_best: int = 1,
        probabilities: bool = False,
    ) -> Iterator[list[Analysis]]:
        """Find the best trees and the tags of sentences.

        A sentence that is too long even for the smallest space has no parse. A k-best list has the
        trees with the best scores, whatever tree the settings ask for.
        """
        if k_best > 1 and options.decode not in ("best", self.settings.decode):
            raise UsageError(
                f"decode = {options.decode} finds one tree for each sentence, not a k-best list;"
                " expected decode = best"
            )
        wanted = Space(options.space, options.ill_nested)
        short = [one for one in sentences if wanted.for_length(len(one)) is not None]
        engine: Engine = self.engine(options.precision)

        def find(
            some: Sequence[Sentence], features: array[float] | None
        ) -> Iterator[list[Analysis]]:
            spaces = [wanted.for_length(len(one)) or wanted for one in some]
            has_least_risk = k_best == 1 and options.decode == "minimum-risk"
            search = Search(spaces, k_best, probabilities, has_least_risk)
            if options.grammar:
                classes = engine.parse(some, Search(()), features)[1]
                tags = list(self._own_tags(some, classes))
                found = self._pruned(some, tags, search, options, features)
            else:
                found, classes = engine.parse(some, search, features)
                tags = list(self._own_tags(some, classes))
            rows = zip(some, tags, spaces, found, strict=True)
            return (
                self._analyses(sentence, trees, own, None if space == wanted else space)
                for sentence, own, space, trees in rows
            )

        if not short:
            return iter([[] for _ in sentences])
        analyses = self._with_rows(short, find)
        if len(short) == len(sentences):
            return analyses
        return ([] if wanted.for_length(len(one)) is None else next(analyses) for one in sentences)

    def _pruned(
        self,
        sentences: Sequence[Sentence],
        tags: Sequence[list[str] | None],
        search: Search,
        options: NeuralSpanOptions,
        features: array[float] | None,
    ) -> list[list[FoundTree]]:
        """Find the best trees in charts that a grammar has pruned."""
        from crossbranch.parsers.neural_span.pruning import GrammarPruning  # few need it

        if options.grammar not in self._prunings:
            self._prunings[options.grammar] = GrammarPruning(options.grammar, self.labels_by_number)
        pruning = self._prunings[options.grammar]
        engine: Engine = self.engine(options.precision)
        width = len(features or ()) // sum(map(len, sentences))
        found, start = [], 0
        for sentence, own, space in zip(sentences, tags, search.spaces, strict=True):
            rows = None if features is None else features[start : start + width * len(sentence)]
            start += width * len(sentence)
            words = [token.form for token in sentence]
            given = own or [token.tag for token in sentence]
            scores = engine.score(sentence, rows)
            wanted = search._replace(spaces=(space,))
            found.append(pruning.trees(words, given, scores, wanted, margin=options.margin))
        return found

    def _analyses(
        self,
        sentence: Sentence,
        trees: Sequence[FoundTree],
        tags: list[str] | None,
        smaller: Space | None,
    ) -> list[Analysis]:
        """Return the analyses of a sentence.

        Trees that differ only in the parts of split constituents are the same tree. `smaller` is
        the space of a sentence that was too long for the one that was asked for.
        """
        features = () if smaller is None else ((SEARCH_SPACE, smaller.rules),)
        found: list[Analysis] = []
        for score, codes, probability, probabilities in trees:
            root = self._builder.build(codes)
            has_parts = self.labels_by_number.has_parts(codes)
            if has_parts:
                root = self.labels_by_number.put_together(sentence, root)
            if self.labels_by_number.are_split and any(root == one.root for one in found):
                continue
            one = Analysis(root, score, tags, features=features)
            if probabilities:
                brackets = bracket_probabilities(
                    codes, self.labels_by_number, probabilities, root if has_parts else None
                )
                one = one._replace(probability=probability, probabilities=brackets)
            found.append(one)
        return found

    @door
    def chart(
        self,
        sentence: SentenceLike,
        *,
        least: float = 0.01,
        longest: int | None = None,
        **options: Any,
    ) -> SentenceChart:
        """Return the probable constituents of a sentence, and which of them are in its tree.

        Args:
            sentence: As in `parse`.
            least: Constituents that are less probable are left out, unless its tree has them.
            longest: The largest number of words (None: what the smallest search space can have).
            **options: As in `parse`.

        Raises:
            UsageError: An option is wrong, or the sentence has no words or too many.
        """
        chosen = self.options(options)
        words = tuple([token.form for token in self._request(sentence).sentence])
        most = LONGEST["continuous"] if longest is None else longest
        if not 1 <= len(words) <= most:
            raise UsageError(f"the sentence has {len(words)} words, expected 1 to {most}")

        def find(
            some: Sequence[Sentence], features: array[float] | None
        ) -> Iterator[list[ProbableConstituent]]:
            return iter([self._probable(one, chosen, features, least) for one in some])

        run = ParsingRun(
            *(self.front_end, self._request, [sentence], self.batch_size, 1, "keep", False),
            hides_tags=self.settings.tags == "none",
        )
        ((_, found),) = run.searched(lambda some: self._with_rows(some, find))
        return SentenceChart(words, next(found))

    @door
    def item_traces(
        self, sentences: Sequence[Sentence], options: NeuralSpanOptions, *, others: int
    ) -> Iterator[ItemTrace | None]:
        """Yield the items of charts, in the order in which they are computed.

        Raises:
            UsageError: The options ask for another tree than that with the best score.
        """
        from crossbranch.parsers.neural_span.items import chart_trace  # few need it

        if options.decode != "best":
            raise UsageError(
                f"decode = {options.decode} finds another tree than the best one of the chart;"
                " expected decode = best to look at the items of the chart"
            )
        if options.grammar:
            raise UsageError("the items of charts that a grammar has pruned cannot be shown")
        wanted = Space(options.space, options.ill_nested)

        def find(
            some: Sequence[Sentence], features: array[float] | None
        ) -> Iterator[list[ItemTrace]]:
            for one in some:
                space = wanted.for_length(len(one))
                if space is None:
                    yield []
                    continue
                scores = self._scores(one, options, features)
                yield [chart_trace(scores, self.labels_by_number, space, others=others)]

        for sentence in sentences:
            for found in self._with_rows([sentence], find):
                yield found[0] if found else None

    def _probable(
        self,
        sentence: Sentence,
        options: NeuralSpanOptions,
        features: array[float] | None,
        least: float,
    ) -> list[ProbableConstituent]:
        space = Space(options.space, options.ill_nested).for_length(len(sentence))
        return probable_constituents(
            self._scores(sentence, options, features),
            self.labels_by_number,
            space or Space("continuous"),
            least=least,
            minimum_risk=options.decode == "minimum-risk",
        )

    def _scores(
        self, sentence: Sentence, options: NeuralSpanOptions, features: array[float] | None
    ) -> _core.SpanScores:
        """The scores of all spans of a sentence."""
        engine: Engine = self.engine(options.precision)
        labels = self.labels_by_number
        return _core.SpanScores(
            len(sentence),
            *engine.score(sentence, features),
            continuous_labels=labels.continuous_count,
            discontinuous_labels=labels.discontinuous_count,
            is_root=labels.is_root,
        )

    def files(self) -> dict[str, bytes]:
        """Return the labels, and the files of all neural parsers."""
        labels = msgspec.json.encode(self.labels_by_number.to_json())
        return {LABELS: labels, **super().files()}

    @classmethod
    def from_folder(cls, settings: NeuralSpanSettings, folder: ModelFolder) -> Self:
        """Load the labels, and what all neural parsers have."""
        labels = SpanLabels.from_json(folder.json(LABELS), path=folder.where(LABELS))
        parser = cls(settings, labels=labels, learned=cls._read_learned(settings, folder))
        return parser._loaded_from(folder)

    @classmethod
    def check_settings(cls, settings: NeuralSpanSettings) -> None:
        """Check the search space, the sizes of layers, and the tasks."""
        Space(settings.space, settings.ill_nested).check()
        check_network(settings)

    @classmethod
    def learner(
        cls,
        settings: NeuralSpanSettings,
        examples: Sequence[Example],
        report: Callable[[InputError], None],
        *,
        dev: Sequence[Example] = (),
    ) -> Learner[Self]:
        """Return a learner that needs torch."""
        cls.check_installed(settings)
        from crossbranch.parsers.neural_span.learner import NeuralSpanLearner

        return NeuralSpanLearner(cls, settings, examples, report, dev=dev)
