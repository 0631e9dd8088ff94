"""Settings of a labeller: everything except its weights and clusters.

A template is a list of columns of a child, as in `crossbranch.tagging.templates`; `tag-1` is the
function of the child before. These are the columns:

label            the label of the child, or the tag if it is a token
word, headtag    its head word, and the tag of that word; suffix, cluster, shortcluster: of the word
first, firsttag  its first word, and the tag of that word; lastword, lasttag: of its last word
second           the head word of its second part: of the node in it that ends last, but is not its
                 head, such as the noun phrase in a prepositional phrase; secondlabel, secondtag ...
left, right      the labels of its neighbours; leftword: the head word of the left one
place            how many children it is to the left or to the right of the head
order            its number among the children with its label
shape            its size, whether it has gaps, whether the sentence begins with it
parent ...       the same of the node above: parentword, parenttag, parentsecond, parentfunction ...
headlabel        the label of the head of the node above
grandparent      the label of the node above the parent
"""

from __future__ import annotations

import msgspec

from crossbranch import json_texts
from crossbranch.errors import InputError, UsageError
from crossbranch.tagging.templates import columns_of
from crossbranch.transforms.head_rules import parse_table

EMPTY = ""
"""The function of vertices that have none. Every labeller knows it."""

MOST_FUNCTIONS = 4096  # that the core can count

TEMPLATES: tuple[str, ...] = (
    *("label parent", "label parent grandparent", "label parent place", "label headlabel place"),
    *("label parent headlabel place", "word", "word parent", "word label parent place"),
    *("headtag label parent", "headtag parent parenttag place", "suffix label parent"),
    *("suffix label parent place", "first label parent", "first label parent place"),
    *("firsttag label parent", "firsttag headtag label parent place", "lasttag label parent"),
    *("lastword label parent", "second label parent", "second word label", "second parentword"),
    *("secondlabel label parent place", "secondlabel headtag label", "secondtag word label"),
    *("parentword label", "parentword label place", "parentword word", "parentword word label"),
    *("parentword first label", "parentword headtag label place", "parenttag label place"),
    *("parentsecond label place", "parentsecond label first", "parentsecond word"),
    *("parentsecondlabel label place parent", "parentsecondlabel parenttag label place"),
    *("parentfunction parent label", "parentfunction parent label place"),
    *("parentfunction grandparent parent label", "order label parent", "order label parent place"),
    *("order label parenttag", "order first label parent", "shape label parent"),
    *("shape label place parent", "shape label headtag", "left label parent", "right label parent"),
    *("left label right parent", "leftword label parent", "label-1 label label+1 parent"),
    *("label label+1 label+2 parent", "label-2 label-1 label parent", "first first+1 label"),
    *("tag-1", "tag-1 label parent", "tag-1 label place parent", "tag-1 word", "tag-1 headtag"),
    *("tag-1 parentword label", "tag-1 first label", "tag-1 label-1 label"),
    *("tag-1 parenttag label", "tag-1 order label parent", "tag-1 label label+1"),
    *("tag-2 tag-1", "tag-2 tag-1 label parent", "tag-2 tag-1 place label"),
)
"""The templates of labellers without clusters."""

CLUSTER_TEMPLATES: tuple[str, ...] = (
    *("cluster label parent", "shortcluster label parent place", "secondcluster label parent"),
    *("secondcluster word label", "parentcluster label place", "parentcluster shortcluster label"),
    *("parentcluster word label", "parentword cluster label", "tag-1 shortcluster label"),
)
"""Additional templates of labellers with clusters."""


class LabellerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a labeller knows besides its weights."""

    functions: tuple[str, ...]  # in the order of their numbers; the empty one is among them
    of_tokens: bool  # whether tokens have functions, or only nodes
    labels: tuple[str, ...]
    tags: tuple[str, ...]
    templates: tuple[str, ...]
    beam: int
    head_rules: str  # the text of the table
    clusters: bool  # whether the templates need a table of clusters

    def __post_init__(self) -> None:
        if not 1 <= len(self.functions) <= MOST_FUNCTIONS:
            raise UsageError(f"{len(self.functions):,} functions, expected 1 to {MOST_FUNCTIONS:,}")
        if EMPTY not in self.functions:
            raise UsageError("the functions lack the empty one")
        for names in (self.functions, self.labels, self.tags):
            if len(set(names)) != len(names):
                raise UsageError("a function, a label or a tag is listed twice")
        if not 1 <= self.beam <= 1024:
            raise UsageError(f"beam is {self.beam}, expected 1 to 1,024")

    def to_json(self) -> bytes:
        """Return the settings as JSON, one value per line."""
        return json_texts.encode(self, is_indented=True)

    @classmethod
    def from_json(cls, data: bytes, *, path: str = "") -> LabellerSettings:
        """Read what `to_json` wrote; errors name `path`."""
        try:
            settings = json_texts.decode(data, cls)
            columns_of(settings.templates)  # raises for a template that is none
            parse_table(settings.head_rules)  # raises for a rule that is none
            return settings
        except (ValueError, RecursionError, UsageError, InputError) as error:  # of JSON, and ours
            raise InputError(str(error), "the settings of a labeller", path=path) from None
