"""What runs the network of a parser: the core on a CPU, torch on a GPU.

Both find the same trees. Networks with a pretrained encoder need torch on a CPU, too.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from crossbranch import _core
from crossbranch.errors import InputError
from crossbranch.models.tensors import read_tensors
from crossbranch.neural.settings import EncoderSettings
from crossbranch.parsers.neural_transition.settings import NeuralTransitionSettings, Precision
from crossbranch.tree import Sentence

if TYPE_CHECKING:
    from crossbranch.parsers.neural_transition.parser import NeuralTransitionParser

WEIGHTS = "weights.safetensors"
PRETRAINED = "pretrained.json"
TAG = "tag"
"""The name of the task that gives the parser its own tags."""

_TASKS = "encoder.tasks."
"""The beginning of the names of the weights of tasks."""

ScoredCodes = tuple[float, list[int]]
"""The log-probability of a derivation, and its tree as the core writes it."""

Found = tuple[list[list[ScoredCodes]], Mapping[str, Sequence[int]]]
"""The best trees of each sentence, and for each task the label of each token."""


class Engine(Protocol):
    """Finds trees, and the labels of tasks."""

    def parse(
        self,
        sentences: Sequence[Sentence],
        *,
        beam: int,
        k_best: int,
        features: array[float] | None = None,
    ) -> Found:
        """Return the best trees of each sentence; for each task, the labels of all tokens.

        `features` has the numbers of other programs, a row for each token.
        """
        ...


def task_level(settings: NeuralTransitionSettings, name: str) -> int:
    """Return the level of a task; that of the parser's own tags is a setting by itself."""
    return settings.task[name].level if name in settings.task else settings.tag_level


class CoreEngine:
    """Parses in the core. Several threads may use it at once."""

    def __init__(self, parser: NeuralTransitionParser, precision: Precision = "float32") -> None:
        """Take the weights of a parser. Raises InputError if they do not fit."""
        settings = parser.settings
        where = parser.folder.where(WEIGHTS) if parser.folder else "<weights>"
        tensors = read_tensors(parser.weights, path=where)
        self._vocabulary = parser.words
        self._tasks = list(parser.task_labels)
        learned = {name.split(".")[2] for name in tensors if name.startswith(_TASKS)}
        if learned != set(self._tasks):
            found = ", ".join(sorted(learned)) or "no tasks"
            raise InputError(f"weights of {found}", ", ".join(self._tasks) or "none", path=where)
        try:
            self._core = _core.NeuralParser(
                _core.Tensors(tensors, precision=precision),
                parser.writer,
                residuals=_residuals(settings.network, tensors),
                tasks=[(name, task_level(settings, name) - 1) for name in self._tasks],
            )
        except ValueError as error:
            raise InputError(str(error), "the weights of this network", path=where) from None

    def parse(
        self,
        sentences: Sequence[Sentence],
        *,
        beam: int,
        k_best: int,
        features: array[float] | None = None,
    ) -> Found:
        """Return the best trees of each sentence; for each task, the labels of all tokens."""
        encoded = self._vocabulary.encode(sentences)
        trees, classes = self._core.parse(
            encoded.lengths,
            words=encoded.words,
            tags=encoded.tags if self._vocabulary.tags else None,
            forms=encoded.forms,
            characters=encoded.characters,
            form_lengths=encoded.form_lengths,
            features=features,
            beam=beam,
            k_best=k_best,
        )
        labels = {name: array("I", one) for name, one in zip(self._tasks, classes, strict=True)}
        return trees, labels


def _residuals(settings: EncoderSettings, tensors: Mapping[str, object]) -> list[str]:
    """Return what each layer does with its input; the first one may have another size."""
    is_projected = "encoder.projection.weight" in tensors
    others = [settings.residual] * (settings.layers - 1)
    return [settings.residual if is_projected else "none", *others]
