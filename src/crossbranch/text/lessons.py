"""The training data of a tokenizer: the sentences of a treebank as text, split into tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from crossbranch.text.abbreviations import abbreviations
from crossbranch.text.characters import is_white
from crossbranch.text.chunks import Cuts, Seen, collect
from crossbranch.text.detokenize import surfaces, touching
from crossbranch.text.forms import opens
from crossbranch.text.sentences import is_abbreviation
from crossbranch.text.spacing import Spacing
from crossbranch.text.variants import find_variants, translation
from crossbranch.tree import Sentence

_PARAGRAPH = 10  # sentences
_SUPPOSED = 5  # how often a contraction counts as seen
_VERBS = "do does did is are was were ca wo could would should have has had must need ai"
_PRONOUNS = (
    "i:m,ve,ll,d you:re,ve,ll,d we:re,ve,ll,d they:re,ve,ll,d he:ll,d she:ll,d it:ll that:ll"
)
_END_MARKS = ".?!…:;,-–—\"'”’“»«)]}"


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
    def of(cls, sentences: Sequence[Sentence], *, language: str = "") -> Lessons:
        """Write the sentences of a treebank as text, in their order, and collect the data."""
        usable = [sentence for sentence in sentences if _is_usable(sentence)]
        spacing = Spacing.learn([[token.form for token in s] for s in usable])
        words = (word for sentence in usable for word in surfaces(sentence, spacing))
        lessons = cls(spacing, find_variants(words, hyphens=spacing.hyphens))
        for paragraph in lessons._paragraphs(usable):
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
        if "'s" in spacing.attached:
            for chunk, cuts in _contractions():
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

    def _paragraphs(self, sentences: Sequence[Sentence]) -> Iterator[list[list[tuple[str, Cuts]]]]:
        """Yield sentences as their chunks.

        A sentence without a final mark is a heading and ends its paragraph, unless the sentences of
        the treebank are parts of longer ones that continue in lower case.
        """
        paragraph: list[list[tuple[str, Cuts]]] = []
        goes_on = goes_on_without_marks(sentences)
        for sentence in sentences:
            chunks = self._chunks(sentence)
            if paragraph and is_heading(paragraph[-1][-1][0], chunks[0][0], goes_on=goes_on):
                yield paragraph
                paragraph = []
            paragraph.append(chunks)
            if len(paragraph) == _PARAGRAPH:
                yield paragraph
                paragraph = []
        if paragraph:
            yield paragraph

    def _chunks(self, sentence: Sentence) -> list[tuple[str, Cuts]]:
        """Return the chunks of a sentence and their splits; note the forms of its tokens."""
        table = translation(self.variants)
        words = [word.translate(table) for word in surfaces(sentence, self.spacing)]
        touches = touching(sentence, self.spacing)
        starts = [place for place, touch in enumerate(touches) if not touch or not place]
        chunks = []
        for start, end in zip(starts, [*starts[1:], len(words)], strict=True):
            chunk = "".join(words[start:end])
            position = 0
            cuts = []
            for place in range(start, end):
                cuts.append(position)
                stop = position + len(words[place])
                self._note(sentence[place].form, chunk, position, stop)
                position = stop
            chunks.append((chunk, tuple(cuts[1:])))
        return chunks

    def _note(self, form: str, chunk: str, start: int, end: int) -> None:
        """Note the form of a mark; words are their own forms, except for clitics."""
        surface = chunk[start:end]
        if not surface[0].isalnum() and "$" not in form:
            self.forms.append((surface, form, opens(chunk, start, end)))
            if form != surface:
                self.names.add(form)


def _contractions() -> Iterator[tuple[str, Cuts]]:
    """Yield the contractions of English, which a treebank of scientific papers may not have."""
    for verb in _VERBS.split():
        yield f"{verb}n't", (len(verb),)
        yield f"{verb.capitalize()}n't", (len(verb),)
    for pair in _PRONOUNS.split():
        pronoun, endings = pair.split(":")
        for ending in endings.split(","):
            yield f"{pronoun}'{ending}", (len(pronoun),)
            yield f"{pronoun.capitalize()}'{ending}", (len(pronoun),)


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


def _is_usable(sentence: Sentence) -> bool:
    return bool(sentence) and all(
        token.form and not any(map(is_white, token.form)) for token in sentence
    )
