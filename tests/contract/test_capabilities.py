"""What a kind of parser cannot do is refused in words that name what it can."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from trained_parsers import (
    DEV,
    TEST,
    TRAIN,
    each_preset,
    each_preset_that,
    kind_of,
    train_quickly,
    trained,
    trained_with,
)

import crossbranch
from crossbranch.errors import InputError, UsageError
from crossbranch.parsers import PARSERS, load, train
from crossbranch.parsers.sentences import has_parse
from crossbranch.training import Epoch, Example, Watcher
from crossbranch.tree import Token, Tree, feature


@each_preset_that(lambda kind: not kind.can.k_best)
def test_lists_that_a_parser_does_not_have(preset: str) -> None:
    parser = trained(preset)
    kind = kind_of(preset).kind
    with pytest.raises(UsageError, match=f"kind {kind} cannot find k-best lists; it offers "):
        parser.parse_k_best(TEST, 2)
    assert [one.tree for (one,) in parser.parse_k_best(TEST, 1)] == list(parser.parse_many(TEST))


@each_preset
def test_options_that_a_parser_does_not_have(preset: str) -> None:
    known = ", ".join(kind_of(preset).options_type.__struct_fields__) or "none"
    kind = kind_of(preset).kind
    message = f"kind {kind} has no option 'speed'; its options are: {known}"
    with pytest.raises(UsageError, match=message):
        trained(preset).parse("Das geht.", speed=3)


@each_preset_that(lambda kind: kind.strategy is None)
def test_confidence_that_a_parser_does_not_have(preset: str) -> None:
    with pytest.raises(UsageError, match="cannot compute confidence; it offers "):
        trained(preset).parse_many(TEST, confidence=True)


@each_preset_that(lambda kind: not kind.can.own_tags)
def test_tags_that_a_parser_does_not_have(preset: str) -> None:
    with pytest.raises(UsageError, match="cannot predict tags; expected predicted, gold or none"):
        train(preset, train=TRAIN, tags="own")


@each_preset
def test_devices_that_a_parser_does_not_run_on(preset: str) -> None:
    parser = trained(preset)
    parser.use_device("cpu")
    with pytest.raises(UsageError, match="does not run on 'abacus:0'; it runs on cpu"):
        parser.use_device("abacus:0")


@each_preset_that(lambda kind: kind.can.own_tags)
def test_a_parser_that_tags_by_itself_needs_no_tagger(preset: str) -> None:
    parser = trained_with(preset, tags="own")
    assert parser.tags_by_itself
    assert parser.tagger is None
    assert parser.reads_text
    tree = parser.parse("Das kleine Haus sah er.")
    assert all(token.tag for token in tree.sentence)
    assert list(parser.about["scores"]) == ["own tags", "raw text"]
    assert parser.about["scores"]["own tags"]["tags"] > 0.5
    odd = [Token(token.form, "odd") for token in TEST[0].sentence]
    assert {token.tag for token in parser.parse(odd).sentence} == {"odd"}
    assert "odd" not in {token.tag for token in parser.parse(odd, tags="predict").sentence}


@each_preset_that(lambda kind: kind.can.own_tags)
def test_a_parser_that_could_tag_takes_the_tags_of_its_tagger(preset: str) -> None:
    parser = trained_with(preset, tags="predicted")
    assert parser.tagger is not None
    assert not parser.tags_by_itself
    words = [token.form for token in TEST[0].sentence]
    odd = [Token(word, "odd") for word in words]
    (expected,) = parser.tagger.tag([tuple(map(Token, words))])
    assert parser.parse(odd, tags="predict").tags == list(expected)
    (tagged,) = parser.tag([words])
    assert tagged.tags == list(expected)
    assert list(parser.about["scores"]) == ["gold tags", "predicted tags", "raw text"]


@each_preset_that(lambda kind: kind.can.own_tags)
def test_a_parser_that_could_tag_but_has_learned_from_gold_tags_needs_them(preset: str) -> None:
    parser = trained_with(preset, tags="gold")
    assert parser.needs_tags
    assert not parser.reads_text
    with pytest.raises(UsageError, match="this model has no tagger"):
        parser.tag(TEST)


def test_metrics_of_a_learner_are_in_the_manifest() -> None:
    for epoch in trained("small-greedy").about["epochs"]:
        assert 0 < epoch["metrics"]["tags"] <= 1
        assert 0 < epoch["metrics"]["dev tags"] <= 1  # gold tags were there to compare with


@each_preset_that(lambda kind: kind.can.marginals)
def test_marginals_are_probabilities(preset: str) -> None:
    parser = trained(preset)
    stated = [
        float(feature(node.features, "confidence"))
        for tree in parser.parse_many(TEST, confidence=True)
        for node in tree.nodes
        if feature(node.features, "confidence")
    ]
    assert len(stated) > 10
    assert all(0 <= value <= 1 for value in stated)
    assert len(set(stated)) > 3
    bare = train_quickly(preset, train=TRAIN)  # they need no dev trees
    sure = [tree for tree in bare.parse_many(TEST, confidence=True) if has_parse(tree)]
    assert all(feature(tree.features, "confidence") for tree in sure)


@each_preset_that(lambda kind: "longest" in kind.options_type.__struct_fields__)
def test_an_option_makes_a_difference(preset: str) -> None:
    parser = trained(preset)
    for longest, expected in ((1, 0), (14, 1)):
        found = list(parser.parse_many(TEST, longest=longest))
        assert sum(map(has_parse, found)) >= expected
        assert not any(has_parse(tree) for tree in found if len(tree.sentence) > longest)


@each_preset
def test_the_manifest_lists_labels_and_tags(preset: str) -> None:
    parser = trained(preset)
    assert parser.labels == tuple(sorted({node.label for tree in TRAIN for node in tree.nodes}))
    assert parser.tags == tuple(sorted({token.tag for tree in TRAIN for token in tree.sentence}))


def functions_of(tree: Tree) -> set[str]:
    """The edge labels of all nodes and tokens."""
    return {n.edge_label for n in tree.nodes} | {t.edge_label for t in tree.sentence}


@each_preset
def test_parsed_trees_have_functions_and_heads(preset: str) -> None:
    parser = trained(preset)
    assert parser.labeller is not None
    known = set().union(*map(functions_of, TRAIN))
    assert set(parser.labeller.functions) == known - {""}
    trees = list(parser.parse_many(TEST))
    bare = list(parser.parse_many(TEST, functions=False))
    found = [tree for tree in trees if has_parse(tree)]
    assert any(node.edge_label for tree in found for node in tree.nodes)
    assert any(token.edge_label for tree in found for token in tree.sentence)
    assert any(node.head is not None for tree in found for node in tree.nodes)
    for tree, without in zip(trees, bare, strict=True):
        assert functions_of(tree) <= known
        assert tree.brackets == without.brackets
        assert tree.parents == without.parents
        assert functions_of(without) <= {""}
        assert {node.head for node in without.nodes} <= {None}
        assert [token._replace(edge_label="") for token in tree.sentence] == list(without.sentence)


@each_preset
def test_an_archive_holds_the_same_model(preset: str, tmp_path: Path) -> None:
    parser = trained(preset)
    parser.save(tmp_path / "model.zip")
    expected = list(parser.parse_many(TEST))
    for model in (tmp_path / "model.zip", parser.to_bytes()):
        assert list(load(model).parse_many(TEST)) == expected
    assert (tmp_path / "model.zip").read_bytes() == parser.to_bytes()
    damaged = parser.to_bytes()[:-30]
    with pytest.raises(InputError, match=r"expected a \.zip archive"):
        load(damaged)


@each_preset
def test_a_parser_can_be_sent_to_other_processes(preset: str, tmp_path: Path) -> None:
    parser = trained(preset)
    expected = list(parser.parse_many(TEST))
    again = pickle.loads(pickle.dumps(parser))
    assert list(again.parse_many(TEST)) == expected
    parser.save(tmp_path / "model")
    by_folder = pickle.dumps(load(tmp_path / "model"))
    assert len(by_folder) < 1000  # the name of the folder, not what is in it
    assert list(pickle.loads(by_folder).parse_many(TEST)) == expected
    trained("sr-cgap" if preset != "sr-cgap" else "sr-gap").save(tmp_path / "model")
    with pytest.raises(
        InputError, match="found another model, expected the model that was pickled"
    ):
        pickle.loads(by_folder)


def _parse_elsewhere(parser: crossbranch.Parser) -> list[str]:
    return [str(tree.root) for tree in parser.parse_many(DEV)]


def test_another_process_parses_with_it(tmp_path: Path) -> None:
    parser = trained("sr-gap")
    parser.save(tmp_path / "model")
    with ProcessPoolExecutor(1) as pool:
        found = pool.submit(_parse_elsewhere, load(tmp_path / "model")).result()
    assert found == _parse_elsewhere(parser)


@each_preset
def test_a_parser_says_what_it_is(preset: str) -> None:
    told = repr(trained(preset))
    assert told.startswith(f"{type(trained(preset)).__name__}(kind='{kind_of(preset).kind}', ")
    assert f"labels={len(trained(preset).labels)}" in told
    assert "dev_f1=" in told


class KilledError(Exception):
    """Training was stopped."""


class Killer(Watcher):
    """Stops training in the second epoch, when there is a checkpoint of the first one."""

    def finish_epoch(self, epoch: Epoch, is_best: bool) -> None:
        if epoch.number == 2:
            raise KilledError


class Resumed(Watcher):
    """Notes how many epochs a training continues after."""

    epochs = 0

    def start(self, sentences: int, resumed: Sequence[Epoch], *, has_epochs: bool) -> None:
        self.epochs = len(resumed)


def test_what_does_not_make_another_training(tmp_path: Path) -> None:
    values: dict[str, Any] = {"train": TRAIN, "dev": DEV, "epochs": 2, "out": tmp_path / "model"}
    with pytest.raises(KilledError):
        train("sr-gap", **values, licence="none yet", watcher=Killer())
    with pytest.raises(UsageError, match="different training run: beam was"):
        train("sr-gap", **values, beam=3)
    resumed = Resumed()
    described: dict[str, Any] = {"licence": "CC BY 4.0", "attribution": "us"}
    parser = train("sr-gap", **values, **described, threads=2, watcher=resumed)
    assert resumed.epochs == 1
    assert parser.description.licence == parser.about["licence"] == "CC BY 4.0"
    assert load(tmp_path / "model").description.attribution == "us"


@each_preset
def test_a_parser_can_learn_from_words_alone(preset: str) -> None:
    parser = train_quickly(preset, train=TRAIN, dev=DEV, epochs=1, tags="none")
    assert parser.tags == ()
    assert parser.tagger is None
    assert parser.reads_text
    assert list(parser.about["scores"]) == ["words", "raw text"]
    bare = parser.parse(TEST[0].words)
    tagged = parser.parse(TEST[0])
    assert tagged.root == bare.root  # tags make no difference, and stay as they are
    if not kind_of(preset).can.own_tags:
        assert tagged.tags == TEST[0].tags


def test_a_parser_sees_nothing_but_forms_and_tags() -> None:
    seen: list[Example] = []

    class Curious(kind_of("sr-gap")):  # type: ignore[misc]
        @classmethod
        def learner(cls, settings: Any, examples: Any, report: Any, *, dev: Any = ()) -> Any:
            seen.extend((*examples, *dev))
            return super().learner(settings, examples, report, dev=dev)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PARSERS, Curious.kind, Curious)
        train_quickly("sr-gap", train=TRAIN, dev=DEV, epochs=1)
    assert len(seen) == len(TRAIN) + len(DEV)
    for example in seen:
        for token, gold in zip(example.sentence, example.tree.sentence, strict=True):
            assert token == Token(gold.form, token.tag)
    assert any(e.sentence[0].tag != e.tree.sentence[0].tag for e in seen)  # predicted, and gold
