"""Every preset through the same laws: trained on few trees, it parses whatever it is given."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tokens, trees
from trained_parsers import (
    ALL_PRESETS,
    DEV,
    QUICK_EPOCHS,
    TEST,
    TRAIN,
    each_preset,
    each_preset_that,
    has_beam,
    has_epochs,
    is_linear,
    is_neural,
    kind_of,
    options_of,
    train_quickly,
    trained,
)

import crossbranch
from crossbranch.confidence.evidence import Counted, Key, without_confidence
from crossbranch.confidence.strategies import CalibratedBeams
from crossbranch.errors import InputError, UsageError
from crossbranch.evaluation.counted_nodes import counted_nodes
from crossbranch.evaluation.pairs import Pair
from crossbranch.evaluation.parameters import PARAMETERS
from crossbranch.parsers import PARSERS, load, train
from crossbranch.parsers.sentences import has_parse
from crossbranch.tree import ROOT, Node, Token, Tree, feature

PACKAGE = Path(crossbranch.__file__).parent


NO_LIES = {
    ("tagger-lexicon.json", b"[]"),  # a tagger may have seen no word often enough
    ("calibration.json", b"{}"),  # how good marginals are may not have been measured
}


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a model, without what tells the time."""
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    manifest = json.loads(files.pop("manifest.json"))
    about = manifest["about"]
    del about["date"]
    for epoch in about.get("epochs", ()):
        del epoch["seconds"], epoch["dev_seconds"]
    return files | {"manifest.json": json.dumps(manifest).encode()}


@each_preset
def test_it_learns(preset: str) -> None:
    about = trained(preset).about
    assert about["dev"]["f1"] > 0.1
    assert about["train"]["sentences"] == 60


@each_preset_that(has_epochs)
def test_every_epoch_is_recorded(preset: str) -> None:
    epochs = trained(preset).about["epochs"]
    count = 2 * QUICK_EPOCHS.get(kind_of(preset).kind, 1)
    assert [epoch["number"] for epoch in epochs] == [*range(1, count + 1)]
    assert max(epoch["f1"] for epoch in epochs) == trained(preset).about["dev"]["f1"]


@each_preset_that(lambda kind: not has_epochs(kind))
def test_epochs_may_mean_nothing(preset: str) -> None:
    assert "epochs" not in trained(preset).about
    with pytest.raises(UsageError, match="unknown setting 'epochs'"):
        train(preset, train=TRAIN, epochs=3)


@each_preset
def test_trees_are_over_exactly_the_tokens(preset: str) -> None:
    parsed = trained(preset).parse_many(TEST, functions=False)
    for given_tree, tree in zip(TEST, parsed, strict=True):
        words = [(token.form, token.tag) for token in given_tree.sentence]
        assert [(token.form, token.tag) for token in tree.sentence] == words
        assert tree.id == given_tree.id
        labels = {node.label for other in TRAIN for node in other.nodes}
        assert {node.label for node in tree.nodes} <= labels  # nothing temporary is left
        assert not any(token.edge_label for token in tree.sentence)  # no gold shines through
        for node in tree.nodes:  # which were made without being checked
            again = Node(node.label, node.children)
            assert (again.children, again.span) == (node.children, node.span)


@each_preset
def test_a_parser_survives_its_folder(preset: str, tmp_path: Path) -> None:
    parser = trained(preset)
    parser.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert type(loaded) is type(parser)
    assert loaded.settings == parser.settings
    assert loaded.confidence == parser.confidence
    assert (loaded.labels, loaded.tags) == (parser.labels, parser.tags)
    for sure in (False, True) if parser.strategy else (False,):
        found = list(loaded.parse_many(TEST, confidence=sure))
        assert found == list(parser.parse_many(TEST, confidence=sure))
    loaded.save(tmp_path / "again")
    one, other = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("model", "again")
    )
    assert one == other


@each_preset
def test_the_same_seed_gives_the_same_model(preset: str, tmp_path: Path) -> None:
    trained(preset).save(tmp_path / "one")
    train_quickly(preset, train=TRAIN, dev=DEV, out=tmp_path / "two")
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


@each_preset_that(lambda kind: not is_neural(kind))  # torch adds up in another order
def test_threads_do_not_change_the_model(preset: str, tmp_path: Path) -> None:
    trained(preset).save(tmp_path / "one")
    train_quickly(preset, train=TRAIN, dev=DEV, threads=2, out=tmp_path / "three")
    one, three = files_of(tmp_path / "one"), files_of(tmp_path / "three")
    apart = {"config.toml", "manifest.json"}  # they say how many threads there were
    assert {name: one[name] for name in one.keys() - apart} == {
        name: three[name] for name in three.keys() - apart
    }


@each_preset_that(is_linear)
def test_another_seed_gives_another_model(preset: str) -> None:
    other = train_quickly(preset, train=TRAIN, dev=DEV, seed=2)
    assert other.files()["weights.bin"] != trained(preset).files()["weights.bin"]


@each_preset
def test_threads_make_no_difference(preset: str) -> None:
    parser = trained(preset)
    many = [*TEST, *DEV] * 12
    for options in options_of(preset):
        one = list(parser.parse_many(many, threads=1, **options))
        assert one == list(parser.parse_many(many, threads=2, **options))
        assert one[:50] == [parser.parse(tree, **options) for tree in many[:50]]


@each_preset
@pytest.mark.parametrize("threads", [1, 2])
def test_live_sentences_get_the_same_trees(preset: str, threads: int) -> None:
    parser = trained(preset)
    many = [*TEST, *DEV] * 3
    found = parser.parse_many(iter(many), threads=threads)
    assert list(found) == list(parser.parse_many(many))


@each_preset
@pytest.mark.parametrize("threads", [1, 2])
def test_a_sentence_is_answered_before_the_next_one_comes(preset: str, threads: int) -> None:
    answered: list[Tree] = []

    def waiting() -> Iterator[Tree]:
        for number, tree in enumerate(TEST[:4]):
            deadline = time.monotonic() + 30
            while len(answered) < number:  # nothing more comes before there is an answer
                assert time.monotonic() < deadline
                time.sleep(0.001)
            yield tree

    for tree in trained(preset).parse_many(waiting(), threads=threads):
        answered.append(tree)
    assert answered == list(trained(preset).parse_many(TEST[:4]))


@each_preset_that(lambda kind: kind.can.k_best)
def test_the_k_best_trees_are_sorted_and_different(preset: str) -> None:
    parser = trained(preset)
    options: dict[str, Any] = {"beam": 8} if has_beam(kind_of(preset)) else {}
    found = list(parser.parse_k_best(TEST, 5, **options))
    best = list(parser.parse_many(TEST, **options))
    assert [scored[0].score for scored in found] == [
        scored[0].score for scored in parser.parse_k_best(TEST, 1, **options)
    ]
    assert [scored[0].tree for scored in found] == best
    for scored in found:
        assert 1 <= len(scored) <= 5
        assert has_parse(scored[0].tree) == (scored[0].score is not None)
        values = [one.score for one in scored if one.score is not None]
        assert values == sorted(values, reverse=True)
        assert len({one.tree for one in scored}) == len(scored)
    assert max(map(len, found)) == 5


@each_preset_that(has_beam)
def test_a_beam_finds_several_trees(preset: str) -> None:
    found = trained(preset).parse_k_best(TEST, 5, beam=16)
    several = [len(scored) > 1 for scored in found if len(scored[0].tree.sentence) > 2]
    # Where a tree has many derivations, they may fill the beam.
    assert sum(several) >= (0.7 if is_neural(kind_of(preset)) else 1.0) * len(several)


@each_preset_that(has_beam)
def test_more_trees_than_the_beam_holds_widen_it(preset: str) -> None:
    found = list(trained(preset).parse_k_best(TEST, 6, beam=1))
    assert found == list(trained(preset).parse_k_best(TEST, 6, beam=6))
    assert max(map(len, found)) > 1


@each_preset_that(lambda kind: kind.strategy is not None)
def test_confidence_leaves_the_trees_as_they_are(preset: str) -> None:
    parser = trained(preset)
    wide = [{"beam": 40}] if has_beam(kind_of(preset)) else []
    for options in [*options_of(preset)[:2], *wide]:
        sure = list(parser.parse_many([*TEST, []], confidence=True, **options))
        assert [without_confidence(tree) for tree in sure] == list(
            parser.parse_many([*TEST, []], **options)
        )
        again = parser.parse_many([*TEST, []], confidence=True, threads=2, **options)
        assert sure == list(again)
        assert sure[0] == parser.parse(TEST[0], confidence=True, **options)


@each_preset_that(lambda kind: kind.strategy is not None)
def test_confidence_is_there_for_all_that_evaluation_counts(preset: str) -> None:
    parser = trained(preset)
    for gold, tree in zip(TEST, parser.parse_many(TEST, confidence=True), strict=True):
        if not has_parse(tree):
            continue
        assert 0 <= float(feature(tree.features, "confidence")) <= 1
        pair = Pair(gold, tree, PARAMETERS["proper"])
        counted = {id(node) for node, _, _ in counted_nodes(pair, tree)}
        for node in tree.nodes:
            stated = feature(node.features, "confidence")
            assert bool(stated) == (id(node) in counted)
            assert not stated or 0 <= float(stated) <= 1
    stated_by_some = {
        feature(node.features, "confidence")
        for tree in parser.parse_many(TEST, confidence=True)
        for node in tree.nodes
    }
    assert len(stated_by_some) > 10


@each_preset_that(lambda kind: kind.strategy is not None and has_beam(kind))
def test_confidence_in_k_best_trees(preset: str) -> None:
    parser = trained(preset)
    plain = parser.parse_k_best(TEST, 4, beam=8)
    for scored, bare in zip(
        parser.parse_k_best(TEST, 4, beam=8, confidence=True), plain, strict=True
    ):
        assert [(without_confidence(tree), score) for tree, score in scored] == bare
        stated: dict[Key, set[str]] = {}
        for tree, _ in scored:
            for node, key in Counted(tree.sentence).nodes(tree.root):
                stated.setdefault(key, set()).add(feature(node.features, "confidence"))
        assert all(len(texts) == 1 for texts in stated.values())  # the same in all trees


@each_preset_that(lambda kind: isinstance(kind.strategy, CalibratedBeams))
def test_without_dev_trees_a_beam_has_no_confidence(preset: str, tmp_path: Path) -> None:
    parser = train_quickly(preset, train=TRAIN, epochs=1, out=tmp_path / "model")
    for each in (parser, load(tmp_path / "model")):
        assert each.confidence is None
        with pytest.raises(UsageError, match=r"has no calibration\.json; train it with dev trees"):
            each.parse_many([], confidence=True)


@each_preset
@settings(max_examples=25)
@given(data=st.data())
def test_any_sentence_is_parsed(preset: str, data: st.DataObject) -> None:
    sentence = data.draw(st.lists(tokens(rich=True), max_size=12))
    sure = kind_of(preset).strategy is not None and data.draw(st.booleans())
    tree = trained(preset).parse(sentence, confidence=sure)
    assert [token.form for token in tree.sentence] == [token.form for token in sentence]


@each_preset
@pytest.mark.parametrize("size", [1, 2, 300])
def test_sentences_of_any_length(preset: str, size: int) -> None:
    for options in options_of(preset):
        tree = trained(preset).parse([("unbekannt", "XYZ")] * size, **options)
        assert len(tree.sentence) == size


@each_preset
def test_a_very_long_sentence(preset: str) -> None:
    tokens_ = [token for tree in (*TRAIN, *TEST) * 3 for token in tree.sentence][:2000]
    options: dict[str, Any] = {"beam": 2} if has_beam(kind_of(preset)) else {}
    assert len(trained(preset).parse(tokens_, **options).sentence) == 2000


@each_preset
def test_empty_sentences_keep_their_place(preset: str) -> None:
    nothing = Tree((), Node(ROOT, ()), id="7")
    found = list(trained(preset).parse_many([nothing, [], TEST[0], []]))
    assert [len(tree.sentence) for tree in found] == [0, 0, len(TEST[0].sentence), 0]
    assert found[0] == nothing
    assert list(trained(preset).parse_many([])) == []


@each_preset
def test_sentences_may_be_given_in_several_forms(preset: str) -> None:
    parser = trained(preset)
    tree = TEST[0]
    pairs = [(token.form, token.tag) for token in tree.sentence]
    assert parser.parse(pairs).root == parser.parse(tree).root == parser.parse(tree.sentence).root
    assert len(parser.parse(["bare", "words"]).sentence) == 2
    with pytest.raises(UsageError, match="a sentence contains 3, expected a token"):
        parser.parse([3])  # type: ignore[list-item]


@each_preset
def test_sentences_are_parsed_as_they_are_asked_for(preset: str) -> None:
    def endless() -> Iterator[list[Token]]:
        while True:
            yield [Token("a", "X")] * 30

    found = trained(preset).parse_many(endless())
    assert len([next(found) for _ in range(100)]) == 100


@each_preset
def test_bad_options_are_refused_at_once(preset: str) -> None:
    with pytest.raises(UsageError, match="threads is 0, expected at least 1"):
        trained(preset).parse_many([], threads=0)
    if has_beam(kind_of(preset)):
        with pytest.raises(UsageError, match="the option beam is 0, expected a whole number of at"):
            trained(preset).parse_many([], beam=0)
    with pytest.raises(UsageError, match="k_best is 0, expected at least 1"):
        trained(preset).parse_k_best([], 0)


@each_preset
@pytest.mark.parametrize("label", [ROOT, "X"])
def test_a_treebank_with_a_single_label(preset: str, label: str) -> None:
    flat = [Tree(tree.sentence, Node(label, range(len(tree.sentence)))) for tree in TRAIN]
    parser = train_quickly(preset, train=flat, epochs=1)
    for tree in parser.parse_many(TEST):
        assert {node.label for node in tree.nodes} == {label} or not has_parse(tree)


@each_preset
@settings(max_examples=5)
@given(data=st.data())
def test_any_treebank_can_be_learned_from(preset: str, data: st.DataObject) -> None:
    treebank = data.draw(st.lists(trees(rich=True, min_size=1), min_size=1, max_size=6))
    parser = train_quickly(preset, train=treebank, dev=treebank)
    found = list(parser.parse_many(treebank))
    labels = {node.label for tree in treebank for node in tree.nodes} | {ROOT}
    assert {node.label for tree in found for node in tree.nodes} <= labels
    assert [len(tree.sentence) for tree in found] == [len(tree.sentence) for tree in treebank]


@each_preset
def test_it_gets_right_what_it_has_seen_often(preset: str) -> None:
    few = [tree for tree in TRAIN if len(tree.sentence) <= 12][:8]
    # In eight sentences, few words and features are frequent.
    often: dict[str, Any] = {"unknown_below": 1, "min_update": 0}
    values = often if is_linear(kind_of(preset)) else {}
    # A tagger of so few sentences misleads the parser, and this is about the parser alone.
    parser = train_quickly(preset, train=few, dev=few, epochs=12, tags="gold", **values)
    found = crossbranch.evaluate(few, parser.parse_many(few)).scores.f1
    assert found > (0.95 if has_beam(kind_of(preset)) else 0.4)  # small ones know no crossing


@each_preset
def test_trees_of_no_use_are_reported_and_left_out(preset: str) -> None:
    problems: list[InputError] = []
    nothing = Tree((), Node(ROOT, ()), id="empty")
    parser = train_quickly(preset, train=[nothing, *TRAIN], epochs=1, report=problems.append)
    assert [problem.sentence for problem in problems] == ["empty"]
    assert parser.about["train"]["skipped"] == 1
    with pytest.raises(InputError, match="found no tree to learn from"):
        train(preset, train=[nothing])


@each_preset
def test_damage_to_any_file_is_named(preset: str, tmp_path: Path) -> None:
    trained(preset).save(tmp_path / "model")
    for path in sorted((tmp_path / "model").iterdir()):
        data = path.read_bytes()
        for damaged in (b"", data[:-9], data[: len(data) // 2] + b"\xff" + data[len(data) // 2 :]):
            path.write_bytes(damaged)
            with pytest.raises(InputError, match=re.escape(path.name)):
                load(tmp_path / "model")
        path.write_bytes(data)
    load(tmp_path / "model")


@each_preset
def test_lies_with_right_checksums_are_named(preset: str, tmp_path: Path) -> None:
    """Somebody who changes a file can change the manifest, too: still nothing but an InputError."""
    import hashlib

    folder = tmp_path / "model"
    trained(preset).save(folder)
    for name in sorted(json.loads((folder / "manifest.json").read_text())["files"]):
        for content in (
            b"",
            b"{}",
            b"[]",
            b"null",
            b"parser = 3\n",
            b"\x00" * 500,
            b'{"a":' * 9999,
        ):
            if (name, content) in NO_LIES:
                continue
            lie = tmp_path / "lie"
            shutil.rmtree(lie, ignore_errors=True)
            shutil.copytree(folder, lie)
            (lie / name).write_bytes(content)
            manifest = json.loads((lie / "manifest.json").read_text())
            entry = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            manifest["files"][name] = entry
            (lie / "manifest.json").write_text(json.dumps(manifest))
            with pytest.raises(InputError):
                load(lie)


@pytest.mark.parametrize("kind", sorted(PARSERS))
def test_every_kind_of_parser_has_a_preset(kind: str) -> None:
    assert kind in {kind_of(name).kind for name in ALL_PRESETS}


def test_loading_cannot_run_code() -> None:
    dangerous = re.compile(r"\b(?:pickle|marshal|shelve|eval|exec|__import__|compile)\s*[.(]")
    # The eval() of a neural network takes nothing, and runs no text.
    allowed = re.compile(r"\bre\.compile\(|\.compile\(|def compile\(|\.eval\(\)")
    found = [
        f"{path.name}: {line.strip()}"
        for path in PACKAGE.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if dangerous.search(allowed.sub("", line)) or re.match(r"\s*(import|from) pickle", line)
    ]
    assert found == []
