from pathlib import Path

import pytest

from crossbranch.errors import InputError, UsageError
from crossbranch.transforms import pipeline
from crossbranch.transforms.labels import Labels
from crossbranch.tree import ROOT, Node, Token, Tree

TREE = Tree(
    [Token("a", "NP", edge_label="NP"), Token("#", "#")],
    Node("ROOT", [Node("NP", [0], edge_label="NP"), Node("VP-X=2", [1])]),
)


def names(tree: Tree) -> list[str]:
    vertices: list[Token | Node] = [*tree.sentence, *tree.nodes[1:]]
    labels = [v.tag if isinstance(v, Token) else v.label for v in vertices]
    return [f"{label}/{v.edge_label}" for label, v in zip(labels, vertices, strict=True)]


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ('labels("NP=N,VP-X=2=V")', ["NP/NP", "#/", "N/NP", "V/"]),
        ('labels("NP=N", what=tags)', ["N/NP", "#/", "NP/NP", "VP-X=2/"]),
        ('labels("NP=", edge_labels)', ["NP/", "#/", "NP/", "VP-X=2/"]),
        ('labels("NP=N,#=SYM", all)', ["N/N", "SYM/", "N/N", "VP-X=2/"]),
        ("labels(cut=-=)", ["NP/NP", "#/", "NP/NP", "VP/"]),
        ('labels("VP=V", cut=-)', ["NP/NP", "#/", "NP/NP", "V/"]),
        ("labels(cut=V, what=all)", ["NP/NP", "#/", "NP/NP", "VP-X=2/"]),
    ],
)
def test_maps(step: str, expected: list[str]) -> None:
    assert names(pipeline(step).apply(TREE)) == expected


def test_a_map_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "map"
    path.write_text("# old new\nNP N  # nouns\n\n\\# SYM\n", encoding="utf-8")
    assert names(Labels(str(path), "all").apply(TREE)) == ["N/N", "SYM/", "N/N", "VP-X=2/"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("NP N\nVP\n", "map:2: found 1 columns, expected two: the old and the new label"),
        ("NP N\n\nNP M\n", "map:3: found NP again, as on line 1, expected each label once"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "map"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        Labels(str(path))
    assert str(caught.value).endswith(message)


def test_files_in_other_encodings(tmp_path: Path) -> None:
    path = tmp_path / "map"
    path.write_bytes(b"NP N\n\xe4 a\n")
    with pytest.raises(InputError, match="map:2: found the byte 0xe4, expected text in UTF-8"):
        Labels(str(path))


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("labels", "needs a map"),
        ("labels(no-such-file)", "cannot read no-such-file: no such file or directory"),
        ('labels("NP=N,VP")', "the map is 'NP=N,VP', expected OLD=NEW,OLD=NEW"),
        (
            'labels("NP=N", words)',
            "what is 'words', expected one of labels, tags, edge_labels, all",
        ),
    ],
)
def test_bad_options(step: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        pipeline(step)


def test_case() -> None:
    tree = Tree([Token("a")], Node(ROOT, [Node("np", [0])]))
    assert Labels(case="upper").apply(tree).root == Node(ROOT, [Node("NP", [0])])
    assert Labels(case="lower").apply(tree).root == Node(ROOT, [Node("np", [0])])
    with pytest.raises(UsageError, match="case"):
        Labels(case="title")
