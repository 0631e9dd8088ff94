"""The items of a chart or an agenda, each with its partial tree, in the order of the search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp

from crossbranch.derivations.forests import UNNAMED, vertices_of
from crossbranch.derivations.shows import Choice, Frame, Item, Part, Show, Wording
from crossbranch.doors import door
from crossbranch.search import FoundItem, ItemTrace
from crossbranch.tree import ROOT, Node, Sentence, Tree

_KINDS = {
    "focus": "this item",
    "aside": "the items that it is made of",
    "stack": "the best tree so far",
}
_COLUMNS = ("Item", "Made of", "Best tree so far", "Item")


@door
def show_items(trace: ItemTrace, sentence: Sentence, *, id: str = "") -> Show:
    """Return the items of a search, with a frame for each item that is shown.

    Args:
        trace: The items.
        sentence: The sentence.
        id: Its id.
    """
    wording = Wording(
        unit="items",
        about=trace.method,
        columns=_COLUMNS,
        choice=trace.rivals.capitalize(),
        option=trace.rival,
        end="",
        kinds=_KINDS,
        glossary=trace.glossary,
        labels={},
        measures=trace.measures,
    )
    found = tuple(_Shower(trace, sentence, id).frames())
    return Show(id, sentence, found, trace.total, wording, trace.score, trace.has_probabilities)


class _Shower:
    """Makes the frames of one search."""

    def __init__(self, trace: ItemTrace, sentence: Sentence, id: str) -> None:
        self._trace = trace
        self._sentence = sentence
        self._id = id
        self._items = {item.number: item for item in trace.items}
        self._built: dict[int, list[Node | int]] = {}
        for item in trace.items:
            self._built[item.number] = self._nodes(item)

    def _nodes(self, item: FoundItem) -> list[Node | int]:
        """The partial tree of an item. Without a label, it is several trees."""
        below: list[Node | int] = [part for child in item.children for part in self._built[child]]
        if not item.children:
            below = [item.blocks[0][0]]
        for label in reversed(item.labels):
            below = [Node(label, below)]
        return below

    def frames(self) -> Iterator[Frame]:
        """Yield a frame for the start, and one for each item that is shown."""
        yield self._frame(0, "", self._start(), None, ())
        so_far: list[int] = []  # the largest items of the best tree
        last = 0
        for item in self._trace.shown:
            if item.in_tree:
                so_far = [one for one in so_far if one not in item.children] + [item.number]
                so_far.sort(key=lambda one: self._items[one].blocks)
            told = " ".join([*self._sentences(item), *self._skipped(item.number - last - 1)])
            last = item.number
            yield self._frame(item.number, item.text, told, item, so_far)

    def _frame(
        self, number: int, name: str, told: str, item: FoundItem | None, so_far: Sequence[int]
    ) -> Frame:
        beside = [one for one in so_far if item is None or self._is_apart(one, item)]
        shown = [] if item is None else [item.number]
        tree, tops = self._forest([*shown, *beside])
        at = {id(node): vertex for vertex, node in zip(_vertices(tree), tree.nodes, strict=True)}

        def listed(numbers: Sequence[int], kind: str) -> tuple[Item, ...]:
            found = []
            for one in numbers:
                parts = self._built[one]
                vertex = tops.get(one, -1)
                if vertex < 0 and len(parts) == 1:
                    only = parts[0]
                    vertex = only if isinstance(only, int) else at.get(id(only), -1)
                found.append(Item(self._items[one].text, kind, vertex))
            return tuple(found)

        parts = (
            Part("Item", _KINDS["focus"], listed(shown, "focus")),
            Part("Made of", _KINDS["aside"], listed(item.children if item else (), "aside")),
            Part("Best tree so far", _KINDS["stack"], listed(so_far, "stack")),
        )
        if item is None:
            return Frame(number, name, told, (), tree, (), (), 0)
        choices = self._choices(item)
        return Frame(
            *(number, name, told, parts, tree, choices, (), len(choices)),
            words=self._words(item),
            rule=item.rule,
            in_tree=item.in_tree,
        )

    def _is_apart(self, number: int, item: FoundItem) -> bool:
        """Whether an item has no word of another one."""
        return not any(
            start < other_stop and other_start < stop
            for start, stop in self._items[number].blocks
            for other_start, other_stop in item.blocks
        )

    def _forest(self, numbers: Sequence[int]) -> tuple[Tree, dict[int, int]]:
        """The partial trees of items and all other words, and the vertex of each item."""
        tops: list[Node | int] = []
        for number in numbers:
            parts = self._built[number]
            tops.append(parts[0] if len(parts) == 1 else Node(UNNAMED, parts))
        known = {
            token
            for number in numbers
            for start, stop in self._items[number].blocks
            for token in range(start, stop)
        }
        words = [token for token in range(len(self._sentence)) if token not in known]
        tree = Tree(self._sentence, Node(ROOT, [*tops, *words]), id=self._id)
        return tree, dict(zip(numbers, vertices_of(tree, tops), strict=True))

    def _choices(self, item: FoundItem) -> tuple[Choice, ...]:
        """The item and its rivals, the best one first."""
        own = [(item.way or item.text, item.score, True)]
        pairs = [*own, *((one.name, one.score, False) for one in item.rivals)]
        pairs.sort(key=lambda one: -one[1])
        has_probabilities = self._trace.has_probabilities
        return tuple(
            Choice(name, is_own, score, exp(score) if has_probabilities else None)
            for name, score, is_own in pairs
        )

    def _start(self) -> str:
        total, shown = self._trace.total, self._trace.shown
        tree = sum(item.in_tree for item in shown)
        told = f"The search finds {total:,} items. The best tree consists of {tree:,} of them (★)."
        if len(shown) == total:
            return f"{told} All are shown."
        others = len(shown) - tree
        rest = total - len(shown)
        return f"{told} They and {others:,} others are shown; {rest:,} items are not shown."

    def _sentences(self, item: FoundItem) -> Iterator[str]:
        """Say what an item is, and how it is made."""
        children = [self._quoted(self._items[child]) for child in item.children]
        if not children:
            name = f"can be {item.name}" if item.name else "has no label"
            yield f"The word “{self._words(item)}” {name}."
        elif len(children) == 1:
            yield f"The rule {item.rule} makes {item.text} of {children[0]}."
        else:
            yield f"The rule {item.rule} joins {children[0]} and {children[1]}."
        yield from item.notes
        yield "The best tree has this item." if item.in_tree else "The best tree does not have it."

    def _skipped(self, count: int) -> list[str]:
        if count <= 0:
            return []
        items = "1 item" if count == 1 else f"{count:,} items"
        return [f"({items} before it {'is' if count == 1 else 'are'} not shown.)"]

    def _quoted(self, item: FoundItem) -> str:
        return f"{item.name} “{self._words(item)}”".lstrip()

    def _words(self, item: FoundItem) -> str:
        """The words of an item; dots are a gap."""
        blocks: list[list[int]] = []
        for start, stop in item.blocks:
            if blocks and blocks[-1][1] == start:
                blocks[-1][1] = stop
            else:
                blocks.append([start, stop])
        texts = [
            " ".join(token.form for token in self._sentence[start:stop]) for start, stop in blocks
        ]
        return " … ".join(texts)


def _vertices(tree: Tree) -> range:
    """The vertices of the nodes of a tree."""
    return range(len(tree.sentence), len(tree.sentence) + len(tree.nodes))
