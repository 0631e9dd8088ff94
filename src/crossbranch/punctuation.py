"""Which tokens are punctuation: the one place that decides."""

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
"""The tags of punctuation in all treebanks; none of them means anything else in another."""

_READ_ALOUD = frozenset("%‰&@#§")  # punctuation for Unicode, words for a reader
_QUOTES_BY_SHAPE = frozenset("`´")  # symbols for Unicode, quotation marks in text


def is_punctuation(token: Token) -> bool:
    """Say whether a token is punctuation: by its tag, or by its word where it has no tag."""
    if token.tag:
        return token.tag in PUNCTUATION_TAGS
    return is_punctuation_word(token.form)


@lru_cache(maxsize=100_000)
def is_punctuation_word(word: str) -> bool:
    """Say whether a word consists of punctuation characters.

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
