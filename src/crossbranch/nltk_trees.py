"""From trees of crossbranch to trees of NLTK, and back. Needs the extra `crossbranch[nltk]`.

NLTK's trees keep their leaves in the order of the branches, so only a continuous tree can have
words as leaves. For a tree with crossing branches, the leaves are token positions, and the words
are a separate list. `nltk.tree.prettyprinter.TreePrettyPrinter(tree, words)` takes such a pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, cast

from crossbranch.doors import door
from crossbranch.errors import TreeError, UsageError
from crossbranch.tree import ROOT, Node, Token, Tree

if TYPE_CHECKING:
    from nltk.tree import Tree as NltkTree


@door
def to_nltk(tree: Tree) -> NltkTree:
    """Return a continuous tree as an nltk.Tree whose leaves are the words, below their tags.

    A word without a tag is directly in its phrase: `(NP the cat)`. If it is the only word there, it
    gets an empty tag: `(NP ( cat))`. Otherwise, the label of the phrase would be read as its tag.

    Raises:
        TreeError: The tree has crossing branches, so its leaves would be in another order than its
            words. Use `to_nltk_positions` for such trees.
    """
    if tree.is_discontinuous:
        raise TreeError(
            "the branches of this tree cross, and NLTK would reorder its words: use "
            "to_nltk_positions(tree), or make the tree continuous with a transform such as raise"
        )
    return _build(tree, tree.words)


@door
def to_nltk_positions(tree: Tree) -> tuple[NltkTree, list[str]]:
    """Return any tree as an nltk.Tree whose leaves are token positions, and the list of its words.

    `from_nltk` and NLTK's `TreePrettyPrinter` take such a pair.
    """
    return _build(tree, range(len(tree.sentence))), tree.words


def _build(tree: Tree, leaves: Sequence[str | int]) -> NltkTree:
    nltk = _nltk()
    built: dict[int, NltkTree] = {}
    for node in tree.root.postorder():
        children: list[NltkTree | str | int] = []
        for child in node.children:
            if not isinstance(child, int):
                children.append(built.pop(id(child)))
            elif (tag := tree.sentence[child].tag) or len(node.children) == 1:
                children.append(nltk.Tree(tag, [leaves[child]]))
            else:
                children.append(leaves[child])
        built[id(node)] = nltk.Tree(node.label, children)
    return built[id(tree.root)]


@door
def from_nltk(tree: NltkTree, words: Sequence[str] | None = None) -> Tree:
    """Return a Tree from an nltk.Tree.

    A subtree with a single leaf is read as a tag. If the whole tree is only a tag, it gets a root.

    Args:
        tree: A tree of NLTK, as made by `to_nltk` or `to_nltk_positions`.
        words: The words, if the leaves are token positions. Without them, the leaves are the words
            from left to right.

    Raises:
        TreeError: `tree` is not an nltk.Tree, a leaf is not a position, or a position is at two
            leaves or at no leaf.
    """
    nltk = _nltk()
    if not isinstance(tree, nltk.Tree):
        raise TreeError(f"found {type(tree).__name__}, expected an nltk.Tree")
    tokens: dict[int, Token] = {}

    def leaf(value: object, tag: str) -> int:
        position = len(tokens) if words is None else _position(value, len(words))
        form = str(value) if words is None else words[position]
        if position in tokens:
            raise TreeError(f"token {position} is at two leaves")
        tokens[position] = Token(form, tag)
        return position

    # Each subtree is visited twice: first for its children, then to make its node.
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
        raise TreeError(f"token {missing} is at no leaf")
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
