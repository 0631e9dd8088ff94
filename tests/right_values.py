"""Right values for the parameters of all public functions, for calls with one wrong value."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import crossbranch as cb
from crossbranch.evaluation import Parameters, Scores, find_parameters
from crossbranch.grammar import Deduction, Grammar, parse_text
from crossbranch.grammar import read as read_grammar
from crossbranch.models import LabelMeanings, label_set
from crossbranch.query import Query
from crossbranch.tasks import Inventory, Labelled, TaskSettings
from crossbranch.text import Spacing

TREE = cb.Tree.from_string("(ROOT (S (NP (DT The) (NN cat)) (VP (VBD sat))))")


@cache
def parser() -> Any:
    return cb.load("en-bio")


@cache
def grammar() -> Grammar:
    return (
        parse_text("S -> NP VP\nNP -> the cat\nVP -> sat\n", "a grammar") if False else _extracted()
    )


def _extracted() -> Grammar:
    from crossbranch.grammar import extract

    return extract([TREE])


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
}

BY_NAME: dict[str, Callable[[], Any]] = {
    "tree": lambda: TREE,
    "trees": lambda: [TREE],
    "gold": lambda: [TREE],
    "predicted": lambda: [TREE],
    "sentence": lambda: TREE.sentence,
    "sentences": lambda: [TREE.sentence],
    "text": lambda: "The cat sat.",
    "label": lambda: "NP",
    "labels": lambda: ("NP",),
    "name": lambda: "negra",
    "query": lambda: "NP",
    "count": lambda: 2,
    "grammar": grammar,
    "model": lambda: "en-bio",
    "parser": parser,
    "settings": TaskSettings,
    "words": lambda: ["the", "cat"],
    "tags": lambda: ["DT", "NN"],
    "device": lambda: "cpu",
    "number": lambda: 1,
}


def right(function: str, name: str, annotation: str) -> Any:
    """Return a right value for a parameter. Raises KeyError if none is known."""
    if (value := SPECIAL.get(f"{function}({name})")) is not None:
        return value()
    plain = re.sub(r"crossbranch(\.\w+)*\.", "", annotation).strip("'")
    if plain in BY_KIND:
        return BY_KIND[plain]()
    if name in BY_NAME:
        return BY_NAME[name]()
    raise KeyError(f"{function}({name}: {plain})")


BY_KIND: dict[str, Callable[[], Any]] = {
    "Tree": lambda: TREE,
    "Iterable[Tree]": lambda: [TREE],
    "Sequence[Tree]": lambda: [TREE],
    "Iterable[Tree | None]": lambda: [TREE],
    "Iterable[TreeList | None]": lambda: [[TREE]],
    "Iterable[Sentence]": lambda: [TREE.sentence],
    "Sequence[Sentence]": lambda: [TREE.sentence],
    "SentenceLike": lambda: ["The", "cat"],
    "Iterable[SentenceLike]": lambda: [["The", "cat"]],
    "Readable": lambda: io.StringIO("(ROOT (S (NP a) (VP b)))\n"),
    "Writable": io.StringIO,
    "int": lambda: 1,
    "str": lambda: "NP",
    "float": lambda: 0.5,
    "bool": lambda: True,
    "Random": lambda: Random(1),
    "Parameters": lambda: find_parameters("proper"),
    "Grammar": grammar,
    "Labelled": lambda: Labelled(("a",), ("A",)),
    "Iterable[Labelled]": lambda: [Labelled(("a",), ("A",))],
    "TaskSettings": TaskSettings,
    "Inventory": lambda: Inventory(("A",)),
    "Mapping[str, TaskSettings]": lambda: {"a": TaskSettings()},
    "Spacing": Spacing,
    "Report": lambda: print,
    "Callable[[InputError], None]": lambda: print,
    "Sequence[str]": lambda: ["the", "cat"],
    "Iterable[str]": lambda: ["the cat"],
    "tuple[str, ...]": lambda: ("a",),
    "bytes": lambda: b"{}",
    "Path": lambda: Path("x"),
    "Node": lambda: TREE.root,
    "Iterable[Token]": lambda: TREE.sentence,
    "Header": cb.Header,
}

SPECIAL: dict[str, Callable[[], Any]] = {
    ".write(format)": lambda: "export",
}
