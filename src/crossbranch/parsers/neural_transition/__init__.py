"""Parsers that build a tree by transitions, with a neural scorer.

settings    the settings and search options
parser      NeuralTransitionParser: the kind of parser
checks      what is checked before training and parsing
inputs      what the network reads in training: words, vectors, a pretrained encoder
searching   greedy and beam search with torch
tasks       what is learned besides trees, one label for each token; and when
gold        the oracles of gold trees
devices     the device for training
learner     training, with torch
"""

from crossbranch.parsers.neural_transition.parser import NeuralTransitionParser
from crossbranch.parsers.neural_transition.settings import (
    NeuralTransitionOptions,
    NeuralTransitionSettings,
)

__all__ = ["NeuralTransitionOptions", "NeuralTransitionParser", "NeuralTransitionSettings"]
