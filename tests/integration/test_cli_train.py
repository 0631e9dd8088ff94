"""crossbranch train, parse and presets, in processes of their own, killed ones among them."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import MAIN, crossbranch

from crossbranch.grammar.sampling import sample
from crossbranch.parsers import PRESETS, load
from crossbranch.tree import feature
from crossbranch.treebank import read, write

FAST = ("--epochs", "2", "--set", "features=baseline", "--set", "tags=gold")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train, dev and test files, and a model."""
    place = tmp_path_factory.mktemp("train")
    for name, count, seed in (("train", 60, 1), ("dev", 15, 2), ("test", 15, 3)):
        write(sample(count, seed=seed, max_length=20), place / f"{name}.export")
    crossbranch(
        *("train", "sr-gap", "--train", place / "train.export", "--dev", place / "dev.export"),
        *("--out", place / "model", *FAST, "--plot", place / "curve.png"),
    )
    return place


def test_training_shows_a_row_for_each_epoch_and_the_curve(folder: Path, tmp_path: Path) -> None:
    stdout, stderr = crossbranch(
        *("train", "sr-cgap", "--train", folder / "train.export", "--dev", folder / "dev.export"),
        *("--out", tmp_path / "model", *FAST, "--beam", "2", "--seed", "5", "--threads", "2"),
    )
    head, first, second, curve, gappy = stdout.splitlines()
    assert head.split() == ["epoch", "F1", "disc.", "F1", "updates", "seconds"]
    assert first.split()[0] == "1"
    assert first.endswith("*")
    assert second.split()[0] == "2"
    assert curve.split()[0] == "F1"
    assert gappy.split()[:2] == ["disc.", "F1"]
    assert "the parser of epoch" in stderr
    pattern = (
        r"confidence: calibration error 0\.\d{3} for trees, 0\.\d{3} for constituents"
        r" \(15 dev sentences, beam 2\)"
    )
    assert re.search(pattern, stderr)
    settings = load(tmp_path / "model").settings
    assert (settings.beam, settings.seed, settings.threads) == (2, 5, 2)  # type: ignore[attr-defined]
    assert (folder / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_training_without_dev_trees(folder: Path, tmp_path: Path) -> None:
    stdout, stderr = crossbranch(
        "train", "sr-gap", "--train", folder / "train.export", "--out", tmp_path / "model", *FAST
    )
    assert len(stdout.splitlines()) == 3
    assert "confidence" not in stderr
    _, stderr = crossbranch(
        *("parse", tmp_path / "model", "-", "--confidence", "-o", tmp_path / "out.json"),
        stdin=b"Das/PDS\n",
        code=2,
    )
    assert "the model has no calibration.json; train it with dev trees" in stderr
    assert not (tmp_path / "out.json").exists()


def test_bad_training_sentences_are_counted(folder: Path, tmp_path: Path) -> None:
    text = (folder / "train.export").read_text() + "#BOS 99\nx\n#EOS 99\n" * 12
    (tmp_path / "train.export").write_text(text)
    _, stderr = crossbranch(
        "train", "sr-gap", "--train", tmp_path / "train.export", "--out", tmp_path / "m", *FAST
    )
    assert stderr.count("skipped: ") == 10
    assert "12 sentences were skipped" in stderr


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (("sr-nonsense",), "unknown preset 'sr-nonsense'; expected one of ml-gap", 2),
        (("sr-gap", "--set", "beam"), "expected key=value", 2),
        (("sr-gap", "--set", "beams=3"), "unknown setting 'beams'", 2),
        (("sr-gap", "--beam", "0"), "0 is not in the range 1<=x<=10000", 2),
        (("stack-free", "--set", "encoder.hiden=4"), "unknown setting 'encoder.hiden'", 2),
        (("stack-free", "--set", "scorer.gaps=0"), "the setting scorer.gaps is '0', expected", 2),
        (("stack-free", "--set", "encoder=4"), "the setting encoder is '4', expected a table", 2),
        (
            ("sr-gap", "--plot", "x.png"),
            "--plot draws the scores on dev trees, so it needs --dev FILE",
            2,
        ),
        (("sr-gap", "--dev", "nothing.export"), "cannot read nothing.export", 2),
        (("sr-gap", "--out", "model"), "there is a finished model in model", 2),
    ],
)
def test_what_is_wrong_with_a_call_is_said(
    folder: Path, arguments: tuple[str, ...], message: str, code: int
) -> None:
    out = () if "--out" in arguments else ("--out", "other")
    _, stderr = crossbranch(
        "train", *arguments, "--train", "train.export", *out, code=code, cwd=folder
    )
    assert message in stderr
    assert not (folder / "other").exists()


def test_parsing_a_treebank_needs_leave_to_use_its_tags(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.export"
    _, stderr = crossbranch("parse", folder / "model", folder / "test.export", "-o", out, code=2)
    assert "give --gold-tags to use the tags" in stderr
    assert not out.exists()
    crossbranch("parse", folder / "model", folder / "test.export", "--gold-tags", "-o", out)
    gold, parsed = list(read(folder / "test.export")), list(read(out))
    assert [tree.id for tree in parsed] == [tree.id for tree in gold]
    for one, other in zip(gold, parsed, strict=True):
        assert [token[:2] for token in one.sentence] == [token[:2] for token in other.sentence]


def test_parsing_does_not_depend_on_threads_but_on_the_beam(folder: Path) -> None:
    def parsed(*options: str) -> str:
        call = ("parse", folder / "model", folder / "test.export", "--gold-tags")
        return crossbranch(*call, *options, "--to", "discbracket")[0]

    assert parsed() == parsed("--threads", "2") == parsed("--beam", "4")
    assert parsed() != parsed("--beam", "1")


def test_parsing_text(folder: Path) -> None:
    text = b"Das/PDS ist/VAFIN gut/ADJD\n\nWort/NEU\n"
    stdout, _ = crossbranch("parse", folder / "model", "-", "--to", "tagged", stdin=text)
    assert stdout.encode() == text
    stdout, _ = crossbranch("parse", folder / "model", "-", "--to", "discbracket", stdin=text)
    assert len(stdout.splitlines()) == 3


def test_parsing_text_without_tags_says_what_is_expected(folder: Path) -> None:
    _, stderr = crossbranch("parse", folder / "model", "-", stdin=b"Das ist gut\n", code=1)
    assert "sentence 1: found the word 'Das' without a tag, expected tags, as in word/tag" in stderr
    stdout, stderr = crossbranch(
        *("parse", folder / "model", "-", "--from", "tagged", "--on-error", "skip"),
        *("--to", "tagged"),
        stdin=b"Das ist gut\nDas/PDS\n",
    )
    assert stdout == "Das/PDS\n"
    assert "1 bad sentence was skipped" in stderr


def test_the_k_best_trees(folder: Path) -> None:
    text = b"Das/PDS ist/VAFIN gut/ADJD\n"
    stdout, _ = crossbranch(
        "parse", folder / "model", "-", "--k-best", "3", "--beam", "32", stdin=text
    )
    heads = [line for line in stdout.splitlines() if line.startswith("#BOS")]
    assert [line.split()[1] for line in heads] == ["1.1", "1.2", "1.3"]
    scores = [float(line.split()[-1]) for line in heads]
    assert scores == sorted(scores, reverse=True)


def test_confidence_in_the_trees(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    call = ("parse", folder / "model", folder / "test.export", "--gold-tags")
    crossbranch(*call, "--confidence", "-o", out)
    sure = list(read(out))
    assert all(0 <= float(feature(tree.features, "confidence")) <= 1 for tree in sure)
    assert sure == list(
        load(folder / "model").parse_many(read(folder / "test.export"), confidence=True)
    )
    out = tmp_path / "out.xml"
    crossbranch(*call, "--confidence", "--k-best", "2", "--to", "tigerxml", "-o", out)
    best, second, *_ = read(out)
    assert (best.id, second.id) == ("1.1", "1.2")
    assert best.comments[-1].startswith("score ")
    for tree in (best, second):
        assert feature(tree.features, "confidence")
        assert feature(tree.nodes[1].features, "confidence")


def test_confidence_in_a_table(folder: Path, tmp_path: Path) -> None:
    call = ("parse", folder / "model", folder / "test.export", "--gold-tags")
    plain, _ = crossbranch(*call)
    beside, stderr = crossbranch(*call, "--confidence-table", tmp_path / "sure.tsv")
    assert beside == plain
    assert "warning" not in stderr
    head, *lines = (tmp_path / "sure.tsv").read_text().splitlines()
    assert head.split("\t") == ["sentence", "kind", "label", "blocks", "confidence"]
    expected = []
    for tree in load(folder / "model").parse_many(read(folder / "test.export"), confidence=True):
        stated = feature(tree.features, "confidence")
        expected.append([tree.id, "tree", "", f"0-{len(tree.sentence)}", stated])
        for node in tree.nodes:
            if stated := feature(node.features, "confidence"):
                blocks = ",".join(f"{start}-{stop}" for start, stop in node.blocks)
                expected.append([tree.id, "constituent", node.label, blocks, stated])
    assert [line.split("\t") for line in lines] == expected
    crossbranch(
        *call, "--confidence", "--confidence-table", tmp_path / "x.tsv", "-o", tmp_path / "x.json"
    )
    assert feature(next(iter(read(tmp_path / "x.json"))).features, "confidence")


def test_confidence_is_not_lost_silently(folder: Path, tmp_path: Path) -> None:
    call = ("parse", folder / "model", folder / "test.export", "--gold-tags")
    out = tmp_path / "out.export"
    _, stderr = crossbranch(*call, "--confidence", "-o", out, code=2)
    assert "export cannot hold confidence; use --to tigerxml, alpino, json, or" in stderr
    assert "--confidence-table FILE" in stderr
    _, stderr = crossbranch(*call, "--confidence-table", "-", code=2)
    assert "cannot write both trees and --confidence-table to -" in stderr
    before = (folder / "test.export").read_bytes()
    _, stderr = crossbranch(*call, "--confidence-table", folder / "test.export", "-o", out, code=2)
    assert "a file of the input" in stderr
    assert (folder / "test.export").read_bytes() == before
    assert not out.exists()


def test_a_model_that_is_none(folder: Path) -> None:
    _, stderr = crossbranch("parse", folder, folder / "test.export", code=1)
    assert "found no manifest.json, expected a finished model" in stderr
    _, stderr = crossbranch("parse", folder / "nothing", folder / "test.export", code=2)
    assert "there is no such folder" in stderr


def test_the_table_of_epochs_for_programs(tmp_path: Path) -> None:
    write(sample(20, seed=1, max_length=12), tmp_path / "train.export")
    crossbranch(
        *("train", "sr-gap", "--train", tmp_path / "train.export", "--out", tmp_path / "model"),
        *("--dev", tmp_path / "train.export", "--epochs", "2"),
        *("--csv", tmp_path / "epochs.csv", "--json", tmp_path / "epochs.json"),
    )
    epochs = json.loads((tmp_path / "epochs.json").read_text())
    assert [epoch["number"] for epoch in epochs] == [1, 2]
    head, *rows = (tmp_path / "epochs.csv").read_text().splitlines()
    assert head.startswith("number,updates,seconds,dev_seconds,f1,discontinuous_f1")
    assert len(rows) == 2


def test_presets_are_listed_and_shown(tmp_path: Path) -> None:
    stdout, _ = crossbranch("presets")
    for name, preset in PRESETS.items():
        assert f"{name}\n" in stdout
        assert preset.summary in stdout
    assert "system: cswap (SR-CSWAP), oracle lazier" in stdout
    assert "system: cswap (SR-CSWAP), oracle strict" in stdout  # as in the paper
    shown, _ = crossbranch("presets", "sr-cswap")
    assert "# size of the beam in training" in shown
    (tmp_path / "mine.toml").write_text(shown)
    again, _ = crossbranch("presets", tmp_path / "mine.toml")
    assert again == shown
    neural, _ = crossbranch("presets", "stack-free")
    assert "\n# how the network reads tokens\n[encoder]\n" in neural
    assert "\n#[task.NAME]\n" in neural
    assert all(len(line) <= 101 for line in neural.partition("[about]")[0].splitlines())


def test_killed_training_ends_with_the_same_model(folder: Path, tmp_path: Path) -> None:
    write(sample(150, seed=4, max_length=20), tmp_path / "train.export")
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    call = [
        *("train", "sr-gap", "--train", str(tmp_path / "train.export")),
        *("--dev", str(folder / "dev.export"), "--epochs", "6", "--out"),
    ]
    crossbranch(*call, whole)
    chance = random.Random(1)
    kills = [run_and_kill([*call, str(killed)], killed, chance.uniform(0, 0.1)) for _ in range(2)]
    assert any(kills)
    if not (killed / "manifest.json").exists():
        stdout, _ = crossbranch(*call, killed)
        assert "continuing\n" in stdout  # and not anew
    for name in (
        "calibration.json",
        "weights.bin",
        "config.toml",
        "labels.json",
        "vocabulary.json",
    ):
        assert (whole / name).read_bytes() == (killed / name).read_bytes(), name
    epochs = [
        [(epoch["f1"], epoch["updates"]) for epoch in load(path).about["epochs"]]
        for path in (whole, killed)
    ]
    assert epochs[0] == epochs[1]
    assert not (killed / "checkpoint").exists()


def run_and_kill(arguments: list[str], out: Path, delay: float) -> bool:
    """Kill training some time after its next checkpoint; say whether it was still running."""

    def seen() -> int:
        path = out / "checkpoint"
        return path.stat().st_mtime_ns if path.exists() else 0

    before = seen()
    command = [sys.executable, "-c", MAIN, *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        while process.poll() is None and seen() == before:
            time.sleep(0.005)
        time.sleep(delay)
        if process.poll() is None:
            process.kill()
            return True
        assert process.stderr is not None
        errors = process.stderr.read().decode()
        assert process.returncode == 0 or "there is a finished model" in errors, errors
        return False


def test_training_from_several_sources(folder: Path, tmp_path: Path) -> None:
    tagged = tmp_path / "a=b.conllu"  # a name with a sign in it is still a name
    tagged.write_text("1\tblip\t_\t_\tBLIP\t_\t_\t_\t_\t_\n\n" * 2)
    stdout, stderr = crossbranch(
        *("train", "sr-gap", "--train", f"trees={folder / 'train.export'}"),
        *("--train", f"my-text={tagged}", "--set", "source.trees.weight=0.5"),
        *("--set", "source.my-text.teaches=tagger", "--out", tmp_path / "model"),
        *("--epochs", "1", "--set", "features=baseline"),
        *("--dev", f"one={folder / 'dev.export'}", "--dev", f"two={folder / 'test.export'}"),
        *("--check", f"text={tagged}"),
    )
    assert re.search(r"F1 on one +0\.\d+  F1 on two +0\.\d+$", stdout, re.MULTILINE)
    pattern = r"one, predicted tags: F1 \d+\.\d\d, discontinuous F1 \d+\.\d\d, tags \d+\.\d\d\n"
    assert re.search(pattern, stderr)
    assert "text, predicted tags: tags 100.00\n" in stderr
    model = load(tmp_path / "model")
    assert "BLIP" in model.tags
    assert list(model.about["scores_on"]) == ["one", "two", "text"]
    assert model.about["sources"]["my-text"]["teaches"] == ["tagger"]
    assert model.settings.source["trees"].weight == 0.5


def test_all_files_without_names_are_used(folder: Path, tmp_path: Path) -> None:
    """Two files with the same name in different folders are two sources."""
    other = tmp_path / "train.export"
    other.write_bytes((folder / "test.export").read_bytes())
    crossbranch(
        *("train", "sr-gap", "--train", folder / "train.export", "--train", other),
        *("--set", "source.train-2.weight=0.5", "--out", tmp_path / "model", "--epochs", "1"),
        *("--set", "features=baseline", "--set", "tags=gold"),
    )
    sources = load(tmp_path / "model").about["sources"]
    assert list(sources) == ["train", "train-2"]
    assert all(source["sentences"] for source in sources.values())
    assert sources["train-2"]["weight"] == 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--train", "x.export", "--train", "x.export"),
            "--train x.export: the file is given twice",
        ),
        (("--train", "a=x.export", "--train", "a=y.export"), "the name a is given twice"),
        (("--train", "a b=x.export"), "the name 'a b', expected letters"),
        (("--train", "a=x.export", "--set", "source.b.weight=2"), "the sources are a"),
        (("--train", "a=x.export"), "x.export"),
        (("--train", "x", "--train", "z", "--set", "source.b.weight=2"), "the sources are x, z"),
        (("--train", "x", "--check", "y"), "--check y: expected NAME=FILE"),
    ],
)
def test_wrong_sources_are_explained(options: tuple[str, ...], message: str) -> None:
    _, stderr = crossbranch("train", "sr-gap", *options, "--out", "nowhere", code=2)
    assert message in stderr


def test_dev_trees_are_not_in_the_folder_to_learn_from(folder: Path) -> None:
    """A folder stands for all treebanks in it."""
    call = ("--train", f"all={folder}", "--dev", f"dev={folder / 'dev.export'}", "--out", "nowhere")
    _, stderr = crossbranch("train", "sr-gap", *call, code=2)
    assert f"--train {folder}: this folder contains {folder / 'dev.export'}" in stderr


def test_presets_show_the_tables_that_can_be_added(folder: Path, tmp_path: Path) -> None:
    shown, _ = crossbranch("presets", "sr-gap")
    tables = re.sub(r"^#(?! )", "", shown, flags=re.MULTILINE).replace("NAME", "mine")
    tables = tables.replace("all_caps = 0.0", "all_caps = 1.0").replace("epochs = 15", "epochs = 1")
    (tmp_path / "mine.toml").write_text(tables, encoding="utf-8")
    crossbranch(
        *("train", tmp_path / "mine.toml", "--train", f"mine={folder / 'dev.export'}"),
        *("--out", tmp_path / "model", "--set", "tags=gold", "--set", "casing=false"),
    )
    about = load(tmp_path / "model").about
    assert about["learned_from"] == 30  # sentences, and as many copies
    assert about["sources"]["mine"]["copies"] == 15
