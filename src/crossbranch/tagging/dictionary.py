"""Dictionary: what is known about words beyond the training data.

It knows which words are usually written with capital letters, and the parts of speech that a word
can have. The package spacy-lookups-data has such lists for some languages.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from typing import Any, Self

import msgspec

from crossbranch.disk import read_file
from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError

KEPT = 150_000
"""How many of the most frequent word forms a dictionary keeps."""
_PREFIX = "spacy:"
_PACKAGE = "spacy_lookups_data"
_SELDOM = -20.0  # the logarithm for words that do not occur
_STEPS = (
    -5,
    -3,
    -2,
    -1,
    0,
    1,
    2,
    3,
    5,
)  # natural logarithms: how much more often a spelling occurs
_FEW_STEPS = (-4, -2, 0, 2)


class PartOfSpeech(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a part of speech in their basic form, and how their other forms end."""

    words: frozenset[str]
    irregular: frozenset[str] = frozenset()
    endings: tuple[tuple[str, str], ...] = ()
    """Pairs: the ending of a form, and the ending of the basic form."""

    def forms(self, word: str) -> list[str]:
        """Return how a word can be a form of this part of speech.

        >>> verbs = PartOfSpeech(frozenset({"bake"}), endings=(("ing", "e"), ("s", "")))
        >>> verbs.forms("bake"), verbs.forms("baking"), verbs.forms("baker")
        ([''], ['ing'], [])
        """
        found = [""] if word in self.words else []
        found += ["*"] if word in self.irregular else []
        for ending, basic in self.endings:
            if word.endswith(ending) and word.removesuffix(ending) + basic in self.words:
                found.append(ending)
        return found


class Dictionary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The usual casing of words, and their parts of speech; each can be empty."""

    casings: dict[str, str] = {}
    parts: dict[str, PartOfSpeech] = {}

    @classmethod
    @door
    def read(cls, name: str) -> Self:
        """Read a dictionary: `spacy:LANGUAGE`, or a file `tagger-dictionary.json` of a model.

        Raises:
            UsageError: There is no such dictionary.
            InputError: The file is not a dictionary.
        """
        if name.startswith(_PREFIX):
            return cls._packaged(name.removeprefix(_PREFIX))
        try:
            return cls.from_json(read_file(name), path=name)
        except OSError as error:
            raise InputError(
                error.strerror or "an error", "a file that can be read", path=name
            ) from None

    @classmethod
    def _packaged(cls, language: str) -> Self:
        try:
            import_module(_PACKAGE)
        except ImportError:
            raise UsageError(
                f"the dictionary {_PREFIX}{language} needs the package spacy-lookups-data, which is"
                " not installed; run: pip install spacy-lookups-data"
            ) from None
        folder = resources.files(_PACKAGE) / "data"
        casings = _casings(_table(folder, f"{language}_lexeme_prob"))
        index, irregular, rules = (
            _table(folder, f"{language}_lemma_{name}") for name in ("index", "exc", "rules")
        )
        parts = {
            name: PartOfSpeech(
                words=frozenset(word for word in words if "_" not in word),
                irregular=frozenset(irregular.get(name, ())),
                endings=tuple((ending, basic) for ending, basic in rules.get(name, ())),
            )
            for name, words in index.items()
        }
        if not casings and not parts:
            raise UsageError(f"the package spacy-lookups-data has no dictionary of {language!r}")
        return cls(casings, parts)

    @door
    def casing(self, form: str) -> str:
        """Return a class for how a word is usually written; empty if it has no letters.

        >>> Dictionary({"anna": "94"}).casing("ANNA"), Dictionary().casing("1984")
        ('94', '')
        """
        small = form.lower()
        return "" if small == form.upper() else self.casings.get(small, "unknown")

    @door
    def classes(self, form: str) -> str:
        """Return the parts of speech of a word, with its endings.

        >>> noun = PartOfSpeech(frozenset({"bake", "cat"}), endings=(("s", ""),))
        >>> Dictionary(parts={"noun": noun}).classes("Cats")
        'noun s'
        """
        small = form.lower()
        found = [
            f"{name} {how}".rstrip()
            for name, part in self.parts.items()
            for how in part.forms(small)
        ]
        return ", ".join(found) or "unknown"

    def to_json(self) -> bytes:
        """Return the dictionary as JSON: the words of each casing, and those of each part."""
        words: dict[str, list[str]] = {}
        for word, casing in sorted(self.casings.items()):
            words.setdefault(casing, []).append(word)
        parts = {
            name: _Part(sorted(part.words), sorted(part.irregular), list(part.endings))
            for name, part in self.parts.items()
        }
        return msgspec.json.encode(_File(words, parts))

    @classmethod
    @door
    def from_json(cls, data: bytes, *, path: str = "") -> Self:
        """Read what `to_json` wrote; errors name `path`."""
        try:
            file = msgspec.json.decode(data, type=_File)
        except (ValueError, RecursionError) as error:
            raise InputError(str(error), "a dictionary in JSON", path=path) from None
        parts = {
            name: PartOfSpeech(
                frozenset(part.words), frozenset(part.irregular), tuple(part.endings)
            )
            for name, part in file.parts.items()
        }
        return cls(
            {word: casing for casing, words in file.casings.items() for word in words}, parts
        )


class _Part(msgspec.Struct, forbid_unknown_fields=True):
    words: list[str]
    irregular: list[str]
    endings: list[tuple[str, str]]


class _File(msgspec.Struct, forbid_unknown_fields=True):
    casings: dict[str, list[str]]
    parts: dict[str, _Part]


def _table(folder: Traversable, name: str) -> Mapping[str, Any]:
    """Return a table of the package; empty if it has none of this name."""
    file = folder / f"{name}.json.gz"
    if not file.is_file():
        return {}
    found: dict[str, Any] = msgspec.json.decode(gzip.decompress(file.read_bytes()))
    return found


def _casings(logarithms: Mapping[str, float]) -> dict[str, str]:
    """Return how frequent words are written: how often with one capital, or in capitals."""
    frequent = [word.lower() for word, _ in zip(logarithms, range(KEPT), strict=False)]
    return {word: _class(word, logarithms) for word in frequent if word != word.upper()}


def _class(small: str, logarithms: Mapping[str, float]) -> str:
    capital, capitals = small[0].upper() + small[1:], small.upper()
    low = logarithms.get(small, _SELDOM)
    first = logarithms.get(capital, _SELDOM) if capital != capitals else _SELDOM
    every = logarithms.get(capitals, _SELDOM)
    return f"{_step(first - low, _STEPS)}{_step(every - max(low, first), _FEW_STEPS)}"


def _step(value: float, steps: Sequence[int]) -> int:
    return sum(value > step for step in steps)
