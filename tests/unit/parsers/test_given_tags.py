"""Tags from a file beside a treebank."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from crossbranch import experiments
from crossbranch.cli.convert import convert
from crossbranch.errors import CrossbranchError, InputError, UsageError
from crossbranch.grammar.sampling import sample
from crossbranch.parsers import Parser, train
from crossbranch.parsers.data import TrainingTrees
from crossbranch.parsers.given_tags import read_tags, retagged
from crossbranch.tasks.inventory import Labelled
from crossbranch.tasks.rows import to_tsv
from crossbranch.transforms import pipeline
from crossbranch.tree import Node, Token, Tree
from crossbranch.treebank import read, write

TRAIN = tuple(sample(20, seed=1, max_length=10))
DEV = tuple(sample(6, seed=2, max_length=10))


def changed(trees: tuple[Tree, ...]) -> list[Tree]:
    """The first word of each sentence has another tag."""
    found = []
    for tree in trees:
        first, *rest = tree.sentence
        found.append(tree.replace(sentence=[first._replace(tag="NEW"), *rest]))
    return found


def tag_file(path: Path, trees: tuple[Tree, ...]) -> str:
    write(changed(trees), path)
    return str(path)


def make(**values: Any) -> Parser:
    common: dict[str, Any] = {"epochs": 1, "features": "baseline", "beam": 1, "tags": "gold"}
    return train("sr-gap", train=TRAIN, dev=DEV, **{**common, **values})


@pytest.mark.filterwarnings("ignore::crossbranch.errors.LossWarning")
@pytest.mark.parametrize("name", ["tags.export", "tags.tagged", "tags.txt", "tags.conllu"])
def test_tags_of_treebanks_and_texts(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write(changed(DEV), path, format="tagged" if name == "tags.txt" else None)
    assert read_tags(path) == [list(tree.tags) for tree in changed(DEV)]


def test_tags_in_columns(tmp_path: Path) -> None:
    path = tmp_path / "dev.tsv"
    path.write_text("Das\tART\nHaus\tNN\n\nja\tITJ\n")
    assert read_tags(path) == [["ART", "NN"], ["ITJ"]]
    path.write_text("Das\tART\nHaus\t\n")
    with pytest.raises(InputError, match=r"dev\.tsv:2: found a word without a tag"):
        read_tags(path)


def test_tags_without_words(tmp_path: Path) -> None:
    """As in the files of predicted tags that come with mtg."""
    path = tmp_path / "dev-tags.txt"
    path.write_text("".join("\n".join(["NEW", *tree.tags[1:]]) + "\n\n" for tree in DEV))
    assert retagged(DEV, path, treebank="dev.export") == changed(DEV)
    path.write_text("$,\n" + path.read_text())
    count = len(DEV[0].sentence)
    expected = rf"sentence 1: found {count + 1} tags, expected {count}, as in .* dev\.export"
    with pytest.raises(InputError, match=expected):
        retagged(DEV, path, treebank="dev.export")


def lines_of(trees: tuple[Tree, ...]) -> list[str]:
    return [" ".join(f"{word}/X" for word in tree.words) + "\n" for tree in trees]


def test_words_and_sentences_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "dev.tagged"
    good = "".join(lines_of(DEV))
    path.write_text(good)
    assert retagged(DEV, path, treebank="dev.export")[0].tags[0] == "X"
    path.write_text("a/X " + good)
    count = len(DEV[0].sentence)
    expected = rf"sentence 1: found {count + 1} words, expected {count}, as in .* dev\.export"
    with pytest.raises(InputError, match=expected):
        retagged(DEV, path, treebank="dev.export")
    path.write_text(good + "a/X\n")
    with pytest.raises(InputError, match=r"found 7 sentences, expected 6, as in dev\.export"):
        retagged(DEV, path, treebank="dev.export")
    path.write_text("a\n")
    with pytest.raises(CrossbranchError):
        read_tags(path)


def test_words_are_compared(tmp_path: Path) -> None:
    tagged, columns = tmp_path / "dev.tagged", tmp_path / "dev.tsv"
    lines = lines_of(DEV)
    first, *rest = DEV[1].words
    tagged.write_text("".join([lines[0], " ".join([f"{first}/X", *["x/X"] * len(rest)])]))
    columns.write_text(
        "".join(line.replace(" ", "\n").replace("/X", "\tX") + "\n" for line in lines)
    )
    assert [t.tags[0] for t in retagged(DEV, columns, treebank="dev")] == ["X"] * len(DEV)
    columns.write_text(columns.read_text().replace(f"{rest[0]}\tX", "x\tX"))
    number = len(DEV[0].words) + 3
    for path, line in ((tagged, 2), (columns, number)):
        with pytest.raises(InputError) as caught:
            retagged(DEV, path, treebank="dev.export")
        assert str(caught.value) == (
            f"{path}:{line}: sentence 2: found the word 'x', expected {rest[0]!r}, as in the"
            f" sentence {DEV[1].id or 2} of dev.export"
        )
    path = tmp_path / "dev.export"
    write(
        [
            tree.replace(sentence=[t._replace(form=t.form.upper()) for t in tree.sentence])
            for tree in DEV
        ],
        path,
    )
    with pytest.raises(InputError, match=r"dev\.export: sentence 1: found the word '"):
        retagged(DEV, path, treebank="dev")


@pytest.mark.filterwarnings("ignore::crossbranch.errors.LossWarning")
@pytest.mark.parametrize("name", ["tags.export", "tags.tagged", "tags.conllu", "tags.tsv"])
def test_words_with_escapes_are_the_same(tmp_path: Path, name: str) -> None:
    words = ["und/oder", "a b", "", "&#x2f;", "%%", "#500", "_", "Ä"]
    tree = Tree([Token(word, "NN") for word in words], Node("S", range(len(words))))
    path = tmp_path / name
    if name == "tags.tsv":
        path.write_text(to_tsv(Labelled(tuple(words), ("X",) * len(words))))
    else:
        write([tree], path)
    assert len(retagged([tree], path, treebank="dev")) == 1


def test_tags_follow_the_words_through_transforms(tmp_path: Path) -> None:
    """Sentences lose their punctuation, and the tags of the other words stay with them."""
    found = TrainingTrees.of(
        DEV,
        prepare=pipeline("punctuation(delete)"),
        report=lambda error: None,
        name="dev",
        tags_from=tag_file(tmp_path / "dev.export", DEV),
    )
    assert all(tree.tags[0] == "NEW" for tree in found.seen)
    assert [tree.tags[1:] for tree in found.seen] == [tree.tags[1:] for tree in found.trees]
    assert not any(token.features for tree in found.trees for token in tree.sentence)
    assert all("NEW" not in tree.tags for tree in found.trees)


def test_a_parser_sees_the_tags_of_the_files(tmp_path: Path) -> None:
    files = {
        "train": tag_file(tmp_path / "train.export", TRAIN),
        "dev": tag_file(tmp_path / "dev.export", DEV),
    }
    plain, given = make(), make(tags_from=files)
    assert given.files() != plain.files()
    scores = given.about["scores"]["given tags"]
    words = sum(len(tree.sentence) for tree in DEV)
    assert scores["tags"] == pytest.approx(1 - len(DEV) / words)  # gold tags are those of the trees
    assert make(tags_from={"train": ""}).files() == plain.files()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tags": "predicted"}, "tags is 'predicted', expected gold"),
        ({"augment": {"no_final_mark": 0.5}}, "augment cannot be used"),
        ({"train": {"a": TRAIN, "b": DEV}}, "one folder and use crossbranch convert FOLDER"),
        ({"dev": DEV}, r"tags_from\.train is given, but not tags_from\.dev"),
        ({"tags_from": {"dev": "tags.export"}}, "tags.export, but there are no dev trees"),
    ],
)
def test_wrong_settings(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    file = tag_file(tmp_path / "train.export", TRAIN)
    values = {"train": TRAIN, "tags": "gold", "tags_from": {"train": file}, **settings}
    with pytest.raises(UsageError, match=message):
        train("sr-gap", **values)


def test_files_are_joined_as_the_message_says(tmp_path: Path) -> None:
    """Trees and tags of two treebanks; the result is in the order of the names."""
    for number, trees in enumerate((TRAIN, DEV), 1):
        for name, some in (("trees", trees), ("tags", tuple(changed(trees)))):
            (tmp_path / name).mkdir(exist_ok=True)
            write(some, tmp_path / name / f"{number}.export")
    for name in ("trees", "tags"):
        call = [str(tmp_path / name), str(tmp_path / f"{name}.export")]
        assert CliRunner().invoke(convert, call).exit_code == 0
    both = tuple(read(tmp_path / "trees.export"))
    found = retagged(both, tmp_path / "tags.export", treebank="trees.export")
    assert [tree.tags for tree in found] == [tree.tags for tree in changed(TRAIN + DEV)]


def test_experiments_score_with_the_tags_of_a_file(tmp_path: Path) -> None:
    write(TRAIN, tmp_path / "train.export")
    write(DEV, tmp_path / "test.export")
    tag_file(tmp_path / "test-tags.export", DEV)
    (tmp_path / "tags.toml").write_text(
        'preset = "sr-gap"\ntrain = "train.export"\ntest = "test.export"\n[settings]\n'
        'epochs = 1\nbeam = 1\nfeatures = "baseline"\ntags = "gold"\n'
        '[variant.gold]\n[variant.given]\ntags_from.test = "test-tags.export"\n'
    )
    found = experiments.run(experiments.read(tmp_path / "tags.toml"), jobs=0)
    gold, given = experiments.table(found, on="test").rows
    assert gold.tag_accuracy is None
    assert given.tag_accuracy is not None
    assert given.tag_accuracy.mean < 1
