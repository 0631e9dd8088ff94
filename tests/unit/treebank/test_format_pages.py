"""The pages about formats show the same tree, and show it as it is written."""

from __future__ import annotations

import io
import json
import re
import warnings
from pathlib import Path

import pytest

from crossbranch.errors import LossWarning
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank import read, write
from crossbranch.treebank.header import Header, HeaderTable, HeaderValue

PAGES = Path(__file__).parents[3] / "docs" / "formats"


def example() -> Tree:
    vp = Node("VP", [0, 3], edge_label="OC", head=1)
    return Tree(
        [
            Token("Das", "PDS", "das", "Acc.Sg.Neut", "OA"),
            Token("will", "VMFIN", "wollen", "3.Sg.Pres", "HD"),
            Token("er", "PPER", "er", "Nom.Sg.Masc", "SB"),
            Token("tun", "VVINF", "tun", "", "HD"),
            Token(".", "$.", "."),
        ],
        Node(ROOT, [Node("S", [vp, 1, 2], head=1), 4], head=0),
        id="1",
        secondary_edges=[SecondaryEdge("SB", 2, 7)],
        comments=["page 7"],
    )


def blocks(page: str) -> list[str]:
    text = (PAGES / page).read_text(encoding="utf-8")
    found = re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for block in found if not block.startswith("$ ")]  # no commands


@pytest.mark.parametrize(
    ("page", "number", "format"),
    [
        ("export.md", 0, "export"),
        ("conllu.md", 0, "conllu"),
        ("text.md", 0, "tokens"),
        ("text.md", 1, "tagged"),
    ],
)
def test_examples_are_what_is_written(page: str, number: int, format: str) -> None:
    target = io.StringIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LossWarning)
        write([example()], target, format=format)
    assert target.getvalue() == blocks(page)[number]


def test_the_examples_of_json() -> None:
    line, header = (json.dumps(json.loads(block)) for block in blocks("json.md"))
    reader = read(io.StringIO(f"{header}\n{line}\n"))
    assert list(reader) == [example()]
    assert reader.header == Header(
        ("A treebank of our own",),
        (("name", "Example"), ("author", "Ann Editor")),
        (HeaderTable("tag", (HeaderValue("NN", "common noun"),)),),
    )
    target = io.StringIO()
    write([example()], target, format="json")
    assert json.loads(target.getvalue()) == json.loads(line)
