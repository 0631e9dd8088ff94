r"""CCG categories such as `(S[dcl]\NP)/NP`, and the parts of them that are tasks.

The head is the innermost result, `S[dcl]`. The argument is the outermost one with its direction,
`+NP`; it is `+` alone for categories without arguments. The sketch shows the arguments without
their names, `(X\X)/X`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_ATOM = re.compile(r"(?:[^()/\\\[\]\s]|\[[^\]\s]*\])+")
_FEATURE = re.compile(r"\[[^\]]*\]")
_SLASHES = {"/": "+", "\\": "-"}


class Category(NamedTuple):
    """A category, as its outermost functor and argument."""

    text: str
    """The category as it is written."""

    head: str
    """The innermost result."""

    argument: str
    """The outermost argument, with + if it is to the right, or - if it is to the left."""

    @property
    def sketch(self) -> str:
        """The category with X for each atomic category."""
        return _ATOM.sub("X", self.text)


@lru_cache(maxsize=20_000)
def read_category(text: str) -> Category:
    r"""Read a category.

    Raises:
        ValueError: The text is not a category.

    >>> read_category(r"(S\NP)\(S\NP)")[1:]
    ('S', '-(S\\NP)')
    """
    whole = _without_brackets(text)
    last = 0
    depth = 0
    place = 0
    while place < len(whole):
        character = whole[place]
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        elif character in _SLASHES:
            last = place if depth == 0 else last
        elif match := _ATOM.match(whole, place):
            place = match.end()
            continue
        else:
            raise ValueError(f"not a category: {text}")
        if depth < 0:
            raise ValueError(f"not a category: {text}")
        place += 1
    if not last:
        if not _ATOM.fullmatch(whole):
            raise ValueError(f"not a category: {text}")
        return Category(whole, whole, "+")
    functor, argument = whole[:last], whole[last + 1 :]
    if depth or not _is_closed(functor) or not _is_closed(argument):
        raise ValueError(f"not a category: {text}")
    read_category(argument)
    return Category(whole, read_category(functor).head, f"{_SLASHES[whole[last]]}{argument}")


def without_features(text: str) -> str:
    """Return a category without features such as [dcl]."""
    return _FEATURE.sub("", text)


def _without_brackets(text: str) -> str:
    """Remove brackets around the whole category."""
    while text.startswith("(") and text.endswith(")") and _is_closed(text[1:-1]):
        text = text[1:-1]
    return text


def _is_closed(text: str) -> bool:
    """Whether every bracket in a text has its partner there."""
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0 and bool(text)
