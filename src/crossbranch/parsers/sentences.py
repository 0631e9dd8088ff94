"""The sentences that a parser takes, as tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from crossbranch import _core
from crossbranch.dependencies import DEPREL, HEAD
from crossbranch.errors import UsageError
from crossbranch.tree import ROOT, Features, Node, Sentence, Token, Tree, with_feature

SentenceLike = str | Tree | Sequence[Token | str | tuple[str, str]]
"""A text, a tree, or a list of tokens, words, or pairs of a word and its tag."""

Tags = Literal["keep", "predict"]
"""Whether given tags are kept, or all tags are predicted."""

PARSE, NONE = "parse", "none"
"""The feature of a fall-back tree: no parse was found for the sentence."""

SEARCH_SPACE = "search-space"
"""The feature of a tree whose sentence was too long for the search space: the smaller one."""

_STATED = HEAD, DEPREL
_TAG, _LEMMA, _FUNCTION = map(Token._fields.index, ("tag", "lemma", "edge_label"))


class Request(NamedTuple):
    """A sentence to parse, and the id, comments, text and features that its tree gets."""

    sentence: Sentence
    id: str = ""
    comments: tuple[str, ...] = ()
    text: str = ""
    features: Features = ()

    def fallback(self) -> Tree:
        """Return a flat tree with the feature that says that no parse was found."""
        flat = self.parsed(Node(ROOT, range(len(self.sentence))))
        return flat.replace(features=with_feature(self.features, PARSE, NONE))

    def parsed(self, root: Node) -> Tree:
        """Return the tree that a parser found.

        Tokens from a file of dependencies keep its dependencies as features. In a tree without
        constituents, these would be taken for what the parser found. So they are left out there.
        """
        if root.label == ROOT and all(child.__class__ is int for child in root.children):
            return self._replace(sentence=_without_dependencies(self.sentence)).tree(root)
        return self.tree(root)

    def tree(self, root: Node | None = None) -> Tree:
        """Return the tree with this root; without a root, a flat tree."""
        return Tree(
            self.sentence,
            root or Node(ROOT, range(len(self.sentence))),
            id=self.id,
            comments=self.comments,
            text=self.text,
            features=self.features,
        )


def request_for(sentence: SentenceLike) -> Request:
    """Return the tokens of a sentence, without edge labels: these belong to the gold tree."""
    if isinstance(sentence, Tree):
        bare = _bare(sentence.sentence)
        return Request(bare, sentence.id, sentence.comments, sentence.text)
    if not isinstance(sentence, Iterable):
        raise UsageError(f"a sentence is {sentence!r}, expected a text, a tree, tokens, or words")
    return Request(_bare([_token(word) for word in sentence]))


def with_tags(sentence: Sentence, tags: Sequence[str], *, keep: bool = False) -> Sentence:
    """Return tokens with these tags. With `keep`, tokens that have a tag keep it."""
    return _core.with_fields(sentence, _TAG, list(tags), keep=keep)


def with_lemmas(sentence: Sentence, lemmas: Sequence[str], *, keep: bool = False) -> Sentence:
    """Return tokens with these lemmas. With `keep`, tokens that have a lemma keep it."""
    return _core.with_fields(sentence, _LEMMA, list(lemmas), keep=keep)


def with_functions(sentence: Sentence, functions: Sequence[str]) -> Sentence:
    """Return tokens, which have no functions (edge labels) yet, with these functions."""
    return _core.with_fields(sentence, _FUNCTION, list(functions), keep=True)


def untagged(sentence: Sentence) -> Sentence:
    """Return tokens without tags."""
    return with_tags(sentence, [""] * len(sentence))


def has_parse(tree: Tree) -> bool:
    """Return whether a parser found this tree; False for a fall-back tree."""
    return (PARSE, NONE) not in tree.features


def refuse_text(sentences: Iterable[SentenceLike]) -> None:
    """Refuse a text, whose letters are no sentences, and a single tree."""
    if isinstance(sentences, str | Tree):
        what = "text" if isinstance(sentences, str) else "tree"
        raise UsageError(
            f"found one {what}, expected several sentences; put it into a list, [{what}], or see"
            " parse and parse_text"
        )


def _bare(tokens: Sequence[Token]) -> Sentence:
    return tuple([token._replace(edge_label="") if token.edge_label else token for token in tokens])


def _without_dependencies(tokens: Sequence[Token]) -> Sentence:
    """Return tokens without the heads and relations that a file gave them."""
    return tuple(
        [
            token._replace(features=tuple([f for f in token.features if f[0] not in _STATED]))
            if token.features
            else token
            for token in tokens
        ]
    )


def _token(word: object) -> Token:
    if isinstance(word, Token):
        return word
    if isinstance(word, str):
        return Token(word)
    if isinstance(word, tuple) and len(word) == 2 and all(isinstance(part, str) for part in word):
        return Token(*word)
    raise UsageError(f"a sentence contains {word!r}, expected a token, (word, tag), or a word")
