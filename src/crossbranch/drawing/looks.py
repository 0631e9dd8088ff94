"""The look of SVG pictures: a style sheet, or the same as attributes of every element.

The style sheet has a light and a dark version. Attributes are always light, for paper and for
programs that do not read style sheets.
"""

from __future__ import annotations

from typing import Literal, get_args

from crossbranch.drawing.shapes import FROM_LEFT, SIZES
from crossbranch.errors import UsageError

COLORS = ("#0060a8", "#00734f", "#8a3fa0", "#7a5700")
"""The colours c0 .. c3, taken in turn by discontinuous nodes."""

FAULT, FAULT_PAPER = "#b8143a", "#ffdde2"
"""Around marked labels."""

FIRST, FIRST_PAPER = "#995400", "#fff0cf"
"""Around labels that only the first of two trees has; these outlines are dashed, too."""

ITEMS = {
    "stack": ("#dbeafe", "#1d4ed8"),
    "aside": ("#ffedd5", "#c2410c"),
    "focus": ("#fde68a", "#92400e"),
    "buffer": ("#f3f4f6", "#9ca3af"),
}
"""Paper and line around the items of a parser, by where they are; see `derivations`."""

SECONDARY = "#a8430a"
HALO = 7
"""As wide as the interruption of a bar that a line crosses."""

_FONTS = 'Arial,Helvetica,"Liberation Sans","DejaVu Sans",sans-serif'
INK, FAINT = "#222222", "#595959"
_PAPER = "#fff"
FAINT_KINDS = ("edge", "tag", "morphology", "cut")
ITALIC_KINDS = ("edge", "secondary")

STYLE = """\
svg.tree{font-family:Arial,Helvetica,"Liberation Sans","DejaVu Sans",sans-serif;color:#222}
svg.tree .paper{fill:#fff}
svg.tree text{text-anchor:middle;fill:currentColor;unicode-bidi:plaintext}
svg.tree .edge{font-size:11px;font-style:italic}
svg.tree .label{font-size:13px}
svg.tree .tag{font-size:11px}
svg.tree .morphology{font-size:10px}
svg.tree .word{font-size:14px}
svg.tree .cut{font-size:10px}
svg.tree .secondary{font-size:10px;font-style:italic;color:#a8430a}
svg.tree .note{font-size:11px}
svg.tree .caption{font-size:13px;font-weight:bold}
svg.tree .note text,svg.tree .caption text{text-anchor:start}
svg.tree .edge text,svg.tree .tag text,svg.tree .morphology text,svg.tree .cut text{fill:#595959}
svg.tree path{fill:none;stroke:currentColor;stroke-width:1.2;stroke-linecap:square}
svg.tree .halo{stroke:#fff;stroke-width:7;stroke-linecap:butt}
svg.tree path.discontinuous,svg.tree path.marked{stroke-width:2}
svg.tree path.block{stroke-width:3;stroke-linecap:round;stroke-opacity:.7}
svg.tree path.gap{stroke-width:1.2;stroke-linecap:butt;stroke-dasharray:1.5 3}
svg.tree path.secondary{stroke-linecap:butt;stroke-dasharray:5 3}
svg.tree path.head{fill:currentColor;stroke:none}
svg.tree .c0{color:#0060a8}
svg.tree .c1{color:#00734f}
svg.tree .c2{color:#8a3fa0}
svg.tree .c3{color:#7a5700}
svg.tree rect.marked{fill:#ffdde2;stroke:#b8143a;stroke-width:1.5}
svg.tree rect.first{fill:#fff0cf;stroke:#995400;stroke-dasharray:4 2}
svg.tree rect.item{stroke-width:1.5}
svg.tree rect.stack{fill:#dbeafe;stroke:#1d4ed8}
svg.tree rect.aside{fill:#ffedd5;stroke:#c2410c;stroke-dasharray:4 2}
svg.tree rect.focus{fill:#fde68a;stroke:#92400e;stroke-width:2.5}
svg.tree rect.buffer{fill:#f3f4f6;stroke:#9ca3af}
@media (prefers-color-scheme:dark){
svg.tree{color:#e4e4e4}
svg.tree .paper{fill:#1b1d20}
svg.tree .edge text,svg.tree .tag text,svg.tree .morphology text,svg.tree .cut text{fill:#b0b0b0}
svg.tree .halo{stroke:#1b1d20}
svg.tree .secondary{color:#ff9d5c}
svg.tree .c0{color:#6cbcf5}
svg.tree .c1{color:#46d3a8}
svg.tree .c2{color:#dca4ee}
svg.tree .c3{color:#e3c458}
svg.tree rect.marked{fill:#5c1526;stroke:#ff7d98}
svg.tree rect.first{fill:#4d3500;stroke:#ffb84d}
svg.tree rect.stack{fill:#1e3a5f;stroke:#7cb3ff}
svg.tree rect.aside{fill:#5a2c12;stroke:#ff9d5c}
svg.tree rect.focus{fill:#5c4a00;stroke:#ffd84d}
svg.tree rect.buffer{fill:#2b2e33;stroke:#7d828a}
}
"""
"""The style sheet of all pictures; a page that shows many of them needs it only once."""

Theme = Literal["auto", "light", "dark"]
_LIGHT, _, _DARK = STYLE.partition("@media (prefers-color-scheme:dark){\n")


def check_theme(theme: str) -> None:
    """Raise a UsageError if there is no such theme."""
    if theme not in get_args(Theme):
        raise UsageError(f"theme is {theme!r}, expected one of {', '.join(get_args(Theme))}")


def style_sheet(theme: Theme) -> str:
    """Return the style sheet with light or dark colours; "auto" does as the reader's system."""
    if theme == "auto":
        return STYLE
    return _LIGHT if theme == "light" else _LIGHT + _DARK.removesuffix("}\n")


_STROKES = {
    "": {"stroke-width": "1.2", "stroke-linecap": "square"},
    "discontinuous": {"stroke-width": "2", "stroke-linecap": "square"},
    "marked": {"stroke-width": "2", "stroke-linecap": "square"},
    "halo": {"stroke-width": str(HALO), "stroke-linecap": "butt", "stroke": _PAPER},
    "block": {"stroke-width": "3", "stroke-linecap": "round", "stroke-opacity": "0.7"},
    "gap": {"stroke-width": "1.2", "stroke-linecap": "butt", "stroke-dasharray": "1.5 3"},
    "secondary": {"stroke-width": "1.2", "stroke-linecap": "butt", "stroke-dasharray": "5 3"},
    "head": {"stroke": "none"},
}


class Classes:
    """Elements have classes, and a style sheet says how they look."""

    def picture(self) -> str:
        """The attributes of the whole picture."""
        return ' class="tree"'

    def paper(self) -> str:
        """The attributes of the rectangle behind everything."""
        return ' class="paper"'

    def outline(self, is_first: bool) -> str:
        """The attributes of the box around a marked label."""
        return ' class="marked first"' if is_first else ' class="marked"'

    def item(self, kind: str) -> str:
        """The attributes of the box around an item."""
        return f' class="item {kind}"'

    def stroke(self, names: str) -> str:
        """The attributes of a path."""
        return f' class="{names}"' if names else ""

    def texts(self, kind: str) -> str:
        """The attributes of a group of texts."""
        return f' class="{kind}"'

    def text(self, kind: str, names: str) -> str:
        """The attributes of a text in such a group."""
        return f' class="{names}"' if names else ""


class Attributes(Classes):
    """Elements have attributes that say how they look."""

    def picture(self) -> str:
        """The attributes of the whole picture."""
        return _written({"font-family": _FONTS.replace('"', "'")})

    def paper(self) -> str:
        """The attributes of the rectangle behind everything."""
        return _written({"fill": _PAPER})

    def outline(self, is_first: bool) -> str:
        """The attributes of the box around a marked label."""
        looks = {"fill": FAULT_PAPER, "stroke": FAULT, "stroke-width": "1.5"}
        if is_first:
            looks |= {"fill": FIRST_PAPER, "stroke": FIRST, "stroke-dasharray": "4 2"}
        return _written(looks)

    def item(self, kind: str) -> str:
        """The attributes of the box around an item."""
        paper, line = ITEMS[kind]
        return _written({"fill": paper, "stroke": line, "stroke-width": "1.5"})

    def stroke(self, names: str) -> str:
        """The attributes of a path."""
        found = names.split()
        color = _color(found) or INK
        looks = {"fill": color if "head" in found else "none", "stroke": color}
        for name in found or [""]:
            looks |= _STROKES.get(name, {})
        return _written(looks)

    def texts(self, kind: str) -> str:
        """The attributes of a group of texts."""
        looks = {"font-size": str(SIZES[kind]), "text-anchor": "middle"}
        if kind in FROM_LEFT:
            looks["text-anchor"] = "start"
        if kind in ITALIC_KINDS:
            looks["font-style"] = "italic"
        if kind == "caption":
            looks["font-weight"] = "bold"
        return _written(looks)

    def text(self, kind: str, names: str) -> str:
        """The attributes of a text in such a group."""
        color = SECONDARY if kind == "secondary" else _color(names.split()) or INK
        return _written({"fill": FAINT if kind in FAINT_KINDS else color})


def _color(names: list[str]) -> str:
    """The colour of a class, if it has one."""
    if "secondary" in names:
        return SECONDARY
    return next((COLORS[int(n[1:])] for n in names if n[0] == "c" and n[1:].isdigit()), "")


def _written(attributes: dict[str, str]) -> str:
    return "".join(f' {name}="{value}"' for name, value in attributes.items())
