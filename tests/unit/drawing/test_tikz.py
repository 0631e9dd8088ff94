"""TikZ: the same places as in SVG, and every character stands for itself."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import trees

from crossbranch.drawing import draw_tikz
from crossbranch.drawing.picture import Options, picture_of
from crossbranch.drawing.tikz import escape
from crossbranch.tree import ROOT, Bracket, Node, SecondaryEdge, Token, Tree

NODE = re.compile(r"^\\node\[([^\]]*)\](?: \((v\d+)\))? at \((-?[\d.]+),(-?[\d.]+)\) \{(.*)\};$")
POINT = re.compile(r"\((-?[\d.]+),(-?[\d.]+)\)")
MACROS = {
    r"\textbackslash{}": "\\",
    r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"{\char34}": '"',
    r"\ldots{}": "…",
    "$-$": "−",
    r"$\circ$": "\N{DOTTED CIRCLE}",
    **{f"\\{character}": character for character in "{}$&#%_"},
    "{}": "",
}
TOKEN = re.compile("|".join(map(re.escape, MACROS)) + r"|[^\\{}$&#%_^~]", re.DOTALL)
HOSTILE = r"\input{x} %\end{tikzpicture} $ & # _ ^ ~ <>|\"{}"


def read_back(code: str) -> str:
    """What LaTeX would set; a character that it would not take as such is an error."""
    found = TOKEN.findall(code)
    assert "".join(found) == code, f"{code!r} holds a special character"
    return "".join(MACROS.get(token, token) for token in found)


@given(st.text())
def test_every_character_stands_for_itself(text: str) -> None:
    assert read_back(escape(text)) == unicodedata.normalize("NFC", text)


@given(st.text("-'`,!?a", max_size=6))
def test_no_ligatures(text: str) -> None:
    for pair in ("--", "''", "``", ",,", "!`", "?`"):
        assert pair not in escape(text)


def test_accents_are_composed() -> None:
    assert escape("e\u0301") == "é"


def braces(code: str) -> int:
    depth = 0
    for character in re.sub(r"\\[{}]", "", code):
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0
    return depth


@given(trees(rich=True), st.booleans())
@settings(max_examples=40, deadline=None)
def test_the_places_are_those_of_the_picture(tree: Tree, everything: bool) -> None:
    code = draw_tikz(tree, morphology=everything, secondary_edges=everything)
    options = Options(morphology=everything, secondary_edges=everything)
    picture = picture_of(tree, options)
    assert braces(code) == 0
    lines = code.splitlines()
    assert all(line.startswith("  ") or line[0] in "\\]" for line in lines)
    nodes = [found for found in map(NODE.match, lines) if found]
    assert len(nodes) == sum(line.startswith(r"\node") for line in lines)
    assert [(float(n[3]), float(n[4])) for n in nodes] == [(t.x, t.y) for t in picture.texts]
    assert [read_back(n[5]) for n in nodes] == [
        unicodedata.normalize("NFC", t.text) for t in picture.texts
    ]
    names = [n[2] for n in nodes if n[2]]
    assert sorted(names) == sorted(f"v{vertex}" for vertex in range(len(tree.parents)))
    lines_drawn = [line for line in lines if line.startswith(r"\draw[tree halo]")]
    assert [tuple(map(float, POINT.findall(line)[1])) for line in lines_drawn] == [
        (line.x, line.bottom) for line in picture.lines
    ]


def test_crossed_bars_are_interrupted() -> None:
    tree = Tree([Token(w) for w in "abc"], Node("S", [Node("X", [0, 2]), 1]))
    lines = draw_tikz(tree).splitlines()
    bars = lines.index(next(line for line in lines if line.startswith(r"\draw[tree branch")))
    halos = lines.index(next(line for line in lines if line.startswith(r"\draw[tree halo")))
    last = max(n for n, line in enumerate(lines) if line.startswith(r"\draw[tree branch"))
    assert bars < halos < last
    assert any("tree branch, tree discontinuous, treea" in line for line in lines)
    assert sum(line.startswith(r"\draw[tree block, treea]") for line in lines) == 2
    assert sum(line.startswith(r"\draw[tree gap, treea]") for line in lines) == 1


def test_nothing_escapes_into_the_document() -> None:
    tree = Tree([Token(HOSTILE, HOSTILE)], Node(HOSTILE, [0]))
    code = draw_tikz(tree)
    assert code.count(r"\end{tikzpicture}") == 1
    assert r"\input" not in code
    assert not re.search(r"(?<!\\)%", code)


def test_standalone_is_a_whole_document() -> None:
    tree = Tree([Token("a")], Node(ROOT, [0]))
    code = draw_tikz(tree, standalone=True)
    assert code.startswith("\\documentclass[tikz,border=4pt]{standalone}\n\\begin{document}\n")
    assert code.endswith("\\end{tikzpicture}\n\\end{document}\n")
    assert code.count(draw_tikz(tree)) == 1
    assert "documentclass" not in draw_tikz(tree)


def test_options() -> None:
    tree = Tree(
        [Token("a", "TAG", morphology="Nom", edge_label="HD")],
        Node("S", [Node("NP", [0])]),
        secondary_edges=[SecondaryEdge("SB", 0, 1)],
    )
    full = draw_tikz(tree, morphology=True, secondary_edges=True)
    assert all(f"{{{text}}};" in full for text in ("a", "TAG", "Nom", "HD", "S", "NP", "SB"))
    assert r"\draw[tree arrow]" in full
    assert "{TAG}" not in draw_tikz(tree, tags=False)
    assert "{HD}" not in draw_tikz(tree, edge_labels=False)
    assert "{Nom}" not in draw_tikz(tree)
    assert "{SB}" not in draw_tikz(tree)
    marked = draw_tikz(tree, marked=[Bracket("NP", 1)], mark="+")
    assert marked.count(r"\draw[tree marked]") == 1
    assert "{+NP}" in marked
