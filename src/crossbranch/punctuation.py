"""Which tokens are punctuation, for transforms, head rules, statistics and phenomena.

Evaluation does not use this module. Its parameter sets list the tags and words that do not count,
so that scores can be compared with published ones.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from crossbranch.tree import Token

_NEGRA_TIGER = ["$,", "$.", "$(", "$[", "$*LRB*", "$LRB"]
_ALPINO = ["let", "LET", "let()", "LET()", "let[]", "LET[]", "punct"]
_BRACKETS = ["-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"]
_PENN = [",", ":", ".", "``", "''", "(", ")", *_BRACKETS]
_ICEPAHC = ['"', "'", "`", "[", "]"]
_FRENCH = ["PONCT", "PONC", "ponct"]
_UNIVERSAL = ["PUNCT"]
PUNCTUATION_TAGS = frozenset([*_NEGRA_TIGER, *_ALPINO, *_PENN, *_ICEPAHC, *_FRENCH, *_UNIVERSAL])
"""The tags of punctuation in the treebanks that crossbranch knows.

One set is enough for all of them: no tag of punctuation in one treebank is a tag of words in
another.
"""

_READ_ALOUD = frozenset("%‰&@#§")  # punctuation in Unicode, but read aloud as words
_QUOTES_BY_SHAPE = frozenset("`´")  # symbols in Unicode, but used as quotation marks


def is_punctuation(token: Token) -> bool:
    """Return True if a token is punctuation: by its tag, or by its word if it has no tag."""
    if token.tag:
        return token.tag in PUNCTUATION_TAGS
    return is_punctuation_word(token.form)


@lru_cache(maxsize=100_000)
def is_punctuation_word(word: str) -> bool:
    """Return True if a word is punctuation: only marks, or a bracket such as `-LRB-`.

    Signs that are read aloud, such as `%` and `&`, are words.

    >>> is_punctuation_word("..."), is_punctuation_word("d'"), is_punctuation_word("%")
    (True, False, False)
    """
    if word in _BRACKETS:
        return True
    return bool(word) and all(map(_is_mark, word))


def _is_mark(character: str) -> bool:
    if character in _READ_ALOUD:
        return False
    return unicodedata.category(character).startswith("P") or character in _QUOTES_BY_SHAPE
