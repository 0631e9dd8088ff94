"""From a sampling grammar to a tree: expand the top symbol, order the blocks, build the nodes.

Sentences are never too long: each symbol knows the length of its shortest yield, and a rule is only
chosen if there is enough room for the shortest yields of all symbols that are not yet expanded.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from crossbranch.grammar.grammar import Grammar
from crossbranch.grammar.lexicon import Random, Word
from crossbranch.grammar.symbols import Edge, Rule, Style, Symbol
from crossbranch.tree import Node, SecondaryEdge, Token, Tree

Child = Node | int
_NO_WORD = Word("", "", "", "")


@dataclass(slots=True, eq=False)
class Expansion:
    """An expanded symbol: a word, or a rule with children (None if one is left out)."""

    symbol: Symbol
    edge_label: str
    rule: Rule | None = None
    word: Word = _NO_WORD
    children: list[Expansion | None] = field(default_factory=list)
    blocks: list[list[Expansion]] = field(default_factory=list)  # the words of each block
    vertices: list[Child] = field(default_factory=list)  # its nodes or tokens in the tree


def expand(grammar: Grammar, random: Random, max_length: int) -> list[Expansion]:
    """Expand the top symbol; return all expansions, parents before children."""
    order: list[Expansion] = []
    agenda = [Expansion(grammar.top, "")]
    slack = max_length - (grammar.top.least or 0)
    while agenda:
        item = agenda.pop()
        order.append(item)
        symbol = item.symbol
        rule = item.rule = symbol.choose(random, slack) if symbol.rules else None
        if rule is None:
            item.word = symbol.words.draw(random)
            item.blocks = [[item]]
            continue
        slack -= rule.least
        inherited = "" if symbol.is_shown else item.edge_label
        children = item.children
        for child, label, chance in zip(rule.children, rule.edge_labels, rule.chances, strict=True):
            if chance < 1:
                if random() >= chance or (child.least or 0) > slack:
                    children.append(None)
                    continue
                slack -= child.least or 0
            children.append(Expansion(child, label or inherited))
        agenda.extend([child for child in reversed(children) if child is not None])
    return order


def build_tree(order: list[Expansion], style: Style, id: str) -> Tree:
    """Return the tree of an expansion: symbols that are shown become nodes, words become tokens."""
    words = _absorb(_arrange(order), style)
    sentence, raised = _place_tokens(words, style)
    edges: list[tuple[Edge, Expansion]] = []
    for item in reversed(order):
        if item.rule is not None:
            found = [v for child in item.children if child is not None for v in child.vertices]
            if item is order[0]:
                found += raised
            if not item.symbol.is_shown:
                item.vertices = found
            elif found:  # empty if the only token of a phrase was an absorbed comma
                item.vertices = [Node(item.symbol.label, found, edge_label=item.edge_label)]
            edges += [(edge, item) for edge in item.rule.edges]
    tree = Tree(sentence, _root(order[0]), id=id)
    return tree.replace(secondary_edges=_find_edges(tree, edges)) if edges else tree


def _root(top: Expansion) -> Node:
    """Return the node of the top symbol, or the only node below it if it is not shown."""
    root = top.vertices[0]
    if len(top.vertices) == 1 and isinstance(root, Node):
        return root
    return Node(top.symbol.label, top.vertices)


def _arrange(order: list[Expansion]) -> list[Expansion]:
    """Return the words of the top symbol in the order of the sentence."""
    for item in reversed(order):
        if item.rule is not None:
            item.blocks = [_join(item.children, block) for block in item.rule.blocks]
    return order[0].blocks[0]


def _join(children: list[Expansion | None], places: list[tuple[int, int]]) -> list[Expansion]:
    words: list[Expansion] = []
    for child, block in places:
        expansion = children[child]
        if expansion is not None:
            words += expansion.blocks[block]
    return words


def _absorb(words: list[Expansion], style: Style) -> list[Expansion]:
    """Leave out words that are absorbed by the next word or by an end of the sentence."""
    kept: list[Expansion] = []
    next_form = ""  # of the word kept last, going from right to left
    for item in reversed(words):
        stronger = style.absorbed.get(item.word.form)
        if stronger is None or (kept and next_form not in stronger):
            kept.append(item)
            next_form = item.word.form
    while len(kept) > 1 and kept[-1].word.form in style.absorbed:
        kept.pop()
    return kept[::-1] or words[:1]


def _place_tokens(words: list[Expansion], style: Style) -> tuple[list[Token], list[Child]]:
    """Return the tokens of a sentence, and which of them are attached to the root."""
    sentence: list[Token] = []
    raised: list[Child] = []
    forms = _spell([item.word.form for item in words], style)
    for index, (item, form) in enumerate(zip(words, forms, strict=True)):
        _, tag, lemma, morphology = item.word
        if tag in style.raised:
            raised.append(index)
            sentence.append(Token(form, tag, lemma, morphology))
        else:
            item.vertices = [index]
            sentence.append(Token(form, tag, lemma, morphology, item.edge_label))
    return sentence, raised


def _spell(forms: list[str], style: Style) -> list[str]:
    for index, form in enumerate(forms[:-1]):
        if form in style.respelled:
            other, before = style.respelled[form]
            if forms[index + 1].lower().startswith(before):
                forms[index] = other
    if style.capitalize:
        for index, form in enumerate(forms):
            if form[:1].isalnum():
                forms[index] = form[0].upper() + form[1:]
                break
    return forms


def _find_edges(tree: Tree, edges: list[tuple[Edge, Expansion]]) -> list[SecondaryEdge]:
    """Return the secondary edges between the vertices of the rules' children."""
    number: dict[int, int] = {id(node): len(tree.sentence) + i for i, node in enumerate(tree.nodes)}
    found = []
    for edge, item in edges:
        child = _vertex(item.children[edge.child])
        parent = _vertex(item.children[edge.parent])
        if edge.below and child is not None:
            child = _child_with_label(tree, child, edge.below)
        if child is not None and isinstance(parent, Node):
            start = child if isinstance(child, int) else number[id(child)]
            found.append(SecondaryEdge(edge.label, start, number[id(parent)]))
    return sorted(found, key=lambda edge: (edge.child, edge.parent))


def _vertex(item: Expansion | None) -> Child | None:
    return item.vertices[0] if item is not None and item.vertices else None


def _child_with_label(tree: Tree, vertex: Child, label: str) -> Child | None:
    for child in vertex.children if isinstance(vertex, Node) else ():
        name = tree.sentence[child].edge_label if isinstance(child, int) else child.edge_label
        if name == label:
            return child
    return None
