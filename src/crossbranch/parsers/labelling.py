"""Functions and heads of parsed trees: how a labeller is learned and applied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from crossbranch.config import Settings
from crossbranch.functions import FunctionLabeller, accuracy
from crossbranch.functions.labeller import Bare, Labelled
from crossbranch.parsers.front_end_learning import TrainingData
from crossbranch.parsers.sources import Sources, has_function
from crossbranch.search import Analysis
from crossbranch.training import Example, Watcher
from crossbranch.transforms.head_choice import choose_head_table
from crossbranch.tree import Sentence, Tree


def learn_labeller(
    settings: Settings, data: TrainingData, sources: Sources, watcher: Watcher
) -> FunctionLabeller:
    """Learn to give parsed trees their functions and heads; without functions, only heads.

    The labeller learns from the sources that teach functions. It sees the tags that the parser
    sees. A source that does not teach the parser is seen with its own tags.
    """
    watcher.stage("learning functions" if settings.functions else "learning heads")
    trees, others = _by_what_they_teach(settings, data, sources)
    if not settings.functions:
        trees, others = [], [*trees, *others]
    table = settings.heads
    if table in ("auto", "none"):
        table = choose_head_table([*trees, *others])
    return FunctionLabeller.learn(
        trees,
        others=others,
        head_table=table,
        seed=settings.seed,
        clusters=data.front_end.clusters,
        threads=settings.threads,
    )


def _by_what_they_teach(
    settings: Settings, data: TrainingData, sources: Sources
) -> tuple[list[Tree], list[Tree]]:
    """Return the trees whose functions are learned, and the other ones."""
    trees: list[Tree] = []
    others: list[Tree] = []
    examples = iter(data.train)
    for source in sources.sources:
        teaches = "functions" in source.teaches
        if "parser" in source.teaches:
            part = islice(examples, len(source.originals))
            (trees if teaches else others).extend(seen_tree(one, settings) for one in part)
        elif teaches:
            trees += source.trees("functions")
    return trees, others


def seen_tree(example: Example, settings: Settings) -> Tree:
    """Return the gold tree with the tags that the labeller will see."""
    return example.tree if settings.tags == "own" else example.retagged


def labelled(
    labeller: FunctionLabeller,
    sentences: Sequence[Sentence],
    found: Sequence[list[Analysis]],
    *,
    are_new: bool = False,
) -> Iterator[list[Analysis]]:
    """Give the analyses of sentences their functions and heads, all at once in the core.

    If `are_new`, no two analyses share nodes, and nobody else has them.
    """
    pairs = zip(sentences, found, strict=True)
    bare = [Bare(sentence, one.root, one.tags) for sentence, each in pairs for one in each]
    made = labeller.label(bare, are_new=are_new)
    return ([_completed(one, next(made)) for one in each] for each in found)


def _completed(analysis: Analysis, found: Labelled) -> Analysis:
    return analysis._replace(root=found.root, functions=found.functions)


def function_facts(
    labeller: FunctionLabeller, dev: Sequence[Example], settings: Settings
) -> dict[str, Any]:
    """Return facts about the functions for the manifest, with the accuracy on gold dev trees."""
    facts: dict[str, Any] = {"names": list(labeller.functions)}
    # Of several dev sources, some may have no functions.
    trees = [seen_tree(example, settings) for example in dev if has_function(example.tree)]
    if trees:
        facts["accuracy"] = accuracy(labeller, trees, threads=settings.threads)
    return facts
