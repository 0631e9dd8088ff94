"""Checks on a sampling grammar: symbols fit together, every line is of use, every expansion ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crossbranch.errors import InputError
from crossbranch.treebank.sample_lexicon import Words
from crossbranch.treebank.sample_symbols import Rule, Symbol
from crossbranch.treebank.sample_syntax import Item, RuleLine, Statement


def check_lines(lines: Sequence[RuleLine], groups: Iterable[Words], top: Statement) -> None:
    """Check that names agree in fan-out and number of features, and that each has rules or words."""
    shapes: dict[str, tuple[int, int, Statement, bool]] = {}
    for line in lines:
        _note(shapes, line.left, len(line.blocks), line.statement, has_rules=True)
    for group in groups:
        for form in group.paradigm.forms:
            _note(shapes, form.symbol, 1, group.paradigm.statement, has_rules=False)
    for line in lines:
        for item in line.right:
            _check_child(shapes, item, line.statement)
    _check_top(shapes, top)


def _note(
    shapes: dict[str, tuple[int, int, Statement, bool]],
    item: Item,
    fan_out: int,
    statement: Statement,
    *,
    has_rules: bool,
) -> None:
    blocks, count, first, ruled = shapes.setdefault(
        item.name, (fan_out, len(item.features), statement, has_rules)
    )
    where = f"as in line {first.line}"
    if ruled != has_rules:
        raise statement.error(f"{item.name} with both rules and words", f"one of them, {where}")
    if blocks != fan_out:
        raise statement.error(f"{item.name} with {fan_out} blocks", f"{blocks}, {where}")
    if count != len(item.features):
        raise statement.error(
            f"{item.name} with {len(item.features)} features", f"{count}, {where}"
        )


def _check_child(
    shapes: dict[str, tuple[int, int, Statement, bool]], item: Item, statement: Statement
) -> None:
    if item.name not in shapes:
        raise statement.error(f"the symbol {item.name}", "one that has rules or words")
    blocks, count, first, _ = shapes[item.name]
    where = f"as in line {first.line}"
    if len(item.variables) != blocks:
        found = f"{item.name} with {len(item.variables)} variables"
        raise statement.error(found, f"{blocks}, one for each block, {where}")
    if count != len(item.features):
        raise statement.error(f"{item.name} with {len(item.features)} features", f"{count}, {where}")


def _check_top(shapes: dict[str, tuple[int, int, Statement, bool]], top: Statement) -> None:
    name = top.text.split()[1]
    if name not in shapes:
        raise top.error(f"the top symbol {name}", "one that has rules")
    blocks, count, _, has_rules = shapes[name]
    if blocks != 1 or count or not has_rules or name.startswith("_"):
        raise top.error(
            f"the top symbol {name}", "one with rules, one block, no features and a label"
        )


def prune(symbols: Iterable[Symbol]) -> None:
    """Find shortest yields, leave out rules that can never be completed, settle the rest."""
    symbols = list(symbols)
    for symbol in symbols:
        if symbol.words.groups:
            symbol.least = 1
    changed = True
    while changed:
        changed = False
        for symbol in symbols:
            for rule in symbol.rules:
                least = rule.count_least()
                if least is not None and (symbol.least is None or least < symbol.least):
                    symbol.least, changed = least, True
    _check_productive(symbols)
    for symbol in symbols:
        symbol.rules = [rule for rule in symbol.rules if rule.count_least() is not None]
        _share_weights(symbol.rules)
        symbol.settle()


def _check_productive(symbols: Iterable[Symbol]) -> None:
    """Refuse a line that can never be completed; name first what is missing, not what needs it."""
    complete: set[int] = set()
    missing: dict[int, tuple[bool, RuleLine, Symbol]] = {}
    for symbol in symbols:
        for rule in symbol.rules:
            if rule.count_least() is not None:
                complete.add(id(rule.line))
                continue
            child = next(child for child in rule.children if child.least is None)
            reason = (bool(child.rules), rule.line, child)
            missing[id(rule.line)] = min(missing.get(id(rule.line), reason), reason, key=_first)
    bad = [reason for line, reason in missing.items() if line not in complete]
    if bad:
        has_rules, line, child = min(bad, key=_first)
        why = "rules that come to an end" if has_rules else "rules or words"
        raise line.statement.error(f"the symbol {child}", f"one that has {why}")


def _first(reason: tuple[bool, RuleLine, Symbol]) -> bool:
    return reason[0]


def _share_weights(rules: list[Rule]) -> None:
    """Give the rules that a line has become, less those left out, the weight of the line."""
    totals: dict[int, float] = {}
    for rule in rules:
        totals[id(rule.line)] = totals.get(id(rule.line), 0.0) + rule.weight
    for rule in rules:
        rule.weight *= rule.line.weight / totals[id(rule.line)]


def check_use(top: Symbol, lines: Sequence[RuleLine], groups: Iterable[Words]) -> None:
    """Check that the top symbol has a yield and reaches every line, and that no symbol only becomes itself."""
    symbols = _reach(top)
    used = {id(rule.line) for symbol in symbols for rule in symbol.rules}
    for line in lines:
        if id(line) not in used:
            raise line.statement.error(
                f"a rule for {line.left.name} that is never used",
                "a symbol that the top symbol reaches",
            )
    spoken = {id(group) for symbol in symbols for group in symbol.words.groups}
    for group in groups:
        if id(group) not in spoken:
            raise group.statement.error("words that are never used", "a symbol that is reached")
    _check_cycles(symbols)


def _reach(top: Symbol) -> list[Symbol]:
    reached = {top: None}
    agenda = [top]
    while agenda:
        for rule in agenda.pop().rules:
            for child in rule.children:
                if child not in reached:
                    reached[child] = None
                    agenda.append(child)
    return list(reached)


def _check_cycles(symbols: list[Symbol]) -> None:
    """Refuse symbols that expand to themselves alone, for then an expansion need not end."""
    steps = {symbol: [pair for rule in symbol.rules for pair in _alone(rule)] for symbol in symbols}
    waiting = {symbol: None for symbol in symbols}  # as a set that keeps its order
    while waiting:
        ending = [s for s in waiting if all(child not in waiting for child, _ in steps[s])]
        if not ending:
            raise _cycle(next(iter(waiting)), steps, waiting)
        for symbol in ending:
            del waiting[symbol]


def _alone(rule: Rule) -> list[tuple[Symbol, Rule]]:
    """Return the child that can be a rule's only one, with the rule."""
    certain = [c for c, chance in zip(rule.children, rule.chances, strict=True) if chance == 1]
    return [(certain[0], rule)] if len(certain) == 1 else []


def _cycle(
    start: Symbol, steps: dict[Symbol, list[tuple[Symbol, Rule]]], waiting: dict[Symbol, None]
) -> InputError:
    """Walk from a symbol that leads into a circle until the walk comes round."""
    seen: set[Symbol] = set()
    symbol = start
    while symbol not in seen:
        seen.add(symbol)
        before = symbol
        symbol, rule = next(pair for pair in steps[symbol] if pair[0] in waiting)
    return rule.line.statement.error(
        f"{before} as nothing but {symbol}, in a circle", "rules that come to an end"
    )
