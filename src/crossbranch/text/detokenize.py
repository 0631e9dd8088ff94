"""Tokens to text: a sentence as normal text, and the offsets of each token in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from crossbranch.doors import door
from crossbranch.text.spacing import Spacing
from crossbranch.tree import Sentence

Offsets = tuple[tuple[int, int], ...]

BRACKETS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
}
"""What treebanks write instead of a bracket or quote, and what stands in text."""

_CLOSING = frozenset(",.;:?!)]}…’”™®′″") | {"..", "...", "....", "??", "!!", "!!!", "?!", "!?"}
_OPENING = frozenset("([{¿¡„‚‘~∼#")
_AFTER_NUMBERS = frozenset({"%", "‰", "°", "°C", "°F"})
_HYPHENS = frozenset("-−–‐")
_COORDINATORS = frozenset({"and", "or", "to", "und", "oder", "en", "of", "og", "eða"})
_STRAIGHT = ('"', "'", "`")


@door
def detokenize(
    sentences: Iterable[Sentence], *, spacing: Spacing | None = None
) -> Iterator[tuple[str, Offsets]]:
    """Yield each sentence as normal text, and the offsets of its tokens.

    Args:
        sentences: Sentences of a treebank.
        spacing: Which tokens touch each other in text; None: learn it from the sentences.
    """
    if spacing is None:
        sentences = list(sentences)
        spacing = Spacing.learn([[token.form for token in s] for s in sentences])
    for sentence in sentences:
        yield write(surfaces(sentence, spacing), touching(sentence, spacing))


def write(words: Sequence[str], touches: Sequence[bool]) -> tuple[str, Offsets]:
    """Join the words, with spaces between those that do not touch; also return their offsets."""
    parts: list[str] = []
    offsets = []
    position = 0
    for word, touch in zip(words, touches, strict=True):
        if parts and not touch:
            parts.append(" ")
            position += 1
        parts.append(word)
        offsets.append((position, position + len(word)))
        position += len(word)
    return "".join(parts), tuple(offsets)


def surfaces(sentence: Sentence, spacing: Spacing) -> list[str]:
    """Return the tokens as they are written in text."""
    words = [BRACKETS.get(token.form, token.form) for token in sentence]
    if spacing.clitics:
        for place in range(1, len(words)):
            one, two = words[place - 1], words[place]
            if two[:1] == "$" and len(two) > 1:
                words[place] = two[1:]
                if one[-1:] == "$" and len(one) > 1:
                    words[place - 1] = one[:-1]
    return words


def touching(sentence: Sentence, spacing: Spacing) -> list[bool]:
    """Return for each token whether it touches the token before it."""
    forms = [token.form for token in sentence]
    words = [BRACKETS.get(form, form) for form in forms]
    left = [False] * len(words)  # touches what is before
    right = [False] * (len(words) + 1)  # touches what follows; the last one is for place -1
    quotes = {mark: _starts_open(words, mark) for mark in _STRAIGHT}
    for place, word in enumerate(words):
        before = words[place - 1] if place else ""
        after = words[place + 1] if place + 1 < len(words) else ""
        if forms[place] in ("``", "''"):
            sides = (forms[place] == "''", forms[place] == "``")
        elif word in _STRAIGHT:
            sides = _quote(word, before, after, quotes)
        elif word in _HYPHENS and spacing.hyphens:
            sides = _hyphen(before, after)
        else:
            sides = _sides(word, before, after, spacing)
        left[place], right[place] = sides
    _close_up_citations(words, right)
    return [left[place] or right[place - 1] for place in range(len(words))]


def _sides(word: str, before: str, after: str, spacing: Spacing) -> tuple[bool, bool]:
    """Return whether a token (not a quote or hyphen) touches what is before and after it."""
    if word == ":" and (":" in (before, after) or (_is_number(before) and _is_number(after))):
        return True, True  # Prx1::cre, 1:200
    if (
        word in _CLOSING
        or word in spacing.attached
        or (before.lower(), word) in spacing.contractions
    ):
        return True, False
    if word in _AFTER_NUMBERS:
        return _is_number(before), False
    if word in _OPENING or (word == "$" and _is_number(after)):
        return False, True
    if word in ("“", "«", "»"):
        closes = spacing.low_quotes if word == "“" else (word == "«") == spacing.outward_quotes
        return closes, not closes
    if word == "/":
        return spacing.slashes, spacing.slashes
    if word == "+" and spacing.hyphens:  # +/+ is a genotype, "CD4+ cells" have a plus
        return (before == "/" or after == "/" or after.islower() or after in _CLOSING), False
    if spacing.clitics:
        return word[:1] == "$" and len(word) > 1, word[-1:] == "$" and len(word) > 1
    return False, False


def _hyphen(before: str, after: str) -> tuple[bool, bool]:
    """Return the sides of a hyphen, if hyphens join words."""
    if before == "/" or after in _COORDINATORS or after in _CLOSING or not after:
        return True, False
    if _is_number(after) and (before in "([=<>±~" or (before.islower() and len(before) < 5)):
        return False, True  # a minus
    return True, True


def _quote(mark: str, before: str, after: str, quotes: dict[str, bool]) -> tuple[bool, bool]:
    """Return the sides of a straight quote, which opens and closes in turn."""
    if mark == "`":
        quotes["'"] = True
        return False, True
    if mark == "'" and (_is_number(before) or (before[-1:] == "s" and not quotes["'"])):
        return True, False  # 5', the mice'
    if quotes[mark]:
        quotes[mark] = False
        return True, False
    if not after:
        return True, False
    quotes[mark] = True
    return False, True


def _starts_open(words: Sequence[str], mark: str) -> bool:
    """Return whether this sentence closes a quote that an earlier sentence opened."""
    places = [place for place, word in enumerate(words) if word == mark]
    return len(places) % 2 == 1 and places[0] > 0 and places[-1] >= len(words) - 2


def _close_up_citations(words: Sequence[str], right: list[bool]) -> None:
    """Let commas touch what follows in [14,19], as in papers."""
    start = -1
    for place, word in enumerate(words):
        if word == "[":
            start = place
        elif word == "]" and start >= 0:
            for comma in range(start + 1, place):
                right[comma] |= words[comma] == ","
            start = -1
        elif start >= 0 and not (word in (",", "–", "-") or word.isdecimal()):
            start = -1


def _is_number(word: str) -> bool:
    return word[-1:].isdecimal()
