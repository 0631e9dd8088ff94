"""The words of a sampling grammar: paradigms, stems by rank, and compounds.

    list first : Stadt Wald Sommer
    paradigm noun-e @ {1}.{2}.{3}
        NN[Nom|Dat|Acc,Sg,G]  @
        NN[Gen,Sg,G]          @es
        NN[C,Pl,G]            @2e
    words noun-e G=Masc : Tag Baum/Bäum
    compound noun-e G=Masc 0.2 : <first> + ~

A paradigm has a lemma, a morphology, and one form for each symbol, whose label is the tag; `@` is
the first stem of a word, `@2` the second (the first if there is only one), `{1}` the first
feature of the symbol. Stems are listed by rank: the frequency of the word at rank r is proportional
to 1 / (r + 2).
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate, product
from math import prod
from typing import NamedTuple

from crossbranch.grammar.lcfrs import is_hidden, label_of
from crossbranch.grammar.syntax import Item, RuleLine, Statement, parse_item, parse_number

Random = Callable[[], float]
"""Returns a random number between 0 and 1 (never 1)."""

Stems = tuple[str, ...]


class Word(NamedTuple):
    """The parts of a token that come from a word."""

    form: str
    tag: str
    lemma: str
    morphology: str


class Ranked:
    """Stems in the order of their frequency."""

    def __init__(self, stems: list[Stems]) -> None:
        """Take the most frequent first."""
        self.stems = stems
        self._steps = list(accumulate([1 / (rank + 2) for rank in range(1, len(stems) + 1)]))
        self.mass = self._steps[-1] if stems else 0.0

    def all_stems(self) -> Iterator[tuple[Stems, float]]:
        """Yield all stems, with their share."""
        for rank, stems in enumerate(self.stems, 1):
            yield stems, 1 / (rank + 2) / self.mass

    def draw(self, random: Random) -> int:
        """Return a rank, counted from 0."""
        return bisect(self._steps, random() * self.mass, 0, len(self.stems) - 1)


class Compound(NamedTuple):
    """A share of the words of a group that are compounds. Their parts may be in lower case."""

    share: float
    parts: tuple[tuple[Ranked, bool], ...]

    def draw(self, random: Random) -> Stems:
        """Return the stems of a new word: the stems of its last part, after the other parts."""
        return self._joined([ranked.stems[ranked.draw(random)] for ranked, _ in self.parts])

    def _joined(self, drawn: Iterable[Stems]) -> Stems:
        first = ""
        stems: Stems = ()
        for part, (_, small) in zip(drawn, self.parts, strict=True):
            stems = tuple([stem[:1].lower() + stem[1:] for stem in part]) if small else part
            stems = tuple([first + stem for stem in stems])
            first = stems[0]
        return stems

    def all_stems(self) -> Iterator[tuple[Stems, float]]:
        """Yield the stems of all compounds, with their share of the compounds."""
        for chosen in product(*(ranked.all_stems() for ranked, _ in self.parts)):
            yield self._joined(stems for stems, _ in chosen), prod(share for _, share in chosen)


class Form(NamedTuple):
    """A cell of a paradigm: the form that words take for a symbol."""

    symbol: Item
    form: str
    tag: str
    morphology: str


class Paradigm(NamedTuple):
    """What words of one kind have in common."""

    statement: Statement
    lemma: str
    forms: tuple[Form, ...]

    @property
    def is_single(self) -> bool:
        """Whether this is a single word with its own forms, which needs no stems."""
        return "@" not in self.lemma and all("@" not in form.form for form in self.forms)


class Words:
    """The words of one paradigm that share some feature values."""

    def __init__(
        self,
        statement: Statement,
        paradigm: Paradigm,
        bound: Mapping[str, str],
        weight: float,
        stems: list[Stems],
    ) -> None:
        """Take stems in the order of their frequency; compounds may be added."""
        self.statement, self.paradigm, self.bound = statement, paradigm, dict(bound)
        self.listed = Ranked(stems)
        self.compounds: list[Compound] = []
        self.weight = weight
        self.beside_rules = False  # whether its symbols may have rules, too

    @property
    def mass(self) -> float:
        """How frequent these words are, compared with others of the same symbol."""
        return self.weight * (self.listed.mass or 1.0)

    def listed_stems(self) -> Iterator[tuple[Stems, float]]:
        """Yield the listed stems with their share; without any, those of compounds.

        Other compounds are left out: there may be millions of them.
        """
        if self.listed.stems:
            yield from self.listed.all_stems()
            return
        for compound in self.compounds:
            for stems, share in compound.all_stems():
                yield stems, share * compound.share

    def draw(self, random: Random) -> int | Stems:
        """Return the rank of a listed word, or the stems of a compound."""
        if self.compounds:
            chosen = random()
            for compound in self.compounds:
                chosen -= compound.share
                if chosen < 0 or not self.listed.stems:
                    return compound.draw(random)
        return self.listed.draw(random)


class Choice:
    """All words of a symbol: groups of words, each with its form for this symbol."""

    def __init__(self) -> None:
        """Start without words."""
        self._entries: list[tuple[Words, Form, dict[int, Word]]] = []
        self._steps: list[float] = []

    def add(self, words: Words, form: Form) -> None:
        """Add the words of one group in one form."""
        self._entries.append((words, form, {}))
        self._steps.append((self._steps[-1] if self._steps else 0.0) + words.mass)

    def draw(self, random: Random) -> Word:
        """Return a word."""
        place = 0
        if len(self._entries) > 1:
            place = bisect(self._steps, random() * self._steps[-1], 0, len(self._steps) - 1)
        words, form, made = self._entries[place]
        drawn = words.draw(random)
        if not isinstance(drawn, int):
            return _inflect(words.paradigm, form, drawn)
        if drawn not in made:
            made[drawn] = _inflect(words.paradigm, form, words.listed.stems[drawn])
        return made[drawn]

    def listed_words(self) -> Iterator[tuple[Word, float]]:
        """Yield the listed words, with their frequency compared with rules."""
        for words, form, _ in self._entries:
            for stems, share in words.listed_stems():
                yield _inflect(words.paradigm, form, stems), share * words.mass

    @property
    def mass(self) -> float:
        """How frequent the words are, compared with rules."""
        return self._steps[-1] if self._steps else 0.0

    @property
    def tags(self) -> list[str]:
        """The tag of each group of words."""
        return [form.tag for _, form, _ in self._entries]

    @property
    def groups(self) -> list[Words]:
        """The groups of words to choose from."""
        return [words for words, _, _ in self._entries]


def word_of(line: RuleLine) -> Words:
    """Return the word of a line such as `3 DT -> "the"`. Its mass is the weight of the line."""
    (word,) = line.right
    tag = "" if is_hidden(line.left.name) else label_of(line.left.name)
    form = Form(line.left, "@", tag, "")
    group = Words(
        line.statement, Paradigm(line.statement, "", (form,)), {}, 1.0, [(word.terminal,)]
    )
    group.weight = line.weight / group.mass
    group.beside_rules = True
    return group


def _inflect(paradigm: Paradigm, form: Form, stems: Stems) -> Word:
    return Word(_fill(form.form, stems), form.tag, _fill(paradigm.lemma, stems), form.morphology)


def _fill(template: str, stems: Stems) -> str:
    """Replace @, @2, ... by stems; a missing stem is replaced by the first one."""
    if "@" not in template:
        return template
    first, *pieces = template.split("@")
    filled = [first]
    for piece in pieces:
        number = int(piece[0]) - 1 if piece[:1].isdigit() else -1
        filled.append(stems[number if 0 <= number < len(stems) else 0])
        filled.append(piece[number >= 0 :])
    return "".join(filled)


class LexiconReader:
    """Reads the statements about words."""

    def __init__(self) -> None:
        """Start without words."""
        self.paradigms: dict[str, Paradigm] = {}
        self.groups: dict[tuple[str, tuple[tuple[str, str], ...]], Words] = {}
        self._lists: dict[str, Ranked] = {}

    def read_list(self, statement: Statement) -> None:
        """Read `list NAME : STEM ...`."""
        names, stems = self._split(statement)
        if len(names) != 1 or names[0] in self._lists:
            raise statement.error(f"the list {' '.join(names)!r}", "a new name")
        self._lists[names[0]] = Ranked(stems)

    def read_paradigm(self, statement: Statement) -> None:
        """Read `paradigm NAME LEMMA MORPHOLOGY tag=TAG`, then `SYMBOL FORM MORPHOLOGY` lines."""
        _, *head = statement.text.split()
        tag = head.pop().removeprefix("tag=") if head and head[-1].startswith("tag=") else ""
        if not 2 <= len(head) <= 3 or head[0] in self.paradigms:
            expected = "paradigm NEW_NAME LEMMA [MORPHOLOGY] [tag=TAG]"
            raise statement.error(repr(statement.text), expected)
        forms = []
        for line, text in statement.body:
            words = text.split()
            if not 2 <= len(words) <= 3:
                raise statement.error(repr(text), "SYMBOL FORM [MORPHOLOGY]", line=line)
            symbol = parse_item(statement, words[0], line=line)
            morphology = (words[2:] or head[2:] or [""])[0]
            forms.append(Form(symbol, words[1], tag or label_of(symbol.name), morphology))
        if not forms:
            raise statement.error(f"the paradigm {head[0]} without forms", "indented lines")
        paradigm = Paradigm(statement, head[1], tuple(forms))
        self.paradigms[head[0]] = paradigm
        if paradigm.is_single:
            self.groups[head[0], ()] = Words(statement, paradigm, {}, 1.0, [("",)])

    def read_words(self, statement: Statement) -> None:
        """Read `words PARADIGM VARIABLE=VALUE ... *WEIGHT : STEM ...`."""
        names, stems = self._split(statement)
        weight = 1.0
        if names and names[-1].startswith("*"):
            weight = parse_number(statement, names.pop()[1:], "weight")
        self._add(statement, names, weight, stems)

    def read_compound(self, statement: Statement) -> None:
        """Read `compound PARADIGM VARIABLE=VALUE ... SHARE : PART + PART ...`."""
        head, _, tail = statement.whole_text.partition(":")
        names = head.split()[1:]
        share = parse_number(statement, names.pop() if names else "", "share", 1.0)
        key = self._key(statement, names)
        group = self.groups.get(key)
        if group is None:
            group = self._add(statement, names, 1.0, [])
        parts = []
        for part in tail.split("+"):
            text = part.strip()
            small = text.startswith("~")
            ranked = self._part(statement, text.removeprefix("~"), group)
            parts.append((ranked, small))
        group.compounds.append(Compound(share, tuple(parts)))
        total = list(accumulate([compound.share for compound in group.compounds]))[-1]
        if total > 1 or (total < 1 and not group.listed.stems):
            raise statement.error(
                f"compounds with a share of {total:g}", "at most 1, and 1 if no words are listed"
            )

    def _part(self, statement: Statement, text: str, group: Words) -> Ranked:
        ranked = Ranked(self._stems(statement, text.split())) if text else group.listed
        if not ranked.stems:
            raise statement.error("an empty part of a compound", "stems, <LIST>, or ~")
        return ranked

    def check(self) -> None:
        """Check that every paradigm has words."""
        used = {name for name, _ in self.groups}
        for name, paradigm in self.paradigms.items():
            if name not in used:
                raise paradigm.statement.error(f"the paradigm {name} without words", "some words")

    def _add(
        self, statement: Statement, names: list[str], weight: float, stems: list[Stems]
    ) -> Words:
        key = self._key(statement, names)
        if key in self.groups:
            raise statement.error(f"words for {' '.join(names)} a second time", "one line for them")
        words = Words(statement, self.paradigms[names[0]], dict(key[1]), weight, stems)
        self.groups[key] = words
        return words

    def _key(
        self, statement: Statement, names: list[str]
    ) -> tuple[str, tuple[tuple[str, str], ...]]:
        if not names or names[0] not in self.paradigms:
            raise statement.error(
                f"the paradigm {''.join(names[:1])!r}", "a paradigm defined above"
            )
        bound = []
        forms = self.paradigms[names[0]].forms
        variables = {feature for form in forms for feature in form.symbol.features}
        for name in names[1:]:
            variable, _, value = name.partition("=")
            if variable not in variables or not value:
                expected = f"VARIABLE=VALUE with a variable of the paradigm {names[0]}"
                raise statement.error(repr(name), expected)
            bound.append((variable, value))
        return names[0], tuple(sorted(bound))

    def _split(self, statement: Statement) -> tuple[list[str], list[Stems]]:
        head, colon, tail = statement.whole_text.partition(" : ")
        if not colon:
            raise statement.error(repr(statement.text), "NAME : STEM ...")
        return head.split()[1:], self._stems(statement, tail.split())

    def _stems(self, statement: Statement, words: list[str]) -> list[Stems]:
        stems: list[Stems] = []
        for word in words:
            if word.startswith("<") and word.endswith(">"):
                if word[1:-1] not in self._lists:
                    raise statement.error(f"the list {word}", "a list defined above")
                stems.extend(self._lists[word[1:-1]].stems)
            else:
                stems.append(tuple(word.split("/")))
        return stems
