"""crossbranch draw: every kind of drawing, to every kind of place."""

from __future__ import annotations

import gzip
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import CROSSING, crossbranch

from crossbranch.cli.draw_target import file_name, save
from crossbranch.errors import UsageError
from crossbranch.tree import ROOT, Node, SecondaryEdge, Token, Tree
from crossbranch.treebank import write

FLAT = "(ROOT (SBARQ (WHNP (WP 0=What)) (SQ (MD 1=should) (NP (PRP 2=I)) (VB 3=do))) (. 4=?))\n"
OTHER = "(ROOT (S (NP (DT 0=The) (NN 1=cat)) (VP (VBZ 2=sleeps))) (. 3=.))\n"


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "small.discbracket"
    path.write_text(CROSSING + OTHER + CROSSING)
    return path


def test_one_picture(treebank: Path, tmp_path: Path) -> None:
    target = tmp_path / "tree.svg"
    crossbranch("draw", treebank, "-n", "2", "-o", target)
    root = ElementTree.parse(target).getroot()
    words = "".join(root.itertext())
    assert "sleeps" in words
    stdout, _ = crossbranch("draw", treebank, "-n", "2", "--to", "svg")
    assert stdout == target.read_text()


def test_a_tree_as_text(tmp_path: Path) -> None:
    for text in ("(S (NP The cat) (VP sat))", "[S [NP The cat] [VP sat]]"):
        stdout, _ = crossbranch("draw", text)
        assert " ".join(stdout.split()) == "S ┌───┴───┐ NP │ ┌─┴──┐ │ │ │ VP The cat sat"
    long = f"[S [VP 0=What 3=do] [SQ 1=should 2=I] {' '.join(f'{i}=word' for i in range(4, 2000))}]"
    crossbranch("draw", long, "-o", tmp_path / "tree.html")
    assert "What should I do word" in (tmp_path / "tree.html").read_text()
    stdout, _ = crossbranch("draw", "(S a b) (S c d)", "--compare", "(S a b) (S (X c d))")
    assert "second, marked +: X" in stdout
    _, stderr = crossbranch("draw", "(S (NP The cat) (VP sat)", code=1)
    assert "<text>:1:17: found the end of the tree, with open brackets: 1" in stderr
    _, stderr = crossbranch("draw", "The cat sat", code=2)
    assert "no such file; a TREE begins with ( or [" in stderr
    (tmp_path / "(S a b)").write_text(OTHER)
    stdout, _ = crossbranch("draw", "(S a b)", cwd=tmp_path)
    assert "sleeps" in stdout  # a file with such a name goes first


def test_words_without_trees_get_a_hint(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("What should I do ?\nNothing .\n")
    stdout, stderr = crossbranch("draw", "text.txt", cwd=tmp_path)
    assert "Nothing" in stdout
    assert stderr.count("to parse it: crossbranch parse MODEL text.txt") == 1
    assert not crossbranch("draw", "(S a b)")[1]


def test_a_file_holds_one_picture(treebank: Path, tmp_path: Path) -> None:
    target = tmp_path / "tree.svg"
    _, stderr = crossbranch("draw", treebank, "-o", target, code=2)
    assert "several trees" in stderr
    assert "-o pictures/" in stderr
    assert not target.exists()


def test_a_folder_holds_one_file_for_each_tree(treebank: Path, tmp_path: Path) -> None:
    target = tmp_path / "deep" / "pictures"
    crossbranch("draw", treebank, "-o", f"{target}/", "--to", "svg", "--discontinuous")
    assert sorted(path.name for path in target.iterdir()) == ["1.svg", "3.svg"]
    crossbranch("draw", treebank, "-o", target, "--to", "tikz", "--limit", "1")
    assert "tikzpicture" in (target / "1.tex").read_text()
    _, stderr = crossbranch("draw", treebank, "-o", target, code=2)
    assert "--to" in stderr
    _, stderr = crossbranch("draw", treebank, "-o", target, "--to", "html", code=2)
    assert "an html page contains all trees" in stderr


def test_names_of_files() -> None:
    taken: set[str] = set()
    names = [file_name(id, taken) for id in ("s1", "S1", "../../etc", "a/b c", "..", "", "é")]
    assert names == ["s1", "S1-2", "_.._etc", "a_b_c", "_", "_-2", "é"]


def test_files_are_named_by_ids(tmp_path: Path) -> None:
    trees = [Tree([Token("a")], Node(ROOT, [0]), id=id) for id in ("x/1", "x/2")]
    write(trees, tmp_path / "t.json")
    crossbranch("draw", tmp_path / "t.json", "-o", f"{tmp_path}/out/", "--to", "drawn")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["x_1.txt", "x_2.txt"]


def test_pages(treebank: Path, tmp_path: Path) -> None:
    target = tmp_path / "trees.html"
    crossbranch("draw", treebank, "-o", target)
    page = target.read_text()
    assert "<title>small.discbracket</title>" in page
    assert page.count("<details") == 3
    stdout, _ = crossbranch("draw", treebank, "--to", "html", "--title", "A & B", "--limit", "1")
    assert "<title>A &amp; B</title>" in stdout
    assert stdout.count("<details") == 1


def test_tikz(treebank: Path, tmp_path: Path) -> None:
    target = tmp_path / "trees.tex"
    crossbranch("draw", treebank, "-o", target)
    assert target.read_text().count(r"\begin{tikzpicture}") == 3
    assert r"\documentclass" not in target.read_text()
    crossbranch("draw", treebank, "-o", target, "--standalone", "-n", "1")
    assert target.read_text().count(r"\documentclass") == 1
    _, stderr = crossbranch("draw", treebank, "-o", target, "--standalone", code=2)
    assert "several trees" in stderr


def test_comparison_in_every_kind(treebank: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.discbracket"
    other.write_text(FLAT + OTHER + CROSSING)
    compared = ("draw", treebank, "--compare", other)
    stdout, _ = crossbranch(*compared, "-n", "1")
    assert "−VP" in stdout
    assert "+SQ" in stdout
    assert "small.discbracket, marked −: " in stdout
    crossbranch(*compared, "-n", "1", "-o", tmp_path / "c.svg")
    assert "−VP" in (tmp_path / "c.svg").read_text()
    crossbranch(*compared, "-o", tmp_path / "c.tex")
    assert (tmp_path / "c.tex").read_text().count(r"\begin{tikzpicture}") == 6
    crossbranch(*compared, "-o", tmp_path / "c.html", "--label", "NP")
    page = (tmp_path / "c.html").read_text()
    assert page.count("<details") == 3
    assert page.count(" data-different>") == 1


def test_only_the_same_sentences_are_compared(treebank: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.discbracket"
    other.write_text(OTHER)
    _, stderr = crossbranch("draw", treebank, "--compare", other, code=2)
    assert "its words differ" in stderr
    other.write_text(CROSSING)
    _, stderr = crossbranch("draw", treebank, "--compare", other, code=2)
    assert "the second trees end before sentence 2" in stderr


def test_choosing(treebank: Path) -> None:
    def count(*options: str) -> int:
        stdout, _ = crossbranch("draw", treebank, "--to", "html", *options)
        return stdout.count("<details")

    assert count("--search", "SHOULD i") == 2
    assert count("--search", "nothing") == 0
    assert count("--label", "VP") == 3
    assert count("--label", "VP", "--discontinuous") == 2
    assert count("--label", "NP", "--discontinuous") == 0
    assert count("--label", "VBZ") == 1
    assert count("-n", "1", "-n", "2") == 2
    assert count("-n", "2-3") == 2
    assert count("-n", "2-") == 2
    _, stderr = crossbranch("draw", treebank, "--search", "nothing")
    assert "no tree to draw" in stderr


def test_functions_can_be_chosen(tmp_path: Path) -> None:
    words = [Token("a", "X", edge_label="HD"), Token("b", "X"), Token("c", "X")]
    relative = Node("S", [0, 2], edge_label="RC")
    trees = [
        Tree(words, Node(ROOT, [relative, Node("NP", [1], edge_label="SB")])),
        Tree(words, Node(ROOT, [Node("S", [0, 1], edge_label="RC"), Node("VP", [2])])),
    ]
    write(trees, tmp_path / "t.json")

    def count(*options: str) -> int:
        stdout, _ = crossbranch("draw", tmp_path / "t.json", "--to", "html", *options)
        return stdout.count("<details")

    assert count("--label", "RC") == 2
    assert count("--label", "RC", "--discontinuous") == 1
    assert count("--label", "SB", "--discontinuous") == 0
    assert count("--label", "HD") == 2
    assert count("--label", "HD", "--discontinuous") == 0


def test_pdf(treebank: Path, tmp_path: Path) -> None:
    target = tmp_path / "trees.pdf"
    crossbranch("draw", treebank, "-o", target, "--slanted", "--font-size", "12")
    pdf = target.read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert pdf.count(b"/MediaBox") == 3
    crossbranch("draw", treebank, "-o", f"{tmp_path}/pages/", "--to", "pdf", "--fit")
    assert len(list((tmp_path / "pages").iterdir())) == 3
    other = tmp_path / "other.discbracket"
    other.write_text(FLAT + OTHER + CROSSING)
    crossbranch("draw", treebank, "--compare", other, "-o", target, "--fit")
    assert target.read_bytes().count(b"[ 0 0 595.28 841.89 ]") == 3
    _, stderr = crossbranch("draw", treebank, "-o", tmp_path / "no.pdf", "--search", "nothing")
    assert "no tree to draw" in stderr
    assert not (tmp_path / "no.pdf").exists()


def test_fit(tmp_path: Path) -> None:
    text = f"(S {' '.join(f'(NN word{i})' for i in range(100))})"
    crossbranch("draw", text, "-o", tmp_path / "t.txt", "--fit")
    assert max(map(len, (tmp_path / "t.txt").read_text().splitlines())) <= 80
    crossbranch("draw", text, "-o", tmp_path / "t.svg", "--fit")
    root = ElementTree.parse(tmp_path / "t.svg").getroot()
    assert int(root.get("width", "")) <= 640


def test_what_is_written(tmp_path: Path) -> None:
    token = Token("a", "N", morphology="Sg.Nom", edge_label="HD")
    write([Tree([token], Node(ROOT, [Node("NP", [0], edge_label="SB")]))], tmp_path / "t.json")
    stdout, _ = crossbranch("draw", tmp_path / "t.json")
    assert "SB" in stdout
    assert "N\n" in stdout
    assert "Sg.Nom" not in stdout
    stdout, _ = crossbranch("draw", tmp_path / "t.json", "--no-functions", "--morphology")
    assert "SB" not in stdout
    assert "Sg.Nom" in stdout
    stdout, _ = crossbranch("draw", tmp_path / "t.json", "--no-tags", "--no-functions")
    assert stdout.split() == ["ROOT", "│", "NP", "│", "a"]


def test_secondary_edges(tmp_path: Path) -> None:
    edge = SecondaryEdge("SB", 1, 3)
    tree = Tree([Token("a"), Token("b")], Node(ROOT, [Node("NP", [0]), 1]), secondary_edges=[edge])
    write([tree], tmp_path / "t.json")
    with_edges, _ = crossbranch("draw", tmp_path / "t.json", "--secondary-edges")
    without, _ = crossbranch("draw", tmp_path / "t.json")
    assert "SB" in with_edges
    assert "SB" not in without


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-o", "x.html", "--ascii"), "--ascii needs --to drawn; this drawing is html"),
        (("-o", "x.svg", "--standalone"), "--standalone needs --to tikz; this drawing is svg"),
        (("--title", "x"), "--title needs --to html; this drawing is drawn"),
        (("-o", "x.gif"), "what to draw"),
        (("--slanted",), "--slanted needs --to svg, tikz, html, pdf or png; this drawing is drawn"),
        (("--font-size", "20"), "--font-size needs --to svg, tikz, html, pdf or png"),
        (("-o", "x.html", "--font-size", "0"), "0.0 is not in the range 1<=x<=500"),
        (("--fit", "--width", "40"), "--width and --fit exclude each other"),
        (("-o", "absent/x.html"), "cannot write"),
        (("--compare", "small.discbracket", "--to", "tikz", "--standalone"), "one tree"),
        (("-o", "small.discbracket", "--to", "drawn"), "a file of the input"),
        (("--width", "3"), "width"),
        (("-n", "0"), "'0': expected a number or a range"),
        (("--limit", "-1"), "Invalid value for '--limit'"),
        (("-o", "small.discbracket/x/", "--to", "svg"), "cannot write into"),
    ],
)
def test_wrong_calls(
    treebank: Path, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    _, stderr = crossbranch("draw", treebank.name, *options, code=2, cwd=tmp_path)
    assert message in stderr
    assert treebank.read_text() == CROSSING + OTHER + CROSSING


def test_standard_input(treebank: Path) -> None:
    stdout, _ = crossbranch("draw", "-", "--to", "html", stdin=CROSSING.encode())
    assert "<title>standard input</title>" in stdout
    _, stderr = crossbranch("draw", "-", "--compare", "-", code=2)
    assert "both files are standard input" in stderr


@pytest.mark.parametrize("name", ["p.html", "p.txt", "p.tex", "p.svg", "p.pdf"])
def test_what_is_there_stays_if_nothing_can_be_drawn(
    treebank: Path, tmp_path: Path, name: str
) -> None:
    target = tmp_path / name
    target.write_text("precious")
    bad, other = tmp_path / "bad.discbracket", tmp_path / "other.discbracket"
    bad.write_text("(ROOT (S 0=a")
    other.write_text(OTHER)
    crossbranch("draw", tmp_path / "nosuch.export", "-o", target, code=2)
    crossbranch("draw", bad, "-o", target, code=1)
    crossbranch("draw", treebank, "--compare", other, "-o", target, code=2)
    crossbranch("draw", treebank, "--width", "3", "-o", target, code=2)
    assert target.read_text() == "precious"
    crossbranch("draw", tmp_path / "nosuch.export", "-o", f"{tmp_path}/new/", "--to", "svg", code=2)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_pipes_get_utf8(treebank: Path, encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = crossbranch("draw", treebank), crossbranch("labels", "icepahc", "N21")
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    assert (crossbranch("draw", treebank), crossbranch("labels", "icepahc", "N21")) == expected
    assert "│" in expected[0][0]
    assert "borð" in expected[1][0]


def test_pictures_are_compressed_as_their_names_say(tmp_path: Path) -> None:
    save(tmp_path / "x.png.gz", b"PNG")
    assert gzip.decompress((tmp_path / "x.png.gz").read_bytes()) == b"PNG"
    with pytest.raises(UsageError, match=r"cannot write .*absent/x.png: no such file"):
        save(tmp_path / "absent" / "x.png", b"PNG")
