"""Plain text, one sentence per line: `tokens` (words with blanks between) and `tagged` (word/tag).

These formats have no constituents. In the trees read from them, all words are below the root.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from crossbranch.errors import InputError
from crossbranch.escape import Memo, escaper, unescape
from crossbranch.tree import Token, Tree
from crossbranch.treebank.flat import flat_root
from crossbranch.treebank.format import Format, Holds
from crossbranch.treebank.limits import NONE
from crossbranch.treebank.source import Source

_BLANK = r"[ \t\x00-\x1f\x7f\x85]"
_BLANKS = re.compile("[ \t]+")
_escape_token = Memo(escaper(_BLANK))
_escape_untagged = Memo(escaper(f"{_BLANK}|/"))
_escape_tag = Memo(escaper(f"{_BLANK}|/"))


class Tokens(Format):
    """Words with blanks between them."""

    name: ClassVar[str] = "tokens"
    summary: ClassVar[str] = "plain text: one sentence per line, blanks between tokens"
    suffixes: ClassVar[tuple[str, ...]] = (".tok", ".tokens", ".txt")
    fits_any_text: ClassVar[bool] = True
    holds: ClassVar[Holds] = Holds(
        constituents=False,
        tags=False,
        lemmas=False,
        morphology=False,
        edge_labels=False,
        heads=False,
        secondary_edges=False,
        ids=False,
        comments=False,
        bare_root=False,
    )

    def looks_like(self, head: str) -> bool:
        """Any text without control characters."""
        return re.search(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]", head) is None

    def read(self, source: Source) -> Iterator[Tree]:
        """Yield a flat tree for each line. An empty line is an empty sentence."""
        most = source.limits.vertices if source.limits.vertices < NONE else 0
        for number, line in enumerate(source.lines(), 1):
            if not line:
                yield Tree((), flat_root(0), id=str(number))
                continue
            try:
                source.check(number, number)
                words = _BLANKS.split(line.strip(" \t"), most)
                source.check_size(len(words), line=number, sentence=str(number))
            except InputError as error:
                source.report(error)
                continue
            sentence = [self._token(word) for word in words if word]
            yield Tree(sentence, flat_root(len(sentence)), id=str(number))

    def write_tree(self, tree: Tree, number: int) -> str:
        """Return one line."""
        return " ".join([self._word(token) for token in tree.sentence]) + "\n"

    def _token(self, word: str) -> Token:
        return Token(unescape(word))

    def _word(self, token: Token) -> str:
        return _escape_token[token.form]


class Tagged(Tokens):
    """Words with tags. The last slash separates word and tag."""

    name: ClassVar[str] = "tagged"
    summary: ClassVar[str] = "plain text: one sentence per line, word/tag"
    suffixes: ClassVar[tuple[str, ...]] = (".tagged", ".pos")
    holds: ClassVar[Holds] = Holds(
        constituents=False,
        lemmas=False,
        morphology=False,
        edge_labels=False,
        heads=False,
        secondary_edges=False,
        ids=False,
        comments=False,
        bare_root=False,
    )

    def looks_like(self, head: str) -> bool:
        """All words of the first lines have a tag."""
        words = head.rpartition("\n")[0].split() if "\n" in head else head.split()
        return (
            super().looks_like(head)
            and bool(words)
            and all(0 < w.rfind("/") < len(w) - 1 for w in words[:200])
        )

    def _token(self, word: str) -> Token:
        form, _, tag = word.rpartition("/")
        return Token(unescape(form), unescape(tag)) if form and tag else Token(unescape(word))

    def _word(self, token: Token) -> str:
        if not token.tag:
            return _escape_untagged[token.form]
        return f"{_escape_token[token.form]}/{_escape_tag[token.tag]}"
