"""What all neural parsers need to run their network with torch."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

import torch
from torch import Tensor, nn

from crossbranch.errors import InputError
from crossbranch.neural.encoder import FeatureShape, TaskShape
from crossbranch.neural.network import TokenNetwork
from crossbranch.neural.pretrained import Pretrained, PretrainedInput, PretrainedReader
from crossbranch.neural.subtokens import Windows
from crossbranch.neural.tokens import TokenBatch
from crossbranch.neural.vocabulary import EncodedTokens
from crossbranch.parsers.neural_shared.devices import short_numbers
from crossbranch.parsers.neural_shared.engine import PRETRAINED, WEIGHTS, task_level
from crossbranch.parsers.neural_shared.settings import NeuralSettings, Precision
from crossbranch.parsers.neural_shared.weights import unpack
from crossbranch.text.detokenize import BRACKETS
from crossbranch.tree import Sentence

if TYPE_CHECKING:
    from crossbranch.parsers.neural_shared.parser import NeuralParser

_AT_ONCE = 2  # threads that may use a network
_Network = TypeVar("_Network", bound=TokenNetwork)
MakeNetwork = Callable[[Mapping[str, TaskShape], PretrainedInput | None], _Network]
"""Makes a network from the shapes of its tasks and the vectors of a pretrained encoder."""


def feature_shape(settings: NeuralSettings) -> FeatureShape | None:
    """Return the shape of the network that reads all distributions, whose widths are known."""
    found = list(settings.distribution.values())
    if not found:
        return None
    size = sum(one.size or one.width for one in found)
    return FeatureShape(sum(one.width for one in found), size, found[0].dropout)


class NetworkEngine(Generic[_Network]):
    """The network of a parser, on a device."""

    def __init__(
        self,
        parser: NeuralParser,
        make: MakeNetwork[_Network],
        device: str,
        precision: Precision = "float32",
    ) -> None:
        """Make a network, and give it the weights of a parser.

        Raises:
            InputError: They do not fit.
        """
        settings = parser.settings
        tasks = {
            name: TaskShape(task_level(settings, name), len(labels))
            for name, labels in parser.task_labels.items()
        }
        where = parser.folder.where if parser.folder else "<{}>".format
        self._reader: PretrainedReader | None = None
        added: PretrainedInput | None = None
        if settings.pretrained is not None and parser.pretrained is not None:
            _, self._reader, added = Pretrained.to_parse(
                settings.pretrained,
                parser.pretrained,
                surfaces=BRACKETS,
                device=device,
                path=where(PRETRAINED),
            )
        network = make(tasks, added)
        load_weights(network, unpack(parser.weights, path=where(WEIGHTS)), where(WEIGHTS))
        self.network = network.to(device).eval()
        self.device = device
        # While a device works for one thread, another one can prepare; more would only wait.
        self.places = threading.BoundedSemaphore(_AT_ONCE)
        self._reading = threading.Lock()  # tokenizers of pretrained encoders serve one at a time
        self._is_short = precision == "bfloat16"
        self._tasks = list(tasks)

    def precision(self) -> torch.autocast:
        """Let torch compute with the numbers of this engine."""
        return short_numbers(self.device, self._is_short)

    def encode(
        self,
        encoded: EncodedTokens,
        sentences: Sequence[Sentence],
        features: array[float] | None = None,
    ) -> list[Tensor]:
        """Return the vectors of all tokens at each level."""
        read = self._read(sentences)
        batch = TokenBatch.of(encoded, self.device, features, pretrained=read)
        return self.network.encode(batch)

    def _read(self, sentences: Sequence[Sentence]) -> Tensor | Windows | None:
        if self._reader is None:
            return None
        with self._reading:
            return self._reader.read(sentences)

    def task_classes(self, levels: list[Tensor]) -> dict[str, list[int]]:
        """Return the best label of each token, for each task."""
        scores = self.network.encoder.task_scores
        return {name: scores(name, levels).argmax(1).tolist() for name in self._tasks}


def load_weights(network: nn.Module, weights: Mapping[str, Tensor], where: str) -> None:
    """Give the network its weights. Tables that a pretrained encoder makes itself are not stored.

    Raises:
        InputError: Some do not fit, are missing, or are too many.
    """
    learned = {name for name, _ in network.named_parameters()}
    try:
        missing, others = network.load_state_dict(weights, strict=False)
    except RuntimeError as error:
        raise InputError(str(error), "the weights of this network", path=where) from None
    if wrong := sorted(learned.intersection(missing)) + sorted(others):
        found = "other weights" if wrong[0] in others else "no weights"
        expected = f"the weights of this network ({len(wrong)} differ)"
        raise InputError(f"{found}: {wrong[0]}", expected, path=where)
