"""One head table for a corpus: for parsers, transforms of trees, and counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from reproductions import run

from crossbranch.errors import UsageError
from crossbranch.evaluation import Evaluation, evaluate
from crossbranch.reproduction import Options, find_corpus, predictions, read_paper, reproduce
from crossbranch.transforms import pipeline
from crossbranch.transitions import compare
from crossbranch.tree import Tree
from crossbranch.treebank import read, write

VERB_LAST = Tree.from_string("(ROOT (S (VP (NN 0=a) (VBD 2=c)) (DT 1=b)))")


@pytest.mark.parametrize("changes", [{}, {"heads": "ptb"}])
def test_gold_trees_have_the_heads_of_the_corpus(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, str]
) -> None:
    """The tree itself looks as if it were of the Penn Treebank, but train is German."""
    write([VERB_LAST], mine / "test.export")
    raised: list[Tree] = []

    def listen(gold: Sequence[Tree], *others: Any, **options: Any) -> Evaluation:
        raised.extend(gold)
        return evaluate(gold, *others, **options)

    monkeypatch.setattr(predictions, "evaluate", listen)
    run(mine, tmp_path / "out", only=["4"], changes=changes)
    by_table = {
        table: pipeline(f"heads({table}) | raise").apply(VERB_LAST) for table in ("negra", "ptb")
    }
    assert str(by_table["negra"]) != str(by_table["ptb"])
    expected = by_table[changes.get("heads", "negra")]
    assert str(raised[-1]) == str(expected)


def test_a_changed_head_table_is_used_in_counts(mine: Path, tmp_path: Path) -> None:
    """Also in tables without parsers."""
    trees = list(read(mine / "train.export"))
    corpora = [find_corpus(str(mine))]
    averages = []
    for which in ("first", "last"):
        table = tmp_path / f"{which}.heads"
        table.write_text(f"* {which} *\n")
        found = reproduce(
            read_paper("coavoux-crabbe-2017"),
            corpora,
            tmp_path / "out",
            only=["6"],
            options=Options(changes={"heads": str(table)}),
        )
        assert found.notes == (f"changed settings: heads = {table}",)
        systems = [("gap", "static"), ("swap", "strict"), ("cswap", "strict")]
        expected = [one.average for one in compare(trees, str(table), systems=systems)]
        averages.append([row["average"][0] for row in found.tables[0].cells["mine"]])
        assert averages[-1] == expected
    assert averages[0] != averages[1]


@pytest.mark.parametrize(
    ("heads", "message"), [("nothing", "cannot read nothing"), (5, "heads is 5, expected a text")]
)
def test_wrong_head_tables(mine: Path, tmp_path: Path, heads: object, message: str) -> None:
    options = Options(changes={"heads": heads})
    paper, corpora = read_paper("coavoux-crabbe-2017"), [find_corpus(str(mine))]
    for only in ("4", "6"):
        with pytest.raises(UsageError, match=message):
            reproduce(paper, corpora, tmp_path / "out", only=[only], options=options)
    with pytest.raises(UsageError, match="can change the setting 'heads'"):
        reproduce(paper, corpora, tmp_path / "out", only=["8"], options=options)
