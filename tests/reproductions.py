"""A small paper, for tests of reproductions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from crossbranch.reproduction import Corpus, Options, Reproduction, Watcher, find_corpus, reproduce
from crossbranch.reproduction.description import Paper, Row, Table, parse_paper

PAPER = """
title = "A small paper"
corpora.rest = { adds_dev = true }
[bases.gap]
preset = "sr-gap"
settings = { epochs = 1, voters = 1, features = ["baseline"], functions = false }
[[tables]]
name = "1"
title = "scores"
kind = "scores"
columns.f1 = { title = "F1", figure = "f1" }
columns.short = { title = "F1, short", figure = "f1", longest = 5 }
columns.speed = { title = "speed", figure = "sentences_per_second", digits = 0 }
  [[tables.rows]]
  name = "beam 1"
  base = "gap"
  beam = 1
  paper.mine = { f1 = 50.5 }
  paper.tiger-spmrl = { f1 = 60.25 }
  [[tables.rows]]
  name = "beam 2"
  base = "gap"
  beam = 2
[[tables]]
name = "2"
title = "given tags"
kind = "scores"
columns.tags = { title = "tags", figure = "tag_accuracy" }
  [[tables.rows]]
  name = "tags"
  base = "gap"
  tags = "given"
[[tables]]
name = "3"
title = "sizes"
kind = "sizes"
columns.sentences = { title = "sentences", figure = "sentences", digits = 0 }
  [[tables.rows]]
  name = "train"
  key = "train"
  [[tables.rows]]
  name = "test"
  key = "test"
[[tables]]
name = "4"
title = "other trees"
kind = "scores"
columns.f1 = { title = "F1", figure = "f1" }
columns.spmrl = { title = "SPMRL", figure = "f1", like = "spmrl" }
columns.disc = { title = "discontinuous F1", figure = "discontinuous_f1" }
columns.ted = { title = "tree edit distance", figure = "tree_distance" }
  [[tables.rows]]
  name = "as they are"
  base = "gap"
  beam = 1
  [[tables.rows]]
  name = "continuous"
  base = "gap"
  beam = 1
  gold = "raise(auto)"
  output = "raise(auto)"
[[tables]]
name = "5"
title = "dev"
kind = "scores"
on = "dev"
columns.f1 = { title = "F1", figure = "f1" }
  [[tables.rows]]
  name = "beam 1"
  base = "gap"
  beam = 1
"""


class Diary(Watcher):
    """Writes down what is done."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def warn(self, message: str) -> None:
        self.done.append(f"warning: {message}")

    def parsing(self, corpus: Corpus, table: Table, row: Row) -> None:
        self.done.append(f"{corpus.name}: parsing {row.name}")

    def counting(self, corpus: Corpus, table: Table) -> None:
        self.done.append(f"{corpus.name}: counting {table.name}")


def small_paper() -> Paper:
    return parse_paper(PAPER, path="small.toml")


def run(corpus: Path, out: Path, **values: Any) -> tuple[Reproduction, list[str]]:
    diary = Diary()
    only = values.pop("only", ())
    options = Options(jobs=0, **values)
    found = reproduce(
        small_paper(), [find_corpus(str(corpus))], out, only=only, options=options, watcher=diary
    )
    return found, diary.done
