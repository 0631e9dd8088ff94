"""crossbranch silver: trees for sentences whose dependencies are known."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import crossbranch
from trained_parsers import TEST, trained

from crossbranch import Tree, read
from crossbranch.transforms.heads import Heads


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("silver") / "model"
    trained("sr-gap").save(folder)
    return folder


def conllu(tree: Tree) -> str:
    """The sentence as other programs write it: no constituents."""
    lines = [f"# sent_id = {tree.id}"]
    arcs = Heads("negra").apply(tree).dependencies()
    for arc, token in zip(arcs, tree.sentence, strict=True):
        head = 0 if arc.head is None else arc.head + 1
        columns = [arc.token + 1, token.form, token.lemma, "X", token.tag, "_", head, arc.relation]
        lines.append("\t".join(map(str, [*columns, "_", "_"])))
    return "\n".join(lines) + "\n\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.conllu"
    path.write_text("".join(map(conllu, TEST)), encoding="utf-8")
    return path


def test_trees_are_chosen_and_written(model: Path, corpus: Path, tmp_path: Path) -> None:
    target = tmp_path / "silver.export.gz"
    _, message = crossbranch(
        *("silver", model, corpus, "--k-best", "8", "--at-least", "0", "-o", target)
    )
    trees = list(read(target))
    assert f"kept {len(TEST)} of {len(TEST)} trees" in message
    assert [tree.words for tree in trees] == [tree.words for tree in TEST]
    assert [tree.tags for tree in trees] == [tree.tags for tree in TEST]
    assert [t.lemma for t in trees[0].sentence] == [t.lemma for t in TEST[0].sentence]
    assert all(tree.comments[-1].startswith("agreement = ") for tree in trees)
    shares = re.search(r"([0-9.]+)% of the words agree \(.*first trees: ([0-9.]+)%\)", message)
    assert shares is not None
    assert float(shares[1]) > float(shares[2]) > 50


def test_the_threshold_and_the_format(model: Path, corpus: Path) -> None:
    output, message = crossbranch(
        "silver", model, corpus, "--at-least", "1", "--to", "json", "--limit", "10"
    )
    kept = output.count('"agreement = 1.0000"')
    assert 0 < kept < 10
    assert output.count("\n") == kept
    assert f"kept {kept} of 10 trees: their agreement is at least 1;" in message


def test_bad_sentences_are_reported_and_skipped(model: Path, corpus: Path) -> None:
    good = corpus.read_text(encoding="utf-8").split("\n\n")[0]
    blocks = [good, "1\tword", "# sent_id = headless\n1\tja\tja\tX\tADV\t_\t_\t_\t_\t_", good]
    corpus.write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8")
    output, message = crossbranch("silver", model, corpus, "--at-least", "0")
    assert output.count("#BOS") == 2
    assert f"skipped: {corpus}:" in message
    assert f"skipped: {corpus}: sentence headless: found token 1 (ja) has no head" in message
    assert "2 bad sentences were skipped" in message
    assert "kept 2 of 2 trees" in message


def test_wrong_options_are_refused(model: Path, corpus: Path) -> None:
    _, message = crossbranch("silver", model, corpus, "-o", corpus, code=2)
    assert "it is the input" in message
    _, message = crossbranch("silver", model, corpus, "--set", "bean=3", code=2)
    assert "no option 'bean'" in message
