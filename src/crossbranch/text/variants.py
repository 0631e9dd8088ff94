"""Replace typographic marks that a treebank does not have by the plain marks that it has.

Newspapers write ’ and “, but most treebanks ' and ". A mark is replaced by one of the same length,
so offsets do not change. The form of a token is that of the treebank, its surface that of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

QUOTES = dict.fromkeys("’‘‚‛ʼ´", "'") | dict.fromkeys("“”„‟", '"')
DASHES = dict.fromkeys("–—−‐‑", "-")
_MUCH_RARER = 20


def find_variants(words: Iterable[str], *, hyphens: bool) -> dict[str, str]:
    """Return the marks to be replaced, and by what.

    Args:
        words: All words of a treebank, as they are written in text.
        hyphens: Whether its hyphens join words; then they are not dashes.
    """
    counts = Counter(character for word in words if not word.isalpha() for character in word)
    variants = QUOTES if hyphens else QUOTES | DASHES
    return {
        mark: plain
        for mark, plain in variants.items()
        if counts[mark] * _MUCH_RARER < max(counts[plain], 1)
    }


def translation(variants: Mapping[str, str]) -> dict[int, str]:
    """Return the table for str.translate."""
    return {ord(mark): plain for mark, plain in variants.items()}
