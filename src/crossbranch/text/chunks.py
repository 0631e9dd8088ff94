"""Chunks to tokens: learn from a treebank where it splits text without spaces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby

from crossbranch.text.characters import atoms, is_word, kind_of
from crossbranch.text.perceptron import SCALE, Example, learn, score
from crossbranch.text.places import (
    Clitics,
    address_in,
    apostrophe_at,
    features_between,
    features_within,
    is_forced,
    known_word,
    places_of,
)

Cuts = tuple[int, ...]
Seen = dict[tuple[str, str], Counter[Cuts]]
"""How often each chunk, before each kind of following chunk, was cut in each way."""

_EPOCHS = 8
_OFTEN, _SURE = 5, 3
_RARE = 100  # if words are split less often than once in so many chunks, only known ones are
_LETTERS = re.compile(r"[^\W\d_]+")
_OPENING = "([{\"'„“‘«‚"
# Common text that small treebanks do not have, with | where it is split. If the treebank has such
# text, that counts more.
_COMMON = (
    "16:30 9:05 2:1 12.30 1.000.000 3,14 1/2 24/7 3-1 10-12 1914-1918 "
    "===== ----- ***** _____ ~~~~~ ##### U.S. U.S.A. e.g. i.e. A.B. "
    "C++ AT&T R&D snake_case file.txt index.html $|5 €|5 #|1 @name &amp; 50|% 20|° "
    '... !! ?? !!! ??? ?! .... <b> </b> :-) ;-) (|$|5 (|€|5 (|"|ab "|(|ab (|...|) [|1|] (|1|) '
    'ab|"|, ab|"|. ab|.|" ab|)|, ab|)|. ab|)|; ab|?|" ab|!|" ab|, ab|; ab|: ab|? ab|! '
    "\"|ab ab|\" '|ab ab|' (|ab ab|) [|ab ab|] «|ab ab|» “|ab ab|” ab|... ab|… "
    "[|ab|] [|Ab|] [|AB|] [|ab|]|, [|ab|]|. {|ab {|1 ab|} Ab|} {|ab|} {|Ab|} {|ab|}|, {|ab|}|. "
    "``|ab ``|Ab ab|'' ab|''|, ab|''|. ab|.|'' ab|?|''"
)


def before_what(chunk: str, after: str, *, is_first: bool) -> str:
    """Return what decides about periods: the kind of the next chunk; whether a number starts."""
    if chunk[-1] != ".":
        return ""
    start = "^" if is_first and chunk[0].isdigit() else ""
    if not after:
        return start
    first = after[0]
    if first.islower():
        return "l" + start
    return ("u" if first.isupper() else "0" if first.isdigit() else "o") + start


@dataclass(frozen=True)
class ChunkCutter:
    """Decides where chunks are split."""

    clitics: Clitics = field(default_factory=Clitics)
    between: Mapping[str, int] = field(default_factory=dict)  # weights for places between atoms
    within: Mapping[str, int] = field(default_factory=dict)  # weights for places within words
    exceptions: Mapping[str, Cuts] = field(default_factory=dict)

    def cuts(self, chunk: str, after: str) -> Cuts:
        """Return the positions at which a chunk is split; `after` is the kind of what follows."""
        known = self.exceptions.get(chunk + "\t" + after)
        if known is not None:
            return known
        if after and chunk[0] in _OPENING and self.exceptions.get(f"{chunk[1:]}\t{after}") == ():
            return (1,)  # an abbreviation
        if is_word(chunk) and not self.clitics:
            return ()
        address = address_in(chunk)
        if address:
            return self._around(chunk, address, after)
        return self._decide(chunk, after)

    def _around(self, chunk: str, address: tuple[int, int], after: str) -> Cuts:
        """Split the text before and after an address; the address stays whole."""
        start, end = address
        before = self._decide(chunk[:start], "") if start else ()
        behind = tuple(end + cut for cut in self._decide(chunk[end:], after)) if chunk[end:] else ()
        inner = [cut for cut in (start, end) if 0 < cut < len(chunk)]
        return (*before, *inner, *behind)

    def _decide(self, chunk: str, after: str) -> Cuts:
        parts = atoms(chunk)
        cuts: list[int] = []
        start, number = 0, 0
        for place, word in places_of(parts, self.clitics):
            if word:
                total = score(self.within, features_within(chunk, place, word, is_known=True))
            else:
                number += 1
                if is_forced(chunk, place):
                    total = 1
                else:
                    features = features_between(chunk, parts, number, start, place, after)
                    total = score(self.between, features)
            if total > 0:
                cuts.append(place)
                start = place
        return tuple(cuts)

    @classmethod
    def learn(
        cls,
        seen: Seen,
        *,
        whole: Collection[str] = (),
        abbreviations: Collection[tuple[str, str]] = (),
    ) -> ChunkCutter:
        """Learn from the chunks of a treebank.

        Args:
            seen: The chunks.
            whole: Text that is never split.
            abbreviations: Text that is not split before chunks of these kinds. They are not learned
                from, because they would be too many for a small treebank.
        """
        clitics = _find_clitics(seen)
        known = None if _are_common(seen) else _cut_words(seen)
        if known is not None:
            clitics = Clitics(frozenset(ending for _, ending, _ in known))
        right = {key: counts.most_common(1)[0][0] for key, counts in seen.items()}
        within: list[Example] = []
        between: list[Example] = []
        for (chunk, after), cuts in (_common(right) | right).items():
            if not address_in(chunk):
                _examples(chunk, after, cuts, clitics, within, between)
        cutter = cls(
            clitics,
            learn(between, epochs=_EPOCHS, fewest=2, bias=2),
            {known_word(*parts): SCALE for parts in known}
            if known is not None
            else learn(within, epochs=_EPOCHS, fewest=2 if len(within) < 20_000 else 4, bias=2),
        )
        exceptions = _exceptions(cutter, seen)
        exceptions |= {f"{chunk}\t": () for chunk in sorted(whole)}
        exceptions |= {f"{chunk}\t{kind}": () for chunk, kinds in abbreviations for kind in kinds}
        return cls(clitics, cutter.between, cutter.within, exceptions)


def _examples(
    chunk: str,
    after: str,
    cuts: Cuts,
    clitics: Clitics,
    within: list[Example],
    between: list[Example],
) -> None:
    """Add the places of a chunk to the examples, each with the correct splits before it."""
    parts = atoms(chunk)
    start, number = 0, 0
    for place, word in places_of(parts, clitics):
        answer = place in cuts
        if word:
            within.append((features_within(chunk, place, word), answer))
        else:
            number += 1
            between.append((features_between(chunk, parts, number, start, place, after), answer))
        if answer:
            start = place


def _common(right: Mapping[tuple[str, str], Cuts]) -> dict[tuple[str, str], Cuts]:
    """Return common chunks, if the treebank has no similar ones."""

    def look(chunk: str) -> str:
        return "".join(kind for kind, _ in groupby(map(_look, chunk)))

    looks = {look(chunk) for chunk, _ in right}
    found = {}
    for line in _COMMON.split():
        parts = line.split("|")
        chunk = "".join(parts)
        if look(chunk) not in looks:
            found[chunk, ""] = tuple(accumulate(map(len, parts[:-1])))
    return found


def _look(character: str) -> str:
    kind = kind_of(character)
    return character if kind == "." else kind


def _find_clitics(seen: Seen) -> Clitics:
    """Find the clitics that the treebank splits off within words."""
    endings: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for (one, two), count in _splits_within(seen):
        endings[two] += count
        pairs[one, two] += count
    often = frozenset(ending for ending, count in endings.items() if count >= _OFTEN)
    beginnings: Counter[str] = Counter()
    for (one, two), count in pairs.items():
        if two not in often:
            beginnings[one] += count
    return Clitics(often, frozenset(b for b, count in beginnings.items() if count >= _OFTEN))


def _are_common(seen: Seen) -> bool:
    """Return whether words are split so often that it can be learned for unknown words, too."""
    every = sum(counts.total() for counts in seen.values())
    return sum(count for _, count in _splits_within(seen)) * _RARE > every


def _cut_words(seen: Seen) -> list[tuple[str, str, str]]:
    """Return the words that are usually split (gon|na, do|n't): both parts, and what follows."""
    splits: Counter[tuple[str, str, str]] = Counter()
    whole: Counter[tuple[str, str]] = Counter()
    for (chunk, _), counts in seen.items():
        for run in _LETTERS.finditer(chunk):
            word, follow = run[0].lower(), apostrophe_at(chunk, run.end())
            for cuts, count in counts.items():
                inner = [cut - run.start() for cut in cuts if run.start() < cut < run.end()]
                for cut in inner:
                    splits[word[:cut], word[cut:], follow] += count
                whole[word, follow] += count * (not inner)
    return sorted(
        (stem, ending, follow)
        for (stem, ending, follow), count in splits.items()
        if count >= _SURE and count > whole[stem + ending, follow]
    )


def _splits_within(seen: Seen) -> Iterator[tuple[tuple[str, str], int]]:
    """Yield the two parts of each word that is split, in lower case, and how often."""
    for (chunk, _), counts in seen.items():
        for cuts, count in counts.items():
            for cut in cuts:
                if chunk[cut - 1].isalpha() and chunk[cut].isalpha():
                    yield _letters_around(chunk, cut), count


def _letters_around(chunk: str, cut: int) -> tuple[str, str]:
    start, end = cut, cut
    while start and chunk[start - 1].isalpha():
        start -= 1
    while end < len(chunk) and chunk[end].isalpha():
        end += 1
    return chunk[start:cut].lower(), chunk[cut:end].lower()


def _exceptions(cutter: ChunkCutter, seen: Seen) -> dict[str, Cuts]:
    """Return the chunks that occur more than once and that the weights would split wrongly."""
    found: dict[str, Cuts] = {}
    for (chunk, after), counts in sorted(seen.items()):
        cuts, count = counts.most_common(1)[0]
        if count > 1 and 2 * count >= counts.total() and cutter.cuts(chunk, after) != cuts:
            found[chunk + "\t" + after] = cuts
    return found


def collect(chunks: Sequence[tuple[str, Cuts]], next_chunks: Sequence[str], seen: Seen) -> None:
    """Count how the chunks of a sentence are split, each before the next chunk."""
    for number, ((chunk, cuts), after) in enumerate(zip(chunks, next_chunks, strict=True)):
        kind = before_what(chunk, after, is_first=number == 0)
        seen.setdefault((chunk, kind), Counter())[cuts] += 1
