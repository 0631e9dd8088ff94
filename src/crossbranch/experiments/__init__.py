"""Experiments: variants of a parser, trained with several seeds and compared.

experiment  `Experiment` and `Variant`
files       the files that an experiment names, and their checksums
reading     `read`: an experiment file, checked before anything is trained
variants    tables of variants, grids, and controls
planning    `plan`: the runs, found again by what they depend on
runs        one training each, and what its folder says about it
working     one run: training, scoring, and what is left of an interrupted run
worker      the process of a run
running     `run`: several runs at once
finished    `results`: what the finished runs have found
tables      `table`: means, deviations, differences and their significance
formats     tables as Markdown, TSV and JSON
curves      `plot`: dev curves

```python
experiment = read("beams.toml")
found = run(experiment, jobs=2)
print(to_markdown([table(found, on="test")]))
```
"""

from crossbranch.evaluation.seeds import Spread
from crossbranch.experiments.curves import plot
from crossbranch.experiments.experiment import Experiment, Variant
from crossbranch.experiments.finished import Failure, Results, RunResult, results
from crossbranch.experiments.formats import to_json, to_markdown, to_tsv
from crossbranch.experiments.planning import plan
from crossbranch.experiments.reading import read
from crossbranch.experiments.running import RunWatcher, run
from crossbranch.experiments.runs import Run, SetScores, Training, state_of
from crossbranch.experiments.tables import Difference, ResultTable, Row, table
from crossbranch.experiments.working import Step

__all__ = [
    "Difference",
    "Experiment",
    "Failure",
    "ResultTable",
    "Results",
    "Row",
    "Run",
    "RunResult",
    "RunWatcher",
    "SetScores",
    "Spread",
    "Step",
    "Training",
    "Variant",
    "plan",
    "plot",
    "read",
    "results",
    "run",
    "state_of",
    "table",
    "to_json",
    "to_markdown",
    "to_tsv",
]
