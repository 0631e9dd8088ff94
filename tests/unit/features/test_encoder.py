"""TokenEncoder: numbers for tokens, learned, kept and restored."""

from __future__ import annotations

import json
from array import array

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.features import Clusters, TokenEncoder, encoder
from crossbranch.tree import Sentence, Token

TRAINING: list[Sentence] = [
    (Token("Der", "ART"), Token("Hund", "NN"), Token("bellt", "VVFIN"), Token(",", "$,")),
    (Token("Der", "ART"), Token("Hund", "NE"), Token("wellt", "VVFIN")),
]
AWKWARD = ["", " ", "a\nb", "\r\u2028", '"\\', "\0", "ß😀", "\ud800", "#", "<unknown>"]


def numbers(encoder: TokenEncoder, form: str, tag: str = "") -> dict[str, int]:
    rows, offsets = encoder.encode([(Token(form, tag),)])
    assert offsets == [0, 1]
    return dict(zip(encoder.columns, rows, strict=True))


def test_rows_and_offsets() -> None:
    encoder = TokenEncoder.of(TRAINING, columns=("word", "tag"))
    rows, offsets = encoder.encode([*TRAINING, (), TRAINING[0][:1]])
    assert offsets == [0, 4, 7, 7, 8]
    assert isinstance(rows, array)
    assert (rows.typecode, rows.itemsize, len(rows)) == ("I", 4, 16)
    assert rows[:2] == rows[8:10] == rows[14:]  # Der/ART
    assert rows[2] == rows[10]  # Hund ...
    assert rows[3] != rows[11]  # ... as NN and as NE


def test_nothing_gives_nothing() -> None:
    encoder = TokenEncoder.of([], columns=("word", "tag"))
    assert encoder.encode([]) == (array("I"), [0])
    assert numbers(encoder, "Hund", "NN") == {"word": 1, "tag": 1}


def test_hapaxes_are_unknown_words_and_rare_tags_are_known() -> None:
    encoder = TokenEncoder.of(TRAINING, columns=("word", "tag"))
    assert set(encoder.vocabularies["word"]) == {"Der", "Hund"}
    assert numbers(encoder, "bellt", "NE")["word"] == 1
    assert numbers(encoder, "bellt", "NE")["tag"] >= 2
    assert numbers(encoder, "Katze", "XY") == {"word": 1, "tag": 1}
    assert numbers(encoder, "hund")["word"] == 1  # small letters are other letters


@pytest.mark.parametrize(("unknown_below", "known"), [(1, 5), (2, 2), (3, 0)])
def test_what_counts_as_rare_can_be_chosen(unknown_below: int, known: int) -> None:
    encoder = TokenEncoder.of(TRAINING, columns=("word", "tag"), unknown_below=unknown_below)
    assert len(encoder.vocabularies["word"]) == known
    assert len(encoder.vocabularies["tag"]) == 5


def test_unknown_words_have_known_affixes_and_shapes() -> None:
    columns = ("word", "tag", "lower", "shape", "prefix1", "suffix3", "suffix4")
    encoder = TokenEncoder.of(TRAINING, columns=columns)
    seen, unseen = numbers(encoder, "bellt"), numbers(encoder, "stellt")
    assert seen["word"] == unseen["word"] == 1
    assert seen["suffix3"] == unseen["suffix3"] >= 2
    assert seen["suffix4"] == unseen["suffix4"] >= 2
    assert seen["shape"] == unseen["shape"] >= 2
    assert (unseen["prefix1"], unseen["lower"]) == (1, 1)
    assert numbers(encoder, "Ort")["suffix3"] == 0  # there is none
    assert numbers(encoder, "DER")["lower"] == numbers(encoder, "Der")["lower"] >= 2


def test_separators() -> None:
    encoder = TokenEncoder.of(TRAINING, columns=("word", "tag", "separator"))
    forms = [",", ":", ";", ".", "Hund"]
    assert [numbers(encoder, form)["separator"] for form in forms] == [1, 2, 3, 0, 0]


def test_clusters_share_numbers_with_their_first_bits() -> None:
    table = Clusters({"Hund": "01101", "Katze": "011010", "hunde": "01110", "der": "1"})
    columns = ("word", "tag", "cluster4", "cluster6", "cluster")
    encoder = TokenEncoder.of(TRAINING, columns=columns, clusters=table)
    dog, cat, dogs = (numbers(encoder, form) for form in ("Hund", "Katze", "Hunde"))
    assert dog["cluster4"] == cat["cluster4"] != dogs["cluster4"]
    assert dog["cluster6"] == cat["cluster6"]  # 01101 is filled up to 011010
    assert dog["cluster"] != cat["cluster"]
    assert numbers(encoder, "Der")["cluster"] >= 2  # by its small letters
    assert [numbers(encoder, "Maus")[name] for name in columns[2:]] == [1, 1, 1]


def test_a_table_that_no_column_needs_is_not_kept() -> None:
    table = Clusters({"Hund": "01"})
    assert TokenEncoder.of(TRAINING, columns=("word", "tag"), clusters=table).clusters is None


def test_words_are_looked_up_again_where_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "_CACHE_LIMIT", 3)
    small = TokenEncoder.of(TRAINING, columns=("word", "tag"))
    first = small.encode(TRAINING * 3)
    assert len(small._rows) <= 3
    monkeypatch.undo()
    assert first == TokenEncoder.of(TRAINING, columns=("word", "tag")).encode(TRAINING * 3)


def test_any_word_survives_saving() -> None:
    sentences: list[Sentence] = [tuple(Token(form, form) for form in AWKWARD)] * 2
    columns = ("word", "tag", "shape", "suffix1")
    learned = TokenEncoder.of(sentences, columns=columns)
    text = learned.to_json()
    assert text.isascii()
    for data in (text, text.encode()):
        restored = TokenEncoder.from_json(data)
        assert restored == learned
        assert restored.encode(sentences) == learned.encode(sentences)
    tags = learned.encode(sentences[:1])[0][1::4]
    assert len(set(tags)) == len(AWKWARD)
    assert min(tags) == 2


def test_the_same_data_give_the_same_numbers() -> None:
    learned = TokenEncoder.of(TRAINING, columns=("word", "tag"), unknown_below=1)
    again = TokenEncoder.of(TRAINING[::-1], columns=("word", "tag"), unknown_below=1)
    assert learned.to_json() == again.to_json()
    assert learned != TokenEncoder.of(TRAINING, columns=("word", "tag"))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (("word", "tag", "colour"), "unknown columns colour; expected some of word, tag, lower"),
        (("tag", "word"), "expected word and tag first"),
        (("word",), "expected word and tag first"),
        (("word", "tag", "tag"), "expected each column once"),
        (("word", "tag", "cluster4"), "the columns cluster4 need a table of clusters"),
    ],
)
def test_columns_that_cannot_be_are_refused(columns: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        TokenEncoder.of(TRAINING, columns=columns)


def test_a_threshold_that_cannot_be_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown_below is 0, expected at least 1"):
        TokenEncoder.of(TRAINING, columns=("word", "tag"), unknown_below=0)


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        "[" * 100_000,
        '{"columns": ["word", "tag"]}',
        '{"columns": ["word", "tag"], "vocabularies": {"word": []}}',
        '{"columns": ["word", "tag"], "vocabularies": {"word": [1], "tag": []}}',
        '{"columns": ["word", "tag"], "vocabularies": {"word": ["a", "a"], "tag": []}}',
        '{"columns": ["word", "tag", "hue"], "vocabularies": {"word": [], "tag": []}}',
        '{"columns": ["word", "tag"], "vocabularies": {"word": [], "tag": [], "shape": []}}',
        '{"columns": ["word", "tag"], "vocabularies": {"word": [], "tag": []}, "more": 1}',
    ],
)
def test_damaged_files_are_named(damage: str) -> None:
    with pytest.raises(InputError, match=r"^folder/vocabulary\.json: found .*expected columns and"):
        TokenEncoder.from_json(damage, path="folder/vocabulary.json")


def test_an_encoder_with_clusters_needs_them_when_it_is_restored() -> None:
    table = Clusters({"Hund": "01101", "Katze": "011010"}, name="mine")
    learned = TokenEncoder.of(TRAINING, columns=("word", "tag", "cluster"), clusters=table)
    text = learned.to_json()
    assert json.loads(text)["columns"] == ["word", "tag", "cluster"]
    assert learned.clusters is not None
    kept = Clusters.from_json(learned.clusters.to_json())
    restored = TokenEncoder.from_json(text, clusters=kept)
    assert restored == learned
    assert restored.encode(TRAINING) == learned.encode(TRAINING)
    with pytest.raises(InputError, match="need a table of clusters"):
        TokenEncoder.from_json(text)
