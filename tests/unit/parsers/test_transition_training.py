"""Training of transition parsers: settings, data that do not fit, folders in the way."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.grammar.sampling import sample
from crossbranch.models.folder import open_model
from crossbranch.parsers import LinearTransitionParser, Parser, load, train
from crossbranch.training import Watcher
from crossbranch.transforms import pipeline
from crossbranch.transitions import pipeline_for
from crossbranch.transitions.moves import GAP, SWAP
from crossbranch.treebank import write

TRAIN = tuple(sample(30, seed=1, max_length=15))
DEV = tuple(sample(10, seed=2, max_length=15))


def make(**values: Any) -> Parser:
    return train("sr-gap", **{"train": TRAIN, "dev": DEV, "epochs": 2, **values})


def weights(parser: Parser) -> bytes:
    return parser.files()["weights.bin"]


@cache
def plain_weights() -> bytes:
    """The weights that training without further settings makes, from gold tags."""
    return weights(make(tags="gold"))


@pytest.mark.parametrize(
    "values",
    [
        {"beam": 1},
        {"features": "baseline"},
        {"system": "cgap"},
        {"heads": "ptb"},
        {"heads": "none"},
        {"update": "max-violation"},
        {"batch": 8},
        {"voters": 2},
        {"min_update": 2},
        {"unknown_below": 4},
        {"prune": 1.0},
        {"prepare": "raise"},
        {"choose": "last", "epochs": 3},
        {"seed": 5},
        {"epochs": 1},
    ],
    ids=str,
)
def test_every_setting_makes_a_difference(values: dict[str, Any]) -> None:
    assert weights(make(tags="gold", **values)) != plain_weights()


def test_heads_come_from_a_file(tmp_path: Path) -> None:
    """In the format of rparse and disco-dop."""
    table = tmp_path / "mine.headrules"
    table.write_text("s left-to-right\nvp left-to-right\nnp left-to-right\n")
    parser = make(tags="gold", heads=str(table))
    assert parser.about["heads"] == str(table)
    assert weights(parser) != plain_weights()
    binary = pipeline_for("gap", str(table)).apply(TRAIN[0])
    assert binary != pipeline_for("gap", "negra").apply(TRAIN[0])


def test_voters_do_not_depend_on_threads_and_go_on_after_a_stop(tmp_path: Path) -> None:
    values: dict[str, Any] = {"voters": 3, "train": TRAIN * 4, "tags": "gold"}
    whole = weights(make(**values))
    assert weights(make(**values, threads=3)) == whole

    class Stop(Watcher):
        def learned(self, epoch: int, sentences: int, metrics: Mapping[str, float]) -> None:
            if (epoch, sentences) == (2, 64):
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(**values, out=tmp_path / "model", watcher=Stop())
    assert weights(make(**values, out=tmp_path / "model")) == whole


def test_importance_makes_a_difference_where_there_are_gaps() -> None:
    crossing = [tree for tree in sample(200, seed=1, max_length=15) if tree.is_discontinuous]
    values: dict[str, Any] = {"train": crossing, "epochs": 4, "tags": "gold"}
    plain, important = (make(**values, importance=n) for n in (1, 3))
    assert weights(plain) != weights(important)


def test_swap_has_other_oracles() -> None:
    strict, lazier = (
        train("sr-swap", train=TRAIN, epochs=1, min_update=0, oracle=oracle)
        for oracle in ("strict", "lazier")
    )
    assert (strict.about["oracle"], lazier.about["oracle"]) == ("strict", "lazier")
    assert weights(strict) != weights(lazier)


@pytest.mark.parametrize("preset", ["sr-gap", "sr-cgap", "sr-swap", "sr-cswap"])
def test_a_parser_can_be_trained_without_gaps_and_swaps(preset: str, tmp_path: Path) -> None:
    values: dict[str, Any] = {"train": TRAIN, "epochs": 2, "tags": "gold", "min_update": 0}
    whole = train(preset, **values)
    assert isinstance(whole, LinearTransitionParser)
    parser = train(preset, **values, discontinuous=False, out=tmp_path / "model")
    assert isinstance(parser, LinearTransitionParser)
    assert any(tree.is_discontinuous for tree in TRAIN)
    assert parser.about["learned_from"] == len(TRAIN)  # trees are changed, and none is left out
    moves = [(GAP, amount) for amount in range(1, 9)] + [(SWAP, amount) for amount in range(9)]
    assert set(whole.system.transitions) & set(moves)
    assert not set(parser.system.transitions) & set(moves)
    found = list(load(tmp_path / "model").parse_many(TRAIN))
    assert found == list(parser.parse_many(TRAIN))
    assert not any(tree.is_discontinuous for tree in found)


def test_a_search_may_stop_at_the_first_tree(tmp_path: Path) -> None:
    values: dict[str, Any] = {"train": TRAIN, "epochs": 6, "tags": "gold", "beam": 8}
    usual = train("sr-swap", **values)
    parser = train("sr-swap", **values, stop="first", out=tmp_path / "model")
    assert weights(parser) != weights(usual)  # learning ends at the same place as parsing
    again = load(tmp_path / "model")
    for few, many in zip(
        again.parse_k_best(DEV[:5], 8), usual.parse_k_best(DEV[:5], 8), strict=True
    ):
        assert 1 <= len(few) <= len(many)
    assert sum(map(len, again.parse_k_best(DEV, 8))) < sum(map(len, usual.parse_k_best(DEV, 8)))


def test_clusters_are_kept_in_the_model(tmp_path: Path) -> None:
    words = sorted({token.form for tree in TRAIN for token in tree.sentence})
    table = tmp_path / "paths"
    table.write_text("".join(f"{i % 16:04b}\t{word}\n" for i, word in enumerate(words)))
    (tmp_path / "mine.txt").write_text("d0.cluster4 s0.cluster4\n")
    features = f"baseline,{tmp_path / 'mine.txt'}"
    parser = make(features=features, clusters=str(table), out=tmp_path / "model")
    table.unlink()
    (tmp_path / "mine.txt").unlink()
    again = load(tmp_path / "model")
    assert list(again.parse_many(DEV)) == list(parser.parse_many(DEV))
    assert "clusters.json" in open_model(tmp_path / "model").manifest.files


def test_clusters_that_nothing_uses_are_refused(tmp_path: Path) -> None:
    (tmp_path / "paths").write_text("01\tein\n")
    with pytest.raises(UsageError, match="no template of baseline uses them"):
        make(features="baseline", clusters=str(tmp_path / "paths"), tags="gold")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"bem": 3}, "unknown setting 'bem'"),
        ({"system": "stack"}, "stack"),
        ({"oracle": "delphi"}, "gap has no oracle 'delphi'; expected one of static"),
        ({"features": "nonsense"}, "nonsense"),
        ({"features": ""}, "no template"),
        ({"heads": "nonsense"}, "nonsense"),
        ({"prepare": "nonsense"}, "unknown transform 'nonsense'"),
        ({"dev": None, "patience": 2}, "patience needs dev trees"),
    ],
)
def test_wrong_settings_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make(train="nothing.export", **values)  # before anything is read


def test_text_is_no_treebank(tmp_path: Path) -> None:
    (tmp_path / "train.tagged").write_text("Das/PDS ist/VAFIN\n")
    with pytest.raises(InputError, match="found text in the format tagged, expected trees"):
        make(train=tmp_path / "train.tagged")
    with pytest.raises(UsageError, match="cannot read"):
        make(train=tmp_path / "nothing.export")


def test_words_are_no_trees() -> None:
    with pytest.raises(UsageError, match=r"train holds 'a.export', expected trees, or the name of"):
        make(train=["a.export"])


def test_an_empty_treebank_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty.export").touch()
    with pytest.raises(InputError, match=r"empty.export: found no tree to learn from"):
        make(train=tmp_path / "empty.export")


def test_bad_sentences_of_a_file_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "train.export"
    write(TRAIN[:5], path)
    path.write_text(path.read_text() + "#BOS 6\nx\n#EOS 6\n")
    problems: list[InputError] = []
    parser = make(train=path, report=problems.append)
    assert [problem.sentence for problem in problems] == ["6"]
    about = parser.about["train"]
    assert (about["name"], about["sentences"], about["skipped"]) == ("train.export", 5, 1)
    assert len(about["sha256"]) == 64


def test_trees_that_prepare_does_not_fit_are_reported() -> None:
    problems: list[InputError] = []
    with_heads = [pipeline("heads(negra)").apply(tree) for tree in TRAIN[:20]]
    some = [*TRAIN[20:], *with_heads]
    parser = make(train=some, dev=None, prepare="binarize(mark=@)", report=problems.append)
    assert "no head mark" in problems[0].found
    about = parser.about["train"]
    assert 20 <= about["sentences"] < len(TRAIN)
    assert about["sentences"] + about["skipped"] == len(TRAIN)


def test_a_finished_model_is_not_overwritten_by_mistake(tmp_path: Path) -> None:
    make(out=tmp_path / "model")
    with pytest.raises(UsageError, match="there is a finished model in"):
        make(out=tmp_path / "model")
    other = make(out=tmp_path / "model", seed=3, overwrite=True)
    assert weights(load(tmp_path / "model")) == weights(other)


class KilledError(Exception):
    pass


class Killer(Watcher):
    def finish_epoch(self, epoch: Any, is_best: bool) -> None:
        if epoch.number == 2:
            raise KilledError


def test_a_killed_training_goes_on(tmp_path: Path) -> None:
    place = tmp_path / "model"
    with pytest.raises(KilledError):
        make(out=place, epochs=3, watcher=Killer())
    with pytest.raises(InputError, match="found an unfinished training, expected a finished model"):
        load(place)
    with pytest.raises(UsageError, match="different training run: epochs was 3 and is now 4"):
        make(out=place, epochs=4)
    with pytest.raises(UsageError, match="different training run: train"):
        make(out=place, epochs=3, train=TRAIN[:-1])
    parser = make(out=place, epochs=3, threads=2)
    assert weights(parser) == weights(make(epochs=3))
    assert not (place / "checkpoint").exists()


class MidwayKiller(Watcher):
    """Stops the training in the middle of its second epoch."""

    def learned(self, epoch: int, sentences: int, metrics: Mapping[str, float]) -> None:
        if epoch == 2 and 100 < sentences < 150:  # and after a checkpoint
            raise KilledError


@pytest.mark.parametrize(
    "values", [{}, {"batch": 7}, {"min_update": 2}, {"update": "max-violation"}], ids=str
)
def test_within_an_epoch_nothing_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, values: dict[str, Any]
) -> None:
    monkeypatch.setattr("crossbranch.training.loop._INTERVAL", 0.0)  # a checkpoint at every look
    many = list(sample(150, seed=1, max_length=10))
    options = {"train": many, "epochs": 2, "features": "baseline", "tags": "gold", **values}
    with pytest.raises(KilledError):
        make(out=tmp_path / "model", watcher=MidwayKiller(), **options)
    resumed = make(out=tmp_path / "model", **options)
    whole = make(**options)
    assert weights(resumed) == weights(whole)
    assert [e["updates"] for e in resumed.about["epochs"]] == [
        e["updates"] for e in whole.about["epochs"]
    ]


def test_overwriting_begins_anew_where_the_checkpoint_does_not_fit(tmp_path: Path) -> None:
    place = tmp_path / "model"
    with pytest.raises(KilledError):
        make(out=place, epochs=3, watcher=Killer())
    parser = make(out=place, epochs=2, overwrite=True)
    assert weights(parser) == weights(make(epochs=2))
    (place / "checkpoint").write_bytes(b"nonsense")
    make(out=place, epochs=1, overwrite=True)
    assert not (place / "checkpoint").exists()


def test_templates_are_part_of_what_is_trained(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("d0.word\n")
    with pytest.raises(KilledError):
        make(out=tmp_path / "model", features=str(mine), epochs=3, watcher=Killer())
    mine.write_text("d0.tag\n")
    with pytest.raises(UsageError, match="different training run: what is learned"):
        make(out=tmp_path / "model", features=str(mine), epochs=3)
