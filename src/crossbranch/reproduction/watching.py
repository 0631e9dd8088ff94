"""Callbacks for the progress of a reproduction."""

from __future__ import annotations

from crossbranch.experiments import RunWatcher
from crossbranch.reproduction.corpora import Corpus
from crossbranch.reproduction.description import Row, Table


class Watcher:
    """Callbacks for progress. This base class ignores them."""

    def warn(self, message: str) -> None:
        """Called with what people should know, such as sentences that were skipped."""

    def runs(self) -> RunWatcher:
        """Return the callbacks for the trainings of the next corpus."""
        return RunWatcher()

    def training(self, corpus: Corpus) -> None:
        """Called before the models of a corpus are trained."""

    def parsing(self, corpus: Corpus, table: Table, row: Row) -> None:
        """Called before a part of a corpus is parsed for a row."""

    def counting(self, corpus: Corpus, table: Table) -> None:
        """Called before a table that needs no parser is made."""
