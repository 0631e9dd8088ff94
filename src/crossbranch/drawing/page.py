"""Trees as one HTML page without other files. Readers can search its sentences.

The page is made sentence by sentence, so a treebank can have any size. Each picture is stored as
text, and drawn when the reader scrolls near it. So a page of ten thousand trees opens quickly. The
security policy of the page allows nothing from outside, and no script but its own, whatever words
and labels contain.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib import resources
from itertools import groupby
from typing import NamedTuple
from urllib.parse import quote

from crossbranch.doors import door
from crossbranch.drawing.compared import ComparedTree, compared, pair_up
from crossbranch.drawing.looks import STYLE
from crossbranch.drawing.picture import Options, inner_width, picture_of, scale_of
from crossbranch.drawing.rows import Mark, marked_vertices
from crossbranch.drawing.shapes import SIZES
from crossbranch.drawing.svg import render
from crossbranch.drawing.writing import ABSENT, visible
from crossbranch.tree import Node, Tree

_SIZE = re.compile(r'<svg [^>]*?\bwidth="([\d.]+)" height="([\d.]+)"')
_BETWEEN = "\t"  # separates names in an attribute: `visible` removes it from names


class _Shown(NamedTuple):
    """The options that decide what is written in the pictures."""

    edge_labels: bool
    tags: bool
    morphology: bool
    secondary_edges: bool
    width: int | None
    slanted: bool


@door
def draw_html(
    trees: Iterable[Tree],
    *,
    title: str = "",
    compare_with: Iterable[Tree] | None = None,
    names: tuple[str, str] = ("gold", "predicted"),
    edge_labels: bool = True,
    tags: bool = True,
    morphology: bool = False,
    secondary_edges: bool = False,
    width: int | None = None,
    slanted: bool = False,
    font_size: float = SIZES["word"],
    marks: Callable[[Tree], Iterable[Mark]] | None = None,
) -> Iterator[str]:
    """Draw trees as one HTML page.

    Readers of the page can search for words, ids, labels, tags and functions, and show only
    discontinuous trees or nodes. To link to a sentence, use `page.html#` and its id.

    Args:
        trees: The trees to draw. They are read one at a time.
        title: The heading.
        compare_with: Other trees of the same sentences, in the same order. Both trees are drawn,
            and nodes that only one of them has are marked.
        names: The names of the two sides of a comparison.
        edge_labels: Write edge labels above labels and tags, if a tree has any.
        tags: Write tags above the words, if a tree has any.
        morphology: Write the morphology of the words.
        secondary_edges: Draw the secondary edges.
        width: Cut wider pictures into panels. Without a width, they scroll.
        slanted: Draw straight lines from a node to its children, not right angles.
        font_size: The size of the words in pixels. Everything else in the trees grows with it.
        marks: Returns the vertices or brackets of a tree to outline.

    Yields:
        The page in pieces, one for each sentence. Write them one after the other.

    Raises:
        UsageError: The two sides of a comparison do not have the same sentences.
    """
    scale = scale_of(font_size)
    shown = _Shown(
        edge_labels, tags, morphology, secondary_edges, inner_width(width, scale), slanted
    )
    title = title or ("Trees" if compare_with is None else " and ".join(names))
    yield _head(title, None if compare_with is None else names)
    if compare_with is None:
        for number, tree in enumerate(trees, 1):
            marked = marked_vertices(tree, marks(tree) if marks else ())
            picture = picture_of(tree, Options(marked=marked, **shown._asdict()))
            figure = _figure("", "".join(render(tree, picture, style=False, scale=scale)))
            yield _sentence(number, [tree], figure, marked=marked)
    else:
        for number, (one, other) in enumerate(pair_up(trees, compare_with), 1):
            both = compared(one, other, names)
            figures = "".join(_compared(tree, shown, scale) for tree in both)
            yield _sentence(number, [one, other], figures, any(tree.marked for tree in both))
    yield f"</main>\n<script>{_resource('page.js')}</script>\n</body>\n</html>\n"


def _head(title: str, names: tuple[str, str] | None) -> str:
    style = _resource("page.css") + STYLE
    controls = _resource("page_controls.html")
    if names is None:  # nothing to say about differences
        controls = re.sub(r"(?s)<!-- compared -->.*?<!-- end -->\n", "", controls)
    else:
        for place, name in zip(("first", "second"), names, strict=True):
            controls = controls.replace(f"<bdi>{place}</bdi>", f"<bdi>{_text(name)}</bdi>")
    allowed = policy(style, _resource("page.js"))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{allowed}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{_text(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<h1 dir="auto">{_text(title)}</h1>\n{controls}<main id="sentences">\n'
    )


def _resource(name: str) -> str:
    return (resources.files("crossbranch.drawing") / name).read_text(encoding="utf-8")


def _text(text: str) -> str:
    return escape(visible(text))


def _sentence(
    number: int,
    trees: list[Tree],
    figures: str,
    different: bool = False,
    marked: Sequence[int] = (),
) -> str:
    """A sentence on one line, the names that it can be found by, and its pictures."""
    first = trees[0]
    nodes = [node for tree in trees for node in tree.nodes]
    tokens = [token for tree in trees for token in tree.sentence]
    tags = [token.tag for token in tokens]
    functions = [n.edge_label for n in nodes] + [token.edge_label for token in tokens]
    crossing = [
        name for node in nodes if node.is_discontinuous for name in (node.label, node.edge_label)
    ]
    name = first.id or str(number)
    known_by = f'data-id="{_text(name)}" data-labels="{_names(n.label for n in nodes)}"'
    known_by += f' data-tags="{_names(tags)}"' if any(tags) else ""
    known_by += f' data-functions="{_names(functions)}"' if any(functions) else ""
    known_by += f' data-discontinuous="{_names(crossing)}"' if crossing else ""
    known_by += " data-different" if different else ""
    shown = str(number) if name == str(number) else f"{number} ({name})"
    note = " ".join(first.comments)
    comment = f' <span class="note" dir="auto">{_text(note)}</span>' if note else ""
    return (
        f"<details open {known_by}>\n"
        f'<summary><a class="name" href="#{quote(visible(name), safe="")}">{_text(shown)}</a> '
        f'<span class="words" dir="auto">{_words(first, marked)}</span>{comment}</summary>\n'
        f'<div class="trees">{figures}</div>\n</details>\n'
    )


def _words(tree: Tree, marked: Sequence[int]) -> str:
    """The raw text of the sentence if it is known, or else its words. Marked ones are in <mark>."""
    if marked:
        span = 0
        for vertex in marked:
            item = tree.vertex(vertex)
            span |= item.span if isinstance(item, Node) else 1 << vertex
        return " ".join(
            f"<mark>{words}</mark>" if is_marked else words
            for is_marked, group in groupby(range(len(tree.sentence)), lambda i: span >> i & 1)
            for words in [" ".join(_text(tree.sentence[i].form or ABSENT) for i in group)]
        )
    if tree.text:
        return " ".join(_text(part) for part in tree.text.split())
    return " ".join(_text(token.form or ABSENT) for token in tree.sentence)


def _names(labels: Iterable[str]) -> str:
    return _BETWEEN.join(sorted({_text(label) for label in labels if label}))


def _compared(side: ComparedTree, shown: _Shown, scale: float) -> str:
    """One of two trees. Its differences are also listed, for readers who do not see colours."""
    labels = ", ".join(_text(label or ABSENT) for label, _ in side.marked)
    note = f' <span class="faults">only here ({side.mark}): <bdi>{labels}</bdi></span>'
    caption = f"<bdi>{_text(side.name)}</bdi>{note if side.marked else ''}"
    picture = "".join(render(side.tree, side.picture(**shown._asdict()), style=False, scale=scale))
    place = "first" if side.is_first else "second"
    return _figure(f"<figcaption>{caption}</figcaption>", picture, f' class="{place}"')


def _figure(caption: str, picture: str, names: str = "") -> str:
    """A picture as text inside a <script>, so that browsers do not draw it before it is needed."""
    size = _SIZE.match(picture)
    assert size is not None, "a picture says how large it is"
    return (
        f'<figure{names} data-size="{size[1]} {size[2]}">{caption}<div class="scroll" tabindex="0">'
        f'<script type="image/svg+xml">{picture}</script></div></figure>'
    )


def policy(style: str, script: str) -> str:
    """Allow only this style sheet and this script, identified by their hashes."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
