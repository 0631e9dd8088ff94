"""A gold tree and a predicted one, reduced to what the parameters count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from crossbranch.evaluation.parameters import Parameters, representatives
from crossbranch.span import Span, is_discontinuous, span_of
from crossbranch.tree import Bracket, Node, Tree

Brackets = Counter[Bracket]

NO_PARSE = "(no parse)"
"""Stands for the tags of a sentence that has none, which may be empty in gold."""

_make_bracket = partial(tuple.__new__, Bracket)


def deleted_tokens(gold: Tree, parameters: Parameters) -> list[int]:
    """Return the tokens that are left out of both trees, by the gold tags and words."""
    labels, words = parameters.deleted_labels, parameters.deleted_words
    found = {
        index
        for index, token in enumerate(gold.sentence)
        if token.tag in labels or token.form in words
    }
    if parameters.deletes_root_tokens:
        found |= {child for child in gold.root.children if isinstance(child, int)}
    return sorted(found)


def compress(span: Span, deleted: Iterable[int]) -> Span:
    """Return a span without the deleted tokens, the others renumbered; `deleted` ascends."""
    for done, token in enumerate(deleted):
        place = token - done
        span = (span >> place + 1 << place) | (span & (1 << place) - 1)
    return span


def reduced_brackets(
    tree: Tree, deleted: list[int], parameters: Parameters, equal: Mapping[str, str]
) -> Brackets:
    """Return the brackets that count; they may occur more than once in unary chains."""
    skip = parameters.deleted_labels
    pairs = [(node.label, node.span) for node in _by_levels(tree) if node.label not in skip]
    if deleted:
        # What is deleted at the end of the sentence leaves no number to change.
        kept = (1 << len(tree.sentence)) - 1 & ~span_of(deleted)
        inner = [token for token in deleted if kept >> token]
        pairs = [(label, compress(span & kept, inner)) for label, span in pairs]
    if not parameters.labelled:
        pairs = [("", span) for _, span in pairs]
    elif equal:
        pairs = [(equal.get(label, label), span) for label, span in pairs]
    return Counter([_make_bracket(pair) for pair in pairs if pair[1]])


def _by_levels(tree: Tree) -> list[Node]:
    """Return all nodes, level by level: quicker than in preorder, and brackets have no order."""
    nodes = [tree.root]
    for node in nodes:  # which grows
        nodes += [child for child in node.children if child.__class__ is not int]  # type: ignore[misc]
    return nodes


def discontinuous(brackets: Brackets) -> Brackets:
    """Return the brackets with more than one block."""
    found: Brackets = Counter()
    for bracket, count in brackets.items():
        if is_discontinuous(bracket[1]):
            found[bracket] = count
    return found


def matches(gold: Brackets, predicted: Brackets) -> int:
    """Return how many brackets are the same."""
    return sum([min(count, predicted[b]) for b, count in gold.items() if b in predicted])


@dataclass(frozen=True)
class Pair:
    """One sentence: its gold tree, and what a parser made of it; None where it made nothing."""

    gold: Tree
    predicted: Tree | None
    parameters: Parameters

    @cached_property
    def deleted(self) -> list[int]:
        """The tokens left out of both trees."""
        return deleted_tokens(self.gold, self.parameters)

    @cached_property
    def length(self) -> int:
        """The number of tokens, for the cut-off."""
        uncounted = self.parameters.uncounted_tags
        if not uncounted:
            return len(self.gold.sentence)
        return sum(token.tag not in uncounted for token in self.gold.sentence)

    @cached_property
    def gold_brackets(self) -> Brackets:
        """The gold brackets that count."""
        return self._brackets(self.gold)

    @cached_property
    def predicted_brackets(self) -> Brackets:
        """The predicted brackets that count."""
        return Counter() if self.predicted is None else self._brackets(self.predicted)

    def _brackets(self, tree: Tree) -> Brackets:
        equal = representatives(self.parameters.equal_labels)
        return reduced_brackets(tree, self.deleted, self.parameters, equal)

    @cached_property
    def tags(self) -> list[tuple[str, str]]:
        """Gold and predicted tag of each token that counts."""
        gold = [token.tag for token in self.gold.sentence]
        if self.predicted is None:
            pairs = [(tag, NO_PARSE) for tag in gold]
        else:
            predicted = [token.tag for token in self.predicted.sentence]
            pairs = list(zip(gold, predicted, strict=True))
        for token in reversed(self.deleted):
            del pairs[token]
        return pairs
