"""Numbers of other programs as additional input of neural parsers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from commands import crossbranch
from trained_parsers import DEV, QUICK_SETTINGS, TRAIN

pytest.importorskip("torch")

from crossbranch.config import merged
from crossbranch.errors import InputError, UsageError
from crossbranch.parsers import NeuralTransitionParser, load, train
from crossbranch.parsers.neural_shared.distributions import find_rows, in_one
from crossbranch.parsers.neural_transition.engine import CoreEngine
from crossbranch.parsers.neural_transition.torch_engine import TorchEngine
from crossbranch.parsers.sentences import has_parse
from crossbranch.tree import Token, Tree
from crossbranch.treebank import write

QUICK = merged(
    QUICK_SETTINGS["neural-transition"],
    {"epochs": 12, "oracle": "static", "encoder": {"hidden": 24}},
)
FEW, DEV_FEW = TRAIN[:24], DEV[:6]


def length_rows(sentences: Sequence[Sequence[str]]) -> list[list[list[float]]]:
    return [[[len(word) / 10, 1.0] for word in words] for words in sentences]


def larger_rows(sentences: Sequence[Sequence[str]]) -> list[list[list[float]]]:
    return [[[50 * number for number in row] for row in one] for one in length_rows(sentences)]


def vowel_rows(sentences: Sequence[Sequence[str]]) -> list[list[list[float]]]:
    return [[[sum(word.count(v) for v in "aeiou") / 5] for word in words] for words in sentences]


def brackets(tree: Tree) -> list[tuple[str, int]]:
    return sorted((node.label, node.span) for node in tree.nodes)


def write_rows(file: Path, rows: Sequence[Any]) -> str:
    text = "".join("".join("\t".join(map(str, r)) + "\n" for r in one) + "\n" for one in rows)
    file.write_text(text)
    return str(file)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a model that needs two distributions, and files with rows."""
    place = tmp_path_factory.mktemp("rows")
    for name, rows in (("lengths", length_rows), ("vowels", vowel_rows)):
        for part, trees in (("train", FEW), ("dev", DEV_FEW)):
            write_rows(place / f"{name}-{part}.tsv", rows([tree.words for tree in trees]))
    distribution = {
        name: {"train": str(place / f"{name}-train.tsv"), "dev": str(place / f"{name}-dev.tsv")}
        for name in ("lengths", "vowels")
    }
    distribution["lengths"]["size"] = "3"
    changes = {"distribution": distribution, "task": {"chunks": {"kind": "chunk", "level": 2}}}
    train("stack-free", train=FEW, dev=DEV_FEW, out=place / "model", **merged(QUICK, changes))
    return place


@pytest.fixture
def parser(folder: Path) -> NeuralTransitionParser:
    found = load(folder / "model")
    assert isinstance(found, NeuralTransitionParser)
    return found


def test_rows_are_read_by_a_network_of_two_layers(parser: NeuralTransitionParser) -> None:
    assert [one.width for one in parser.settings.distribution.values()] == [2, 1]
    from crossbranch.parsers.neural_shared.weights import unpack

    weights = unpack(parser.weights)
    assert weights["encoder.features.first.weight"].shape == (4, 3)
    assert weights["encoder.features.second.weight"].shape == (4, 4)
    assert parser.about["dev"]["f1"] > 0.1
    assert "chunks dev accuracy" in parser.about["epochs"][-1]["metrics"]


def test_core_and_torch_find_the_same(parser: NeuralTransitionParser) -> None:
    sources = {"lengths": length_rows, "vowels": vowel_rows}
    sentences = [tuple([Token(word) for word in tree.words]) for tree in DEV]
    rows = find_rows(parser.settings.distribution, sources, sentences)
    assert rows[0] is not None
    first = sentences[0][0].form
    assert rows[0][:3].tolist() == pytest.approx(
        [*length_rows([[first]])[0][0], *vowel_rows([[first]])[0][0]]
    )
    features = in_one(rows, sentences, 3)
    one = CoreEngine(parser).parse(sentences, beam=1, k_best=1, features=features)
    two = TorchEngine(parser, "cpu").parse(sentences, beam=1, k_best=1, features=features)
    assert [trees[0][1] for trees in one[0]] == [trees[0][1] for trees in two[0]]
    assert {name: list(labels) for name, labels in one[1].items()} == two[1]
    assert set(one[1]) == {"tag", "chunks"}


def test_rows_change_the_scores(parser: NeuralTransitionParser) -> None:
    scores = []
    for lengths in (length_rows, larger_rows):
        parser.distributions = {"lengths": lengths, "vowels": vowel_rows}
        scores.append([one[0].score for one in parser.parse_k_best(DEV, 1)])
    assert scores[0] != scores[1]


def test_a_model_without_rows_says_so(parser: NeuralTransitionParser) -> None:
    with pytest.raises(UsageError, match="this model needs the distribution lengths"):
        list(parser.parse_many([["a", "b"]]))


def test_a_sentence_whose_rows_do_not_fit_has_no_parse(parser: NeuralTransitionParser) -> None:
    def bad(sentences: Sequence[Sequence[str]]) -> list[list[list[float]]]:
        return [
            rows if words[0].lower() != "bad" else []
            for words, rows in zip(sentences, length_rows(sentences), strict=True)
        ]

    parser.distributions = {"lengths": bad, "vowels": vowel_rows}
    found = list(parser.parse_many([["good", "one"], ["bad", "one"], []]))
    assert [has_parse(tree) for tree in found] == [True, False, True]


def test_files_of_rows_on_the_command_line(
    folder: Path, parser: NeuralTransitionParser, tmp_path: Path
) -> None:
    write([Tree(tree.sentence, tree.root) for tree in DEV_FEW], tmp_path / "dev.export")
    given = [
        *("--distribution", f"lengths={folder / 'lengths-dev.tsv'}"),
        *("--distribution", f"vowels={folder / 'vowels-dev.tsv'}"),
    ]
    arguments: list[str | Path] = [
        "parse",
        folder / "model",
        tmp_path / "dev.export",
        "--to",
        "discbracket",
    ]
    output, _ = crossbranch(*arguments, *given)
    parser.distributions = {"lengths": length_rows, "vowels": vowel_rows}
    expected = parser.parse_many(DEV_FEW, tags="predict")
    assert list(map(brackets, map(Tree.from_string, output.splitlines()))) == list(
        map(brackets, expected)
    )
    _, message = crossbranch(*arguments, *given[:2], code=2)
    assert "this model needs the distribution vowels" in message


def test_rows_are_those_of_the_sentences(folder: Path, parser: NeuralTransitionParser) -> None:
    files = {name: str(folder / f"{name}-dev.tsv") for name in ("lengths", "vowels")}
    parser.read_rows(files, DEV_FEW, print)
    assert all(map(has_parse, parser.parse_many(DEV_FEW)))
    with pytest.raises(UsageError, match="no rows of the distribution lengths for: Other words"):
        list(parser.parse_many([["other", "words"]]))
    parser.read_rows({}, DEV_FEW, print)
    with pytest.raises(UsageError, match="this model needs the distribution"):
        list(parser.parse_many(DEV_FEW))


def test_check_trees_are_refused_before_training(folder: Path) -> None:
    distribution = {"x": {"train": str(folder / "lengths-train.tsv")}}
    with pytest.raises(UsageError, match="check trees have no rows"):
        train("stack-free", train=FEW, check={"other": DEV_FEW}, distribution=distribution)


def test_bad_files_are_named(folder: Path, parser: NeuralTransitionParser, tmp_path: Path) -> None:
    short = write_rows(tmp_path / "short.tsv", length_rows([["a"]]))
    with pytest.raises(InputError, match="rows for 1 sentences"):
        parser.read_rows({"lengths": short}, DEV_FEW, print)
    with pytest.raises(UsageError, match="no distribution 'x'; expected one of lengths, vowels"):
        parser.read_rows({"x": short}, DEV_FEW, print)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"distribution": {"x": {}}}, "distribution.x.train is empty"),
        ({"distribution": {"x": {"train": "FILE"}}}, "distribution.x.dev is empty"),
        (
            {"distribution": {"x": {"train": "a"}, "y": {"train": "a", "dropout": 0.5}}},
            "dropout differ",
        ),
        ({"distribution": {"x": {"train": "a"}}, "augment": {"no_final_mark": 0.1}}, "augment"),
    ],
)
def test_bad_settings_are_refused(folder: Path, changes: Any, message: str) -> None:
    changes["distribution"]["x"] = {
        name: str(folder / "lengths-train.tsv") if value == "FILE" else value
        for name, value in changes["distribution"]["x"].items()
    }
    with pytest.raises(UsageError, match=message):
        train("stack-free", train=FEW, dev=DEV_FEW, **merged(QUICK, changes))
