"""Every preset on raw text and on words without tags."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from trained_parsers import DEV, TEST, TRAIN, each_preset, trained

import crossbranch.models
from crossbranch.errors import InputError, UsageError
from crossbranch.parsers import load, train
from crossbranch.parsers.dev_scores import dev_scores
from crossbranch.text import raw_text
from crossbranch.text.characters import is_white
from crossbranch.tree import Token, Tree

TEXT = "Das  kleine Haus sah er gestern.\nDer Mann kam\n\nSie schlief."


@each_preset
def test_a_text_is_tokenized_tagged_and_parsed(preset: str) -> None:
    parser = trained(preset)
    tree = parser.parse("Das kleine Haus  sah er.")
    assert [token.form for token in tree.sentence] == ["Das", "kleine", "Haus", "sah", "er", "."]
    assert all(token.tag for token in tree.sentence)
    assert tree.text == "Das kleine Haus  sah er."
    assert [tree.text[token.start : token.end] for token in tree.sentence] == [
        token.form for token in tree.sentence
    ]
    bare = parser.parse([token.form for token in tree.sentence])
    assert bare.root == tree.root


@each_preset
def test_the_sentences_of_a_text_have_their_places_in_it(preset: str) -> None:
    parser = trained(preset)
    trees = list(parser.parse_text(TEXT))
    assert len(trees) > 1
    for tree in trees:
        assert tree.text == TEXT[tree.sentence[0].start : tree.sentence[-1].end]
    pieces = [TEXT[start : start + 7] for start in range(0, len(TEXT), 7)]
    assert list(parser.parse_text(pieces, threads=2)) == trees
    lines = list(parser.parse_text(TEXT, lines=True))
    assert [len(tree.sentence) > 0 for tree in lines] == [True, True, False, True]


@each_preset
def test_tags_are_kept_or_predicted(preset: str) -> None:
    parser = trained(preset)
    odd = [(token.form, "odd") for token in TEST[0].sentence]
    assert {token.tag for token in parser.parse(odd).sentence} == {"odd"}
    predicted = parser.parse(odd, tags="predict", functions=False)
    assert "odd" not in {token.tag for token in predicted.sentence}
    (tagged,) = parser.tag([odd])
    assert tagged.sentence == predicted.sentence
    assert len(tagged.nodes) == 1
    mixed = parser.parse([odd[0], *(form for form, _ in odd[1:])])
    assert mixed.sentence[0].tag == "odd"
    assert all(token.tag != "odd" for token in mixed.sentence[1:])
    with pytest.raises(UsageError, match="expected one of keep, predict"):
        parser.parse(odd, tags="guess")  # type: ignore[arg-type]


def without_white(text: str) -> str:
    return "".join(character for character in text if not is_white(character))


@each_preset
@settings(max_examples=25)
@given(text=st.text(max_size=60))
@example(text="a\ufeff\u200b b")
def test_any_text_gets_trees_that_hold_all_of_it(preset: str, text: str) -> None:
    parser = trained(preset)
    tree = parser.parse(text)
    assert all(token.tag for token in tree.sentence)
    kept = "".join(text[token.start : token.end] for token in tree.sentence)
    assert without_white(kept) == without_white(text)


@each_preset
def test_tokenizer_and_tagger_survive_the_folder(preset: str, tmp_path: Path) -> None:
    parser = trained(preset)
    parser.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert list(loaded.parse_text(TEXT)) == list(parser.parse_text(TEXT))
    (tmp_path / "model" / "tokenizer.json").write_text("{}")
    with pytest.raises(InputError, match=r"tokenizer\.json"):
        load(tmp_path / "model")


def test_dev_scores_from_gold_tags_to_raw_text() -> None:
    parser = trained("sr-gap")
    scores = dev_scores(parser, DEV)
    assert parser.about["scores"] == scores
    assert list(scores) == ["gold tags", "predicted tags", "raw text"]
    assert scores["predicted tags"]["f1"] == pytest.approx(parser.about["dev"]["f1"])
    assert 0.5 < scores["predicted tags"]["tags"] <= 1.0
    assert scores["raw text"]["tokens"] > 0.9
    text, placed = raw_text(DEV)
    for tree in placed:
        assert tree.text == text[tree.sentence[0].start : tree.sentence[-1].end]


def test_a_model_that_learned_from_gold_tags_takes_no_text() -> None:
    parser = train("sr-gap", train=TRAIN, epochs=1, tags="gold")
    assert parser.tagger is None
    assert parser.tokenizer is not None  # it is learned whatever the tags are
    assert not parser.reads_text
    for call in (parser.parse, parser.parse_text):
        with pytest.raises(
            UsageError, match="this model has no tagger, so it cannot parse raw text"
        ):
            call("Das ist ein Satz.")
    with pytest.raises(UsageError, match="this model has no tagger"):
        parser.tag([["Das"]])
    assert parser.parse(TEST[0]).sentence[0].tag == TEST[0].sentence[0].tag


def test_the_letters_of_a_text_are_no_sentences() -> None:
    parser = trained("sr-gap")
    for call in (parser.parse_many, parser.tag):
        with pytest.raises(UsageError, match="found one text, expected several sentences"):
            call("Das ist ein Satz.")
    with pytest.raises(UsageError, match="found one text"):
        parser.parse_k_best("Das ist ein Satz.", 2)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_came_before_an_error_is_not_lost(threads: int) -> None:
    def sentences() -> Iterator[list[str]]:
        yield from [["Das", "geht"]] * 2500
        raise OSError("the disk is gone")

    found: list[Tree] = []
    with pytest.raises(OSError, match="the disk is gone"):
        found.extend(trained("sr-gap").parse_many(sentences(), threads=threads))
    assert len(found) == 2500


def test_clusters_that_nobody_can_use_are_refused(tmp_path: Path) -> None:
    bare = [tree.replace(sentence=[Token(token.form) for token in tree.sentence]) for tree in TRAIN]
    with pytest.raises(UsageError, match=r"no template of .* uses them"):
        train("sr-gap", train=bare, clusters=str(tmp_path / "nowhere"))


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises(UsageError, match="cannot load nowhere: there is no such folder"):
        load("nowhere")


def test_a_folder_is_found_by_its_path_and_after_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in crossbranch.models.shipped():
        with pytest.raises(UsageError, match=f"cannot load {name}: there is no such folder"):
            load(Path(name))  # only a text names a shipped model
    trained("sr-gap").save("m")
    Path("m").rename(".m.old")
    assert load("m").settings == trained("sr-gap").settings
