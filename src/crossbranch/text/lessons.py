"""The training data of a tokenizer: the sentences of a treebank as text, split into tokens.

Trees that know their raw text teach from it. The text of all others is made up from their tokens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from crossbranch.text.abbreviations import abbreviations
from crossbranch.text.chunks import Cuts, Seen, collect
from crossbranch.text.detokenize import surfaces, touching
from crossbranch.text.forms import opens
from crossbranch.text.real import Word, gap_before, has_text, is_readable, real_words
from crossbranch.text.sentences import is_abbreviation
from crossbranch.text.spacing import Spacing
from crossbranch.text.variants import find_variants, translation
from crossbranch.tree import Sentence, Tree

PARAGRAPH = 10
"""How many sentences a paragraph of made-up text has."""

_SUPPOSED = 5  # how often a contraction counts as seen
_ENGLISH = (  # contractions, which a treebank of scientific papers may not have
    "can|not gon|na wan|na got|ta lem|me gim|me 'n' o'clock do|n't does|n't did|n't is|n't "
    "are|n't was|n't were|n't ca|n't wo|n't could|n't would|n't should|n't have|n't has|n't "
    "had|n't must|n't need|n't ai|n't might|n't ought|n't dare|n't sha|n't i|'m i|'ve i|'ll "
    "i|'d you|'re you|'ve you|'ll you|'d we|'re we|'ve we|'ll we|'d they|'re they|'ve they|'ll "
    "they|'d he|'ll he|'d she|'ll she|'d it|'ll that|'ll"
)
_GENES = "ab|:|:|ab Ab1|:|:|ab Ab1|:|:|ab|, Ab1|:|:|ab|) Ab|:|:|Ab AB|:|:|AB1 AB1|:|:|ab"
_END_MARKS = ".?!…:;,-–—\"'”’“»«)]}"


Chunked = list[tuple[str, Cuts]]
"""The chunks of a sentence, and where they are split."""


@dataclass
class Lessons:
    """The training data for all parts of a tokenizer."""

    spacing: Spacing
    variants: dict[str, str] = field(default_factory=dict)
    seen: Seen = field(default_factory=dict)
    forms: list[tuple[str, str, bool]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)  # forms that stand for marks, such as -LRB-
    abbreviations: list[tuple[str, str]] = field(default_factory=list)  # and before what kinds
    paragraphs: list[list[list[tuple[str, bool]]]] = field(default_factory=list)

    @classmethod
    def of(cls, trees: Iterable[Tree], *, language: str = "") -> Lessons:
        """Collect the data from trees in their order: from their texts, or from made-up text."""
        usable = [tree for tree in trees if is_readable([t.form for t in tree.sentence])]
        without = [tree.sentence for tree in usable if not has_text(tree)]
        known = without or [tree.sentence for tree in usable]
        spacing = Spacing.learn([[token.form for token in sentence] for sentence in known])
        words = [(tree, words) for tree in usable if (words := _words(tree, spacing))]
        surfaces_ = (word.surface for _, some in words for word in some)
        lessons = cls(spacing, find_variants(surfaces_, hyphens=spacing.hyphens))
        lessons._note_forms(words)
        for paragraph in lessons._paragraphs(words, goes_on=goes_on_without_marks(without)):
            firsts = [sentence[0][0] for sentence in paragraph[1:]] + [""]
            for sentence, first in zip(paragraph, firsts, strict=True):
                afters = [chunk for chunk, _ in sentence[1:]] + [first]
                collect(sentence, afters, lessons.seen)
            lessons.paragraphs.append(
                [
                    [(chunk, is_abbreviation(chunk, cuts[-1] if cuts else 0)) for chunk, cuts in s]
                    for s in paragraph
                ]
            )
        for chunk, cuts in _supposed(spacing):
            lessons.seen.setdefault((chunk, ""), Counter({cuts: _SUPPOSED}))
        lessons.abbreviations = [
            one for one in abbreviations(language) if not lessons._cuts_periods_off(*one)
        ]
        return lessons

    def _cuts_periods_off(self, chunk: str, kinds: str) -> bool:
        """Return whether the treebank splits the period from all abbreviations."""
        counts: Counter[Cuts] = Counter()
        for kind in kinds:
            counts.update(self.seen.get((chunk, kind), {}))
        return 2 * counts[()] < counts.total()

    def _paragraphs(
        self, sentences: Iterable[tuple[Tree, list[Word]]], *, goes_on: bool
    ) -> Iterator[list[Chunked]]:
        """Yield paragraphs: those of the real text, and made-up ones of a few sentences.

        In made-up text, a sentence without a final mark is a heading and ends its paragraph, unless
        the sentences of the treebank are parts of longer ones that continue in lower case.
        """
        paragraph: list[Chunked] = []
        previous: Tree | None = None
        table = translation(self.variants)
        for tree, words in sentences:
            chunks = _chunks(words, table)
            if paragraph:
                if has_text(tree):
                    ends = gap_before(tree, previous) == "\n\n"
                elif previous is not None and has_text(previous):
                    ends = True
                else:
                    last, first = paragraph[-1][-1][0], chunks[0][0]
                    ends = len(paragraph) == PARAGRAPH or is_heading(last, first, goes_on=goes_on)
                if ends:
                    yield paragraph
                    paragraph = []
            paragraph.append(chunks)
            previous = tree
        if paragraph:
            yield paragraph

    def _note_forms(self, sentences: Iterable[tuple[Tree, list[Word]]]) -> None:
        """Note the forms of marks; words are their own forms, except for clitics.

        The names of marks, such as -LRB-, are those of the treebanks without text: their trees are
        what a parser learns from.
        """
        table = translation(self.variants)
        real: list[tuple[str, str, bool]] = []
        for tree, words in sentences:
            notes = real if has_text(tree) else self.forms
            for surface, form, opening in _marks(words, table):
                notes.append((surface, form, opening))
                if form != surface:
                    self.names.add(form)
        known = {surface for surface, _, _ in self.forms}
        self.forms += [note for note in real if note[0] not in known]


def _words(tree: Tree, spacing: Spacing) -> list[Word]:
    """Return the words of a tree in its text, or in made-up text; nothing if they have blanks."""
    if has_text(tree):
        words = real_words(tree)
        return words if is_readable([word.surface for word in words]) else []
    written = zip(surfaces(tree.sentence, spacing), touching(tree.sentence, spacing), strict=True)
    return [
        Word(surface, (token.form,), touch)
        for token, (surface, touch) in zip(tree.sentence, written, strict=True)
    ]


def _grouped(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """Yield the words of each chunk."""
    starts = [place for place, word in enumerate(words) if not word.touches or not place]
    for start, end in zip(starts, [*starts[1:], len(words)], strict=True):
        yield words[start:end]


def _chunks(words: Sequence[Word], table: dict[int, str]) -> Chunked:
    """Return the chunks of a sentence and their splits."""
    chunks = []
    for group in _grouped(words):
        sizes = [len(word.surface) for word in group]
        chunk = "".join(word.surface for word in group).translate(table)
        chunks.append((chunk, tuple(accumulate(sizes[:-1]))))
    return chunks


def _marks(words: Sequence[Word], table: dict[int, str]) -> Iterator[tuple[str, str, bool]]:
    """Yield the marks among words: surface, form, and whether it opens something."""
    for group in _grouped(words):
        chunk = "".join(word.surface for word in group).translate(table)
        start = 0
        for word in group:
            end = start + len(word.surface)
            surface = chunk[start:end]
            if len(word.forms) == 1 and not surface[0].isalnum() and "$" not in word.forms[0]:
                yield surface, word.forms[0].translate(table), opens(chunk, start, end)
            start = end


def _supposed(spacing: Spacing) -> Iterator[tuple[str, Cuts]]:
    """Yield chunks that a treebank of these conventions may not have, and their splits."""
    if spacing.hyphens and spacing.slashes:
        yield from map(_split, _GENES.split())
    if "'s" in spacing.attached:
        for word in _ENGLISH.split():
            yield _split(word)
            yield _split(word.capitalize())


def _split(marked: str) -> tuple[str, Cuts]:
    """Return a text without its |, and where they were."""
    parts = marked.split("|")
    return "".join(parts), tuple(accumulate(map(len, parts[:-1])))


def goes_on_without_marks(sentences: Sequence[Sentence]) -> bool:
    """Return whether sentences of this treebank often end before a lower-case letter."""
    count = sum(
        bool(one and two) and one[-1].form[-1:].isalnum() and two[0].form[:1].islower()
        for one, two in pairwise(sentences)
    )
    return count * 10 > len(sentences)


def is_heading(last: str, first: str, *, goes_on: bool) -> bool:
    """Return whether a paragraph ends after a sentence, given its last word and the next word."""
    return last[-1] not in _END_MARKS and not (goes_on and first[0].islower())
