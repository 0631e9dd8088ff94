"""Raw text to sentences of tokens, and back.

- tokenizer: Tokenizer, which cuts text as the treebank does that it has learnt from
- detokenize: sentences of a treebank as people write them
- raw: a treebank as raw text, its tokens in their places
- spacing: where a treebank's tokens touch in text
- lessons: the text that a tokenizer learns from
- chunks, places: where words between blanks are cut
- sentences, splitting: where sentences end
- forms: what a treebank writes for brackets, quotes and clitics
- flow, characters: a text in pieces to chunks, in constant memory
- decoding: files of raw text in any encoding, in sections at which reading can start again
- variants: marks that the treebank does not have, read as those that it has
- entries: what is remembered of chunks
- perceptron: yes or no from features
- storage: a tokenizer as JSON
"""

from crossbranch.text.detokenize import detokenize
from crossbranch.text.flow import PAUSE
from crossbranch.text.raw import raw_text
from crossbranch.text.spacing import Spacing
from crossbranch.text.tokenizer import MOST_TOKENS, Tokenizer

__all__ = ["MOST_TOKENS", "PAUSE", "Spacing", "Tokenizer", "detokenize", "raw_text"]
