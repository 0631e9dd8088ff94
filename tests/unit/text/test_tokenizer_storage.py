"""Tokenizers as JSON."""

import json

import pytest

from crossbranch.errors import InputError
from crossbranch.text import Tokenizer
from crossbranch.tree import ROOT, Node, Token, Tree

TEXT = "Dr. Smit ziet het huis. 's Avonds (laat) kost het 2,50 euro!"


def test_what_was_written_is_read(plain: Tokenizer) -> None:
    again = Tokenizer.from_json(plain.to_json())
    assert again.to_json() == plain.to_json()
    assert list(again.split(TEXT)) == list(plain.split(TEXT))


def test_it_is_plain_and_small(plain: Tokenizer) -> None:
    data = plain.to_json()
    assert json.loads(data)["version"] == 1
    assert len(data) < 100_000


def test_halves_of_surrogate_pairs_are_kept() -> None:
    line = ["\ud800", "De", "'man", "\ude00x", "ziet\udfff", "-\ud800-", "\ud83d\ude00", "."]
    tree = Tree([Token(form) for form in line], Node(ROOT, range(len(line))))
    learned = Tokenizer.learn([tree] * 20)
    data = learned.to_json()
    assert any("\ud800" <= c <= "\udfff" for c in data.decode("utf-8", "surrogatepass"))
    again = Tokenizer.from_json(data)
    assert again.to_json() == data
    text = "De 'man \ude00x ziet\udfff -\ud800- \ud83d\ude00 \U0001f600 ."
    assert list(again.split(text)) == list(learned.split(text))


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
        lambda data: data.replace(b'"variants":{', b'"variants":{"a":" ",'),
        lambda data: data.replace(b'"variants":{', b'"variants":{"a":"\\ufeff",'),
        lambda data: data.replace(b'"forms":{', b'"forms":{"a":["",""],'),
        lambda data: data.replace(b'"forms":{', b'"forms":{"a":["a",""],'),
        lambda data: data.replace(b'"forms":{', b'"forms":{"a":[" x","y"],'),
        lambda data: data.replace(b'"forms":{', b'"forms":{"\xed\xa0\x80":3,'),
    ],
)
def test_damage_is_reported_with_the_path(plain: Tokenizer, damage: object) -> None:
    assert callable(damage)
    data = damage(plain.to_json())
    assert data != plain.to_json()
    with pytest.raises(InputError, match=r"model/tokenizer\.json"):
        Tokenizer.from_json(data, path="model/tokenizer.json")
