"""Penn brackets: one tree after the other, each on any number of lines.

    ( (S (NP-SBJ-1 (DT The) (NN house))
         (VP (VBD was)
             (VP (VBN sold) (NP (-NONE- *-1)))) (. .)))

Labels keep their functions and indices, and words keep their escapes. Empty elements are tokens
with the tag -NONE-; the transform `traces` turns them into crossing branches. Words are in the
order of the text, so only continuous trees can be written. Square brackets are read, too:

    [S [NP The house] [VP was sold]]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from crossbranch.escape import Memo, escaper, unescape
from crossbranch.tree import ROOT, Token, Tree
from crossbranch.treebank.brackets import (
    BLANK,
    Unit,
    build,
    escape_label,
    read_trees,
    unescape_label,
    write_brackets,
)
from crossbranch.treebank.discbracket import DiscBracket
from crossbranch.treebank.format import Format, Holds
from crossbranch.treebank.psd import Psd
from crossbranch.treebank.source import Source

_NOTICE = "*x*"  # some files of the Penn Treebank begin with a notice; its lines begin with this
_escape_word = Memo(escaper(rf"{BLANK}|[()]"))
_unescape_word = Memo(unescape)


class PennBracket(Format):
    """Penn brackets: forms, tags and labels of continuous trees."""

    name: ClassVar[str] = "bracket"
    summary: ClassVar[str] = "Penn brackets, continuous trees only: (S (NP it) (VP rains))"
    suffixes: ClassVar[tuple[str, ...]] = (".mrg", ".ptb", ".bracket", ".brackets", ".tree")
    holds: ClassVar[Holds] = Holds(
        crossing_branches=False,
        lemmas=False,
        morphology=False,
        edge_labels=False,
        heads=False,
        secondary_edges=False,
        ids=False,
        comments=False,
    )

    def looks_like(self, head: str) -> bool:
        """The text begins with brackets, and they are not those of another format."""
        if not re.match(r"\s*(\(|\*x\*)", head) and not _looks_square(head):
            return False
        return not DiscBracket().looks_like(head) and not Psd().looks_like(head)

    def read(self, source: Source) -> Iterator[Tree]:
        """Yield the trees. Their ids are their numbers."""
        lines = ("" if line.startswith(_NOTICE) else line for line in source.lines())
        return read_trees(source, lines, bracket_tree)

    def write_tree(self, tree: Tree, number: int) -> str:
        """Return the tree on one line."""
        label = "" if tree.root.label == ROOT else escape_label[tree.root.label]
        words = [_escape_word[token[0]] for token in tree.sentence]
        return write_brackets(tree, label, words) + "\n"


def _looks_square(head: str) -> bool:
    """Say whether a text may begin with a tree in square brackets.

    Plain texts sometimes begin with square brackets, too: `[Applause]`, `[1] In the beginning`. So
    there must be a bracket inside the first one, and only further trees after it on its line.
    """
    if not re.match(r"\s*\[[^\s\[\]]*\s*+[^\[\]]*+\[[^\s\[\]]+\s", head):
        return False
    depth = 0
    for match in re.finditer(r"[\[\]]", head):
        depth += 1 if match[0] == "[" else -1
        if depth == 0:
            return re.match(r"[^\S\n]*(\[|\n|\Z)", head[match.end() :]) is not None
    return True


def bracket_tree(units: Iterator[Unit], id: str) -> Tree:
    """Read the units of one tree and return the tree."""
    sentence: list[Token] = []

    def leaf(tag: str, word: str) -> int:
        sentence.append(Token(_unescape_word[word], unescape_label[tag]))
        return len(sentence) - 1

    root = build(units, leaf)
    return Tree(sentence, root, id=id)
