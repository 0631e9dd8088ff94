"""Damaged files of the labeller, the lemmatizer and the casing, in a manifest that fits them."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from trained_parsers import TEST, trained

from crossbranch.errors import InputError
from crossbranch.parsers import Parser, load

PARTS = ("functions-", "lemmas", "casing")
MUTATIONS = 8  # of each file


@pytest.fixture(scope="module")
def parser() -> Parser:
    return trained("sr-gap")


def mutated(data: bytes, random: Random) -> bytes:
    """Return bytes with a few changes: other bytes, numbers, lost and doubled pieces."""
    found = bytearray(data)
    for _ in range(random.choice((1, 1, 3, 20))):
        place = random.randrange(len(found))
        size = random.choice((1, 4, 30))
        other = random.choice(
            (random.randbytes(size), b"", found[:size], b"-1", b"65536", b"null", b'"', b"\xff" * 4)
        )
        found[place : place + random.choice((0, size))] = other
    return bytes(found)


def test_mutations_are_refused_or_harmless(parser: Parser) -> None:
    parts = parser._parts()
    names = [name for name in parts.files if name.startswith(PARTS)]
    assert len(names) == 5
    random = Random(1)
    refused = 0
    for name in names * MUTATIONS:
        files = {**parts.files, name: mutated(parts.files[name], random)}
        changed = msgspec.structs.replace(parts, files=files)
        try:
            model = load(changed.archive())
        except InputError as error:
            assert name.partition(".")[0].partition("-")[0] in error.path
            refused += 1
            continue
        for tree, given in zip(model.parse_many(TEST[:5], tags="predict"), TEST, strict=False):
            assert tree.words == given.words
    assert refused > len(names) * MUTATIONS / 2
