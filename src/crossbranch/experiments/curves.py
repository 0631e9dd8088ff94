"""The dev curves of an experiment as a picture: one line for each variant."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from crossbranch.drawing.plots import COLORS, check_ending, new_figure, plain_axes
from crossbranch.errors import UsageError
from crossbranch.experiments.finished import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Curves = dict[str, list[list[float]]]
"""For each variant and epoch, the figures of all seeds that have this epoch."""

_PANELS = {"f1": "F1 on dev", "discontinuous_f1": "discontinuous F1 on dev"}
_STYLES = ("-", "--", ":", "-.")  # if there are more variants than colours


def plot(results: Results, path: str | Path) -> None:
    """Draw F1 and discontinuous F1 on dev by epoch: means over seeds, and bands from low to high.

    Args:
        results: What `run` or `results` returned.
        path: Where to save; the ending decides the kind of picture (.png, .svg, .pdf).

    Raises:
        UsageError: There is no curve to draw, matplotlib is not installed, or the ending is wrong.
    """
    check_ending(path)
    panels = {title: curves(results, figure) for figure, title in _PANELS.items()}
    if not any(panels.values()):
        raise UsageError("there are no dev curves to plot: no finished run has scores by epoch")
    figure = new_figure(11, 4.5)
    for axes, (title, found) in zip(figure.subplots(1, len(panels)), panels.items(), strict=True):
        _draw(axes, found)
        axes.set_title(title, loc="left", fontweight="bold")
        plain_axes(axes, "epoch", "%")
        axes.xaxis.get_major_locator().set_params(integer=True)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=4)
    figure.savefig(path)


def curves(results: Results, figure: str) -> Curves:
    """Return a figure of the epochs ("f1", "discontinuous_f1") for each variant, by epoch."""
    found: Curves = {}
    for variant in results.experiment.variants:
        runs = [
            [epoch[figure] for epoch in run.training.epochs if epoch.get(figure) is not None]
            for run in results.of(variant.name)
        ]
        longest = max(map(len, runs), default=0)
        if longest:
            found[variant.name] = [
                [100 * run[epoch] for run in runs if epoch < len(run)] for epoch in range(longest)
            ]
    return found


def _draw(axes: Axes, found: Curves) -> None:
    for turn, (name, epochs) in enumerate(found.items()):
        color = COLORS[turn % len(COLORS)]
        style = _STYLES[turn // len(COLORS) % len(_STYLES)]
        numbers = list(range(1, len(epochs) + 1))
        axes.plot(numbers, [fmean(values) for values in epochs], style, color=color, label=name)
        lows, highs = ([end(values) for values in epochs] for end in (min, max))
        axes.fill_between(numbers, lows, highs, color=color, alpha=0.15, linewidth=0)
