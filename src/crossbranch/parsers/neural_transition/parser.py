"""Parsers that build a tree by transitions, with a neural scorer.

A model folder has these files besides its settings and manifest:

labels.json           the system: its labels and transitions
vocabulary.json       the words, characters and tags that the network knows
tasks.json            the labels of each task, such as the tags
weights.safetensors   all weights of the network
pretrained.json       the pretrained encoder that the network reads, if it does; a fine-tuned one
                      also has its configuration and tokenizer here: pretrained.tokenizer.json ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Self, TypeVar

import msgspec

from crossbranch import _core
from crossbranch.confidence.strategies import CalibratedBeams
from crossbranch.errors import InputError, UsageError, require_positive
from crossbranch.models.folder import ModelFolder
from crossbranch.neural.encoder_files import StoredEncoder
from crossbranch.neural.vocabulary import Vocabulary
from crossbranch.parsers.batches import is_live
from crossbranch.parsers.contract import BatchSize, Capabilities
from crossbranch.parsers.neural_transition.checks import (
    check_gpu,
    check_installed,
    check_settings,
    no_torch,
)
from crossbranch.parsers.neural_transition.distributions import (
    KnownRows,
    find_rows,
    in_one,
    read_rows,
)
from crossbranch.parsers.neural_transition.engine import (
    PRETRAINED,
    TAG,
    WEIGHTS,
    CoreEngine,
    Engine,
    Found,
)
from crossbranch.parsers.neural_transition.settings import (
    NeuralTransitionOptions,
    NeuralTransitionSettings,
    Precision,
)
from crossbranch.parsers.parser import Parser
from crossbranch.parsers.run import ParsingRun
from crossbranch.parsers.sentences import SentenceLike, refuse_text
from crossbranch.search import Analysis
from crossbranch.structure import NodeBuilder
from crossbranch.tasks import Labelled
from crossbranch.tasks.distributions import RowsOf
from crossbranch.training import Example, Learner
from crossbranch.transitions import TransitionSystem
from crossbranch.tree import Sentence, Tree

LABELS = "labels.json"
VOCABULARY = "vocabulary.json"
TASKS = "tasks.json"
_Result = TypeVar("_Result")
_Read = Callable[[Sequence[Sentence], Found], Iterator[list[_Result]]]
_OF_ENCODER = "pretrained."
"""The beginning of the names of the files of a fine-tuned encoder."""


class NeuralTransitionParser(Parser):
    """A parser with a transition system and a neural scorer."""

    kind: ClassVar[str] = "neural-transition"
    settings_type: ClassVar[type[NeuralTransitionSettings]] = NeuralTransitionSettings
    options_type: ClassVar[type[NeuralTransitionOptions]] = NeuralTransitionOptions
    can: ClassVar[Capabilities] = Capabilities(
        k_best=True, own_tags=True, teams=True, devices=("cpu", "cuda")
    )
    strategy: ClassVar[CalibratedBeams] = CalibratedBeams()
    settings: NeuralTransitionSettings
    words: Vocabulary
    """The words, characters and tags that the network knows."""

    def __init__(
        self,
        settings: NeuralTransitionSettings,
        *,
        system: TransitionSystem,
        vocabulary: Vocabulary,
        tasks: Mapping[str, tuple[str, ...]],
        weights: bytes,
        pretrained: StoredEncoder | None = None,
    ) -> None:
        """Take what was learned; `tasks` has the labels of each task, `weights` a safetensors file.

        The network is made when it is needed first.
        """
        self.settings = settings
        self.system = system
        self.words = vocabulary
        self.vocabulary = vocabulary
        self.task_labels = dict(tasks)
        self.weights = weights
        self.pretrained = pretrained
        self.writer = _core.ChoiceWriter(system.core, gaps=settings.scorer.gaps)
        self._builder = NodeBuilder(map(system.labels.chain, range(len(system.labels))))
        self._engines: dict[Precision, Engine] = {}
        self.distributions: Mapping[str, RowsOf | KnownRows] = {}
        """For each distribution that the model needs, a function that returns rows of numbers.

        It gets a list of sentences, each a list of words as the parser sees them. It returns a row
        for each token of each sentence. With several threads, it may be called in any of them.
        """

    @property
    def takes_any_sentence(self) -> bool:
        """Whether it can parse any sentence: not if it only has rows of given ones."""
        return not any(isinstance(one, KnownRows) for one in self.distributions.values())

    def default_options(self) -> NeuralTransitionOptions:
        """Return the beam of the settings."""
        return NeuralTransitionOptions(beam=self.settings.beam)

    def move_to(self, device: str) -> None:
        """Run the network on this device."""
        if device == self.device:
            return  # it is there already
        if device.startswith("cuda"):
            check_gpu(device)
        large = BatchSize(tokens=32768, sentences=2048)
        self.batch_size = type(self).batch_size if device == "cpu" else large
        self.device = device
        self._engines = {}

    def engine(self, precision: Precision = "float32") -> Engine:
        """Return what runs the network: the core on a CPU, torch otherwise."""
        found = self._engines.get(precision)
        if found is None:
            if self.device == "cpu" and self.pretrained is None:
                found = CoreEngine(self, precision)
            else:
                found = self._torch_engine(precision)
            self._engines[precision] = found
        return found

    def _torch_engine(self, precision: Precision) -> Engine:
        try:
            from crossbranch.parsers.neural_transition.torch_engine import TorchEngine
        except ModuleNotFoundError as error:
            raise no_torch(error, self.pretrained is not None) from None
        return TorchEngine(self, self.device, precision)

    def search(
        self,
        sentences: Sequence[Sentence],
        options: NeuralTransitionOptions,
        *,
        k_best: int = 1,
        probabilities: bool = False,
    ) -> Iterator[list[Analysis]]:
        """Find the best trees and the tags of sentences."""
        engine, beam = self.engine(options.precision), max(options.beam, k_best)
        return self._found(sentences, self._analyses, engine, beam=beam, k_best=k_best)

    def _found(
        self,
        sentences: Sequence[Sentence],
        read: _Read[_Result],
        engine: Engine,
        *,
        beam: int = 1,
        k_best: int = 1,
    ) -> Iterator[list[_Result]]:
        """Run the network on the sentences that have rows of numbers, if the model needs them.

        Nothing is found for the others.
        """
        settings = self.settings.distribution
        if not settings:
            return read(sentences, engine.parse(sentences, beam=beam, k_best=k_best))
        rows = find_rows(settings, self.distributions, sentences)
        there = [number for number, one in enumerate(rows) if one is not None]
        some = [sentences[number] for number in there]
        if not some:
            return iter([[] for _ in sentences])
        width = sum(one.width for one in settings.values())
        features = in_one([rows[number] for number in there], some, width)
        found = engine.parse(some, beam=beam, k_best=k_best, features=features)
        by_number = dict(zip(there, read(some, found), strict=True))
        return iter([by_number.get(number, []) for number in range(len(sentences))])

    def label(
        self,
        sentences: Iterable[SentenceLike],
        *,
        task: str,
        threads: int = 1,
        live: bool | None = None,
    ) -> Iterator[Labelled]:
        """Yield the words of sentences, and the labels that a task predicts for them.

        Args:
            sentences: As in `parse_many`.
            task: The name of the task.
            threads: As in `parse_many`.
            live: As in `parse_many`.

        Raises:
            UsageError: The model has not learned this task.
        """
        refuse_text(sentences)
        require_positive(threads=threads)
        if task not in self.task_labels:
            known = ", ".join(self.task_labels) or "none"
            raise UsageError(f"this model has no task {task!r}; expected one of {known}")
        run = ParsingRun(
            self.front_end,
            self._request,
            sentences,
            self.batch_size,
            threads,
            "keep",
            is_live(sentences) if live is None else live,
            self.settings.tags == "none",
        )
        return self._labelled(run, task)

    def _labelled(self, run: ParsingRun, task: str) -> Iterator[Labelled]:
        names = self.task_labels[task]

        def read(sentences: Sequence[Sentence], found: Found) -> Iterator[list[str]]:
            labels = iter(found[1][task])
            return ([names[next(labels)] for _ in sentence] for sentence in sentences)

        engine = self.engine()
        for batch, found in run.searched(lambda sentences: self._found(sentences, read, engine)):
            for request in batch:
                labels = next(found) if request.sentence else []
                forms = tuple([token.form for token in request.sentence])
                yield Labelled(forms, tuple(labels) or (None,) * len(forms))

    def read_rows(
        self,
        files: Mapping[str, str],
        sentences: Sequence[Tree],
        report: Callable[[InputError], None],
    ) -> None:
        """Read the rows of distributions of these sentences from files, for `parse_many`.

        Rows that were read for other sentences are forgotten.
        """
        tokens = [tree.sentence for tree in sentences]
        seen = [self.front_end.read(sentence) for sentence in tokens]
        found = read_rows(files, self.settings.distribution, tokens, seen, report)
        kept = {
            name: one for name, one in self.distributions.items() if not isinstance(one, KnownRows)
        }
        self.distributions = {**kept, **found}

    def _analyses(self, sentences: Sequence[Sentence], found: Found) -> Iterator[list[Analysis]]:
        build = self._builder.build
        trees, labels = found
        tags = labels.get(TAG) if self.tags_by_itself else None
        names = self.task_labels.get(TAG, ())
        start = 0
        for sentence, some in zip(sentences, trees, strict=True):
            end = start + len(sentence)
            own = None if tags is None else [names[tag] for tag in tags[start:end]]
            start = end
            yield [Analysis(build(codes), score, own) for score, codes in some]

    def files(self) -> dict[str, bytes]:
        """Return system, vocabulary, labels of tasks, weights, and the pretrained encoder."""
        files = {
            LABELS: msgspec.json.encode(self.system.to_json()),
            VOCABULARY: self.words.to_json(),
            TASKS: msgspec.json.encode(self.task_labels),
            WEIGHTS: self.weights,
        }
        if self.pretrained is not None:
            record = {"place": self.pretrained.place, "sha256": self.pretrained.sha256}
            files[PRETRAINED] = msgspec.json.encode(record)
            files |= {_OF_ENCODER + name: data for name, data in self.pretrained.files.items()}
        return files

    @classmethod
    def from_folder(cls, settings: NeuralTransitionSettings, folder: ModelFolder) -> Self:
        """Load system, vocabulary, labels of tasks, and weights."""
        path = folder.where
        parser = cls(
            settings,
            system=TransitionSystem.from_json(folder.json(LABELS), path=path(LABELS)),
            vocabulary=folder.json(VOCABULARY, Vocabulary),
            tasks=folder.json(TASKS, dict[str, tuple[str, ...]]),
            weights=folder.data(WEIGHTS),
            pretrained=_read_encoder(settings, folder),
        )
        parser.folder = folder
        parser.words.check(path(VOCABULARY))
        parser.engine()  # what does not fit is found now, not when somebody parses
        return parser

    @classmethod
    def check_settings(cls, settings: NeuralTransitionSettings) -> None:
        """Check the system, its oracle, the sizes of layers, and the tasks."""
        check_settings(settings)

    @classmethod
    def check_installed(cls, settings: NeuralTransitionSettings) -> None:
        """Check that there is torch, and transformers if it is needed."""
        check_installed(settings)

    @classmethod
    def learner(
        cls,
        settings: NeuralTransitionSettings,
        examples: Sequence[Example],
        report: Callable[[InputError], None],
        *,
        dev: Sequence[Example] = (),
    ) -> Learner[Self]:
        """Return a learner that needs torch."""
        cls.check_installed(settings)
        from crossbranch.parsers.neural_transition.learner import NeuralTransitionLearner

        return NeuralTransitionLearner(cls, settings, examples, report, dev=dev)


def _read_encoder(settings: NeuralTransitionSettings, folder: ModelFolder) -> StoredEncoder | None:
    if settings.pretrained is None:
        return None
    record = folder.json(PRETRAINED, dict[str, str])
    if not {"place", "sha256"} <= set(record):
        raise InputError(
            ", ".join(record) or "nothing", "place and sha256", path=folder.where(PRETRAINED)
        )
    names = [name for name in folder.manifest.files if name.startswith(_OF_ENCODER)]
    return StoredEncoder(
        place=record["place"],
        sha256=record["sha256"],
        files={
            name.removeprefix(_OF_ENCODER): folder.data(name)
            for name in names
            if name != PRETRAINED
        },
    )
