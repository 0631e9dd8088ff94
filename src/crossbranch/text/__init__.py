"""Raw text to sentences of tokens, and back.

- tokenizer: Tokenizer, which splits text like the treebank that it learned from
- detokenize: sentences of a treebank as normal text
- raw: a treebank as raw text, with the offsets of its tokens
- real: trees that know their raw text
- spacing: which tokens of a treebank touch each other in text
- lessons: the text that a tokenizer learns from
- chunks, places: where the text between two spaces is split
- sentences, splitting: where sentences end
- forms: how a treebank writes brackets, quotes and clitics
- casing: the usual casing of words, for sentences in capitals and in lower case
- flow, characters: a text in pieces to chunks, in constant memory
- decoding: files of raw text in any encoding, in sections at which reading can start again
- variants: marks that the treebank does not have, replaced by marks that it has
- entries: a memory of chunks that were split before
- perceptron: a decision, yes or no, from features
- storage: a tokenizer as JSON
"""

from crossbranch.text.casing import Casing
from crossbranch.text.detokenize import detokenize
from crossbranch.text.flow import PAUSE
from crossbranch.text.raw import raw_text
from crossbranch.text.spacing import Spacing
from crossbranch.text.tokenizer import MOST_TOKENS, Tokenizer

__all__ = ["MOST_TOKENS", "PAUSE", "Casing", "Spacing", "Tokenizer", "detokenize", "raw_text"]
