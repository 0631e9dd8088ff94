"""The settings of all kinds of parsers that have a neural network."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from crossbranch.config import EpochSettings, SettingsTable
from crossbranch.models.tensors import Storage
from crossbranch.neural.settings import (
    EncoderSettings,
    OptimizerSettings,
    PretrainedSettings,
    VectorSettings,
)
from crossbranch.ranges import Batch, Epochs, Few, Threads
from crossbranch.tasks import DistributionSettings, Sampling, TaskSettings, levels_needed

Precision = Literal["float32", "bfloat16"]
"""The numbers that a network computes with."""


class NeuralSettings(EpochSettings, frozen=True, kw_only=True):
    """The settings that parsers with a neural network share."""

    without_effect: ClassVar[frozenset[str]] = frozenset({"threads", "device"})

    tags: Annotated[
        Literal["predicted", "gold", "own", "none"],
        "tags to learn from; own: the parser predicts tags itself; predicted: by a tagger, which"
        " becomes part of the model; gold: the tags of the trees; none: only words",
    ] = "own"
    threads: Annotated[Threads, "number of cores for training; changes the model by rounding"] = 1
    epochs: Annotated[Epochs, "maximum number of epochs"] = 40
    batch: Annotated[Batch, "number of sentences for each update of the weights"] = 16
    apart: Annotated[bool, "learn each task in updates of its own"] = False
    task_sampling: Annotated[
        Sampling,
        "how often tasks with files of their own are learned; proportional: as often as they have"
        " sentences; even: all equally often",
    ] = "proportional"
    auxiliary: Annotated[bool, "learn the tasks; false: a control model of the same size"] = True
    tag_level: Annotated[Few, "layer of the network that predicts tags, from 1"] = 1
    device: Annotated[str, "device for training, such as cuda; auto: a GPU if there is one"] = (
        "auto"
    )
    precision: Annotated[
        Precision,
        "numbers in training; bfloat16: shorter ones where torch allows it, faster on a GPU",
    ] = "float32"
    storage: Annotated[
        Storage, "numbers of the stored weights: 4, 2 or 1 bytes each; int8 costs a little accuracy"
    ] = "float32"
    encoder: Annotated[EncoderSettings, "how the network reads tokens"] = EncoderSettings()
    scorer: Annotated[SettingsTable, "how the network scores trees"] = SettingsTable()
    optimizer: Annotated[OptimizerSettings, "how weights change"] = OptimizerSettings()
    pretrained: Annotated[
        PretrainedSettings | None, "pretrained encoder whose vectors the network reads"
    ] = None
    vectors: Annotated[
        VectorSettings | None, "static word vectors that the word vectors start from"
    ] = None
    task: Annotated[dict[str, TaskSettings], "auxiliary tasks by name; see `crossbranch tasks`"] = (
        msgspec.field(default_factory=dict)
    )
    distribution: Annotated[
        dict[str, DistributionSettings], "numbers of other programs for each token, by name"
    ] = msgspec.field(default_factory=dict)

    @property
    def network(self) -> EncoderSettings:
        """The settings of the encoder, with as many layers as tasks and their controls need."""
        layers = max(self.encoder.layers, levels_needed(self.task))
        return msgspec.structs.replace(self.encoder, layers=layers)

    def in_words(self) -> dict[str, str]:
        """Name the network."""
        encoder = self.network
        found = {
            "network": f"{encoder.layers} bi-LSTM layers of {encoder.hidden}, residual"
            f" {encoder.residual}"
        }
        if self.pretrained is not None:
            found["pretrained"] = self.pretrained.path
        return found
