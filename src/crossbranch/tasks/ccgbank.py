r"""Head-dependencies of CCGbank: .parg files, which say what fills the arguments of each word.

    <s id="wsj_0001.1"> 17
    1    0    N/N    1    Vinken Pierre
    <\s>

The first line has the number of the last word. Each other line has the word that fills an argument,
the word whose argument it is, the category of that one, and the number of the argument. Words that
take no part, such as punctuation, are not in the file. So the words come from the .auto file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from crossbranch.errors import InputError
from crossbranch.tasks.dependents import Edge
from crossbranch.treebank.source import Source

_START = re.compile(r'<s(?: id="([^"]*)")?>\s*([0-9]{0,9})')
_NUMBER = re.compile("[0-9]{1,9}")
_END = ("<\\s>", "</s>")


class ArgumentEdges(NamedTuple):
    """The edges of a sentence, and where they are."""

    words: int | None
    """The number of words of the sentence, if the file says it."""

    edges: tuple[Edge, ...]
    source: Source
    line: int

    def check(self, words: int, name: str) -> None:
        """Raise an InputError if the edges do not fit a sentence with this many words."""
        most = max((max(edge.head, edge.dependent) for edge in self.edges), default=-1)
        if most >= words or self.words not in (None, words):
            found = f"edges of {max(most + 1, self.words or 0)} words"
            expected = f"edges of the {words} words of the .auto file"
            raise self.source.error(found, expected, line=self.line, sentence=name)


def read_parg(source: Source) -> Iterator[tuple[str, ArgumentEdges]]:
    """Yield the id of each sentence, and its edges."""
    name, count, first = "", None, 0
    edges: list[Edge] = []
    bad: InputError | None = None
    for number, line in enumerate(source.lines(), 1):
        text = line.strip()
        if match := _START.fullmatch(text):
            name, count, first = match[1] or "", int(match[2]) + 1 if match[2] else None, number
            edges, bad = [], None
        elif text in _END and first:
            if bad is not None:
                source.report(bad)
            else:
                yield name, ArgumentEdges(count, tuple(edges), source, first)
            first = 0
        elif text:
            edge = _edge(text)
            if edge is None or not first:
                expected = "two word numbers, a category and an argument, within <s> and <\\s>"
                bad = bad or source.error(repr(text[:60]), expected, line=number, sentence=name)
            else:
                edges.append(edge)
    if first:
        source.report(source.error("the end of the file", "<\\s>", line=first, sentence=name))


def _edge(text: str) -> Edge | None:
    parts = text.split()
    if len(parts) < 4 or not all(_NUMBER.fullmatch(parts[place]) for place in (0, 1, 3)):
        return None
    dependent, head = int(parts[0]), int(parts[1])
    return Edge(head, dependent, str(int(parts[3])))


def find_edges(
    found: Mapping[str, ArgumentEdges], name: str, words: int, source: Source, line: int
) -> tuple[Edge, ...]:
    """Return the edges of the sentence with this id.

    Raises:
        InputError: There are no edges with this id, or they do not fit the number of words.
    """
    if name not in found:
        expected = "a sentence that a .parg file has edges for"
        raise source.error(f"the id {name!r}", expected, line=line, sentence=name)
    found[name].check(words, name)
    return found[name].edges
