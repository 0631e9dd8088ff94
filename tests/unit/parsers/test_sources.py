"""Training from several sources: what each one teaches, and how much it counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from crossbranch.config import AugmentSettings, Settings
from crossbranch.errors import InputError, TransformError, UsageError
from crossbranch.functions import FunctionLabeller
from crossbranch.grammar.sampling import sample
from crossbranch.parsers import Parser, load, train
from crossbranch.parsers.dev_scores import dev_scores
from crossbranch.parsers.sources import Sources
from crossbranch.tagging import jackknife
from crossbranch.training import Epoch, Watcher
from crossbranch.transforms.functions import Functions
from crossbranch.transitions import TransitionSystem
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank import write

FIRST = tuple(sample(24, seed=1, max_length=12))
SECOND = tuple(sample(24, seed=2, max_length=12))
DEV = tuple(sample(8, seed=3, max_length=12))
BLIP = Token("blip", "BLIP", "blip")


def flat(*tokens: Token) -> Tree:
    return Tree(tokens, Node(ROOT, range(len(tokens))))


TAGGED = [flat(BLIP, *tree.sentence) for tree in SECOND]


def make(train_data: Any, **values: Any) -> Parser:
    return train(
        "sr-gap", train=train_data, **{"epochs": 2, "features": "baseline", "beam": 1, **values}
    )


def weights(parser: Parser) -> bytes:
    return parser.files()["weights.bin"]


def sources(train_data: Any, **settings: Any) -> Sources:
    return Sources.of(train_data, Settings.of(settings), lambda error: None)


def test_one_named_source_gives_the_same_model_as_trees_without_a_name() -> None:
    plain, named = make(FIRST), make({"first": FIRST}, source={"first": {"weight": 1}})
    assert named.to_bytes() != plain.to_bytes()  # it has the settings of the source
    assert named.files() == plain.files()
    assert named.front_end.files({}) == plain.front_end.files({})


def test_weights_change_the_parser_and_tagger_weights_the_tagger() -> None:
    both = {"first": FIRST, "second": SECOND}
    plain = make(both)
    half = make(both, source={"second": {"weight": 0.5}})
    assert weights(half) != weights(plain)
    assert half.front_end.files({}) == plain.front_end.files({})
    other = make(both, source={"second": {"tagger_weight": 0.5}})
    assert other.front_end.files({}) != plain.front_end.files({})
    assert sum(one["updates"] for one in half.about["epochs"]) > 0


def test_a_source_without_constituents_teaches_the_tagger() -> None:
    parser = make({"trees": FIRST, "tagged": TAGGED})
    assert parser.about["learned_from"] == len(FIRST)
    assert parser.tagger is not None
    assert parser.tagger.tag([(BLIP,)]) == [["BLIP"]]
    assert "BLIP" in parser.tags
    assert parser.labels == make(FIRST).labels
    described = parser.about["sources"]
    assert described["tagged"]["teaches"] == ["tagger", "tokenizer", "lemmas"]
    assert described["trees"]["teaches"][:3] == ["parser", "tagger", "tokenizer"]
    assert described["trees"]["weight"] == 1.0
    tokens = sum(len(tree.sentence) for tree in (*FIRST, *TAGGED))
    assert parser.about["train"]["tokens"] == tokens
    assert parser.about["train"]["name"] == "trees, tagged"


def test_a_source_can_be_kept_from_the_tagger() -> None:
    odd = [
        tree.replace(sentence=[token._replace(tag="ODD") for token in tree.sentence])
        for tree in SECOND
    ]
    parser = make({"first": FIRST, "odd": odd}, source={"odd": {"teaches": ["parser"]}})
    assert parser.about["learned_from"] == len(FIRST) + len(odd)
    assert parser.tagger is not None
    assert "ODD" not in parser.tagger.tags
    alone = make(FIRST)
    assert alone.tagger is not None
    assert parser.tagger.files() == alone.tagger.files()


def test_what_a_source_has_data_for() -> None:
    bare = Tree([Token("a", "A"), Token("b", "B")], Node("S", [Node("NP", [0]), 1]))
    with_functions = bare.replace(root=Node("S", [Node("NP", [0], edge_label="SB"), 1]))
    with_lemma, words = flat(BLIP), flat(Token("a"), Token("b"))
    found = sources({"a": [bare], "b": [with_functions], "c": [with_lemma], "d": [words]})
    assert [source.teaches for source in found.sources] == [
        {"parser", "tagger", "tokenizer"},
        {"parser", "tagger", "tokenizer", "functions"},
        {"tagger", "tokenizer", "lemmas"},
        {"tokenizer"},
    ]
    assert found.trees("functions") == [with_functions]
    assert found.trees("tokenizer") == [bare, with_functions, with_lemma, words]
    assert found.weights == [1.0, 1.0]


class KilledError(Exception):
    pass


class Killer(Watcher):
    """Notes how many sentences an epoch has, and stops the training after some epochs."""

    def __init__(self, after: int = 0) -> None:
        self.after = after
        self.size = 0

    def start(self, sentences: int, resumed: Sequence[Epoch], *, has_epochs: bool) -> None:
        self.size = sentences

    def finish_epoch(self, epoch: Epoch, is_best: bool) -> None:
        if epoch.number == self.after:
            raise KilledError


def test_weights_belong_to_the_trees_that_are_learned_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Trees without a derivation do not shift the weights of the others."""
    derive = TransitionSystem.derive

    def refuse_odd(system: TransitionSystem, tree: Tree) -> list[int]:
        if tree.sentence[0].form == "odd":
            raise TransformError("an odd tree")
        return derive(system, tree)

    monkeypatch.setattr(TransitionSystem, "derive", refuse_odd)
    odd = [Tree([Token("odd", "X"), Token("One", "X")], Node("S", [0, 1]))] * 5
    problems: list[InputError] = []
    watcher = Killer()
    parser = make(
        {"mixed": [*odd, *FIRST], "second": SECOND},
        source={"mixed": {"weight": 2}, "second": {"weight": 0.5}},
        report=problems.append,
        watcher=watcher,
    )
    assert [problem.found for problem in problems] == ["an odd tree"] * 5
    assert parser.about["learned_from"] == len(FIRST) + len(SECOND)
    assert watcher.size == 2 * len(FIRST) + len(SECOND) // 2


def test_a_killed_training_with_weights_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossbranch.training.loop._SHARE", 0)  # every epoch has a checkpoint
    data = {"first": FIRST, "tagged": TAGGED, "second": SECOND}
    settings: dict[str, Any] = {"source": {"second": {"weight": 0.3}}, "epochs": 4}
    with pytest.raises(KilledError):
        make(data, out=tmp_path / "model", watcher=Killer(3), **settings)
    with pytest.raises(UsageError, match="different training run: train"):
        make(data | {"first": SECOND}, out=tmp_path / "model", **settings)
    resumed = make(data, out=tmp_path / "model", **settings)
    assert weights(resumed) == weights(make(data, **settings))
    assert load(tmp_path / "model").settings.source["second"].weight == 0.3


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"source": {"c": {}}},
            "for the source 'c', but no training data with this name; the sources are a, b$",
        ),
        ({"source": {"a": {"weight": 0}}}, r"source.a.weight is 0, expected a number above 0"),
        ({"source": {"a": {"weight": "nan"}}}, r"source.a.weight is 'nan', expected a number"),
        (
            {"source": {"a": {"teaches": "parser,verbs"}}},
            r"source.a.teaches is .*, expected names among parser, tagger, tokenizer, functions",
        ),
        (
            {"source": {"b": {"teaches": "parser"}}},
            "the source 'b' has no data to teach the parser; it can teach tagger, tokenizer, lem",
        ),
        ({"source": {"a": {"size": 1}}}, r"unknown setting 'source.a.size'; expected one of"),
    ],
)
def test_wrong_settings_of_sources_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make({"a": FIRST, "b": TAGGED}, **values)


def test_wrong_sources_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"source 'a'.*no source has a name"):
        make(FIRST, source={"a": {}})
    with pytest.raises(UsageError, match="the name 'a b', expected letters, digits"):
        make({"a b": FIRST})
    with pytest.raises(UsageError, match="train is empty"):
        make({})
    with pytest.raises(InputError, match="tagged: found no constituents for the parser"):
        make({"tagged": TAGGED})
    with pytest.raises(InputError, match="b: found no sentence, expected at least one"):
        make({"a": FIRST, "b": []})
    with pytest.raises(UsageError, match=r"a holds 'x.export', expected trees"):
        make({"a": ["x.export"]})
    (tmp_path / "x.tagged").write_text("Das/PDS ist/VAFIN\n")
    assert make({"a": FIRST, "b": tmp_path / "x.tagged"}).tags[-1]
    write(TAGGED, tmp_path / "x.conllu")
    assert "BLIP" in make({"a": FIRST, "b": tmp_path / "x.conllu"}).tags


def test_scores_on_each_dev_source_and_on_other_text() -> None:
    dev: dict[str, Any] = {"one": DEV[:4], "other": DEV[4:]}
    parser = make(FIRST, dev=dev, check={"third": SECOND[:5], "text": TAGGED[:5]})
    about = parser.about
    assert list(about["scores_on"]) == ["one", "other", "third", "text"]
    assert about["scores"] == about["scores_on"]["one"]
    assert (
        about["scores_on"]["third"]["predicted tags"]
        == dev_scores(parser, SECOND[:5])["predicted tags"]
    )
    assert list(about["scores_on"]["text"]) == ["predicted tags", "raw text"]
    assert list(about["scores_on"]["text"]["predicted tags"]) == ["tags"]
    each = [about["scores_on"][name]["predicted tags"]["f1"] for name in dev]
    assert about["dev"]["f1"] == pytest.approx(sum(each) / 2)
    assert about["dev"]["sentences"] == len(DEV)
    assert about["dev"]["sources"]["other"]["sentences"] == 4
    assert about["checked"]["third"]["sentences"] == 5


def test_checking_changes_nothing_but_the_scores() -> None:
    plain = make(FIRST, dev=DEV)
    checked = make(FIRST, dev=DEV, check={"third": SECOND[:5]})
    assert "scores_on" not in plain.about
    assert list(checked.about["scores_on"]) == ["third"]
    assert checked.about["scores"] == plain.about["scores"]
    assert checked.files() == plain.files()


def test_wrong_dev_trees_are_refused() -> None:
    with pytest.raises(InputError, match="tagged: found no constituents, expected dev trees"):
        make(FIRST, dev={"tagged": TAGGED})
    with pytest.raises(InputError, match="a: found no tree, expected check trees"):
        make(FIRST, check={"a": []})
    with pytest.raises(UsageError, match="the name 'a' is given to dev trees and to trees to che"):
        make(FIRST, dev={"a": DEV}, check={"a": SECOND})
    with pytest.raises(UsageError, match="dev is empty"):
        make(FIRST, dev={})


def test_changed_copies_are_learned_from() -> None:
    everything = dict.fromkeys(AugmentSettings.__struct_fields__, 0.5)
    plain = make(FIRST, casing=False)
    off = make(FIRST, casing=False, augment={"all_caps": 0})
    assert off.files() == plain.files()
    assert off.front_end.files({}) == plain.front_end.files({})
    changed = make({"a": FIRST, "b": TAGGED}, casing=False, augment=everything)
    copies = changed.about["sources"]["a"]["copies"]
    assert len(FIRST) // 2 < copies <= len(FIRST)
    assert changed.about["learned_from"] == len(FIRST) + copies
    assert changed.tagger is not None
    assert "BLIP" in changed.tagger.encoder.lexicon  # in capitals: of a source without trees
    small = make({"a": FIRST, "b": TAGGED})
    assert changed.front_end.tokenizer is not None
    assert small.front_end.tokenizer is not None
    assert changed.front_end.tokenizer.to_json() == small.front_end.tokenizer.to_json()
    with pytest.raises(UsageError, match=r"augment.all_caps is 2, expected a number of at least 0"):
        make(FIRST, augment={"all_caps": 2})
    with pytest.raises(UsageError, match=r"all_caps is 0.5, expected 0 with casing = true"):
        make(FIRST, augment={"all_caps": 0.5})


def test_copies_are_in_the_fold_of_their_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tagger that has seen a copy would know the tags of the tree."""
    seen: list[Any] = []

    def note(sentences: Any, **options: Any) -> Any:
        seen.append([len(sentences), options["parts"], options["weights"]])
        return jackknife(sentences, **options)

    monkeypatch.setattr("crossbranch.parsers.front_end_learning.jackknife", note)
    make({"a": FIRST, "b": SECOND}, casing=False, augment={"all_caps": 0.5}, folds=3)
    ((count, parts, weights),) = seen
    found = sources({"a": FIRST, "b": SECOND}, augment={"all_caps": 0.5})
    first, second = (source.originals for source in found.sources)
    assert count == len(parts) == len(first) + len(second)
    assert parts == [n % 3 for n in first] + [(n + len(FIRST)) % 3 for n in second]
    assert weights is None


def test_functions_are_learned_from_the_right_trees_if_there_are_copies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taught: dict[str, Any] = {}

    def note(trees: Any, **options: Any) -> Any:
        taught.update(trees=trees, others=options["others"])
        return learn(trees, **options)

    learn = FunctionLabeller.learn
    monkeypatch.setattr(FunctionLabeller, "learn", note)
    data = {"first": FIRST, "second": SECOND}
    teaches = {"second": {"teaches": ["parser", "tagger"]}}
    make(data, casing=False, augment={"all_caps": 0.5}, source=teaches)
    assert len(taught["trees"]) > len(FIRST)
    assert len(taught["others"]) > len(SECOND)
    bare = [tuple(token.form.casefold() for token in tree.sentence) for tree in FIRST]
    for tree in taught["trees"]:
        assert tuple(token.form.casefold() for token in tree.sentence) in bare


def test_a_source_can_teach_functions_alone() -> None:
    bare = [Functions().apply(tree) for tree in FIRST]
    data = {"bare": bare, "second": SECOND}
    parser = make(data, tags="gold", source={"second": {"teaches": ["functions"]}})
    assert parser.about["learned_from"] == len(FIRST)
    assert any(node.edge_label for tree in parser.parse_many(DEV) for node in tree.nodes)


def test_without_functions_only_heads_are_learned() -> None:
    parser = make(FIRST, tags="gold", functions=False)
    trees = list(parser.parse_many(DEV))
    assert not any(node.edge_label for tree in trees for node in tree.nodes)
    assert any(node.head is not None for tree in trees for node in tree.nodes)
