"""Part-of-speech tagging: learn from a treebank, and tag words.

columns      the values that templates use: the word, affixes, shape, its tags in training
lexicon      the words of the training data, with the tags of each
templates    features: which columns of which words, and which tags before
settings     tags, templates, beam
encoder      sentences -> rows of numbers, one for each token
tagger       Tagger: tags many sentences at once, in the core; saved and loaded
learning     training of a tagger
jackknife    tags for training sentences, from taggers that have not seen them
"""

from __future__ import annotations

from crossbranch.tagging.jackknife import jackknife
from crossbranch.tagging.tagger import Tagger, accuracy

__all__ = ["accuracy", "jackknife", "Tagger"]
