"""Statistics as a picture: one figure with four panels, one colour for each treebank."""

from __future__ import annotations

from collections import Counter
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crossbranch.doors import door
from crossbranch.drawing.plots import COLORS, check_ending, new_figure, plain_axes
from crossbranch.errors import UsageError
from crossbranch.statistics.report import ABSENT, Named, percent, ranked

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DIAMOND: dict[str, Any] = {"marker": "D", "ls": "", "mfc": "white", "color": "black"}
_TOP = 12
_DEGREES = 4  # this gap degree and all above are shown as one
_GROUP = 0.75  # how much of the room its bars fill


@door
def plot(named: Named, path: str | Path) -> None:
    """Draw sentence lengths, gap degrees, label frequencies and discontinuous shares of labels.

    Args:
        named: The treebanks, one colour each; at most seven.
        path: Where to save; the ending decides the kind of picture (.png, .svg, .pdf).
    """
    if not 0 < len(named) <= len(COLORS):
        raise UsageError(f"{len(named)} treebanks to plot, expected 1 to {len(COLORS)}")
    check_ending(path)
    figure = new_figure(11, 8.5)
    axes = figure.subplots(2, 2)
    _plot_lengths(axes[0][0], named)
    _plot_gap_degrees(axes[0][1], named)
    _plot_labels(axes[1][0], named)
    _plot_discontinuous_labels(axes[1][1], named)
    if len(named) > 1:
        figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    else:
        figure.suptitle(named[0][0])
    figure.savefig(path)


def _plot_lengths(axes: Axes, named: Named) -> None:
    """The share of sentences by length, as lines; the longest sentences are left out."""
    longest = max(_quantile(one.lengths, 0.99) for _, one in named)
    step = max(1, round(longest / 25))
    starts = range(0, longest + 1, step)
    for (name, one), color in zip(named, COLORS, strict=False):
        shares = [
            percent(sum(one.lengths[start + i] for i in range(step)), one.sentences)
            for start in starts
        ]
        middles = [start + (step - 1) / 2 for start in starts]
        axes.plot(middles, shares, "o-", color=color, label=name, markersize=3.5)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    _name(
        axes, "Sentence lengths", "tokens", "% of sentences" + f", in steps of {step}" * (step > 1)
    )


def _quantile(counts: Counter[int], share: float) -> int:
    """The smallest number such that this share of all numbers is not above it."""
    left = share * counts.total()
    for number in sorted(counts):
        left -= counts[number]
        if left <= 0:
            return number
    return 0


def _plot_gap_degrees(axes: Axes, named: Named) -> None:
    """The share of discontinuous sentences by gap degree; diamonds: without punctuation."""
    width = _GROUP / len(named)
    for turn, (_, one) in enumerate(named):
        places = [i + (turn - (len(named) - 1) / 2) * width for i in range(_DEGREES)]
        shares, diamonds = (
            [percent(count, one.sentences) for count in _degrees(crossing.sentences)]
            for crossing in (one.with_punctuation, one.without_punctuation)
        )
        axes.bar(places, shares, width * 0.9, color=COLORS[turn])
        axes.plot(places, [share or nan for share in diamonds], **_DIAMOND)
    axes.plot([], [], **_DIAMOND, label="without punctuation")
    axes.legend(frameon=False)
    axes.set_xticks(range(_DEGREES), [*map(str, range(1, _DEGREES)), f"{_DEGREES} or more"])
    _name(axes, "Discontinuous sentences", "gap degree", "% of sentences")


def _degrees(sentences: Counter[int]) -> list[int]:
    """Sentences of gap degree 1, 2 and so on, the highest together."""
    counts = [sentences[degree] for degree in range(1, _DEGREES)]
    return [*counts, sentences.total() - sentences[0] - sum(counts)]


def _plot_labels(axes: Axes, named: Named) -> None:
    names = ranked([one.labels for _, one in named], _TOP)
    shares = [[percent(one.labels[n], one.constituents) for n in names] for _, one in named]
    _bars(axes, names, shares)
    _name(axes, "Labels", "% of constituents", "")


def _plot_discontinuous_labels(axes: Axes, named: Named) -> None:
    names = ranked([one.with_punctuation.labels for _, one in named], _TOP)
    shares = [
        [percent(one.with_punctuation.labels[n], one.labels[n]) for n in names] for _, one in named
    ]
    _bars(axes, names, shares)
    _name(axes, "Discontinuous labels, most frequent first", "% discontinuous", "")


def _bars(axes: Axes, names: list[str], shares: list[list[float]]) -> None:
    """Horizontal bars, one group for each name, from top to bottom."""
    height = _GROUP / len(shares)
    for turn, values in enumerate(shares):
        places = [i + (turn - (len(shares) - 1) / 2) * height for i in range(len(names))]
        axes.barh(places, values, height * 0.9, color=COLORS[turn])
    axes.set_yticks(range(len(names)), [name or ABSENT for name in names])
    axes.invert_yaxis()


def _name(axes: Axes, title: str, x: str, y: str) -> None:
    axes.set_title(title, loc="left", fontweight="bold")
    plain_axes(axes, x, y, grid_axis="x" if not y else "y")
    axes.set_axisbelow(True)
