"""Normal forms: equivalent grammars that parsers and other programs can use.

ordered       the blocks of a child keep their order, and children are ordered by their first block
gap_explicit  between two blocks of a child, there is always something else
tagged        terminals are only in rules that give a tag to a word
binary        no rule has more than two children

All of them keep the language and the trees: new symbols have the labels of the old ones, or are
not nodes. A tree keeps its weight, too. If two rules become equal, their weights are added.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations, count, groupby, pairwise

from crossbranch.doors import door
from crossbranch.errors import UsageError
from crossbranch.grammar.lcfrs import Blocks, Grammar, Part, Rule, symbol_of

Variant = tuple[int, ...]
"""How the blocks of a symbol are changed: their new order, or how many of them form one block."""

Rewrite = Callable[[Rule, Variant], tuple[Rule, list[Variant]]]
"""Returns the rule of a variant, still with the old symbols, and the variants of its children."""

Names = Callable[[str, Variant], str]


def is_ordered(rule: Rule) -> bool:
    """Say whether the blocks of children are in order, and children ordered by their first."""
    return _in_order(rule, tuple(range(rule.fan_out)))[0] == rule


def is_gap_explicit(rule: Rule) -> bool:
    """Say whether no two blocks of a child are neighbours, so that they could be one block."""
    neighbours = (pair for block in rule.blocks for pair in pairwise(block))
    return not any(
        one[0] == two[0]
        for one, two in neighbours
        if not isinstance(one, str) and not isinstance(two, str)
    )


@door
def ordered(grammar: Grammar) -> Grammar:
    """Return an ordered grammar. `A.order2_1` is an A with its two blocks in the other order."""

    def name(symbol: str, variant: Variant) -> str:
        if variant == tuple(range(len(variant))):
            return symbol
        return f"{symbol}.order{'_'.join(str(block + 1) for block in variant)}"

    return _rewrite(grammar, _in_order, (0,), name)


@door
def gap_explicit(grammar: Grammar) -> Grammar:
    """Return a gap-explicit grammar: blocks that are always neighbours become one block.

    This is Algorithm 3.1 of Mielczarek (2023). `A.join1to2` is an A whose first two blocks are one.
    Rules that cannot be reached are left out.

    Raises:
        UsageError: The grammar is not ordered.
    """
    for rule in grammar.rules:
        if not is_ordered(rule):
            raise UsageError(f"{rule}: expected an ordered rule; make the grammar ordered first")

    def name(symbol: str, variant: Variant) -> str:
        joined, first = [], 1
        for size in variant:
            if size > 1:
                joined.append(f"{first}to{first + size - 1}")
            first += size
        return f"{symbol}.join{'_'.join(joined)}" if joined else symbol

    return _rewrite(grammar, _with_gaps, (1,), name)


def _rewrite(grammar: Grammar, rewrite: Rewrite, start: Variant, name: Names) -> Grammar:
    """Rewrite the rules of the start symbol, and of all variants of symbols that are needed."""
    taken = set(grammar.symbols)
    names: dict[tuple[str, Variant], str] = {(grammar.start, start): grammar.start}
    agenda = [(grammar.start, start)]
    rules: defaultdict[Rule, float] = defaultdict(float)

    def name_of(symbol: str, variant: Variant) -> str:
        key = (symbol, variant)
        if key not in names:
            wanted = name(symbol, variant)
            while wanted != symbol and wanted in taken:
                wanted += "x"
            names[key] = wanted
            taken.add(wanted)
            agenda.append(key)
        return names[key]

    while agenda:
        symbol, variant = agenda.pop()
        for rule, weight in grammar.rules_of(symbol).items():
            new, variants = rewrite(rule, variant)
            right = tuple(map(name_of, new.right, variants))
            rules[new._replace(left=names[symbol, variant], right=right)] += weight
    reached = {symbol for symbol, _ in names}
    words = {tag: forms for tag, forms in grammar.words.items() if tag in reached}
    return Grammar(grammar.start, rules, words)


def _in_order(rule: Rule, variant: Variant) -> tuple[Rule, list[Variant]]:
    """Put the blocks of the symbol into a new order, and give this order to its children."""
    blocks = [rule.blocks[old] for old in variant]
    seen: dict[int, list[int]] = {}  # the blocks of each child, in the order of the sentence
    for part in _parts(blocks):
        seen.setdefault(part[0], []).append(part[1])
    place = {child: number for number, child in enumerate(seen)}
    new = {
        (child, old): (place[child], number)
        for child, order in seen.items()
        for number, old in enumerate(order)
    }
    right = tuple(rule.right[child] for child in seen)
    return Rule(rule.left, right, _renamed(blocks, new)), list(map(tuple, seen.values()))


def _with_gaps(rule: Rule, variant: Variant) -> tuple[Rule, list[Variant]]:
    """Join blocks of the symbol, and then blocks of a child that have become neighbours."""
    blocks: list[list[Part]] = []
    rest = iter(rule.blocks)
    for size in variant:
        blocks.append([part for _ in range(size) for part in next(rest)])
    sizes: list[list[int]] = [[] for _ in rule.right]
    merged: list[tuple[Part, ...]] = []
    for block in blocks:
        parts: list[Part] = []
        for child, run in groupby(block, key=_child_of):
            members = list(run)
            if isinstance(child, str):
                parts += members
            else:
                parts.append((child, len(sizes[child])))
                sizes[child].append(len(members))
        merged.append(tuple(parts))
    return rule._replace(blocks=tuple(merged)), list(map(tuple, sizes))


def _child_of(part: Part) -> int | str:
    return part if isinstance(part, str) else part[0]


@door
def tagged(grammar: Grammar) -> Grammar:
    """Return a grammar in which terminals are words of tags. The tag of `a` is `_a`: not shown."""
    taken = set(grammar.symbols)
    tags: dict[str, str] = {}
    rules: defaultdict[Rule, float] = defaultdict(float)
    for rule, weight in grammar.rules.items():
        right = list(rule.right)
        blocks: list[tuple[Part, ...]] = []
        for block in rule.blocks:
            parts: list[Part] = []
            for part in block:
                if isinstance(part, str):
                    if part not in tags:
                        tags[part] = _fresh(f"_{symbol_of(part)}", taken)
                    right.append(tags[part])
                    part = (len(right) - 1, 0)
                parts.append(part)
            blocks.append(tuple(parts))
        rules[Rule(rule.left, tuple(right), tuple(blocks))] += weight
    words = {tag: {form: 1.0} for form, tag in tags.items()}
    return Grammar(grammar.start, rules, {**grammar.words, **words})


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "x"
    taken.add(name)
    return name


@door
def binary(grammar: Grammar) -> Grammar:
    """Return a grammar without rules of more than two children.

    Children are joined in pairs, first those that together have the fewest blocks. The new symbols,
    `_S.1` and so on, are not nodes. A new symbol has one rule, so weights stay as they are.
    """
    taken = set(grammar.symbols)
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(1))

    def name(symbol: str) -> str:
        names = (f"_{symbol}.{number}" for number in numbers[symbol])
        return next(name for name in names if name not in taken)

    rules: dict[Rule, float] = {}
    for rule, weight in grammar.rules.items():
        *joins, last = _binarized(rule, name)
        rules.update(dict.fromkeys(joins, 1.0))
        rules[last] = weight
    return Grammar(grammar.start, rules, grammar.words)


def _binarized(rule: Rule, name: Callable[[str], str]) -> Iterator[Rule]:
    """Yield rules that join two children each, and last the rule with two children at most."""
    while rule.rank > 2:
        pairs = combinations(range(rule.rank), 2)
        pair = min(pairs, key=lambda pair: len(list(_runs(rule.blocks, pair))))
        joint = tuple(
            tuple((pair.index(child), block) for child, block in run)
            for run in _runs(rule.blocks, pair)
        )
        symbol = name(rule.left)
        yield Rule(symbol, (rule.right[pair[0]], rule.right[pair[1]]), joint)
        rule = _joined(rule, pair, symbol)
    yield rule


def _runs(blocks: Blocks, pair: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    """Yield the neighbouring parts that belong to one of two children."""
    for block in blocks:
        for belongs, run in groupby(block, key=lambda part: _child_of(part) in pair):
            if belongs:
                yield list(run)  # type: ignore[arg-type]


def _joined(rule: Rule, pair: tuple[int, ...], name: str) -> Rule:
    """Return the rule with one child in the place of two."""
    first, second = pair
    kept = [child for child in range(rule.rank) if child != second]
    place = {child: number for number, child in enumerate(kept)}
    blocks: list[tuple[Part, ...]] = []
    done = 0
    for block in rule.blocks:
        parts: list[Part] = []
        for belongs, run in groupby(block, key=lambda part: _child_of(part) in pair):
            if belongs:
                parts.append((place[first], done))
                done += 1
            else:
                parts += [p if isinstance(p, str) else (place[p[0]], p[1]) for p in run]
        blocks.append(tuple(parts))
    right = tuple(name if child == first else rule.right[child] for child in kept)
    return Rule(rule.left, right, tuple(blocks))


def _parts(blocks: Blocks | list[tuple[Part, ...]]) -> Iterator[tuple[int, int]]:
    """Yield the parts that are blocks of children, from left to right."""
    for block in blocks:
        for part in block:
            if not isinstance(part, str):
                yield part


def _renamed(blocks: list[tuple[Part, ...]], new: dict[tuple[int, int], tuple[int, int]]) -> Blocks:
    return tuple(tuple(p if isinstance(p, str) else new[p] for p in block) for block in blocks)
