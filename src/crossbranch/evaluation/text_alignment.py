"""Aligns trees of the same text that was split into sentences and tokens in two ways.

Sentences are collected until both sides end at the same character. Then the trees of each side are
joined into one tree. Its tokens end wherever a token of either side ends. So a bracket is right if
it has the right label and covers the right characters, wherever sentences and tokens begin and end.
White space does not count. If both sides have the same sentences and tokens, their trees do not
change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from crossbranch.errors import InputError
from crossbranch.tree import ROOT, Node, Token, Tree

_BLANKS = re.compile(r"[\s\ufeff\u200b]+")


class Surface(NamedTuple):
    """A tree, and the words of its tokens as they are in the text, without white space."""

    tree: Tree
    words: list[str]


TreePairs = Iterator[tuple[Tree, Tree | None]]


def align_by_text(
    gold: Iterable[Tree | None], predicted: Iterable[Tree | None], name: str
) -> TreePairs:
    """Yield gold and predicted trees over the same tokens. None: there are no more predictions.

    Raises:
        InputError: The texts are not the same.
    """
    ours, theirs = _Side(gold), _Side(predicted)
    while ours.take():
        while ours.size != theirs.size:
            behind = ours if ours.size < theirs.size else theirs
            if not behind.take():
                break
        if not theirs.taken:
            cuts = _cuts(ours.words)
            yield _joined(ours.give(), cuts), None
            continue
        _check(ours, theirs, name)
        yield _pair(ours, theirs)
    if theirs.take():
        raise InputError(f"more text, {_start(theirs)!r}", "the end, as in gold", path=name)


class _Side:
    """One of the two treebanks: its trees, and those that are collected but not yet yielded."""

    def __init__(self, trees: Iterable[Tree | None]) -> None:
        self._trees = iter(trees)
        self.taken: list[Surface] = []
        self.size = 0  # characters of all trees that were taken

    def take(self) -> bool:
        """Take the next tree that has tokens. Return False if there is none."""
        for tree in self._trees:
            if tree is not None and tree.sentence:
                words = _surface(tree)
                self.taken.append(Surface(tree, words))
                self.size += sum(map(len, words))
                return True
        return False

    def give(self) -> list[Tree]:
        trees = [surface.tree for surface in self.taken]
        self.taken = []
        return trees

    @property
    def words(self) -> list[str]:
        return [word for surface in self.taken for word in surface.words]


def _surface(tree: Tree) -> list[str]:
    first = tree.sentence[0].start
    words = [token.form for token in tree.sentence]
    if tree.text and first is not None:
        words = [
            tree.text[token.start - first : token.end - first]
            if token.start is not None and token.end is not None
            else token.form
            for token in tree.sentence
        ]
    found = [_BLANKS.sub("", word) for word in words]
    if not all(found):
        blank = words[found.index("")]
        raise InputError(f"the token {blank!r}", "tokens with visible characters", sentence=tree.id)
    return found


def _check(gold: _Side, predicted: _Side, name: str) -> None:
    ours, theirs = "".join(gold.words), "".join(predicted.words)
    if ours == theirs:
        return
    same = next(
        (i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b),
        min(len(ours), len(theirs)),
    )
    found, expected = theirs[same : same + 20], ours[same : same + 20]
    sentence = gold.taken[0].tree.id
    raise InputError(
        f"the text {found!r}", f"{expected!r}, as in gold", path=name, sentence=sentence
    )


def _pair(gold: _Side, predicted: _Side) -> tuple[Tree, Tree]:
    ours, theirs = _cuts(gold.words), _cuts(predicted.words)
    trees, others = gold.give(), predicted.give()
    if ours == theirs and len(trees) == len(others) == 1:
        return trees[0], others[0]
    cuts = sorted({*ours, *theirs})
    return _joined(trees, cuts, ours), _joined(others, cuts, theirs)


def _cuts(words: Iterable[str]) -> list[int]:
    """Return the positions (in characters) at which tokens end."""
    return list(accumulate(map(len, words)))


def _joined(trees: Sequence[Tree], cuts: Sequence[int], own: Sequence[int] | None = None) -> Tree:
    """Join trees into one, over the tokens between `cuts`. `own` are the ends of their tokens."""
    ends = {cut: number for number, cut in enumerate(cuts, 1)}
    bounds = [0, *(ends[cut] for cut in (own or cuts))]
    sentence: list[Token] = []
    children: list[Node | int] = []
    done = 0
    for tree in trees:
        stop = done + len(tree.sentence)
        pieces = [range(bounds[i], bounds[i + 1]) for i in range(done, stop)]
        for token, piece in zip(tree.sentence, pieces, strict=True):
            sentence.extend([token] * len(piece))
        root = _moved(tree.root, pieces)
        children.extend(root.children if root.label == ROOT else [root])
        done = stop
    return Tree(sentence, Node(ROOT, children), id=trees[0].id)


def _moved(root: Node, pieces: Sequence[range]) -> Node:
    """Return the nodes over other tokens: each token is replaced by the tokens of its piece."""
    moved: dict[int, Node] = {}
    for node in root.postorder():
        children: list[Node | int] = []
        for child in node.children:
            if isinstance(child, int):
                children.extend(pieces[child])
            else:
                children.append(moved.pop(id(child)))
        moved[id(node)] = Node(node.label, children, edge_label=node.edge_label)
    return moved[id(root)]


def _start(side: _Side) -> str:
    return "".join(side.words)[:20]
