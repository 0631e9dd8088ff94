"""Trees over other tokens of the same text.

spaCy and the tokenizer of a model may split a text in different ways, for example *don't* or
*well-known*. A token of one side and a token of the other side belong together if they share a
character. Then:

- a constituent has the tokens whose characters are all in it;
- a token is directly below the lowest node that has all its characters;
- a token without any counterpart, such as white space, is directly below the lowest node that has
  the tokens before and after it;
- a node that would have no token is left out.

So a word that was cut by the other side stays in its place, piece by piece. A word that the parser
saw in several parts moves up to the node that has all of them. The result is always a tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crossbranch.tree import Node, Token, Tree


def over_tokens(tree: Tree, tokens: Sequence[Token]) -> Tree:
    """Return the tree over these tokens. Both sides know their offsets in the same text.

    The new tokens keep their forms and offsets. They get tags, lemmas and functions from the tree:
    the tags of several parts are joined with `+`, and the lemmas with a blank. The pieces of a word
    have its tag, but no lemma.
    """
    if _offsets_of(tree.sentence) == _offsets_of(tokens):
        same = zip(tree.sentence, tokens, strict=True)
        return tree.replace(sentence=[ours._replace(form=theirs.form) for ours, theirs in same])
    parts = _parts(tree.sentence, tokens)
    parents = _parents(tree, parts)
    cut = _cut(parts)
    sentence = [
        _completed(tree, token, part, parent, cut)
        for token, part, parent in zip(tokens, parts, parents, strict=True)
    ]
    return tree.replace(sentence=sentence, root=_root(tree, parts, parents), secondary_edges=())


def _offsets_of(tokens: Sequence[Token]) -> list[tuple[int | None, int | None]]:
    return [token[-2:] for token in tokens]


def _parts(ours: Sequence[Token], theirs: Sequence[Token]) -> list[list[int]]:
    """Return which of our tokens each of their tokens shares characters with."""
    found: list[list[int]] = []
    first = 0
    for token in theirs:
        start, end = _offsets(token)
        while first < len(ours) and _offsets(ours[first])[1] <= start:
            first += 1
        stop = first
        while stop < len(ours) and _offsets(ours[stop])[0] < end:
            stop += 1
        found.append(list(range(first, stop)))
    return found


def _offsets(token: Token) -> tuple[int, int]:
    assert token.start is not None
    assert token.end is not None
    return token.start, token.end


def _cut(parts: Iterable[list[int]]) -> set[int]:
    """Return which of our tokens are shared by several of their tokens."""
    seen: set[int] = set()
    return {part for found in parts for part in found if part in seen or seen.add(part)}  # type: ignore[func-returns-value]


def _parents(tree: Tree, parts: Sequence[list[int]]) -> list[int]:
    """Return the vertex above each of their tokens."""
    masks = [sum(1 << part for part in found) for found in parts]
    after = _next_masks(masks)
    found: list[int] = []
    before = 0
    for mask, next_mask in zip(masks, after, strict=True):
        if mask:
            before = mask
            found.append(_lowest(tree, mask))
        else:
            found.append(_lowest(tree, before | next_mask) if before and next_mask else _top(tree))
    return found


def _next_masks(masks: Sequence[int]) -> list[int]:
    """Return the next mask that is not empty, for each place."""
    found: list[int] = []
    later = 0
    for mask in reversed(masks):
        found.append(later)
        later = mask or later
    return found[::-1]


def _lowest(tree: Tree, mask: int) -> int:
    """Return the lowest node that has all these tokens, as a vertex."""
    count, parents = len(tree.sentence), tree.parents
    vertex = parents[(mask & -mask).bit_length() - 1]
    while tree.nodes[vertex - count].span & mask != mask:
        vertex = parents[vertex]
    return vertex


def _top(tree: Tree) -> int:
    return len(tree.sentence)


def _completed(tree: Tree, token: Token, part: list[int], parent: int, cut: set[int]) -> Token:
    if not part:
        return token
    ours = [tree.sentence[number] for number in part]
    tags = list(dict.fromkeys(one.tag for one in ours if one.tag))
    vertex = part[0]
    while tree.parents[vertex] != parent:  # what stands for the token below its new parent
        vertex = tree.parents[vertex]
    is_whole = not cut.intersection(part)
    return token._replace(
        tag="+".join(tags),
        lemma=" ".join(one.lemma for one in ours if one.lemma) if is_whole else "",
        morphology=ours[0].morphology if is_whole and len(ours) == 1 else "",
        features=ours[0].features if is_whole and len(ours) == 1 else (),
        edge_label=tree.vertex(vertex).edge_label,
    )


def _root(tree: Tree, parts: Sequence[list[int]], parents: Sequence[int]) -> Node:
    count = len(tree.sentence)
    tokens: dict[int, list[int]] = {}
    for number, parent in enumerate(parents):
        tokens.setdefault(parent, []).append(number)
    vertices = {id(node): vertex for vertex, node in enumerate(tree.nodes, count)}
    built: dict[int, Node | None] = {}
    for node in tree.root.postorder():
        below = [built.pop(id(child)) for child in node.children if isinstance(child, Node)]
        own = tokens.get(vertices[id(node)], [])
        children: list[Node | int] = [*(child for child in below if child is not None), *own]
        head = _head(node, below, own, parts)
        built[id(node)] = (
            Node(
                node.label,
                children,
                edge_label=node.edge_label,
                head=None if head is None else children.index(head),
                features=node.features,
            )
            if children or node is tree.root
            else None
        )
    root = built[id(tree.root)]
    assert root is not None
    return root


def _head(
    node: Node, below: Sequence[Node | None], own: Sequence[int], parts: Sequence[list[int]]
) -> Node | int | None:
    """Return the head among the new children: the old one, or the last token with a part of it."""
    if node.head is None:
        return None
    head = node.children[node.head]
    span = 1 << head if isinstance(head, int) else head.span
    if not isinstance(head, int):
        number = [child for child in node.children if not isinstance(child, int)].index(head)
        if (kept := below[number]) is not None:
            return kept
    return next((one for one in reversed(own) if any(span >> p & 1 for p in parts[one])), None)
