"""The format of disco-dop: rules in one file, words in another, with columns between tabs.

    ROOT    VP_2    MD      010     1/2         my.rules
    VP_2    WP      VB      0,1     1/1

    what    WP      1/2                         my.lex

A yield function says which child each part belongs to: `010` is the first block of the first child,
the block of the second, and the second block of the first. Commas are between the blocks of the
symbol. Weights are probabilities. The first rule has the start symbol.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from crossbranch.errors import InputError, UsageError
from crossbranch.grammar.lcfrs import Blocks, Grammar, Part, Rule
from crossbranch.grammar.lines import (
    FanOuts,
    Line,
    foreign_name,
    foreign_word,
    lines_of,
    own_symbol,
    own_word,
)
from crossbranch.grammar.normal_forms import is_ordered
from crossbranch.grammar.text_format import number

RULES, WORDS = ".rules", ".lex"
_SAFE = '()[]/?":;#-'


def read_discodop(path: str, words: Iterable[Line]) -> Grammar:
    """Return the grammar of a file of rules, and of the lines of a file of words."""
    found: defaultdict[Rule, float] = defaultdict(float)
    fan_outs = FanOuts()
    for line in lines_of(path):
        rule, weight = _read_rule(line, fan_outs)
        found[rule] += weight
    if not found:
        raise InputError("no rules", "at least one rule", path=path)
    return Grammar(next(iter(found)).left, found, _read_words(words))


def _read_rule(line: Line, fan_outs: FanOuts) -> tuple[Rule, float]:
    *names, code, weight = line.columns if len(line.columns) > 1 else ["", ""]
    if not 2 <= len(names) <= 3 or not code.replace(",", "").isdecimal():
        raise line.error("LHS RHS1 [RHS2] YIELD-FUNCTION WEIGHT")
    blocks = _read_blocks(line, code, len(names) - 1)
    counts = [len(blocks), *(code.count(str(child)) for child in range(len(names) - 1))]
    for name, count in zip(names, counts, strict=True):
        fan_outs.check(line, name, count)
    left, *right = map(own_symbol, names, counts)
    return Rule(left, tuple(right), blocks), line.weight(weight, "weight")


def _read_blocks(line: Line, code: str, rank: int) -> Blocks:
    counts = [0] * rank
    blocks: list[tuple[Part, ...]] = []
    for block in code.split(","):
        parts: list[Part] = []
        for child in map(int, block):
            if child >= rank:
                raise line.error(f"a yield function of {rank} children", found=code)
            parts.append((child, counts[child]))
            counts[child] += 1
        blocks.append(tuple(parts))
    if 0 in counts or not all(blocks):
        raise line.error("a yield function with all children and no empty block", found=code)
    return tuple(blocks)


def _read_words(lines: Iterable[Line]) -> dict[str, dict[str, float]]:
    words: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for line in lines:
        form, *pairs = line.columns
        if not pairs or len(pairs) % 2:
            raise line.error("WORD TAG WEIGHT ...")
        for tag, weight in zip(pairs[::2], pairs[1::2], strict=True):
            words[own_symbol(tag, 1)][own_word(form)] = line.weight(weight, "weight")
    return dict(words)


def write_discodop(grammar: Grammar) -> tuple[Iterator[str], Iterator[str]]:
    """Return the lines of both files.

    Raises:
        UsageError: The format cannot hold a rule.
    """
    for rule in grammar.rules:
        if not 1 <= rule.rank <= 2 or rule.terminals or not is_ordered(rule):
            raise UsageError(
                f"discodop cannot hold {rule}: expected one or two children in order and no "
                "terminals, as in the normal forms ordered, tagged and binary"
            )
    totals = grammar.totals()
    return _rule_lines(grammar, totals), _word_lines(grammar, totals)


def _rule_lines(grammar: Grammar, totals: dict[str, float]) -> Iterator[str]:
    for symbol in grammar.symbols:
        for rule, weight in grammar.rules_of(symbol).items():
            code = ",".join("".join(str(part[0]) for part in block) for block in rule.blocks)
            names = [foreign_name(name, _SAFE) for name in (rule.left, *rule.right)]
            yield "\t".join([*names, code, _share(weight, totals[symbol])]) + "\n"


def _word_lines(grammar: Grammar, totals: dict[str, float]) -> Iterator[str]:
    tags: defaultdict[str, list[str]] = defaultdict(list)
    for tag, forms in grammar.words.items():
        for form, weight in forms.items():
            tags[form] += [foreign_name(tag, _SAFE), _share(weight, totals[tag])]
    for form, columns in tags.items():
        yield "\t".join([foreign_word(form), *columns]) + "\n"


def _share(weight: float, total: float) -> str:
    """Write a probability as a fraction if both numbers are counts."""
    if weight == int(weight) and total == int(total):
        return f"{int(weight)}/{int(total)}"
    return number(weight / total)
