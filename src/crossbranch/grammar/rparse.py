"""The format of rparse (and treetools): rules in one file, words in another.

    C:2 ROOT1([0][1][2]) --> VP2([0],[2]) MD1([1])      my.rcg
    C:1 VP2([0],[1]) --> WP1([0]) VB1([1])

    what	WP 1                                        my.lex

A rule is written as in range concatenation grammars: variables are numbers in brackets, commas
separate blocks, and every symbol ends in its fan-out. `C:` is the count of the rule. `#start ROOT1`
names the start symbol; the default is VROOT1, or else the symbol of the first rule.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from crossbranch.errors import InputError, UsageError
from crossbranch.grammar.lcfrs import Blocks, Grammar, Part, Rule
from crossbranch.grammar.lines import (
    Line,
    foreign_name,
    foreign_word,
    lines_of,
    own_symbol,
    own_word,
)

RULES, WORDS = ".rcg", ".lex"
_START = "VROOT"
_SAFE = '/?":;#-'
_COLON = "&#x3a;"

_FIELD = re.compile(r"([A-Z]):([^\s()]+)\s+")
_PREDICATE = re.compile(r"(?P<name>\S+?)(?P<fan_out>\d+)'?\((?P<blocks>[\d\[\],]+)\)")
_BLOCK = re.compile(r"(?:\[\d+\])+")
_EXPECTED = "C:COUNT A2([0],[1]) --> B1([0]) C1([1])"


def read_rparse(path: str, words: Iterable[Line]) -> Grammar:
    """Return the grammar of a file of rules, and of the lines of a file of words."""
    start = ""
    found: defaultdict[Rule, float] = defaultdict(float)
    for line in lines_of(path):
        if line.text.startswith("#"):
            comment = line.text[1:].strip()
            if comment.startswith("start"):
                start = _symbol(line, comment.removeprefix("start").strip())
        elif not line.text.startswith("%"):
            rule, count = _read_rule(line)
            found[rule] += count
    if not found:
        raise InputError("no rules", "at least one rule", path=path)
    lefts = {rule.left: None for rule in found}
    start = start or (_START if _START in lefts else next(iter(lefts)))
    return Grammar(start, found, _read_words(words))


def _symbol(line: Line, text: str) -> str:
    """Return the symbol of a name that ends in its fan-out, 1."""
    if len(text) < 2 or not text.endswith("1"):
        raise line.error("a start symbol with the fan-out 1", found=text)
    return _own(text[:-1], 1)


def _read_rule(line: Line) -> tuple[Rule, float]:
    text, count = line.text, 1.0
    while field := _FIELD.match(text):
        if field[1] == "C":
            count = line.weight(field[2], "count")
        text = text[field.end() :]
    left, arrow, right = text.partition("-->")
    predicates = [_read_predicate(line, word) for word in [left.strip(), *right.split()]]
    if not arrow or len(predicates) < 2:
        raise line.error(_EXPECTED)
    (name, variables), *children = predicates
    parts: dict[str, Part] = {}
    for child, (_, blocks) in enumerate(children):
        for block, names in enumerate(blocks):
            if len(names) > 1 or names[0] in parts:
                raise line.error("one variable for each block, and each only once")
            parts[names[0]] = (child, block)
    if sorted(parts) != sorted(variable for block in variables for variable in block):
        raise line.error("each variable once on both sides of the arrow")
    found: Blocks = tuple(tuple(parts[variable] for variable in block) for block in variables)
    return Rule(name, tuple(symbol for symbol, _ in children), found), count


def _read_predicate(line: Line, text: str) -> tuple[str, list[list[str]]]:
    """Return the symbol of a predicate, and the variables of each block."""
    match = _PREDICATE.fullmatch(text)
    if match is None:
        raise line.error(_EXPECTED)
    blocks = match["blocks"].split(",")
    if not all(map(_BLOCK.fullmatch, blocks)):
        raise line.error(_EXPECTED)
    # Of a name such as S12, the last digits that are the fan-out do not belong to it.
    name, fan_out = match["name"] + match["fan_out"], str(len(blocks))
    if not name.endswith(fan_out) or len(name) == len(fan_out):
        raise line.error(f"a name that ends in its fan-out, {fan_out}", found=text)
    symbol = _own(name.removesuffix(fan_out), len(blocks))
    return symbol, [re.findall(r"\d+", block) for block in blocks]


def _read_words(lines: Iterable[Line]) -> dict[str, dict[str, float]]:
    words: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for line in lines:
        form, _, rest = line.text.partition("\t")
        pairs = rest.split()
        if not form or not pairs or len(pairs) % 2:
            raise line.error("WORD, a tab, and TAG COUNT ...")
        for tag, count in zip(pairs[::2], pairs[1::2], strict=True):
            words[_own(tag, 1)][own_word(form)] = line.weight(count, "count")
    return dict(words)


def write_rparse(grammar: Grammar) -> tuple[Iterator[str], Iterator[str]]:
    """Return the lines of both files.

    Raises:
        UsageError: The format cannot hold a rule, or a weight is not a count.
    """
    weights = [
        *grammar.rules.values(),
        *(w for forms in grammar.words.values() for w in forms.values()),
    ]
    if any(weight != int(weight) for weight in weights):
        raise UsageError("rparse holds counts, but there are weights that are not whole numbers")
    for rule in grammar.rules:
        if not rule.right or rule.terminals:
            raise UsageError(
                f"rparse cannot hold {rule}: expected children and no terminals, "
                "as in the normal form tagged"
            )
    return _rule_lines(grammar), _word_lines(grammar)


def _rule_lines(grammar: Grammar) -> Iterator[str]:
    yield f"#start {_stem(grammar.start, 1)}1\n"
    for symbol in grammar.symbols:
        for rule, weight in grammar.rules_of(symbol).items():
            yield f"C:{int(weight)} {_clause(rule)}\n"


def _clause(rule: Rule) -> str:
    variables: dict[Part, str] = {}
    for part in (part for block in rule.blocks for part in block):
        variables[part] = f"[{len(variables)}]"
    own = ",".join("".join(variables[part] for part in block) for block in rule.blocks)
    right = [
        f"{_stem(symbol, count)}{count}({','.join(variables[child, k] for k in range(count))})"
        for child, (symbol, count) in enumerate(zip(rule.right, rule.fan_outs, strict=True))
    ]
    return " ".join([f"{_stem(rule.left, rule.fan_out)}{rule.fan_out}({own})", "-->", *right])


def _stem(symbol: str, fan_out: int) -> str:
    """Return a symbol without its fan-out, which rparse writes without a line."""
    name = _foreign(symbol)
    return name.removesuffix(f"_{fan_out}") if fan_out > 1 else name


def _foreign(symbol: str) -> str:
    """Return the name of a symbol. A colon in it would look like a field, such as `C:1`."""
    return foreign_name(symbol, _SAFE).replace(":", _COLON)


def _own(name: str, fan_out: int) -> str:
    """Return the symbol of a name without its fan-out."""
    return own_symbol(name.replace(_COLON, ":"), fan_out, has_number=False)


def _word_lines(grammar: Grammar) -> Iterator[str]:
    tags: defaultdict[str, list[str]] = defaultdict(list)
    for tag, forms in grammar.words.items():
        for form, weight in forms.items():
            tags[form].append(f"{_foreign(tag)} {int(weight)}")
    for form, pairs in tags.items():
        yield f"{foreign_word(form)}\t{' '.join(pairs)}\n"
