"""The C++ core of crossbranch: what must be fast."""

from collections.abc import Sequence


def optimal_binarization(children_blocks: Sequence[Sequence[tuple[int, int]]], subset_limit: int = 2048) -> tuple[list[tuple[int, int]], bool]:
    """
    Binarize one node so that the items in between have low fan-out.

    Args:
        children_blocks: The blocks (start, stop) of each child, half-open.
        subset_limit: How many subsets of the children an exact search may keep.

    Returns:
        The merges and whether they are optimal. Children are items 0 .. k-1, and merge m joins two
        items, the one with the first token first, into item k + m. The merges minimise the largest
        fan-out of an intermediate item, then the sum of these fan-outs; beyond the limit, neighbours
        with the lowest fan-out are merged.

    Raises:
        ValueError: A child has no tokens, or two children share one.
    """

def parse_discbracket(text: str) -> tuple[list[str], list[int], list[int], list[str], list[str]] | None:
    """
    Take a tree in disco-dop's brackets apart.

    Returns the labels of the nodes in postorder, how many children each has, all children one after the
    other (a token is its index, the k-th node is ~k), and the tags and words of the tokens. Nothing is
    unescaped. Returns None for whatever is not plain: brackets that do not fit, words without an index
    from 0 on, an index that is missing or there twice, empty labels, and a single tagged word.
    """

def bootstrap(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]], rounds: int, seed: int) -> tuple[list[float], list[float]]:
    """
    Draw sentences with replacement, the same for two parsers, and score both.

    Args:
        one: For each sentence, the brackets of the gold and the predicted tree together, and how many
            of the predicted ones are right.
        other: The same for the other parser.
        rounds: How often to draw as many sentences as there are.
        seed: The same seed gives the same figures on every platform.

    Returns:
        The F1 of each parser in each round.

    Raises:
        ValueError: The parsers differ in their number of sentences, or a number cannot be.
    """

def randomization(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]], rounds: int, seed: int) -> tuple[list[float], list[float]]:
    """
    Exchange two parsers' results on about half of the sentences, and score both.

    Arguments, result and errors are those of `bootstrap`.
    """

def tree_distance(labels: Sequence[int], leftmost: Sequence[int], other_labels: Sequence[int], other_leftmost: Sequence[int]) -> int:
    """
    Return the edit distance between two ordered, labelled trees (Zhang & Shasha 1989).

    Trees are given in postorder: for each vertex its label, as a number, and the first vertex in its
    subtree. The last vertex is the root.

    Raises:
        ValueError: A tree is no tree in postorder; the message names the vertex.
    """

class TreeShape:
    """
    A tree without its labels, and what loops over all of its nodes.

    Vertices 0 .. n-1 are the tokens, vertex n is the root, and the other nodes follow in any order.
    Node k is vertex n + k; results are in the order of the nodes, and the root is node 0.
    """

    def __init__(self, token_count: int, parents: Sequence[int]) -> None:
        """
        Check the tree and find the blocks of all nodes.

        Args:
            token_count: The number of tokens, n.
            parents: For each vertex the vertex above it; -1 for the root.

        Raises:
            ValueError: This is no tree with tokens below every node; the message names the vertex.
        """

    @property
    def token_count(self) -> int:
        """The number of tokens."""

    @property
    def node_count(self) -> int:
        """The number of nodes."""

    def blocks(self, node: int) -> list[tuple[int, int]]:
        """Return the blocks (start, stop) of a node from left to right."""

    def spans(self) -> list[int]:
        """
        Return the spans of all nodes: bit i is set when token i is in the span.
        """

    def fan_outs(self, ignored: Sequence[int] = ()) -> list[int]:
        """
        Return the fan-outs of all nodes once the ignored tokens are deleted.

        A gap made only of ignored tokens is no gap; a node with no other tokens has fan-out 0.
        """

    def ill_nested_pairs(self, ignored: Sequence[int] = ()) -> list[tuple[int, int]]:
        """
        Return the pairs of disjoint nodes that each have tokens in a gap of the other.

        The ignored tokens are deleted first. In each pair the lower node comes first.
        """

    def is_ill_nested(self, ignored: Sequence[int] = ()) -> bool:
        """Say whether there is such a pair, once the ignored tokens are deleted."""
