"""Trees as pictures.

layout      columns, levels and panels: where everything goes
text        box-drawing characters or ASCII, for terminals
svg         pictures for pages
tikz        pictures for papers
pdf         pictures for papers and slides, one tree a page
png         pictures for everything else, by a converter that is present
comparison  two trees, with their differences marked
page        many trees as one HTML page, to be searched

What they share: rows says what is written at each vertex, writing and measure how it is shown and
how wide that is, canvas holds the cells of a terminal; picture makes shapes on paper, with panels,
bands below discontinuous nodes and curves for secondary edges; looks has colours and strokes;
compared finds what only one of two trees has.
"""

from crossbranch.drawing.compared import Differences, differences
from crossbranch.drawing.comparison import draw_comparison
from crossbranch.drawing.layout import Layout, lay_out
from crossbranch.drawing.page import draw_html
from crossbranch.drawing.pdf import draw_pdf
from crossbranch.drawing.png import draw_png, svg_to_png
from crossbranch.drawing.svg import draw_svg
from crossbranch.drawing.text import draw_text
from crossbranch.drawing.tikz import draw_tikz

__all__ = [
    "Differences",
    "Layout",
    "differences",
    "draw_comparison",
    "draw_html",
    "draw_pdf",
    "draw_png",
    "draw_svg",
    "draw_text",
    "draw_tikz",
    "lay_out",
    "svg_to_png",
]
