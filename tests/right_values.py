"""Right values for the parameters of all public functions, for calls with one wrong value."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import crossbranch as cb
from crossbranch.drawing import ChartConstituent, DrawnRule
from crossbranch.evaluation import Pair, Scores, find_parameters
from crossbranch.evaluation.alignment import Aligned
from crossbranch.grammar import Grammar, extract
from crossbranch.jobs import Content
from crossbranch.models import LabelMeanings, label_set, shipped
from crossbranch.query import Query
from crossbranch.reproduction import Options, Reproduction, read_paper
from crossbranch.tasks import DistributionSettings, Inventory, Labelled, TaskSettings
from crossbranch.text import Spacing

BRACKETS = "(ROOT (S (NP (DT The) (NN cat)) (VP (VBD sat))))"
TREE = cb.Tree.from_string(BRACKETS)
LABELLED = Labelled(("a",), ("A",))


@cache
def parser() -> Any:
    """A small parser."""
    return cb.load("en-bio")


@cache
def labeller() -> Any:
    """The labeller of a shipped model."""
    return cb.load("en").labeller


@cache
def grammar() -> Grammar:
    """A grammar of three rules."""
    return extract([TREE])


@cache
def show() -> Any:
    """A derivation to look at."""
    from crossbranch.derivations import show

    return show(traced().derivation)


@cache
def traced() -> Any:
    """A parse with its derivation."""
    return next(parser().parse_traced([["The", "cat", "sat"]]))


def pair() -> Pair:
    """A sentence to score."""
    return Pair(TREE, TREE, find_parameters("proper"))


INSTANCES: dict[type, Callable[[], Any]] = {
    cb.Tree: lambda: TREE,
    cb.Node: lambda: TREE.root,
    cb.Token: lambda: TREE.sentence[0],
    cb.Pipeline: lambda: cb.pipeline("binarize"),
    cb.Transform: lambda: cb.pipeline("binarize").steps[0],
    cb.Format: lambda: cb.FORMATS["export"],
    cb.Parser: parser,
    cb.Tokenizer: lambda: parser().tokenizer,
    cb.Tagger: lambda: parser().tagger,
    cb.Statistics: cb.Statistics,
    cb.ModelCard: lambda: cb.describe("en-bio"),
    cb.Evaluation: lambda: cb.evaluate([TREE], [TREE]),
    cb.Constituent: lambda: TREE.constituents()[0],
    cb.Match: lambda: next(iter(cb.find(TREE, "NP"))),
    Query: lambda: Query("NP"),
    Grammar: grammar,
    Scores: lambda: cb.evaluate([TREE], [TREE]).scores,
    LabelMeanings: lambda: label_set("alpino"),
    Inventory: lambda: Inventory(("A",)),
    TaskSettings: TaskSettings,
}
"""Objects whose methods are called."""

BY_KIND: dict[str, Callable[[], Any]] = {
    "Tree": lambda: TREE,
    "Tree | Iterable[Tree]": lambda: [TREE],
    "Iterable[Tree]": lambda: [TREE],
    "Iterable[TreeLike]": lambda: [TREE],
    "Sequence[Tree]": lambda: [TREE],
    "Iterable[Tree | None]": lambda: [TREE],
    "Iterable[TreeList | None]": lambda: [[TREE]],
    "Iterable[Sentence]": lambda: [TREE.sentence],
    "Sequence[Sentence]": lambda: [TREE.sentence],
    "Sequence[Sequence[Token]]": lambda: [TREE.sentence],
    "SentenceLike": lambda: ["The", "cat"],
    "Iterable[SentenceLike]": lambda: [["The", "cat"]],
    "Sequence[Sequence[str]]": lambda: [["The", "cat"]],
    "Iterable[Sequence[str]]": lambda: [["The", "cat"]],
    "Readable": lambda: io.StringIO(f"{BRACKETS}\n"),
    "Writable": lambda: Path("out.export"),
    "int": lambda: 1,
    "str": lambda: "NP",
    "float": lambda: 0.5,
    "bool": lambda: True,
    "bytes": lambda: b"{}",
    "Random": lambda: Random(1),
    "Parameters": lambda: find_parameters("proper"),
    "Grammar": grammar,
    "Iterable[Grammar]": lambda: [grammar()],
    "Rule": lambda: next(iter(grammar().rules)),
    "Iterable[Rule]": lambda: list(grammar().rules),
    "Labelled": lambda: LABELLED,
    "Iterable[Labelled]": lambda: [LABELLED],
    "Labels": lambda: ["A"],
    "TaskSettings": TaskSettings,
    "DistributionSettings": DistributionSettings,
    "Inventory": lambda: Inventory(("A",)),
    "Mapping[str, TaskSettings]": lambda: {"a": TaskSettings()},
    "Mapping[str, object]": dict,
    "Mapping[str, Any]": dict,
    "Spacing": Spacing,
    "Report": lambda: str,
    "Callable[[InputError], None]": lambda: str,
    "Callable[[str], None]": lambda: str,
    "Callable[[Tree], Tree]": lambda: cb.pipeline("").apply,
    "RowsOf": lambda: list,
    "Sequence[str]": lambda: ["the", "cat"],
    "Sequence[int]": lambda: [3, 3, 3],
    "Iterable[str]": lambda: ["the cat"],
    "tuple[str, ...]": lambda: ("a",),
    "str | Path": lambda: "x.export",
    "Path": lambda: Path("x.export"),
    "str | os.PathLike[str]": lambda: "x.lcfrs",
    "Node": lambda: TREE.root,
    "Iterable[Token]": lambda: TREE.sentence,
    "Sequence[Token]": lambda: TREE.sentence,
    "Header": cb.Header,
    "Format": lambda: cb.FORMATS["export"],
    "Parser": parser,
    "Tagger": lambda: parser().tagger,
    "FunctionLabeller": labeller,
    "Sequence[Transform]": lambda: [cb.pipeline("binarize").steps[0]],
    "Content": lambda: Content(format=None, lines=False, reads_text=True, needs_tags=False),
    "Sequence[JobInput]": list,
    "Sequence[ScoredTree]": lambda: [cb.ScoredTree(TREE, 1.0)],
    "Pair": pair,
    "Aligned": lambda: Aligned(1, TREE, TREE),
    "Sequence[Column]": list,
    "Evaluation": lambda: cb.evaluate([TREE], [TREE]),
    "Named": lambda: [("a", cb.Statistics.of([TREE]))],
    "Classes": lambda: {"1": ["a"]},
    "Counter[str]": Counter,
    "Show": show,
    "Iterable[Show]": lambda: [show()],
    "Derivation": lambda: traced().derivation,
    "TransitionSystem": lambda: parser().system,
    "Iterable[ChartConstituent]": lambda: [ChartConstituent("NP", [(0, 1)], 0.5)],
    "Iterable[DrawnRule]": lambda: [DrawnRule("S", ["NP"], [[(0, 0)]])],
    "str | Path | bytes | ModelFolder": lambda: shipped()["en-bio"],
    "str | Iterable[str]": lambda: "A cat.",
    "str | None": lambda: "A",
    "Collection[str]": lambda: ["NP"],
    "Iterable[tuple[int, Tree]]": lambda: [(1, TREE)],
    "SecondaryEdge": lambda: cb.SecondaryEdge("x", 0, 1),
    "Sentence": lambda: TREE.sentence,
    "Paper": lambda: read_paper("oracles"),
    "Sequence[Corpus]": list,
    "Reproduction": lambda: Reproduction(read_paper("oracles"), (), (), Options(), ()),
}
"""Right values by annotation."""

SPECIAL: dict[str, Callable[[], Any]] = {
    ".Tree.from_string(text)": lambda: BRACKETS,
    ".Tree.from_dict(values)": TREE.to_dict,
    ".pipeline(text)": lambda: "binarize",
    ".train(preset)": lambda: "sr-gap",
    ".train(train)": list,
    ".load(model)": lambda: "en-bio",
    ".describe(model)": lambda: "en-bio",
    ".Parser.use_device(device)": lambda: "cpu",
    ".Parser.load(model)": lambda: shipped()["en-bio"],
    ".convert(target)": lambda: Path("out.export"),
    "grammar.parse_text(text)": lambda: 'S -> "a"\n',
    "grammar.parse_text(path)": lambda: "x",
    "evaluation.find_parameters(name)": lambda: "proper",
    "models.find_model(name)": lambda: "en-bio",
    "models.label_set(name)": lambda: "alpino",
    "parsers.find_preset(name)": lambda: "sr-gap",
    "prepare.prepare(name)": lambda: "negra",
    "drawing.lay_out(widths)": lambda: [3] * 7,
    "statistics.plot(path)": lambda: "x.svg",
    ".Scores.from_counts(counts)": lambda: cb.evaluate([TREE], [TREE]).scores.to_counts(),
    "functions.FunctionLabeller.learn(head_table)": lambda: "negra",
    "jobs.find_inputs(sources)": lambda: ["a text"],
    "tasks.draw(how)": lambda: "even",
    "tasks.read_files(files)": list,
    "tasks.read_parts(parts)": list,
    "tasks.score_labels(predicted)": lambda: ["A"],
    "drawing.draw_chart(tokens)": lambda: ["the"],
}
"""Right values for parameters whose annotation says too little."""


def right(function: str, name: str, annotation: str) -> Any:
    """Return a right value for a parameter. Raises KeyError if none is known."""
    if (value := SPECIAL.get(f"{function}({name})")) is not None:
        return value()
    plain = re.sub(r"crossbranch(\.\w+)*\.", "", annotation).strip("'")
    plain = re.sub(r"ForwardRef\('(.*)'\)", r"\1", plain)
    return BY_KIND[plain]()
