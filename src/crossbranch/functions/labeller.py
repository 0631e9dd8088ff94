"""FunctionLabeller: gives functions to nodes and tokens, and heads to nodes, in the core.

The files of a labeller in a model folder:

functions-settings.json   functions, labels, tags, templates, head rules
functions-weights.bin     the weights, packed by the core; none if there are no functions
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, Self

from crossbranch.doors import door
from crossbranch.errors import InputError, UsageError
from crossbranch.features import Clusters
from crossbranch.functions.encoder import Encoder
from crossbranch.functions.learning import core_labeller, learn
from crossbranch.functions.settings import EMPTY, LabellerSettings
from crossbranch.functions.table_heads import find_heads
from crossbranch.node import complete_nodes, trusted_node
from crossbranch.ranges import require_positive
from crossbranch.tagging.tagger import FolderLike
from crossbranch.transforms.head_rules import parse_table
from crossbranch.tree import Node, Sentence, Token, Tree

SETTINGS = "functions-settings.json"
WEIGHTS = "functions-weights.bin"


class Bare(NamedTuple):
    """A tree that is to be labelled: its tokens with their tags, and its root."""

    sentence: Sentence
    root: Node
    tags: Sequence[str] | None = None
    """Other tags than those of the tokens."""

    @property
    def tokens(self) -> Sequence[Token]:
        """The tokens with the other tags, if there are any."""
        if self.tags is None:
            return self.sentence
        pairs = zip(self.sentence, self.tags, strict=True)
        return [token._replace(tag=tag) for token, tag in pairs]


class Labelled(NamedTuple):
    """The root with functions and heads, and the functions of the tokens."""

    root: Node
    functions: Sequence[str] | None
    """None if tokens have no functions."""


class FunctionLabeller:
    """Gives each node and token its function, and each node its head."""

    @door
    def __init__(self, settings: LabellerSettings, encoder: Encoder, weights: bytes | None) -> None:
        """Make a labeller from its parts; usually, use `learn` or `from_folder`.

        Raises:
            UsageError: The templates are wrong.
            ValueError: The weights are damaged, or are for other functions.
        """
        self.settings = settings
        self.encoder = encoder
        self._weights = weights
        self._core = core_labeller(settings, encoder, weights)
        self._table = parse_table(settings.head_rules)

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions that it gives, sorted, without the empty one; none: it only marks heads."""
        return tuple(name for name in self.settings.functions if name)

    @classmethod
    @door
    def learn(
        cls,
        trees: Sequence[Tree],
        *,
        head_table: str,
        others: Sequence[Tree] = (),
        epochs: int = 8,
        seed: int = 1,
        clusters: Clusters | None = None,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
    ) -> Self:
        """Learn a labeller from trees with functions; from other trees, one that marks heads only.

        Args:
            trees: The training data, with the tags that the labeller will see.
            head_table: The name of a head table, or the path of a file.
            others: Trees without functions, whose labels and tags it should know, too.
            epochs: How often the labeller learns from all trees.
            seed: The same seed gives the same labeller.
            clusters: A table of word clusters.
            threads: The number of threads; it does not change the labeller.
            progress: Called with the number of each finished epoch.

        Raises:
            UsageError: There is no such table, or an option is out of range.
        """
        learned = learn(
            trees,
            others=others,
            head_table=head_table,
            epochs=epochs,
            seed=seed,
            clusters=clusters,
            threads=threads,
            progress=progress,
        )
        return cls(*learned)

    @door
    def label(
        self, trees: Sequence[Bare], *, threads: int = 1, are_new: bool = False
    ) -> Iterator[Labelled]:
        """Return the labelled trees, in order; existing functions and heads are ignored.

        The search is done when this returns; the nodes are made while the caller iterates.

        Args:
            trees: The trees.
            threads: The number of threads. The result does not depend on it.
            are_new: The nodes were just made, have no functions and heads, and nobody else has
                them. So they are completed instead of made again, which is faster.
        """
        require_positive(threads=threads)
        codes: array[int] = array("i")
        rows: array[int] = array("I")
        code_sizes, token_sizes, nodes = [], [], []
        for tree in trees:
            found, below = self.encoder.codes(tree.root)
            codes += found
            rows.frombytes(self.encoder.rows(tree.sentence, tree.tags))
            code_sizes.append(len(found))
            token_sizes.append(len(tree.sentence))
            nodes.append(below)
        code_offsets = list(accumulate(code_sizes, initial=0))
        token_offsets = list(accumulate(token_sizes, initial=0))
        numbers, heads = self._core.label(codes, code_offsets, rows, token_offsets, threads=threads)
        functions = list(map(self.settings.functions.__getitem__, memoryview(numbers).cast("H")))
        return self._built(
            nodes,
            token_sizes,
            functions,
            memoryview(heads).cast("i").tolist()
            if self._table.core_finds_the_same
            else self._heads_of_table(trees, nodes, functions),
            complete=_completed if are_new else _rebuilt,
        )

    def _heads_of_table(
        self, trees: Sequence[Bare], nodes: list[list[Node]], functions: list[str]
    ) -> list[int]:
        heads: list[int] = []
        start = 0
        for tree, below in zip(trees, nodes, strict=True):
            end = start + len(tree.sentence) + len(below)
            heads += find_heads(self._table, tree.tokens, below, functions[start:end])
            start = end
        return heads

    def _built(
        self,
        nodes: list[list[Node]],
        token_sizes: list[int],
        functions: list[str],
        heads: list[int],
        *,
        complete: Callable[[list[Node], list[str], list[int]], Node],
    ) -> Iterator[Labelled]:
        start = head_start = 0
        of_tokens = self.settings.of_tokens
        for below, size in zip(nodes, token_sizes, strict=True):
            middle, end = start + size, start + size + len(below)
            head_end = head_start + len(below)
            root = complete(below, functions[middle:end], heads[head_start:head_end])
            yield Labelled(root, functions[start:middle] if of_tokens else None)
            start, head_start = end, head_end

    def apply(self, tree: Tree) -> Tree:
        """Return a tree with predicted functions and heads instead of its own."""
        if not tree.sentence:
            return tree
        (found,) = self.label([Bare(tree.sentence, tree.root)])
        functions = found.functions or [EMPTY] * len(tree.sentence)
        tokens = zip(tree.sentence, functions, strict=True)
        sentence = [token._replace(edge_label=function) for token, function in tokens]
        return tree.replace(sentence=sentence, root=found.root)

    def files(self) -> dict[str, bytes]:
        """Return the labeller as files for a model folder."""
        weights = {} if self._weights is None else {WEIGHTS: self._weights}
        return {SETTINGS: self.settings.to_json(), **weights}

    @classmethod
    def from_folder(cls, folder: FolderLike, *, clusters: Clusters | None = None) -> Self:
        """Load what `files` returned; an InputError names the wrong file.

        Args:
            folder: The model folder.
            clusters: The table of clusters of the model, if it has one.
        """
        path = folder.where(SETTINGS)
        settings = LabellerSettings.from_json(folder.data(SETTINGS), path=path)
        if settings.clusters and clusters is None:
            raise InputError("templates for clusters", "a table of clusters", path=path)
        weights = folder.data(WEIGHTS) if len(settings.functions) > 1 else None
        kept = clusters if settings.clusters else None
        try:
            return cls(settings, Encoder(settings.labels, settings.tags, clusters=kept), weights)
        except UsageError as error:
            raise InputError(str(error), "the settings of a labeller", path=path) from None
        except ValueError as error:
            where = folder.where(WEIGHTS)
            raise InputError(str(error), "the weights of a labeller", path=where) from None


@door
def accuracy(labeller: FunctionLabeller, trees: Sequence[Tree], *, threads: int = 1) -> float:
    """Return the share of vertices of gold trees that get their function; or 0.

    The roots do not count, and tokens only if they have functions at all.
    """
    right = total = 0
    found = labeller.label([Bare(tree.sentence, tree.root) for tree in trees], threads=threads)
    for tree, (root, functions) in zip(trees, found, strict=True):
        made = tree.replace(root=root)
        pairs = list(zip(tree.nodes[1:], made.nodes[1:], strict=True))
        right += sum(one.edge_label == other.edge_label for one, other in pairs)
        total += len(pairs)
        if functions is not None:
            gold = [token.edge_label for token in tree.sentence]
            right += sum(one == other for one, other in zip(gold, functions, strict=True))
            total += len(gold)
    return right / total if total else 0.0


def _completed(nodes: list[Node], functions: list[str], heads: list[int]) -> Node:
    """Give functions and heads to new nodes; the root is the last of them."""
    complete_nodes(nodes, functions, heads)
    return nodes[-1]


def _rebuilt(nodes: list[Node], functions: list[str], heads: list[int]) -> Node:
    """Return the root of nodes with other functions and heads; children come before parents."""
    made: list[Node] = []
    for node, function, head in zip(nodes, functions, heads, strict=True):
        children = node.children
        count = sum([child.__class__ is not int for child in children])
        if count:
            parts = iter(made[-count:])
            del made[-count:]
            children = tuple([c if c.__class__ is int else next(parts) for c in children])
        made.append(
            trusted_node(
                node.label,
                children,
                node.span,
                edge_label=function,
                head=None if head < 0 else head,
                features=node.features,
            )
        )
    (root,) = made
    return root
