"""One sentence of Alpino XML. Its nodes are collected first, and connected at its end."""

from __future__ import annotations

from operator import itemgetter

from crossbranch.errors import InputError
from crossbranch.escape import Memo, unescape, unescaper
from crossbranch.tree import ROOT, Features, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank.xml_events import Sentences
from crossbranch.treebank.xml_text import instruction_parts

ABSENT = "--"
TOP = "top"
_IDS = frozenset({("alpino_ds", "id"), ("sentence", "sentid")})
_name = itemgetter(0)
_value = Memo(unescape)
_rel = Memo(unescaper(absent=ABSENT))
_rel_of_root = unescaper(absent=TOP)


class AlpinoSentence:
    """The `<node>` elements of one sentence in document order, with their parents or -1."""

    def __init__(self, reader: Sentences, attributes: dict[str, str], stem: str) -> None:
        self._reader = reader
        self._line = reader.line
        self._stem = stem
        self._id: str | None = None
        self.path = [-1]
        self.elements: list[dict[str, str]] = []
        self.parents: list[int] = []
        self.lines: list[int] = []
        self.comments: list[str] = []
        self._features: list[tuple[str, str]] = []
        self._extras: dict[int, list[tuple[str, str]]] = {}
        self._edges: list[tuple[str, str, int]] = []  # label, index of the child, parent
        self._empty: set[int] = set()  # the elements that are secondary edges
        self._built: dict[int, Node | int] = {}  # the nodes and words made from other elements
        self._wordless: list[str] = []  # elements without words, which are not in the tree
        attributes.pop("version", None)
        self.describe("alpino_ds", attributes)

    @property
    def id(self) -> str:
        """The id in the file, or else the name of the file."""
        return self._stem if self._id is None else self._id

    def describe(self, element: str, attributes: dict[str, str]) -> None:
        """Take the attributes of an element that is not a node: the first id, and features."""
        for name, value in attributes.items():
            if self._id is None and (element, name) in _IDS:
                self._id = _value[value]
            else:
                self.add_feature(f"{element}.{name}", value)

    def add_feature(self, name: str, value: str) -> None:
        """Add a feature of the tree."""
        self._features.append((unescape(name), unescape(value)))

    def instruction(self, data: str) -> None:
        """Take one of our processing instructions."""
        keyword = data.partition(" ")[0]
        if keyword == "feature":
            name, value = instruction_parts(data, 2)
            self._extras.setdefault(self.path[-1], []).append((name, value))
        elif keyword == "edge":
            index, label = instruction_parts(data, 2)
            self._edges.append((label, index, self.path[-1]))

    def error(self, found: str, expected: str, line: int) -> InputError:
        """Return an error that names this sentence."""
        return self._reader.source.error(found, expected, line=line, sentence=self.id)

    def _error_at(self, element: int, found: str, expected: str) -> InputError:
        line = self._reader.lines_before + self.lines[element]
        return self.error(found, expected, line)

    def tree(self) -> Tree:
        """Connect the nodes and return the tree."""
        if not self.elements:
            raise self.error("a sentence without nodes", "<node>", self._line)
        indices = self._take_indices()
        words = self._words_in_order()
        root = self._build({element: position for position, element in enumerate(words)})
        edges = self._secondary_edges(indices, root) if self._edges else []
        if self._wordless:
            self.add_feature("wordless", " ".join(self._wordless))
        return Tree(
            [self._token(element) for element in words],
            root,
            id=self.id,
            secondary_edges=edges,
            comments=self.comments,
            features=tuple(sorted(self._features, key=_name)),
        )

    def _take_indices(self) -> dict[str, int]:
        """Remove the indices. Return the element that each index refers to."""
        indices: dict[str, int] = {}
        for element, attributes in enumerate(self.elements):
            if "index" in attributes:
                index = attributes.pop("index")
                if "cat" not in attributes and "word" not in attributes:
                    rel = _rel[attributes.get("rel", ABSENT)]
                    self._edges.append((rel, index, self.parents[element]))
                    self._empty.add(element)
                elif indices.setdefault(index, element) != element:
                    found = f"index {index} a second time"
                    raise self._error_at(element, found, "each index on one node with words")
        return indices

    def _words_in_order(self) -> list[int]:
        """Return the elements that are words, in the order of the sentence."""
        places: dict[int, int] = {}
        for element, attributes in enumerate(self.elements):
            if "word" in attributes:
                try:
                    place = int(attributes["begin"])
                except (KeyError, ValueError):
                    found = f"a word with begin={attributes.get('begin', '')!r}"
                    raise self._error_at(
                        element, found, "the position of the word, a number"
                    ) from None
                if place in places:
                    raise self._error_at(element, f"a second word at position {place}", "one word")
                places[place] = element
        return [places[place] for place in sorted(places)]

    def _build(self, positions: dict[int, int]) -> Node:
        """Make the nodes, from the last element to the first, so that children come first."""
        built, parents = self._built, self.parents
        has_top = self.elements[0].get("cat") == TOP and parents.count(-1) == 1
        children: list[list[Node | int]] = [[] for _ in range(len(parents) + 1)]
        for element in range(len(parents) - 1, -1, -1):
            below = children[element]
            if element in positions:
                if below:
                    raise self._error_at(element, "a word with nodes inside", "cat instead of word")
                built[element] = positions[element]
            elif below and element not in self._empty:
                below.reverse()
                built[element] = self._node(element, below, is_root=has_top and element == 0)
            else:
                self._check_empty(element, below)
                continue
            children[parents[element]].append(built[element])  # the last list is for the root
        if has_top and not built:  # the empty sentence
            built[0] = self._node(0, [], is_root=True)
            children[-1] = [built[0]]
        children[-1].reverse()
        top = children[-1][0] if has_top else Node(ROOT, children[-1])
        assert isinstance(top, Node)
        return top

    def _check_empty(self, element: int, below: list[Node | int]) -> None:
        """Check a node without words. It is a secondary edge, or it is left out of the tree."""
        attributes = self.elements[element]
        if element in self._empty:
            if below:
                raise self._error_at(
                    element, "words inside a node that is only an index", "a node with cat"
                )
        elif "cat" not in attributes:
            raise self._error_at(element, "a node without cat, word or index", "one of them")
        elif self.parents[element] != -1:
            self._wordless.append(f"{attributes['cat']}/{attributes.get('rel', ABSENT)}")

    def _node(self, element: int, children: list[Node | int], *, is_root: bool) -> Node:
        attributes = self.elements[element]
        label = attributes.pop("cat", "")
        rel = attributes.pop("rel", TOP if is_root else ABSENT)
        return Node(
            ROOT if is_root else _value[label],
            children,
            edge_label=_rel_of_root(rel) if is_root else _rel[rel],
            features=self._features_of(element, attributes),
        )

    def _token(self, element: int) -> Token:
        """Read the analysis in its newer form (pt, postag, lemma) or its older one (pos, root)."""
        attributes = self.elements[element]
        pop = attributes.pop
        return Token(
            _value[pop("word")],
            _value[pop("pt") if "pt" in attributes else pop("pos", "")],
            _value[pop("lemma") if "lemma" in attributes else pop("root", "")],
            _value[pop("postag", "")],
            _rel[pop("rel", ABSENT)],
            self._features_of(element, attributes),
        )

    def _features_of(self, element: int, attributes: dict[str, str]) -> Features:
        """Return the other attributes as features, without positions and ids."""
        attributes.pop("begin", None)
        attributes.pop("end", None)
        attributes.pop("id", None)
        if not attributes and not self._extras:
            return ()
        pairs = [(name, _value[value]) for name, value in attributes.items()]
        pairs += self._extras.get(element, ())
        pairs.sort(key=_name)  # values keep their order
        return tuple(pairs)

    def _secondary_edges(self, indices: dict[str, int], root: Node) -> list[SecondaryEdge]:
        built = self._built
        numbers = {id(node): k for k, node in enumerate(root.preorder(), root.span.bit_length())}

        def vertex(element: int) -> int:
            item = built.get(element, root)
            return item if isinstance(item, int) else numbers[id(item)]

        edges = []
        for label, index, parent in self._edges:
            if index not in indices:
                raise self._error_at(max(parent, 0), f"index {index!r}", "the index of a node")
            child = indices[index]
            while parent not in built and parent >= 0:
                parent = self.parents[parent]
            if child in built:
                edges.append(SecondaryEdge(label, vertex(child), vertex(parent)))
            else:
                self._wordless.append(f"/{label}")
        edges.sort(key=lambda edge: (edge.child, edge.parent))
        return edges
