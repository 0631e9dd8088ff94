"""Checks of a sampling grammar: symbols agree, all lines are used, expansions end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import NamedTuple

from crossbranch.errors import InputError
from crossbranch.grammar.lexicon import Words
from crossbranch.grammar.symbols import Rule, Symbol
from crossbranch.grammar.syntax import Item, RuleLine, Statement


class _Shape(NamedTuple):
    """What all uses of a symbol have in common, and where it was first used."""

    fan_out: int
    features: int
    has_rules: bool | None
    """None for words that may have rules beside them."""
    statement: Statement

    @property
    def place(self) -> str:
        return f"as in {PurePath(self.statement.path).name}:{self.statement.line}"


def check_lines(
    lines: Sequence[RuleLine], groups: Iterable[Words], top: Statement, *, complete: bool = True
) -> None:
    """Check that names agree in fan-out and number of features, and have rules or words.

    If the grammar need not be `complete`, symbols may be without rules and words.
    """
    shapes: dict[str, _Shape] = {}
    for line in lines:
        shape = _Shape(len(line.blocks), len(line.left.features), True, line.statement)
        _compare(line.left.name, shape, shapes.setdefault(line.left.name, shape))
    for group in groups:
        for form in group.paradigm.forms:
            has_rules = None if group.beside_rules else False
            shape = _Shape(1, len(form.symbol.features), has_rules, group.paradigm.statement)
            _compare(form.symbol.name, shape, shapes.setdefault(form.symbol.name, shape))
    for line in lines:
        for item in line.right:
            if not complete and not item.is_terminal:
                used = _Shape(len(item.variables), len(item.features), None, line.statement)
                shapes.setdefault(item.name, used)
            _check_child(item, shapes, line.statement)
    _check_top(shapes, top, complete=complete)


def _compare(name: str, shape: _Shape, first: _Shape) -> None:
    fail = shape.statement.error
    if None not in (shape.has_rules, first.has_rules) and shape.has_rules != first.has_rules:
        raise fail(f"{name} with both rules and words", f"rules or words, {first.place}")
    if shape.fan_out != first.fan_out:
        raise fail(f"{name} with {shape.fan_out} blocks", f"{first.fan_out}, {first.place}")
    if shape.features != first.features:
        raise fail(f"{name} with {shape.features} features", f"{first.features}, {first.place}")


def _check_child(item: Item, shapes: dict[str, _Shape], statement: Statement) -> None:
    if item.is_terminal:
        return
    if item.name not in shapes:
        raise statement.error(f"the symbol {item.name}", "a symbol with rules or words")
    first = shapes[item.name]
    if len(item.variables) != first.fan_out:
        found = f"{item.name} with {len(item.variables)} variables"
        raise statement.error(found, f"{first.fan_out}, one for each block, {first.place}")
    if len(item.features) != first.features:
        found = f"{item.name} with {len(item.features)} features"
        raise statement.error(found, f"{first.features}, {first.place}")


def _check_top(shapes: dict[str, _Shape], top: Statement, *, complete: bool) -> None:
    name = top.text.split()[1]
    shape = shapes.get(name)
    if not complete:
        if shape is not None and shape[:2] != (1, 0):
            raise top.error(f"the top symbol {name}", "a symbol with one block and no features")
    elif shape is None or shape[:3] != (1, 0, True) or name.startswith("_"):
        expected = "a symbol with rules, one block, no features and a label"
        raise top.error(f"the top symbol {name}", expected)


def prune(symbols: Iterable[Symbol]) -> None:
    """Find shortest yields, remove rules that can never be completed, prepare the others."""
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
    """Refuse a line that can never be completed. The error names the missing symbol."""
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
        why = "rules that end in words" if has_rules else "rules or words"
        raise line.statement.error(f"the symbol {child}", f"a symbol with {why}")


def _first(reason: tuple[bool, RuleLine, Symbol]) -> bool:
    return reason[0]


def _share_weights(rules: list[Rule]) -> None:
    """Divide the weight of a line among its remaining rules."""
    totals: dict[int, float] = {}
    for rule in rules:
        totals[id(rule.line)] = totals.get(id(rule.line), 0.0) + rule.weight
    for rule in rules:
        rule.weight *= rule.line.weight / totals[id(rule.line)]


def check_use(top: Symbol, lines: Sequence[RuleLine], groups: Iterable[Words]) -> None:
    """Check that every line can be reached from the top, and that no symbol is its only child."""
    symbols = _reach(top)
    used = {id(rule.line) for symbol in symbols for rule in symbol.rules}
    for line in lines:
        if id(line) not in used:
            raise line.statement.error(
                f"a rule for {line.left.name} that is never used",
                "a symbol that can be reached from the top symbol",
            )
    spoken = {id(group) for symbol in symbols for group in symbol.words.groups}
    for group in groups:
        if id(group) not in spoken:
            raise group.statement.error(
                "words that are never used", "a symbol that can be reached from the top symbol"
            )
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
    """Refuse symbols that can expand to nothing but themselves: expansion might never end."""
    steps = {symbol: [pair for rule in symbol.rules for pair in _alone(rule)] for symbol in symbols}
    waiting = dict.fromkeys(symbols)  # a set that keeps its order
    while waiting:
        ending = [s for s in waiting if all(child not in waiting for child, _ in steps[s])]
        if not ending:
            raise _cycle(next(iter(waiting)), steps, waiting)
        for symbol in ending:
            del waiting[symbol]


def _alone(rule: Rule) -> list[tuple[Symbol, Rule]]:
    """Return the children that can be the only child of a rule, with the rule."""
    certain = [c for c, chance in zip(rule.children, rule.chances, strict=True) if chance == 1]
    return [(certain[0], rule)] if len(certain) == 1 else []


def _cycle(
    start: Symbol, steps: dict[Symbol, list[tuple[Symbol, Rule]]], waiting: dict[Symbol, None]
) -> InputError:
    """Return the error for a circle: follow a symbol until another one comes again."""
    seen: set[Symbol] = set()
    symbol = start
    while symbol not in seen:
        seen.add(symbol)
        before = symbol
        symbol, rule = next(pair for pair in steps[symbol] if pair[0] in waiting)
    return rule.line.statement.error(
        f"{before} as nothing but {symbol}, in a circle", "rules that end in words"
    )
