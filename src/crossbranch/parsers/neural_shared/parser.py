"""What parsers with a neural network have in common.

A model folder has these files besides its settings, its manifest and what its kind adds:

vocabulary.json       the words, characters and tags that the network knows
tasks.json            the labels of each task, such as the tags
weights.safetensors   all weights of the network
pretrained.json       the pretrained encoder that the network reads, if it does; a fine-tuned one
                      also has its configuration and tokenizer here: pretrained.tokenizer.json ...
"""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import msgspec

from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError
from crossbranch.models.folder import ModelFolder
from crossbranch.neural.encoder_files import StoredEncoder
from crossbranch.neural.vocabulary import Vocabulary
from crossbranch.parsers.batches import is_live
from crossbranch.parsers.contract import BatchSize
from crossbranch.parsers.neural_shared.checks import check_gpu, check_installed, no_torch
from crossbranch.parsers.neural_shared.distributions import (
    KnownRows,
    find_rows,
    in_one,
    read_rows,
)
from crossbranch.parsers.neural_shared.engine import PRETRAINED, TAG, WEIGHTS
from crossbranch.parsers.neural_shared.settings import NeuralSettings, Precision
from crossbranch.parsers.parser import Parser
from crossbranch.parsers.run import ParsingRun
from crossbranch.parsers.sentences import SentenceLike, refuse_text
from crossbranch.ranges import require_positive
from crossbranch.tasks import Labelled
from crossbranch.tasks.distributions import RowsOf
from crossbranch.tree import Sentence, Tree

VOCABULARY = "vocabulary.json"
TASKS = "tasks.json"
_Result = TypeVar("_Result")
TaskClasses = Mapping[str, Sequence[int]]
"""For each task, the number of the label of each token."""
_OF_ENCODER = "pretrained."
"""The beginning of the names of the files of a fine-tuned encoder."""


class Learned(NamedTuple):
    """What a network has learned, whatever the kind of its parser."""

    vocabulary: Vocabulary
    tasks: Mapping[str, tuple[str, ...]]
    """The labels of each task."""
    weights: bytes
    """A safetensors file."""
    pretrained: StoredEncoder | None = None


class NeuralParser(Parser):
    """A parser with a neural network: the core runs it on a CPU, torch on a GPU."""

    settings_type: ClassVar[type[NeuralSettings]] = NeuralSettings
    settings: NeuralSettings
    words: Vocabulary
    """The words, characters and tags that the network knows."""

    @door
    def __init__(self, settings: NeuralSettings, learned: Learned) -> None:
        """Take what was learned. The network is made when it is needed first."""
        self.settings = settings
        self.words = learned.vocabulary
        self.vocabulary = learned.vocabulary
        self.task_labels = dict(learned.tasks)
        self.weights = learned.weights
        self.pretrained = learned.pretrained
        self._engines: dict[Precision, Any] = {}
        self.distributions: Mapping[str, RowsOf | KnownRows] = {}
        """For each distribution that the model needs, a function that returns rows of numbers.

        It gets a list of sentences, each a list of words as the parser sees them. It returns a row
        for each token of each sentence. With several threads, it may be called in any of them.
        """

    @property
    def learned(self) -> Learned:
        """What the network has learned."""
        return Learned(self.words, self.task_labels, self.weights, self.pretrained)

    @abstractmethod
    def _core_engine(self, precision: Precision) -> Any:
        """Return what runs the network in the core."""

    @abstractmethod
    def _torch_engine(self, precision: Precision) -> Any:
        """Return what runs the network with torch. It may fail because torch is not installed."""

    @abstractmethod
    def _task_classes(
        self, sentences: Sequence[Sentence], features: array[float] | None
    ) -> TaskClasses:
        """Return the best labels of all tasks; `features` has a row for each token."""

    @property
    def takes_any_sentence(self) -> bool:
        """Whether it can parse any sentence: not if it only has rows of given ones."""
        return not any(isinstance(one, KnownRows) for one in self.distributions.values())

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

    @door
    def engine(self, precision: Precision = "float32") -> Any:
        """Return what runs the network: the core on a CPU, torch otherwise."""
        found = self._engines.get(precision)
        if found is None:
            if self.device == "cpu" and self.pretrained is None:
                found = self._core_engine(precision)
            else:
                try:
                    found = self._torch_engine(precision)
                except ModuleNotFoundError as error:
                    raise no_torch(error, self.pretrained is not None) from None
            self._engines[precision] = found
        return found

    def _with_rows(
        self,
        sentences: Sequence[Sentence],
        find: Callable[[Sequence[Sentence], array[float] | None], Iterator[list[_Result]]],
    ) -> Iterator[list[_Result]]:
        """Call `find` with the sentences that have rows of numbers, if the model needs them.

        Nothing is found for the others.
        """
        settings = self.settings.distribution
        if not settings:
            return find(sentences, None)
        rows = find_rows(settings, self.distributions, sentences)
        there = [number for number, one in enumerate(rows) if one is not None]
        some = [sentences[number] for number in there]
        if not some:
            return iter([[] for _ in sentences])
        width = sum(one.width for one in settings.values())
        features = in_one([rows[number] for number in there], some, width)
        by_number = dict(zip(there, find(some, features), strict=True))
        return iter([by_number.get(number, []) for number in range(len(sentences))])

    def _own_tags(
        self, sentences: Sequence[Sentence], classes: TaskClasses
    ) -> Iterator[list[str] | None]:
        """Yield the tags that the parser predicts for each sentence; None if it predicts none."""
        tags = classes.get(TAG) if self.tags_by_itself else None
        names = self.task_labels.get(TAG, ())
        start = 0
        for sentence in sentences:
            end = start + len(sentence)
            yield None if tags is None else [names[tag] for tag in tags[start:end]]
            start = end

    @door
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

        def find(
            sentences: Sequence[Sentence], features: array[float] | None
        ) -> Iterator[list[str]]:
            labels = iter(self._task_classes(sentences, features)[task])
            return ([names[next(labels)] for _ in sentence] for sentence in sentences)

        for batch, found in run.searched(lambda sentences: self._with_rows(sentences, find)):
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

    def files(self) -> dict[str, bytes]:
        """Return vocabulary, labels of tasks, weights, and the pretrained encoder."""
        files = {
            VOCABULARY: self.words.to_json(),
            TASKS: msgspec.json.encode(self.task_labels),
            WEIGHTS: self.weights,
        }
        if self.pretrained is not None:
            record = {"place": self.pretrained.place, "sha256": self.pretrained.sha256}
            files[PRETRAINED] = msgspec.json.encode(record)
            files |= {_OF_ENCODER + name: data for name, data in self.pretrained.files.items()}
        return files

    @staticmethod
    def _read_learned(settings: NeuralSettings, folder: ModelFolder) -> Learned:
        """Read what `files` has written."""
        return Learned(
            vocabulary=folder.json(VOCABULARY, Vocabulary),
            tasks=folder.json(TASKS, dict[str, tuple[str, ...]]),
            weights=folder.data(WEIGHTS),
            pretrained=_read_encoder(settings, folder),
        )

    def _loaded_from(self, folder: ModelFolder) -> Self:
        """Check a parser that was loaded: what does not fit is found before somebody parses."""
        self.folder = folder
        self.words.check(folder.where(VOCABULARY))
        self.engine()
        return self

    @classmethod
    def check_installed(cls, settings: NeuralSettings) -> None:
        """Check that there is torch, and transformers if it is needed."""
        check_installed(settings)


def _read_encoder(settings: NeuralSettings, folder: ModelFolder) -> StoredEncoder | None:
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
