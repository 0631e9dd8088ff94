"""Parsers that build a tree by transitions, with a neural scorer.

settings    the settings and search options
parser      NeuralTransitionParser: the kind of parser
checks      what is checked before training
engine      what runs the network: the core, or with torch_engine torch
searching   greedy and beam search with torch
gold        the oracles of gold trees
losses      the loss of choices
learner     training, with torch

What it shares with other neural parsers is in `neural_shared`.
"""

from crossbranch.parsers.neural_transition.parser import NeuralTransitionParser
from crossbranch.parsers.neural_transition.settings import (
    NeuralTransitionOptions,
    NeuralTransitionSettings,
)

__all__ = ["NeuralTransitionOptions", "NeuralTransitionParser", "NeuralTransitionSettings"]
