"""Parsers that find the best tree with span charts (Corro 2020), with a neural scorer.

settings       the settings and search options
spaces         search spaces, and what is done with long sentences
labels         the labels of continuous and of discontinuous constituents
parser         NeuralSpanParser: the kind of parser
brackets       the probabilities of the brackets of a tree
chart          the probable constituents of one sentence
items          the items of the chart of one sentence, to look at
engine         what runs the network and the charts: the core, or with torch_engine torch
gold           the constituents of gold trees
losses         the losses of labels and of whole trees
learner        training, with torch

What it shares with other neural parsers is in `neural_shared`.
"""

from crossbranch.parsers.neural_span.parser import NeuralSpanParser
from crossbranch.parsers.neural_span.settings import NeuralSpanOptions, NeuralSpanSettings

__all__ = ["NeuralSpanOptions", "NeuralSpanParser", "NeuralSpanSettings"]
