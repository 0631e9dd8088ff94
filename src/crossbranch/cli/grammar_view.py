"""crossbranch grammar show and check: the rules and figures of a grammar, and what is wrong."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from crossbranch.cli.draw_target import Target, save
from crossbranch.cli.options import in_range
from crossbranch.cli.show import say
from crossbranch.cli.tables import (
    Form,
    Record,
    form_options,
    plain_table,
    print_records,
    print_tables,
)
from crossbranch.errors import UsageError
from crossbranch.ranges import Count

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from crossbranch.grammar import Grammar, GrammarFigures, Rule

_SHOWN = 20  # rules, or problems of one kind


@click.command(short_help="Show figures and rules of a grammar.")
@click.argument("source", metavar="GRAMMAR")
@click.option(
    "--symbol",
    "symbols",
    metavar="SYMBOL",
    multiple=True,
    help="Show the rules of this symbol instead of the figures; repeatable.",
)
@click.option("--rules", is_flag=True, help="Show all rules, with their complexity.")
@click.option(
    "--top",
    type=in_range(Count),
    default=_SHOWN,
    show_default=True,
    metavar="N",
    help="Show only the N rules with the largest weights; 0 shows all.",
)
@click.option(
    *("--output", "-o", "target"),
    metavar="FILE",
    help="Draw the rules into this .svg or .png file.",
)
@form_options
def show(
    source: str,
    *,
    symbols: tuple[str, ...],
    rules: bool,
    top: int,
    target: str | None,
    form: Form | None,
) -> None:
    """Show the figures of a GRAMMAR, or its rules.

    Rules are counted by fan-out (blocks of the symbol), by rank (children) and by complexity. The
    complexity is the sum of the fan-outs of all symbols of a rule: if it is 5, a parser needs time
    in proportion to n^5 for it. If the weights are counts, a table shows how often rules of each
    gap degree (fan-out minus 1) occur. In the format of disco-dop (.rules), they are shares.

    \b
    Examples:
      crossbranch grammar show train.lcfrs
      crossbranch grammar show english --symbol VP.gap.sg.wh
      crossbranch grammar show train.lcfrs --rules --top 0 --csv
      crossbranch grammar show train.lcfrs --symbol VP_2 --top 5 -o rules.svg
    """  # noqa: D301 - click reads \b
    from crossbranch.grammar import measure, read

    grammar = read(source)
    if target is not None:
        _draw_rules(_rules(grammar, symbols, top), target)
        return
    if rules or symbols:
        _show_rules(_rules(grammar, symbols, top), form)
        return
    figures = measure(grammar)
    if form is not None:
        print_records([_record(figures)], form)
        return
    print_tables(
        _summary(figures),
        *(
            _counts(name, counts)
            for name, counts in (
                ("fan-out", figures.fan_outs),
                ("rank", figures.ranks),
                ("complexity", figures.complexities),
            )
        ),
        *_by_gap_degree(figures),
    )
    if figures.occurrences is None:
        say("the weights are not counts, so there is no table of gap degrees")


def _rules(grammar: Grammar, symbols: tuple[str, ...], top: int) -> list[tuple[Rule, float]]:
    """Return the rules with the largest weights; those of some symbols with their words."""
    for symbol in symbols:
        if symbol not in grammar.symbols:
            raise UsageError(f"unknown symbol {symbol}; `grammar show --rules` lists rules")
    wanted = symbols or grammar.symbols
    found = [
        *((rule, weight) for symbol in wanted for rule, weight in grammar.rules_of(symbol).items()),
        *((rule, weight) for rule, weight in grammar.word_rules() if rule.left in symbols),
    ]
    found.sort(key=lambda pair: -pair[1])
    return found[: top or None]


def _draw_rules(rules: list[tuple[Rule, float]], target: str) -> None:
    from crossbranch.drawing import svg_to_png
    from crossbranch.grammar import draw_rules

    place = Target.of(target, "svg" if target == "-" else None, is_compared=False)
    if place.kind not in ("svg", "png") or place.is_folder:
        raise UsageError("rules are drawn into one svg or png file, such as -o rules.svg")
    picture = draw_rules(rule for rule, _ in rules)
    save(place.place, svg_to_png(picture) if place.kind == "png" else picture)


def _show_rules(rules: list[tuple[Rule, float]], form: Form | None) -> None:
    from crossbranch.grammar import complexity
    from crossbranch.grammar.text_format import number

    records: list[Record] = [
        {"weight": weight, "complexity": complexity(rule), "rule": str(rule)}
        for rule, weight in rules
    ]
    if form is not None:
        print_records(records, form)
        return
    table = plain_table(["weight", "complexity", "rule"])
    for record in records:
        table.add_row(number(record["weight"]), str(record["complexity"]), _text(record["rule"]))
    print_tables(table)


def _text(text: str) -> Text:
    """Return a text in which brackets mean nothing to rich."""
    from rich.text import Text

    return Text(text)


def _record(figures: GrammarFigures) -> Record:
    return {
        "symbols": figures.symbols,
        "tags": figures.tags,
        "words": figures.words,
        "rules": figures.rules,
        "useless": figures.useless,
        "fan_out": figures.fan_out,
        "rank": figures.rank,
        "complexity": figures.complexity,
        "ordered": figures.ordered,
        "gap_explicit": figures.gap_explicit,
        "tagged": figures.tagged,
        "binary": figures.binary,
        "probabilistic": figures.probabilistic,
        "fan_outs": _sorted(figures.fan_outs),
        "gap_degrees": {
            row["gap_degree"]: {name: row[name] for name in ("rules", "occurrences", "mean")}
            for row in _gap_degrees(figures)
        },
        "ranks": _sorted(figures.ranks),
        "complexities": _sorted(figures.complexities),
    }


def _sorted(counts: Counter[int]) -> dict[str, int]:
    return {str(value): count for value, count in sorted(counts.items())}


def _summary(figures: GrammarFigures) -> Table:
    table = plain_table([""], [""])
    table.show_header = False
    for name in ("symbols", "tags", "words", "rules", "useless", "fan_out", "rank"):
        table.add_row(name.replace("_", "-"), f"{getattr(figures, name):,}")
    table.add_row("parsing time", f"O(n^{figures.complexity})")
    for name in ("ordered", "gap_explicit", "tagged", "binary", "probabilistic"):
        table.add_row(name.replace("_", "-"), "yes" if getattr(figures, name) else "no")
    return table


def _counts(name: str, counts: Counter[int]) -> Table:
    table = plain_table((), [name, "rules"])
    for value, count in sorted(counts.items()):
        table.add_row(str(value), f"{count:,}")
    return table


def _gap_degrees(figures: GrammarFigures) -> list[Record]:
    """Return how often rules of each gap degree occur; nothing if weights are not counts."""
    return [
        {
            "gap_degree": str(fan_out - 1),
            "rules": figures.fan_outs[fan_out],
            "occurrences": count,
            "mean": count / figures.fan_outs[fan_out],
        }
        for fan_out, count in (figures.occurrences or {}).items()
    ]


def _by_gap_degree(figures: GrammarFigures) -> Iterator[Table]:
    """Yield the table of gap degrees, if there is one."""
    if rows := _gap_degrees(figures):
        table = plain_table((), ["gap degree", "rules", "occurrences", "mean"])
        for row in rows:
            counts = f"{row['rules']:,}", f"{row['occurrences']:,}"
            table.add_row(row["gap_degree"], *counts, f"{row['mean']:.2f}")
        yield table


@click.command(short_help="Check a grammar for mistakes.")
@click.argument("source", metavar="GRAMMAR")
def check(source: str) -> None:
    """Check a GRAMMAR: bad lines, symbols without rules, useless rules, and sums of weights.

    Each problem is one line. If there is a problem, the exit code is 1. A symbol whose weights do
    not add up to 1 is no problem if no symbol's weights do: then they are counts.

    \b
    Examples:
      crossbranch grammar check my.lcfrs
    """  # noqa: D301 - click reads \b
    from crossbranch.grammar import measure, read

    grammar = read(source)
    problems = _problems(grammar)
    for problem in problems:
        click.echo(problem)
    if problems:
        sys.exit(1)
    figures = measure(grammar)
    click.echo(
        f"{source}: {figures.rules:,} rules, {figures.words:,} words, fan-out {figures.fan_out}: "
        "no problems found"
    )


def _problems(grammar: Grammar) -> list[str]:
    import math

    from crossbranch.grammar import useless_rules
    from crossbranch.grammar.cleaning import tags_of

    tags = tags_of(grammar)
    undefined = [s for s in grammar.symbols if not grammar.rules_of(s) and s not in tags]
    totals = grammar.totals()
    proper = [symbol for symbol, total in totals.items() if math.isclose(total, 1)]
    is_mixed = 2 * len(proper) > len(totals)  # most are probabilities, so all should be
    wrong = [symbol for symbol in totals if symbol not in proper] if is_mixed else []
    return [
        *_listed("the symbol {} has no rules and no words", undefined),
        *_listed("no tree has the rule {}", list(map(str, useless_rules(grammar)))),
        *_listed("the weights of {} do not add up to 1", wrong),
    ]


def _listed(message: str, names: list[str]) -> list[str]:
    rest = len(names) - _SHOWN
    lines = [message.format(name) for name in names[:_SHOWN]]
    return [*lines, message.format(f"... ({rest:,} more)")] if rest > 0 else lines
