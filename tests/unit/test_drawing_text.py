"""Drawings as text: that they can be read back makes legibility a law."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from strategies import trees

from crossbranch.drawing import draw_comparison, draw_text
from crossbranch.errors import UsageError
from crossbranch.tree import ROOT, Bracket, Node, SecondaryEdge, Token, Tree

ANSI = re.compile(r"\x1b\[[\d;]*m")
QUESTION = Tree(
    [
        Token("What", "WP"),
        Token("should", "MD"),
        Token("I", "PRP"),
        Token("do", "VB"),
        Token("?", "."),
    ],
    Node(
        ROOT,
        [Node("SBARQ", [Node("SQ", [1, Node("NP", [2]), Node("VP", [Node("WHNP", [0]), 3])]), 4])],
    ),
)


class Reader:
    """Reads a drawing back by following its lines, knowing nothing but the characters.

    Edge labels are in lower case, labels and tags in upper case; the words are w0, w1, ...
    """

    def __init__(self, drawing: str, *, tags: bool = True, right_to_left: bool = False) -> None:
        self.panels = [_cells(panel) for panel in drawing.split("\n\n")]
        if right_to_left:  # the first panel is the rightmost
            self.panels.reverse()
        self.tags = tags
        self.sentence: dict[int, Token] = {}

    def tree(self) -> Tree:
        tops = [
            (panel, row, line.index(ROOT))
            for panel, lines in enumerate(self.panels)
            for row, line in enumerate(map("".join, lines))
            if ROOT in line
        ]
        assert len(tops) == 1, "the root is to be found once"
        panel, row, _ = tops[0]
        column = next(c for c, cell in enumerate(self.panels[panel][row]) if cell == "R")
        root = self._vertex(panel, row, column + 1)
        assert isinstance(root, Node)
        return Tree([self.sentence[i] for i in sorted(self.sentence)], root)

    def _vertex(self, panel: int, row: int, column: int) -> Node | int:
        """What stands at the lower end of a line."""
        edge_label, text = "", self._text(panel, row, column)
        if text.islower() and not text.startswith("w"):
            edge_label, row = text, row + 1
            text = self._text(panel, row, column)
        last = len(self.panels[panel]) - 1
        if row >= last - self.tags:
            word = self._text(panel, last, column)
            tag = text if self.tags else ""
            self.sentence[int(word[1:])] = Token(word, tag, edge_label=edge_label)
            return int(word[1:])
        children = [self._follow(*end) for end in self._branches(panel, row + 1, column)]
        return Node(text, children, edge_label=edge_label)

    def _text(self, panel: int, row: int, column: int) -> str:
        """The text at a place, which must be centred there and stand clear of others."""
        cells = self.panels[panel][row]
        start = stop = column
        while start > 0 and cells[start - 1] != " ":
            start -= 1
        while stop < len(cells) and cells[stop] != " ":
            stop += 1
        assert column == start + (stop - start - 1) // 2
        return "".join(cells[start:stop])

    def _branches(self, panel: int, row: int, column: int) -> list[tuple[int, int, int]]:
        """Where lines drop from the bar under a label."""
        joint = self._cell(panel, row, column)
        assert joint in "│┴┼├┤└┘|'+"
        found = [(panel, row, column)] if joint in "│┼├┤|+" else []
        if joint in "│|":
            return found
        for step in (-1, 1):
            found += self._along(panel, row, column, step)
        return found

    def _along(self, panel: int, row: int, column: int, step: int) -> list[tuple[int, int, int]]:
        found = []
        while (cell := self._cell(panel, row, column + step)) != " ":
            column += step
            if cell in "┄~":
                panel, row, column = self._turn_over(panel, row, column, step)
            elif cell in "│|":  # a crossing, with the bar going on at both sides
                assert self._cell(panel, row, column - 1) in "╴-"
                assert self._cell(panel, row, column + 1) in "╶-"
            elif cell in "┌┬┐.":
                found.append((panel, row, column))
            else:
                assert cell in "─╴╶-"
        return found

    def _turn_over(self, panel: int, row: int, column: int, step: int) -> tuple[int, int, int]:
        """Find the bar with the same number in the neighbouring panel."""
        line = "".join(self.panels[panel][row])
        number = line[column + 1 :] if step > 0 else line[:column].strip()
        mark = rf"\s*{number}[┄~]" if step > 0 else rf".*[┄~]{number}$"
        for other, cells in enumerate(self.panels[panel + step]):
            if re.match(mark, "".join(cells)):
                places = [c for c, cell in enumerate(cells) if cell in "┄~"]
                return panel + step, other, places[0 if step > 0 else -1]
        raise AssertionError(f"bar {number} does not go on")

    def _follow(self, panel: int, row: int, column: int) -> Node | int:
        """Go down a line to what stands at its end."""
        while self._cell(panel, row + 1, column) in "│|":
            row += 1
        return self._vertex(panel, row + 1, column)

    def _cell(self, panel: int, row: int, column: int) -> str:
        rows = self.panels[panel]
        if 0 <= row < len(rows) and 0 <= column < len(rows[row]):
            return rows[row][column]
        return " "


def _cells(panel: str) -> list[list[str]]:
    """The cells of a terminal: a wide character fills two, the second one empty."""
    rows = []
    for line in panel.split("\n"):
        cells: list[str] = []
        for character in line:
            cells += [character] + [""] * (cell_len(character) - 1)
        rows.append(cells)
    return rows


@st.composite
def drawable(draw: st.DrawFn, *, max_size: int = 9) -> Tree:
    """Draw a tree whose texts the reader can tell apart."""
    labels = ["S", "NP", "CONSTITUENT", "名詞句", "X"]
    tree = draw(trees(rich=False, min_size=1, max_size=max_size, labels=labels))
    edge_label = (
        st.sampled_from(["", "sb", "hd", "modifier"]) if draw(st.booleans()) else st.just("")
    )
    built: dict[int, Node] = {}
    for node in tree.root.postorder():
        children = [c if isinstance(c, int) else built[id(c)] for c in node.children]
        edge = "" if node is tree.root else draw(edge_label)
        built[id(node)] = Node(node.label, children, edge_label=edge)
    sentence = [
        Token(f"w{i}", token.tag, edge_label=draw(edge_label))
        for i, token in enumerate(tree.sentence)
    ]
    return Tree(sentence, built[id(tree.root)])


@given(drawable(), st.booleans())
@settings(max_examples=400)
def test_a_drawing_can_be_read_back(tree: Tree, ascii: bool) -> None:
    assert Reader(draw_text(tree, ascii=ascii)).tree() == tree


@given(drawable(max_size=16), st.booleans(), st.integers(20, 50))
@settings(max_examples=300)
def test_panels_can_be_read_back(tree: Tree, ascii: bool, width: int) -> None:
    drawing = draw_text(tree, ascii=ascii, width=width)
    assert max(map(cell_len, drawing.split("\n"))) <= width
    assert Reader(drawing).tree() == tree


@given(drawable(max_size=12), st.none() | st.integers(20, 50))
def test_mirrored_drawings_can_be_read_back(tree: Tree, width: int | None) -> None:
    drawing = draw_text(tree, right_to_left=True, width=width)
    assert Reader(drawing, right_to_left=True).tree() == tree
    if width is None:
        words = drawing.split("\n")[-1].split()
        assert words == [token.form for token in reversed(tree.sentence)]


def test_right_to_left_words_run_from_right_to_left() -> None:
    words = [Token(word) for word in ["את", "הספר", "קראתי"]]
    tree = Tree(words, Node("S", [Node("NP", [0, 1]), 2]))
    last = draw_text(tree).split("\n")[-1]
    assert re.findall(r"\w+", last) == ["קראתי", "הספר", "את"]
    assert draw_text(tree, right_to_left=False) != draw_text(tree)


MORPHOLOGY = Tree([Token("a", "X", morphology="Nom.Sg"), Token("b", "Y")], Node("S", [0, 1]))


def test_morphology_stands_between_tag_and_word() -> None:
    assert (
        draw_text(MORPHOLOGY, morphology=True)
        == """\
     S
  ┌──┴──┐
  X     Y
Nom.Sg
  a     b"""
    )
    assert "Nom.Sg" not in draw_text(MORPHOLOGY)
    assert draw_text(QUESTION, morphology=True) == draw_text(QUESTION)
    assert (
        draw_text(MORPHOLOGY, morphology=True, tags=False)
        == """\
     S
  ┌──┴──┐
Nom.Sg  │
  a     b"""
    )


def test_marks() -> None:
    chain = Tree([Token("a")], Node("S", [Node("NP", [Node("NP", [0])])]))
    noun = Bracket("NP", 1)
    assert draw_text(chain, marked=[noun]).count("*NP") == 1
    assert draw_text(chain, marked=[noun] * 3).count("*NP") == 2
    assert draw_text(chain, marked=[noun], mark="-").count("-NP") == 1
    assert draw_text(chain, marked=[Bracket("VP", 1)]) == draw_text(chain)
    colored = draw_text(chain, marked=[noun], color=True)
    assert "\x1b[1;7;39m*NP\x1b[0m" in colored
    assert ANSI.sub("", colored) == draw_text(chain, marked=[noun])
    gap = Tree([Token(w) for w in "abc"], Node("S", [Node("X", [0, 2]), 1]))
    assert "\x1b[1;7;36m*X\x1b[0m" in draw_text(gap, marked=[Bracket("X", 0b101)], color=True)


@given(drawable())
def test_tags_and_edge_labels_can_be_left_out(tree: Tree) -> None:
    plain = Reader(draw_text(tree, tags=False, edge_labels=False), tags=False).tree()
    assert [token.form for token in plain.sentence] == [token.form for token in tree.sentence]
    assert plain.brackets == tree.brackets
    assert not any(token.tag or token.edge_label for token in plain.sentence)


@given(trees(), st.booleans(), st.booleans(), st.none() | st.integers(20, 60))
def test_any_tree_can_be_drawn(tree: Tree, color: bool, more: bool, width: int | None) -> None:
    drawing = ANSI.sub(
        "", draw_text(tree, color=color, morphology=more, secondary_edges=more, width=width)
    )
    assert drawing
    assert all(c.isprintable() or c in "\n\u2068\u2069\u200c\u200d" for c in drawing)
    if width is not None:
        assert max(map(cell_len, drawing.split("\n"))) <= width


@given(trees(rich=False))
def test_color_changes_nothing_else(tree: Tree) -> None:
    plain, colored = draw_text(tree), draw_text(tree, color=True)
    assert ANSI.sub("", colored) == plain
    assert (colored != plain) == tree.is_discontinuous


def test_an_edge_label_has_the_color_of_the_node_above() -> None:
    gap = Node("VP", [Node("NP", [0], edge_label="OA"), 2], edge_label="OC")
    tree = Tree([Token(word) for word in "abc"], Node("S", [gap, 1]))
    drawing = draw_text(tree, color=True)
    assert "\x1b[1;36mOA\x1b[0m" in drawing
    assert "\x1b[1;36mVP\x1b[0m" in drawing
    assert "mOC" not in drawing


def test_the_documented_drawing_is_real() -> None:
    text = (Path(__file__).parents[2] / "docs" / "drawing.md").read_text(encoding="utf-8")
    assert f"```\n{draw_text(QUESTION)}\n```" in text
    assert f"```\n{draw_text(QUESTION, ascii=True, width=20)}\n```" in text
    words = [Token(word) for word in ["He", "came", "and", "saw"]]
    root = Node("CS", [Node("S", [0, 1]), 2, Node("S", [3])])
    shared = Tree(words, root, secondary_edges=[SecondaryEdge("SB", 0, 6)])
    assert f"```\n{draw_text(shared, secondary_edges=True)}\n```" in text
    words = [Token(word) for word in ["What", "should", "I", "do"]]
    gold = Tree(words, Node("SBARQ", [Node("VP", [0, 3]), Node("SQ", [1, 2])]))
    predicted = Tree(words, Node("SBARQ", [Node("WHNP", [0]), Node("SQ", [1, 2]), 3]))
    assert f"```\n{draw_comparison(gold, predicted)}\n```" in text


def test_a_crossing_is_no_branching() -> None:
    assert (
        draw_text(QUESTION)
        == """\
              ROOT
               │
             SBARQ
        ┌──────┴───────┐
        SQ             │
  ┌─────┼──────┐       │
  VP    │      │       │
 ┌┴────╴│╶────╴│╶──┐   │
WHNP    │      NP  │   │
 │      │      │   │   │
 WP     MD    PRP  VB  .
What  should   I   do  ?"""
    )


def test_ascii_lines() -> None:
    assert (
        draw_text(QUESTION, ascii=True, tags=False)
        == """\
              ROOT
               |
             SBARQ
        .------'------.
        SQ            |
  .-----+-----.       |
  VP    |     |       |
 .'-----|-----|---.   |
WHNP    |     NP  |   |
 |      |     |   |   |
What  should  I   do  ?"""
    )


def test_empty_and_tiny_trees() -> None:
    assert draw_text(Tree([], Node(ROOT))) == "ROOT"
    assert draw_text(Tree([Token("Yes")], Node("INTJ", [0]))) == "INTJ\n │\nYes"
    assert draw_text(Tree([Token("")], Node("", [0]))) == "--\n│\n--"


def test_words_keep_their_columns() -> None:
    """Wide, combining, right-to-left and unprintable characters fill the cells they were given."""
    words = ["日本", "e\u0301te\u0301", "שלום", "\N{GRINNING FACE}", "\u0301", "a\tb", "end"]
    tree = Tree([Token(word) for word in words], Node("S", list(range(len(words)))))
    rows = draw_text(tree).split("\n")
    joints = [column for column, joint in enumerate(rows[1]) if joint in "┌┬┐┼"]
    shown = ["日本", "e\u0301te\u0301", "\u2068שלום\u2069", words[3], "\N{DOTTED CIRCLE}\u0301"]
    assert rows[2] == "  ".join([*shown, r"a\tb", "end"])
    starts = [0, 6, 11, 17, 21, 24, 30]
    widths = [4, 3, 4, 2, 1, 4, 3]
    assert joints == [s + (w - 1) // 2 for s, w in zip(starts, widths, strict=True)]


def test_a_word_wider_than_the_panel_is_cut() -> None:
    tree = Tree([Token("x" * 50), Token("y")], Node("S", [0, 1]))
    drawing = draw_text(tree, width=30)
    assert "x" * 20 in drawing
    assert "…" in drawing
    assert max(map(cell_len, drawing.split("\n"))) <= 30
    assert "..." in draw_text(tree, width=30, ascii=True)


def test_too_narrow_is_refused() -> None:
    with pytest.raises(UsageError, match="the width is 10, expected 20 or more"):
        draw_text(QUESTION, width=10)


def test_long_and_deep_trees() -> None:
    node: Node | int = 0
    for depth in range(300):
        node = Node(f"X{depth}", [node] if depth % 3 else [node, depth // 3 + 1])
    tree = Tree([Token(f"w{i}", "T") for i in range(200)], Node(ROOT, [node, *range(101, 200)]))
    assert Reader(draw_text(tree)).tree() == tree
    assert Reader(draw_text(tree, width=100)).tree() == tree
    very_deep: Node | int = 0
    for _ in range(2000):
        very_deep = Node("X", [very_deep])
    assert draw_text(Tree([Token("w")], Node(ROOT, [very_deep]))).count("X") == 2000
