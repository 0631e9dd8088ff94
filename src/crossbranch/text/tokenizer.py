"""Tokenizer: from raw text to sentences and tokens, split as in a treebank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from crossbranch.doors import door
from crossbranch.text import splitting, storage
from crossbranch.text.chunks import ChunkCutter
from crossbranch.text.entries import Entries
from crossbranch.text.flow import flow
from crossbranch.text.forms import Forms
from crossbranch.text.lessons import Lessons
from crossbranch.text.sentences import SentenceEnds
from crossbranch.text.splitting import MOST_TOKENS, text_of
from crossbranch.tree import ROOT, Node, Tree

__all__ = ["MOST_TOKENS", "Tokenizer"]


class Tokenizer:
    """Splits text into sentences and tokens, like the treebank that it learned from.

    Every character that is not white space belongs to exactly one token, and each token has its
    offsets in the text. A tokenizer does not change after learning, except for a cache of chunks.
    """

    @door
    def __init__(self, cutter: ChunkCutter, forms: Forms, ends: SentenceEnds) -> None:
        """Make a tokenizer from its parts; usually, use `learn` or `from_json`."""
        self._cutter, self._forms, self._ends = cutter, forms, ends
        self._entries = Entries(cutter, forms, ends)

    @classmethod
    @door
    def learn(cls, trees: Iterable[Tree], *, language: str = "") -> Tokenizer:
        """Learn from the sentences of one or more treebanks, in their original order.

        Trees that know their text and the offsets of their tokens (for example from CoNLL-U files
        with `# text`) teach from this text, with its paragraphs. For all others, tokens are enough.

        Args:
            trees: The treebank; or several, one after the other.
            language: The name of its language in English. Common abbreviations of Dutch, English,
                German and Icelandic are known even if the treebank does not have them.
        """
        lessons = Lessons.of(trees, language=language)
        return cls(
            ChunkCutter.learn(
                lessons.seen, whole=lessons.names, abbreviations=lessons.abbreviations
            ),
            Forms.learn(lessons.forms, clitics=lessons.spacing.clitics, variants=lessons.variants),
            SentenceEnds.learn(lessons.paragraphs),
        )

    @door
    def split(self, text: str, *, start: int = 0) -> Iterator[Tree]:
        """Yield the sentences of a text as flat trees.

        Args:
            text: Any text. An empty line ends a paragraph, and so a sentence; other line ends are
                white space.
            start: The offset of the text, if it is part of a larger one.
        """
        return self.stream([text], start=start)

    @door
    def tokenize(self, text: str, *, start: int = 0) -> Tree:
        """Return a text as one sentence, whatever its length and content."""
        items = [item for batch, _ in flow([text], lines=False) for item in batch]
        first = next((n for n, (chunk, _) in enumerate(items) if chunk), len(items))
        position = start + sum(len(gap) for _, gap in items[:first])
        items = _joined(items[first:])
        chunks = [chunk for chunk, _ in items]
        found = [
            self._entries.get(chunk, after, is_first=number == 0)
            for number, (chunk, after) in enumerate(zip(chunks, [*chunks[1:], ""], strict=False))
        ]
        tokens = self._entries.tokens(items, found, position)
        return Tree(tokens, Node(ROOT, range(len(tokens))), text=text_of(items))

    @door
    def stream(
        self, pieces: Iterable[str], *, lines: bool = False, start: int = 0
    ) -> Iterator[Tree]:
        """Yield the sentences of a text that comes in pieces of any size, in constant memory.

        Args:
            pieces: The pieces of one text, in order. PAUSE means that no more text comes for now,
                for example because a user at a terminal waits for an answer. Then, if the text
                so far ends with a final mark and a line end, its last sentence comes at once.
            lines: Each line is a sentence; an empty line is a sentence without tokens. Lines end
                only in LF or CR LF. A line with more than MOST_TOKENS tokens, or with more than
                MOST_BLANKS_IN_LINE spaces in a row, comes in parts.
            start: The offset of the text, if it is part of a larger one.
        """
        found = (
            splitting.lines(self._entries, pieces, start)
            if lines
            else splitting.sentences(self._entries, self._ends, pieces, start)
        )
        for number, (tokens, text) in enumerate(found, 1):
            yield Tree(tokens, _flat(len(tokens)), id=str(number), text=text)

    def to_json(self) -> bytes:
        """Return everything that was learned as JSON."""
        return storage.write(self._cutter, self._forms, self._ends)

    @classmethod
    @door
    def from_json(cls, data: bytes, *, path: str = "") -> Tokenizer:
        """Return the tokenizer that `to_json` wrote; errors name `path`."""
        return cls(*storage.read(data, path=path))


@lru_cache(maxsize=MOST_TOKENS + 1)
def _flat(count: int) -> Node:
    """Return the root of a flat tree; sentences share it, because it never changes."""
    return Node(ROOT, range(count))


def _joined(items: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return items without empty chunks: parts of a gap are joined again."""
    joined: list[tuple[str, str]] = []
    for chunk, gap in items:
        if chunk:
            joined.append((chunk, gap))
        else:
            joined[-1] = (joined[-1][0], joined[-1][1] + gap)
    return joined
