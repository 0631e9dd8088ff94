"""Trees that know their raw text: their words as they are in it, and what is between sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crossbranch.text.characters import is_white
from crossbranch.tree import Tree


class Word(NamedTuple):
    """A word of a text, which is one token or several."""

    surface: str
    forms: tuple[str, ...]
    touches: bool  # whether it touches the word before it


def has_text(tree: Tree) -> bool:
    """Return whether a tree knows its text and the positions of its tokens, which are in order."""
    if not tree.text or not tree.sentence:
        return False
    first = tree.sentence[0].start or 0
    position, place = first, (first, first)
    for token in tree.sentence:
        if token.start is None or token.end is None or token.start >= token.end:
            return False
        if token.start < position and (token.start, token.end) != place:
            return False
        place = (token.start, token.end)
        position = token.end
    return position - first == len(tree.text)


def real_words(tree: Tree) -> list[Word]:
    """Return the words of a tree that has its text; tokens with the same position are one word."""
    first = tree.sentence[0].start or 0
    words: list[Word] = []
    end = -1
    for token in tree.sentence:
        start = (token.start or 0) - first
        if start < end:
            words[-1] = words[-1]._replace(forms=(*words[-1].forms, token.form))
            continue
        touches = start == end
        end = (token.end or 0) - first
        words.append(Word(tree.text[start:end], (token.form,), touches))
    return words


def gap_before(tree: Tree, previous: Tree | None) -> str:
    """Return what is between two sentences of a text: nothing, a space, or an empty line."""
    if previous is None or not (has_text(tree) and has_text(previous)):
        return "\n\n"
    distance = (tree.sentence[0].start or 0) - (previous.sentence[-1].end or 0)
    return ("", " ")[distance] if distance in (0, 1) else "\n\n"


def is_readable(words: Sequence[str]) -> bool:
    """Return whether words are visible and have no white space, so that a tokenizer finds them."""
    return bool(words) and all(word and not any(map(is_white, word)) for word in words)
