"""Trees as pictures.

layout   columns, levels and panels: where everything goes
svg      pictures for pages and papers
measure  how wide a text is in a picture
text     box-drawing characters or ASCII, for terminals
"""

from crossbranch.drawing.layout import Layout, lay_out
from crossbranch.drawing.svg import draw_svg
from crossbranch.drawing.text import draw_text

__all__ = ["Layout", "draw_svg", "draw_text", "lay_out"]
