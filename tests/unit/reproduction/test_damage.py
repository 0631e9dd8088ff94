"""Damaged corpora: everything is read before the first training, and what is skipped is told."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest
from reproductions import run

from crossbranch.errors import InputError
from crossbranch.grammar.sampling import sample
from crossbranch.reproduction import to_markdown
from crossbranch.tree import Tree
from crossbranch.treebank import write


def damage(path: Path, *numbers: int) -> None:
    """Damage sentences of a file in the format export: a word is below a node that is not there."""
    sentences = path.read_text().split("#BOS ")
    for number in numbers:
        first, word, *rest = sentences[number].split("\n")
        broken = "\t".join([*word.split("\t")[:-1], "999"])
        sentences[number] = "\n".join([first, broken, *rest])
    path.write_text("#BOS ".join(sentences))


def test_skipped_sentences_are_told(mine: Path, tmp_path: Path) -> None:
    for part, numbers in (("train", (2, 4)), ("dev", (1,)), ("test", (3, 5))):
        damage(mine / f"{part}.export", *numbers)
    found, done = run(mine, tmp_path / "out", only=["1", "3"], train_beam=1)
    of_train, of_dev, of_test = found.notes[1:]
    start = "mine: train.export: 2 sentences were skipped; the first message: "
    assert of_train.startswith(f"{start}{mine}/train.export:")
    assert "expected" in of_train
    assert of_dev.startswith(f"mine: dev.export: 1 sentence was skipped: {mine}/dev.export:")
    assert of_test.startswith("mine: test.export: 2 sentences were skipped; ")
    assert done[:3] == [f"warning: {note}" for note in found.notes[1:]]
    assert f"- {of_test}\n" in to_markdown(found)
    assert [row["sentences"] for row in found.tables[1].cells["mine"]] == [(18,), (3,)]


def test_a_file_that_ends_early_is_told(mine: Path, tmp_path: Path) -> None:
    (mine / "train.export").unlink()
    write(sample(400, seed=1), mine / "train.export")
    data = lzma.compress((mine / "train.export").read_bytes())
    (mine / "train.export").unlink()
    (mine / "train.export.xz").write_bytes(data[: len(data) * 9 // 10])
    found, _ = run(mine, tmp_path / "out", only=["3"])
    assert "mine: train.export.xz: the rest of the file could not be read: " in found.notes[-1]
    ((read,),) = [row["sentences"] for row in found.tables[0].cells["mine"][:1]]
    assert isinstance(read, int | float)
    assert 0 < read < 400


@pytest.mark.parametrize("part", ["train", "dev", "test"])
def test_parts_without_trees_are_errors(mine: Path, tmp_path: Path, part: str) -> None:
    """Also for tables that need no parser, and before the first training."""
    (mine / f"{part}.export").write_text("")
    for only in ("3", "1"):
        with pytest.raises(InputError, match=rf"mine/{part}\.export: found no tree, expected"):
            run(mine, tmp_path / "out", only=[only])
    damage_all = "#FORMAT 4\n#BOS 1\na\tb\tc\td\te\t999\n#EOS 1\n"
    (mine / f"{part}.export").write_text(damage_all)
    with pytest.raises(InputError, match="found no tree"):
        run(mine, tmp_path / "out", only=["1"])
    assert not (tmp_path / "out" / "mine").exists()


@pytest.mark.parametrize("part", ["train", "test"])
def test_tags_are_compared_with_words_before_the_training(
    mine: Path, tmp_path: Path, part: str
) -> None:
    for one in ("train", "test"):
        (mine / f"{one}-tags.export").write_bytes((mine / f"{one}.export").read_bytes())
    tags = mine / f"{part}-tags.export"
    tags.write_text(tags.read_text().split("#BOS 3")[0])
    with pytest.raises(InputError, match=rf"mine/{part}-tags\.export: found 2 sentences, expected"):
        run(mine, tmp_path / "out", only=["2"])
    assert not (tmp_path / "out" / "mine").exists()
    found, _ = run(mine, tmp_path / "out", only=["3"])  # tables without them do not mind
    assert found.notes == ()


def test_trees_that_a_parser_cannot_learn_are_told(mine: Path, tmp_path: Path) -> None:
    """Here, those that must be binarized but have no heads yet."""
    small = Tree.from_string("(ROOT (S (t 0=a) (u 1=b)))")
    large = Tree.from_string("(ROOT (S (t 0=a) (u 1=b) (t 2=c)))")
    write([small, large, small, large], mine / "train.export")
    options = {"train_beam": 1, "changes": {"prepare": "binarize"}}
    found, done = run(mine, tmp_path / "out", only=["1"], **options)
    assert not found.failures
    start = f"mine: table 1, beam 1, seed 1: 2 training trees were skipped; see {tmp_path}/out/mine"
    assert found.notes[-1].startswith(start)
    assert f"warning: {found.notes[-1]}" in done
