"""Scores for each phenomenon of discontinuity. Phenomena are read from a file, or detected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Self

from crossbranch.disk import read_file
from crossbranch.errors import InputError, UsageError
from crossbranch.evaluation.counts import MatchCounts, with_percentages
from crossbranch.evaluation.discontinuity import discontinuities
from crossbranch.evaluation.pairs import Brackets, Pair, discontinuous
from crossbranch.evaluation.phenomena_rules import OTHER, RULES, find_head
from crossbranch.tree import Bracket, Node, Tree

Classes = Mapping[str, Sequence[str]]
"""The phenomena of each sentence, by its id."""

# ---- classes from a file


def read_classes(path: str | Path) -> dict[str, list[str]]:
    """Read a list of phenomena: each line has the id of a sentence and a class.

    A sentence may be on several lines. Text after # is a comment.
    """
    try:
        text = read_file(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found_byte = f"the byte {error.object[error.start]:#04x}"
        raise InputError(found_byte, "UTF-8", path=str(path), byte=error.start) from None
    found: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#")[0].split(maxsplit=1)
        if len(words) == 1:
            expected = "the id of a sentence and a class"
            raise InputError(repr(line.strip()), expected, path=str(path), line=number)
        if words:
            found.setdefault(words[0], []).append(words[1].strip())
    return found


# ---- classes from the trees

_MARKS: dict[str, frozenset[str]] = {
    "negra": frozenset(["$,", "$.", "$(", "ART", "APPR", "ADJA", "VVFIN", "VAFIN", "PPER", "KON"]),
    "penn": frozenset(["DT", "IN", "PRP", "VBD", "VBZ", "VBP", "NNS", "NNP", "JJ", "CC"]),
    "alpino": frozenset(["lid", "vz", "ww", "vnw", "det", "prep", "verb", "noun", "SMAIN", "SSUB"]),
}


def guess_scheme(trees: Iterable[Tree], most: int = 100) -> str:
    """Return which labels and tags are used: negra, penn or alpino, or "" for others."""
    seen: Counter[str] = Counter()
    for tree in islice(trees, most):
        seen.update(token.tag for token in tree.sentence)
        seen.update(node.label for node in tree.nodes)
    hits = {scheme: sum(seen[mark] for mark in marks) for scheme, marks in _MARKS.items()}
    best = max(hits, key=lambda scheme: hits[scheme])
    return best if hits[best] * 10 > seen.total() else ""


class Finding(NamedTuple):
    """A phenomenon in a tree. `inherited` are nodes that are discontinuous because `node` is."""

    phenomenon: str
    node: Node
    inherited: tuple[Node, ...]


def find_phenomena(tree: Tree, scheme: str) -> list[Finding]:
    """Return the phenomena in a tree. `scheme` is the result of `guess_scheme`."""
    if scheme and scheme not in RULES:
        raise UsageError(f"unknown scheme {scheme!r}; expected one of {', '.join(RULES)}")
    rules = RULES.get(scheme, ())
    return [
        Finding(
            next((name for name, rule in rules if rule(found)), OTHER), found.node, found.inherited
        )
        for found in discontinuities(tree, find_head)
    ]


# ---- scores


@dataclass(frozen=True, slots=True)
class Matches:
    """How many discontinuous brackets of some sentences were found."""

    exact: int = 0  # sentences with all of them and no others
    partial: int = 0  # sentences with at least one of them
    brackets: MatchCounts = field(default_factory=MatchCounts)

    @classmethod
    def of(cls, gold: Brackets, predicted: Brackets) -> Self:
        """Compare the discontinuous brackets of one sentence."""
        matched = (gold & predicted).total()
        counts = MatchCounts(gold.total(), predicted.total(), matched)
        return cls(int(gold == predicted), int(matched > 0), counts)

    def __add__(self, other: Matches) -> Matches:
        brackets = self.brackets + other.brackets
        return Matches(self.exact + other.exact, self.partial + other.partial, brackets)


@dataclass(frozen=True, slots=True)
class PhenomenonScores:
    """The scores of one phenomenon, with labels and without."""

    sentences: int = 0
    labelled: Matches = field(default_factory=Matches)
    unlabelled: Matches = field(default_factory=Matches)

    @classmethod
    def of(cls, pair: Pair) -> Self:
        """Score one sentence."""
        gold, predicted = discontinuous(pair.gold_brackets), discontinuous(pair.predicted_brackets)
        bare = Matches.of(_unlabelled(gold), _unlabelled(predicted))
        return cls(1, Matches.of(gold, predicted), bare)

    def __add__(self, other: PhenomenonScores) -> PhenomenonScores:
        return PhenomenonScores(
            self.sentences + other.sentences,
            self.labelled + other.labelled,
            self.unlabelled + other.unlabelled,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        return {
            "sentences": self.sentences,
            "labelled": self._figures(self.labelled),
            "unlabelled": self._figures(self.unlabelled),
        }

    def _figures(self, matches: Matches) -> dict[str, Any]:
        shares = {
            "exact_match": matches.exact / self.sentences if self.sentences else 1.0,
            "partial_match": matches.partial / self.sentences if self.sentences else 1.0,
        }
        counts = {"exact": matches.exact, "partial": matches.partial}
        return counts | with_percentages(shares) | matches.brackets.to_dict()


def _unlabelled(brackets: Brackets) -> Brackets:
    found: Brackets = Counter()
    for bracket, count in brackets.items():
        found[Bracket("", bracket.span)] += count
    return found


@dataclass(frozen=True, slots=True)
class Phenomena:
    """The scores of all phenomena. A sentence with phenomena a and b counts as a+b."""

    classes: Mapping[str, PhenomenonScores] = field(default_factory=dict)

    @classmethod
    def of(cls, pair: Pair, classes: Sequence[str]) -> Self:
        """Score one sentence with these phenomena. A sentence without any does not count."""
        return cls({"+".join(sorted(classes)): PhenomenonScores.of(pair)} if classes else {})

    @classmethod
    def detected(cls, pair: Pair, scheme: str) -> Self:
        """Score one sentence with the phenomena of its gold tree. Each phenomenon counts once."""
        return cls.of(
            pair, sorted({found.phenomenon for found in find_phenomena(pair.gold, scheme)})
        )

    def __add__(self, other: Self) -> Self:
        total = dict(self.classes)
        for name, scores in other.classes.items():
            total[name] = total[name] + scores if name in total else scores
        return type(self)(total)

    def rows(self) -> list[tuple[str, PhenomenonScores]]:
        """Return each phenomenon with its scores, the most frequent first."""
        return sorted(self.classes.items(), key=lambda row: (-row[1].sentences, row[0]))

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        return {name: scores.to_dict() for name, scores in self.rows()}
