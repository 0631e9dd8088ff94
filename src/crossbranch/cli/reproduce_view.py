"""The display of `crossbranch reproduce`: trainings as in an experiment, and lines for the rest."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Self

from crossbranch.cli.experiment_view import ExperimentView
from crossbranch.cli.show import say
from crossbranch.experiments import RunWatcher
from crossbranch.reproduction import Corpus, Table, Watcher
from crossbranch.reproduction.description import Row


class ReproduceView(Watcher):
    """Says what is done now."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def warn(self, message: str) -> None:
        """Say what people should know."""
        self._stack.close()
        say(f"warning: {message}")

    def runs(self) -> RunWatcher:
        """Show the trainings of a corpus as those of an experiment."""
        self._stack.close()  # the bars of the corpus before
        return self._stack.enter_context(ExperimentView())

    def training(self, corpus: Corpus) -> None:
        """Say for which corpus models are trained."""
        self._stack.close()
        say(f"{corpus.name}: training")

    def parsing(self, corpus: Corpus, table: Table, row: Row) -> None:
        """Say what is parsed."""
        self._stack.close()
        say(f"{corpus.name}: parsing for table {table.name}, {row.name}")

    def counting(self, corpus: Corpus, table: Table) -> None:
        """Say what is counted."""
        self._stack.close()
        say(f"{corpus.name}: counting for table {table.name}")
