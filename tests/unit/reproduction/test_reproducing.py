"""Tables of papers: small corpora, small papers, and the descriptions that ship."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from reproductions import PAPER, run, small_paper

from crossbranch.errors import InputError, UsageError
from crossbranch.parsers.training import recipe_of
from crossbranch.reports.conventions import CONVENTIONS, Convention
from crossbranch.reproduction import (
    PAPERS,
    Corpus,
    Options,
    find_corpus,
    in_words,
    read_paper,
    reproduce,
    to_json,
    to_markdown,
)
from crossbranch.reproduction.description import parse_paper
from crossbranch.reproduction.predictions import check_figure
from crossbranch.reproduction.trainings import plan_trainings
from crossbranch.transforms import pipeline
from crossbranch.tree import ROOT, Node, Tree
from crossbranch.treebank import write


def test_everything_is_done_once(mine: Path, tmp_path: Path) -> None:
    """Both rows share a model if it is trained with one beam; a second call does nothing."""
    out = tmp_path / "out"
    found, done = run(mine, out, only=["1", "3"], train_beam=1)
    assert done == ["mine: parsing beam 1", "mine: parsing beam 2", "mine: counting 3"]
    assert len(list((out / "mine" / "runs").iterdir())) == 1
    again, done = run(mine, out, only=["1", "3"], train_beam=1)
    assert done == []
    assert to_json(again) == to_json(found)
    (mine / "test.export").unlink()
    other, done = run(mine, out, only=["1", "3"], train_beam=1)
    assert done == ["mine: parsing beam 1", "mine: parsing beam 2", "mine: counting 3"]
    assert other.notes[0] == "mine has no test part: its dev part is scored in its place"
    assert other.tables[0].parts == {"mine": "dev"}


def test_figures_stand_beside_those_of_the_paper(mine: Path, tmp_path: Path) -> None:
    found, _ = run(mine, tmp_path / "out", only=["1", "3"], changes={"epochs": 2})
    first, short, speed, sizes = in_words(found)
    assert first.caption == "Table 1, scores: F1"
    assert first.columns == ["", "mine", "mine, paper", "tiger-spmrl, paper"]
    assert [row[2:] for row in first.rows] == [["50.50", "60.25"], ["–", "–"]]
    assert 0 <= float(first.rows[0][1]) <= 100
    assert speed.columns == short.columns == ["", "mine"]
    assert sizes.rows == [["train", "20"], ["test", "5"]]
    text = to_markdown(found)
    assert text.startswith("# A small paper\n\n- changed settings: epochs = 2\n\nTable 1,")
    assert "| beam 1 |" in text
    value = json.loads(to_json(found))
    assert value["tables"][0]["rows"][0]["paper"]["mine"] == {"f1": 50.5}
    assert len(list((tmp_path / "out" / "mine" / "runs").iterdir())) == 2  # a beam each


def flat(tree: Tree) -> Tree:
    return tree.replace(root=Node(ROOT, range(len(tree.sentence))), secondary_edges=())


def test_trees_are_changed_before_they_are_compared(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without crossing branches, nothing is discontinuous; in flat trees, there is nothing at all.

    The real convention hardly ever changes F1, so another one takes its place.
    """
    monkeypatch.setitem(CONVENTIONS, "spmrl", Convention("spmrl", flat))
    found, done = run(mine, tmp_path / "out", only=["4"])
    assert done == ["mine: parsing as they are"]  # both rows have the same trees
    f1, spmrl, disc, ted = ([row[1] for row in table.rows] for table in in_words(found))
    assert disc[0] != "–"
    assert disc[1] == "–"
    assert f1[0] != f1[1]
    assert spmrl == ["–", "–"]
    assert all(0 < float(value) < 100 for value in ted)


def test_several_seeds_have_a_mean(mine: Path, tmp_path: Path) -> None:
    found, _ = run(mine, tmp_path / "out", only=["1"], seeds=(1, 2), train_beam=1)
    assert " ± " in in_words(found)[0].rows[0][1]


def test_tags_of_another_tagger(mine: Path, tmp_path: Path) -> None:
    """Without files, our tagger predicts them."""
    found, _ = run(mine, tmp_path / "out", only=["2"])
    assert found.notes == (
        "mine has no train-tags and test-tags (tags of another tagger): the tagger of crossbranch"
        " predicts tags",
    )
    for part in ("train", "test"):
        (mine / f"{part}-tags.export").write_bytes((mine / f"{part}.export").read_bytes())
    found, done = run(mine, tmp_path / "out", only=["2"])
    assert found.notes == ()
    assert done == ["mine: parsing tags"]
    assert in_words(found)[0].rows == [["tags", "100.00"]]
    lines = (mine / "test-tags.export").read_text().splitlines(keepends=True)
    (mine / "test-tags.export").write_text("".join(lines[: len(lines) // 2]) + "#EOS 3\n")
    with pytest.raises(InputError, match=r"test-tags\.export"):
        run(mine, tmp_path / "out", only=["2"])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"only": ["7"]}, "unknown table '7'; expected one of 1, 2, 3, 4, 5"),
        ({"changes": {"epoch": 2}}, "can change the setting 'epoch'"),
        ({"changes": {"epochs": "many"}}, "epochs is 'many'"),
        ({"changes": {"seed": 2}}, "can change the setting 'seed'"),
        ({"changes": {"tags": "none"}}, "the tables decide the setting 'tags'"),
        ({"changes": {"system": "swap"}}, "the tables decide the setting 'system'"),
    ],
)
def test_wrong_options(mine: Path, tmp_path: Path, values: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run(mine, tmp_path / "out", **values)


def test_rows_that_no_longer_differ(mine: Path, tmp_path: Path) -> None:
    found, _ = run(mine, tmp_path / "out", only=["1"], changes={"update": "early"}, train_beam=1)
    assert not any("differ in" in note for note in found.notes)
    paper = read_paper("maier-2015")
    options = Options(jobs=0, train_beam=1, changes={"features": ["baseline"], "epochs": 1})
    made = reproduce(paper, [find_corpus(str(mine))], tmp_path / "out", only=["3"], options=options)
    assert made.notes[-1] == ("the rows of table 3 differ in features in the paper, but not here")


def test_another_recipe_than_that_of_the_paper(mine: Path, tmp_path: Path) -> None:
    (mine / "manifest.json").write_text('{"corpus": "negra-30", "recipe": "2017"}')
    corpora = [find_corpus(str(mine))]
    expected = (
        "negra-30 was prepared with the recipe 2017; the paper has used 2015: crossbranch prepare"
        " --recipe 2015"
    )
    rules = reproduce(
        read_paper("maier-2015"), corpora, tmp_path / "out", only=["section-3.3.3-labels"]
    )
    assert rules.notes == (expected,)
    sizes = reproduce(read_paper("coavoux-crabbe-2017"), corpora, tmp_path / "out", only=["8"])
    assert sizes.notes == ()


def test_without_a_head_table_something_else_needs_one(mine: Path, tmp_path: Path) -> None:
    found, _ = run(mine, tmp_path / "out", only=["1"], changes={"heads": "none"}, train_beam=1)
    assert any("everything else uses the table" in note for note in found.notes)


def test_corpora(mine: Path, tmp_path: Path) -> None:
    assert find_corpus(str(mine)).name == "mine"
    assert find_corpus(f"other={mine}").name == "other"
    (mine / "manifest.json").write_text('{"corpus": "negra-30"}')
    found = find_corpus(str(mine))
    assert found.name == "negra-30"
    (mine / "test.discbracket").write_text("")  # as `prepare` writes it: export comes first
    assert find_corpus(str(mine)) == found
    with pytest.raises(UsageError, match="two corpora have the name 'negra-30'"):
        reproduce(small_paper(), [found, found], tmp_path / "out")
    with pytest.raises(UsageError, match="no corpus is given"):
        reproduce(small_paper(), [], tmp_path / "out")


def test_bad_corpora(mine: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no folder .*nowhere"):
        find_corpus(str(tmp_path / "nowhere"))
    (mine / "test.export.gz").write_bytes(b"")
    with pytest.raises(UsageError, match=r"found test\.export and test\.export\.gz"):
        find_corpus(str(mine))
    for path in mine.glob("test.*"):
        path.unlink()
    (mine / "dev.export").unlink()
    with pytest.raises(UsageError, match=r"has no dev part, expected .*dev\.export"):
        find_corpus(str(mine))
    (mine / "train.export").unlink()
    with pytest.raises(UsageError, match="has no train part"):
        find_corpus(str(mine))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('kind = "sizes"', 'kind = "size"', "small.toml: found Invalid enum value 'size'"),
        ('base = "gap"\n  beam = 2', 'base = "gab"', "found base = 'gab', expected one of gap"),
        ("paper.mine = { f1", "paper.mine = { f2", "the column 'f2', expected one of f1"),
        ("[bases.gap]", "[bases.gap", "small.toml"),
    ],
)
def test_bad_descriptions(old: str, new: str, message: str) -> None:
    assert old in PAPER
    with pytest.raises(InputError, match=message):
        parse_paper(PAPER.replace(old, new), path="small.toml")


@pytest.mark.parametrize("name", PAPERS)
def test_the_papers_that_ship_can_be_run(name: str) -> None:
    """Presets, settings, features, transforms and figures are known."""
    paper = read_paper(name)
    names = [(table.name, row.name) for table in paper.tables for row in table.rows]
    assert len(set(names)) == len(names)
    for table in paper.tables:
        for column in table.columns.values():
            if table.kind == "scores":
                check_figure(column)
        for row in table.rows if table.kind == "scores" else ():
            pipeline(row.output), pipeline(row.gold)
            recipe = recipe_of(paper.bases[row.base].preset, paper.settings_of(row, "negra"))
            recipe.kind.check_settings(recipe.settings)


def test_the_examples_of_the_thesis_are_reproduced(tmp_path: Path) -> None:
    """They need no corpus."""
    found = reproduce(read_paper("oracles"), [], tmp_path / "out", only=["examples"])
    for table in in_words(found):
        for _, ours, theirs in table.rows:
            assert theirs in ("–", ours)


@pytest.mark.parametrize("name", ["coavoux-crabbe-2017", "maier-2015", "oracles"])
def test_only_the_corpora_of_a_paper_have_its_head_rules(name: str) -> None:
    paper = read_paper(name)
    row = next(table.rows[0] for table in paper.tables if table.kind == "scores")
    for corpus in ("negra", "negra-30", "tiger-spmrl", "tiger-hn08"):
        assert paper.settings_of(row, corpus)["heads"] == "negra-2017"
        assert paper.use_of(corpus).heads == "negra-2017"
    assert paper.settings_of(row, "squoia")["heads"] == "auto"


def test_an_unknown_paper() -> None:
    with pytest.raises(UsageError, match="unknown paper 'maier'; expected one of coavoux"):
        read_paper("maier")


def test_what_is_counted(mine: Path, tmp_path: Path) -> None:
    """Derivations, rules and labels of the training trees."""
    corpora = [find_corpus(str(mine))]
    lengths, *_ = reproduce(
        read_paper("coavoux-crabbe-2017"), corpora, tmp_path / "out", only=["6"]
    ).tables
    gap, swap, compound = lengths.cells["mine"]
    assert gap["average"] <= swap["average"]
    assert compound["moved"] == swap["moved"]
    only = ["section-3.3.3-rules", "section-3.3.3-labels"]
    rules, labels = reproduce(read_paper("maier-2015"), corpora, tmp_path / "out", only=only).tables
    counts = [row["rules"][0] for row in rules.cells["mine"]]
    assert counts[0]
    assert counts[1]
    assert labels.cells["mine"][0]["share"][0]


def test_unary_rules_belong_to_the_binarized_grammar(tmp_path: Path) -> None:
    """Maier (2015) counts the productions of the binarized grammar, not only binary ones."""
    for part in ("train", "dev"):
        tree = Tree.from_string("(ROOT (S (NP (t 0=a)) (VP (u 1=b))))")
        write([tree, tree], tmp_path / f"{part}.export")
    only, corpora = ["section-3.3.3-rules"], [find_corpus(str(tmp_path))]
    found = reproduce(read_paper("maier-2015"), corpora, tmp_path / "out", only=only)
    average, different = in_words(found)
    assert "rules of the binarized grammar" in average.caption
    assert average.rows[0][1] == "2.00"
    assert different.rows[0][1] == "4"  # ROOT -> S, S -> NP VP, NP -> t, VP -> u


def test_the_thesis_has_the_average_lengths_on_tiger(mine: Path, tmp_path: Path) -> None:
    corpora = [find_corpus(f"tiger-spmrl={mine}")]
    found = reproduce(read_paper("oracles"), corpora, tmp_path / "out", only=["lengths"])
    average = in_words(found)[-1]
    assert average.columns == ["", "tiger-spmrl", "tiger-spmrl, paper"]
    theirs = {row[0]: row[2] for row in average.rows}
    assert (theirs["SR-GAP"], theirs["SR-SWAP, strict"]) == ("2.03", "3.09")


@pytest.mark.parametrize(
    ("paper", "table", "row", "corpus", "speed"),
    [
        ("maier-2015", "3", "BASELINE, MINUPDATE 5", "tiger-spmrl", "121"),
        ("maier-2015", "5", "rparse", "negra-30", "0.3"),
        ("coavoux-crabbe-2017", "3", "GAP, +SPANS, beam 4", "tiger-spmrl", "260"),
    ],
)
def test_speeds_in_the_text_of_papers(
    paper: str, table: str, row: str, corpus: str, speed: str
) -> None:
    (found,) = read_paper(paper).chosen([table])
    (figures,) = (one.paper[corpus] for one in found.rows if one.name == row)
    assert f"{figures['speed']:.{found.columns['speed'].digits}f}" == speed


def test_some_corpora_add_dev_to_train_for_results_on_test(mine: Path, tmp_path: Path) -> None:
    """So do both papers with tiger-hn08. Parsers that are scored on dev do not learn from it."""
    for name in ("coavoux-crabbe-2017", "maier-2015"):
        paper = read_paper(name)
        assert [one for one, use in paper.corpora.items() if use.adds_dev] == ["tiger-hn08"]

    def learned_from(corpus: Corpus, table: str) -> list[object]:
        (chosen,) = small_paper().chosen([table])
        plan = plan_trainings(small_paper(), [chosen], corpus, tmp_path / "out", Options())
        assert plan.experiment is not None
        files = [variant.train for variant in plan.experiment.variants]
        return [[*one] if isinstance(one, dict) else one.name for one in files]

    rest = find_corpus(f"rest={mine}")
    assert learned_from(rest, "1") == [["train", "dev"], ["train", "dev"]]
    assert learned_from(rest, "5") == ["train.export"]
    assert learned_from(find_corpus(str(mine)), "1") == ["train.export", "train.export"]
    options = Options(jobs=0, train_beam=1)
    found = reproduce(small_paper(), [rest], tmp_path / "out", only=["1", "5"], options=options)
    assert (
        "rest: parsers for the test part learn from train and dev, as in the paper" in found.notes
    )
    assert len(list((tmp_path / "out" / "rest" / "runs").iterdir())) == 2  # one without dev
    for part in ("train", "test"):
        (mine / f"{part}-tags.export").write_bytes((mine / f"{part}.export").read_bytes())
    assert learned_from(find_corpus(f"rest={mine}"), "2") == ["train.export"]
    (mine / "test.export").unlink()
    assert learned_from(find_corpus(f"rest={mine}"), "1") == ["train.export", "train.export"]


def test_the_files_with_tags_that_are_missing(mine: Path, tmp_path: Path) -> None:
    (mine / "test.export").rename(mine / "dev.export")
    (mine / "dev-tags.export").write_bytes((mine / "dev.export").read_bytes())
    found, _ = run(mine, tmp_path / "out", only=["2"])
    assert found.notes[-1] == (
        "mine has no train-tags (tags of another tagger): the tagger of crossbranch predicts tags"
    )
