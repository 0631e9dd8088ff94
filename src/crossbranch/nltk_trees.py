"""Trees of crossbranch as trees of NLTK, and back; needs the extra `crossbranch[nltk]`.

NLTK's trees have no place for discontinuity, so leaves are token positions here and the words stand
beside them: just what `nltk.tree.prettyprinter.TreePrettyPrinter(tree, words)` wants.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, cast

from crossbranch.errors import TreeError, UsageError
from crossbranch.tree import ROOT, Node, Token, Tree

if TYPE_CHECKING:
    from nltk.tree import Tree as NltkTree


def to_nltk(tree: Tree) -> tuple[NltkTree, list[str]]:
    """Return an nltk.Tree whose leaves are token positions below their tags, and the words."""
    nltk = _nltk()
    built: dict[int, NltkTree] = {}
    for node in tree.root.postorder():
        children = [
            nltk.Tree(tree.sentence[c].tag, [c]) if isinstance(c, int) else built.pop(id(c))
            for c in node.children
        ]
        built[id(node)] = nltk.Tree(node.label, children)
    return built[id(tree.root)], [token.form for token in tree.sentence]


def from_nltk(tree: NltkTree, words: Sequence[str] | None = None) -> Tree:
    """Return a Tree from an nltk.Tree.

    With `words`, the leaves are token positions; without, they are the words themselves from left
    to right. A subtree over a single leaf is read as a tag; a tree that is nothing but a tag gets a
    root.
    """
    nltk = _nltk()
    tokens: dict[int, Token] = {}

    def leaf(value: object, tag: str) -> int:
        position = len(tokens) if words is None else _position(value, len(words))
        form = str(value) if words is None else words[position]
        if position in tokens:
            raise TreeError(f"token {position} stands at two leaves")
        tokens[position] = Token(form, tag)
        return position

    # Two visits for each subtree: on the way down its children, on the way up the node.
    done: list[Node | int] = []
    stack: list[tuple[NltkTree, bool]] = [(tree, False)]
    while stack:
        subtree, children_done = stack.pop()
        if children_done:
            start = len(done) - len(subtree)
            done[start:] = [Node(str(subtree.label()), done[start:])]
        elif not isinstance(subtree, nltk.Tree):
            done.append(leaf(subtree, ""))
        elif len(subtree) == 1 and not isinstance(subtree[0], nltk.Tree):
            done.append(leaf(subtree[0], str(subtree.label())))
        else:
            stack.append((subtree, True))
            stack.extend((child, False) for child in reversed(subtree))
    if words is not None and len(tokens) < len(words):
        missing = min(set(range(len(words))).difference(tokens))
        raise TreeError(f"token {missing} stands at no leaf")
    (top,) = done
    root = top if isinstance(top, Node) else Node(ROOT, [top])
    return Tree([tokens[position] for position in sorted(tokens)], root)


def _nltk() -> ModuleType:
    try:
        import nltk
    except ImportError:
        raise UsageError("NLTK is not installed; try: pip install 'crossbranch[nltk]'") from None
    return cast("ModuleType", nltk)


def _position(leaf: object, count: int) -> int:
    if isinstance(leaf, int) and 0 <= leaf < count:
        return leaf
    raise TreeError(f"found the leaf {leaf!r}, expected a token position below {count}")
