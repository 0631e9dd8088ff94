"""Where a chunk may be split, and the features of such a place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from crossbranch.text.characters import DIGIT, IDEOGRAPH, LETTER, OTHER, kind_of

_ADDRESS = re.compile(
    r"""(?:https?|ftp)://\S+
    | www\.[\w-]+\.\S+
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+
    | (?<![\w.,-])(?:[0-9]{3}-)?[0-9]{3}-[0-9]{4}(?![\w-])
    | (?<![\w/@#&])[@#][^\W\d_]\w*
    | (?<![\w.])(?:[\w-]+\.)+(?:com|org|net|edu|gov)(?:/\S*)?(?![\w.])""",
    re.VERBOSE,
)
_IN_ADDRESS = re.compile("://|[@#]|[0-9]-[0-9]")
_AFTER_ADDRESS = ".,;:!?)]}>'\"»«”’“…"
_GROUPS = (
    dict.fromkeys("([{<", "(")
    | dict.fromkeys(")]}>", ")")
    | dict.fromkeys("\"'`„“”«»‘’‚", '"')
    | dict.fromkeys(".!?…", ".")
    | dict.fromkeys(",;:", ",")
    | dict.fromkeys("-–—−‐", "-")
)
_LONGEST_NAME = 24  # longer strings almost never occur twice


def address_in(chunk: str) -> tuple[int, int] | None:
    """Return start and end of a web or mail address, a phone number, an @name or a #tag, if any."""
    if chunk.isalpha() or ("." not in chunk[:-1] and not _IN_ADDRESS.search(chunk)):
        return None  # nearly all chunks
    found = _ADDRESS.search(chunk)
    if not found:
        return None
    address = found[0]
    while address and address[-1] in _AFTER_ADDRESS:
        if address[-1] == ")" and address.count("(") >= address.count(")"):
            break  # it was opened within the address
        address = address[:-1]
    return (found.start(), found.start() + len(address)) if address else None


@dataclass(frozen=True)
class Clitics:
    """Clitics that may be split off within words: at the end, or at the beginning."""

    endings: frozenset[str] = frozenset()
    beginnings: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.endings or self.beginnings)

    def places_in(self, word: str) -> Iterator[int]:
        """Yield the places in a run of letters where a clitic may be split off."""
        if not self:
            return
        lower = word.lower()
        if len(lower) == len(word) <= _LONGEST_NAME:
            for place in range(1, len(word)):
                if lower[place:] in self.endings or lower[:place] in self.beginnings:
                    yield place


def places_of(parts: Sequence[str], clitics: Clitics) -> list[tuple[int, str]]:
    """Return the places where a chunk may be split, each with its word if it is within one."""
    places: list[tuple[int, str]] = []
    position = 0
    for atom in parts:
        if position:
            places.append((position, ""))
        if len(atom) > 1 and atom.isalpha():
            places.extend((position + place, atom) for place in clitics.places_in(atom))
        position += len(atom)
    return places


def is_forced(chunk: str, place: int) -> bool:
    """Return whether a chunk is always split here: in scripts without spaces."""
    return not chunk.isascii() and IDEOGRAPH in (kind_of(chunk[place]), kind_of(chunk[place - 1]))


def known_word(stem: str, ending: str, follow: str) -> str:
    """Return the feature of a known word that is split, as a whole."""
    return f"k{stem}|{ending}{follow}"


def apostrophe_at(chunk: str, place: int) -> str:
    """Return the apostrophe at a place and the letter after it (`'t` of *don't*), or nothing."""
    return chunk[place : place + 2].lower() if chunk[place : place + 1] == "'" else ""


def features_within(chunk: str, place: int, word: str, *, is_known: bool = False) -> list[str]:
    """Return the features of a place within a word, where a clitic may begin.

    With `is_known`, the feature of known words is among them.
    """
    start = chunk.find(word, max(place - len(word) + 1, 0))
    stem, ending = word[: place - start].lower(), word[place - start :].lower()
    features = [
        f"e{ending}",
        f"w{stem}|{ending}",
        f"s{stem}",
        f"l{min(len(stem), 6)}|{ending}",
    ]
    features.extend(f"{size}{stem[-size:]}|{ending}" for size in range(1, 5))
    features.extend((f"b{stem[:3]}|{ending}", f"t{stem[-2:]}", f"c{word[:1].isupper()}|{ending}"))
    features.append(f"n{chunk[start + len(word) : start + len(word) + 2]}|{ending}")
    if is_known:
        features.append(known_word(stem, ending, apostrophe_at(chunk, start + len(word))))
    return features


def features_between(
    chunk: str, parts: Sequence[str], number: int, start: int, place: int, following: str
) -> list[str]:
    """Return the features of the place between two atoms.

    Args:
        chunk: The chunk.
        parts: Its atoms.
        number: The number of the atom after the place.
        start: The start of the token before the place.
        place: The position.
        following: What decides about periods (see `chunks.before_what`).
    """
    left, right = parts[number - 1], parts[number]
    shapes = [shape(part) for part in parts[max(number - 3, 0) : number + 3]]
    middle = min(number, 3)
    one, two = shapes[middle - 1], shapes[middle]
    around = (
        "".join(shapes[max(middle - 2, 0) : middle]) + "|" + "".join(shapes[middle : middle + 2])
    )
    begins, ends = "^" if number == 1 else "", "$" if number == len(parts) - 1 else ""
    token = chunk[start:place][-_LONGEST_NAME:]
    rest = chunk[place : place + _LONGEST_NAME]
    low = left.lower()[-_LONGEST_NAME:]
    features = [
        f"p{one}|{two}",
        f"P{begins}{one}|{two}{ends}",
        f"a{around}",
        f"A{begins}{around}{ends}",
        f"x{''.join(shapes[:middle])}|{''.join(shapes[middle:])}",
        f"t{token}|{two}",
        f"T{token.lower()}|{right[:_LONGEST_NAME].lower()}",
        f"r{one}|{rest.lower()}",
        f"l{low}|{two}",
        f"R{one}|{right[:_LONGEST_NAME].lower()}",
        f"c{'' if start == place - len(left) else '+'}{one}|{two}",
        f"C{kind_of(left[0])}{kind_of(right[0])}{ends}",
        f"k{begins}{_group(left)}|{_group(right)}{ends}",
        f"K{_group(parts[number - 2]) if number > 1 else '^'}{_group(left)}|{_group(right)}",
    ]
    if left == right:
        features.append("=")
    if two == "." and ends:
        size = min(len(token), 6)
        features.extend(
            (
                f".{following}{one}",
                f".{following}{one}{size}",
                f".{following}{'.' in token}{'aeiouyáéíóúæö'.find(low[-1:]) >= 0}",
                f".{token}{following}",
                f".-{token[-3:].lower()}",
                f".-{token[-2:].lower()}{following}",
            )
        )
    return features


def _group(atom: str) -> str:
    """Return the group of an atom: marks that open, close, quote or end."""
    kind = kind_of(atom[0])
    if kind != OTHER:
        return kind
    return _GROUPS.get(atom[0], "o")


def shape(atom: str) -> str:
    """Return the kind of an atom: letters by their case and number, digits, or itself."""
    kind = kind_of(atom[0])
    if kind == LETTER:
        if atom[0].islower():
            return "a" if len(atom) > 1 else "b"
        return "X" if len(atom) == 1 else "A" if atom.isupper() else "B"
    return "0" if kind == DIGIT else atom[0]
