"""`crossbranch draw --chart MODEL`: how probable the constituents of a sentence are."""

from __future__ import annotations

import click

from crossbranch.cli.draw_target import Target, save
from crossbranch.errors import UsageError

LONGEST = 20  # words: a chart of more is too large to read
_OWN = ("source", "output", "kind", "model")  # the parameters that mean something here


def draw_chart_of(text: str, *, model: str, output: str | None, kind: str | None) -> None:
    """Draw the chart of a sentence.

    Raises:
        UsageError: The model has no charts, the sentence is too long, or an option does not fit.
    """
    _refuse_others()
    to_standard_output = output is None or output == "-"
    target = Target.of(output, kind or ("svg" if to_standard_output else None), is_compared=False)
    if target.kind not in ("svg", "png") or target.is_folder:
        raise UsageError("a chart is one svg or png file, such as -o chart.svg")

    from crossbranch.drawing import ChartConstituent, draw_chart
    from crossbranch.drawing.png import svg_to_png
    from crossbranch.parsers import NeuralSpanParser, load

    parser = load(model)
    if not isinstance(parser, NeuralSpanParser):
        raise UsageError(
            f"{model} is a model of kind {parser.kind}, which has no charts; expected one of kind"
            f" {NeuralSpanParser.kind}"
        )
    words, constituents = parser.chart(text, longest=LONGEST)
    picture = draw_chart(words, [ChartConstituent(*one) for one in constituents])
    save(target.place, svg_to_png(picture) if target.kind == "png" else picture)


def _refuse_others() -> None:
    """Raise a UsageError if there are options that are only for trees."""
    context = click.get_current_context()
    for one in context.command.params:
        name = one.name or ""
        given = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if given and name not in _OWN:
            raise UsageError(f"{one.opts[0]} is for trees; it cannot be used with --chart")
