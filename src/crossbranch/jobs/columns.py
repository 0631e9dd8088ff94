"""Columns of texts: for tables of other libraries, such as Spark, Dask or Hugging Face datasets.

Their functions get some rows at a time, in any process and in any order. So the model is loaded
once in each process, and trees are lines of JSON, which every table can hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from crossbranch.doors import door
from crossbranch.errors import UsageError, shown
from crossbranch.jobs.parsing import ParseOptions
from crossbranch.parsers import Parser, load
from crossbranch.tree import ROOT, Node, Token, Tree
from crossbranch.treebank import FORMATS

_JSON = FORMATS["json"]


@door
def parse_column(
    model: str | Parser,
    values: Iterable[Any],
    *,
    confidence: bool = False,
    functions: bool = True,
    threads: int = 1,
    device: str = "cpu",
    **search: Any,
) -> list[list[str]]:
    """Parse the values of a column. Return the trees of each value, as lines of JSON.

    `Tree.from_dict(json.loads(line))` is the tree.

    Args:
        model: The name of a shipped model, or a model folder, which is loaded once in each process;
            or a parser.
        values: Texts, which are split into sentences; or lists of words, each one sentence. None
            has no trees.
        confidence: As in `Parser.parse_many`.
        functions: As in `Parser.parse_many`.
        threads: As in `Parser.parse_many`.
        device: The device to run on.
        **search: Options of this kind of parser, such as `beam=8`.

    Raises:
        UsageError: There is no such model, an option is wrong, or the model cannot read texts.
    """
    if isinstance(values, str | bytes | Tree):
        raise UsageError(f"found {shown(values)}, expected several texts; put it into a list")
    parser = load_once(model, device) if isinstance(model, str) else model
    options = ParseOptions(
        confidence=confidence, functions=functions, threads=threads, search=search
    )
    given = [list(_sentences(parser, value)) for value in values]
    todo = [sentence for sentences in given for sentence in sentences]
    trees = options.parsed(parser, todo)
    return [[json_line(next(trees)[0]) for _ in sentences] for sentences in given]


@lru_cache(maxsize=4)
def load_once(model: str, device: str = "cpu") -> Parser:
    """Load a parser, or return the one that this process has loaded before."""
    return load(model, device=device)


def json_line(tree: Tree) -> str:
    """Return a tree as a line of JSON, without the line end."""
    text = _JSON.write_tree(tree, 1).rstrip("\n")
    return text.encode("utf-8", _JSON.unencodable).decode("utf-8")


def _sentences(parser: Parser, value: Any) -> Iterator[Tree]:
    if value is None:
        return
    if not isinstance(value, str):
        if isinstance(value, bytes) or not isinstance(value, Iterable):
            raise UsageError(f"a value is {shown(value)}, expected a text or a list of words")
        words = [Token(str(word)) for word in value]
        yield Tree(words, Node(ROOT, range(len(words))))
        return
    if parser.tokenizer is None or not parser.reads_text:
        raise UsageError("this model cannot parse raw text; expected lists of words")
    yield from parser.tokenizer.split(value)
