"""Figures for plots of numbers, made by matplotlib if it is installed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from crossbranch.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind people can tell apart; the pale yellow is left out.
COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure; its size is in inches.

    Raises:
        UsageError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError(
            "plots need matplotlib, which is not installed: pip install 'crossbranch[plot]'"
        ) from None
    return Figure(figsize=(width, height), dpi=120, layout="constrained")


def check_ending(path: str | Path) -> None:
    """Raise a UsageError if a plot cannot be saved under this name."""
    kinds = new_figure(1, 1).canvas.get_supported_filetypes()
    if Path(path).suffix[1:].lower() not in kinds:
        raise UsageError(
            f"cannot save a plot as {str(path)!r}; the name must end in one of: {', '.join(kinds)}"
        )


def plain_axes(axes: Axes, x: str, y: str, *, grid_axis: str = "y") -> None:
    """Name the axes, and leave out the lines above and to the right."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=grid_axis, alpha=0.3)  # type: ignore[arg-type]
