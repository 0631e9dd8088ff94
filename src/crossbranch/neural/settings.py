"""The settings of networks and of their training. This module does not need torch."""

from __future__ import annotations

from typing import Annotated, Literal

from crossbranch.config import SettingsTable
from crossbranch.ranges import Amount, Count, Few, NoWidth, Share, Size, Width

Initial = Literal["weights", "all", "orthogonal"]


class EncoderSettings(SettingsTable, frozen=True, kw_only=True):
    """How the network reads tokens: what it knows of each, and the layers above."""

    words: Annotated[NoWidth, "size of word vectors; 0: none"] = 64
    min_count: Annotated[Size, "words with fewer occurrences have no vector of their own"] = 1
    unknown: Annotated[Share, "how often a rare word is hidden in training"] = 0.3
    rare: Annotated[Share, "share of the words that are rare: the least frequent ones"] = 0.67
    characters: Annotated[
        Literal["lstm", "conv", "none"],
        "how the network reads the characters of a word; conv: faster",
    ] = "lstm"
    character_size: Annotated[Width, "size of character vectors"] = 64
    spelling: Annotated[Width, "size of the vector for the spelling of a word; an even number"] = (
        100
    )
    tags: Annotated[
        NoWidth, "size of tag vectors, if tags are predicted or gold; 0: they are not read"
    ] = 32
    layers: Annotated[Few, "number of bi-LSTM layers"] = 2
    hidden: Annotated[Width, "size of a layer; an even number: half of it for each direction"] = 400
    residual: Annotated[
        Literal["none", "add", "gated"],
        "what is done with the input of a layer; none: nothing; add: it is added to the output;"
        " gated: likewise, but a gate decides how much of it",
    ] = "add"
    project: Annotated[
        bool, "bring tokens to the size of a layer first, so that every layer has a residual"
    ] = False
    input_dropout: Annotated[Share, "share of token features that are hidden in training"] = 0.0
    dropout: Annotated[
        Share, "share of numbers hidden between layers, the same ones in all of a sentence"
    ] = 0.0
    initial: Annotated[
        Initial,
        "what is random at the start; weights: biases are 0; all: biases as well; orthogonal:"
        " matrices are orthogonal, and biases are 0",
    ] = "weights"


class ScorerSettings(SettingsTable, frozen=True, kw_only=True):
    """How the network scores the choices of the parser."""

    hidden: Annotated[Width, "size of the hidden layers"] = 200
    dropout: Annotated[Share, "share of numbers that are hidden in training"] = 0.2
    gaps: Annotated[
        Few,
        "gaps of a constituent that are seen; 1: the ends of all gaps together; 2: constituents of"
        " three blocks are told apart from those of two",
    ] = 1


class BiaffineSettings(SettingsTable, frozen=True, kw_only=True):
    """How the network scores the labelled spans of a sentence."""

    label: Annotated[Width, "size of the layer that the scores of labels are computed from"] = 250
    span: Annotated[Width, "size of the layer that the scores of spans are computed from"] = 100
    dropout: Annotated[
        Share, "share of numbers hidden in training, the same ones in all of a sentence"
    ] = 0.33


class OptimizerSettings(SettingsTable, frozen=True, kw_only=True):
    """How the weights of the network change."""

    method: Annotated[
        Literal["asgd", "adamw"], "asgd: averaged stochastic gradient descent; adamw: AdamW"
    ] = "adamw"
    rate: Annotated[Amount, "learning rate"] = 0.001
    warm_up: Annotated[Count, "number of updates until the learning rate is reached"] = 200
    decay: Annotated[Amount, "asgd: the rate is divided by 1 + decay * number of updates"] = 0.0
    final: Annotated[
        Share, "adamw: share of the learning rate that is left at the end, after a straight fall"
    ] = 0.05
    factor: Annotated[
        Share, "adamw: factor of the learning rate after each `period` of updates; 1: none"
    ] = 1.0
    period: Annotated[Size, "adamw: number of updates after which `factor` has its effect"] = 5000
    epsilon: Annotated[Amount, "adamw: added to the root of the mean of squares"] = 1e-8
    beta2: Annotated[Share, "adamw: how slowly the mean of squares changes"] = 0.98
    weight_decay: Annotated[Amount, "adamw: share of weights that is lost, times the rate"] = 0.0
    clip: Annotated[Amount, "largest norm of a gradient; 0: any"] = 5.0
    noise: Annotated[Amount, "deviation of noise on gradients, which becomes less; 0: none"] = 0.0
    average: Annotated[
        Share,
        "adamw: how slowly the average of weights changes, which is the model; 0: the last weights",
    ] = 0.0
    smoothing: Annotated[Share, "share of probability for wrong labels; 0: none"] = 0.0


class PretrainedSettings(SettingsTable, frozen=True, kw_only=True):
    """How the network reads vectors of a pretrained encoder, such as BERT."""

    path: Annotated[
        str, "folder of a model of transformers, or package:NAME for one in an installed package"
    ] = ""
    tune: Annotated[
        bool, "let the encoder learn, too; it becomes part of the model; false: it stays as it is"
    ] = False
    pooling: Annotated[
        Literal["first", "mean"],
        "vector of a word; first: that of its first sub-token; mean: the mean of all of them",
    ] = "first"
    layers: Annotated[
        Literal["last", "mix"],
        "layers of the encoder; last: only the last one; mix: a mean of all, with learned weights",
    ] = "last"
    rate: Annotated[Amount, "tune: learning rate of the encoder"] = 0.00002
    dropout: Annotated[Share, "share of numbers of its vectors that are hidden in training"] = 0.1


class VectorSettings(SettingsTable, frozen=True, kw_only=True):
    """How the network starts from static word vectors, such as those of word2vec or GloVe."""

    file: Annotated[
        str, "file with a word and its numbers in each line, frequent words first; .gz and .xz too"
    ] = ""
    limit: Annotated[
        Count, "words of the file that the model keeps, besides those of its training data"
    ] = 50_000
    tune: Annotated[
        bool, "let the vectors of the file learn, too; false: they stay as they are"
    ] = False
