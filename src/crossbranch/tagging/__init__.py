"""Part-of-speech tags: learned from a treebank, and given to words.

columns      what a template may say of a word: itself, affixes, shape, the tags it had in training
lexicon      the words of the training data, and which tags each had
templates    which columns of which words, and which tags before, form a feature
settings     tags, templates, beam
encoder      sentences -> rows of numbers, one for each token
tagger       Tagger: tags many sentences at once, in the core; saved and loaded
learning     how a tagger is learned
jackknife    tags for training sentences, from taggers that have not seen them
"""

from __future__ import annotations

from crossbranch.tagging.jackknife import jackknife
from crossbranch.tagging.tagger import Tagger, accuracy

__all__ = ["accuracy", "jackknife", "Tagger"]
