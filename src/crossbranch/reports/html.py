"""An evaluation as one HTML page that needs no other files.

The page is written sentence by sentence, so a corpus may have any size. The page's security policy
loads nothing from outside and runs only the page's own script, whatever the treebank contains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib import resources
from pathlib import Path
from typing import IO

from crossbranch.drawing.page import policy
from crossbranch.drawing.rows import Mark
from crossbranch.drawing.svg import STYLE, draw_svg
from crossbranch.drawing.writing import ABSENT, visible
from crossbranch.reports import charts
from crossbranch.reports.charts import Plot, draw_bars
from crossbranch.reports.html_tables import draw_table as _table
from crossbranch.reports.html_tables import figure_data
from crossbranch.reports.records import SentenceRecord
from crossbranch.reports.tables import FigureTable
from crossbranch.tree import Bracket, Tree
from crossbranch.treebank.files import open_target


def html_report(
    target: str | Path | IO[str],
    title: str,
    *,
    summary: Iterable[FigureTable] = (),
    plots: Iterable[Plot] = (),
    sentences: Iterable[SentenceRecord] = (),
) -> None:
    """Write an evaluation as one HTML file.

    Args:
        target: The file to write, `-` for the standard output, or an open stream.
        title: The heading of the page.
        summary: Tables, shown first.
        plots: Bar plots, shown next.
        sentences: Drawn last, gold and predicted side by side. They are read one at a time.
    """
    with open_target(target, "utf-8", "strict") as file:
        for part in _page(title, summary, plots, sentences):
            file.write(part + "\n")


def _page(
    title: str,
    summary: Iterable[FigureTable],
    plots: Iterable[Plot],
    sentences: Iterable[SentenceRecord],
) -> Iterator[str]:
    style, script = _resource("report.css") + charts.STYLE + STYLE, _resource("report.js")
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy(style, script)}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark">'
    yield f"<title>{_text(title)}</title>\n<style>{style}</style>\n</head>\n<body>"
    yield f"<h1>{_text(title)}</h1>\n<main>"
    tables, bars = list(summary), list(plots)
    yield from _section("summary", map(_table, tables))
    yield from _section("plots", map(_plot, bars))
    yield figure_data(tables, bars)
    yield _resource("controls.html")
    yield '<div id="sentences">'
    for record in sentences:
        yield from _sentence(record)
    yield f"</div>\n</main>\n<script>{script}</script>\n</body>\n</html>"


def _resource(name: str) -> str:
    return (resources.files("crossbranch.reports") / name).read_text(encoding="utf-8")


def _text(text: str) -> str:
    return escape(visible(text))


def _section(name: str, parts: Iterable[str]) -> Iterator[str]:
    """Yield a section with the parts, if there are any."""
    content = "\n".join(parts)
    if content:
        yield f'<section class="{name}">\n{content}\n</section>'


def _plot(plot: Plot) -> str:
    caption = f"<figcaption>{_text(plot.heading)}</figcaption>"
    return f'<figure class="scroll">{caption}\n{draw_bars(plot)}</figure>'


def _sentence(record: SentenceRecord) -> Iterator[str]:
    """Yield one line for a sentence. Its trees appear when the line is opened."""
    missing, extra = (list(Counter(b).elements()) for b in (record.missing, record.extra))
    wrong = bool(missing or extra or record.predicted is None)
    flags = " data-wrong" * wrong + " data-discontinuous" * record.is_discontinuous
    words = " ".join(_text(token.form or ABSENT) for token in record.gold.sentence)
    name = str(record.number)
    tags = [token for token, *_ in record.wrong_tags]
    if record.id not in ("", name):
        name += f" ({_text(record.id)})"
    yield (
        f'<details data-number="{record.number}" data-f1="{record.f1:.6f}"{flags}>\n'
        f'<summary><span class="name">{name}</span> <span class="f1">{100 * record.f1:.2f}</span> '
        f'<span class="words" dir="auto">{words}</span></summary>\n<div class="pair">'
    )
    gold = _draw(record.gold, [*missing, *tags])
    yield _drawing("gold", "missing", gold, missing)
    if record.predicted is None:
        yield '<p class="absent">no parse</p>'
    else:
        predicted = _draw(record.predicted, [*extra, *tags])
        if predicted == gold:  # most trees of a good parser: pages are much smaller
            yield '<p class="same"><b>predicted</b> the same tree</p>'
        else:
            yield _drawing("predicted", "not in gold", predicted, extra)
    yield "</div>"
    words_of_tokens = [(_form(record.gold, token), *tags) for token, *tags in record.wrong_tags]
    yield from _differences("tags", words_of_tokens)
    yield from _differences("functions", record.wrong_functions)
    yield "</details>"


def _form(tree: Tree, token: int) -> str:
    return tree.sentence[token].form


def _differences(what: str, found: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield other tags or functions in words: name, gold, predicted."""
    shown = [
        f"<bdi>{_text(name or ABSENT)}</bdi> {_text(gold or ABSENT)} → {_text(predicted or ABSENT)}"
        for name, gold, predicted in found
    ]
    if shown:
        yield f'<p class="differences">{what}, gold → predicted: {", ".join(shown)}</p>'


def _draw(tree: Tree, marked: Iterable[Mark]) -> str:
    return draw_svg(tree, marked=marked, style=False)


def _drawing(name: str, fault: str, picture: str, marked: list[Bracket]) -> str:
    """Return a drawing with its caption. Errors are also listed in words, not only by colour."""
    faults = ", ".join(_text(label or ABSENT) for label, _ in marked)
    note = f' <span class="faults">{fault}: <bdi>{faults}</bdi></span>' if marked else ""
    caption = f"<figcaption>{name}{note}</figcaption>"
    return f'<figure class="{name}">{caption}<div class="scroll">{picture}</div></figure>'
