"""Tree: a sentence and its root.

The tokens and nodes of a tree are its *vertices*. They are numbered: tokens are 0 .. n-1, the root
is n, and the other nodes follow in preorder. Secondary edges use these numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from os import PathLike
from typing import Any, Literal, NamedTuple, Self, overload

from crossbranch import _core
from crossbranch import span as spans
from crossbranch.clause import Clause
from crossbranch.constituent import Constituent, confidence_of, find, find_at
from crossbranch.doors import check_type, door
from crossbranch.errors import TreeError, VertexError
from crossbranch.node import ROOT, Features, Node, Sentence, Token, Value, feature, with_feature
from crossbranch.span import Span
from crossbranch.tables import Record, records_of

__all__ = [
    "ROOT",
    "Bracket",
    "Constituent",
    "Dependency",
    "Features",
    "Node",
    "SecondaryEdge",
    "Sentence",
    "Token",
    "Tree",
    "feature",
    "with_feature",
]


class Bracket(NamedTuple):
    """Label and span of a node: what evaluation counts."""

    label: str
    span: Span


class SecondaryEdge(NamedTuple):
    """An additional edge, from a vertex to another vertex that is not its parent in the tree."""

    label: str
    child: int
    parent: int


class Dependency(NamedTuple):
    """A word, the word that it depends on, and their relation."""

    token: int
    """The index of the word in the sentence."""

    head: int | None
    """The index of the word that it depends on. None for the head of the sentence."""

    relation: str
    """Its function, such as SB. Without a function: root, punct or dep."""

    word: str
    """The word itself."""

    head_word: str | None
    """The word that it depends on. None for the head of the sentence."""


class Tree(Value):
    """A sentence and its root, with secondary edges, an id, comments and features."""

    _fields = ("sentence", "root", "id", "secondary_edges", "comments", "features", "text")
    __slots__ = ("_head_tokens", "_nodes", "_parents", *_fields)

    sentence: Sentence
    root: Node
    id: str
    secondary_edges: tuple[SecondaryEdge, ...]
    comments: tuple[str, ...]
    features: Features
    text: str
    """The part of the raw text from the first token to the last; empty if it is not known."""
    _nodes: tuple[Node, ...] | None
    _parents: tuple[int, ...] | None
    _head_tokens: tuple[int | None, ...] | None

    def __init__(
        self,
        sentence: Iterable[Token],
        root: Node,
        *,
        id: str = "",
        secondary_edges: Iterable[SecondaryEdge] = (),
        comments: Iterable[str] = (),
        features: Features = (),
        text: str = "",
    ) -> None:
        """Make a tree. The root must cover exactly the tokens of the sentence."""
        try:
            sentence = tuple(sentence)
            if root.span != (1 << len(sentence)) - 1:
                raise TreeError(_uncovered(sentence, root))
        except AttributeError:
            check_type("root", root, Node, "Tree")
            raise
        if sentence and sentence[0].__class__ is not Token:
            check_type("sentence", sentence, Sequence[Token], "Tree")
        fix = object.__setattr__
        fix(self, "sentence", sentence)
        fix(self, "root", root)
        fix(self, "id", id)
        fix(self, "comments", tuple(comments))
        fix(self, "features", features)
        fix(self, "text", text)
        fix(self, "_nodes", None)
        fix(self, "_parents", None)
        fix(self, "_head_tokens", None)
        edges = tuple(secondary_edges)
        fix(self, "secondary_edges", edges)
        if edges:
            count = len(sentence) + len(self.nodes)
            check_type("secondary_edges", edges, Sequence[SecondaryEdge], "Tree")
            for edge in edges:
                if not (0 <= edge.child < count and 0 <= edge.parent < count):
                    raise TreeError(f"{edge} has an end that is not a vertex of this tree")

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes in preorder. The vertex of nodes[k] is len(sentence) + k."""
        if self._nodes is None:
            nodes: list[Node] = []
            stack = [self.root]
            while stack:  # as preorder, without a generator
                node = stack.pop()
                nodes.append(node)
                stack.extend([c for c in reversed(node.children) if c.__class__ is not int])  # type: ignore[misc]
            object.__setattr__(self, "_nodes", tuple(nodes))
        return self._nodes  # type: ignore[return-value]

    @property
    def parents(self) -> tuple[int, ...]:
        """The parent of each vertex, as a vertex; -1 for the root."""
        if self._parents is None:
            object.__setattr__(self, "_parents", self._find_parents())
        return self._parents  # type: ignore[return-value]

    def _find_parents(self) -> tuple[int, ...]:
        count = len(self.sentence)
        vertices = {id(node): vertex for vertex, node in enumerate(self.nodes, count)}
        parents = [-1] * (count + len(vertices))
        for parent, node in enumerate(self.nodes, count):
            for child in node.children:
                parents[child if isinstance(child, int) else vertices[id(child)]] = parent
        return tuple(parents)

    @property
    def head_tokens(self) -> tuple[int | None, ...]:
        """The head token of each node, in the order of `nodes`. None if it cannot be found.

        Heads that are not marked are found as in `mark_heads`.
        """
        if self._head_tokens is None:
            found = _room("dependencies").head_tokens(self.mark_heads())
            object.__setattr__(self, "_head_tokens", tuple(found))
        return self._head_tokens  # type: ignore[return-value]

    @property
    def shape(self) -> _core.TreeShape:
        """The shape of the tree, computed by the core: spans, fan-outs and ill-nested pairs."""
        return _core.TreeShape(len(self.sentence), list(self.parents))

    @property
    def gap_degree(self) -> int:
        """The largest gap degree of a node."""
        return max(node.gap_degree for node in self.nodes)

    @property
    def fan_out(self) -> int:
        """The largest fan-out of a node."""
        return max(node.fan_out for node in self.nodes)

    @property
    def is_discontinuous(self) -> bool:
        """Whether at least one node is discontinuous."""
        return any(node.is_discontinuous for node in self.nodes)

    @property
    def is_ill_nested(self) -> bool:
        """Whether two disjoint nodes each have tokens in a gap of the other."""
        return sum(n.is_discontinuous for n in self.nodes) > 1 and self.shape.is_ill_nested()

    @property
    def brackets(self) -> list[Bracket]:
        """Label and span of every node, the root included, in preorder."""
        return [Bracket(node.label, node.span) for node in self.nodes]

    @property
    def words(self) -> list[str]:
        """The forms of the tokens."""
        return [token.form for token in self.sentence]

    @property
    def tags(self) -> list[str]:
        """The tags of the tokens."""
        return [token.tag for token in self.sentence]

    @property
    def confidence(self) -> float | None:
        """How sure the parser is of the whole tree, from 0 to 1. None if it is not known."""
        return confidence_of(self.features)

    def constituents(self, *labels: str) -> list[Constituent]:
        """Return the constituents with one of these labels, in preorder.

        Without labels, all constituents are returned, except for the virtual root. To get the
        virtual root, ask for its label.
        """
        return find(self, labels)

    @door
    def constituents_at(self, start: int, end: int | None = None) -> list[Constituent]:
        """Return the constituents at a position in the raw text, from the smallest to the largest.

        They contain every token with a character from `start` up to `end` (default: only the
        character at `start`). If there is no token there, for example in white space, the list is
        empty.
        """
        return find_at(self, start, start + 1 if end is None else end)

    @door
    def mark_heads(self, table: str = "auto") -> Tree:
        """Return the tree with every head marked. Heads that are marked already stay.

        Args:
            table: A head table: its name, such as "negra", or a file. With "auto", the table that
                fits the labels of this tree best. If none fits, nothing is marked.
        """
        return _room("transforms.head_choice").mark_heads(self, table)  # type: ignore[no-any-return]

    def dependencies(self) -> list[Dependency]:
        """Return for each word the word that it depends on, and their relation.

        Heads that are not marked are found as in `mark_heads`. The relation is the function, such
        as SB; without functions, it is `root`, `punct` or `dep`. Trees without constituents, from
        files of dependencies, give the dependencies of the file.

        Raises:
            TreeError: A head is not marked, and no head table knows the labels of the tree.
        """
        return _room("dependencies").dependencies_of(self)  # type: ignore[no-any-return]

    def clauses(self) -> list[Clause]:
        """Return the clauses: the verb of each one with its subject, objects and other parts.

        Functions are used if the tree has them, otherwise the positions of constituents.

        Raises:
            TreeError: The labels are not in the style of Penn, TIGER, Alpino or IcePaHC.
        """
        return _room("clauses").clauses_of(self)  # type: ignore[no-any-return]

    def records(self) -> list[Record]:
        """Return one plain dict for each constituent, for example for a data frame."""
        return records_of(self, self.id)

    @staticmethod
    @door
    def from_string(text: str) -> Tree:
        """Return the tree that is written in a text with brackets.

        The brackets are round, `(S (NP The cat) (VP sat))`, or square. A bracket around a single
        word is the tag of the word. For crossing branches, write words with their positions:
        `(VP 0=What 3=do)`.

        Raises:
            InputError: The text has no tree, or several. The error says where in the text.
        """
        return _room("treebank.notation").tree_from_string(text)  # type: ignore[no-any-return]

    def to_dict(self) -> dict[str, Any]:
        """Return the whole tree as plain dicts and lists, as in a line of JSON."""
        return _room("treebank.records").tree_to_dict(self)  # type: ignore[no-any-return]

    @staticmethod
    def from_dict(values: Mapping[str, Any]) -> Tree:
        """Return the tree of a dict that `to_dict` made.

        Raises:
            TreeError: A field is missing or wrong, or the nodes and tokens do not form a tree.
        """
        return _room("treebank.records").tree_from_dict(values)  # type: ignore[no-any-return]

    @overload
    def draw(
        self, path: None = None, *, format: Literal["pdf", "png"], **options: Any
    ) -> bytes: ...

    @overload
    def draw(
        self,
        path: None = None,
        *,
        format: Literal["drawn", "svg", "tikz", "html"] = "drawn",
        **options: Any,
    ) -> str: ...

    @overload
    def draw(self, path: str | PathLike[str], *, format: str = "", **options: Any) -> None: ...

    @door
    def draw(
        self, path: str | PathLike[str] | None = None, *, format: str = "", **options: Any
    ) -> str | bytes | None:
        """Draw the tree. Return the drawing, or write it to a file.

        Args:
            path: The file to write. Its ending decides the format.
            format: "drawn" (the default: text characters), "svg", "tikz", "html", "pdf" or "png".
            options: The options of `draw_text`, `draw_svg`, `draw_tikz`, `draw_html`, `draw_pdf`
                or `draw_png`. Also `fit=True`, which cuts a wide tree into panels that fit a page.
        """
        return _room("drawing.dispatch").draw(self, path, format=format, **options)  # type: ignore[no-any-return]

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        return _room("drawing.dispatch").draw_for_notebook(self)  # type: ignore[no-any-return]

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed. If tokens change, the text is cut to fit."""
        if self.text and "sentence" in changes and "text" not in changes:
            changes["text"] = _text_of(tuple(changes["sentence"]), self)
        return super().replace(**changes)

    @door
    def vertex(self, number: int) -> Token | Node:
        """Return the token or node with this vertex number."""
        count = len(self.sentence)
        if not 0 <= number < count + len(self.nodes):  # such as the parent of the root
            raise VertexError(f"there is no vertex {number}")
        return self.sentence[number] if number < count else self.nodes[number - count]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        mine, yours = self._values(), other._values()
        if mine["secondary_edges"] != yours["secondary_edges"]:  # their order means nothing
            for values in (mine, yours):
                values["secondary_edges"] = sorted(values["secondary_edges"])
        return mine == yours

    def __hash__(self) -> int:
        return hash((self.id, self.sentence, self.root))

    def __str__(self) -> str:
        words = " ".join(f"{i}={token.form}" for i, token in enumerate(self.sentence))
        text = f"{self.root} {words}"
        # Half of a surrogate pair cannot be printed.
        return text.encode("utf-8", "backslashreplace").decode("utf-8")

    def __repr__(self) -> str:
        return f"<Tree {self.id}: {self}>" if self.id else f"<Tree {self}>"

    def __reduce__(self) -> tuple[object, ...]:
        return partial(Tree, **self._values()), ()


def _room(name: str) -> Any:
    # Formats and drawings are in higher layers, so they are found by name when they are needed.
    return import_module(f"crossbranch.{name}")


def _text_of(sentence: Sentence, tree: Tree) -> str:
    """The part of a tree's text that these tokens are from; empty if it is not known."""
    first, last = _extent(tree.sentence)
    start, end = _extent(sentence)
    if last - first != len(tree.text) or not first <= start <= end <= last:
        return ""
    return tree.text[start - first : end - first]


def _extent(sentence: Sentence) -> tuple[int, int]:
    """The smallest start and the largest end of these tokens in the raw text."""
    starts = [token.start for token in sentence if token.start is not None]
    ends = [token.end for token in sentence if token.end is not None]
    return min(starts, default=0), max(ends, default=0)


def _uncovered(sentence: Sentence, root: Node) -> str:
    count = len(sentence)
    if beyond := spans.tokens_of(root.span >> count << count):
        return f"the root covers tokens {beyond}, the sentence has {count}"
    return f"the root does not cover tokens {spans.tokens_of(~root.span & (1 << count) - 1)}"
