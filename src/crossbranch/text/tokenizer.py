"""Tokenizer: raw text to the sentences and tokens that a treebank would have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

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
    """Cuts text into sentences and tokens as the treebank does that it has learnt from.

    Every character that is not white space belongs to exactly one token, and each token knows where
    it stands in the text. Nothing changes after learning, but for the chunks that are remembered.
    """

    def __init__(self, cutter: ChunkCutter, forms: Forms, ends: SentenceEnds) -> None:
        """Make a tokenizer of its parts; `learn` and `from_json` are the usual ways."""
        self._cutter, self._forms, self._ends = cutter, forms, ends
        self._entries = Entries(cutter, forms, ends)

    @classmethod
    def learn(cls, trees: Iterable[Tree], *, language: str = "") -> Tokenizer:
        """Learn from the sentences of a treebank, in the order of its texts; tokens are enough.

        Args:
            trees: The treebank.
            language: Its name in English. Common abbreviations of Dutch, English, German and
                Icelandic need not be in the treebank.
        """
        lessons = Lessons.of([tree.sentence for tree in trees], language=language)
        return cls(
            ChunkCutter.learn(
                lessons.seen, whole=lessons.names, abbreviations=lessons.abbreviations
            ),
            Forms.learn(lessons.forms, clitics=lessons.spacing.clitics, variants=lessons.variants),
            SentenceEnds.learn(lessons.paragraphs),
        )

    def split(self, text: str, *, start: int = 0) -> Iterator[Tree]:
        """Yield the sentences of a text as flat trees.

        Args:
            text: Any text. An empty line ends a paragraph and so a sentence; other line ends are
                white space.
            start: Where the text starts in a larger one: offsets count from there.
        """
        return self.stream([text], start=start)

    def tokenize(self, text: str, *, start: int = 0) -> Tree:
        """Return a text as one sentence, however long it is and whatever is in it."""
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

    def stream(
        self, pieces: Iterable[str], *, lines: bool = False, start: int = 0
    ) -> Iterator[Tree]:
        """Yield the sentences of a text that comes in pieces, cut anywhere; in constant memory.

        Args:
            pieces: Of one text, in order. PAUSE among them says that nothing more comes for now, as
                when somebody at a terminal waits for an answer: if the text so far ends with a
                final mark and a line end, its last sentence is not held back until more is known.
            lines: Each line is a sentence; an empty line is one without tokens. Lines end in
                LF or CR LF, and nowhere else; but a line of more than MOST_TOKENS tokens, or with
                more than MOST_BLANKS_IN_LINE blanks in a row, comes in parts.
            start: Where the text starts in a larger one: offsets count from there.
        """
        found = (
            splitting.lines(self._entries, pieces, start)
            if lines
            else splitting.sentences(self._entries, self._ends, pieces, start)
        )
        for number, (tokens, text) in enumerate(found, 1):
            yield Tree(tokens, _flat(len(tokens)), id=str(number), text=text)

    def to_json(self) -> bytes:
        """Return all that was learnt as JSON."""
        return storage.write(self._cutter, self._forms, self._ends)

    @classmethod
    def from_json(cls, data: bytes, *, path: str = "") -> Tokenizer:
        """Return the tokenizer that `to_json` wrote; `path` is for the message of an error."""
        return cls(*storage.read(data, path=path))


@lru_cache(maxsize=MOST_TOKENS + 1)
def _flat(count: int) -> Node:
    """Return the root of a flat tree; sentences share it, since it never changes."""
    return Node(ROOT, range(count))


def _joined(items: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return items without empty chunks: a gap that came in parts is one again."""
    joined: list[tuple[str, str]] = []
    for chunk, gap in items:
        if chunk:
            joined.append((chunk, gap))
        else:
            joined[-1] = (joined[-1][0], joined[-1][1] + gap)
    return joined
