"""The words of the query language: attributes, predicates and relations, with their meanings."""

from __future__ import annotations

TEXTS = {
    "category": "the label of a constituent, or the tag of a word",
    "label": "the label of a constituent",
    "tag": "the tag of a word",
    "word": "the word as the treebank writes it",
    "lemma": "the lemma of a word",
    "morphology": "the morphology of a word",
    "function": "the function in the node above",
    "text": "all words of a node, with blanks between them",
}
"""Attributes that are texts."""

OWN = {
    "label": "constituent",
    "tag": "word",
    "word": "word",
    "lemma": "word",
    "morphology": "word",
}
"""Attributes that only constituents or only words have."""

NUMBERS = {
    "length": "the number of words",
    "children": "the number of children",
    "depth": "the number of nodes above",
    "position": "the place of its first word in the sentence, from 1",
    "fan-out": "the number of blocks",
    "gap-length": "the number of words in its gaps",
    "confidence": "how sure the parser is of it, from 0 to 1",
    "tree-confidence": "how sure the parser is of the whole tree, from 0 to 1",
}
"""Attributes that are numbers."""

PREDICATES = {
    "constituent": "is a constituent",
    "token": "is a word",
    "root": "has no node above it",
    "first-child": "is the first child of the node above",
    "last-child": "is the last child of the node above",
    "only-child": "is the only child of the node above",
    "head": "is the head of the node above",
    "punctuation": "is a punctuation mark",
    "discontinuous": "has a gap",
    "ill-nested": "is ill-nested with some other node",
    "extraposed": "comes after the head of the node above and is separated from it by a gap",
    "fronted": "comes before the head of the node above and is separated from it by a gap",
}
"""What a node can be."""

RELATIONS = {
    ">": "has the child",
    "<": "is a child of",
    ">>": "has below it, at any depth",
    "<<": "is below, at any depth",
    "begins-with": "has below it, and begins with the same word",
    "begins": "is below, and begins with the same word",
    "ends-with": "has below it, and ends with the same word",
    "ends": "is below, and ends with the same word",
    "before": "ends before the other one begins",
    "after": "begins after the end of the other one",
    "right-before": "ends directly before the other one begins",
    "right-after": "begins directly after the end of the other one",
    "starts-before": "begins before the other one begins",
    "starts-after": "begins after the other one begins",
    "sibling-of": "is another child of the same node",
    "sibling-before": "is an earlier child of the same node",
    "sibling-after": "is a later child of the same node",
    "sibling-right-before": "is the child directly before the other one, in the same node",
    "sibling-right-after": "is the child directly after the other one, in the same node",
    "gap-contains": "has all words of the other one in its gaps",
    "in-gap-of": "has all its words in gaps of the other one",
    "ill-nested-with": "shares no word with the other one, and each has words in a gap of it",
    "~>": "has the secondary edge to",
    "<~": "is at the lower end of a secondary edge from",
    "=": "is the same node as",
    "!=": "is another node than",
}
"""How two nodes can be related: the first one ... the second one."""

INVERSES = {
    one: other
    for pair in (
        *((">", "<"), (">>", "<<"), ("begins-with", "begins"), ("ends-with", "ends")),
        *(("before", "after"), ("right-before", "right-after"), ("starts-before", "starts-after")),
        *(("sibling-of", "sibling-of"), ("sibling-before", "sibling-after")),
        ("sibling-right-before", "sibling-right-after"),
        *(("gap-contains", "in-gap-of"), ("ill-nested-with", "ill-nested-with")),
        *(("~>", "<~"), ("=", "="), ("!=", "!=")),
    )
    for one, other in (pair, pair[::-1])
}
"""The relation from the second node to the first."""

WITH_FUNCTIONS = (">", "<", "~>", "<~")
"""Relations that may name functions: >{SB}."""

WITH_STEPS = (">", "<", "before", "after")
"""Relations that may have a number of steps: >{2} or before{1,3}."""
