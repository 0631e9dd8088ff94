"""psd, the brackets of historical corpora such as IcePaHC: words with lemmas, trees with IDs.

    /* a comment */
    ( (IP-MAT (NP-SBJ (PRO-N hann-hann))
              (VBDI svaf-sofa)
              (. .-.)) (ID 1883.STORY,.7))

`word-lemma` is split at the last hyphen that has text on both sides. Traces (`*T*-1`), notes
(`{COM:...}`) and mark-up (`<P_12>`) have no lemma. Everything else is as in Penn brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
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
from crossbranch.treebank.format import Format, Holds
from crossbranch.treebank.source import Source

_ID = "ID"
_HAS_ID = re.compile(r"\(ID\s+[^\s()]+\s*\)\s*\)")
_WITHOUT_LEMMA = re.compile(r"[*{]|<[^<>]*>\Z")
_COMMENT = re.compile(r"/~?\*(.*)\*~?/\s*\Z", re.DOTALL)
_escape_word = Memo(escaper(rf"{BLANK}|[()]"))
_escape_more = Memo(escaper(rf"{BLANK}|[()-]|\A[*{{<]"))
_escape_comment = escaper(r"[\x00-\x09\x0b-\x1f\x7f\x85]|\A\s|\s\Z|\*(?=~?/)")


class Psd(Format):
    """Brackets with lemmas and ids: forms, tags, lemmas and labels of continuous trees."""

    name: ClassVar[str] = "psd"
    summary: ClassVar[str] = (
        "brackets of historical corpora: ( (IP (VBDI svaf-sofa)) (ID 1883.STORY,.7))"
    )
    suffixes: ClassVar[tuple[str, ...]] = (".psd",)
    holds: ClassVar[Holds] = Holds(
        crossing_branches=False,
        morphology=False,
        edge_labels=False,
        heads=False,
        secondary_edges=False,
    )

    def looks_like(self, head: str) -> bool:
        """The text has brackets that end with an ID."""
        return re.match(r"\s*(\(|/~?\*)", head) is not None and _HAS_ID.search(head) is not None

    def read(self, source: Source) -> Iterator[Tree]:
        """Yield the trees. A tree without an ID gets its number as id."""
        return _Psd(source).read()

    def write_tree(self, tree: Tree, number: int) -> str:
        """Return the comments, and the tree on one line."""
        label = "" if tree.root.label == ROOT else escape_label[tree.root.label]
        words = [_write_word(token[0], token[2]) for token in tree.sentence]
        text = write_brackets(tree, label, words)
        comments = "".join([f"/* {_escape_comment(comment)} */\n" for comment in tree.comments])
        return f"{comments}{text[:-1]} ({_ID} {_escape_word[tree.id or str(number)]}))\n"


class _Psd:
    """Reads one source."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._comments: list[str] = []

    def read(self) -> Iterator[Tree]:
        return read_trees(self._source, self._lines(), self._next_tree)

    def _lines(self) -> Iterator[str]:
        """Yield the lines without comments. Comments are kept for the next tree."""
        comment: list[str] = []
        first = 0
        for number, line in enumerate(self._source.lines(), 1):
            if not comment and not line.startswith(("/*", "/~*")):
                yield line
                continue
            first = first if comment else number
            comment.append(line)
            if line.rstrip().endswith(("*/", "*~/")) and (match := _match_comment(comment)):
                self._comments.append(unescape(match[1].strip()))
                comment = []
            yield ""
        if comment:
            found = "a comment that does not end"
            self._source.report(self._source.error(found, "*/", line=first))

    def _next_tree(self, units: Iterator[Unit], id: str) -> Tree:
        comments, self._comments = self._comments, []
        return psd_tree(units, id, comments)


def psd_tree(units: Iterator[Unit], id: str, comments: Iterable[str] = ()) -> Tree:
    """Read the units of one tree and return it. If it has no ID, it gets `id`."""
    sentence: list[Token] = []
    last_id: tuple[int, str] | None = None

    def leaf(tag: str, word: str) -> int:
        nonlocal last_id
        index = len(sentence)
        if tag == _ID:
            last_id = (index, word)
        form, lemma = _read_word(word)
        sentence.append(Token(form, unescape_label[tag], lemma))
        return index

    root = build(units, leaf)
    if last_id is not None and root.children[-1] == last_id[0]:
        sentence.pop()
        root = root.replace(children=root.children[:-1])
        id = unescape(last_id[1])
    return Tree(sentence, root, id=id, comments=comments)


def _match_comment(lines: list[str]) -> re.Match[str] | None:
    return _COMMENT.match("\n".join(lines))


@lru_cache(1 << 17)
def _read_word(word: str) -> tuple[str, str]:
    """Return form and lemma."""
    cut = -1 if _WITHOUT_LEMMA.match(word) else word.rfind("-", 1, len(word) - 1)
    if cut < 0:
        return unescape(word), ""
    return unescape(word[:cut]), unescape(word[cut + 1 :])


@lru_cache(1 << 17)
def _write_word(form: str, lemma: str) -> str:
    """Return form and lemma as one word, with as few escapes as possible."""
    word = _join(form, lemma, _escape_word)
    return word if _read_word(word) == (form, lemma) else _join(form, lemma, _escape_more)


def _join(form: str, lemma: str, escape: Memo) -> str:
    return f"{escape[form]}-{escape[lemma]}" if lemma else escape[form]
