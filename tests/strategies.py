"""Random discontinuous trees: the one strategy that every property test draws from."""

from __future__ import annotations

from functools import cache
from random import Random

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from crossbranch.tree import ROOT, Features, Node, SecondaryEdge, Token, Tree

AWKWARD_WORDS = (
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
)
"""Words that break naive writers; formats must keep every one of them."""

LABELS = ("S", "NP", "VP", "NP-SBJ", "ROOT", "VROOT", "@S", "S:", "A+B", "X|Y", "--", "", "(", "é")
TAGS = ("NN", "$(", "$,", "-NONE-", "--", "", "a b", "LET()", "V/N", ",")
EDGE_LABELS = ("", "HD", "SB", "--", "obj1", "x y")

# No lone surrogates and no control characters: no text format can hold those.
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=6)
TRUTH_VALUES = st.booleans()

# To make a strategy takes longer than to draw from it, so those that many draws need are made once.


@cache
def _one_of(*common: str) -> SearchStrategy[str]:
    return st.sampled_from(common)


@cache
def _mostly(*common: str) -> SearchStrategy[str]:
    return _one_of(*common) | TEXT


@cache
def features(*names: str) -> SearchStrategy[Features]:
    """Draw features with some of these names."""
    values = st.dictionaries(_one_of(*names), _mostly("1", "a b", "--"), max_size=2)
    return values.map(lambda pairs: tuple(sorted(pairs.items())))


@cache
def _numbers(most: int) -> SearchStrategy[int]:
    return st.integers(0, most)


@cache
def _some_numbers(most: int, count: int) -> SearchStrategy[list[int]]:
    return st.lists(_numbers(most), min_size=count, max_size=count)


@cache
def _edges(most: int) -> SearchStrategy[list[SecondaryEdge]]:
    ends = _numbers(most)
    return st.lists(st.builds(SecondaryEdge, _one_of("SB", "OA", "--"), ends, ends), max_size=3)


NUMBERS_OF_TREES = st.integers(1, 99)
COMMENTS = st.lists(_mostly("cdb/5723", "%%", "a  b"), max_size=2)


@st.composite
def tokens(draw: st.DrawFn, rich: bool = True) -> Token:
    """Draw a token; a plain one has only a form and a tag."""
    if not rich:
        return Token(draw(_one_of("a", "b", "c", "d")), draw(_one_of("X", "Y", "Z")))
    return Token(
        draw(_mostly(*AWKWARD_WORDS)),
        draw(_mostly(*TAGS)),
        draw(_mostly("", "lemma", "--")),
        draw(_mostly("", "Nom.Sg", "--")),
        draw(_mostly(*EDGE_LABELS)),
        draw(features("comment", "genus", "postag")) if draw(TRUTH_VALUES) else (),
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
    label = _mostly(*LABELS) if rich else _one_of(*(labels or ("S", "NP", "VP", "PP")))

    def node(name: str, children: list[Node | int]) -> Node:
        return Node(
            name,
            children,
            edge_label=draw(_mostly(*EDGE_LABELS)) if rich else "",
            head=draw(_numbers(len(children) - 1)) if children and heads else None,
            features=draw(features("comment", "index")) if rich and draw(TRUTH_VALUES) else (),
        )

    items: list[Node | int] = list(range(size))
    for _ in range(draw(_numbers(size + 2))):
        if not items:
            break
        most = 4 if len(items) > 1 else 1
        count = draw(st.integers(1 if unaries else 2, most)) if most > 1 or unaries else 0
        count = min(count, len(items))
        if count == 0 or (count == 1 and not unaries):
            continue
        if discontinuous:
            picked = sorted(set(draw(_some_numbers(len(items) - 1, count))))
            if len(picked) == 1 and not unaries:
                continue
        else:
            items.sort(key=lambda item: item if isinstance(item, int) else item.tokens[0])
            start = draw(_numbers(len(items) - count))
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
            text += draw(_one_of(" ", "", "\n", " \t\u00a0"))
        word = token.form if draw(TRUTH_VALUES) else draw(TEXT)  # treebanks spell some otherwise
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
    token = tokens(rich)
    sentence = [draw(token) for _ in range(size)]
    if heads is None:
        heads = rich and draw(TRUTH_VALUES)
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
        return Tree(sentence, root, id=str(draw(NUMBERS_OF_TREES)))
    tree = Tree(
        sentence,
        root,
        id=draw(_mostly("1", "17", "s3", "ss3", "cdb/12", "a b")),
        comments=draw(COMMENTS),
        features=draw(features("editor", "date", "origin")),
    )
    if offsets and draw(TRUTH_VALUES):
        tree = draw(placed(tree))
    edges = draw(_edges(size + len(tree.nodes) - 1))
    return tree.replace(secondary_edges=tuple(dict.fromkeys(edges)))


@st.composite
def scrambled_trees(draw: st.DrawFn, *, min_size: int = 1, max_size: int = 14) -> Tree:
    """Draw a plain tree with marked heads whose tokens are shuffled: nearly everything crosses."""
    tree = draw(trees(rich=False, min_size=min_size, max_size=max_size, heads=True))
    place = list(range(len(tree.sentence)))
    Random(draw(_numbers(2**32))).shuffle(place)  # st.permutations stays near the identity
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
    kind = draw(_one_of("none", "same", "other", "other", "other"))
    if kind == "none":
        return gold, None
    if kind == "same":
        return gold, gold
    sentence = [
        draw(tokens(rich))._replace(form=token.form) if draw(TRUTH_VALUES) else token
        for token in gold.sentence
    ]
    return gold, Tree(sentence, draw(structures(len(sentence), rich=rich, heads=heads)), id=gold.id)


# --- odd trees: everything that the types admit, however strange

SYNTAX = (
    *(
        "--",
        "_",
        "$(",
        "#500",
        "#500000000",
        "#BOS",
        "#BOS 1",
        "#EOS",
        "#FORMAT 3",
        "%%",
        "%% a",
        "%",
    ),
    *("&#x20;", "&#x;", "&#xd800;", "&#x110000;", "&#x26;#x20;", "&amp;", "&", "&#13;"),
    *("ROOT", "VROOT", "top", "ID", "1", "2", "17", "s1", "s17", "ss3", "0", "_x002F_", "_xD800_"),
    *("-NONE-", "*T*-1", "*x*", "/*", "*/", "*~/", "<P_12>", "{COM:a}", "a-b", "-", "a-", "-a"),
    *("sent_id = 7", "text = a", "newpar", "newdoc id = a", "a=b", "A=b|C=d", "A=b|A=c", "a|b"),
    *("1=a", "0=(", "#LRB#", "(", ")", "()", "[", "]", "a/b", "/", "?>", "-->", "]]>", "<s>", '"'),
    *("xml", "xmlns", "id", "word", "two words", " a", "a ", " ", "  ", "a\tb", "a\nb", "a\r\nb"),
    *("\r", "\n", "\t", "\x00", "\x01", "\x0b", "\x0c", "\x1c", "\x1e", "\x1f", "\x7f", "\x85"),
    *("\xa0", "\u2028", "\u2029", "\u200b", "\ufeff", "\ufeffa", "\ufffe", "\uffff", "\ufffd"),
    *("\ud800", "\udc80", "\ud83d\ude00", "\N{GRINNING FACE}", "é", "e\u0301", "\u1680", "\u3000"),
)
"""Texts that look like the syntax of some format, and characters that end lines or words."""

FEATURE_NAMES = (
    *("comment", "id", "lemma", "morphology", "editor", "date", "origin", "upos", "head", "deprel"),
    *("pos", "root", "pt", "postag", "index", "rel", "cat", "begin", "end", "word", "label"),
    *("discontinuous", "xmlns:a", "a b", "sentence.sentid", "alpino_ds.id", "wordless", "version"),
)
_ODD_CHARACTERS = st.sampled_from(
    "\0\t\n\r\x0b\x1c\x85\xa0\u2028\ufeff\uffff\ud800 &#x;2()[]{}<>/\\|=:,+-_%\"'*~$?!.01s"
) | st.characters(exclude_categories=())
ODD_TEXTS = st.sampled_from(SYNTAX) | st.text(_ODD_CHARACTERS, max_size=4)
_ODD_OFFSETS = st.none() | st.integers(0, 9) | st.integers(0, 2**40)


@st.composite
def odd_trees(draw: st.DrawFn, *, max_size: int = 4, discontinuous: bool = True) -> Tree:
    """Draw a tree with any text in every field, and any features, edges, offsets and heads.

    Features are sorted by name, as everywhere; a name may have several values.
    """
    plain = draw(
        trees(rich=False, max_size=max_size, discontinuous=discontinuous, heads=draw(TRUTH_VALUES))
    )
    pool = draw(st.lists(ODD_TEXTS, min_size=1, max_size=6))
    texts = st.sampled_from([*pool, "", "", ""])
    names = st.sampled_from([*FEATURE_NAMES, *pool])
    pairs = st.lists(st.tuples(names, texts), max_size=3)

    def odd_features() -> Features:
        if not draw(TRUTH_VALUES):
            return ()
        return tuple(sorted(draw(pairs), key=lambda pair: pair[0]))

    has_offsets = draw(TRUTH_VALUES)
    sentence = [
        Token(
            draw(texts),
            draw(texts),
            draw(texts),
            draw(texts),
            draw(texts),
            odd_features(),
            draw(_ODD_OFFSETS) if has_offsets else None,
            draw(_ODD_OFFSETS) if has_offsets else None,
        )
        for _ in plain.sentence
    ]
    labels = texts | st.sampled_from(["ROOT", "S", "NP"])
    built: dict[int, Node] = {}
    for node in plain.root.postorder():
        is_plain_root = node is plain.root and draw(TRUTH_VALUES)
        built[id(node)] = Node(
            ROOT if is_plain_root else draw(labels),
            [c if isinstance(c, int) else built[id(c)] for c in node.children],
            edge_label="" if is_plain_root else draw(texts),
            head=node.head if node.head is None or draw(TRUTH_VALUES) else None,
            features=() if is_plain_root else odd_features(),
        )
    ends = _numbers(len(sentence) + len(plain.nodes) - 1)
    edges = st.lists(st.builds(SecondaryEdge, texts, ends, ends), max_size=3)
    return Tree(
        sentence,
        built[id(plain.root)],
        id=draw(texts),
        secondary_edges=draw(edges) if draw(TRUTH_VALUES) else (),
        comments=draw(st.lists(texts, max_size=3)),
        features=odd_features(),
        text=draw(texts) if draw(TRUTH_VALUES) else "",
    )
