"""What runs the network of a parser: the core on a CPU, torch on a GPU.

Both find the same trees. Networks with a pretrained encoder need torch on a CPU, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from crossbranch import _core
from crossbranch.errors import InputError
from crossbranch.models.tensors import read_tensors
from crossbranch.neural.settings import EncoderSettings
from crossbranch.parsers.neural_shared.settings import NeuralSettings, Precision

if TYPE_CHECKING:
    from crossbranch.parsers.neural_shared.parser import NeuralParser

WEIGHTS = "weights.safetensors"
PRETRAINED = "pretrained.json"
TAG = "tag"
"""The name of the task that gives the parser its own tags."""

_TASKS = "encoder.tasks."
"""The beginning of the names of the weights of tasks."""


def task_level(settings: NeuralSettings, name: str) -> int:
    """Return the level of a task; that of the parser's own tags is a setting by itself."""
    return settings.task[name].level if name in settings.task else settings.tag_level


class StoredNetwork(NamedTuple):
    """The weights of a parser, and what the core must know about its encoder."""

    tensors: _core.Tensors
    residuals: list[str]
    tasks: list[tuple[str, int]]
    """The name and level of each task; level 0 is the first layer."""
    where: str
    """The file of the weights, for messages."""

    @classmethod
    def of(cls, parser: NeuralParser, precision: Precision) -> StoredNetwork:
        """Read the weights of a parser. Raises InputError if they are not those of its tasks."""
        where = parser.folder.where(WEIGHTS) if parser.folder else "<weights>"
        tensors = read_tensors(parser.weights, path=where)
        names = list(parser.task_labels)
        learned = {name.split(".")[2] for name in tensors if name.startswith(_TASKS)}
        if learned != set(names):
            found = ", ".join(sorted(learned)) or "no tasks"
            raise InputError(f"weights of {found}", ", ".join(names) or "none", path=where)
        with refused_weights(where):
            return cls(
                _core.Tensors(tensors, precision=precision),
                _residuals(parser.settings.network, tensors),
                [(name, task_level(parser.settings, name) - 1) for name in names],
                where,
            )


@contextmanager
def refused_weights(where: str) -> Iterator[None]:
    """Raise InputError, which names a file, if the core refuses the weights of the file."""
    try:
        yield
    except ValueError as error:
        raise InputError(str(error), "the weights of this network", path=where) from None


def _residuals(settings: EncoderSettings, tensors: Mapping[str, object]) -> list[str]:
    """Return what each layer does with its input; the first one may have another size."""
    is_projected = "encoder.projection.weight" in tensors
    others = [settings.residual] * (settings.layers - 1)
    return [settings.residual if is_projected else "none", *others]
