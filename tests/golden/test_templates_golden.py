"""The feature sets of the papers, as their tables print them, against the files that ship.

GAP: Table 2 of Coavoux & Crabbé (2017). SWAP: Figures 3 and 4 of Maier (2015), where the second row
of Figure 4 is read as `xtc` throughout.
"""

from __future__ import annotations

import re
from collections import Counter
from hashlib import sha256

import pytest

from crossbranch.features import feature_sets, load

# One cell of a table each. An index of a node stands in brackets: w[l] is the word on the left
# index, w[lo] the word to the left of it.
TABLES: dict[tuple[str, str], str] = {
    ("gap", "baseline"): """
        b0tw     b1tw     b2tw     b3tw     d0tc
        d0wc     s0tc     s0wc     s1tc     s1wc
        s2tc     s2wc     s0lwc    s0rwc    d0lwc
        d0rwc    s0wd0w   s0wd0c   s0cd0w   s0cd0c
        b0wd0w   b0td0w   b0wd0c   b0td0c   b0ws0w
        b0ts0w   b0ws0c   b0ts0c   b0wb1w   b0wb1t
        b0tb1w   b0tb1t   s0cs1wd0c  s0cs1cd0c  b0ws0cd0c
        b0ts0cd0c  b0ws0wd0c  b0ts0wd0c  s0cs1cd0w  b0ts0cd0w
    """,
    ("gap", "extended"): """
        s3tc  s3wc  s1lwc  s1rwc  d1tc
        d1wc  d2tc  d2wc   s0cs1cd0c  s2cs0cs1cd0c
        s0cd1cd0c   s0cd1cs1cd0c
    """,
    ("gap", "spans"): """
        d0cw[l]w[r]     s0cw[l]w[r]      d0cw[l]s0w[r]  d0cw[r]s0w[l]  d0w[l]w[r]b0w
        d0w[l]w[r]b1w   d0cw[r]s0w[lo]   d0ct[l]w[r]    d0cw[l]t[r]    d0ct[l]t[r]
        s0ct[l]w[r]     s0cw[l]t[r]      s0ct[l]t[r]    d0ct[l]s0w[r]  d0cw[l]s0t[r]
        d0ct[l]s0t[r]   d0ct[r]s0w[l]    d0cw[r]s0t[l]  d0ct[r]s0t[l]  d0w[l]w[r]b0t
        d0w[l]w[r]b1t   d0cw[lo]         d0ct[lo]       s0cw[ro]       s0ct[ro]
    """,
    ("swap", "baseline"): """
        s0tc s0wc s1tc s1wc s2tc s2wc s3tc s3wc
        q0wt q1wt q2wt q3wt
        s0lwc s0rwc s0uwc s1lwc s1rwc s1uwc
        s0ws1w s0ws1c s0cs1w s0cs1c s0wq0w s0wq0t
        s0cq0w s0cq0t s1wq0w s1wq0t s1cq0w s1cq0t
        q0wq1w q0wq1t q0tq1w q0tq1t
        s0cs1cs2w s0cs1cs2c s0cs1cq0w s0cs1cq0t
        s0cs1wq0w s0cs1wq0t s0ws1cs2c s0ws1cq0t
    """,
    ("swap", "extended"): """
        s0llwc s0lrwc s0luwc s0rlwc s0rrwc
        s0ruwc s0ulwc s0urwc s0uuwc s1llwc
        s1lrwc s1luwc s1rlwc s1rrwc s1ruwc
    """,
    ("swap", "separator"): """
        s0wp s0wcp s0wq s0wcq s0cs1cp s0cs1cq
        s1wp s1wcp s1wq s1wcq
    """,
    ("swap", "disco"): """
        s0xwc s1xwc s2xwc s3xwc
        s0xtc s1xtc s2xtc s3xtc
        s0xy s1xy s2xy s3xy
        s0xs1c s0xs1w s0xs1x s0ws1x s0cs1x
        s0xs2c s0xs2w s0xs2x s0ws2x s0cs2x
        s0ys1y s0ys2y s0xq0t s0xq0w
    """,
}
COUNTS = {
    ("gap", "baseline"): 40,
    ("gap", "extended"): 12,
    ("gap", "spans"): 25,
    ("swap", "baseline"): 42,
    ("swap", "extended"): 15,
    ("swap", "separator"): 10,
    ("swap", "disco"): 26,
}
LETTERS = {"w": "word", "t": "tag", "c": "label", "x": "gap_type", "y": "gap_length"}
PAIRS = {"p": "s0:s1.separator", "q": "s0:s1.separator_count"}
CHILDREN = {"l": "left.", "r": "right.", "u": "unary."}
INDICES = {"": "", "l": "first.", "r": "last.", "lo": "before.", "ro": "after."}
SYMBOL = re.compile(r"([sdbq]\d)|([lru])|([wtcxypq])(?:\[(\w+)\])?")


def expand(cell: str) -> frozenset[str]:
    """`s0lwc` is the set of `s0.left.word` and `s0.left.label`."""
    atoms = []
    place = ""
    for item, child, letter, index in SYMBOL.findall(cell):
        if item:
            place = f"{item}."
        elif child:
            place += CHILDREN[child]
        elif letter in PAIRS:
            atoms.append(PAIRS[letter])
        else:
            atoms.append(f"{place}{INDICES[index]}{LETTERS[letter]}")
    assert len(set(atoms)) == len(atoms), cell
    return frozenset(atoms)


def test_cells_are_expanded() -> None:
    assert expand("d0cw[r]s0w[lo]") == {"d0.label", "d0.last.word", "s0.before.word"}
    assert expand("s0luwc") == {"s0.left.unary.word", "s0.left.unary.label"}
    assert expand("s0wcq") == {"s0.word", "s0.label", "s0:s1.separator_count"}


@pytest.mark.parametrize(("system", "name"), TABLES, ids=str)
def test_a_set_is_what_the_paper_prints(system: str, name: str) -> None:
    printed = Counter(map(expand, TABLES[system, name].split()))
    shipped = Counter(
        frozenset(template.text.split()) for template in load([name], system).templates
    )
    assert shipped == printed
    assert printed.total() == COUNTS[system, name]


def test_the_one_template_that_the_paper_names_twice_counts_once() -> None:
    templates = load(["baseline", "extended", "spans"], "gap")
    assert len(templates.templates) == 77
    assert len(templates.distinct) == 76
    assert "s0.label s1.label d0.label" in map(str, templates.distinct)


def test_no_template_of_maier_is_there_twice() -> None:
    templates = load(["baseline", "extended", "separator", "disco"], "swap")
    assert len(templates.templates) == len(templates.distinct) == 93


# The first 16 digits of the SHA-256 of each set's templates, one a line: models that were trained
# with a set name it, so its templates and their order never change.
FROZEN = {
    ("gap", "affixes"): "bd4af00d1bf42395",
    ("gap", "baseline"): "360ea145e5a8253e",
    ("gap", "children"): "78c0ae18bd0dc32b",
    ("gap", "clusters"): "759c1dd6c0912ed4",
    ("gap", "disco"): "37cc380fa07cc341",
    ("gap", "distant"): "f3d28262d0f70f39",
    ("gap", "endings"): "3c29432ab26b91f4",
    ("gap", "extended"): "278ca35732b667e7",
    ("gap", "gaps"): "d6ecb31b754c8460",
    ("gap", "order"): "a785a11c18b474ad",
    ("gap", "separator"): "346f2e1931135b2e",
    ("gap", "shapes"): "f7d2d8d1cb6be719",
    ("gap", "sizes"): "a5f405f250a4d85c",
    ("gap", "spans"): "9dfcfd71f601be47",
    ("gap", "tags"): "8ac4242556f0c9ed",
    ("swap", "affixes"): "e8ecd47d742078de",
    ("swap", "baseline"): "19bf623b8f7316e6",
    ("swap", "children"): "427bd3db43ebbe1d",
    ("swap", "clusters"): "355acd07c0fbd6ec",
    ("swap", "disco"): "e5ecb32fb2dd8af8",
    ("swap", "distant"): "cc6d7e976309fcb9",
    ("swap", "endings"): "93a617fdb316ecb0",
    ("swap", "extended"): "6e39d0af5cfaf1fe",
    ("swap", "gaps"): "7df2706cc1cb3b77",
    ("swap", "order"): "1ad66ba185b7723f",
    ("swap", "separator"): "bb1ce2186c9d3416",
    ("swap", "shapes"): "6484cba8cb918a64",
    ("swap", "sizes"): "49126b4c61735d39",
    ("swap", "spans"): "220378583128bc8c",
    ("swap", "tags"): "30b31c814bc1f649",
}


@pytest.mark.parametrize(("system", "name"), FROZEN, ids=str)
def test_sets_that_ship_stay_as_they_are(system: str, name: str) -> None:
    text = "".join(f"{template}\n" for template in load([name], system).templates)
    assert sha256(text.encode()).hexdigest()[:16] == FROZEN[system, name]


@pytest.mark.parametrize("system", ["gap", "swap"])
def test_no_other_sets_ship(system: str) -> None:
    assert feature_sets(system) == [name for family, name in FROZEN if family == system]
