"""The settings of transition parsers with a neural scorer."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from crossbranch.config import EpochSettings, SearchOptions, Share, Size
from crossbranch.models.tensors import Storage
from crossbranch.neural.settings import (
    EncoderSettings,
    OptimizerSettings,
    PretrainedSettings,
    ScorerSettings,
    VectorSettings,
)
from crossbranch.tasks import DistributionSettings, Sampling, TaskSettings, levels_needed
from crossbranch.transitions import SYSTEMS

Precision = Literal["float32", "bfloat16"]
"""The numbers that a network computes with."""


class NeuralTransitionSettings(EpochSettings, frozen=True, kw_only=True):
    """The settings of transition parsers with a neural scorer."""

    without_effect: ClassVar[frozenset[str]] = frozenset({"threads", "device"})

    parser: Annotated[str, "kind of parser"] = "neural-transition"
    tags: Annotated[
        Literal["predicted", "gold", "own", "none"],
        "tags to learn from; own: the parser predicts tags itself; predicted: by a tagger, which"
        " becomes part of the model; gold: the tags of the trees; none: only words",
    ] = "own"
    threads: Annotated[Size, "number of cores for training; changes the model by rounding"] = 1
    epochs: Annotated[Size, "maximum number of epochs"] = 40
    system: Annotated[str, "transition system"] = "stack-free"
    oracle: Annotated[
        str,
        "oracle to learn from; static: from gold derivations only; dynamic: also from what the"
        " parser does itself",
    ] = "dynamic"
    explore: Annotated[
        Share, "dynamic: share of sentences in which the parser follows its own choices"
    ] = 0.15
    explore_steps: Annotated[
        Share, "dynamic: how often it follows its own choice there, and not that of the oracle"
    ] = 1.0
    beam: Annotated[Size, "size of the beam in parsing; 1: greedy"] = 1
    batch: Annotated[Size, "number of sentences for each update of the weights"] = 16
    apart: Annotated[bool, "learn each task in updates of its own"] = False
    task_sampling: Annotated[
        Sampling,
        "how often tasks with files of their own are learned; proportional: as often as they have"
        " sentences; even: all equally often",
    ] = "proportional"
    auxiliary: Annotated[bool, "learn the tasks; false: a control model of the same size"] = True
    tag_level: Annotated[Size, "layer of the network that predicts tags, from 1"] = 1
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
    scorer: Annotated[ScorerSettings, "how the network scores choices"] = ScorerSettings()
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
        """Name the transition system, the oracle and the network."""
        system, encoder = SYSTEMS[self.system], self.network
        title = f" ({system.title})" if system.title != system.name else ""
        found = {
            "system": f"{system.name}{title}, oracle {self.oracle}",
            "network": f"{encoder.layers} bi-LSTM layers of {encoder.hidden}, residual"
            f" {encoder.residual}",
        }
        if self.pretrained is not None:
            found["pretrained"] = self.pretrained.path
        return found


class NeuralTransitionOptions(SearchOptions, frozen=True, kw_only=True):
    """The options that users may give when they parse."""

    beam: Annotated[Size, "size of the beam; 1: greedy"] = 1
    precision: Annotated[
        Precision,
        "numbers of the network; bfloat16: shorter ones, faster if the machine can multiply them",
    ] = "float32"
