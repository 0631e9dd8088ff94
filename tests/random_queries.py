"""Random queries, and trees on which they find something."""

from __future__ import annotations

from hypothesis import strategies as st
from strategies import scrambled_trees, trees

from crossbranch.query.words import (
    NUMBERS,
    PREDICATES,
    RELATIONS,
    WITH_FUNCTIONS,
    WITH_STEPS,
)
from crossbranch.tree import Node, SecondaryEdge, Tree

FUNCTIONS = ("", "SB", "OA")
WHAT = ("S", "NP", "VP", "NP|PP", "X", "Y|VP", "/[SN].*/", "/n./i", '"a"', '"a"|"B"i', 'NP|"c"', "")
TESTS = (
    *("label=NP", "tag!=X", "word=/[ab]/", "category=S|X", "function=SB", "function!=SB|OA"),
    *("label!=S", "text=/.*b/", "lemma=''", "morphology!=x", "@confidence=/0.*/", "@comment!=1"),
    *("confidence<0.5", "tree-confidence>=0.5", "word=#a.word", "length>#b.length"),
)


@st.composite
def relations(draw: st.DrawFn) -> str:
    """Draw a relation, perhaps with functions or steps."""
    name = draw(st.sampled_from([*RELATIONS, ">", "<", ">>"]))
    form = draw(st.integers(0, 5))
    if form == 0 and name in WITH_FUNCTIONS:
        return name + draw(st.sampled_from(["{SB}", "{SB|OA}", "{/.*/}"]))
    if form == 1 and name in WITH_STEPS:
        return name + draw(st.sampled_from(["{1}", "{2}", "{1,2}", "{2,}"]))
    return name


@st.composite
def nodes(draw: st.DrawFn, depth: int) -> str:
    """Draw a node of a query."""
    name = draw(st.sampled_from(["", "", "", "#a", "#b"]))
    if name and draw(st.booleans()):
        return name
    what = draw(st.sampled_from(WHAT))
    inside = ""
    if not what or draw(st.integers(0, 3)) == 0:
        inside = f"[{draw(formulas(depth - 1, True)) if depth and draw(st.booleans()) else ''}]"
    return f"{name}:{what}{inside}" if name else f"{what}{inside}"


@st.composite
def formulas(draw: st.DrawFn, depth: int, is_inside: bool = False) -> str:
    """Draw a formula, of a whole query or inside the brackets of a node."""
    form = draw(st.integers(0, 9 if depth else 4))
    if form == 9:
        return f"not {draw(formulas(depth - 1, is_inside))}"
    if form == 8:
        sign, number = draw(st.sampled_from([">", "=", "<", "!="])), draw(st.integers(0, 3))
        return f"count({draw(formulas(depth - 1, is_inside))}) {sign} {number}"
    if form in (6, 7):
        parts = [draw(formulas(depth - 1, is_inside)) for _ in range(2)]
        return f"({' and '.join(parts)})"
    if form == 5:
        parts = [draw(formulas(depth - 1, is_inside)) for _ in range(2)]
        return f"({' or '.join(parts)})"
    if is_inside and form in (0, 1):
        sign, number = draw(st.sampled_from(["=", "!=", ">", "<="])), draw(st.integers(0, 3))
        numeric = f"{draw(st.sampled_from([*NUMBERS]))}{sign}{number}"
        return draw(st.sampled_from([numeric, *PREDICATES, *TESTS]))
    if form == 0:
        return draw(st.sampled_from(["#a.word=#b.word", "#a.length>#b.length", "#b.tag!=X"]))
    start = "" if is_inside else draw(nodes(depth))
    count = draw(st.integers(1 if is_inside else 0, 2 if depth == 2 else 1))
    steps = [f"{draw(relations())} {draw(nodes(depth))}" for _ in range(count)]
    return " ".join(filter(None, [start, *steps]))


@st.composite
def searchable_trees(draw: st.DrawFn) -> Tree:
    """Draw a small tree with functions, confidences, secondary edges and marked heads."""
    plain = trees(rich=False, min_size=1, max_size=5, heads=draw(st.booleans()))
    tree = draw(plain | scrambled_trees(max_size=5))
    seed = draw(st.integers(0, 99))
    built: dict[int, Node] = {}
    for turn, node in enumerate(tree.root.postorder(), seed):
        children = [c if isinstance(c, int) else built[id(c)] for c in node.children]
        features = (("confidence", f"0.{turn % 9}"),) if turn % 3 else ()
        built[id(node)] = node.replace(
            children=children, edge_label=FUNCTIONS[turn % 3], features=features
        )
    sentence = [
        token._replace(edge_label=FUNCTIONS[(seed + turn) % 3])
        for turn, token in enumerate(tree.sentence)
    ]
    root = built[id(tree.root)]
    last = len(sentence) + len(tree.nodes) - 1
    edges = (SecondaryEdge("SB", seed % (last + 1), last),) if seed % 2 else ()
    features = (("confidence", f"0.{seed:02}"),) if seed % 3 else ()
    return tree.replace(sentence=sentence, root=root, secondary_edges=edges, features=features)
