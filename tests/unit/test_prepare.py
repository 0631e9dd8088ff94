"""Splits and recipes, on made-up corpora laid out like the real ones."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.grammar.sampling import sample
from crossbranch.prepare import CORPORA, prepare, splits
from crossbranch.prepare.splits import Record
from crossbranch.transforms import pipeline
from crossbranch.treebank import read, write


def records(count: int, *, document: str = "d", length: int = 5) -> list[Record]:
    return [Record(document, length, f"text {number}") for number in range(count)]


def parts_of(name: str, found: list[Record]) -> list[str | None]:
    return CORPORA[name].split(Path())(found)


def test_negra_is_train_test_dev() -> None:
    parts = parts_of("negra", records(20_602))
    assert Counter(parts) == {"train": 18_602, "test": 1_000, "dev": 1_000}
    assert parts[18_601:18_603] == ["train", "test"]
    assert parts[19_601:19_603] == ["test", "dev"]


def test_tiger_spmrl_is_train_dev_test() -> None:
    parts = parts_of("tiger-spmrl", records(50_472))
    assert Counter(parts) == {"train": 40_472, "dev": 5_000, "test": 5_000}
    assert parts[40_471:40_473] == ["train", "dev"]
    assert parts[-1] == "test"


def test_tiger_hn08_goes_by_the_last_digit() -> None:
    parts = parts_of("tiger-hn08", records(20))
    assert parts[0] == parts[10] == "dev"
    assert parts[9] == parts[19] == "test"
    assert Counter(parts)["train"] == 16


def test_negra_30_counts_only_short_sentences() -> None:
    found = [Record("d", 31 if i % 2 else 30, str(i)) for i in range(200)]
    parts = parts_of("negra-30", found)
    assert Counter(parts) == {None: 100, "train": 80, "dev": 10, "test": 10}
    assert parts[198] == "test"
    assert parts[178] == "dev"


@pytest.mark.parametrize(
    ("name", "sentences"),
    [("negra", 20_602), ("negra-30", 18_335), ("tiger-spmrl", 50_472), ("tiger-hn08", 50_472)],
)
def test_splits_of_the_whole_corpus_have_the_expected_sizes(name: str, sentences: int) -> None:
    assert Counter(parts_of(name, records(sentences))) == CORPORA[name].expected


def test_every_corpus_has_expected_sizes() -> None:
    for corpus in CORPORA.values():
        assert list(corpus.expected) == ["train", "dev", "test"]


def test_wsj_sections() -> None:
    found = [Record(f"wsj_{section:02}01", 5, "") for section in range(25)]
    parts = splits.wsj_sections(found)
    assert [i for i, part in enumerate(parts) if part == "train"] == list(range(2, 22))
    assert (parts[22], parts[23], parts[24], parts[0]) == ("dev", "test", None, None)
    with pytest.raises(InputError, match="wsj_0001"):
        splits.wsj_sections([Record("other", 1, "")])


def test_tenths_of_documents() -> None:
    found = [*records(10, document="a"), *records(20, document="b")]
    parts = splits.tenths_of_documents(found)
    assert parts[:10] == ["train"] * 8 + ["dev", "test"]
    assert Counter(parts[10:]) == {"train": 16, "dev": 2, "test": 2}


def test_alpino_keeps_dev_and_test_out_of_train() -> None:
    cdb = records(20, document="cdb")
    other = [Record("qa", 3, "text 19"), Record("qa", 3, "new"), Record("qa", 3, "text 0")]
    parts = parts_of("alpino", cdb + other)
    assert Counter(parts[:20]) == {"train": 16, "dev": 2, "test": 2}
    assert parts[20:] == [None, "train", "train"]


def test_alpinos_newspaper_part_has_the_published_sizes() -> None:
    parts = parts_of("alpino", records(7_136, document="cdb"))
    assert Counter(parts) == {"train": 5_708, "dev": 714, "test": 714}


def test_too_few_sentences_are_an_error(tmp_path: Path) -> None:
    write(sample(5, seed=1), tmp_path / "negra.export")
    with pytest.raises(InputError, match=r"negra\.export.*5 sentences.*more than 2,000"):
        prepare("negra", tmp_path / "negra.export", tmp_path / "out")


@pytest.fixture(scope="module")
def negra(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus like NeGra: export 3 in ISO-8859-1."""
    path = tmp_path_factory.mktemp("negra") / "negra-corpus.export"
    trees = [tree.replace(root=tree.root) for tree in sample(2_100, grammar="german", seed=3)]
    stripped = [
        tree.replace(sentence=tuple(token._replace(lemma="") for token in tree.sentence))
        for tree in trees
    ]
    write(stripped, path, format="export3", encoding="iso-8859-1")
    return path


def test_negra_from_file_to_parts(negra: Path, tmp_path: Path) -> None:
    prepared = prepare("negra", negra, tmp_path, recipe="2017")
    assert {part: entry["sentences"] for part, entry in prepared.manifest["parts"].items()} == {
        "train": 100,
        "dev": 1_000,
        "test": 1_000,
    }
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["recipe"] == "2017"
    assert manifest["pipeline"] == "functions(strip) | attach | punctuation(discodop)"
    assert manifest["input"][0]["file"] == "negra-corpus.export"
    assert len(manifest["parts"]["dev"]["export"]["sha256"]) == 64
    assert prepared.problems == ["train has 100 sentences, expected 18,602"]
    first = next(read(tmp_path / "test.export"))
    assert first.id == "101"
    assert not any(token.edge_label for token in first.sentence)
    assert [len(t.sentence) for t in read(tmp_path / "dev.discbracket")] == [
        len(t.sentence) for t in read(tmp_path / "dev.export")
    ]


def test_the_recipes_differ_in_functions(negra: Path, tmp_path: Path) -> None:
    prepare("negra-30", negra, tmp_path, recipe="2019")
    assert any(
        token.edge_label for tree in read(tmp_path / "dev.export") for token in tree.sentence
    )
    assert all(len(tree.sentence) <= 30 for tree in read(tmp_path / "train.export"))


def test_more_transforms_come_after_the_recipe(tmp_path: Path) -> None:
    source = tmp_path / "tiger.xml"
    write(sample(100, grammar="german", seed=5), source, format="tigerxml")
    plain = prepare("tiger-hn08", source, tmp_path / "plain").manifest
    found = prepare("tiger-hn08", source, tmp_path / "raised", apply="raise").manifest
    sizes = [
        {part: entry["sentences"] for part, entry in manifest["parts"].items()}
        for manifest in (plain, found)
    ]
    assert sizes[0] == sizes[1]
    assert "apply" not in plain
    assert "Raise" in found["apply"][0]
    assert any(tree.is_discontinuous for tree in read(tmp_path / "plain" / "dev.export"))
    assert not any(tree.is_discontinuous for tree in read(tmp_path / "raised" / "dev.export"))


def test_sentences_with_two_parents_keep_their_place(tmp_path: Path) -> None:
    source = tmp_path / "tiger.xml"
    write(sample(30, grammar="german", seed=5), source, format="tigerxml")
    text = source.read_text()
    broken = _give_a_second_parent(text, "20")
    source.write_text(broken)
    prepared = prepare("tiger-hn08", source, tmp_path / "out")
    (skipped,) = prepared.manifest["skipped"]
    assert skipped["number"] == 20
    assert skipped["part"] == "test"
    assert "s20" in skipped["error"] or "sentence 20" in skipped["error"]
    assert [tree.id for tree in read(tmp_path / "out" / "test.export")] == ["10", "30"]
    assert [tree.id for tree in read(tmp_path / "out" / "dev.export")] == ["1", "11", "21"]
    assert prepared.problems[1:] == [
        "train has 24 sentences, expected 40,377 for TIGER 2.2",
        "dev has 3 sentences, expected 5,048 for TIGER 2.2",
        "test has 2 sentences (1 more left out), expected 5,047 for TIGER 2.2",
    ]


def test_sentences_that_were_left_out_are_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {"train": 24, "dev": 3, "test": 3}
    monkeypatch.setitem(CORPORA, "small", replace(CORPORA["tiger-hn08"], expected=sizes))
    source = tmp_path / "tiger.xml"
    write(sample(30, grammar="german", seed=5), source, format="tigerxml")
    source.write_text(_give_a_second_parent(source.read_text(), "20"))
    prepared = prepare("small", source, tmp_path / "out", recipe="2015")
    assert prepared.manifest["pipeline"] == "functions(strip) | attach"
    (problem,) = prepared.problems
    assert problem.startswith("left out: ")


def _give_a_second_parent(text: str, number: str) -> str:
    """Let the first edge of a sentence stand in another node as well, as in two sentences of
    TIGER."""
    start = text.index(f'<s id="s{number}"')
    edge_start = text.index("<edge ", start)
    edge = text[edge_start : text.index("/>", edge_start) + 2]
    later = text.index("</nt>", text.index("</nt>", edge_start) + 1)
    return text[:later] + edge + text[later:]


WSJ = """( (SBARQ (WHNP-1 (WP What)) (SQ (MD should) (NP-SBJ (PRP I)) (VP (VB do) (NP (-NONE-
*T*-1)))) (. ?)) ) ( (NP (-NONE- *)) ) ( (S (NP-SBJ (PRP I)) (VP (VBP sleep)) (. .)) )
"""


def test_dptb_from_a_folder_of_sections(tmp_path: Path) -> None:
    for section in ("00", "02", "21", "22", "23"):
        folder = tmp_path / "wsj" / section
        folder.mkdir(parents=True)
        (folder / f"wsj_{section}01.mrg").write_text(WSJ)
    prepared = prepare("dptb", tmp_path / "wsj", tmp_path / "out", recipe="2019")
    counts = {part: entry["sentences"] for part, entry in prepared.manifest["parts"].items()}
    assert counts == {"train": 4, "dev": 2, "test": 2}
    tree = next(read(tmp_path / "out" / "dev.export"))
    assert tree.comments[0] == "wsj_2201.1"
    assert [token.form for token in tree.sentence] == ["What", "should", "I", "do", "?"]
    assert tree.is_discontinuous


PSD = """( (IP-MAT (NP-OB1 (WPRO-A hvað-hver)) (VBPI sér-sjá) (NP-SBJ (PRO-N hún-hún))) (ID
TEXT,.{0}))

"""


def test_icepahc_in_tenths(tmp_path: Path) -> None:
    (tmp_path / "finished").mkdir()
    for name in ("1150.one", "1210.two"):
        text = "".join(PSD.format(number) for number in range(10))
        (tmp_path / "finished" / f"{name}.psd").write_text(text)
    prepared = prepare("icepahc", tmp_path, tmp_path / "out")
    counts = {part: entry["sentences"] for part, entry in prepared.manifest["parts"].items()}
    assert counts == {"train": 16, "dev": 2, "test": 2}


def test_craft_by_its_lists(tmp_path: Path) -> None:
    folder = tmp_path / "structural-annotation" / "treebank" / "penn"
    lists = tmp_path / "articles" / "ids"
    folder.mkdir(parents=True)
    lists.mkdir(parents=True)
    for part, article in (("train", "11"), ("dev", "22"), ("test", "33")):
        (folder / f"{article}.tree").write_text("( (HEADING (NP (NN Abstract))) )\n")
        (lists / f"craft-ids-{part}.txt").write_text(f"{article}\n")
    prepare("craft", tmp_path, tmp_path / "out")
    (tree,) = read(tmp_path / "out" / "dev.export")
    assert tree.comments[0] == "22.1"
    assert [node.label for node in tree.nodes] == ["ROOT", "NP"]
    (lists / "craft-ids-dev.txt").unlink()
    with pytest.raises(UsageError, match="one list of ids for dev"):
        prepare("craft", tmp_path, tmp_path / "out")


def test_alpino_from_its_folder(tmp_path: Path) -> None:
    for suite, count in (("cdb", 10), ("qa", 2)):
        (tmp_path / suite).mkdir()
        for number, tree in enumerate(sample(count, grammar="dutch", seed=len(suite)), 1):
            write([tree], tmp_path / suite / f"{number}.xml", format="alpino")
    prepared = prepare("alpino", tmp_path, tmp_path / "out")
    counts = {part: entry["sentences"] for part, entry in prepared.manifest["parts"].items()}
    assert counts == {"train": 10, "dev": 1, "test": 1}
    labels = {node.label for tree in read(tmp_path / "out" / "train.export") for node in tree.nodes}
    assert all(label == label.upper() for label in labels)


@pytest.mark.parametrize("name", sorted(CORPORA))
def test_a_missing_corpus_is_a_wrong_call(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        prepare(name, tmp_path / "nothing", tmp_path / "out")


@pytest.mark.parametrize("name", ["dptb", "alpino", "craft", "icepahc"])
def test_a_folder_of_other_things_is_a_wrong_call(name: str, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with pytest.raises(UsageError):
        prepare(name, tmp_path / "other", tmp_path / "out")


def test_unknown_names(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown corpus"):
        prepare("susanne", tmp_path, tmp_path)
    with pytest.raises(UsageError, match="unknown recipe"):
        prepare("negra", tmp_path, tmp_path, recipe="2020")


def test_alpino_agrees_with_the_treebank_beside_the_repository(shared: Path) -> None:
    """The newspaper sentences, attached, are the trees that were made independently."""
    steps = pipeline("labels(case=upper) | attach")
    made = {
        f"cdb/{tree.id}": sorted(steps.apply(tree).brackets)
        for tree in read(shared / "treebanks" / "originals" / "alpino-cdb", format="alpino")
    }
    compared = 0
    for tree in read(shared / "treebanks" / "alpino" / "train.export.xz"):
        if tree.comments[0] in made:
            compared += 1
            assert made[tree.comments[0]] == sorted(tree.brackets), tree.comments
        if compared == len(made):
            break
    assert compared == 121
