"""Tokenizers as JSON."""

import json

import pytest

from crossbranch.errors import InputError
from crossbranch.text import Tokenizer

TEXT = "Dr. Smit ziet het huis. 's Avonds (laat) kost het 2,50 euro!"


def test_what_was_written_is_read(plain: Tokenizer) -> None:
    again = Tokenizer.from_json(plain.to_json())
    assert again.to_json() == plain.to_json()
    assert list(again.split(TEXT)) == list(plain.split(TEXT))


def test_it_is_plain_and_small(plain: Tokenizer) -> None:
    data = plain.to_json()
    assert json.loads(data)["version"] == 1
    assert len(data) < 100_000


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-10],
        lambda data: b"",
        lambda data: b"\xff" + data,
        lambda data: b"[" * 5000,
        lambda data: data.replace(b'"version":1', b'"version":2'),
        lambda data: data.replace(b'"enders"', b'"anders"'),
        lambda data: data.replace(b'"exceptions":{', b'"exceptions":{"ab\\t":[5],'),
        lambda data: data.replace(b'"exceptions":{', b'"exceptions":{"ab\\t":[1,1],'),
        lambda data: data.replace(b'"variants":{', b'"variants":{"ab":"c",'),
    ],
)
def test_damage_is_reported_with_the_path(plain: Tokenizer, damage: object) -> None:
    assert callable(damage)
    data = damage(plain.to_json())
    assert data != plain.to_json()
    with pytest.raises(InputError, match=r"model/tokenizer\.json"):
        Tokenizer.from_json(data, path="model/tokenizer.json")
