"""Tables of clause rules: which nodes are clauses, which words are verbs, and what the parts are.

    # WHAT        WHICH   INSIDE   LABELS
    clause        all     *        S
    joined        aux     S|VP     VP/OC
    verb          all     *        V*
    auxiliary     all     *        VA*|VM*
    subject       all     *        /SB

Lines are tried in order, and the first one that fits a part decides. LABELS and INSIDE are written
as in head tables: labels of the part, and of the node that it is in. WHICH chooses among the parts
that fit (see `WHICH`). A line with `words` lists words instead of labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from crossbranch.doors import door
from crossbranch.errors import InputError
from crossbranch.transforms.head_table import HeadItem, HeadPattern, compile_labels
from crossbranch.transforms.user_files import columns

ROLES = (
    *("subject", "object", "indirect", "predicative", "complement", "agent", "modifier"),
    *("particle", "negation", "nothing"),
)
"""What a part of a clause can be. `nothing`: it is no part, such as a conjunction."""

SETTINGS = (
    *("clause", "joined", "verb", "auxiliary", "finite", "participle", "conjunction", "shared"),
)
"""What else a line can say.

`clause`: the node is a clause. `joined`: the node belongs to the clause of the node that it is in
(with `aux`: if all verbs there are auxiliaries). `participle`: the verb may be passive, by its tag
or by the node that it is in. `conjunction`: verbs on both sides of it are verbs of two clauses.
`shared`: if the clause has no subject, it has the one of the clause before it in the same node
(with `above`: of the clause above that node).
"""

WHICH = {
    "all": "all that fit",
    "aux": "all that fit, if all verbs of the node are auxiliaries",
    "first": "the first that fits",
    "finite": "the first that fits, if the clause has a finite verb",
    "before": "the last that fits before the verb",
    "after": "the first that fits after the verb",
    "nominative": "the first that fits and is in the nominative, by its morphology",
    "two": "the first, if there are two that fit",
    "copula": "all that fit, if the verb is a copula",
    "by": "all that fit, if the verb is passive and they begin with a word listed as agent",
    "above": "the first that fits among the other children of the node above the clause",
}
"""The values of WHICH.

Except for `all`, `aux`, `copula` and `by`, they are only used if nothing else is in the role yet.
"""

WORDS = ("auxiliary", "copula", "passive", "negation", "agent")
"""What lines with `words` can list: `passive` are auxiliaries that make a participle passive.

With `*` among them, a participle without any auxiliary is passive, too.
"""


class ClauseRule(NamedTuple):
    """A line of a table."""

    what: str
    which: str
    inside: HeadPattern
    labels: HeadPattern

    def fits(self, part: HeadItem, inside: HeadItem) -> bool:
        """Say whether labels fit, of a part and of the node that it is in."""
        return self.labels.fits(*part[:2]) and self.inside.fits(*inside[:2])


class ClauseTable:
    """The rules of a table."""

    @door
    def __init__(self, rules: Sequence[ClauseRule], words: dict[str, frozenset[str]]) -> None:
        """Make a table."""
        self.roles = [rule for rule in rules if rule.what in ROLES]
        self._settings = {name: [rule for rule in rules if rule.what == name] for name in SETTINGS}
        self._words = words

    @door
    def rule(self, what: str, part: HeadItem, inside: HeadItem) -> ClauseRule | None:
        """Return the first rule for one of `SETTINGS` that fits."""
        return next((rule for rule in self._settings[what] if rule.fits(part, inside)), None)

    @door
    def has_word(self, what: str, word: str) -> bool:
        """Say whether a word is listed as one of `WORDS`."""
        return word.casefold() in self._words.get(what, ())


@cache
def load_clause_table(name: str) -> ClauseTable | None:
    """Load the table for treebanks with the head table of this name. None if there is none."""
    path = resources.files("crossbranch.clauses") / "tables" / f"{name}.clauses"
    return parse_table(path.read_text(encoding="utf-8"), name) if path.is_file() else None


def parse_table(text: str, path: str = "") -> ClauseTable:
    """Make a table from its text; errors name `path`."""
    rules: list[ClauseRule] = []
    words: dict[str, frozenset[str]] = {}
    for line, row in columns(text):
        try:
            if row[0] == "words":
                name = _one_of(WORDS, "".join(row[1:2]))
                words[name] = words.get(name, frozenset()) | set(map(str.casefold, row[2:]))
            else:
                rules.append(_parse_rule(row))
        except ValueError as error:
            found, expected = error.args
            raise InputError(found, expected, path=path, line=line) from None
    return ClauseTable(rules, words)


def _parse_rule(row: list[str]) -> ClauseRule:
    """Read one line; raises ValueError(found, expected)."""
    if len(row) != 4:
        raise ValueError(f"{len(row)} columns", "4 columns: what, which, inside and labels")
    what, which, inside, labels = row
    return ClauseRule(
        _one_of((*ROLES, *SETTINGS), what),
        _one_of(tuple(WHICH), which),
        compile_labels(inside),
        compile_labels(labels),
    )


def _one_of(known: Sequence[str], name: str) -> str:
    if name not in known:
        raise ValueError(repr(name), f"one of {', '.join(known)}")
    return name
