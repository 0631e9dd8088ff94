"""What a paper reports: tables, rows with the settings of each parser, and figures."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Literal

import msgspec

from crossbranch.config import merged, read_toml
from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError

Kind = Literal["scores", "lengths", "sizes", "rules", "labels", "examples"]
Figure = int | float | str
"""A number, or a text such as n²-n+1."""


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One figure of a table."""

    title: str
    figure: str
    """The name of the figure, such as `f1`."""
    longest: int = 0
    """Count only sentences of at most so many tokens; 0: all."""
    like: str = ""
    """A convention of evaluation, such as `spmrl`; empty: the usual parameters."""
    digits: int = 2


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row of a table: a parser, or something that is counted."""

    name: str
    base: str = ""
    """The settings that the parser starts from, one of `Paper.bases`."""
    settings: dict[str, Any] = {}
    beam: int = 0
    """The beam of the search; 0: that of the settings."""
    search: dict[str, Any] = {}
    """Other options of the search."""
    output: str = ""
    """Transforms of the predicted trees before they are compared. Heads are marked for them."""
    gold: str = ""
    """Transforms of the gold trees before they are compared. Heads are marked for them."""
    tags: Literal["gold", "given"] = "gold"
    """given: tags of another tagger, from files of the corpus."""
    system: str = ""
    oracle: str = ""
    """Of lengths and examples: the transition system and its oracle."""
    key: str = ""
    """Of sizes, rules and labels: what is counted."""
    tree: str = ""
    """Of examples: a tree, in the format discbracket."""
    paper: dict[str, dict[str, Figure]] = {}
    """The figures of the paper, by corpus and column."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a paper."""

    name: str
    title: str
    kind: Kind
    columns: dict[str, Column]
    rows: tuple[Row, ...]
    on: Literal["train", "dev", "test"] = "test"
    """The part of the corpus that is scored or counted."""
    corpora: tuple[str, ...] = ()
    """The corpora of the paper that have figures in this table, in their order."""


class Base(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings that several parsers share."""

    preset: str
    settings: dict[str, Any] = {}


class PaperCorpus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a paper uses a corpus."""

    heads: str = "auto"
    """The head table; auto: the one that fits best."""
    adds_dev: bool = False
    """Whether parsers for the test part learn from train and dev together."""


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a paper reports."""

    title: str
    recipe: str = ""
    """The recipe of `crossbranch prepare` that the paper has used; empty: any."""
    bases: dict[str, Base] = {}
    corpora: dict[str, PaperCorpus] = {}
    tables: tuple[Table, ...] = ()

    def chosen(self, names: Sequence[str]) -> list[Table]:
        """Return the tables with these names, or all.

        Raises:
            UsageError: There is no such table.
        """
        known = [table.name for table in self.tables]
        for name in names:
            if name not in known:
                raise UsageError(f"unknown table {name!r}; expected one of {', '.join(known)}")
        return [table for table in self.tables if not names or table.name in names]

    def settings_of(self, row: Row, corpus: str) -> dict[str, Any]:
        """Return the changes to the preset of a row, for a corpus.

        Presets may have the head table of their paper, which does not fit other corpora.
        """
        own = {"heads": self.use_of(corpus).heads}
        return merged(merged(self.bases[row.base].settings, own), row.settings)

    def use_of(self, corpus: str) -> PaperCorpus:
        """Return how the paper uses a corpus. What it does not know is used in the usual way."""
        return self.corpora.get(corpus, PaperCorpus())


_FOLDER = files("crossbranch.reproduction") / "papers"
PAPERS = tuple(
    sorted(entry.name.removesuffix(".toml") for entry in _FOLDER.iterdir() if "." in entry.name)
)
"""The names of the papers."""


@door
def read_paper(name: str) -> Paper:
    """Return the description of a paper.

    Raises:
        UsageError: There is no such paper.
    """
    if name not in PAPERS:
        raise UsageError(f"unknown paper {name!r}; expected one of {', '.join(PAPERS)}")
    entry = _FOLDER / f"{name}.toml"
    return parse_paper(entry.read_text(encoding="utf-8"), path=entry.name)


def parse_paper(text: str, *, path: str) -> Paper:
    """Read the description of a paper. Errors name `path`.

    Raises:
        InputError: The text is not such a description.
    """
    try:
        paper = msgspec.convert(read_toml(text, path=path), Paper)
    except msgspec.ValidationError as error:
        raise InputError(str(error), "the description of a paper", path=path) from None
    for table in paper.tables:
        for row in table.rows:
            if table.kind == "scores" and row.base not in paper.bases:
                known = ", ".join(paper.bases)
                raise InputError(f"base = {row.base!r}", f"one of {known}", path=path)
            if unknown := [
                column
                for figures in row.paper.values()
                for column in figures
                if column not in table.columns
            ]:
                expected = f"one of {', '.join(table.columns)}"
                raise InputError(f"the column {unknown[0]!r}", expected, path=path)
    return paper
