"""Changed copies of training trees: everyday text is not written as carefully as a treebank.

Messages have no final period, titles are in capitals, word processors make curved quotes. A copy
has the tags and constituents of its tree, so that taggers and parsers learn that these changes mean
nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random

from crossbranch.config import AugmentSettings
from crossbranch.draft import Draft
from crossbranch.punctuation import is_punctuation_word
from crossbranch.tree import Tree

_FINAL = frozenset(".?!")
_QUOTES = {"``": "“", "''": "”", "`": "‘"}
_OPENING_TAGS, _CLOSING_TAG = ("``", "`"), "''"

Change = Callable[[Tree], Tree]


class Augmentation:
    """Makes changed copies of trees."""

    def __init__(self, settings: AugmentSettings, trees: Iterable[Tree]) -> None:
        """Prepare the changes.

        Args:
            settings: The share of the sentences that each change is for.
            trees: Trees that show which words are written with a small letter.
        """
        self._shares = settings.to_dict()
        self._first_letters = _FirstLetters(trees) if settings.lower_first else None

    def copies(self, trees: Sequence[Tree], seed: str) -> list[tuple[int, Tree]]:
        """Return changed copies, each with the number of its tree.

        Each change is made with its own probability, so a copy may have several. There is no copy
        of a tree that nothing has changed.
        """
        random = Random(seed)
        found = []
        for number, tree in enumerate(trees):
            chosen = [name for name, share in self._shares.items() if random.random() < share]
            changed = tree
            for name in chosen:
                changed = self._changed(name, changed)
            if changed is not tree:
                found.append((number, changed))
        return found

    def _changed(self, name: str, tree: Tree) -> Tree:
        if name == "lower_first":
            return tree if self._first_letters is None else self._first_letters.lower(tree)
        return _CHANGES[name](tree)


def without_final_mark(tree: Tree) -> Tree:
    """Return a tree without its final period, question mark or exclamation mark."""
    last = len(tree.sentence) - 1
    if last < 1 or tree.sentence[last].form not in _FINAL:
        return tree
    draft = Draft(tree)
    draft.remove(last)
    return draft.build()


def in_small_letters(tree: Tree) -> Tree:
    """Return a tree whose words are all in small letters."""
    return _with_forms(tree, [_cased(token.form, str.lower) for token in tree.sentence])


def in_capitals(tree: Tree) -> Tree:
    """Return a tree whose words are all in capitals."""
    return _with_forms(tree, [_cased(token.form, str.upper) for token in tree.sentence])


def with_typographic_quotes(tree: Tree) -> Tree:
    """Return a tree with curved quotes and apostrophes in place of the straight ones."""
    forms: list[str] = []
    is_open = False
    for token in tree.sentence:
        opens = token.tag in _OPENING_TAGS
        if token.form == '"':  # opens and closes in turn, unless the tag says what it does
            is_open = opens or not (is_open or token.tag == _CLOSING_TAG)
            forms.append("“" if is_open else "”")
        elif token.form == "'":
            forms.append("‘" if opens else "’")
        else:
            forms.append(_QUOTES.get(token.form) or token.form.replace("'", "’"))
    return _with_forms(tree, forms)


_CHANGES: dict[str, Change] = {
    "no_final_mark": without_final_mark,
    "all_lower": in_small_letters,
    "all_caps": in_capitals,
    "typographic_quotes": with_typographic_quotes,
}


class _FirstLetters:
    """Knows which words have their capital only because they are at the beginning."""

    def __init__(self, trees: Iterable[Tree]) -> None:
        self._counts = Counter(
            token.form for tree in trees for token in tree.sentence[_first_word(tree) + 1 :]
        )

    def lower(self, tree: Tree) -> Tree:
        """Return a tree whose first word has a small letter, if it usually has one."""
        first = _first_word(tree)
        forms = [token.form for token in tree.sentence]
        word = forms[first]
        small = word[:1].lower() + word[1:]
        if self._counts[small] <= self._counts[word]:
            return tree
        forms[first] = small
        return _with_forms(tree, forms)


def _first_word(tree: Tree) -> int:
    """Return the place of the first word; of the first token if there are only marks."""
    words = (n for n, one in enumerate(tree.sentence) if not is_punctuation_word(one.form))
    return next(words, 0)


def _with_forms(tree: Tree, forms: Sequence[str]) -> Tree:
    if all(token.form == form for token, form in zip(tree.sentence, forms, strict=True)):
        return tree
    pairs = zip(tree.sentence, forms, strict=True)
    return tree.replace(sentence=[token._replace(form=form) for token, form in pairs])


def _cased(form: str, change: Callable[[str], str]) -> str:
    """Return a word in another case. Brackets such as -LRB- are no words."""
    return form if is_punctuation_word(form) else change(form)
