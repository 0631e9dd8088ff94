"""discbracket, disco-dop's format: one tree per line, words with their index, `0=the`.

    (S (VP (WRB 0=Where) (VB 3=go)) (VBD 1=did) (NP (PRP 2=she)) (. 4=?))	a comment

The indices start at 0 and can be in any order. Parentheses in words are `#LRB#` and `#RRB#`.
Comments follow after a TAB. Three other forms are read, too: an older one with only indices in the
tree and the words after the TAB; square brackets; and files of treetools, whose indices start
at 1. The first tree with words decides where indices start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import length_hint
from typing import ClassVar

from crossbranch import _core
from crossbranch.errors import InputError
from crossbranch.escape import Memo, escaper, unescape
from crossbranch.tree import Node, Token, Tree
from crossbranch.treebank.brackets import (
    BLANK,
    BracketError,
    build,
    escape_label,
    least_size,
    offset_of,
    quote,
    unescape_label,
    units_of,
    write_brackets,
)
from crossbranch.treebank.format import Format, Holds
from crossbranch.treebank.source import Source

_FIRST_LEAF = re.compile(r"\s*+(?:(?:\([^\s()]*+\s*+)++|(?:\[[^\s\[\]]*+\s*+)++)\d++(=)?", re.ASCII)
_INDEX = re.compile(r"\s(\d{1,9})(?=[=\s)\]])", re.ASCII)
_PARENTHESIS = re.compile("#([LR])RB#")
# First, blanks and every `#` that would become part of #LRB# are escaped; then parentheses.
_escape_rest = escaper(rf"{BLANK}|#(?=[LR]RB[#()])")
_escape_comment = escaper(r"[\x00-\x1f\x7f\x85]")


def _escape(form: str) -> str:
    return _escape_rest(form).replace("(", "#LRB#").replace(")", "#RRB#")


def _unescape(word: str) -> str:
    if "#" not in word:
        return word
    return unescape(_PARENTHESIS.sub(lambda match: "(" if match[1] == "L" else ")", word))


_escape_word = Memo(_escape)
_unescape_word = Memo(_unescape)
# Plain trees go through the core. What it refuses is read and written by the Python code below.
_plain_reader = _core.TreeReader(Token, Node, _unescape_word, unescape_label)
_plain_writer = _core.TreeWriter(Node, _escape_word, escape_label)


class DiscBracket(Format):
    """One tree per line, with indices of tokens: forms, tags, labels and comments."""

    name: ClassVar[str] = "discbracket"
    summary: ClassVar[str] = "disco-dop's brackets, one tree per line: (S (NP 0=it) (VP 1=rains))"
    suffixes: ClassVar[tuple[str, ...]] = (".discbracket", ".discbrackets", ".dbr")
    holds: ClassVar[Holds] = Holds(
        lemmas=False,
        morphology=False,
        edge_labels=False,
        heads=False,
        secondary_edges=False,
        ids=False,
    )

    def looks_like(self, head: str) -> bool:
        """The first word has an index, or it is an index and the words follow."""
        match = _FIRST_LEAF.match(head)
        if match is None:
            return False
        return match[1] is not None or "\t" in head[match.end() :].partition("\n")[0]

    def read(self, source: Source) -> Iterator[Tree]:
        """Yield the tree of each line."""
        base: int | None = None  # where the indices of the file start
        most = source.limits.vertices
        number = 0
        for line, text in enumerate(source.lines(), 1):
            if not text or text.isspace():
                continue
            number += 1
            if base is None:
                base = first_index(text)
            try:
                source.check(line, line)
                if len(text) > most:
                    source.check_size(least_size(text, most), line=line, sentence=str(number))
                tree = read_line(text, str(number), base or 0)
            except BracketError as error:
                source.report(
                    source.error(error.found, error.expected, line=line, sentence=str(number))
                )
            except InputError as error:
                source.report(error)
            else:
                yield tree

    def write_tree(self, tree: Tree, number: int) -> str:
        """Return the tree and its comments on one line."""
        text = _plain_writer.discbracket(tree.sentence, tree.root) or write_carefully(tree)
        return "\t".join([text, *map(_escape_comment, tree.comments)]) + "\n"


def first_index(line: str) -> int | None:
    """Return where the indices of a tree start; None if it has no indices."""
    indices = sorted(map(int, _INDEX.findall(line.partition("\t")[0])))
    if not indices:
        return None
    return int(indices == list(range(1, len(indices) + 1)))


def read_line(line: str, id: str, base: int) -> Tree:
    """Return the tree of a line whose indices start at `base`."""
    text, _, rest = line.partition("\t")
    plain = None if base else _plain_reader.discbracket(text)
    if plain is not None:
        comments = [unescape(part) for part in rest.split("\t")] if rest else ()
        return Tree(*plain, id=id, comments=comments)
    return read_carefully(text, rest, id, base)


def read_carefully(text: str, rest: str, id: str, base: int) -> Tree:
    """Read an unusual line, or say what is wrong with it. `rest` is the text after the TAB."""
    leaves = _Leaves(len(text), base, rest)
    units = units_of(text)
    left = iter(units)
    try:
        root = build(left, leaves.add)
        if next(left, None) is not None:
            raise BracketError(
                "more text after the tree", "the end of the line, or a TAB and a comment"
            )
    except BracketError as error:
        error.offset = offset_of(text, len(units) - length_hint(left) - 1)
        raise
    comments = [unescape(part) for part in rest.split("\t")] if leaves.has_comments else ()
    return Tree(leaves.sentence(), root, id=id, comments=comments)


def write_carefully(tree: Tree) -> str:
    """Return the brackets of any tree."""
    words = [f"{i}={_escape_word[token[0]]}" for i, token in enumerate(tree.sentence)]
    return write_brackets(tree, escape_label[tree.root.label], words)


class _Leaves:
    """The tokens of one line, by index."""

    def __init__(self, limit: int, base: int, rest: str) -> None:
        self._tokens: dict[int, Token] = {}
        self._limit = limit  # no line has more tokens than characters
        self._base = base
        self._rest = rest  # comments, or all words
        self.has_comments = rest != ""

    def add(self, tag: str, word: str) -> int:
        """Take a token and return its index, counted from 0."""
        number, equals, form = word.partition("=")
        if not (number.isdecimal() and number.isascii() and len(number) < 10):
            raise BracketError(quote(word), "an index and a word, such as 0=the")
        index = int(number) - self._base
        if index in self._tokens:
            raise BracketError(f"index {number} a second time", "each index once")
        if not 0 <= index < self._limit:
            raise BracketError(
                f"index {number}",
                f"indices that start at {self._base}",
            )
        if not equals:
            form = self._word(index, number)
        self._tokens[index] = Token(_unescape_word[form], unescape_label[tag] if tag else "")
        return index

    def _word(self, index: int, number: str) -> str:
        self.has_comments = False
        words = self._rest.split(" ")
        if not self._rest or index >= len(words):
            raise BracketError(
                f"index {number} without a word", "an index and a word, such as 0=the"
            )
        return words[index]

    def sentence(self) -> list[Token]:
        """Return the tokens in order."""
        tokens, base = self._tokens, self._base
        sentence = [tokens[index] for index in range(len(tokens)) if index in tokens]
        if len(sentence) < len(tokens):
            missing = next(index for index in range(len(tokens)) if index not in tokens)
            found = f"{len(tokens)} words, none with index {missing + base}"
            raise BracketError(found, f"the indices {base} to {len(tokens) - 1 + base}")
        return sentence
