"""Reproduces the tables of papers: trains, parses, evaluates, and compares with their figures.

papers/        one TOML file for each paper: its tables, their rows, and the figures it reports
description    `read_paper`: such a file, checked
corpora        `Corpus`: a folder with train, dev and test, and the name that papers know it by
parts          the trees of a corpus, all read and checked before the first training
trainings      the experiment of a corpus: one variant for each different training
predictions    parsed trees of a model, and their scores; both are kept in files
counting       figures that need no parser: lengths of derivations, sizes, rules, labels
work           everything for one corpus
watching       `Watcher`: callbacks for progress
reproducing    `reproduce`: everything for all corpora
tables         the tables as text, Markdown and JSON

```python
corpora = [find_corpus("negra-30=prepared/negra-30")]
found = reproduce(read_paper("coavoux-crabbe-2017"), corpora, "out", only=["3"])
print(to_markdown(found))
```
"""

from crossbranch.reproduction.corpora import Corpus, find_corpus
from crossbranch.reproduction.description import PAPERS, Paper, Table, read_paper
from crossbranch.reproduction.reproducing import Reproduction, reproduce
from crossbranch.reproduction.tables import in_words, to_json, to_markdown
from crossbranch.reproduction.trainings import Options
from crossbranch.reproduction.watching import Watcher

__all__ = [
    "PAPERS",
    "Corpus",
    "Options",
    "Paper",
    "Reproduction",
    "Table",
    "Watcher",
    "find_corpus",
    "in_words",
    "read_paper",
    "reproduce",
    "to_json",
    "to_markdown",
]
