"""The figures in the treebanks' SOURCE.md files come out of our statistics."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbranch.statistics import Statistics
from crossbranch.treebank import read

TREEBANKS = ["alpino", "alpino-nltk", "craft", "icepahc", "squoia", "wsj-sample"]
SMALL = ["alpino-nltk", "squoia", "wsj-sample"]
PARTS = [*((name, "dev") for name in TREEBANKS), *((name, "train") for name in SMALL)]


@pytest.mark.parametrize(("treebank", "part"), PARTS)
def test_the_figures_come_out(shared: Path, treebank: str, part: str) -> None:
    folder = shared / "treebanks" / treebank
    statistics = Statistics.of(read(folder / f"{part}.export.xz"))
    assert figures(statistics) == stated_figures(folder / "SOURCE.md", part)


def stated_figures(path: Path, part: str) -> dict[str, str]:
    """Return one column of the first table with parts in it."""
    found: dict[str, str] = {}
    column = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            if found:
                break
        elif not column:
            column = cells.index(part)
        elif not cells[0].startswith("---"):
            found[cells[0]] = cells[column]
    return found


def figures(statistics: Statistics) -> dict[str, str]:
    """Write the statistics as SOURCE.md does."""
    crossing = statistics.with_punctuation
    sentences, constituents = statistics.sentences, statistics.constituents
    return {
        "sentences": str(sentences),
        "tokens": str(statistics.tokens),
        "tokens/sentence (max)": f"{statistics.mean_length:.1f} ({statistics.max_length})",
        "constituents (without ROOT and POS)": str(constituents),
        "of which unary": str(statistics.unary_constituents),
        "sentences with >=1 disc. constituent": part_of(
            crossing.discontinuous_sentences, sentences
        ),
        "disc. constituents": part_of(crossing.discontinuous_constituents, constituents),
        "gap degree of constituents": distribution(crossing.constituents),
        "gap degree of sentences": distribution(crossing.sentences),
        "max fan-out": str(crossing.max_fan_out),
        "ill-nested sentences": str(crossing.ill_nested),
        "phrase labels": str(len(statistics.labels)),
        "POS tags": str(len(statistics.tags)),
        "max non-terminals in a tree": str(statistics.max_constituents),
    }


def part_of(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.2f} %)"


def distribution(counts: dict[int, int]) -> str:
    return ", ".join(f"{number}: {counts[number]}" for number in sorted(counts))
