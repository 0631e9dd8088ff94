"""Every format through the same laws: what it holds survives, what it does not is counted."""

from __future__ import annotations

import io
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import trees

from crossbranch.errors import InputError, LossError, LossWarning
from crossbranch.tree import ROOT, Features, Node, Tree
from crossbranch.treebank import FORMATS, Format, read, write
from crossbranch.treebank.format import count_losses

FORMAT_NAMES = sorted(FORMATS)
quick = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)


def restrict(tree: Tree, format: Format) -> Tree:
    """Leave of a tree what the format can hold."""
    holds = format.holds

    def features(all_features: Features, names: frozenset[str] | None) -> Features:
        return tuple(pair for pair in all_features if names is None or pair[0] in names)

    def node(node: Node, children: list[Node | int]) -> Node:
        return Node(
            node.label,
            children,
            edge_label=node.edge_label if holds.edge_labels else "",
            head=node.head if holds.heads else None,
            features=features(node.features, holds.node_features),
        )

    sentence = [
        token._replace(
            tag=token.tag if holds.tags else "",
            lemma=token.lemma if holds.lemmas else "",
            morphology=token.morphology if holds.morphology else "",
            edge_label=token.edge_label if holds.edge_labels else "",
            features=features(token.features, holds.token_features),
            start=token.start if holds.offsets else None,
            end=token.end if holds.offsets else None,
        )
        for token in tree.sentence
    ]
    if holds.constituents:
        built: dict[int, Node] = {}
        for old in tree.root.postorder():
            built[id(old)] = node(
                old, [c if isinstance(c, int) else built[id(c)] for c in old.children]
            )
        root = built[id(tree.root)]
    else:
        root = Node(ROOT, range(len(sentence)))
    edges = [edge for edge in tree.secondary_edges if format.holds_edge(tree, edge)]
    return Tree(
        sentence,
        root,
        id=tree.id if holds.ids else "",
        secondary_edges=edges if holds.secondary_edges else [],
        comments=tree.comments if holds.comments else (),
        features=features(tree.features, holds.tree_features),
        text=tree.text if holds.offsets else "",
    )


def to_text(trees_: list[Tree], name: str) -> str:
    stream = io.StringIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LossWarning)
        write(trees_, stream, format=name)
    return stream.getvalue()


def comparable(tree: Tree, format: Format, number: int) -> Tree:
    """Formats number what has no id; the order of secondary edges means nothing."""
    id_ = (tree.id or str(number)) if format.holds.ids and format.name != "json" else tree.id
    edges = sorted(tree.secondary_edges)
    return tree.replace(id=id_ if format.holds.ids else "", secondary_edges=edges)


@pytest.mark.parametrize("name", FORMAT_NAMES)
@given(data=st.data())
@quick
def test_write_then_read_is_the_identity_on_what_the_format_holds(
    name: str, data: st.DataObject
) -> None:
    format = FORMATS[name]
    crossing = format.holds.crossing_branches
    written = data.draw(st.lists(trees(discontinuous=crossing), max_size=3))
    text = to_text(written, name)
    found = list(read(io.BytesIO(text.encode()), format=name))
    expected = [comparable(restrict(t, format), format, i) for i, t in enumerate(written, 1)]
    assert [comparable(t, format, i) for i, t in enumerate(found, 1)] == expected


@pytest.mark.parametrize("name", FORMAT_NAMES)
@given(data=st.data())
@quick
def test_losses_are_counted_exactly_when_something_is_lost(name: str, data: st.DataObject) -> None:
    format = FORMATS[name]
    tree = data.draw(trees(discontinuous=format.holds.crossing_branches))
    if tree.id == "1":  # what a reader that finds no ids would call it anyway
        tree = tree.replace(id="17")
    lost = count_losses(tree, format)
    assert bool(lost) == (restrict(tree, format) != tree)
    if lost:
        with pytest.raises(LossError):
            write([tree], io.StringIO(), format=name, strict=True)
    else:
        write([tree], io.StringIO(), format=name, strict=True)


@pytest.mark.parametrize("name", FORMAT_NAMES)
@given(data=st.data())
@quick
def test_other_encodings_lose_nothing(name: str, data: st.DataObject) -> None:
    format = FORMATS[name]
    tree = data.draw(trees(discontinuous=format.holds.crossing_branches))
    stream = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LossWarning)
        write([tree], stream, format=name, encoding="iso-8859-1")
    (found,) = read(io.BytesIO(stream.getvalue()), format=name, encoding="iso-8859-1")
    assert [token.form for token in found.sentence] == [token.form for token in tree.sentence]


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_the_format_is_guessed_from_the_content(name: str) -> None:
    text = to_text([example()], name)
    reader = read(io.BytesIO(text.encode()))
    assert [token.form for token in next(reader).sentence] == ["What", "should", "I", "do"]
    assert reader.format == name.removesuffix("3")


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_deep_trees_and_long_sentences(name: str) -> None:
    node: Node | int = 0
    for position in range(1, 1000):
        node = Node("S", [node, position])
    for _ in range(1500):
        node = Node("X", [node])
    tree = example().replace(
        sentence=tuple(example().sentence[0] for _ in range(1000)), root=Node(ROOT, [node])
    )
    (found,) = read(io.BytesIO(to_text([tree], name).encode()), format=name)
    assert restrict(found, FORMATS[name]).root == restrict(tree, FORMATS[name]).root


@pytest.mark.parametrize("name", FORMAT_NAMES)
@given(data=st.data())
@quick
def test_damaged_text_raises_nothing_but_input_errors(name: str, data: st.DataObject) -> None:
    format = FORMATS[name]
    written = data.draw(
        st.lists(trees(discontinuous=format.holds.crossing_branches), min_size=1, max_size=2)
    )
    raw = bytearray(to_text(written, name).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, max(len(raw) - 1, 0)))
        raw[place : place + data.draw(st.integers(0, 5))] = data.draw(
            st.binary(max_size=5)
            | st.sampled_from([b"(", b")", b"#", b"\t", b"\n", b"<", b"&", b"0"])
        )
    problems: list[InputError] = []
    for _ in read(io.BytesIO(bytes(raw)), format=name, on_error="skip", report=problems.append):
        pass
    if problems and all(problem.line for problem in problems):
        with pytest.raises(InputError):
            list(read(io.BytesIO(bytes(raw)), format=name))


def example() -> Tree:
    """A continuous tree, so that every format can write it."""
    from crossbranch.tree import Token

    words = ["What", "should", "I", "do"]
    tags = ["WP", "MD", "PRP", "VB"]
    sentence = [Token(word, tag) for word, tag in zip(words, tags, strict=True)]
    return Tree(
        sentence, Node(ROOT, [Node("SBARQ", [Node("WHNP", [0]), Node("SQ", [1, 2, 3])])]), id="1"
    )
