"""Files to start from, made by the package itself, so that they always fit its formats."""

from __future__ import annotations

import io
import warnings
from functools import cache
from itertools import islice
from pathlib import Path

from crossbranch.errors import LossWarning
from crossbranch.grammar.sampling import sample
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank import Header, write
from crossbranch.treebank.header import HeaderTable, HeaderValue

CORPUS = Path(__file__).parent / "corpus"


def own_trees() -> list[Tree]:
    """A few trees with some of everything."""
    words = [
        Token("Wär", "V", "sein", "Pl|Past", "HD", (("comment", "c"),)),
        Token("(", "$("),
        Token("zwei Wörter", "N", "", "Nom"),
        Token("", "-NONE-"),
        Token("\N{GRINNING FACE}", "E"),
    ]
    vp = Node("VP", [0, 3], edge_label="OC", head=1, features=(("comment", "gap"),))
    s = Node("S", [vp, Node("NP", [Node("N", [2])]), 1], edge_label="--", head=0)
    rich = Tree(
        words,
        Node(ROOT, [s, 4]),
        id="1",
        secondary_edges=[SecondaryEdge("SB", 2, 6), SecondaryEdge("OA", 7, 5)],
        comments=["a comment", "another"],
        features=(("date", "9"), ("editor", "2")),
    )
    flat = Tree([Token(w, "T") for w in "abc"], Node("S", [Node("X", [0, 1]), 2]), id="2")
    return [rich, flat, Tree([], Node(ROOT), id="3"), flat.replace(id="4"), rich.replace(id="5")]


def own_file(name: str) -> bytes:
    """The same trees in a format, with a header."""
    header = Header(
        ("c",), (("name", "n"),), (HeaderTable("tag", (HeaderValue("V", "verb", "1", "N"),)),)
    )
    return to_bytes(own_trees(), name, header)


def to_bytes(trees: list[Tree], name: str, header: Header | None = None) -> bytes:
    """Trees in a format, as far as it can hold them."""
    stream = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LossWarning)
        write(trees, stream, format=name, header=header, on_error="skip")
    return stream.getvalue()


@cache
def sampled(grammar: str = "german", count: int = 20) -> list[Tree]:
    """Trees of a shipped grammar."""
    return list(islice(sample(count, grammar=grammar, seed=1, max_length=15), count))


def treebank_seeds(name: str) -> list[bytes]:
    """Files in a format of treebanks."""
    return [own_file(name), to_bytes(sampled()[:3], name), to_bytes(sampled("dutch")[:2], name)]


def text_seeds() -> list[bytes]:
    """Raw text in several encodings."""
    trees = [*sampled()[:4], *sampled("english", 4)]
    text = "\n\n".join(" ".join(tree.words) for tree in trees)
    odd = 'Er sagte: "Nein!" (z. B. am 3.4.2001) ... A.\tB. -- e-mail@x.org http://x.org/?a=b '
    return [
        text.encode(),
        text.encode("utf-16"),
        odd.encode(),
        "Größe ist Öl\r\nnicht wahr?\r\n".encode("iso-8859-1"),
        "l'\u00e9t\u00e9\u2028\u0301 \U0001f600\u200d\ufeff \u3000x\u00a0y.\n".encode(),
    ]


def corpus(name: str) -> list[tuple[str, bytes]]:
    """The files of a target that are in the repository, with their names."""
    folder = CORPUS / name
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    return [(path.name, path.read_bytes()) for path in paths]
