"""Other spellings of words and punctuation, for those that a model does not know.

Texts have quotes, dashes and apostrophes that a treebank may write differently: “ for ", ’ for '.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

_PLAIN = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "‑": "-", "–": "-", "—": "-", "…": "..."})
_OPEN, _CLOSED = ("``", '"', "“", "„", "«", "''"), ("''", '"', "”", "“", "»", "``")
_DASHES, _DOTS = ("--", "–", "—", "-"), ("...", "…")
_SAME: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("“", "„", "«", "‹", "``", "‚", "‘"), _OPEN),
    **dict.fromkeys(("”", "‟", "»", "›", "''", '"', "’"), _CLOSED),
    **dict.fromkeys(("--", "–", "—", "―", "-", "---"), _DASHES),
    **dict.fromkeys(("...", "…", "....", ". . ."), _DOTS),
}
"""Punctuation that treebanks write in different ways, and what to try instead, in order."""


def known_spelling(form: str, is_known: Callable[[str], object]) -> str:
    """Return the first spelling of a word that is known; the word itself if none is.

    >>> known_spelling("n’t", {"n't", '"'}.__contains__), known_spelling("“", '"'.__contains__)
    ("n't", '"')
    """
    if is_known(form):
        return form
    return next((other for other in _others(form) if is_known(other)), form)


def _others(form: str) -> Iterator[str]:
    yield from _SAME.get(form, ())
    plain = form.translate(_PLAIN)
    if plain != form:
        yield plain
        yield plain.lower()
