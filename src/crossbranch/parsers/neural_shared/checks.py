"""What is checked before a neural parser is trained or run: settings, and what is installed."""

from __future__ import annotations

import re
from importlib.util import find_spec

from crossbranch.errors import UsageError
from crossbranch.neural.encoder_files import NO_TRANSFORMERS, check_encoder
from crossbranch.neural.vectors import check_vectors
from crossbranch.parsers.neural_shared.distributions import check_distributions
from crossbranch.parsers.neural_shared.engine import TAG
from crossbranch.parsers.neural_shared.settings import NeuralSettings
from crossbranch.tasks import check_tasks

_TASK_NAME = re.compile(r"[\w-]+")


def check_network(settings: NeuralSettings) -> None:
    """Raise an error if settings of the network do not fit together, or if a file is wrong."""
    for name, size in (
        ("hidden", settings.encoder.hidden),
        ("spelling", settings.encoder.spelling),
    ):
        if size % 2:
            raise UsageError(f"the setting encoder.{name} is {size}, expected an even number")
    layers = settings.network.layers
    if settings.tag_level > layers:
        raise UsageError(
            f"the setting tag_level is {settings.tag_level}, expected at most"
            f" {layers}: the number of layers"
        )
    check_tasks(settings.task)
    check_distributions(settings)
    for name in settings.task:
        _check_task_name(name, has_own_tags=settings.tags == "own")
    if settings.pretrained is not None:
        check_encoder(settings.pretrained.path)
    if settings.vectors is not None:
        check_vectors(settings.vectors, size=settings.encoder.words)


def _check_task_name(name: str, *, has_own_tags: bool) -> None:
    """Raise a UsageError if weights cannot have the name of a task."""
    if not _TASK_NAME.fullmatch(name):
        raise UsageError(
            f"the name of the task {name!r} has other characters than letters, digits, - and _"
        )
    if name == TAG and has_own_tags:
        raise UsageError(
            f'the task {name!r} has the name of the parser\'s own tags (tags = "own"); choose'
            " another name for it"
        )


def check_installed(settings: NeuralSettings) -> None:
    """Raise a UsageError if torch is not installed, or transformers if an encoder needs it."""
    is_pretrained = settings.pretrained is not None
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError as error:
        raise no_torch(error, is_pretrained) from None
    if is_pretrained and find_spec("transformers") is None:
        raise UsageError(NO_TRANSFORMERS)


def no_torch(error: ModuleNotFoundError, is_pretrained: bool = False) -> Exception:
    """Return an error that says what to install, if torch is what is missing."""
    if error.name != "torch":
        return error
    if is_pretrained:
        return UsageError(NO_TRANSFORMERS)
    return UsageError("this kind of parser needs torch; install it with: crossbranch[neural]")


def check_gpu(device: str) -> None:
    """Raise a UsageError if torch finds no GPU."""
    try:
        import torch
    except ModuleNotFoundError as error:
        raise no_torch(error) from None
    if not torch.cuda.is_available():
        raise UsageError(
            f"the device is {device!r}, but this machine has no GPU that torch can use"
        )
