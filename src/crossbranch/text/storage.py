"""A tokenizer as JSON: plain numbers and words, never code."""

from __future__ import annotations

from itertools import pairwise

import msgspec

from crossbranch import json_texts
from crossbranch.errors import InputError
from crossbranch.text.characters import is_white
from crossbranch.text.chunks import ChunkCutter
from crossbranch.text.forms import Forms
from crossbranch.text.places import Clitics
from crossbranch.text.sentences import SentenceEnds

_VERSION = 1


class _Stored(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    endings: list[str]
    beginnings: list[str]
    between: dict[str, int]
    within: dict[str, int]
    exceptions: dict[str, tuple[int, ...]]
    forms: dict[str, tuple[str, str]]
    clitics: bool
    variants: dict[str, str]
    sentences: dict[str, int]
    enders: list[str]
    starters: list[str]
    weak: list[str] = []  # enders before capitals only; older models have none


def write(cutter: ChunkCutter, forms: Forms, ends: SentenceEnds) -> bytes:
    """Return the parts of a tokenizer as JSON."""
    stored = _Stored(
        version=_VERSION,
        endings=sorted(cutter.clitics.endings),
        beginnings=sorted(cutter.clitics.beginnings),
        between=dict(cutter.between),
        within=dict(cutter.within),
        exceptions=dict(cutter.exceptions),
        forms=dict(forms.names),
        clitics=forms.clitics,
        variants=dict(forms.variants),
        sentences=dict(ends.weights),
        enders=sorted(ends.enders),
        starters=sorted(ends.starters),
        weak=sorted(ends.weak),
    )
    return json_texts.encode(stored)


def read(data: bytes, *, path: str) -> tuple[ChunkCutter, Forms, SentenceEnds]:
    """Return the parts of a tokenizer that `write` stored."""
    expected = "a tokenizer as JSON"
    try:
        stored = json_texts.decode(data, _Stored)
    except (ValueError, RecursionError) as error:
        raise InputError(str(error), expected, path=path) from None
    if stored.version != _VERSION:
        expected = f"version {_VERSION}"
        raise InputError(f"version {stored.version}", expected, path=path)
    _check(stored, path)
    clitics = Clitics(frozenset(stored.endings), frozenset(stored.beginnings))
    return (
        ChunkCutter(clitics, stored.between, stored.within, stored.exceptions),
        Forms(stored.forms, stored.clitics, stored.variants),
        SentenceEnds(
            stored.sentences,
            frozenset(stored.enders),
            frozenset(stored.starters),
            frozenset(stored.weak),
        ),
    )


def _check(stored: _Stored, path: str) -> None:
    """Reject data that would give tokens that are empty, overlap, or contain white space."""
    for key, cuts in stored.exceptions.items():
        edges = (0, *cuts, len(key.split("\t")[0]))
        if any(start >= end for start, end in pairwise(edges)):
            raise InputError(f"cuts {cuts} of {key!r}", "places within it in order", path=path)
    for mark, plain in stored.variants.items():
        if len(mark) != 1 or len(plain) != 1 or is_white(plain):
            found = f"the variant {mark!r} of {plain!r}"
            raise InputError(found, "single characters, no blanks", path=path)
    for surface, forms in stored.forms.items():
        if not all(form and not any(map(is_white, form)) for form in forms):
            found = f"the forms {forms} of {surface!r}"
            raise InputError(found, "texts without blanks", path=path)
