"""Part-of-speech tagging and lemmas: learn from a treebank, and tag words.

columns      the values that templates use: the word, affixes, shape, its tags in training
lexicon      the words of the training data, with the tags of each
dictionary   what is known about words beyond the training data
spellings    other spellings of quotes, dashes and apostrophes
templates    features: which columns of which words, and which tags before
settings     tags, templates, beam
encoder      sentences -> rows of numbers, one for each token
tagger       Tagger: tags many sentences at once, in the core; saved and loaded
learning     training of a tagger
lemmas       Lemmatizer: the lemmas of words with tags; saved and loaded
lemma_rules  edit rules: how a lemma is made from a form
lemma_table  the rules, and the known words of each
lemma_compounds  the parts of compounds, for treebanks that join them in lemmas
lemma_guesser    the linear model that chooses the rule of an unknown word
jackknife    tags for training sentences, from taggers that have not seen them
"""

from __future__ import annotations

from crossbranch.tagging.dictionary import Dictionary
from crossbranch.tagging.jackknife import jackknife
from crossbranch.tagging.lemmas import Lemmatizer
from crossbranch.tagging.tagger import Tagger, accuracy

__all__ = ["accuracy", "Dictionary", "jackknife", "Lemmatizer", "Tagger"]
