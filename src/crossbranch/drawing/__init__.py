"""Drawing trees.

layout      columns, levels and panels: the position of everything
text        box-drawing characters or ASCII, for terminals
svg         pictures for web pages
tikz        pictures for papers
pdf         pictures for papers and slides, one tree per page
png         pictures for everything else, made by an installed converter
comparison  two trees, with their differences marked
page        many trees as one HTML page that can be searched
chart       how probable the constituents of a sentence are
rules       the rules of a grammar, as blocks

Shared parts: rows decides what is written at each vertex. writing and measure decide how it looks
and how wide it is. canvas has the cells of a terminal. picture makes shapes on paper, with panels,
bands below discontinuous nodes, and curves for secondary edges. looks has colours and strokes.
compared finds the nodes that only one of two trees has.
"""

from crossbranch.drawing.chart import ChartConstituent, draw_chart
from crossbranch.drawing.compared import Differences, differences
from crossbranch.drawing.comparison import draw_comparison
from crossbranch.drawing.layout import Layout, lay_out
from crossbranch.drawing.page import draw_html
from crossbranch.drawing.pdf import draw_pdf
from crossbranch.drawing.png import draw_png, svg_to_png
from crossbranch.drawing.rules import DrawnRule, draw_rules
from crossbranch.drawing.svg import draw_svg
from crossbranch.drawing.text import draw_text
from crossbranch.drawing.tikz import draw_tikz

__all__ = [
    "ChartConstituent",
    "Differences",
    "DrawnRule",
    "Layout",
    "differences",
    "draw_chart",
    "draw_comparison",
    "draw_html",
    "draw_pdf",
    "draw_png",
    "draw_rules",
    "draw_svg",
    "draw_text",
    "draw_tikz",
    "lay_out",
    "svg_to_png",
]
