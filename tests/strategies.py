"""Random discontinuous trees: the one strategy that every property test draws from."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from crossbranch.tree import ROOT, Features, Node, SecondaryEdge, Token, Tree

AWKWARD_WORDS = [
    "(",
    ")",
    "#500",
    "#BOS",
    "%%",
    "--",
    "-LRB-",
    "#LRB#",
    "two words",
    "tab\there",
    "new\nline",
    "0=1",
    "3=(",
    "a/b",
    "/",
    "\\",
    "*T*-1",
    "0",
    "&amp;",
    "&#x20;",
    "&#x;",
    "<node>",
    '"',
    "'",
    "_",
    "word-lemma",
    "$inn",
    "\N{GRINNING FACE}",
    "שלום",
    "مرحبا",
    "Ökonomie",
    "\u2028",
    "\u00a0",
    "\ufeff",
    "",
]
"""Words that break naive writers; formats must keep every one of them."""

LABELS = ["S", "NP", "VP", "NP-SBJ", "ROOT", "VROOT", "@S", "S:", "A+B", "X|Y", "--", "", "(", "é"]
TAGS = ["NN", "$(", "$,", "-NONE-", "--", "", "a b", "LET()", "V/N", ","]
EDGE_LABELS = ["", "HD", "SB", "--", "obj1", "x y"]

# No lone surrogates and no control characters: no text format can hold those.
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=6)


def _mostly(common: list[str]) -> st.SearchStrategy[str]:
    return st.sampled_from(common) | TEXT


def features(*names: str) -> st.SearchStrategy[Features]:
    """Draw features with some of these names."""
    values = st.dictionaries(st.sampled_from(names), _mostly(["1", "a b", "--"]), max_size=2)
    return values.map(lambda pairs: tuple(sorted(pairs.items())))


@st.composite
def tokens(draw: st.DrawFn, rich: bool = True) -> Token:
    """Draw a token; a plain one has only a form and a tag."""
    if not rich:
        return Token(draw(st.sampled_from(["a", "b", "c", "d"])), draw(st.sampled_from("XYZ")))
    return Token(
        draw(_mostly(AWKWARD_WORDS)),
        draw(_mostly(TAGS)),
        draw(_mostly(["", "lemma", "--"])),
        draw(_mostly(["", "Nom.Sg", "--"])),
        draw(_mostly(EDGE_LABELS)),
        draw(features("comment", "genus", "postag")) if draw(st.booleans()) else (),
    )


@st.composite
def structures(
    draw: st.DrawFn,
    size: int,
    *,
    rich: bool = True,
    discontinuous: bool = True,
    unaries: bool = True,
    heads: bool = False,
    labels: list[str] | None = None,
) -> Node:
    """Draw a root over `size` tokens by grouping random items until the root is left."""
    label = st.sampled_from(labels or ["S", "NP", "VP", "PP"]) if not rich else _mostly(LABELS)

    def node(name: str, children: list[Node | int]) -> Node:
        return Node(
            name,
            children,
            edge_label=draw(_mostly(EDGE_LABELS)) if rich else "",
            head=draw(st.integers(0, len(children) - 1)) if children and heads else None,
            features=draw(features("comment", "index")) if rich and draw(st.booleans()) else (),
        )

    items: list[Node | int] = list(range(size))
    for _ in range(draw(st.integers(0, size + 2))):
        if not items:
            break
        most = 4 if len(items) > 1 else 1
        count = draw(st.integers(1 if unaries else 2, most)) if most > 1 or unaries else 0
        count = min(count, len(items))
        if count == 0 or (count == 1 and not unaries):
            continue
        if discontinuous:
            chosen = draw(st.lists(st.integers(0, len(items) - 1), min_size=count, max_size=count))
            picked = sorted(set(chosen))
            if len(picked) == 1 and not unaries:
                continue
        else:
            items.sort(key=lambda item: item if isinstance(item, int) else item.tokens[0])
            start = draw(st.integers(0, len(items) - count))
            picked = list(range(start, start + count))
        group = [items[i] for i in picked]
        items = [item for i, item in enumerate(items) if i not in picked]
        items.append(node(draw(label), group))
    root = node(ROOT, items)
    return root.replace(edge_label="", features=())


@st.composite
def placed(draw: st.DrawFn, tree: Tree) -> Tree:
    """Draw a raw text that the words of a tree may come from: it knows the text and its place."""
    start = draw(st.sampled_from([0, 0, 1, 1000]))
    sentence: list[Token] = []
    text = ""
    for token in tree.sentence:
        if sentence:
            text += draw(st.sampled_from([" ", "", "\n", " \t\u00a0"]))
        word = token.form if draw(st.booleans()) else draw(TEXT)  # treebanks spell some otherwise
        place = start + len(text)
        sentence.append(token._replace(start=place, end=place + len(word)))
        text += word
    return tree.replace(sentence=tuple(sentence), text=text)


@st.composite
def trees(
    draw: st.DrawFn,
    *,
    rich: bool = True,
    min_size: int = 0,
    max_size: int = 9,
    discontinuous: bool = True,
    unaries: bool = True,
    heads: bool | None = None,
    labels: list[str] | None = None,
    offsets: bool = True,
) -> Tree:
    """Draw a tree.

    A rich tree has awkward words and labels, edge labels, features, comments and secondary edges,
    and perhaps a place in a raw text; a plain one has only forms, tags and labels. `heads` marks
    every head (None: draw whether to); without `offsets` no tree has a place in a raw text.
    """
    size = draw(st.integers(min_size, max_size))
    sentence = [draw(tokens(rich)) for _ in range(size)]
    if heads is None:
        heads = rich and draw(st.booleans())
    root = draw(
        structures(
            size,
            rich=rich,
            discontinuous=discontinuous,
            unaries=unaries,
            heads=heads,
            labels=labels,
        )
    )
    if not rich:
        return Tree(sentence, root, id=str(draw(st.integers(1, 99))))
    tree = Tree(
        sentence,
        root,
        id=draw(st.sampled_from(["1", "17", "s3", "ss3", "cdb/12", "a b"]) | TEXT),
        comments=draw(st.lists(_mostly(["cdb/5723", "%%", "a  b"]), max_size=2)),
        features=draw(features("editor", "date", "origin")),
    )
    if offsets and draw(st.booleans()):
        tree = draw(placed(tree))
    vertices = size + len(tree.nodes)
    ends = st.integers(0, vertices - 1)
    edges = draw(
        st.lists(
            st.builds(SecondaryEdge, st.sampled_from(["SB", "OA", "--"]), ends, ends), max_size=3
        )
    )
    return tree.replace(secondary_edges=tuple(dict.fromkeys(edges)))


@st.composite
def scrambled_trees(draw: st.DrawFn, *, min_size: int = 1, max_size: int = 14) -> Tree:
    """Draw a plain tree with marked heads whose tokens are shuffled: nearly everything crosses."""
    tree = draw(trees(rich=False, min_size=min_size, max_size=max_size, heads=True))
    place = list(range(len(tree.sentence)))
    Random(draw(st.integers(0, 2**32))).shuffle(place)  # st.permutations stays near the identity
    built: dict[int, Node] = {}
    for node in tree.root.postorder():
        children = [place[c] if isinstance(c, int) else built[id(c)] for c in node.children]
        built[id(node)] = node.replace(children=children)
    return tree.replace(root=built[id(tree.root)])


@st.composite
def tree_pairs(
    draw: st.DrawFn, *, rich: bool = False, heads: bool = False
) -> tuple[Tree, Tree | None]:
    """Draw a tree and another one over the same words, with some other tags; sometimes none."""
    gold = draw(trees(rich=rich, heads=heads))
    kind = draw(st.sampled_from(["none", "same", "other", "other", "other"]))
    if kind == "none":
        return gold, None
    if kind == "same":
        return gold, gold
    sentence = [
        draw(tokens(rich))._replace(form=token.form) if draw(st.booleans()) else token
        for token in gold.sentence
    ]
    return gold, Tree(sentence, draw(structures(len(sentence), rich=rich, heads=heads)), id=gold.id)
