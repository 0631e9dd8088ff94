"""Trees as pictures.

layout   columns, levels and panels: where everything goes
text     box-drawing characters or ASCII, for terminals
"""

from crossbranch.drawing.layout import Layout, lay_out
from crossbranch.drawing.text import draw_text

__all__ = ["Layout", "draw_text", "lay_out"]
